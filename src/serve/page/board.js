// The board: a button for each cell. The buttons are kept while the size is the same, to keep the focus.

import { at, drawSides } from "./frame.js";
import { Roving } from "./roving.js";
import { html, piece, svg } from "./svg.js";
import { coordinate, outcome, points, signed } from "./words.js";

export class BoardView {
  #cells = [];
  #size = "";
  #columns = 0;

  /** `play` is called with the tile of a pressed cell. */
  constructor(play) {
    this.board = at("board");
    this.board.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) play(Number(cell.dataset.tile));
    });
    this.roving = new Roving(this.board);
  }

  /** `seen` has what is shown of the answer: values, claims, the last move, a hint. */
  show(answer, seen) {
    if (answer.rules.board !== this.#size) this.#build(answer.rules.board);
    const pieces = answer.position.split(" ")[0].replaceAll("/", "");
    const moves = new Map((answer.moves ?? []).map((move) => [move.move, move]));
    this.board.classList.toggle("shows-claims", seen.claims);
    this.board.dataset.mover = answer.game_over ? "nobody" : answer.to_move;
    this.#cells.forEach((cell, index) => {
      const tile = index + 1;
      this.#draw(cell, {
        tile,
        owner: { X: "first", O: "second" }[pieces[index]],
        claims: ["first", "second"].filter((who) => answer.claimed[who].includes(tile)),
        legal: answer.legal.includes(tile),
        move: seen.values ? moves.get(tile) : undefined,
        last: seen.last === tile,
        hint: seen.hint === tile,
        shownClaims: seen.claims,
      });
    });
  }

  #draw(cell, state) {
    const { tile, owner, claims, legal, move, last, hint } = state;
    const claimed = owner ? "" : claims.length === 2 ? "both" : claims[0] ?? "";
    cell.dataset.claimed = claimed;
    cell.classList.toggle("legal", legal);
    cell.classList.toggle("closed", !owner && !claimed && !legal);
    cell.classList.toggle("last", last);
    cell.classList.toggle("hint", hint);
    cell.setAttribute("aria-disabled", String(!legal));
    cell.setAttribute("aria-label", this.#label(state));
    if (cell.dataset.owner !== (owner ?? "")) {
      cell.dataset.owner = owner ?? "";
      cell.querySelector(".piece").replaceChildren(...(owner ? [piece(owner)] : []));
    }
    const value = cell.querySelector(".value");
    value.hidden = !move;
    value.className = `value ${move ? outcome(move.value) : ""} ${move?.perfect ? "best" : ""}`;
    value.textContent = move ? signed(move.value) : "";
    cell.querySelector(".star").hidden = !(move?.perfect || hint);
    cell.querySelector(".tile").textContent = tile;
  }

  #label({ tile, owner, claims, legal, move, last, hint, shownClaims }) {
    const parts = [coordinate(tile, this.#columns), `tile ${tile}`];
    parts.push(owner ? (owner === "first" ? "X" : "O") : "empty");
    if (last) parts.push("the last move");
    if (!owner && shownClaims && claims.length) {
      parts.push(claims.length === 2 ? "claimed by both" : `claimed by ${claims[0]}`);
    }
    if (!owner && !legal) parts.push("not legal");
    if (move) parts.push(`value ${signed(move.value)}`);
    if (move) parts.push(move.perfect ? "perfect" : `costs ${points(move.cost)}`);
    if (hint) parts.push("hint");
    return parts.join(", ");
  }

  #build(size) {
    const [rows, columns] = size.split("x").map(Number);
    this.#size = size;
    this.#columns = columns;
    this.#cells = Array.from({ length: rows * columns }, (_, index) => newCell(index + 1));
    this.board.replaceChildren(...this.#cells);
    this.roving.set(this.#cells, columns);
    drawSides(columns, Array.from({ length: rows }, (_, row) => row + 1));
  }
}

function newCell(tile) {
  const cell = html("button", { type: "button", className: "cell", tabIndex: -1 },
    html("span", { className: "tile" }),
    svg("svg", { class: "piece", viewBox: "0 0 100 100" }),
    html("span", { className: "value" }),
    html("span", { className: "star" }));
  cell.dataset.tile = tile;
  return cell;
}
