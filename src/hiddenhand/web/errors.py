"""Errors with a status of their own (every other UserError is a bad request), and what errors tell of files."""

from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Files
from hiddenhand.core.text import Text


class Forbidden(UserError):
    """The client may not do this, or not now; status 403."""

    status = 403


class NotFound(UserError):
    """There is no such thing; status 404."""

    status = 404


class TooManyRequests(UserError):
    """The client asks too often or for too much at once; status 429."""

    status = 429


class NotSaved(UserError):
    """The store could not write what was asked for; status 503."""

    status = 503


def for_strangers(files: Files, text: object) -> Any:
    """The same text, with every file in it named as strangers may know it: without the folders of the server."""
    if isinstance(text, Text):
        return Text.made(text.template, text.several, {k: for_strangers(files, v) for k, v in text.values.items()})
    return files.told(text) if isinstance(text, str) else text
