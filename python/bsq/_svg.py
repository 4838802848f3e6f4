"""Positions as pictures."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

_UNIT = 44
_MARGIN = 24
_CLASSES = {"best": "#2e9e5b", "keeps-outcome": "#c98a1b", "changes-outcome": "#d1495b"}
"""The colours of moves by their effect, which can be read on light and dark ground."""
_PLAYERS = {"first": "#3b6fb6", "second": "#d9822b"}


def drawing(scene: Mapping[str, Any], moves: Mapping[str, tuple[str, str | None]]) -> str:
    """Return a scene as SVG.

    Parameters
    ----------
    scene
        The scene of an answer.
    moves
        By place: the value of the move there, as a few characters, and its class.
    """
    width, height = (_UNIT * scene[side] + 2 * _MARGIN for side in ("cols", "rows"))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" text-anchor="middle" '
        'fill="currentColor" role="img">'
    ]
    parts += [_place(place, moves.get(place["name"])) for place in scene["places"]]
    has_lines = any(place["shape"] != "cell" for place in scene["places"])
    if has_lines:
        corners = [(x, y) for y in range(scene["rows"] + 1) for x in range(scene["cols"] + 1)]
        parts += [f'<circle cx="{_at(x)}" cy="{_at(y)}" r="3"/>' for x, y in corners]
    else:
        parts += _coordinates(scene)
    return "".join(parts) + "</svg>"


def _at(units: float) -> float:
    return _MARGIN + _UNIT * units


def _coordinates(scene: Mapping[str, Any]) -> list[str]:
    places = {(place["x"], place["y"]): place["name"] for place in scene["places"]}
    small = 'font-size="12" opacity="0.6"'

    def text(x: float, y: float, words: str) -> str:
        return f'<text x="{_at(x)}" y="{_at(y) + 4}" {small}>{html.escape(words)}</text>'

    tops = [(x, places.get((x, 0), "")) for x in range(scene["cols"])]
    lefts = [(y, places.get((0, y), "")) for y in range(scene["rows"])]
    return [text(x + 0.5, -0.25, name.rstrip("0123456789")) for x, name in tops] + [
        text(-0.25, y + 0.5, name.lstrip("abcdefghijklmnopqrstuvwxyz")) for y, name in lefts
    ]


def _place(place: Mapping[str, Any], move: tuple[str, str | None] | None) -> str:
    x, y = place["x"], place["y"]
    colour = _PLAYERS.get(place["owner"] or "", "currentColor")
    if place["shape"] != "cell":
        to_x, to_y = (x + 1, y) if place["shape"] == "horizontal" else (x, y + 1)
        ends = f'x1="{_at(x)}" y1="{_at(y)}" x2="{_at(to_x)}" y2="{_at(to_y)}"'
        if place["state"] == "taken":
            return f'<line {ends} stroke="{colour}" stroke-width="4"/>'
        if move:
            return _value((x + to_x) / 2, (y + to_y) / 2, move, "12")
        return f'<line {ends} stroke="currentColor" opacity="0.5" stroke-dasharray="2 5"/>'
    side = f'width="{_UNIT}" height="{_UNIT}"'
    box = (
        f'<rect x="{_at(x)}" y="{_at(y)}" {side} fill="none" stroke="currentColor" opacity="0.3"/>'
    )
    centre = f'cx="{_at(x + 0.5)}" cy="{_at(y + 0.5)}"'
    symbol = html.escape(place["symbol"] or "")
    letter = f'<text x="{_at(x + 0.5)}" y="{_at(y + 0.5) + 5}" font-size="15"'
    match place["state"]:
        case "taken":
            disc = f'<circle {centre} r="{0.38 * _UNIT}" fill="{colour}"/>'
            inside = f'{disc}{letter} fill="white">{symbol}</text>'
        case "blocked":
            inside = f'<circle {centre} r="2" opacity="0.4"/>'
        case "claimed" if not move:
            inside = f'{letter} fill="{colour}" opacity="0.6">{symbol}</text>'
        case _:
            inside = _value(x + 0.5, y + 0.5, move, "14")
    return box + inside


def _value(x: float, y: float, move: tuple[str, str | None] | None, size: str) -> str:
    if move is None:
        return ""
    words, effect = move
    fill = _CLASSES.get(effect or "", "currentColor")
    weight = "bold" if effect == "best" else "normal"
    return (
        f'<text x="{_at(x)}" y="{_at(y) + 5}" font-size="{size}" font-weight="{weight}" '
        f'fill="{fill}">{html.escape(words)}</text>'
    )
