"""What all schemas share: their base classes, and fields with words that people read.

Such fields keep the templates of their texts until a model is written for somebody who reads it:

    TableInfo(...).written(Reader("pl", names))     rendered, as it is sent
    ExperimentInfo(...).model_dump_json()           with templates as plain data, as it is kept on disk
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    SerializationInfo,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import PydanticSerializationError

from hiddenhand.core.text import Reader, Text, from_data, render, to_data

IN_ENGLISH = Reader()
"""For programs, which name no language: English, with players by number."""


class IncomingModel(BaseModel):
    """Something that a client sends: exactly these fields, of exactly these kinds."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class OutgoingModel(BaseModel):
    """Something that a client is sent."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )

    def written(self, reader: Reader = IN_ENGLISH) -> str:
        """As JSON, in the words of the reader."""
        try:
            return self.model_dump_json(context=reader, fallback=plain)
        except PydanticSerializationError:  # half characters, which come from others
            dumped = self.model_dump(mode="python", context=reader)
            return encodable(json.dumps(dumped, ensure_ascii=False, allow_nan=False))


def plain(value: object) -> Any:
    """A number of NumPy's in somebody's picture as Python's own."""
    return value.item() if hasattr(value, "item") else str(value)


def encodable(text: str) -> str:
    """A text that can be sent: half characters, which come from others, are replaced."""
    return text.encode(errors="replace").decode()


# ---- fields with words


def read(value: object) -> str:
    """A text, or what was written of one without a reader."""
    found = from_data(value) if isinstance(value, dict) else value
    if not isinstance(found, str):
        raise ValueError("it must be text")
    return found


def shown(value: object, info: SerializationInfo) -> Any:
    """The value for the reader in the context; without one with its templates, in JSON as plain data."""
    if isinstance(info.context, Reader):
        return render(value, info.context)
    return to_data(value) if info.mode == "json" else value


def in_one_line(text: object) -> Any:
    return " ".join(text.split()) if isinstance(text, str) and not isinstance(text, Text) else text


IDENTIFIERS = ("name", "card", "arrow")
"""Fields of pictures by which screens and moves know things: they are the same in all languages."""


def drawn(picture: Any, info: SerializationInfo) -> Any:
    """A picture with its texts rendered; `FrameMessage.words` has what its things are called."""
    return drawn_for(picture, info.context if isinstance(info.context, Reader) else IN_ENGLISH)


def drawn_for(value: object, reader: Reader) -> Any:
    if isinstance(value, str):
        return value.render(reader) if isinstance(value, Text) else value
    if isinstance(value, dict):
        return {
            key: str(each) if key in IDENTIFIERS and isinstance(each, str) else drawn_for(each, reader)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [drawn_for(each, reader) for each in value]
    return render(value, reader) if isinstance(value, tuple) else value


def words_of(picture: Any) -> Iterator[tuple[str, Text]]:
    """What the things of a picture are called, by their identifiers."""
    if isinstance(picture, dict):
        for key, value in picture.items():
            if key in IDENTIFIERS and isinstance(value, Text):
                yield str(value), value
            elif key == "name" and "marks" in picture:  # a place of a world, which has words of its own
                yield value, Text.made(value.replace("{", "{{").replace("}", "}}"), "", {})
            else:
                yield from words_of(value)
    elif isinstance(picture, list | tuple):
        for value in picture:
            yield from words_of(value)


def names_in_words(words: Any, info: SerializationInfo) -> Any:
    """Names with what they are called, where that is something else."""
    return {name: called for name, called in shown(words, info).items() if called != name}


NAMES = PlainSerializer(lambda value, info: names_in_words(value, info))
DRAWN = PlainSerializer(lambda value, info: drawn(value, info))
SHOWN = PlainSerializer(lambda value, info: shown(value, info))
"""Renders the texts anywhere within a field (a lambda, since an annotated function would change the field's type)."""
AS_IT_IS = WrapValidator(lambda value, handler: value)
"""For a field whose texts stand within dicts: to validate them would make plain strings of the texts."""
Words = Annotated[str, PlainValidator(read), SHOWN, WithJsonSchema({"type": "string"})]
"""A word or a sentence that people read."""
Line = Annotated[
    str,
    PlainValidator(read),
    PlainSerializer(lambda value, info: in_one_line(shown(value, info))),
    WithJsonSchema({"type": "string"}),
]
"""A sentence that is sent as one line, whatever it quotes."""
