"""The progress of jobs that take more than a second, by tqdm if it is installed."""

from __future__ import annotations

import time
from importlib import import_module
from threading import local
from typing import Any

__all__ = ["show_progress"]

_AFTER = 1.0
"""The seconds after which the progress of a job is shown."""


class _Job(local):
    """What is shown of the job of a thread."""

    began: float | None = None
    bar: Any = None


_job = _Job()
_state = {"is_shown": True}


def show_progress(shown: bool = True) -> None:
    """Show the progress of jobs that take more than a second, or do not.

    It is shown by default if the package ``tqdm`` is installed.
    """
    _state["is_shown"] = shown


def _bar(what: str, units: int) -> Any:
    """Return a bar; ``None`` without tqdm."""
    try:
        auto = import_module("tqdm.auto")
    except ImportError:
        return None
    return auto.tqdm(total=units or None, unit=f" {what}" if what else "", leave=False)


def show(what: str, units: int, done: int, status: str) -> None:
    """Show the progress of a job: the number of units, and how many of them are done."""
    if _job.began is None:
        _job.began = time.monotonic()
    if not _state["is_shown"] or time.monotonic() - _job.began < _AFTER:
        return
    if _job.bar is not None and _job.bar.total != (units or None):
        _job.bar.close()
        _job.bar = None
    if _job.bar is None:
        _job.bar = _bar(what, units)
    if _job.bar is not None:
        _job.bar.set_postfix_str(status, refresh=False)
        _job.bar.update(done - _job.bar.n)


def end() -> None:
    """Remove what is shown of a job."""
    _job.began = None
    if _job.bar is not None:
        _job.bar.close()
        _job.bar = None
