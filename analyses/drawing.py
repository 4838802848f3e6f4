"""How figures of the notebooks look: as those of `--plot`, in the light colours of palette.css. Boards, shares, axes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter

PALETTE = dict(
    re.findall(r"--([\w-]+): light-dark\((#\w{6})", Path(__file__).with_name("palette.css").read_text())
)
PAPER, INK, SOFT, GRID = (PALETTE[name] for name in ("paper", "ink", "soft", "grid"))
# The width of a figure: 760 pixels.
WIDTH = 7.92
FIRST, SECOND, NOBODY = PALETTE["first"], PALETTE["second"], PALETTE["tie"]
PLAYERS = {"first": FIRST, "tie": NOBODY, "second": SECOND}
SERIES = [PALETTE[name] for name in ("teal", "purple", "gold", "magenta")]


def steps(name: str) -> list[str]:
    """The colours of a name from weak to strong."""
    return [PALETTE[f"{name}{step}"] for step in ("-1", "-2", "-3", "", "-5")]


WEAK = {PAPER, GRID, PALETTE["even"]}.union(*(steps(name)[:3] for name in ("first", "second", "teal")))

matplotlib.rcdefaults()
matplotlib.rcParams.update(
    {
        "figure.constrained_layout.use": True,
        "figure.constrained_layout.w_pad": 0.1,
        "figure.constrained_layout.h_pad": 0.08,
        "figure.constrained_layout.wspace": 0.04,
        "font.sans-serif": ["DejaVu Sans", "Verdana"],
        "font.size": 9,
        "figure.titlesize": 12.75,
        "figure.titleweight": "normal",
        "figure.facecolor": PAPER,
        "savefig.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.titlesize": 9,
        "axes.titlecolor": SOFT,
        "axes.titlelocation": "left",
        "axes.titleweight": "normal",
        "axes.titlepad": 7,
        "axes.grid": True,
        "axes.edgecolor": SOFT,
        "axes.linewidth": 0.9,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "xtick.color": SOFT,
        "ytick.color": SOFT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 8.25,
        "ytick.labelsize": 8.25,
        "xtick.major.size": 3,
        "ytick.major.size": 3,
        "ytick.minor.size": 0,
        "legend.frameon": False,
        "xtick.major.width": 0.9,
        "ytick.major.width": 0.9,
        "axes.spines.right": False,
        "axes.spines.top": False,
    }
)


def power(number: float, _position: object = None) -> str:
    """A power of ten: 1, 10, 100, 1,000, then 10⁴ and so on."""
    exponent = len(str(round(number))) - 1
    raised = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{round(number):,}" if number < 10_000 else f"10{raised}"


def short(number: int) -> str:
    """A whole number in three digits: 850, 6,955, 8.66 million, 4.23 quadrillion, 1.03·10⁴⁰."""
    if number < 100_000:
        return f"{number:,}"
    for exponent, name in ((15, "quadrillion"), (12, "trillion"), (9, "billion"), (6, "million"), (3, "thousand")):
        if 10**exponent <= number < 10**18:
            return f"{number / 10**exponent:.3g} {name}"
    exponent = len(str(number)) - 1
    return f"{number / 10**exponent:.2f}·{power(10**exponent)}"


def signed(number: int) -> str:
    """A score with a real minus sign."""
    return str(number).replace("-", "−")


def percent(share: float, _position: object = None) -> str:
    """A share as a whole percentage, with as many digits as a small one needs."""
    return f"{100 * share:.0f}%" if share >= 0.0995 or share == 0 else f"{100 * share:.2g}%"


PERCENT, POWERS, SIGNED = FuncFormatter(percent), FuncFormatter(power), FuncFormatter(lambda x, _: signed(round(x)))


def colour(score: int, most: int) -> str:
    """Of a score: grey for a tie, the stronger in a player's colour the more that player wins by."""
    if score == 0:
        return PALETTE["even"]
    return step("first" if score > 0 else "second", abs(score) / most)


def shade(weight: float) -> str:
    """A colour without a meaning, stronger the larger the weight from 0 to 1."""
    return step("teal", weight)


def step(name: str, weight: float) -> str:
    """The colour of a weight from 0 to 1."""
    return steps(name)[min(max(math.ceil(5 * weight), 1), 5) - 1]


def on(fill: str) -> str:
    """The colour of text on another one."""
    return INK if fill in WEAK else PAPER


def winner(score: int) -> str:
    """The colour of who wins with a score."""
    return FIRST if score > 0 else SECOND if score < 0 else NOBODY


