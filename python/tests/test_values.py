"""Values and positions are those of the command and of plain search by the rules."""

from fractions import Fraction

import pytest
from conftest import ALL, command
from hypothesis import given, settings
from hypothesis import strategies as st

import bsq

GAMES = [
    ("british-square", {"board": "4x4"}),
    ("british-square", {"board": "3x4", "center_allowed": True, "bias": 2}),
    ("dots", {"board": "2x3"}),
    ("dots", {"board": "2x2", "penalty": "0.5"}),
    ("mnk", {"board": "3x4", "k": 3}),
    ("rpsw", {}),
]
LARGE = [("british-square", {}), ("british-square", {"bias": 2}), ("dots", {"board": "3x3"})]


def _flags(rules):
    flags = []
    for name, value in rules.items():
        flags.append("--" + name.replace("_", "-"))
        flags += [] if value is True else [str(value)]
    return flags


@pytest.mark.parametrize(("name", "rules"), GAMES + (LARGE if ALL else []))
def test_values_are_those_of_the_command(name, rules):
    game = bsq.game(name, **rules)
    if name == "rpsw":
        positions = [game.position().text, game.position(moves=game.position().moves[0]).text]
        options = {"time": 0.05}
    else:
        number = 10_000 if ALL else 2_000
        positions = [row["position"] for row in game.sample(number, seed=5)]
        options = {}
    positions += ["no position", "XX"]
    flags = _flags(rules) + (["--time", "50ms"] if options else [])
    printed = command(name, "solve", "-", *flags, "-q", "-f", "csv", stdin="\n".join(positions))
    assert game.values(positions, **options).to_csv() == printed


@pytest.mark.parametrize(("name", "rules"), GAMES[:5])
@given(choices=st.lists(st.integers(0, 1000), max_size=14))
@settings(max_examples=25, deadline=None)
def test_a_value_is_that_of_the_best_move(name, rules, choices):
    game = bsq.game(name, **rules)
    position = game.position()
    for choice in choices:
        if position.is_over:
            break
        position = position.play(position.moves[choice % len(position.moves)])
    assert game.position(position.text) == position
    assert hash(game.position(position.text)) == hash(position)
    evaluation = position.evaluate(line=100)
    assert {move.name for move in evaluation.moves} == set(position.moves)
    if position.is_over:
        assert position.best == []
        return
    for move, child in position.children():
        known = next(one for one in evaluation.moves if one.name == move)
        if game.name == "mnk":
            assert known.value.outcome == child.value.outcome
        elif game.name == "british-square":
            assert known.value == child.value
    if game.name != "dots":
        best = position.play(position.best[0]).value
        assert (best.outcome, best.score) == (position.value.outcome, position.value.score)
    end = position
    for move in evaluation.line:
        end = end.play(move)
    assert end.is_over
    if game.name == "british-square":
        assert end.value == position.value


def test_fractions_are_exact():
    game = bsq.game("dots", board="1x1", penalty=Fraction(1, 3))
    assert game.rules["penalty"] == "1/3"
    scores = [move.value.score for move in game.position().evaluate().moves]
    assert all(score.denominator == 3 for score in scores)


def test_pictures_have_a_place_for_every_cell():
    for name, rules in GAMES:
        position = bsq.game(name, **rules).position()
        page = position._repr_html_()
        assert page.startswith("<figure><svg")
        assert str(position).strip()
        assert repr(position).startswith("<bsq.Position ")


@pytest.mark.parametrize("game", [bsq.game("mnk", board="4x4", k=3), bsq.game(board="4x4")])
def test_puzzles_have_one_solution(game):
    puzzles = bsq.puzzles(game, 5, seed=3)
    assert len({puzzle.position for puzzle in puzzles}) == 5
    assert puzzles == bsq.puzzles(game, 5, seed=3)
    for puzzle in puzzles:
        assert puzzle.position.best == [puzzle.solution]
        outcome = puzzle.position.value.outcome
        assert (outcome == puzzle.position.to_move) == (puzzle.task == "win")
    with pytest.raises(bsq.UsageError, match="neither 'win' nor 'save'"):
        bsq.puzzles(game, task="lose")
    with pytest.raises(bsq.UsageError, match="from 1 to 3"):
        bsq.puzzles(game, level=4)


def test_tablebases_are_built_verified_and_probed(tmp_path):
    path, rules = tmp_path / "small.db", {"board": "5x2", "pieces": 1}
    built = bsq.game("rpsw", **rules).build_tablebase(path)
    flags = [*_flags(rules), "-q", "-f", "csv"]
    printed = command("rpsw", "tablebase", "build", str(tmp_path / "other.db"), *flags)
    assert built.to_csv() == printed
    assert built.manifest["command"].startswith("bsq rpsw tablebase build small.db")
    checked = bsq.game("rpsw").verify_tablebase(path, sample=100, seed=2)
    assert max(row["count"] for row in checked) >= 100
    probed = bsq.game("rpsw", tablebase=path)
    assert probed.position().value == bsq.game("rpsw", **rules).position().value
    assert probed.rules["board"] == "5x2"
    with pytest.raises(bsq.UsageError, match="not an option of a build"):
        bsq.game("rpsw").build_tablebase(path, speed=3)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(bsq.FailedError):
        bsq.game("rpsw").verify_tablebase(path)
    with pytest.raises(bsq.UsageError, match="no tablebases"):
        bsq.game("mnk").build_tablebase(path)


def test_positions_are_taken_from_tables_and_only_of_the_same_game():
    game = bsq.game("british-square", board="4x4")
    sample = game.sample(20, seed=3)
    wanted = game.values([row["position"] for row in sample]).to_csv()
    assert game.values(sample).to_csv() == wanted
    assert game.values(game.position(row["position"]) for row in sample).to_csv() == wanted
    assert game.position(game.position("c2")) == game.position("c2")
    biased = bsq.game("british-square", board="4x4", bias=1).position("c2")
    for other in [biased, bsq.game("mnk", board="4x4", k=3).position("b2")]:
        with pytest.raises(bsq.UsageError, match=r"not of bsq\.game"):
            game.values([game.position(), other])
        with pytest.raises(bsq.UsageError, match=r"not of bsq\.game"):
            game.position(other)


def test_moves_may_be_numbers_of_cells():
    game = bsq.game("british-square", board="4x4")
    assert game.position().play(1, "16") == game.position(moves="1 16")
