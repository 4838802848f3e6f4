"""Checks that every link of the built book has a target. `docs/build` builds the book."""

import re
import sys
from functools import cache
from pathlib import Path

BOOK = Path(__file__).parent.parent / "target" / "book"


@cache
def anchors(page):
    return set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))


def broken(page):
    """The links of a page that lead nowhere."""
    for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or anchor and target.suffix == ".html" and anchor not in anchors(target):
            yield link


pages = [page for page in sorted(BOOK.rglob("*.html")) if page.name not in ("404.html", "print.html", "toc.html")]
faults = [f"{page.relative_to(BOOK)}: {link}" for page in pages for link in broken(page)]
print(*faults, f"{len(pages)} pages, {len(faults)} broken links", sep="\n")
sys.exit(1 if faults or len(pages) < 40 else 0)
