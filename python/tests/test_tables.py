"""Tables of the package are those of the command, and readers of Arrow take them."""

import gc
import json
import pickle
import shlex
import weakref
from decimal import Decimal
from pathlib import Path

import duckdb
import polars
import pyarrow
import pytest
from conftest import ALL, command

import bsq

RESULTS = Path(__file__).parents[2] / "results"
QUICK = {
    "blunders", "match", "openings", "playouts", "scores", "states", "terminals", "variants",
    "dots-positions",
}  # fmt: skip
# All that need no tablebase, but for growth, which takes hours.
SLOW = {"boards", "capacity", "dots-boards", "dots-rules", "heuristics", "mirror"}
TABLES = QUICK | (SLOW if ALL else set())
ENTRIES = {
    entry["name"]: entry
    for entry in json.loads((RESULTS / "datapackage.json").read_text())["resources"]
}


def asked(line: str) -> tuple[bsq.Game, str, dict[str, str | bool]]:
    """Return the game, the analysis and the options of a command."""
    words = shlex.split(line.removesuffix(" --out ."))[1:]
    name = words.pop(0) if words[0] in bsq.games() else "british-square"
    assert words.pop(0) == "analyze"
    analysis, options = words.pop(0), {}
    while words:
        flag = words.pop(0).removeprefix("--").replace("-", "_")
        options[flag] = words.pop(0) if words and not words[0].startswith("--") else True
    return bsq.game(name), analysis, options


@pytest.mark.parametrize("name", sorted(TABLES))
def test_tables_are_those_of_the_results(name):
    entry = ENTRIES[name]
    game, analysis, options = asked(entry["command"])
    table = game.analyze(analysis, **options)
    tables = list(table.tables.values())
    tables += [table.total for table in tables if table.total is not None]
    assert table.name == Path(entry["path"]).stem
    for one in tables:
        known = next(e for e in ENTRIES.values() if e["path"] == f"{one.name}.csv")
        assert one.to_csv().encode() == (RESULTS / known["path"]).read_bytes()
        assert one.manifest == known


@pytest.mark.parametrize(
    "question",
    [
        ["query", "best_moves = 1", "--by", "ply"],
        ["query", "score = 1", "--rows", "20"],
        ["query", "claim >= 3", "--dataset", "moves", "--by", "ply,player", "--mean", "cost"],
        ["dots", "query", "loony", "--by", "lines"],
        ["mnk", "query", "terminal and outcome = tie", "--sum", "orbit_size"],
    ],
)
def test_queries_are_those_of_the_command(question):
    line = [*question, "--board", "2x2" if "dots" in question else "3x3"]
    words = list(line)
    name = words.pop(0) if words[0] in bsq.games() else "british-square"
    condition, options = words[1], dict(zip(words[2::2], words[3::2], strict=True))
    options = {flag.removeprefix("--"): value for flag, value in options.items()}
    found = bsq.game(name).query(condition, **options)
    assert found.to_csv() == command(*line, "-q", "-f", "csv")


@pytest.mark.parametrize("dataset", ["positions", "moves"])
def test_exports_are_those_of_the_command(dataset):
    game = bsq.game("british-square", board="3x4")
    exported = polars.DataFrame(game.export(dataset, condition="ply > 2"))
    written = command("export", dataset, "ply > 2", "--board", "3x4", "-q")
    assert exported.write_csv(null_value="") == written


def test_readers_take_tables_without_pyarrow_and_with_it():
    counted = bsq.game("british-square", board="4x4").analyze("states")
    rows = list(counted)
    assert polars.DataFrame(counted).to_dicts() == rows
    assert pyarrow.table(counted).to_pylist() == rows
    assert counted.to_pandas()["states"].sum() == counted.totals["states"]
    found = duckdb.sql("select sum(states) from counted").fetchall()
    assert found == [(counted.totals["states"],)]


def test_large_integers_are_decimals():
    game = bsq.game("british-square", board="3x3")
    (small,) = game.query("true", sum="ply")
    factor = 9 * 10**17
    large = game.query("true", sum=f"{factor}*ply")
    (wanted,) = small.values()
    ((name, found),) = large[0].items()
    assert found == factor * wanted > 2**64
    arrow = pyarrow.table(large)
    assert arrow.schema.field(name).type == pyarrow.decimal128(38, 0)
    assert arrow.to_pylist() == [{name: Decimal(found)}]


def test_numbers_are_not_copied():
    table = bsq.game("british-square", board="4x5").query("true", by=["ply"])
    first, second = (pyarrow.table(table).column("ply").chunk(0) for _ in range(2))
    assert first.buffers()[1].address == second.buffers()[1].address


