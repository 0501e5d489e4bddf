"""The Svarog language: text becomes a tree (`reading`), a tree becomes text again (`printing`)."""

from hiddenhand.planning.language.parsing import read_file, read_text
from hiddenhand.planning.language.printing import to_text
from hiddenhand.planning.language.syntax import Specification

__all__ = ["Specification", "read_file", "read_text", "to_text"]
