"""Runs every notebook of `analyses/`, and holds what they find and draw against what is committed.

    python3 -m venv target/venv
    target/venv/bin/pip install -q -r analyses/requirements.txt
    cargo build -p bsq-python --example in-place && python/in-place
    export PYTHONPATH=$PWD/target/python
    target/venv/bin/python tests/notebooks.py
    target/venv/bin/python tests/notebooks.py renew

Each folder that has a table in the manifest has a notebook that reads all its tables but for totals, committed with its
outputs, which are the same when it is run again; so has the folder of queries, whose tables are not kept. A cell tagged
`golden` ends in named numbers; each stands in `tests/golden/` under that name, which is FILE: KEYS COLUMN. Figures are
the same as in `results/figures/`, byte for byte, and have as many marks as `tests/golden/figures.csv` says. `renew`
writes outputs and figures.
"""

import ast
import asyncio
import copy
import csv
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "results/figures"
GOLDEN = ROOT / "tests/golden"
os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
sys.path.append(str(ROOT / "analyses"))

import bsq  # noqa: E402
import drawing  # noqa: E402
import nbformat  # noqa: E402
import polars as pl  # noqa: E402
import results  # noqa: E402
from nbclient import NotebookClient  # noqa: E402
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError  # noqa: E402

# Folders whose notebooks ask for tables that are not kept.
ASKED = {"discovery", "query"}

RENEW = sys.argv[1:] == ["renew"]

failures = []


def check(holds, what):
    """Notes what does not hold."""
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}", flush=True)


def raises(what, part, call, *arguments):
    """Whether the call fails with a message that has that part."""
    try:
        call(*arguments)
    except Exception as error:
        check(part in str(error), f"{what}: the message has no '{part}': {error}")
    else:
        check(False, f"{what}: no error")


def check_reading():
    """Types, exact numbers, missing values and errors of what the notebooks read with."""
    large = {"small": "9007199254740993", "large": "-9223372036854775809", "huge": "9" * 63, "none": ""}
    lines = ["name,share,flag," + ",".join(large), ",0.5,true," + ",".join(large.values()), "a,,,,,,"]
    data = ("\n".join(lines) + "\n").encode()
    kinds = {"name": "string", "share": "number", "flag": "boolean", **dict.fromkeys(large, "integer")}
    resource = {
        "name": "made",
        "path": "made.csv",
        "hash": "sha256:" + hashlib.sha256(data).hexdigest(),
        "rows": 2,
        "command": "bsq make",
        "schema": {"fields": [{"name": name, "type": kind} for name, kind in kinds.items()]},
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        raises("no manifest", "is not there", results.table, "made", folder)
        (folder / "datapackage.json").write_text(json.dumps({"resources": [resource]}))
        raises("no file", "the file is not there", results.table, "made", folder)
        (folder / "made.csv").write_bytes(data)
        frame = results.table("made", folder)
        first = {"name": None, "share": 0.5, "flag": True, **{n: int(v) if v else None for n, v in large.items()}}
        check(frame.row(0, named=True) == first, f"values of a table: {frame.row(0, named=True)}")
        check(frame.row(1) == ("a", *[None] * 6), f"missing values of a table: {frame.row(1)}")
        types = [pl.String, pl.Float64, pl.Boolean, pl.Int64, pl.Int128, pl.Object, pl.Int64]
        check(frame.dtypes == types, f"types of a table: {frame.dtypes}")
        raises("no such table", "has no table 'other'; it has made", results.table, "other", folder)
        (folder / "made.csv").write_bytes(data.replace(b"0.5", b"0.6"))
        raises("a changed file", "is not the file that datapackage.json describes", results.table, "made", folder)
        (folder / "made.csv").write_bytes(data)
        for change, part in [({"rows": 3}, "has 2 rows"), ({"schema": {"fields": []}}, "says 2 of")]:
            (folder / "datapackage.json").write_text(json.dumps({"resources": [resource | change]}))
            raises("a manifest of other contents", part, results.table, "made", folder)

    for name in ["states", "scores", "openings", "playouts"]:
        answer = bsq.game("british-square").analyze(name).to_polars()
        check(answer.equals(results.table(name)), f"the package's {name} are those of results/")
    total = results.row(results.table("states-total"))
    check(total["states"] == results.table("states")["states"].sum(), f"the only row of a total: {total}")


def golden_numbers():
    """The numbers of all golden files by name, as they are written there."""
    numbers = {}
    for path in sorted(GOLDEN.glob("*.csv")):
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                row.pop("source"), row.pop("routes", None)
                keys = ["rules", "question", "heuristic", "quantity", "figure", "board", "plies"]
                words = [row.pop(key) for key in keys if key in row]
                for column, number in row.items():
                    numbers[" ".join([f"{path.stem}:", *words, *[column] * (column != "number")])] = number
    return numbers


def check_notebook(path, notebook, tables):
    """What must hold of a notebook before it is run."""
    nbformat.validate(notebook)
    source = "\n".join(cell.source for cell in notebook.cells)
    for name in tables:
        is_read = f'table("{name}")' in source
        check(is_read or name.endswith("-total"), f"{path.name} reads the table {name}")


async def run(path, notebook, figures):
    """Runs a notebook from top to bottom in a fresh kernel; its golden numbers, or nothing if it fails."""
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, timeout=120, record_timing=False, resources=resources)
    committed = copy.deepcopy(notebook.cells)
    client.extra_arguments = ["--log-level=ERROR"]
    environment = os.environ | {"BSQ_FIGURES": str(figures)}
    began = time.monotonic()
    try:
        await client.async_execute(env=environment)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        check(False, f"{path.name} runs: {error}")
        return {}
    print(f"{time.monotonic() - began:4.0f} s  {path.relative_to(ROOT)}", flush=True)
    if RENEW:
        notebook.metadata.language_info = {"name": "python"}
        nbformat.write(notebook, path)
    for before, after in zip(committed, notebook.cells):
        same = before.get("outputs") == after.get("outputs")
        check(RENEW or same, f"{path.name}: cell {after.id} has the outputs that are committed; renew them")
    cells = [cell for cell in notebook.cells if "golden" in cell.metadata.get("tags", [])]
    check(len(cells) == 1, f"{path.name} has one cell tagged golden, not {len(cells)}")
    try:
        return dict(ast.literal_eval(cells[0].outputs[-1].data["text/plain"]))
    except (AttributeError, IndexError, SyntaxError, TypeError, ValueError) as error:
        check(False, f"{path.name}: its golden cell ends in named numbers: {error}")
        return {}


