"""Languages of models. Svarog: text becomes a tree (`parsing`, `names`, `checking`) and text again (`printing`).

Files of Cassandra's format become a model at once (`pomdp_reading`), and a model such a file (`pomdp_writing`).
"""

from hiddenhand.planning.language.parsing import read_file, read_text
from hiddenhand.planning.language.printing import to_text
from hiddenhand.planning.language.syntax import Specification

__all__ = ["Specification", "read_file", "read_text", "to_text"]
