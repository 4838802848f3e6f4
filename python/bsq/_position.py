"""Positions, their values and their moves."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bsq import _svg
from bsq._errors import RefusedError, UsageError

if TYPE_CHECKING:
    from bsq._game import Game

__all__ = ["Evaluation", "Move", "Points", "Position", "Value"]

Points = int | Fraction
"""Points, which are fractions in games with penalties that are fractions."""

_LINE = 1000
"""More moves than any game has."""


@dataclass(frozen=True)
class Value:
    """A value under best play of both players.

    Attributes
    ----------
    outcome
        ``"first"``, ``"second"``, ``"tie"`` or ``"draw"``.
    score
        The first player's points minus the second player's at the end; ``None`` in games without
        points.
    plies
        Plies until the win, in games that are won sooner or later.
    """

    outcome: str
    score: Points | None = None
    plies: int | None = None

    def __str__(self) -> str:
        if self.score is not None:
            is_signed = isinstance(self.score, int) and self.score != 0
            return f"{self.score:+}" if is_signed else str(self.score)
        return f"{self.outcome} in {self.plies}" if self.plies else self.outcome


@dataclass(frozen=True)
class Move:
    """A legal move with its value.

    Attributes
    ----------
    name
        The move, as :meth:`Position.play` takes it.
    value
        The value of the position if the move is played; ``None`` if it is not known.
    cost
        The points that the move gives away, 0 or more; ``None`` in games without points.
    effect
        ``"best"``, ``"keeps-outcome"`` or ``"changes-outcome"``; ``None`` if it is not known.
    places
        The places of the board at which a person points to play it.
    """

    name: str
    value: Value | None
    cost: Points | None
    effect: str | None
    places: tuple[str, ...]

    @property
    def is_best(self) -> bool:
        """Whether no move is better."""
        return self.effect == "best"


@dataclass(frozen=True)
class Evaluation:
    """What is known about a position.

    Attributes
    ----------
    value
        The value; ``None`` if it is not known.
    moves
        The legal moves, the best ones first.
    line
        Best play of both players, if it was asked for.
    bounds
        What is proved about the value, in words; ``None`` if nothing is known.
    is_complete
        Whether everything that was asked for was found before the time was over.
    facts
        Further facts, such as the nimber of a game.
    """

    value: Value | None
    moves: tuple[Move, ...]
    line: tuple[str, ...] | None
    bounds: str | None
    is_complete: bool
    facts: dict[str, int | str | None]

    @property
    def best(self) -> list[str]:
        """The best moves."""
        return [move.name for move in self.moves if move.is_best]


class Position:
    """A position of a game. It does not change, and is equal to the same position of equal rules.

    >>> import bsq
    >>> position = bsq.game("british-square", board="3x3").position("X../.../... O")
    >>> position.value
    Value(outcome='first', score=1, plies=None)
    >>> position.best, position.play("c3").value.score
    (['5'], 2)
    """

    def __init__(self, game: Game, answer: str) -> None:
        self._game = game
        self._answer: dict[str, Any] = json.loads(answer)
        self._text: str = self._answer["position"]

    @property
    def game(self) -> Game:
        """The game, with its rules."""
        return self._game

    @property
    def text(self) -> str:
        """The position as text, which :meth:`Game.position` takes."""
        return self._text

    @property
    def to_move(self) -> str:
        """The player to move, ``"first"`` or ``"second"``."""
        return str(self._answer["to_move"])

    @property
    def is_over(self) -> bool:
        """Whether the position is terminal."""
        return bool(self._answer["is_over"])

    @property
    def is_reachable(self) -> bool:
        """Whether play from the start may lead here."""
        return bool(self._answer["is_reachable"])

    @property
    def moves(self) -> list[str]:
        """The legal moves, in the order of the board."""
        return [move["move"] for move in self._answer["moves"]]

    @property
    def value(self) -> Value:
        """The value under best play.

        Raises
        ------
        RefusedError
            If the position is too large for a search without a limit of time.
        """
        if self._found is None:
            message = "the value is not known; ask for evaluate(time=...)"
            raise RefusedError(message)
        return self._found

    @property
    def best(self) -> list[str]:
        """The best moves; empty in a terminal position."""
        return self._evaluation.best

    def line(self, most: int = _LINE) -> list[str]:
        """Return best play of both players: a principal variation of at most so many moves."""
        return list(self.evaluate(line=most).line or ())

    def evaluate(self, *, line: int = 0, time: float | None = None) -> Evaluation:
        """Evaluate the position and all its moves.

        Parameters
        ----------
        line
            The most moves of the principal variation; 0 for none.
        time
            Seconds, after which the answer has what is proved by then. ``None`` for no limit.
        """
        checked_line(line)
        core = self._game._engine()
        return _evaluation(json.loads(core.answer(self._text, "", "moves", line, time)))

    def play(self, *moves: str | int) -> Position:
        """Return the position after moves. Cells with numbers may be integers.

        >>> import bsq
        >>> bsq.game("mnk", board="3x3", k=3).position().play("b2 a1", "c3").text
        'O../.X./..X'
        """
        core = self._game._engine()
        return Position(self._game, core.answer(self._text, " ".join(map(str, moves))))

    def children(self) -> Iterable[tuple[str, Position]]:
        """Iterate over the moves, each with the position after it."""
        return ((move, self.play(move)) for move in self.moves)

    @cached_property
    def _found(self) -> Value | None:
        """The value, which is found unless the position is terminal or was evaluated before."""
        if self._answer["value"] is not None:
            return _value(self._answer["value"])
        if "_evaluation" in self.__dict__:
            return self._evaluation.value
        answer = json.loads(self._game._engine().answer(self._text, "", "value"))
        return _value(answer["value"])

    @cached_property
    def _evaluation(self) -> Evaluation:
        return self.evaluate()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._text == other._text and self._game == other._game

    def __hash__(self) -> int:
        return hash((self._text, self._game))

    def __str__(self) -> str:
        return self._game._engine().drawing(self._text)

    def __repr__(self) -> str:
        return f"<bsq.Position {self._text} of {self._game.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._game, self._text)

    def _repr_html_(self) -> str:
        """Return the board; where the values of the moves are found at once, with them."""
        shown = {}
        caption = "over" if self.is_over else f"{self.to_move} to move"
        if not self.is_over and self._answer["cost"]["kind"] in ("look-up", "quick"):
            for move in self._evaluation.moves:
                text = "" if move.value is None else str(move.value)
                if len(move.places) == 1:
                    shown[move.places[0]] = (_short(move.value, text), move.effect)
            value = self._evaluation.value
            caption += "" if value is None else f"; value {value}"
        board = _svg.drawing(self._answer["scene"], shown)
        return f"<figure>{board}<figcaption>{html.escape(caption)}</figcaption></figure>"


def checked_line(most: int) -> None:
    """Raise an exception unless a line can have so many moves."""
    if most < 0:
        message = f"{most} is less than 0 moves"
        raise UsageError(message, "line")


def _again(game: Game, text: str) -> Position:
    return game.position(text)


def _short(value: Value | None, text: str) -> str:
    """Return a value as a few characters for a cell."""
    if value is None or value.score is not None:
        return text
    letters = {"first": "1", "second": "2", "tie": "=", "draw": "="}
    return letters[value.outcome] + (f"·{value.plies}" if value.plies else "")


def _points(points: int | str | None) -> Points | None:
    return Fraction(points) if isinstance(points, str) else points


def _value(value: dict[str, Any] | None) -> Value | None:
    if value is None:
        return None
    return Value(value["outcome"], _points(value["score"]), value["plies"])


def _evaluation(answer: dict[str, Any]) -> Evaluation:
    def move(move: dict[str, Any]) -> Move:
        cost, value = _points(move["cost"]), _value(move["value"])
        return Move(move["move"], value, cost, move["class"], tuple(move["places"]))

    line, bounds = answer["principal_variation"], answer["bounds"]
    return Evaluation(
        value=_value(answer["value"]),
        moves=tuple(move(one) for one in answer["moves"]),
        line=None if line is None else tuple(line),
        bounds=None if bounds is None else bounds["words"],
        is_complete=answer["is_complete"],
        facts=answer["facts"],
    )
