"""Games that are given as graphs, and rules that are written in Python."""

import json
import pickle
import re
import subprocess
import sys
import urllib.request
from functools import lru_cache
from pathlib import Path

import polars
import pytest
from conftest import run
from hypothesis import given, settings
from hypothesis import strategies as st

import bsq

OTHER = {"first": "second", "second": "first"}


class TicTacToe:
    """Boards are texts of nine characters with the player to move."""

    LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

    def __init__(self):
        self.asked = {}

    def start(self):
        return "." * 9, "first"

    def to_move(self, position):
        return position[1]

    def moves(self, position):
        self.asked[position] = self.asked.get(position, 0) + 1
        return [cell for cell in range(9) if position[0][cell] == "."]

    def play(self, position, move):
        cells, player = position
        mark = "XO"[player == "second"]
        return cells[:move] + mark + cells[move + 1 :], OTHER[player]

    def result(self, position):
        cells, player = position
        if any(
            len({cells[int(c)] for c in line} - {"."}) == 1
            and "." not in [cells[int(c)] for c in line]
            for line in self.LINES
        ):
            return OTHER[player]
        return None if "." in cells else "tie"

    def text(self, position):
        cells = position[0]
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]}"

    def move_text(self, move):
        return "abc"[move % 3] + str(move // 3 + 1)


class Symmetric(TicTacToe):
    """The same with symmetric positions together."""

    TURN = (6, 3, 0, 7, 4, 1, 8, 5, 2)
    MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)

    def canonical(self, position):
        cells, player = position
        images = []
        for _ in range(4):
            cells = "".join(cells[at] for at in self.TURN)
            images += [cells, "".join(cells[at] for at in self.MIRROR)]
        return min(images), player


class Chase:
    """Two pieces on a cycle of cells; play may never end."""

    def __init__(self, cells):
        self.cells = cells

    def start(self):
        return (0, self.cells // 2, "first")

    def to_move(self, position):
        return position[2]

    def moves(self, position):
        return (1, -1)

    def play(self, position, move):
        first, second, player = position
        if player == "first":
            return ((first + move) % self.cells, second, "second")
        return (first, (second + move) % self.cells, "first")

    def result(self, position):
        first, second, player = position
        return OTHER[player] if first == second else None


class Heaps:
    """Nim with points: the last object is worth two points, and each heap taken whole one."""

    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return (self.heaps, "first", 0)

    def to_move(self, position):
        return position[1]

    def moves(self, position):
        return [(at, n) for at, heap in enumerate(position[0]) for n in range(1, heap + 1)]

    def play(self, position, move):
        heaps, player, points = position
        at, taken = move
        left = (*heaps[:at], heaps[at] - taken, *heaps[at + 1 :])
        sign = 1 if player == "first" else -1
        points += sign * ((left[at] == 0) + 2 * (not any(left)))
        return (left, OTHER[player], points)

    def result(self, position):
        return None if any(position[0]) else position[2]


def test_tic_tac_toe_has_the_values_of_the_built_in_game():
    rules = TicTacToe()
    solution = bsq.solve(rules)
    built_in = bsq.game("mnk", board="3x3", k=3)
    assert len(solution) == 5478
    assert set(rules.asked.values()) == {1}
    texts = polars.DataFrame(built_in.export(columns=["position"]))["position"].to_list()
    found = solution.values(texts).to_pandas()
    wanted = built_in.values(texts).to_pandas()
    assert len(found) > 700
    assert list(found["outcome"]) == list(wanted["outcome"])
    assert list(found["plies"].fillna(-1)) == list(wanted["plies"].fillna(-1))
    playouts = {row["outcome"]: row["playouts"] for row in solution.analyze("playouts")}
    assert playouts == {row["outcome"]: row["playouts"] for row in built_in.analyze("playouts")}
    assert solution.best(("XX.OO....", "first")) == [2]


def test_symmetric_positions_are_one():
    solution = bsq.solve(Symmetric())
    assert len(solution) == 765
    corner = ("X........", "second")
    other = ("......X..", "second")
    assert corner in solution
    assert solution.value(corner) == solution.value(other) == bsq.Value("tie")
    # The moves are those of the canonical position.
    assert solution.best(other) == [4]


@pytest.mark.parametrize(
    ("cells", "outcomes"),
    [
        (3, {"first", "second"}),
        (4, {"second"}),
        (5, {"first", "second", "draw"}),
        (6, {"first", "draw"}),
    ],
)
def test_play_that_never_ends_is_a_draw(cells, outcomes):
    solution = bsq.solve(Chase(cells))
    # Values follow from those of the moves.
    for position in solution._explored.numbers:
        _is_best_of_moves(Chase(cells), solution, position)
    found = {solution.value(position).outcome for position in solution._explored.numbers}
    assert found == outcomes


def _is_best_of_moves(rules, solution, position):
    if rules.result(position) is not None:
        return
    player = rules.to_move(position)
    after = [solution.value(rules.play(position, move)) for move in rules.moves(position)]
    value = solution.value(position)
    outcomes = {one.outcome for one in after}
    if player in outcomes:
        soonest = min(one.plies for one in after if one.outcome == player)
        assert value == bsq.Value(player, plies=soonest + 1)
    elif outcomes == {OTHER[player]}:
        assert value == bsq.Value(OTHER[player], plies=max(one.plies for one in after) + 1)
    else:
        assert value.outcome == "draw"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(any))
