"""Errors, signals, threads and processes."""

import copy
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import pytest
from conftest import command, run

import bsq


@pytest.mark.parametrize(
    ("ask", "location", "says"),
    [
        (lambda: bsq.game("chess"), None, "unknown game 'chess'; there are"),
        (lambda: bsq.game("mnk", boart="3x3"), "boart", "not an option of the rules; there are"),
        (lambda: bsq.game("mnk", board="3x"), "board", "3x"),
        (lambda: bsq.game("mnk").position("?"), "position", "?"),
        (lambda: bsq.game("mnk").position(moves="z9"), "moves", "z9"),
        (lambda: bsq.game("mnk").analyze("nothing"), "analysis", "there is no analysis 'nothing'"),
        (lambda: bsq.game().query("plie > 3"), "condition", "did you mean 'ply'"),
        (lambda: bsq.game().export("rows"), "dataset", "rows"),
        (lambda: bsq.game().position().evaluate(time=-1), "time", "not a time in seconds"),
        (lambda: bsq.game().query("true", by=["plie"]), "by", "did you mean 'ply'"),
        (lambda: bsq.game("mnk", board=(3, 3)), "board", "(3, 3) is neither a number nor a text"),
        (
            lambda: bsq.game("mnk").sample(3, source="foo"),
            "from",
            "'foo' is not one of playouts and states",
        ),
        (lambda: bsq.game("mnk").values("b2"), "positions", "is not a list of positions"),
        (
            lambda: bsq.game("mnk").values(bsq.game("mnk").sample(3).to_pandas()),
            "positions",
            "pass its column",
        ),
        (lambda: bsq.game("mnk").values(["b2", None]), "positions, number 2", "None is not the"),
        (lambda: bsq.game("mnk").values(["b2"], line=-1), "line", "-1 is less than 0 moves"),
        (lambda: bsq.game("mnk").position().line(-1), "line", "-1 is less than 0 moves"),
        (lambda: bsq.game("mnk").export(columns=["plie"]), "columns", "did you mean 'plies'"),
        (lambda: bsq.game("mnk").export(columns=[]), "columns", "no column is named"),
        (lambda: bsq.game("mnk").test_heuristic("x"), "heuristic", "there are none"),
        (
            lambda: bsq.game("dots", board="2x2").test_heuristic("greedy", columns=["ply"]),
            "columns",
            "only a function gets columns",
        ),
    ],
)
def test_errors_say_where_and_what(ask, location, says):
    with pytest.raises(bsq.UsageError) as raised:
        ask()
    assert (raised.value.location, says in raised.value.message) == (location, True), raised.value
    assert isinstance(raised.value, ValueError)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.message, again.location) == (raised.value.message, location)


def test_what_takes_too_much_is_refused():
    with pytest.raises(bsq.RefusedError):
        bsq.game("british-square", board="4x5", memory=1000).analyze("blunders")


def test_games_and_positions_are_pickled_and_copied():
    position = bsq.game("mnk", board="4x4", k=3).position(moves="b2")
    for again in [pickle.loads(pickle.dumps(position)), copy.deepcopy(position)]:
        assert again == position
        assert again.game == position.game
        assert len({again, position}) == 1


def test_tables_are_pickled_and_copied():
    game = bsq.game("british-square", board="3x3")
    large = bsq.game("british-square", board="7x8").analyze("playouts")
    values = game.values(["X../.../... O", "nonsense"], moves=True, line=3)
    for table in [game.analyze("scores"), game.query("terminal", by=["score"]), values, large]:
        for again in [pickle.loads(pickle.dumps(table)), copy.deepcopy(table)]:
            assert again.manifest == table.manifest
            assert again.to_csv() == table.to_csv()
            assert again.to_polars().schema == table.to_polars().schema
            assert (again.title, again.note, again.totals) == (
                table.title,
                table.note,
                table.totals,
            )
            assert [one.manifest for one in again.tables.values()] == [
                one.manifest for one in table.tables.values()
            ]


def states_of(board):
    return bsq.game("british-square", board=board).analyze("states")


def test_processes_return_tables():
    boards = ["3x3", "3x4"]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        returned = pool.map(states_of, boards)
    assert [table.manifest for table in returned] == [states_of(board).manifest for board in boards]


def test_threads_share_a_game():
    game = bsq.game("british-square", board="4x4")
    texts = [row["position"] for row in game.sample(200, seed=2)]
    wanted = [game.position(text).value for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: game.position(text).value, texts)) == wanted


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_a_job_at_once():
    began = time.monotonic()
    timer = threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bsq.game("british-square").analyze("states", method="sets", board="6x6")
    assert time.monotonic() - began < 2
    # The next job runs.
    assert len(bsq.game("british-square", board="3x3").analyze("states")) == 9


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "read", ["polars.DataFrame(rows)", "pyarrow.table(rows)", "pyarrow.table(rows).to_pandas()"]
)
def test_ctrl_c_stops_a_reader_that_waits(read, tmp_path):
    code = f"""
import bsq, polars, pyarrow
rows = bsq.game("british-square").export("moves")
print("begun", flush=True)
{read}
"""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    assert (process.returncode != 0, out) == (True, "")
    # PyArrow notices the signal; Polars raises an exception of its own.
    assert errors.splitlines()[-1].endswith(("KeyboardInterrupt", "interrupted")), errors


def _value(_: object) -> int:
    return bsq.game("british-square", board="3x3").position().value.score


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_are_refused_and_spawned_ones_work():
    wanted = _value(None)
    with (
        multiprocessing.get_context("fork").Pool(1) as pool,
        pytest.raises(bsq.RefusedError, match="spawn"),
    ):
        pool.apply(_value, (None,))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_value, (None,)) == wanted


def test_the_command_is_that_of_rust():
    assert command("--version").split()[:2] == ["bsq", bsq.__version__]
    assert "british-square" in command("games")
    ran = run("analyze", "nothing")
    assert (ran.returncode, ran.stdout) == (2, "")


class Bar:
    """What is shown instead of a bar of tqdm."""

    made: ClassVar[list["Bar"]] = []

    def __init__(self, total, unit, leave):
        self.total, self.unit, self.n, self.is_open = total, unit, 0, True
        assert not leave
        self.made.append(self)

    def set_postfix_str(self, text, refresh):
        assert isinstance(text, str)
        assert not refresh

    def update(self, more):
        assert more >= 0
        self.n += more

    def close(self):
        self.is_open = False


@pytest.mark.parametrize("is_shown", [True, False])
def test_progress_is_shown_by_tqdm(monkeypatch, is_shown):
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr("bsq._progress._AFTER", 0)
    monkeypatch.setattr(Bar, "made", [])
    bsq.show_progress(is_shown)
    try:
        bsq.game().analyze("blunders")
    finally:
        bsq.show_progress()
    assert bool(Bar.made) == is_shown
    for bar in Bar.made:
        assert not bar.is_open
        assert bar.total is None or 0 <= bar.n <= bar.total
