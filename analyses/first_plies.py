"""Computes the table of first plies: the score of every position of the first plies of boards on which a search from
the start takes long, up to symmetry. The evaluators have it, so that games on these boards begin without a wait.

    BSQ=target/release/bsq python3 analyses/first_plies.py british-square > results/boards_first_plies.csv
    BSQ=target/release/bsq python3 analyses/first_plies.py dots > results/dots-first-plies.csv
    BSQ=target/release/bsq python3 analyses/first_plies.py dots 4x4

Each takes hours, and 8 GiB. With the name of a board, only its rows are computed. `games/src` has copies of the tables.
"""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator

# Games and boards, with the plies of the last positions.
BOARDS = [
    ("british-square", "7x7", 2),
    ("british-square", "7x8", 0),
    ("dots", "3x5", 0),
    ("dots", "4x4", 2),
    ("dots", "4x5", 0),
]

Place = tuple[tuple[int, int], ...]


def symmetries(rows: int, cols: int) -> list:
    """The symmetries of points of a grid of a shape."""

    def turned(point: tuple[int, int], flips: int) -> tuple[int, int]:
        row, col = point
        row, col = (rows - 1 - row if flips & 1 else row), (cols - 1 - col if flips & 2 else col)
        return (col, row) if flips & 4 else (row, col)

    return [lambda point, flips=flips: turned(point, flips) for flips in range(8 if rows == cols else 4)]


def place(game: str, move: str, cols: int) -> Place:
    """The points of a move: a cell, or the two ends of a line."""
    if game == "british-square":
        return (divmod(int(move) - 1, cols),)
    return tuple((int(point[1:]) - 1, ord(point[0]) - ord("a")) for point in move.split("-"))


def class_of(game: str, board: str, moves: list[str]) -> tuple:
    """What is the same for symmetric positions, if no move captures or closes anything."""
    rows, cols = map(int, board.split("x"))
    places = [place(game, move, cols) for move in moves]
    # Lines belong to nobody.
    sides = [places[0::2], places[1::2]] if game == "british-square" else [places]
    points = (rows, cols) if game == "british-square" else (rows + 1, cols + 1)

    def image(turn) -> tuple:
        return tuple(sorted(tuple(sorted(map(turn, one))) for one in side) for side in sides)

    return min(tuple(map(tuple, image(turn))) for turn in symmetries(*points))


def solve(game: str, board: str, *arguments: str, asked: str = "") -> csv.DictReader:
    """The rows that `bsq solve` prints."""
    command = [os.environ.get("BSQ", "bsq"), game, "solve", "--board", board, "-f", "csv", "-q", *arguments]
    run = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True)
    return csv.DictReader(run.stdout.splitlines())


def solved(game: str, board: str, lines: list[list[str]]) -> Iterator[tuple[list[str], int]]:
    """The positions after one more move than each of some lines of play, with their scores."""
    asked = "".join(" ".join(line) + "\n" for line in lines)
    batch = [] if lines == [[]] else ["-"]
    for row in solve(game, board, "--values", "--memory", "8GiB", *batch, asked=asked):
        yield [*lines[int(row.get("line") or 1) - 1], row["move"]], int(row["score"])


def first_plies(game: str, board: str, plies: int) -> Iterator[tuple[list[str], int]]:
    """The positions of the first plies, one of each class, as the moves that lead there, with their scores."""
    if plies == 0:
        yield [], int(next(solve(game, board, "--memory", "13GiB"))["score"])
    lines: list[list[str]] = [[]]
    for ply in range(plies):
        after = list(solved(game, board, lines))
        if ply == 0:
            # The first player moves to the highest score.
            yield [], max(score for _, score in after)
        classes = {}
        for moves, score in sorted(after):
            classes.setdefault(class_of(game, board, moves), (moves, score))
        yield from classes.values()
        lines = [moves for moves, _ in classes.values()]


def transposed(game: str, board: str, moves: list[str]) -> list[str]:
    """The same moves on the board with rows and columns exchanged."""
    rows, cols = map(int, board.split("x"))

    def image(move: str) -> str:
        points = sorted((col, row) for row, col in place(game, move, cols))
        if game == "british-square":
            return str(points[0][0] * rows + points[0][1] + 1)
        return "-".join(f"{chr(ord('a') + col)}{row + 1}" for row, col in points)

    return [image(move) for move in moves]


def main() -> None:
    game, only = sys.argv[1], sys.argv[2:]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["rows", "cols", "moves", "score"])
    for of, board, plies in BOARDS:
        if of != game or only not in ([], [board]):
            continue
        found = list(first_plies(game, board, plies))
        rows, cols = board.split("x")
        out.writerows([rows, cols, " ".join(moves), score] for moves, score in found)
        if rows != cols:
            turned = [(transposed(game, board, moves), score) for moves, score in found]
            out.writerows([cols, rows, " ".join(moves), score] for moves, score in turned)
        sys.stdout.flush()


main()
