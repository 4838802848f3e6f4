"""Games and the questions about them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib.util import find_spec
from os import PathLike, fspath
from threading import Lock
from typing import Any, overload

from bsq import _bsq
from bsq._errors import UsageError
from bsq._part import Part
from bsq._position import Position, checked_line
from bsq._table import Cell, Stream, Table

__all__ = ["Game", "Option", "game", "games", "merge"]

Option = bool | int | float | str | Fraction | Sequence[str] | None
"""A value of an option: a truth value, a number, a text, or several texts."""


def _texts(options: Mapping[str, Option]) -> list[tuple[str, str]]:
    """Return options as texts, without those that are ``None``."""
    given = []
    for name, value in options.items():
        match value:
            case None:
                continue
            case bool():
                text = "yes" if value else "no"
            case str():
                text = value
            case int() | float() | Fraction():
                text = str(value)
            case _ if all(isinstance(one, str) for one in value):
                text = ",".join(value)
            case _:
                message = f"{value!r} is neither a number nor a text, nor a list of texts"
                raise UsageError(message, name)
        given.append((name, text))
    return given


def games() -> dict[str, str]:
    """Return the names of the games, each with its title.

    >>> import bsq
    >>> "mnk" in bsq.games()
    True
    """
    return dict(_bsq.games())


def merge(parts: Iterable[Part | str | PathLike[str]]) -> Table:
    """Add all parts of a count.

    Parameters
    ----------
    parts
        The parts, or the paths of their files, in any order.

    Returns
    -------
    Table
        What :meth:`Game.analyze` returns without a part.

    Raises
    ------
    UsageError
        If the parts are not each part of one count once.

    Examples
    --------
    >>> import bsq
    >>> game = bsq.game("british-square", board="4x4")
    >>> parts = [game.analyze("states", method="sets", part=(n, 3)) for n in range(1, 4)]
    >>> bsq.merge(parts).totals == game.analyze("states").totals
    True
    """
    loaded = [part if isinstance(part, Part) else Part.load(part) for part in parts]
    return _main(_bsq.merge([(part.name, part.text) for part in loaded]))


def _main(cores: list[_bsq.Table]) -> Table:
    """Return the first of some tables, which knows the others."""
    return Table(cores[0], cores)


def game(
    name: str = "british-square",
    *,
    memory: int | None = None,
    tablebase: str | PathLike[str] | None = None,
    **rules: Option,
) -> Game:
    """Return a game under some rules.

    Parameters
    ----------
    name
        The name, one of :func:`games`.
    memory
        The most memory that work may take, in bytes. ``None`` for a share of what is free: half for
        positions, three quarters for analyses.
    tablebase
        A tablebase from which values are looked up, in games that have them.
    rules
        The options of the rules, as :attr:`Game.options` lists them. Options that are not given
        have their defaults.

    Raises
    ------
    UsageError
        If there is no such game or option, or a value is not valid.

    Examples
    --------
    >>> import bsq
    >>> game = bsq.game("british-square", board="4x4", center_allowed=True)
    >>> game.rules["board"]
    '4x4'
    >>> bsq.game("mnk", board="3x3", k=9)
    Traceback (most recent call last):
        ...
    bsq.UsageError: k: ...
    """
    return Game(name, memory=memory, tablebase=tablebase, **rules)


class Game:
    """A game under some rules. Games of equal rules are equal. Threads can share one."""

    def __init__(
        self,
        name: str = "british-square",
        *,
        memory: int | None = None,
        tablebase: str | PathLike[str] | None = None,
        **rules: Option,
    ) -> None:
        path = None if tablebase is None else fspath(tablebase)
        self._begin(name, _bsq.Game(name), memory, path, _texts(rules))

    def _begin(
        self,
        name: str,
        core: _bsq.Game,
        memory: int | None,
        tablebase: str | None,
        given: list[tuple[str, str]],
    ) -> None:
        self._core = core
        self._name = name
        self._memory = memory
        self._tablebase = tablebase
        self._given = given
        self._rules: dict[str, str | None] = json.loads(core.rules(given, None, tablebase))
        self._engines: dict[bool, _bsq.Engine] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def rules(self) -> dict[str, str | None]:
        """The options of the rules with their values; ``None`` for one that is not set."""
        return dict(self._rules)

    @property
    def options(self) -> dict[str, str]:
        """The options of the rules, each with what it sets.

        >>> import bsq
        >>> bsq.game("mnk").options["k"]
        'The number of pieces in a row that wins'
        """
        return {name: help_ for name, _, help_ in self._core.options()}

    @property
    def analyses(self) -> dict[str, str]:
        """The names of the analyses, each with what it computes."""
        return dict(self._core.analyses())

    @property
    def agents(self) -> dict[str, str]:
        """The names of the agents that play, the weakest first, each with how it chooses."""
        return dict(self._core.agents(self._given))

    def position(self, text: str | Position | None = None, moves: str = "") -> Position:
        """Return a position.

        Parameters
        ----------
        text
            The rows of the board, separated by slashes, blanks or line ends, or moves from the
            start, in any form that the command accepts. ``None`` for the start.
        moves
            Moves to play from there, separated by blanks.

        Raises
        ------
        UsageError
            If the text is not a position, or a move is not legal.
        """
        if isinstance(text, Position):
            text = self._text_of(text, "position")
        game = self if text is None else self._with_board_of(text)
        return Position(game, game._engine().answer(text, moves))

    def values(
        self,
        positions: Iterable[str | Position | Mapping[str, Cell]],
        *,
        moves: bool = False,
        line: int = 0,
        time: float | None = None,
    ) -> Table:
        """Evaluate many positions.

        Parameters
        ----------
        positions
            Positions of this game, or their texts, or rows with a column ``position``, as
            :meth:`sample` and :meth:`query` return them.
        moves
            Whether there is a row for each move instead of one for each position.
        line
            The most moves of a principal variation; 0 for no column ``pv``.
        time
            Seconds for each position, after which its row has what is proved by then.

        Returns
        -------
        Table
            A row for each input, in their order: the columns ``line`` (the number of the input,
            from 1), ``position``, ``outcome``, ``score``, ``plies``, ``error`` and others. A text
            that is not a position has an ``error``, and no exception is raised.

        Raises
        ------
        UsageError
            If an input is no text, or a position of another game.

        Examples
        --------
        >>> import bsq
        >>> table = bsq.game("british-square", board="3x3").values(["X../.../... O", "nonsense"])
        >>> [(row["score"], row["error"] is None) for row in table]
        [(1, True), (None, False)]
        """
        checked_line(line)
        if isinstance(positions, str | Position):
            message = "one position is not a list of positions; use 'position'"
            raise UsageError(message, "positions")
        if hasattr(positions, "columns") and not isinstance(positions, Table):
            message = "this is a data frame; pass its column of positions"
            raise UsageError(message, "positions")
        texts = [
            self._text_of(one, f"positions, number {number}")
            for number, one in enumerate(positions, 1)
        ]
        return Table(self._engine(many=True).values(texts, moves, line, time))

    @overload
    def analyze(self, name: str, *, part: None = None, **options: Option) -> Table: ...

    @overload
    def analyze(self, name: str, *, part: tuple[int, int], **options: Option) -> Part: ...

    def analyze(
        self, name: str, *, part: tuple[int, int] | None = None, **options: Option
    ) -> Table | Part:
        """Return the table of an analysis.

        Parameters
        ----------
        name
            The name of the analysis, one of :attr:`analyses`.
        part
            The number of a part, from 1, and that of all parts, to compute only that part of a
            count with the method ``"sets"``. :func:`merge` adds all parts.
        options
            Its options, as the flags of ``bsq analyze NAME``: :meth:`options_of` lists them. An
            option of the rules replaces that of the game.

        Returns
        -------
        Table
            The main table. :attr:`Table.tables` has the others. With ``part``, the part.

        Examples
        --------
        >>> import bsq
        >>> playouts = bsq.game("british-square").analyze("playouts")
        >>> playouts[0]["playouts"]
        4233789642926592
        """
        if part is not None:
            number, parts = part
            text = self._core.part(name, self._asked(options), number, parts)
            return Part(f"{name} {number}/{parts}", text)
        return self._answer(name, options)

    def options_of(self, question: str) -> dict[str, str]:
        """Return the options of an analysis or of ``"query"``, each with what it sets."""
        return {name: help_ for name, _, help_ in self._core.options_of(question)}

    def query(self, condition: str = "true", **options: Option) -> Table:
        """Count, group or show the positions, or moves, that meet a condition.

        Parameters
        ----------
        condition
            The condition, such as ``"best_moves = 1 and ply > 5"``.
        options
            The flags of ``bsq query``: ``dataset``, ``by``, ``rows``, ``show``, ``count``,
            ``sum``, ``mean``, ``min``, ``max``, ``position``, ``moves``. Lists of columns and
            expressions are sequences of texts, or one text with commas. ``columns=True`` lists the
            columns.

        Examples
        --------
        >>> import bsq
        >>> game = bsq.game("british-square", board="3x3")
        >>> table = game.query("terminal", by=["score"], count=True)
        >>> [row["score"] for row in table]
        [-2, 0, 1, 2]
        """
        return self._answer("query", {"condition": condition, **options})

    def export(
        self,
        dataset: str = "positions",
        *,
        condition: str | None = None,
        columns: Sequence[str] | str | None = None,
        position: str | None = None,
        moves: str | None = None,
    ) -> Stream:
        """Return all positions, or moves, as a stream that may be larger than memory.

        Parameters
        ----------
        dataset
            ``"positions"`` or ``"moves"``.
        condition
            Only rows that meet it.
        columns
            The columns; ``None`` for all. ``query(columns=True)`` lists them.
        position, moves
            The root: only what can follow.

        Examples
        --------
        >>> import bsq
        >>> bsq.game("british-square", board="3x3").export(columns=["ply", "score"]).column_names
        ['ply', 'score']
        """
        options = {
            "condition": condition,
            "dataset": dataset,
            "show": columns,
            "position": position,
            "moves": moves,
        }
        with _called_columns():
            return Stream(self._core.export(self._asked(options), self._memory))

    def sample(self, number: int, *, seed: int = 1, **options: Option) -> Table:
        """Return random positions.

        Parameters
        ----------
        number
            How many.
        seed
            The random seed: the same one gives the same positions.
        options
            The flags of ``bsq sample``, such as ``source``: ``"playouts"`` for a uniform ply of a
            uniform playout, ``"states"`` for a uniform state.

        Examples
        --------
        >>> import bsq
        >>> len(bsq.game("british-square", board="3x3").sample(10, seed=7))
        10
        """
        if "source" in options:
            options["from"] = options.pop("source")
        return self._answer("sample", {"number": number, "seed": seed, **options})

    def test_heuristic(
        self,
        heuristic: str | Callable[[Table], Iterable[Any]],
        *,
        columns: Sequence[str] | str | None = None,
        **options: Option,
    ) -> Table:
        """Compare a heuristic with perfect play at every decision.

        Parameters
        ----------
        heuristic
            The name of a heuristic, or in British Square a list of rules such as ``"most claim"``;
            or a function. It gets tables of some 100,000 moves, with all moves of a position in
            one table, and returns a number for each row: an array, a series or a list. In every
            position the moves with the largest number are preferred.
        columns
            The columns that a function gets. ``query(dataset="moves", columns=True)`` lists them,
            with those that follow from values, such as ``cost``, which a function does not get.
            ``None`` for all others; few are faster.
        options
            The flags of ``bsq test-heuristic``; for a function ``position`` and ``moves``, the
            root.

        Returns
        -------
        Table
            The same report for each of them: by turn, how often they fail.

        Raises
        ------
        UsageError
            If a function does not return a number for each row. What it raises is passed on.

        Examples
        --------
        >>> import bsq
        >>> game = bsq.game("british-square", board="3x4")
        >>> game.test_heuristic("greedy").totals["fails"]
        110
        >>> def greedy(moves):
        ...     return moves.to_polars()["claim"]
        >>> game.test_heuristic(greedy, columns=["claim"]).totals["fails"]
        110
        """
        if isinstance(heuristic, str):
            if columns is not None:
                message = "only a function gets columns"
                raise UsageError(message, "columns")
            return self._answer("test-heuristic", {"heuristic": heuristic, **options})
        name = getattr(heuristic, "__name__", type(heuristic).__name__).strip("<>")
        asked = self._asked({"show": columns, **options})

        def numbers(core: _bsq.Table) -> bytes:
            return _doubles(heuristic(Table(core)))

        with _called_columns():
            return _main(self._core.test_function(numbers, name, asked, self._memory))

    def build_tablebase(self, path: str | PathLike[str], **options: Option) -> Table:
        """Build a tablebase, or continue an unfinished one.

        Parameters
        ----------
        path
            Its file or folder, which ``bsq.game(..., tablebase=path)`` opens.
        options
            The flags of ``bsq GAME tablebase build`` besides the rules.

        Returns
        -------
        Table
            What it contains.

        Examples
        --------
        >>> import bsq, tempfile
        >>> path = tempfile.mkdtemp() + "/small.db"
        >>> rules = {"board": "5x2", "pieces": 1}
        >>> built = bsq.game("rpsw", **rules).build_tablebase(path)
        >>> bsq.game("rpsw", tablebase=path).position().value.outcome
        'first'
        """
        core, given = self._core, _texts(options)
        return _main(core.build_tablebase(fspath(path), self._given, given, self._memory))

    def verify_tablebase(
        self,
        path: str | PathLike[str],
        *,
        sample: int | None = None,
        seed: int = 1,
        full: bool = False,
    ) -> Table:
        """Verify the checksums and a random sample of the values of a tablebase.

        Parameters
        ----------
        path
            Its file or folder.
        sample
            How many values are compared with those after their moves; ``None`` for the usual
            number.
        seed
            The random seed of the sample.
        full
            Whether everything is verified, in games that can.

        Raises
        ------
        FailedError
            If it is damaged or wrong.
        """
        core = self._core.verify_tablebase(fspath(path), sample, seed, full, self._memory)
        return _main(core)

    def _text_of(self, one: object, location: str) -> str:
        """Return the text of a position of this game, which may be in a row."""
        if isinstance(one, Mapping):
            one = one.get("position")
        if isinstance(one, Position):
            if one.game != self:
                message = f"{one.text} is a position of {one.game!r}, not of {self!r}"
                raise UsageError(message, location)
            return one.text
        if not isinstance(one, str):
            message = f"{one!r} is not the text of a position"
            raise UsageError(message, location)
        return one

    def _asked(self, options: Mapping[str, Option]) -> list[tuple[str, str]]:
        """Return the options of a question with those of the rules."""
        tablebase = [] if self._tablebase is None else [("tablebase", self._tablebase)]
        return self._given + tablebase + _texts(options)

    def _answer(self, question: str, options: Mapping[str, Option]) -> Table:
        return _main(self._core.answer(question, self._asked(options), self._memory))

    def _engine(self, *, many: bool = False) -> _bsq.Engine:
        """Return the evaluator for one position, or for many."""
        with self._lock:
            if many not in self._engines:
                engine = self._core.engine(self._given, many, self._memory, self._tablebase)
                self._engines[many] = engine
            return self._engines[many]

    def _with_board_of(self, text: str) -> Game:
        """Return the game on the board that a position contains, if none was given."""
        if self._tablebase is not None:
            return self
        rules: dict[str, str | None] = json.loads(self._core.rules(self._given, text))
        if rules == self._rules:
            return self
        given = {name: value for name, value in rules.items() if value is not None}
        return Game(self._name, memory=self._memory, **given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = (self._name, self._rules), (other._name, other._rules)
        return mine == theirs and self._tablebase == other._tablebase

    def __hash__(self) -> int:
        return hash((self._name, tuple(self._rules.items()), self._tablebase))

    def __repr__(self) -> str:
        rules = ", ".join(f"{name}={value!r}" for name, value in self._given)
        return f"bsq.game({self._name!r}{', ' if rules else ''}{rules})"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._name, self._memory, self._tablebase, dict(self._given))


@contextmanager
def _called_columns() -> Iterator[None]:
    """Call the option ``show`` of the command by its name in Python in errors."""
    try:
        yield
    except UsageError as error:
        if error.location != "show":
            raise
        raise UsageError(error.message, "columns") from None


def _doubles(numbers: Iterable[Any]) -> bytes:
    """Return the numbers of any array, series or list as the bytes of doubles."""
    if not hasattr(numbers, "__array__") or find_spec("numpy") is None:
        return array("d", numbers).tobytes()
    import numpy  # noqa: PLC0415

    found = numpy.ascontiguousarray(numbers, dtype="float64")
    if found.ndim != 1:
        message = f"a number for each row is expected, not an array of shape {found.shape}"
        raise ValueError(message)
    return found.tobytes()


def _again(name: str, memory: int | None, tablebase: str | None, rules: dict[str, str]) -> Game:
    return Game(name, memory=memory, tablebase=tablebase, **rules)
