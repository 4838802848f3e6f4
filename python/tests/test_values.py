"""Values and positions are those of the command and of plain search by the rules."""

from fractions import Fraction

import pytest
from conftest import command
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


def _flags(rules):
    flags = []
    for name, value in rules.items():
        flags.append("--" + name.replace("_", "-"))
        flags += [] if value is True else [str(value)]
    return flags


@pytest.mark.parametrize(("name", "rules"), GAMES)
def test_values_are_those_of_the_command(name, rules):
    game = bsq.game(name, **rules)
    if name == "rpsw":
        positions = [game.position().text, game.position(moves=game.position().moves[0]).text]
        options = {"time": 0.05}
    else:
        number = 2_000
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