def test_a_stream_is_read_once():
    stream = bsq.game("british-square", board="3x3").export(columns=["ply"])
    assert polars.DataFrame(stream).height == 74
    with pytest.raises(bsq.UsageError, match="read already"):
        polars.DataFrame(stream)


def test_an_error_of_a_row_reaches_the_reader():
    stream = bsq.game("british-square", board="3x3").export(condition="1 / (ply - 3) > 0")
    with pytest.raises(Exception, match="division by zero"):
        pyarrow.RecordBatchReader.from_stream(stream).read_all()


def test_rows_are_numbered_and_shown():
    table = bsq.game("british-square", board="3x3").analyze("scores")
    assert table[0] == next(iter(table))
    assert table[-1] == list(table)[-1]
    with pytest.raises(IndexError, match="row 99 of"):
        table[99]
    page = table._repr_html_()
    assert page.count("<tr>") == len(table) + 2
    assert "scores" in repr(table)
    assert {column.kind for column in table.columns} <= {"integer", "real", "text", "truth"}


def test_parts_are_added(tmp_path):
    game = bsq.game("british-square", board="4x4")
    whole = game.analyze("terminals", method="sets")
    parts = [game.analyze("terminals", method="sets", part=(n, 3)) for n in (3, 1, 2)]
    assert bsq.merge(parts).to_csv() == whole.to_csv()
    assert bsq.merge(pickle.loads(pickle.dumps(parts))).manifest == whole.manifest
    path = tmp_path / "1"
    parts[1].save(path)
    assert (
        command("merge", str(path), *_saved(parts, tmp_path), "-q", "-f", "csv") == whole.to_csv()
    )
    assert bsq.merge([path, parts[0], parts[2]]).to_csv() == whole.to_csv()
    with pytest.raises(bsq.UsageError, match="these are missing: 2"):
        bsq.merge(parts[:2])
    with pytest.raises(bsq.UsageError, match="terminals 3/3 and terminals 3/3 are both part 3/3"):
        bsq.merge([*parts, parts[0]])
    with pytest.raises(bsq.FailedError, match="damaged"):
        bsq.merge([*parts[:2], bsq.Part("mine", parts[2].text.replace("4x4", "4x5"))])
    for part, says in [((0, 3), "from 1"), ((4, 3), "from 1")]:
        with pytest.raises(bsq.UsageError, match=says):
            game.analyze("terminals", method="sets", part=part)
    with pytest.raises(bsq.UsageError, match="method"):
        game.analyze("terminals", part=(1, 3))


def _saved(parts, folder):
    paths = []
    for part in (parts[0], parts[2]):
        paths.append(str(folder / part.name.replace("/", "-")))
        part.save(paths[-1])
    return paths


def test_a_stream_can_be_opened_twice_but_read_once():
    game = bsq.game("british-square", board="3x4")
    rows = game.export("moves", columns=["ply", "cost"])
    grouped = duckdb.sql("select ply, max(cost) as cost from rows group by ply having ply < 2").pl()
    frame = polars.DataFrame(game.export("moves", columns=["ply", "cost"]))
    wanted = frame.group_by("ply").max().filter(polars.col("ply") < 2)
    assert grouped.sort("ply").rows() == wanted.sort("ply").rows()
    with pytest.raises(bsq.UsageError, match="were read already"):
        polars.DataFrame(rows)


def test_a_stream_is_a_data_frame_too():
    game = bsq.game("british-square", board="3x3")
    frames = [game.export(columns=["ply", "score"]).to_polars() for _ in range(2)]
    assert frames[0].equals(frames[1])
    assert game.export(columns=["ply", "score"]).to_pandas()["ply"].tolist() == list(
        frames[0]["ply"]
    )
    with pytest.raises(TypeError, match="a column is to_polars"):
        game.analyze("states")["turn"]


def test_the_memory_of_tables_is_freed_at_once():
    gc.disable()
    try:
        game = bsq.game("british-square", board="3x3")
        seen = []
        table = game.analyze("playouts")
        for one in [
            table,
            *table.tables.values(),
            table.total,
            game.values(["a1"]),
            game.position(),
        ]:
            if one is not None:
                seen.append(weakref.ref(one))
        game.test_heuristic(lambda moves: seen.append(weakref.ref(moves)) or [0] * len(moves))
        table = one = None
        assert len(seen) > 4
        assert [ref() for ref in seen] == [None] * len(seen)
    finally:
        gc.enable()