def test_points_are_those_of_plain_recursion(heaps):
    rules = Heaps(*heaps)
    solution = bsq.solve(rules)

    @lru_cache(None)
    def score(position):
        result = rules.result(position)
        if result is not None:
            return result
        after = [score(rules.play(position, move)) for move in rules.moves(position)]
        return max(after) if rules.to_move(position) == "first" else min(after)

    for position in solution._explored.numbers:
        assert solution.value(position).score == score(position)
    start = rules.start()
    best = [move for move in rules.moves(start) if score(rules.play(start, move)) == score(start)]
    assert sorted(solution.best(start)) == sorted(best)


def test_graphs_are_saved_read_and_pickled(tmp_path):
    solution = bsq.solve(Heaps(2, 1))
    file = tmp_path / "heaps.csv"
    solution.save(file)
    assert [one.name for one in tmp_path.iterdir()] == ["heaps.csv"]
    read = bsq.graph(file)
    again = pickle.loads(pickle.dumps(read))
    text = solution.position().text
    values = [game.position(text).value for game in (solution, read, again)]
    assert len(set(values)) == 1
    rows = [polars.DataFrame(game.export()) for game in (read, again)]
    assert rows[0].equals(rows[1])
    ran = run("graph", "solve", str(file), "--format", "json")
    assert json.loads(ran.stdout)["value"]["score"] == values[0].score
    manifest = read.analyze("openings").manifest
    assert manifest["command"] == "bsq graph analyze heaps.csv openings --out ."


def test_a_solution_is_served():
    with bsq.serve(graph=bsq.solve(TicTacToe())) as server:
        answer = urllib.request.urlopen(f"{server.url}/api/graph/position?moves=b2&values=value")
        answer = json.load(answer)
    assert answer["value"]["outcome"] == "tie"
    assert answer["scene"]["rows"] == 3


class Wrong(Heaps):
    """Rules with one method replaced."""

    def __init__(self, **methods):
        super().__init__(2, 1)
        self.__dict__.update(methods)


@pytest.mark.parametrize(
    ("methods", "why"),
    [
        ({"to_move": lambda _: 0}, r"the player to move in \(\(2, 1\), 'first', 0\) is 0, not"),
        ({"result": lambda _: None}, "has neither moves nor a result"),
        ({"result": lambda _: "draw"}, "'draw' is not the result of"),
        ({"result": lambda _: True}, "True is not the result of"),
        ({"result": lambda _: 1.5}, "1.5 is not the result of"),
        (
            {"result": lambda p: None if any(p[0]) else ["first", 1][p[1] == "first"]},
            "all results are of one kind",
        ),
        ({"start": lambda: [1, 2]}, r"the position \[1, 2\] is not hashable"),
        ({"moves": lambda _: [[0, 1]]}, r"is not hashable|unhashable"),
        ({"text": lambda _: "same"}, "two positions have the text 'same'"),
        ({"text": lambda p: f" {p}"}, "is not the text of a position"),
        ({"move_text": lambda _: "same"}, "two moves of .* have the name 'same'"),
        ({"move_text": lambda m: f"{m}"}, "is not a word without blanks, commas and '#'"),
    ],
)
def test_wrong_rules_are_refused(methods, why):
    with pytest.raises(bsq.UsageError, match=why):
        bsq.solve(Wrong(**methods))


def test_unknown_positions_are_refused():
    solution = bsq.solve(Heaps(1))
    with pytest.raises(bsq.UsageError, match="play from the start does not lead to"):
        solution.value(((2,), "first", 0))
    assert ((2,), "first", 0) not in solution
    with pytest.raises(bsq.UsageError, match="is not a position of this graph"):
        solution.position("nowhere")


def test_files_that_are_no_graphs_are_refused(tmp_path):
    file = tmp_path / "game.csv"
    file.write_text("position,player,move,next\na,first,x,b\n")
    with pytest.raises(bsq.UsageError, match="line 2: the next position 'b' has no row"):
        bsq.graph(file)
    with pytest.raises(FileNotFoundError):
        bsq.graph(tmp_path / "none.csv")


DOCS = Path(__file__).parents[2] / "docs" / "graph.md"


def test_the_programs_of_the_docs_write_the_same_game(tmp_path):
    blocks = dict(re.findall(r"```(python|c|rust)\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL))
    for ending, text in blocks.items():
        (tmp_path / f"game.{ending}").write_text(text)
    compilers = {"c": ["cc", "-o"], "rust": ["rustc", "-o"]}
    written = {"python": [sys.executable, str(tmp_path / "game.python")]}
    for ending, line in compilers.items():
        flags = ["-x", "c"] if ending == "c" else []
        program = tmp_path / ending
        source = str(tmp_path / f"game.{ending}")
        subprocess.run([*line, str(program), *flags, source], check=True)
        written[ending] = [str(program)]
    files = {name: subprocess.check_output(line) for name, line in written.items()}
    assert len(files) == 3
    assert len(set(files.values())) == 1
    file = tmp_path / "game.csv"
    file.write_bytes(files["c"])
    position = bsq.graph(file).position()
    assert position.value == bsq.Value("first", plies=11)
    assert position.best == ["take1"]


def test_errors_of_rules_are_those_of_python():
    def fail(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bsq.solve(Wrong(moves=fail))
