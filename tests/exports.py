"""Reads tables with pandas, Polars and DuckDB as their users do, and validates their manifest.

Every table of `results/`, and of other games from target/release/bsq (or the program that BSQ names), has the types of
its manifest with the default settings of each reader. Every state of a board is exported as CSV and as Parquet, and
read back: rows, types, sums, checksums, and positions of which all is known. The board is 4x5, or the one that
BSQ_EXPORT_BOARD names; that of the standard game takes longer:

    BSQ_EXPORT_BOARD=5x5 target/venv/bin/python tests/exports.py
"""

import csv
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb
import frictionless
import pandas as pd
import polars as pl
import pyarrow.parquet

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "analyses"))
import results
BSQ = Path(os.environ.get("BSQ", ROOT / "target/release/bsq"))
BOARD = os.environ.get("BSQ_EXPORT_BOARD", "4x5")
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


def bsq(command, folder, *more):
    """Runs a command in a folder; what it prints."""
    asked = [BSQ, *shlex.split(command), "--quiet", *more]
    done = subprocess.run(asked, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    return done.stdout


# Commands whose tables are read besides `results/`.
COMMANDS = [
    "analyze all --board 3x4 --bias 2",
    "mnk analyze all --depth 3",
    "dots analyze all --board 2x2 --lines 12",
    "dots analyze openings --board 2x2",
    "dots analyze depths --board 2x2",
    "rpsw tablebase build small.db --pieces 2 --board 4x3",
    "rpsw analyze all --tablebase small.db",
    "rpsw analyze depths --pieces 1 --board 4x2",
    "dots tablebase build positions --board 2x2",
    "test-heuristic greedy --board 3x3",
    "test-heuristic greedy --board 3x3 --from-start",
    "search-heuristic local --rounds 2 --board 3x3",
    "export states --board 3x3",
]


class Written(unittest.TestCase):
    """Tests of files that commands write to a scratch folder."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)


class Tables(Written):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Commands write tables of the same name, so that each has a folder of its own.
        cls.folders = [ROOT / "results"]
        for number, command in enumerate(COMMANDS):
            to = cls.folder / str(number)
            bsq(command, cls.folder, "--out", to)
            cls.folders.append(to)

    def resources(self):
        for folder in self.folders:
            for resource in json.loads((folder / "datapackage.json").read_text())["resources"]:
                yield folder / resource["path"], resource

    def test_readers_infer_the_types_of_the_manifest(self):
        wanted = {
            "integer": ("int64", "Int64", "BIGINT"),
            "number": ("float64", "Float64", "DOUBLE"),
            "boolean": ("bool", "Boolean", "BOOLEAN"),
            "string": ("str", "String", "VARCHAR"),
        }
        read = 0
        for path, resource in self.resources():
            described = {row[0]: row[1] for row in duckdb.sql(f"describe select * from '{path}'").fetchall()}
            pandas, polars = pd.read_csv(path), pl.read_csv(path)
            self.assertEqual(list(pandas.columns), [field["name"] for field in resource["schema"]["fields"]])
            for field in resource["schema"]["fields"]:
                name, kinds = field["name"], wanted[field["type"]]
                empty = pandas[name].isna()
                if empty.all():
                    continue  # no value has a type
                if field["type"] == "string" and path.parent != ROOT / "results":
                    continue  # lists of one tile are numbers
                with self.subTest(table=path.name, column=name):
                    found = (str(pandas[name].dtype), str(polars[name].dtype), described[name])
                    if field["type"] == "integer" and empty.any():
                        # pandas reads integers as numbers if some are unknown.
                        self.assertIn("unknown", field["description"])
                        self.assertTrue((pandas[name].dropna() % 1 == 0).all())
                        kinds = ("float64", *kinds[1:])
                    self.assertEqual(found, kinds)
                    self.assertTrue(not empty.any() or "empty " in field["description"], field)
            key = resource["schema"].get("primaryKey", [])
            self.assertFalse(key and polars.select(key).is_duplicated().any(), path)
            read += 1
        self.assertGreater(read, 60)

    def test_readers_of_large_integers(self):
        found = {}
        for board in ["5x5", "4x7", "6x6", "7x8"]:
            path = self.folder / f"{board}.csv"
            path.write_text(bsq(f"analyze playouts --board {board} --format csv", self.folder))
            exact = int(table(path)[0]["playouts"])
            pandas = pd.read_csv(path)["playouts"]
            self.assertEqual(int(pandas[0]), exact)
            try:
                polars = pl.read_csv(path)["playouts"]
                self.assertEqual(polars[0], exact)
                polars = str(polars.dtype)
            except pl.exceptions.ComputeError:
                polars = "error"
            [[kind, text]] = duckdb.sql(f"select typeof(playouts), playouts::varchar from '{path}'").fetchall()
            self.assertEqual(int(text), exact)
            found[board] = (str(pandas.dtype), polars, kind)
        # docs/data.md says the same.
        wanted = {
            "5x5": ("int64", "Int64", "BIGINT"),
            "4x7": ("object", "Int128", "HUGEINT"),
            "6x6": ("object", "Int128", "HUGEINT"),
            "7x8": ("object", "error", "BIGNUM"),
        }
        self.assertEqual(found, wanted)

    def test_parquet_has_exact_types(self):
        kinds = {
            "integer": {pl.Int64, pl.Decimal(38, 0)},
            "number": {pl.Float64},
            "boolean": {pl.Boolean},
            "string": {pl.String},
        }
        for number, (command, is_validated) in enumerate([
            ("analyze all --board 3x4", True),
            ("dots analyze rules --board 1x2", True),
            ("analyze playouts --board 6x6", True),
            # Not validated: frictionless reads Parquet with pandas, which turns unknown integers into NaN.
            ("analyze boards --board 1x37", False),
        ]):
            to = self.folder / f"parquet-{number}"
            bsq(command, self.folder, "--format", "parquet", "--out", to)
            bsq(command, self.folder, "--out", to)
            self.check_parquet(to, kinds)
            if is_validated:
                self.check_package(to)

    def check_parquet(self, to, kinds):
        resources = {entry["name"]: entry for entry in json.loads((to / "datapackage.json").read_text())["resources"]}
        names = [name for name, entry in resources.items() if entry["format"] == "csv"]
        self.assertEqual(len(names) * 2, len(resources))
        for name in names:
            path = to / resources[f"{name}-parquet"]["path"]
            parquet, csv = pl.read_parquet(path), results.table(name, to)
            for field in resources[f"{name}-parquet"]["schema"]["fields"]:
                column = parquet[field["name"]]
                with self.subTest(table=path.name, column=column.name):
                    self.assertIn(column.dtype, kinds[field["type"]])
                    self.assertEqual(column.to_list(), csv[column.name].to_list())
                    is_decimal = column.dtype == pl.Decimal(38, 0)
                    self.assertTrue(not is_decimal or max(map(abs, column.drop_nulls())) > 2**63 - 1, "smallest type")
            self.assertEqual(pd.read_parquet(path).shape, parquet.shape)
            [[count]] = duckdb.sql(f"select count(*) from '{path}'").fetchall()
            self.assertEqual(count, parquet.height)

    def test_manifests_are_data_packages_of_version_2(self):
        for folder in self.folders:
            self.check_package(folder)

    def check_package(self, folder):
        path = folder / "datapackage.json"
        manifest = json.loads(path.read_text())
        self.assertEqual(manifest["$schema"], "https://datapackage.org/profiles/2.0/datapackage.json")
        with frictionless.system.use_context(trusted=True):
            described = frictionless.Package.validate_descriptor(manifest)
            self.assertTrue(described.valid, described.flatten(["message"]))
            report = frictionless.validate(str(path))
        self.assertTrue(report.valid, report.flatten(["name", "rowNumber", "fieldName", "message"])[:9])
        self.assertEqual(len(report.tasks), len(manifest["resources"]))
        # A wrong type is found.
        wrong = json.loads(path.read_text())
        wrong["resources"][0]["schema"]["fields"][0]["type"] = "date"
        self.assertFalse(frictionless.Package(wrong, basepath=str(folder)).validate().valid)


class Exports(Written):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for form in ("csv", "parquet"):
            bsq(f"export states --board {BOARD} --format {form}", cls.folder, "--out", ".")
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
            self.assertEqual(entry["rows"], self.states.height)
            board = "" if BOARD == "5x5" else f" --board {BOARD}"
            flag = " --format parquet" if path == self.parquet else ""
            self.assertEqual(entry["command"], f"bsq export states{board}{flag} --out .")
            self.assertEqual(entry["rules"]["board"], BOARD)
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

    def sums(self, names):
        return {name: int(self.states[name].cast(pl.Int64).sum()) for name in names}

    def test_readers_agree(self):
        sums = self.sums(INTEGERS)
        wanted = ", ".join(f"sum({name})" for name in sums)
        for source in (f"read_parquet('{self.parquet}')", f"read_csv('{self.csv}')"):
            [row] = duckdb.sql(f"select count(*), {wanted} from {source}").fetchall()
            self.assertEqual(row, (self.states.height, *sums.values()), source)
        arrow = pyarrow.parquet.read_table(self.parquet)
        self.assertTrue(pl.from_arrow(arrow).equals(self.states))

    def test_totals(self):
        states, ends = self.states, self.states.filter(pl.col("over"))
        found = {
            "states": states.height,
            "terminals": ends.height,
            "terminals first": ends.filter(pl.col("value") > 0).height,
            "terminals second": ends.filter(pl.col("value") < 0).height,
            "terminals ties": ends.filter(pl.col("value") == 0).height,
            "lowest score": states["value"].min(),
            "highest score": states["value"].max(),
            "value": states["value"][0],
            "first turn": states["turn"].min(),
            "last turn": states["turn"].max(),
        }
        if BOARD == "5x5":
            golden = table("tests/golden/british_square.csv")
            golden = {row["quantity"]: int(row["number"]) for row in golden if row["rules"] == "5x5"}
            self.assertEqual(found, {name: golden[name] for name in found})
        # The same by analyses, the first three of which count without visiting states.
        for analysis in ("states", "terminals", "scores", "blunders"):
            bsq(f"analyze {analysis} --board {BOARD}", self.folder, "--out", analysis)
        [total] = table(self.folder / "states/states_total.csv")
        sums = self.sums(("moves", "pass", "perfect"))
        self.assertEqual(found["states"], int(total["states"]))
        self.assertEqual(sums["moves"], int(total["moves"]))
        self.assertEqual(sums["pass"], int(total["passes"]))
        [split] = table(self.folder / "terminals/terminals.csv")
        self.assertEqual(found["terminals"], int(split["terminals"]))
        for part, column in (("first", "first"), ("second", "second"), ("ties", "tie")):
            self.assertEqual(found[f"terminals {part}"], int(split[f"terminals_{column}"]))
        scores = [int(row["score"]) for row in table(self.folder / "scores/scores.csv")]
        self.assertEqual((found["lowest score"], found["highest score"]), (min(scores), max(scores)))
        # The bias does not change which moves are perfect.
        [perfect] = {int(row["perfect"]) for row in table(self.folder / "blunders/blunders_total.csv")}
        self.assertEqual(sums["perfect"], perfect)

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
        if BOARD == "5x5":
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
