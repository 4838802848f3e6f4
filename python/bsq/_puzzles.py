"""Puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from bsq._game import Game
from bsq._position import Position

__all__ = ["Puzzle", "puzzles"]


@dataclass(frozen=True)
class Puzzle:
    """A position in which a single move wins, or a single one keeps a tie or draw.

    Attributes
    ----------
    position
        The position.
    task
        ``"win"`` or ``"save"``.
    level
        1 if the move leads to a higher score than any other within two plies; 2 if it does within
        four; 3 otherwise.
    solution
        The only move that keeps the result.
    """

    position: Position
    task: str
    level: int
    solution: str

    def _repr_html_(self) -> str:
        return self.position._repr_html_()


def puzzles(
    game: Game,
    number: int = 1,
    *,
    task: str | None = None,
    level: int | None = None,
    seed: int = 1,
) -> list[Puzzle]:
    """Return different puzzles of a game: positions after random moves from the start.

    Parameters
    ----------
    game
        The game.
    number
        How many.
    task
        ``"win"`` or ``"save"``; ``None`` for any.
    level
        1, 2 or 3; ``None`` for any.
    seed
        The random seed: the same one gives the same puzzles. The first is that of the page for this
        seed.

    Raises
    ------
    FailedError
        If none is found among 3,000 random positions.

    Examples
    --------
    >>> import bsq
    >>> puzzle = bsq.puzzles(bsq.game("british-square", board="4x4"), 3, task="win")[0]
    >>> puzzle.position.best == [puzzle.solution]
    True
    """

    def found() -> Iterator[Puzzle]:
        known = set()
        core = game._engine(many=True)
        for one in count(seed):
            answer = json.loads(core.puzzle(task, level, one))
            if answer["position"] not in known:
                known.add(answer["position"])
                position = game.position(answer["position"])
                yield Puzzle(position, answer["task"], answer["level"], answer["solution"])

    return list(islice(found(), number))
