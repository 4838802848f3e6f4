"""What the tests share.

``BSQ_ALL=1 pytest tests`` compares more: 10,000 positions of every game, and every table.
"""

import os
import subprocess
import sys
from pathlib import Path

ALL = bool(os.environ.get("BSQ_ALL"))


def run(*args: str, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Run the command of the package, outside of the folder of its sources."""
    line = [sys.executable, "-m", "bsq", *args]
    folder = Path(__file__).parent
    return subprocess.run(
        line, input=stdin, capture_output=True, text=True, check=False, cwd=folder
    )


def command(*args: str, stdin: str | None = None) -> str:
    """Return what the command prints to standard output."""
    ran = run(*args, stdin=stdin)
    assert ran.returncode == 0 or stdin is not None, ran.stderr
    return ran.stdout
