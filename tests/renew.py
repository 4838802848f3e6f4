"""Renews what is generated from the program: tables, notebooks with their figures, checksums, the data dictionary, and
snapshots. Lists the files that have changed, so that the changes can be read before they are committed.

    python3 -m venv target/venv
    target/venv/bin/pip install -q -r analyses/requirements.txt
    target/venv/bin/python tests/renew.py
    target/venv/bin/python tests/renew.py --all
    BSQ=target/debug/bsq target/venv/bin/python tests/renew.py --check

Without `--all`, tables that take longer than some minutes stay as they are: those of the commands in LONG. `--check`
changes nothing: it fails if the tables of QUICK, the checksums or the data dictionary would change. Notebooks and
snapshots have tests of their own. It takes two minutes, with the program that BSQ names.
"""

import hashlib
import os
import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")

# The commands of the other tables.
QUICK = ["analyze all", "dots analyze all"]

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


def files(folder):
    """The names of all files in a folder and its folders."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def checksums(folder=RESULTS):
    """Writes the checksum of every file in a folder of results."""
    paths = (path for path in files(folder) if path != "SHA256SUMS")
    lines = [f"{hashlib.sha256((folder / path).read_bytes()).hexdigest()}  {path}\n" for path in paths]
    (folder / "SHA256SUMS").write_text("".join(lines))


def check():
    """Fails if what is renewed without `--all` would change."""
    bsq = os.environ.get("BSQ", str(TARGET / "release/bsq"))
    with tempfile.TemporaryDirectory() as scratch:
        renewed = Path(scratch) / "results"
        shutil.copytree(RESULTS, renewed)
        for command in QUICK:
            run(bsq, *command.split(), "--quiet", "--out", str(renewed))
        checksums(renewed)
        names = sorted({*files(RESULTS), *files(renewed)})
        _, changed, missing = filecmp.cmpfiles(RESULTS, renewed, names, shallow=False)
    run(sys.executable, "tests/readme.py", "paths")
    if changed or missing:
        sys.exit(f"not up to date in results/: {', '.join([*changed, *missing])}; tests/renew.py renews them")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if sys.argv[1:] not in ([], ["--all"]):
        sys.exit(__doc__)
    run("cargo", "build", "--release", "--features", "full")
    bsq = str(TARGET / "release/bsq")
    commands = [*QUICK, *LONG] if sys.argv[1:] else QUICK
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
