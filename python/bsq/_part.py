"""Parts of a count."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from bsq._files import write

__all__ = ["Part"]


@dataclass(frozen=True)
class Part:
    """A part of a count, which :func:`merge` adds to the others. It can be pickled.

    Attributes
    ----------
    name
        What errors call it: the analysis with the number of the part, or the path of its file.
    text
        The content of its file, with a checksum.
    """

    name: str
    text: str = field(repr=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file that ``bsq merge`` reads. It appears when it is complete."""
        write(path, self.text.encode())

    @staticmethod
    def load(path: str | PathLike[str]) -> Part:
        """Read a file, as ``bsq analyze … --part I/N -o FILE`` writes it."""
        return Part(os.fspath(path), Path(path).read_text(encoding="utf-8"))
