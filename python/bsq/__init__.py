"""Exact analysis of small two-player games.

>>> import bsq
>>> game = bsq.game("british-square")
>>> position = game.position("...../.X.../...../...O./..... X")
>>> position.value.score, position.best
(2, ['4', '13', '16'])
"""

from bsq._bsq import __version__
from bsq._errors import Error, FailedError, RefusedError, StoppedError, UsageError
from bsq._game import Game, Option, game, games, merge
from bsq._graph import Graph, Rules, Solution, graph, solve
from bsq._part import Part
from bsq._position import Evaluation, Move, Points, Position, Value
from bsq._progress import show_progress
from bsq._puzzles import Puzzle, puzzles
from bsq._server import Server, serve
from bsq._table import Cell, Column, Stream, Table

__all__ = [
    "Cell",
    "Column",
    "Error",
    "Evaluation",
    "FailedError",
    "Game",
    "Graph",
    "Move",
    "Option",
    "Part",
    "Points",
    "Position",
    "Puzzle",
    "RefusedError",
    "Rules",
    "Server",
    "Solution",
    "StoppedError",
    "Stream",
    "Table",
    "UsageError",
    "Value",
    "__version__",
    "game",
    "games",
    "graph",
    "merge",
    "puzzles",
    "serve",
    "show_progress",
    "solve",
]
