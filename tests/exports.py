"""Exports every state of the standard game with target/release/bsq (or the program that BSQ names), as CSV and as Parquet, and reads
both back with Polars and DuckDB: rows, types, sums, checksums, and positions of which all is known.
"""

import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "analyses"))
import results
BSQ = Path(os.environ.get("BSQ", ROOT / "target/release/bsq"))
INTEGERS = {
    "turn": pl.Int8, "first_cells": pl.Int32, "second_cells": pl.Int32, "value": pl.Int8,
    "moves": pl.Int8, "move_cells": pl.Int32, "perfect": pl.Int8, "perfect_cells": pl.Int32,
}
TYPES = {
    **INTEGERS, "player": pl.String, "pass": pl.Boolean, "over": pl.Boolean, "position": pl.String,
}


def cells(*tiles):
    """A set of tiles as the files have it."""
    return sum(1 << (tile - 1) for tile in tiles)


def table(path):
    """The rows of a CSV file of the project."""
    with open(ROOT / path, newline="") as file:
        return list(csv.DictReader(file))


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        for form in ("csv", "parquet"):
            command = [BSQ, "export", "states", "--quiet", "--format", form, "--out", cls.folder]
            subprocess.run(command, check=True, timeout=300)
        cls.csv, cls.parquet = cls.folder / "all_states.csv", cls.folder / "all_states.parquet"
        cls.states = pl.read_parquet(cls.parquet)

    def test_manifest(self):
        manifest = json.loads((self.folder / "datapackage.json").read_text())
        entries = {entry["path"]: entry for entry in manifest["resources"]}
        self.assertEqual(set(entries), {self.csv.name, self.parquet.name})
        for path in (self.csv, self.parquet):
            entry = entries[path.name]
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            self.assertEqual(entry["hash"], f"sha256:{digest}")
            self.assertEqual(entry["bytes"], path.stat().st_size)
            self.assertEqual(entry["rows"], self.states.height)
            self.assertEqual(entry["command"], "bsq export states")
            self.assertEqual(entry["rules"]["board"], "5x5")
            fields = {field["name"]: field["type"] for field in entry["schema"]["fields"]}
            self.assertEqual(list(fields), self.states.columns)
            kinds = {pl.String: "string", pl.Boolean: "boolean"}
            wanted = {name: kinds.get(kind, "integer") for name, kind in TYPES.items()}
            self.assertEqual(fields, wanted)

    def test_types(self):
        self.assertEqual(dict(self.states.schema), TYPES)
        self.assertEqual(sum(self.states.null_count().row(0)), 0)
        described = duckdb.sql(f"describe select * from '{self.parquet}'").fetchall()
        wanted = {pl.Int8: "TINYINT", pl.Int32: "INTEGER", pl.Boolean: "BOOLEAN", pl.String: "VARCHAR"}
        self.assertEqual({row[0]: row[1] for row in described}, {n: wanted[t] for n, t in TYPES.items()})

    def test_tables_of_notebooks(self):
        for name in ("all-states", "all-states-parquet"):
            read = results.table(name, self.folder)
            self.assertTrue(read.cast(TYPES).equals(self.states), name)

    def test_csv_and_parquet_say_the_same(self):
        read = pl.read_csv(self.csv, schema_overrides=TYPES)
        self.assertTrue(read.equals(self.states))

    def test_readers_agree(self):
        sums = {name: int(self.states[name].cast(pl.Int64).sum()) for name in INTEGERS}
        wanted = ", ".join(f"sum({name})" for name in sums)
        for source in (f"read_parquet('{self.parquet}')", f"read_csv('{self.csv}')"):
            [row] = duckdb.sql(f"select count(*), {wanted} from {source}").fetchall()
            self.assertEqual(row, (self.states.height, *sums.values()), source)
        arrow = pyarrow.parquet.read_table(self.parquet)
        self.assertTrue(pl.from_arrow(arrow).equals(self.states))

    def test_golden_numbers(self):
        golden = {
            row["quantity"]: int(row["number"])
            for row in table("tests/golden/british_square.csv")
            if row["rules"] == "5x5"
        }
        states, ends = self.states, self.states.filter(pl.col("over"))
        self.assertEqual(states.height, golden["states"])
        self.assertEqual(ends.height, golden["terminals"])
        self.assertEqual(ends.filter(pl.col("value") > 0).height, golden["terminals first"])
        self.assertEqual(ends.filter(pl.col("value") < 0).height, golden["terminals second"])
        self.assertEqual(ends.filter(pl.col("value") == 0).height, golden["terminals ties"])
        self.assertEqual(states["value"].min(), golden["lowest score"])
        self.assertEqual(states["value"].max(), golden["highest score"])
        total = table("results/states.csv")[-1]
        self.assertEqual(states["moves"].cast(pl.Int64).sum(), int(total["moves"]))
        self.assertEqual(states["pass"].sum(), int(total["passes"]))
        perfect = [
            int(row["perfect"])
            for row in table("results/blunders.csv")
            if row["rules"] == "5x5 standard" and row["turn"] == "all" and row["player"] == "all"
        ]
        self.assertEqual([states["perfect"].cast(pl.Int64).sum()], perfect)

    def test_rows_fit_together(self):
        bits = lambda name: pl.col(name).bitwise_count_ones()  # noqa: E731
        mover = pl.when(pl.col("turn") % 2 == 1).then(pl.lit("first")).otherwise(pl.lit("second"))
        wrong = self.states.filter(
            (pl.col("player") != mover)
            | (pl.col("first_cells") & pl.col("second_cells") != 0)
            | ((pl.col("first_cells") | pl.col("second_cells")) & pl.col("move_cells") != 0)
            | (pl.col("perfect_cells") & pl.col("move_cells") != pl.col("perfect_cells"))
            | (bits("move_cells") != pl.col("moves"))
            | (bits("perfect_cells") != pl.col("perfect"))
            | ((pl.col("moves") == 0) != (pl.col("pass") | pl.col("over")))
            | ((pl.col("moves") > 0) != (pl.col("perfect") > 0))
            | (pl.col("pass") & pl.col("over"))
        )
        self.assertEqual(wrong.height, 0)
        ends = self.states.filter(pl.col("over"))
        lead = bits("first_cells").cast(pl.Int32) - bits("second_cells").cast(pl.Int32)
        self.assertEqual(ends.filter(pl.col("value") != lead).height, 0)
        key = self.states.select("turn", "second_cells", "first_cells")
        self.assertTrue(key.equals(key.sort("turn", "second_cells", "first_cells")))
        self.assertEqual(key.n_unique(), key.height)

    def test_known_positions(self):
        start = self.states.row(0, named=True)
        # "Chris Wellons, I Solved British Square": two points, from the four tiles on the diagonals.
        self.assertEqual((start["value"], start["perfect_cells"]), (2, cells(7, 9, 17, 19)))
        self.assertEqual(start["move_cells"], cells(*range(1, 26)) - cells(13))
        self.assertEqual(start["position"], "...../...../...../...../..... X")
        for place in (0, 1, 1_000, self.states.height // 2, self.states.height - 1):
            row = self.states.row(place, named=True)
            command = [BSQ, "solve", row["position"], "--format", "json"]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            self.assertEqual(found["value"]["score"], row["value"], row)
            perfect = [move["move"] for move in found["moves"] if move["class"] == "best"]
            tiles = [int(tile) for tile in perfect if tile != "pass"]
            self.assertEqual(cells(*tiles), row["perfect_cells"], row)


if __name__ == "__main__":
    if not BSQ.exists():
        sys.exit(f"{BSQ} is not there; build it with 'cargo build --release --features full'")
    unittest.main(verbosity=2)
