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
the same as in `results/figures/`, byte for byte, have as many marks as `tests/golden/figures.csv` says, and titles that
are true of the tables. `renew` writes outputs and figures.
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
        if name.startswith("patch_") and f"fill: none; stroke: {drawing.SOFT}" in node[0].get("style", ""):
            return 0  # the line of an axis
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


def rows_of(name):
    """The rows of a table of `results/`, as text."""
    with (ROOT / f"results/{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def percent(share):
    """A share as titles have it."""
    return f"{100 * share:.0f}%" if share >= 0.0995 else f"{100 * share:.2g}%"


def findings():
    """The title that each figure must have, computed from the rows in another way than in its notebook."""
    blunders, boards, scores = rows_of("blunders"), rows_of("boards"), rows_of("scores")
    first = {found["rules"]: found for found in blunders if found["turn"] == "1"}
    standard, bias = first["5x5 standard"], first["5x5 bias 2"]
    plain = [found for found in boards if found["center_allowed"] == "false"]
    wide, narrow = ([b for b in plain if (b["rows"] == "1") == one] for one in (False, True))
    lost = [sum(int(board["value"]) < 0 for board in some) for some in (wide, narrow)]

    openings = [(found["rows"], found["cols"], found["variant"], int(found["score"])) for found in rows_of("dots-openings")]
    names = "1x2 standard, 2x2 standard, 2x4 standard, 3x4 standard, 2x2 icelandic, 3x3 icelandic, 3x3 swedish, 4x4 swedish"
    lines = [[score for r, c, v, score in openings if f"{r}x{c} {v}" == name] for name in names.split(", ")]
    costly = sum(len(line) - line.count(max(line)) for line in lines)
    rule = next(found for found in rows_of("dots-rules-total") if found["rule"] == "greedy")
    some, every = (percent(int(rule[column]) / int(rule["mistakable"])) for column in ("fails", "fails_badly"))

    growth = [found for found in rows_of("growth") if int(found["cells"]) > 3]
    top = max(growth, key=lambda found: int(found["states"]) ** (1 / int(found["cells"])))
    root = int(top["states"]) ** (1 / int(top["cells"]))

    greedy = [found for found in rows_of("heuristics_by_turn") if found["heuristic"] == "greedy"]
    early = [found for found in greedy if int(found["turn"]) <= 4]
    least = min(int(found["fails"]) / int(found["decisions"]) for found in early)
    early, all_turns = (sum(int(found["fails"]) for found in turns) for turns in (early, greedy))
    fails = {found["heuristic"]: int(found["fails"]) / int(found["decisions"]) for found in rows_of("heuristics")}

    match, mirror = rows_of("match"), rows_of("mirror")
    wins = [found["winner"] for found in match].count("A")
    values = [found["value"] for found in rows_of("openings")]
    total = {column: sum(int(found[column]) for found in scores) for column in ("playouts", "terminals")}
    best = {column: max(scores, key=lambda found: int(found[column])) for column in total}
    at = {column: best[column]["score"].replace("-", "−") for column in total}
    part = {column: percent(int(best[column][column]) / total[column]) for column in total}
    ties = {column: percent(sum(int(f[column]) for f in scores if f["score"] == "0") / total[column]) for column in total}

    plays = {}
    for board in ["3x3", "3x4", "4x4", "4x5", "5x5", "4x7", "5x6", "6x6", "6x7", "7x7"]:
        (found,) = bsq.game("british-square", board=board).analyze("playouts").to_polars().rows(named=True)
        plays[board] = [int(found[f"playouts_{player}"]) for player in ("first", "tie", "second")]
    ahead = sum(won > lost for won, _, lost in plays.values())
    won = [counts[0] / sum(counts) for counts in plays.values()]
    tied = [f"{percent(plays[board][1] / sum(plays[board]))} on {board}" for board in ("4x4", "4x5", "5x5")]
    sums = [
        sum(bsq.game("british-square", board=board).analyze("capacity").to_polars()["states"].to_list())
        for board in ("5x5", "6x6")
    ]

    states = {int(found["turn"]): int(found["states"]) for found in rows_of("states")}
    middle = sum(states[turn] for turn in range(10, 14)) / sum(states.values())
    variants = {found["rules"]: found for found in rows_of("variants")}
    plain, biased = variants["5x5 standard"], variants["5x5 bias 2"]
    second = [percent(int(found["playouts_second"]) / int(found["playouts"])) for found in (plain, biased)]
    moves = bsq.game("british-square").query("not pass", dataset="moves", by="claim", mean="cost").to_polars()
    cost = dict(moves.select("claim", "mean_cost").rows())

    plies = {int(found["plies"]): int(found["positions"]) for found in rows_of("rpsw-iterations")}
    starts = [found["result"] for found in rows_of("rpsw-arrangements")]
    return {
        "blunders": f"At turn 1, {percent(int(standard['perfect']) / int(standard['moves']))} of the moves are perfect; "
        f"{percent(float(standard['upset_share']))} of the blunders change who wins, with bias 2 "
        f"{percent(float(bias['upset_share']))}",
        "boards": f"The second player wins {lost[0]} of {len(wide)} boards with two or more rows, and {lost[1]} of "
        f"{len(narrow)} with one",
        "capacity": f"From 5x5 to 6x6, the states before a pass multiply by {round(sums[1] / sums[0]):,}",
        "dots-openings": f"On these {len(lines)} boards, {costly} of {sum(map(len, lines))} first lines cost points",
        "dots-rules": f"Some line that greedy likes is wrong in {some} of the positions, every line in {every}",
        "growth": f"Of {len(growth)} boards, {top['rows']}x{top['cols']} has the most states for its cells: {root:.2f} to "
        f"the power of {top['cells']}",
        "heuristics": f"From one rule to fifty weights, failures fall from {percent(fails['greedy'])} of the decisions to "
        f"{percent(fails['fifty-weights'])}",
        "heuristics-by-turn": f"In turns 1 to 4 greedy may fail at {percent(least)} of the decisions or more, but only "
        f"{percent(early / all_turns)} of its failures are there",
        "match": f"A, who moves first in the first round, wins {wins} of {len(match)} matches to {match[0]['to']} points",
        "mirror": f"In {int(mirror[0]['better']):,} of {int(mirror[0]['positions']):,} positions of mirror play another "
        "reply than the mirror is better",
        "openings": f"{values.count('2')} of {len(values)} first moves win by 2, {values.count('0')} only tie",
        "playouts": f"On {ahead} of {len(plays)} boards the first player wins more playouts than the second: "
        f"{percent(min(won))} to {percent(max(won))}",
        "query": f"A move that claims no cell costs {cost[0]:.1f} points on average, one that claims five {cost[5]:.1f}",
        "rpsw-iterations": f"{percent(plies[1] / sum(plies.values()))} of the decided positions are won in 1 ply, the last "
        f"{plies[max(plies)]:,} in {max(plies)} plies",
        "rpsw-starts": f"The first player wins {starts.count('won')} of the {len(starts)} starts",
        "scores": f"The most frequent score of playouts is {at['playouts']} ({part['playouts']}), of terminal states "
        f"{at['terminals']} ({part['terminals']})",
        "scores-boards": f"Of the playouts, ties are {', '.join(tied[:-1])} and {tied[-1]}",
        "states": f"{percent(middle)} of the states are in turns 10 to 13",
        "terminals": f"Ties are {ties['terminals']} of the terminal states, and {ties['playouts']} of the playouts",
        "variants": f"A bias of 2 changes the score under perfect play from {plain['value']} to {biased['value']}, and the "
        f"second player's playouts from {second[0]} to {second[1]}",
    }


def check_titles(made):
    """The titles of the figures are true, and each is drawn."""
    told = {}
    for figure in (figure for folder in made for figure in folder.glob("*.svg")):
        root = ElementTree.fromstring(figure.read_bytes())
        told[figure.stem] = root.findtext("{http://www.w3.org/2000/svg}title")
        drawn = " ".join(" ".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("}text"))
        words = (told[figure.stem] or "untitled").split()
        check(" ".join(words) in " ".join(drawn.split()), f"{figure.stem} shows its title: {told[figure.stem]}")
    true = findings()
    for name in sorted(told.keys() | true.keys()):
        check(told.get(name) == true.get(name), f"{name} is titled '{told.get(name)}'; true is '{true.get(name)}'")


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
        check_titles(made)

    held = f"{len(made)} notebooks, {len(numbers)} golden numbers, {len(list(FIGURES.glob('*.svg')))} figures"
    print(f"{held}: {len(failures)} failures")
    sys.exit(bool(failures) or not made)


if __name__ == "__main__":
    asyncio.run(main())