def bare(axes: Axes) -> None:
    """Axes without lines and marks, as those of maps and boards."""
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def cell(axes: Axes, x: float, y: float, fill: str, text: str = "", size: float = 10) -> None:
    """A cell of a map around the point, with what stands in it."""
    axes.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, facecolor=fill, linewidth=0))
    if text:
        axes.text(x, y, text, color=on(fill), size=size, ha="center", va="center_baseline")


def plane(axes: Axes, columns: Sequence[object], rows: Sequence[object]) -> None:
    """Makes axes a plane of square cells; the first row is the top one."""
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(len(columns)), map(str, columns))
    axes.set_yticks(range(len(rows)), map(str, rows))
    bare(axes)


def board(axes: Axes, scores: Sequence[Sequence[int | None]], most: int = 2, size: float = 11) -> None:
    """A British Square board with the score of each move; a dot where there is none."""
    plane(axes, "abcdefgh"[: len(scores[0])], range(1, len(scores) + 1))
    for y, line in enumerate(scores):
        for x, score in enumerate(line):
            if score is None:
                cell(axes, x, y, PAPER)
            else:
                cell(axes, x, y, colour(score, most), signed(score), size)


def opening_map(text: str) -> list[list[int | None]]:
    """The scores of a map such as 11111/12021/10-01/12021/11111, with blanks between longer ones."""
    lines = [line.split() if " " in text else line for line in text.split("/")]
    return [[None if score == "-" else int(score) for score in line] for line in lines]


def dots(axes: Axes, rows: int, cols: int, scores: Mapping[str, int], most: int) -> None:
    """A Dots-and-Boxes board with the score of each line, such as a1-b1; the others are drawn."""
    across = {line(x, y, x + 1, y): (x, y, x + 1, y) for y in range(rows + 1) for x in range(cols)}
    down = {line(x, y, x, y + 1): (x, y, x, y + 1) for y in range(rows) for x in range(cols + 1)}
    assert set(scores) <= set(across | down), "lines that are not on the board"
    for name, (x, y, to_x, to_y) in (across | down).items():
        if name not in scores:
            axes.plot([x, to_x], [y, to_y], color=INK, linewidth=4.5, solid_capstyle="round")
            continue
        fill = colour(scores[name], most)
        axes.plot([x, to_x], [y, to_y], color=fill, linewidth=3, solid_capstyle="butt")
        middle = (x + to_x) / 2, (y + to_y) / 2
        axes.scatter(*middle, s=190, color=fill, linewidth=0, zorder=3)
        axes.text(*middle, signed(scores[name]), color=on(fill), size=8, ha="center", va="center_baseline")
    points = [(x, y) for y in range(rows + 1) for x in range(cols + 1)]
    axes.scatter([x for x, _ in points], [y for _, y in points], s=40, color=INK, linewidth=0, zorder=3)
    axes.set(xlim=(-0.35, cols + 0.35), ylim=(rows + 0.35, -0.35), aspect="equal", anchor="N")
    axes.set_axis_off()


def line(x: int, y: int, to_x: int, to_y: int) -> str:
    """The name of a line of Dots-and-Boxes: columns are letters, rows numbers from the top."""
    return f"{chr(97 + x)}{y + 1}-{chr(97 + to_x)}{to_y + 1}"


def shares(axes: Axes, labels: Sequence[str], rows: Iterable[Mapping[str, int]]) -> None:
    """A bar for each row, from the top: the shares of first player, tie and second player."""
    bare(axes)
    axes.set(xlim=(0, 1), ylim=(len(labels) - 0.45, -0.75), xticks=[])
    axes.set_yticks(range(len(labels)), labels)
    for y, counts in enumerate(rows):
        begin, total = 0.0, sum(counts[player] for player in PLAYERS)
        for player, fill in PLAYERS.items():
            share = counts[player] / total
            axes.barh(y, share, left=begin, height=0.78, color=fill)
            if share > 0.045:
                axes.text(begin + share / 2, y, percent(share), color=on(fill), ha="center", va="center_baseline")
            begin += share
    axes.text(0, -0.5, "first player wins", color=FIRST, va="bottom")
    axes.text(1, -0.5, "second player wins", color=SECOND, va="bottom", ha="right")
    axes.text(0.5, -0.5, "tie", color=INK, va="bottom", ha="center")


def legend(axes: Axes, colours: Mapping[str, str], **where: Any) -> None:
    """What the colours of a figure stand for."""
    axes.legend(handles=[Patch(facecolor=fill, label=label) for label, fill in colours.items()], **where)
