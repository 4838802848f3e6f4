"""The command ``bsq``."""

import sys

from bsq._bsq import run_command


def main() -> int:
    """Run the command with the arguments of the process, and return its exit code."""
    return run_command(["bsq", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
