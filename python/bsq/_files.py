"""Files that appear when they are complete."""

import os
from os import PathLike
from pathlib import Path

__all__ = ["write"]


def write(path: str | PathLike[str], content: bytes) -> None:
    """Write a file, which replaces one of the same name when it is complete."""
    target = Path(path)
    begun = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        begun.write_bytes(content)
        os.replace(begun, target)
    finally:
        begun.unlink(missing_ok=True)
