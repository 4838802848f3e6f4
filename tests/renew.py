"""Renews what is generated from the program: tables, notebooks with their figures, checksums, the data dictionary, and
snapshots. Lists the files that have changed, so that the changes can be read before they are committed.

    python3 -m venv target/venv
    target/venv/bin/pip install -q -r analyses/requirements.txt
    target/venv/bin/python tests/renew.py
    target/venv/bin/python tests/renew.py --all

Without `--all`, tables that take longer than some minutes stay as they are: those of the commands in LONG.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"

# The commands of the long tables, with what each takes on two cores. `results/dots-searches.csv` has lines of the log of
# several runs of `bsq dots solve 4x5`, days of work, and is not renewed.
LONG = {
    "analyze boards --board 7x7": "2 minutes, 2 GiB",
    "analyze growth --board 7x7": "half an hour, 13 GiB",
    "rpsw tablebase build target/rpsw.db": "2 minutes, 6 GiB",
    "rpsw analyze arrangements --tablebase target/rpsw.db": "seconds",
    "rpsw analyze distances --tablebase target/rpsw.db": "a minute",
    "rpsw analyze draws --tablebase target/rpsw.db": "a minute",
}


def run(*command, **environment):
    """Runs a command in the root folder, and ends the program if it fails."""
    print("$", *command, flush=True)
    finished = subprocess.run(command, cwd=ROOT, env=os.environ | environment)
    if finished.returncode:
        sys.exit(f"FAILED ({finished.returncode}): {' '.join(command)}")


def checksums():
    """Writes the checksum of every file in `results/`."""
    paths = sorted(path.relative_to(RESULTS).as_posix() for path in RESULTS.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256((RESULTS / path).read_bytes()).hexdigest()}  {path}\n" for path in paths if path != "SHA256SUMS"]
    (RESULTS / "SHA256SUMS").write_text("".join(lines))


def main():
    if sys.argv[1:] not in ([], ["--all"]):
        sys.exit(__doc__)
    run("cargo", "build", "--release", "--features", "full")
    bsq = str(ROOT / "target/release/bsq")
    commands = ["analyze all", "dots analyze all"]
    if sys.argv[1:]:
        commands += LONG
    for command in commands:
        run(bsq, *command.split(), "--quiet", "--out", "results")
    run(sys.executable, "tests/notebooks.py", "renew", BSQ=bsq)
    checksums()
    run(sys.executable, "tests/readme.py", "dictionary")
    snapshots = ["cargo", "test", "--quiet", "--features", "full,faults"]
    run(*snapshots, "--test", "command", INSTA_UPDATE="always")
    run(*snapshots, "--lib", "screen", INSTA_UPDATE="always")
    run("git", "status", "--short")


if __name__ == "__main__":
    main()
