"""Errors with a status of their own; every other UserError is a bad request."""

from hiddenhand.core.errors import UserError


class Forbidden(UserError):
    """Not allowed now; status 403."""

    status = 403


class NotFound(UserError):
    """There is no such thing; status 404."""

    status = 404


class TooManyRequests(UserError):
    """Too often; status 429."""

    status = 429


class NotSaved(UserError):
    """The store could not write it; status 503."""

    status = 503
