"""Runs every command of the README and of the documents and compares its output with the one shown;
also the examples of `bsq --help`, which must succeed. First of all, every file and folder that the README
or a document names must exist (`python3 tests/readme.py paths` checks that alone), and the data dictionary in
`docs/data.md` must be that of `results/datapackage.json` (`python3 tests/readme.py dictionary` writes it).

A block marked `console` has commands after `$ ` and, below each, the output; a line `...` stands
for any number of lines, and no output at all for whatever there is. Standard output is a terminal
for the commands, as it is for a reader, but nobody types. Examples are built as the tests are; a server runs until its
document ends, and must end well after Ctrl-C. The test command and all analyses at once are left out, since checks run
them anyway, and release builds and benches, which `.ci/nightly` runs. Blocks marked `python` run in
the environment that the commands make for notebooks; what is drawn goes to a scratch folder.
"""

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "analyses").rglob("README.md"))]
BSQ = Path(os.environ.get("BSQ", ROOT / "target/release/bsq"))
SKIPPED = ("cargo test", "cargo bench", "cargo build --release", "cargo run --release", "git clone", "cd ", "bsq analyze all")


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
    os.environ["NO_COLOR"] = "1"
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


class Server:
    """A server that runs while the other commands of its document do."""

    def __init__(self, command, folder):
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.errors
        )
        # It prints its address when it is ready.
        until = time.monotonic() + 60
        while os.fstat(self.output.fileno()).st_size == 0 and self.process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)

    def end(self):
        """Exit code, output and errors after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=30)
        for file in [self.output, self.errors]:
            file.seek(0)
        return code, self.output.read().decode(), self.errors.read().decode()


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
    for document in DOCUMENTS:
        text = document.read_text()
        linked = [document.parent / path for path in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)]
        named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", re.sub(r"```.*?```", "", text, flags=re.S))
        for path in [*linked, *(ROOT / path for path in named)]:
            # web/build writes web/dist.
            if not path.exists() and "NAME" not in str(path) and path != ROOT / "web/dist":
                yield document.relative_to(ROOT), path.relative_to(ROOT)


def as_tests(command):
    """The cargo command with the features of the tests, so that it compiles little again, or the program that the tests
    have built."""
    program = re.match(r"cargo run -p (\S+)(?: --features \S+)? -- ", command)
    if program and (BSQ.parent / program[1]).exists():
        return f"{shlex.quote(str(BSQ.parent / program[1]))} {command[program.end():]}"
    command = re.sub(r" --features \S+", "", command)
    return re.sub("^cargo [a-z]+", r"\g<0> --features full,faults", command)


DICTIONARY = ROOT / "docs/data.md"
GAMES = {
    "british-square": ("British Square", "british_square"),
    "dots": ("Dots-and-Boxes", "dots"),
    "rpsw": ("Rock-paper-scissors-well", "rpsw"),
}


def dictionary():
    """The tables of the manifest as the last section of the data dictionary."""
    resources = json.loads((ROOT / "results/datapackage.json").read_text())["resources"]
    stems = {Path(found["path"]).stem: found for found in resources}
    for game, (title, folder) in GAMES.items():
        yield f"\n### {title}\n"
        asked = question(ROOT / "analyses" / folder / "README.md")
        if asked:
            yield f"{asked}\n"
        for stem, found in stems.items():
            base = re.sub(r"[_-]total$", "", stem)
            if found["rules"].get("game", "british-square") == game and base not in stems.keys() - {stem}:
                asked = question(ROOT / "analyses" / folder / stem.split("_")[0] / "README.md")
                total = stems.get(f"{stem}_total") or stems.get(f"{stem}-total")
                yield described(stem, asked, found, total)


def question(path):
    """The question of the page of an analysis or a game, as a link; nothing without a page."""
    if path.exists():
        asked = path.read_text().splitlines()[2].rpartition("?")[0]
        if not asked:
            sys.exit(f"FAILED: line 3 of {path.relative_to(ROOT)} is not a question, which the data dictionary repeats")
        return f"[{asked}?](../{path.relative_to(ROOT)})"


def described(stem, asked, found, total):
    """A table with its total: the question, the key, the command, and the columns."""
    key = ", ".join(f"`{name}`" for name in found["schema"].get("primaryKey", []))
    rows = f"{found['rows']:,} row{'s' * (found['rows'] != 1)}"
    lines = [f"#### {stem}", "", *([asked, ""] if asked else []), f"{found['title']}: {rows}{', key ' + key if key else ''}. `{found['command']}`"]
    columns = [field["name"] for field in found["schema"]["fields"]]
    extra = [] if not total else [f for f in total["schema"]["fields"] if f["name"] not in columns]
    if total:
        path, those = total["path"], {field["name"] for field in total["schema"]["fields"]}
        without = " and ".join(f"`{name}`" for name in columns if name not in those)
        more = " and with the columns marked *total*" if extra else ""
        lines += ["", f"Total: `{path}`, without {without}{more}."]
    lines += ["", "| column | type | meaning |", "| --- | --- | --- |"]
    for field in [*found["schema"]["fields"], *extra]:
        mark = " (*total*)" if field in extra else ""
        lines.append(f"| `{field['name']}`{mark} | {field['type']} | {field['description']} |")
    return "\n".join(lines) + "\n"


def dictionary_differs(write):
    """Whether the data dictionary is not that of the manifest; writes it on request."""
    head, mark, _ = DICTIONARY.read_text().partition("## Tables\n")
    text = head + mark + "\n".join(dictionary())
    if write:
        DICTIONARY.write_text(text)
    return text != DICTIONARY.read_text()


def main():
    if dictionary_differs(write=sys.argv[1:] == ["dictionary"]):
        print("FAILED: docs/data.md is not that of results/datapackage.json; run tests/readme.py dictionary")
        sys.exit(1)
    if sys.argv[1:] == ["dictionary"]:
        return
    missing = list(missing_paths())
    for document, path in missing:
        print(f"FAILED: {document} names {path}, which does not exist")
    if missing or sys.argv[1:] == ["paths"]:
        sys.exit(len(missing) > 0)
    failures = ran = 0

    def check(command, expected, code, printed, errors):
        nonlocal failures, ran
        ran += 1
        if code != 0 or (expected and not matches(expected, printed)):
            failures += 1
            print(f"FAILED ({code}): {command}\nprinted:\n{printed}\nexpected:\n" + "\n".join(expected))
            print(errors)

    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as programs:
        # As in a checkout: the README names files of it.
        for name in ["analyses", "tests"]:
            (Path(scratch) / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "results", Path(scratch) / "results")
        # Commands of cargo build it again, with other features.
        shutil.copy(BSQ, programs)
        environment = f"export PATH={shlex.quote(programs)}:$PATH BSQ_FIGURES={shlex.quote(scratch)}; "
        texts = [document.read_text() for document in DOCUMENTS]
        for commands in [*([*blocks(text), *scripts(text)] for text in texts), [*examples()]]:
            server = None
            for command, expected in [*commands, ("", [])]:
                began = time.monotonic()
                if server and (not command or command.startswith("bsq serve")):
                    check(serving, shown, *server.end())
                    server = None
                if not command or command.startswith(SKIPPED):
                    continue
                asked = as_tests(command) if command.startswith("cargo run ") else command
                # Results of the examples do not belong into the checkout.
                folder = ROOT if command.startswith(("cargo", "python3 -m venv", "target/venv")) else scratch
                while expected and not expected[-1]:
                    expected.pop()
                if command.startswith("bsq serve"):
                    server, serving, shown = Server(environment + "exec " + asked, folder), command, expected
                else:
                    check(command, expected, *run(environment + asked, folder))
                print(f"{time.monotonic() - began:4.0f} s  {command}", flush=True)
    print(f"{ran - failures} commands do what documents and help say, {failures} do not")
    sys.exit(failures > 0 or ran == 0)


if __name__ == "__main__":
    main()
