"""Runs every command of the README and holds its output against what stands there; also the
examples of `bsq --help`, which must succeed. First of all, every file and folder that the README or a
document names must exist (`python3 tests/readme.py paths` checks that alone).

A block marked `console` has commands after `$ ` and, below each, the output; a line `...` stands
for any number of lines, and no output at all for whatever there is. Standard output is a terminal
for the commands, as it is for a reader, but nobody types. Benches run once instead of many times, and
as the tests are built, a server for two seconds; the test command and all analyses at once not at all,
since checks run them anyway. Blocks marked `python` run in the environment that the commands make for
notebooks; what is drawn goes to a scratch folder.
"""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BSQ = Path(os.environ.get("BSQ", ROOT / "target/release/bsq"))
SKIPPED = ("cargo test", "git clone", "cd ", "bsq analyze all")


def blocks(text):
    """Commands and the lines expected below them."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line.rstrip())
        if command:
            yield command, expected


def scripts(text):
    """The Python of the README, as commands."""
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        yield f"{shlex.quote(str(ROOT))}/target/venv/bin/python - <<'END'\n{block}END", []


def run(command, folder):
    """Exit code, output and errors of a command whose standard output is a terminal."""
    master, slave = pty.openpty()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=errors
        )
        os.close(slave)
        output = b""
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not chunk:
                break
            output += chunk
        os.close(master)
        code = process.wait()
        errors.seek(0)
        return code, output.decode().replace("\r\n", "\n"), errors.read().decode()


def matches(expected, printed):
    """Whether the lines are those expected, `...` standing for any number of them."""
    parts = [re.escape(line) + "\n" if line != "..." else "(?:.*\n)*?" for line in expected]
    lines = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    return re.fullmatch("".join(parts), "\n".join(lines) + "\n") is not None


def examples():
    """The commands that `bsq --help` shows."""
    text = subprocess.run([BSQ, "--help"], capture_output=True, text=True, check=True).stdout
    lines = text.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    for line in lines:
        yield line.split("  ")[1].strip(), []


FOLDERS = ("analyses", "api", "benches", "docs", "engine", "examples", "fuzz", "games", "results", "src", "tests", "web")


def missing_paths():
    """Files and folders that the README or a document names but that do not exist."""
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = document.read_text()
        linked = [document.parent / path for path in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)]
        named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", re.sub(r"```.*?```", "", text, flags=re.S))
        for path in [*linked, *(ROOT / path for path in named)]:
            if not path.exists() and "NAME" not in str(path):
                yield document.relative_to(ROOT), path.relative_to(ROOT)


def main():
    missing = list(missing_paths())
    for document, path in missing:
        print(f"FAILED: {document} names {path}, which does not exist")
    if missing or sys.argv[1:] == ["paths"]:
        sys.exit(len(missing) > 0)
    failures = ran = 0
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as programs:
        # As in a checkout: the README names files of it.
        for name in ["analyses", "tests"]:
            (Path(scratch) / name).symlink_to(ROOT / name)
        # Commands of cargo build it again, with other features.
        shutil.copy(BSQ, programs)
        environment = f"export PATH={shlex.quote(programs)}:$PATH BSQ_FIGURES={shlex.quote(scratch)}; "
        readme = (ROOT / "README.md").read_text()
        for command, expected in [*blocks(readme), *scripts(readme), *examples()]:
            if command.startswith(SKIPPED):
                continue
            asked = command
            if command.startswith("cargo bench"):
                asked += " --profile dev -- --test"  # what the tests are built with
            if command.startswith("bsq serve"):
                # As with Ctrl-C, after which it must end well.
                asked = f"timeout --preserve-status --signal=INT 2 {command}"
            # Results of the README's examples do not belong into the checkout.
            folder = ROOT if command.startswith(("cargo", "python3 -m venv", "target/venv")) else scratch
            began = time.monotonic()
            code, printed, errors = run(environment + asked, folder)
            while expected and not expected[-1]:
                expected.pop()
            ran += 1
            print(f"{time.monotonic() - began:4.0f} s  {command}", flush=True)
            if code != 0 or (expected and not matches(expected, printed)):
                failures += 1
                print(f"FAILED ({code}): {command}\nprinted:\n{printed}\nexpected:\n" + "\n".join(expected))
                print(errors)
    print(f"{ran - failures} commands do what README and help say, {failures} do not")
    sys.exit(failures > 0 or ran == 0)


if __name__ == "__main__":
    main()