def marks(figure):
    """What is drawn in an SVG besides axes, legends and words: shapes, lines, and markers one by one."""

    def count(node):
        tag, name = node.tag.split("}")[-1], node.get("id", "")
        if tag == "defs" or name.startswith(("matplotlib.axis", "legend", "text")):
            return 0
        style = node.get("style", "")
        unseen = "fill: none" in style and "stroke:" not in style or "opacity: 0;" in style + ";"
        inside = list(node)
        if name.startswith(("figure_", "axes_")) and inside and is_background(inside[0]):
            del inside[0]
        return (tag in ("path", "use") and not unseen) + sum(map(count, inside))

    def is_background(node):
        styles = [path.get("style", "") for path in node.iter() if path.tag.endswith("path")]
        paper = f"fill: {drawing.PAPER}"
        return node.get("id", "").startswith("patch_") and styles == [paper]

    return count(ElementTree.fromstring(figure))


def check_figures(made):
    """The figures that each notebook made are those that are committed, and have marks."""
    makers = {}
    for folder in made:
        for figure in sorted(folder.glob("*.svg")):
            check(figure.name not in makers, f"{figure.name} is made by {folder.name} alone")
            makers[figure.name] = figure
    kept = {figure.name: figure for figure in FIGURES.glob("*")}
    for name in sorted(makers.keys() | kept.keys()):
        check(name in makers, f"results/figures/{name} is made by a notebook")
        check(name in kept, f"{name} is in results/figures")
        if name in makers and name in kept:
            same = makers[name].read_bytes() == kept[name].read_bytes()
            check(same, f"results/figures/{name} is what its notebook draws; renew it")
    return {f"figures: {Path(name).stem} marks": marks(figure.read_bytes()) for name, figure in makers.items()}


def check_numbers(numbers, golden):
    """Numbers are those of the golden files, and golden numbers made for notebooks are all there."""
    for name, number in numbers.items():
        check(name in golden, f"'{name}' is in tests/golden")
        if name in golden:
            check(str(number) == golden[name], f"{name} is {golden[name]}, not {number}")
    for name in golden:
        own = name.startswith(("analyses:", "figures:"))
        check(not own or name in numbers, f"a notebook has '{name}'")


async def main():
    check_reading()
    manifest = json.loads((ROOT / "results/datapackage.json").read_text())
    questions = {}
    for resource in manifest["resources"]:
        questions.setdefault(resource["name"].split("-")[0], []).append(resource["name"])
    found = {
        path.relative_to(ROOT / "analyses")
        for path in (ROOT / "analyses").glob("**/*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    }
    stems = {path.stem: path for path in found}
    named = questions.keys() | ASKED
    wanted = {path for question, path in stems.items() if question in named and path.parent.name == question}
    wrong = sorted([*map(str, found - wanted), *(named - stems.keys())])
    check(not wrong, f"each question with a table has a notebook: {wrong}")

    numbers, made = {}, []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["JUPYTER_RUNTIME_DIR"] = os.environ["IPYTHONDIR"] = scratch
        room = asyncio.Semaphore(os.cpu_count() or 1)

        async def work(relative):
            path = ROOT / "analyses" / relative
            notebook = nbformat.read(path, as_version=4)
            check_notebook(path, notebook, questions.get(path.stem, []))
            figures = Path(scratch) / path.stem
            made.append(figures)
            async with room:
                mine = await run(path, notebook, figures)
            check(mine, f"{path.name} has golden numbers")
            for name, number in mine.items():
                check(numbers.setdefault(name, number) == number, f"notebooks agree on {name}")

        await asyncio.gather(*(work(relative) for relative in sorted(wanted)))
        if RENEW:
            for figure in (figure for folder in made for figure in folder.glob("*.svg")):
                shutil.copy(figure, FIGURES)
        check_numbers(numbers | check_figures(made), golden_numbers())

    held = f"{len(made)} notebooks, {len(numbers)} golden numbers, {len(list(FIGURES.glob('*.svg')))} figures"
    print(f"{held}: {len(failures)} failures")
    sys.exit(bool(failures) or not made)


if __name__ == "__main__":
    asyncio.run(main())
