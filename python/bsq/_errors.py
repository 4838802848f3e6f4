"""The exceptions of the package."""

__all__ = ["Error", "FailedError", "RefusedError", "StoppedError", "UsageError"]


class Error(Exception):
    """Why there is no answer.

    Parameters
    ----------
    message
        What was wrong, and what would be right.
    location
        The part of the question that was wrong: an option, ``position``, ``moves`` or the like.
        ``None`` if no part was.
    """

    def __init__(self, message: str, location: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location

    def __str__(self) -> str:
        return f"{self.location}: {self.message}" if self.location else self.message

    def __reduce__(self) -> tuple[type["Error"], tuple[str, str | None]]:
        return type(self), (self.message, self.location)


class UsageError(Error, ValueError):
    """What was asked is not valid."""


class RefusedError(Error, RuntimeError):
    """What was asked is valid, but takes more than the resources allowed."""


class StoppedError(Error, RuntimeError):
    """The job was stopped, or its time was up."""


class FailedError(Error, RuntimeError):
    """The job failed: a file is damaged or cannot be read, or a resource was unavailable."""


# Tracebacks show them where users find them.
for _error in (Error, UsageError, RefusedError, StoppedError, FailedError):
    _error.__module__ = "bsq"
