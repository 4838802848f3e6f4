"""Games that are given as graphs: by files, or by rules that are written in Python."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Hashable, Iterable
from os import PathLike, fspath
from typing import Any, Generic, Protocol, TypeVar

from bsq import _bsq
from bsq._errors import UsageError
from bsq._files import write
from bsq._game import Game
from bsq._position import Position, Value

__all__ = ["Graph", "Rules", "Solution", "graph", "solve"]

P = TypeVar("P", bound=Hashable)
"""A position."""
M = TypeVar("M", bound=Hashable)
"""A move."""

_PLAYERS = {"first": 0, "second": 1}
_NUMBERS = "I" if array("I").itemsize == 4 else "L"  # noqa: PLR2004
"""The code of arrays of 32-bit numbers."""


class Rules(Protocol[P, M]):
    """The rules of a game, as :func:`solve` takes them.

    Positions and moves are hashable, such as tuples or texts, and are not changed by the rules. A
    class may also have the methods

    ``canonical(position)``
        the position that stands for all that are symmetric to it;
    ``text(position)``
        a line of text, different for all positions (default: ``str``). Rows of equal length that
        are separated by slashes are drawn as a board;
    ``move_text(move)``
        a word without blanks, commas and ``#`` (default: ``str``, or the parts of a tuple with
        hyphens).
    """

    def start(self) -> P:
        """Return the position at the start."""
        ...

    def to_move(self, position: P, /) -> str:
        """Return the player to move, ``"first"`` or ``"second"``."""
        ...

    def moves(self, position: P, /) -> Iterable[M]:
        """Return the legal moves of a position that has no result."""
        ...

    def play(self, position: P, move: M, /) -> P:
        """Return the position after a move."""
        ...

    def result(self, position: P, /) -> str | int | None:
        """Return the result, or ``None`` before the end.

        A result is the winner, ``"first"`` or ``"second"``, or ``"tie"``. In games with points it
        is the first player's points minus the second player's.
        """
        ...


class Graph(Game):
    """A game that is given by its positions and the moves between them."""

    def __init__(self, core: _bsq.Game, *, memory: int | None = None) -> None:
        self._begin("graph", core, memory, None, [])

    def save(self, file: str | PathLike[str]) -> None:
        r"""Write the file that :func:`graph` and ``bsq graph`` read.

        Examples
        --------
        >>> import bsq, tempfile
        >>> file = tempfile.mkdtemp() + "/game.csv"
        >>> with open(file, "w") as to:
        ...     _ = to.write("position,player,move,next\nx,first,win,y\ny,second,first\n")
        >>> game = bsq.graph(file)
        >>> game.position().value, game.position("y").moves
        (Value(outcome='first', score=None, plies=1), [])
        >>> game.save(file)
        >>> bsq.graph(file).position("y").is_over
        True
        """
        write(file, self._core.content())

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<bsq.Graph of {self._core.positions():,} positions>"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._core.content(), self._memory)


def _again(content: bytes, memory: int | None) -> Graph:
    return Graph(_bsq.Game.read("game.csv", content), memory=memory)


def graph(file: str | PathLike[str], *, memory: int | None = None) -> Graph:
    """Read a game that any program has written as a graph.

    Parameters
    ----------
    file
        A file of CSV with the columns ``position,player,move,next``: a row for each move, and rows
        ``position,player,result`` for the ends of play. The first row is about the start.
    memory
        The most memory that work may take, in bytes.

    Raises
    ------
    UsageError
        If the file is not such a graph. The message names the line or the position.
    """
    with open(file, "rb") as content:
        return Graph(_bsq.Game.read(fspath(file), content.read()), memory=memory)


class Solution(Graph, Generic[P, M]):
    """A solved game whose rules are written in Python.

    It has every question of :class:`Game`, where positions are texts. ``solution[position]`` is
    the :class:`Position` of a position of the rules.
    """

    def __init__(
        self,
        core: _bsq.Game,
        explored: _Explored[P, M],
        memory: int | None,
    ) -> None:
        super().__init__(core, memory=memory)
        self._explored = explored

    def __getitem__(self, position: P) -> Position:
        """Return a position of the rules as one of this package."""
        return self.position(self._explored.text(self._known(position)))

    def __contains__(self, position: object) -> bool:
        return self._explored.canonical(position) in self._explored.numbers

    def __len__(self) -> int:
        """Return the number of positions, symmetric ones together."""
        return len(self._explored.numbers)

    def value(self, position: P) -> Value:
        """Return the value under best play.

        Raises
        ------
        UsageError
            If play from the start does not lead to the position.
        """
        return self[position].value

    def best(self, position: P) -> list[M]:
        """Return the best moves; none at the end of play."""
        known = self._known(position)
        names = self.position(self._explored.text(known)).best
        moves = {self._explored.name(move): move for move in self._explored.rules.moves(known)}
        return [moves[name] for name in names]

    def _known(self, position: P) -> P:
        canonical = self._explored.canonical(position)
        if canonical not in self._explored.numbers:
            message = f"play from the start does not lead to {position!r}"
            raise UsageError(message)
        return canonical


def solve(rules: Rules[P, M], *, memory: int | None = None) -> Solution[P, M]:
    """Explore and solve a game whose rules are written in Python.

    Every position that play from the start can reach is asked once for its player, its result and
    its moves. Positions may occur again: play that never ends is a draw.

    Parameters
    ----------
    rules
        An object with the methods of :class:`Rules`.
    memory
        The most memory that work may take, in bytes.

    Raises
    ------
    UsageError
        If the rules contradict themselves, such as by a position with neither moves nor a result.

    Examples
    --------
    >>> import bsq
    >>> class Counters:
    ...     def start(self):
    ...         return (21, "first")
    ...     def to_move(self, position):
    ...         return position[1]
    ...     def moves(self, position):
    ...         return range(1, min(3, position[0]) + 1)
    ...     def play(self, position, move):
    ...         return (position[0] - move, "second" if position[1] == "first" else "first")
    ...     def result(self, position):
    ...         left, player = position
    ...         return {"first": "second", "second": "first"}[player] if left == 0 else None
    >>> solution = bsq.solve(Counters())
    >>> solution.value((21, "first")), solution.best((21, "first"))
    (Value(outcome='first', score=None, plies=11), [1])
    >>> len(solution), solution.analyze("positions").totals["positions"]
    (42, 42)
    """
    explored = _Explored(rules)
    try:
        core = explored.graph()
    except UsageError as error:
        message = f"the rules are not those of a game: {error}"
        raise UsageError(message) from None
    solution = Solution(core, explored, memory)
    _ = solution.position().value
    return solution


def _same(position: Any) -> Any:
    return position


def _named(move: object) -> str:
    return "-".join(map(str, move)) if isinstance(move, tuple) else str(move)


class _Explored(Generic[P, M]):
    """The positions that play from the start reaches, and the moves between them."""

    def __init__(self, rules: Rules[P, M]) -> None:
        self.rules = rules
        self.canonical: Callable[[Any], P] = getattr(rules, "canonical", _same)
        self.text: Callable[[P], str] = getattr(rules, "text", str)
        self.name: Callable[[M], str] = getattr(rules, "move_text", _named)
        self.numbers: dict[P, int] = {}
        self._players = bytearray()
        self._results: list[tuple[int, str]] = []
        self._counts = array(_NUMBERS)
        self._named = array(_NUMBERS)
        self._next = array(_NUMBERS)
        self._names: dict[M, int] = {}
        self._explore()

    def _explore(self) -> None:
        rules, canonical, numbers, names = self.rules, self.canonical, self.numbers, self._names
        start = canonical(rules.start())
        _check_hashable(start, "position")
        positions = [start]
        numbers[start] = 0
        # The list grows while it is read.
        for at, position in enumerate(positions):
            self._players.append(self._player(position))
            result = rules.result(position)
            if result is not None:
                self._results.append((at, _result(result, position)))
                self._counts.append(0)
                continue
            before = len(self._next)
            for move in rules.moves(position):
                after = canonical(rules.play(position, move))
                try:
                    number = numbers.setdefault(after, len(positions))
                    name = names.setdefault(move, len(names))
                except TypeError:
                    _check_hashable(after, "position")
                    _check_hashable(move, "move")
                    raise
                if number == len(positions):
                    positions.append(after)
                self._next.append(number)
                self._named.append(name)
            self._counts.append(len(self._next) - before)
            if numbers.get(position) != at:
                message = f"the rules have changed the position {position!r}; they must not"
                raise UsageError(message)
        self._positions = positions

    def _player(self, position: P) -> int:
        player = self.rules.to_move(position)
        if player not in _PLAYERS:
            message = f"the player to move in {position!r} is {player!r}, not 'first' or 'second'"
            raise UsageError(message)
        return _PLAYERS[player]

    def graph(self) -> _bsq.Game:
        """Return the game."""
        return _bsq.Game.graph(
            [self.text(position) for position in self._positions],
            bytes(self._players),
            self._results,
            self._counts.tobytes(),
            self._named.tobytes(),
            self._next.tobytes(),
            [self.name(move) for move in self._names],
        )


def _check_hashable(item: object, what: str) -> None:
    try:
        hash(item)
    except TypeError:
        message = f"the {what} {item!r} is not hashable; use tuples instead of lists"
        raise UsageError(message) from None


def _result(result: object, position: object) -> str:
    match result:
        case "first" | "second" | "tie":
            return str(result)
        case bool():
            pass
        case int() if abs(result) < 1 << 31:
            return str(result)
        case float() if math.isfinite(result) and result == int(result):
            return str(int(result))
        case _:
            pass
    message = f"{result!r} is not the result of {position!r}; return 'first', 'second', 'tie', an "
    raise UsageError(message + "integer of points, or None")
