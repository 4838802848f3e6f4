"""Tables and streams of rows."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bsq import _bsq

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Cell", "Column", "Stream", "Table"]

Cell = int | float | str | bool | None
"""A value of a table. Integers are of any size."""

_SHOWN = 20
"""The number of rows that a notebook shows."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name
        The name.
    kind
        ``"integer"``, ``"real"``, ``"text"`` or ``"truth"``.
    description
        What a value means.
    is_key
        Whether the column is part of the key, which is different in every row.
    """

    name: str
    kind: str
    description: str
    is_key: bool


class _Rows:
    """Rows with typed columns, which readers of Arrow take."""

    _core: _bsq.Table | _bsq.Stream

    @property
    def name(self) -> str:
        """The name, also that of the file that the command writes."""
        return self._core.name

    @property
    def columns(self) -> list[Column]:
        """The columns."""
        return [Column(*column) for column in self._core.columns]

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a data frame of pandas, which needs PyArrow."""
        import pyarrow  # noqa: PLC0415

        frame: pandas.DataFrame = pyarrow.table(self).to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a data frame of Polars."""
        import polars  # noqa: PLC0415

        return polars.DataFrame(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)


class Table(_Rows):
    """A table with typed columns, as the command writes it.

    Polars, pandas, PyArrow and DuckDB take a table as it is, by the Arrow PyCapsule interface and
    without a copy: ``polars.DataFrame(table)``, ``pyarrow.table(table)``. Integers of analyses,
    queries and exports have 64 bits; a column with larger ones has decimals of 38 digits, or texts
    beyond. A table can be pickled, so that processes can return it.

    >>> import bsq
    >>> states = bsq.game("british-square", board="3x3").analyze("states")
    >>> len(states), states.column_names[:3]
    (9, ['turn', 'player', 'states'])
    >>> states.totals["states"]
    74
    """

    def __init__(self, core: _bsq.Table, cores: Sequence[_bsq.Table] | None = None) -> None:
        self._core: _bsq.Table = core
        # Not tables, which would refer to each other, so that their memory is freed late.
        self._cores = [core] if cores is None else cores

    @property
    def title(self) -> str:
        """The heading."""
        return self._core.title

    @property
    def note(self) -> str | None:
        """A remark about the numbers, if there is one."""
        return self._core.note

    @property
    def tables(self) -> Mapping[str, Table]:
        """All tables of the same answer by name, this one included."""
        return {core.name: Table(core, self._cores) for core in self._cores}

    @property
    def totals(self) -> dict[str, Cell] | None:
        """The total of each column that has one; ``None`` if the table has no total.

        Where there are several totals, such as one for each player, they are in :attr:`total`.
        """
        total = self.total
        if total is None or len(total) != 1:
            return None
        return total[0]

    @property
    def total(self) -> Table | None:
        """The totals as a table, if there are any."""
        total = self._core.total
        return None if total is None else Table(total)

    @property
    def manifest(self) -> dict[str, Any]:
        """The origin of the table.

        It has the command that computes the table, the version, the rules, the number of rows, the
        SHA-256 digest of the table as CSV, and the types and descriptions of the columns, as in the
        file ``datapackage.json`` of the command.
        """
        manifest: dict[str, Any] = json.loads(self._core.manifest())
        return manifest

    def to_csv(self) -> str:
        """Return the table as CSV, byte for byte as the command writes it."""
        return self._core.csv()

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, row: int) -> dict[str, Cell]:
        """Return a row by its number, from 0; negative numbers count from the end."""
        if not isinstance(row, int):
            message = f"rows have numbers; a column is to_polars()[{row!r}] or to_pandas()[{row!r}]"
            raise TypeError(message)
        size = len(self)
        at = row + size if row < 0 else row
        if not 0 <= at < size:
            message = f"row {row} of {size} rows"
            raise IndexError(message)
        (found,) = self._core.rows(at, at + 1)
        return dict(zip(self.column_names, found, strict=True))

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        names, size, batch = self.column_names, len(self), 1024
        for start in range(0, size, batch):
            for row in self._core.rows(start, start + batch):
                yield dict(zip(names, row, strict=True))

    def __repr__(self) -> str:
        return f"<bsq.Table {self.name}: {len(self)} rows, {', '.join(self.column_names)}>"

    def _repr_html_(self) -> str:
        names = self.column_names
        shown = self._core.rows(0, _SHOWN)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in shown)
        more = len(self) - len(shown)
        rest = f"<p>{more:,} more rows</p>" if more > 0 else ""
        totals = self.totals
        foot = ""
        if totals is not None:
            foot = f"<tfoot><tr>{_cells(tuple(totals.get(name) for name in names))}</tr></tfoot>"
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        caption = f"<caption>{html.escape(self.title)}</caption>"
        rows = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}"
        return f"<table>{caption}{rows}</table>{rest}{note}"


def _cells(row: tuple[Cell, ...]) -> str:
    def text(cell: Cell) -> str:
        match cell:
            case None:
                return ""
            case bool():
                return "yes" if cell else "no"
            case int():
                return f"{cell:,}"
            case float():
                return f"{cell:g}"
            case str():
                return html.escape(cell)

    def align(cell: Cell) -> str:
        is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
        return "right" if is_number else "left"

    return "".join(f'<td style="text-align: {align(cell)}">{text(cell)}</td>' for cell in row)


class Stream(_Rows):
    """Rows that may not fit in memory, which are computed while they are read, once.

    ``polars.from_arrow(stream)``, ``duckdb.sql("select … from stream")`` and
    ``pyarrow.RecordBatchReader.from_stream(stream)`` read it.
    """

    def __init__(self, core: _bsq.Stream) -> None:
        self._core = core

    def __repr__(self) -> str:
        return f"<bsq.Stream {self.name}: {', '.join(self.column_names)}>"
