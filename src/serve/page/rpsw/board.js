// The board: a button for each square. One press selects a piece, another one moves it.

import { at, drawSides } from "../frame.js";
import { Roving } from "../roving.js";
import { html, svg } from "../svg.js";
import { letter } from "../words.js";
import { piece } from "./pieces.js";
import { mark, outcome, worth } from "./words.js";

export class Board {
  #cells = new Map();
  #built = "";

  /** `press` is called with the name of a square. */
  constructor(press) {
    this.board = at("board");
    this.roving = new Roving(this.board);
    this.board.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) press(cell.dataset.square);
    });
  }

  /** `seen` has what is shown: values, the selected piece, the last move, a hint, the orientation. */
  show(answer, seen) {
    const built = `${answer.rules.board} ${seen.flipped}`;
    if (built !== this.#built) this.#build(answer.rules.board, seen.flipped);
    this.#built = built;
    this.board.dataset.mover = answer.game_over ? "nobody" : answer.to_move;
    for (const [square, cell] of this.#cells) draw(cell, square, stateOf(answer, seen, square));
  }

  #build(size, flipped) {
    const [columns, rows] = size.split("x").map(Number);
    const focused = this.board.contains(document.activeElement) && document.activeElement.dataset.square;
    const order = Array.from({ length: rows }, (_, row) => (flipped ? row : rows - 1 - row));
    const squares = order.flatMap((row) =>
      Array.from({ length: columns }, (_, column) => [letter(column) + (row + 1), row]));
    const sides = { 0: "base first", [rows - 1]: "base second" };
    this.#cells = new Map(squares.map(([square, row]) => [square, newCell(square, sides[row] ?? "")]));
    const cells = [...this.#cells.values()];
    this.board.replaceChildren(...cells);
    this.roving.set(cells, columns);
    drawSides(columns, order.map((row) => row + 1));
    this.#cells.get(focused)?.focus();
  }
}

/** The state of a square. */
function stateOf(answer, seen, square) {
  const from = answer.moves.filter((move) => move.from === square);
  const here = seen.selected
    ? answer.moves.find((move) => move.from === seen.selected && move.to === square)
    : undefined;
  const best = here ?? (seen.selected ? undefined : from[0]);
  return {
    stands: answer.pieces.find((piece) => piece.square === square),
    mover: answer.to_move,
    target: here,
    movable: seen.canMove && from.length > 0,
    selected: seen.selected === square,
    last: seen.last && [seen.last.from, seen.last.to].includes(square),
    hint: seen.hint && [seen.hint.from, seen.hint.to].includes(square),
    value: seen.values ? best : undefined,
    isBest: seen.values && best && isAsGood(best, answer),
  };
}

/** Whether a move keeps the value of the position. */
export function isAsGood(move, { result, plies }) {
  return move.result === result && move.plies === plies;
}

function draw(cell, square, state) {
  const { stands, mover, target, movable, selected, last, hint, value, isBest } = state;
  cell.classList.toggle("legal", movable || Boolean(target));
  cell.classList.toggle("target", Boolean(target));
  cell.classList.toggle("selected", selected);
  cell.classList.toggle("last", Boolean(last));
  cell.classList.toggle("hint", Boolean(hint));
  cell.setAttribute("aria-disabled", String(!movable && !target));
  cell.setAttribute("aria-label", label(square, state));
  const standing = stands ? `${stands.player} ${stands.kind}` : "";
  if (cell.dataset.stands !== standing) {
    cell.dataset.stands = standing;
    cell.querySelector(".piece").replaceChildren(...(stands ? [piece(stands)] : []));
  }
  const badge = cell.querySelector(".value");
  badge.hidden = !value;
  badge.className = `value ${value ? outcome(mover, value) : ""} ${isBest ? "best" : ""}`;
  badge.textContent = value ? mark(value) : "";
  cell.querySelector(".star").hidden = !isBest;
}

function label(square, { stands, target, movable, selected, last, hint, value, isBest }) {
  const parts = [square, stands ? `${stands.player} player's ${stands.kind}` : "empty"];
  if (selected) parts.push("taken up");
  if (last) parts.push("of the last move");
  if (target) parts.push(target.capture ? "can be taken" : "can be moved to");
  else if (movable && !selected) parts.push("can move");
  if (value) parts.push(target ? worth(value) : `at best ${worth(value)}`);
  if (isBest) parts.push("best");
  if (hint) parts.push("hint");
  return parts.join(", ");
}

function newCell(square, side) {
  const cell = html("button", { type: "button", className: `cell ${side}`, tabIndex: -1 },
    svg("svg", { class: "piece", viewBox: "0 0 100 100" }),
    html("span", { className: "dot" }),
    html("span", { className: "value" }),
    html("span", { className: "star" }));
  cell.dataset.square = square;
  return cell;
}
