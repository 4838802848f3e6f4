"""Tables of `results/` as data frames, and figures: what all notebooks need."""

from __future__ import annotations

import hashlib
import io
import json
import os
import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import polars as pl
from IPython.display import SVG
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"


def table(name: str, folder: Path = RESULTS) -> pl.DataFrame:
    """A table of the folder with the types that its manifest gives; nothing missing is left as text."""
    manifest = folder / "datapackage.json"
    if not manifest.exists():
        raise ValueError(f"{manifest} is not there; `bsq analyze ... --out {folder}` writes it")
    resources = {found["name"]: found for found in json.loads(manifest.read_text())["resources"]}
    if name not in resources:
        raise ValueError(f"{manifest} has no table '{name}'; it has {', '.join(resources)}")
    resource = resources[name]
    path = folder / resource["path"]
    if not path.exists():
        raise ValueError(f"{manifest} lists {path.name}, but the file is not there")
    data = path.read_bytes()
    found = "sha256:" + hashlib.sha256(data).hexdigest()
    if found != resource["hash"]:
        raise ValueError(
            f"{path} is not the file that {manifest.name} describes: it has {found}, there it is "
            f"{resource['hash']}; `{resource['command']}` in that folder writes both"
        )
    is_parquet = resource.get("format") == "parquet"
    frame = pl.read_parquet(io.BytesIO(data)) if is_parquet else text_of(data)
    types = {field["name"]: field["type"] for field in resource["schema"]["fields"]}
    if frame.columns != list(types) or frame.height != resource["rows"]:
        raise ValueError(
            f"{path} has {frame.height} rows of {', '.join(frame.columns)}; {manifest.name} says "
            f"{resource['rows']} of {', '.join(types)}"
        )
    if is_parquet:  # which has types of its own
        return frame
    return pl.DataFrame([typed(frame[column], types[column]) for column in types])


def text_of(data: bytes) -> pl.DataFrame:
    """CSV with every value as text, and nothing where there is none."""
    return pl.read_csv(data, infer_schema=False).with_columns(pl.all().replace("", None))


def typed(text: pl.Series, kind: str) -> pl.Series:
    """A column of a type of the manifest; whole numbers stay exact, however large they are."""
    if kind == "string":
        return text
    if kind == "number":
        return text.cast(pl.Float64)
    if kind == "boolean":
        return text.replace_strict({"true": True, "false": False}, return_dtype=pl.Boolean)
    if kind == "integer":
        for whole in (pl.Int64, pl.Int128):
            numbers = text.cast(whole, strict=False)
            if numbers.null_count() == text.null_count():
                return numbers
        exact = [None if number is None else int(number) for number in text]
        return pl.Series(text.name, exact, dtype=pl.Object)
    raise ValueError(f"column '{text.name}': a type '{kind}' is not known")


def row(frame: pl.DataFrame, **where: Any) -> dict[str, Any]:
    """The one row with these values, as in `row(scores, score=0)`, or the only row."""
    conditions = [pl.col(column) == value for column, value in where.items()]
    return frame.row(by_predicate=pl.all_horizontal(pl.lit(True), *conditions), named=True)


def figure(drawn: Figure, name: str, finding: str) -> SVG:
    """Writes `results/figures/NAME.svg`, or into the folder BSQ_FIGURES; the same bytes every time. Its title is a
    finding with its numbers, computed from what is drawn."""
    image = io.BytesIO()
    lines = textwrap.wrap(finding, 84)
    drawn.suptitle("\n".join(lines), x=0.02, ha="left")
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        drawn.savefig(image, format="svg", metadata={"Date": None, "Creator": None, "Title": finding})
    plt.close(drawn)
    path = Path(os.environ.get("BSQ_FIGURES", RESULTS / "figures")) / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(image.getvalue())
    return SVG(data=image.getvalue())
