"""The page of the reference is what the docstrings say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_is_current():
    written = runpy.run_path(str(ROOT / "python/reference"))["page"]()
    committed = (ROOT / "docs/python-reference.md").read_text()
    assert written == committed, "run python/reference"
