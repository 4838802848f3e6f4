"""What the tests share."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

BSQ = Path(sys.executable).with_name("bsq")
"""The command that the package installs."""


def command(*args: str, stdin: str | None = None) -> str:
    """Return what the command prints to standard output."""
    line: Sequence[str | Path] = [BSQ, *args]
    ran = subprocess.run(line, input=stdin, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 or stdin is not None, ran.stderr
    return ran.stdout
