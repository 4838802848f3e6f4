// The board: dots, a button for each line, and boxes with the letters of their owners.

import { at } from "../frame.js";
import { svg } from "../svg.js";
import { letter as column, signed } from "../words.js";
import { letter, outcome } from "./words.js";

/** The distance between dots; a line can be pressed up to halfway to the next one. */
const STEP = 100;
const MARGIN = 50;
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const place = (index) => MARGIN + (index * STEP) / 2;

export class Board {
  /** By name, and by row and column of a grid on which dots have even coordinates. */
  #lines = new Map();
  #places = new Map();
  #boxes = new Map();
  #built = "";

  /** `press` is called with the name of a line. */
  constructor(press) {
    this.board = at("board");
    this.board.addEventListener("click", ({ target }) => {
      const line = target.closest(".line");
      if (line) press(line.dataset.line);
    });
    this.board.addEventListener("keydown", (event) => this.#key(event, press));
    this.board.addEventListener("focusin", ({ target }) => this.#rove(target.closest(".line")));
  }

  /** `seen` has what is shown: scores, the last move, a hint, whether a person may move. */
  show(answer, seen) {
    if (answer.rules.board !== this.#built) this.#build(answer.rules.board);
    this.board.dataset.mover = answer.game_over ? "nobody" : answer.to_move;
    const drawn = new Set(answer.drawn);
    const scores = new Map((seen.scored?.moves ?? []).map((move) => [move.move, move]));
    for (const [name, line] of this.#lines) {
      const state = {
        drawn: drawn.has(name), last: seen.last === name, hint: seen.hint === name,
        score: scores.get(name)?.score, best: seen.scored?.value, open: seen.canMove,
      };
      draw(line, name, state, answer.to_move);
    }
    const owners = new Map(answer.boxes.map(({ box, player }) => [box, player ?? "unknown"]));
    for (const [name, box] of this.#boxes) {
      const owner = owners.get(name) ?? "";
      box.setAttribute("class", `box ${owner}`);
      box.lastChild.textContent = { "": "", unknown: "?" }[owner] ?? letter(owner);
    }
  }

  #build(size) {
    const [rows, columns] = size.split("x").map(Number);
    this.#built = size;
    this.#boxes = new Map(grid(rows, columns).map(([row, col]) => [dot(row, col), newBox(row, col)]));
    const between = grid(2 * rows + 1, 2 * columns + 1).filter(([row, col]) => (row + col) % 2);
    const made = between.map(([row, col]) => ({ row, col, name: nameOf(row, col), line: newLine(row, col) }));
    this.#lines = new Map(made.map(({ name, line }) => [name, line]));
    this.#places = new Map(made.map(({ row, col, line }) => [`${row} ${col}`, line]));
    const dots = grid(rows + 1, columns + 1).map(([row, col]) =>
      svg("circle", { class: "dot", cx: place(2 * col), cy: place(2 * row), r: 8 }));
    const [width, height] = [columns, rows].map((count) => count * STEP + 2 * MARGIN);
    const labels = svg("g", { class: "names", "aria-hidden": "true" },
      ...Array.from({ length: columns + 1 }, (_, i) => name(place(2 * i), 20, column(i))),
      ...Array.from({ length: rows + 1 }, (_, i) => name(16, place(2 * i) + 6, i + 1)));
    this.board.setAttribute("viewBox", `0 0 ${width} ${height}`);
    at("frame").style.setProperty("--wide", width / height);
    this.board.replaceChildren(...this.#boxes.values(), labels, ...this.#lines.values(), ...dots);
    this.#rove(made[0].line);
  }

  /** Makes one line focusable. */
  #rove(target) {
    if (!target) return;
    for (const line of this.#lines.values()) line.setAttribute("tabindex", line === target ? 0 : -1);
  }

  #key(event, press) {
    const from = event.target.closest(".line");
    if (!from || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!step) return press(from.dataset.line);
    const [row, col] = [Number(from.dataset.row), Number(from.dataset.col)];
    // To the sides, the next line of the row; above and below, the nearest one, the left one first.
    const next = step[1]
      ? [[row, col + 2 * step[1]]]
      : [[row + step[0], col - 1], [row + step[0], col + 1]];
    const found = next.map((where) => this.#places.get(where.join(" "))).find(Boolean);
    found?.focus();
  }
}

const grid = (rows, columns) =>
  Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);
const dot = (row, col) => column(col) + (row + 1);
const name = (x, y, text) => svg("text", { x, y, "text-anchor": "middle" }, String(text));

/** The two dots that a line joins. */
function nameOf(row, col) {
  const from = dot(Math.floor(row / 2), Math.floor(col / 2));
  const to = row % 2 ? dot((row + 1) / 2, col / 2) : dot(row / 2, (col + 1) / 2);
  return `${from}-${to}`;
}

function newBox(row, col) {
  const [x, y] = [place(2 * col), place(2 * row)];
  return svg("g", { class: "box" },
    svg("rect", { x, y, width: STEP, height: STEP }),
    svg("text", { x: x + STEP / 2, y: y + STEP / 2 + 15, "text-anchor": "middle" }));
}

function newLine(row, col) {
  const [x, y, half] = [place(col), place(row), STEP / 2];
  const area = [[x - half, y], [x, y - half], [x + half, y], [x, y + half]];
  const [dx, dy] = row % 2 ? [0, half] : [half, 0];
  const ends = { x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy };
  return svg("g", { class: "line", role: "button", tabindex: -1, "data-line": nameOf(row, col), "data-row": row, "data-col": col },
    svg("polygon", { class: "area", points: area.join(" ") }),
    svg("line", { class: "stroke", ...ends }),
    svg("g", { class: "score" },
      svg("rect", { x: x - 21, y: y - 15, width: 42, height: 30, rx: 8 }),
      svg("text", { x, y: y + 7, "text-anchor": "middle" })));
}

function draw(line, name, { drawn, last, hint, score, best, open }, mover) {
  const known = !drawn && typeof score === "number";
  const isBest = known && score === best;
  const classes = { drawn, last, hint, known, best: isBest, legal: open && !drawn };
  const set = Object.keys(classes).filter((one) => classes[one]);
  line.setAttribute("class", ["line", ...set, known ? outcome(mover, score) : ""].join(" ").trim());
  line.setAttribute("aria-disabled", String(drawn || !open));
  line.querySelector("text").textContent = known ? signed(score) : "";
  const said = [name.replace("-", " to "), drawn ? "drawn" : "open"];
  if (last) said.push("the last move");
  if (known) said.push(`score ${signed(score)}`);
  if (isBest) said.push("best");
  if (hint) said.push("hint");
  line.setAttribute("aria-label", said.join(", "));
}
