"""A function that prefers the moves of a built-in heuristic has its report."""

from fractions import Fraction

import numpy
import pandas
import polars
import pyarrow
import pytest

import bsq

SMALL = [("british-square", {"board": "3x4", "bias": 2}), ("british-square", {"board": "4x4"})]


NAMES = {"heuristic", "rules", "difficulty"}


def report(table):
    """Return the rows of all tables and totals of a report, without what names the heuristic."""
    tables = list(table.tables.values())
    tables += [one.total for one in tables if one.total is not None]
    rows = [[row.items() for row in one] for one in tables]
    return [[{key: it for key, it in row if key not in NAMES} for row in one] for one in rows]


@pytest.mark.parametrize(("name", "rules"), SMALL)
def test_reports_are_those_of_built_in_heuristics(name, rules):
    game = bsq.game(name, **rules)
    for column, rule in [("claim", "most claim"), ("after_conflicts", "least conflicts")]:
        sign = 1 if rule.startswith("most") else -1
        found = game.test_heuristic(
            lambda moves, c=column, s=sign: s * moves.to_polars()[c], columns=[column]
        )
        assert report(found) == report(game.test_heuristic(rule))
        assert len(found) > 5


def test_a_function_with_texts_is_a_heuristic_of_dots():
    game = bsq.game("dots", board="2x2")

    def first(moves):
        """Prefer the move of the lowest name, of those in a position."""
        frame = moves.to_polars().with_row_index()
        lowest = frame.group_by("position").agg(polars.col("move").min().alias("lowest"))
        joined = frame.join(lowest, on="position").sort("index")
        return (joined["move"] == joined["lowest"]).cast(polars.Float64)

    table = game.test_heuristic(first, columns=["position", "move"])
    solved = polars.DataFrame(game.export("moves"))
    lowest = solved.filter(polars.col("move") == polars.col("move").min().over("position"))
    fails = lowest.filter(polars.col("cost") > 0).height
    assert table.totals["fails"] == fails
    assert table.totals["decisions"] == lowest.height
    assert table.title == "first against perfect play"


@pytest.mark.parametrize(
    "kind",
    [
        list,
        numpy.array,
        polars.Series,
        pandas.Series,
        pyarrow.array,
        lambda claims: pyarrow.chunked_array([claims]),
        lambda claims: numpy.array(claims, dtype="int8"),
        lambda claims: [Fraction(claim, 3) for claim in claims],
        lambda claims: (float(claim) for claim in claims),
    ],
)
def test_numbers_are_taken_from_any_array(kind):
    game = bsq.game("british-square", board="3x3")
    wanted = report(game.test_heuristic("greedy"))
    found = game.test_heuristic(lambda moves: kind([row["claim"] for row in moves]))
    assert report(found) == wanted


def test_a_function_gets_what_a_player_sees():
    game = bsq.game("british-square", board="3x3")
    seen = []

    def look(moves):
        seen.append(moves)
        return numpy.zeros(len(moves))

    game.test_heuristic(look)
    known = [row["column"] for row in game.query(dataset="moves", columns=True)]
    values = {
        "outcome", "score", "best_moves", "worst_outcome", "worst_cost", "move_outcome",
        "move_score", "cost", "best",
    }  # fmt: skip
    (moves,) = seen
    assert moves.column_names == [name for name in known if name not in values]
    assert moves.manifest["rules"]["board"] == "3x3"
    assert [column.kind for column in moves.columns if column.name == "player"] == ["text"]


def test_a_root_is_where_decisions_begin():
    game = bsq.game("british-square", board="3x4")
    found = game.test_heuristic(lambda moves: moves.to_polars()["claim"], moves="1 6")
    assert report(found) == report(game.test_heuristic("greedy", moves="1 6"))


def test_what_is_wrong_is_named():
    game = bsq.game("british-square", board="3x3")

    def tested(function, **options):
        return game.test_heuristic(function, **options)

    with pytest.raises(bsq.UsageError, match=r"returned 2 values for \d+ moves"):
        tested(lambda _: [1, 2])
    with pytest.raises(bsq.UsageError, match="returned no number for row 1 of its table"):
        tested(
            lambda moves: pandas.Series([None if row == 1 else 0.5 for row in range(len(moves))])
        )
    with pytest.raises(bsq.UsageError, match="columns: 'cost' follows from the solution"):
        tested(len, columns=["cost"])
    with pytest.raises(bsq.UsageError, match="'clame' is not a column; did you mean 'claim'"):
        tested(len, columns=["clame"])
    with pytest.raises(ZeroDivisionError):
        tested(lambda _: 1 / 0)
    with pytest.raises(KeyboardInterrupt):
        tested(interrupted)
    with pytest.raises(ValueError, match="array of shape"):
        tested(lambda moves: numpy.zeros((len(moves), 2)))
    with pytest.raises(TypeError):
        tested(lambda _: None)


def interrupted(_):
    raise KeyboardInterrupt
