// The board: draws the scene of an answer. The elements are kept while the places are the same, to
// keep the focus.

import { svg } from "./dom.js";
import { symbol } from "./pieces.js";
import { costs, favours, isKnown, mark, phrase } from "./words.js";

const UNIT = 100;
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** The duration of a move, in milliseconds. */
const FLIGHT = 180;
/** The most moves of a line of play that are drawn. */
const MOST_DRAWN = 9;
const STAR = "M0-13 3.6-4.4 12.7-3.8 5.7 2.1 7.9 11 0 6.1-7.9 11-5.7 2.1-12.7-3.8-3.6-4.4Z";

export class Board {
  #places = new Map();
  #built = "";
  #module = {};
  /** Whether all places are drawn for the first time, and nothing moves. */
  #isNew = true;

  /** `press` is called with the name of a place; without it, the board is a picture. */
  constructor(board, press) {
    this.board = board;
    this.press = press;
    if (!press) return;
    const placeOf = (target) => target.closest?.(".playable")?.dataset.place;
    this.board.addEventListener("click", ({ target }) => { if (placeOf(target)) press(placeOf(target)); });
    this.board.addEventListener("focusin", ({ target }) => this.#rove(placeOf(target)));
    this.board.addEventListener("keydown", (event) => {
      if (!placeOf(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
      const isPress = event.key === "Enter" || event.key === " ";
      if (!isPress && !KEYS[event.key]) return;
      event.preventDefault();
      if (isPress) press(placeOf(event.target));
      else this.#step(placeOf(event.target), KEYS[event.key]);
    });
  }

  /** `seen` has what is shown: the moves with their values, owners of places that the scene does not
      know, the places of the last move and of a hint, the selected ones, claims, whether it is turned,
      a line of play, the number of moves before it, and which places are edited. */
  show(answer, module, seen) {
    const { scene } = answer;
    const built = [answer.game, seen.flipped, Boolean(seen.edits), scene.rows, scene.cols, ...scene.places.map(({ name }) => name)].join();
    if (built !== this.#built) this.#build(scene, module, seen);
    this.#built = built;
    this.board.dataset.mover = answer.is_over ? "nobody" : answer.to_move;
    this.board.classList.toggle("shows-claims", seen.claims);
    for (const place of scene.places) this.#draw(place, seen);
    this.#isNew = false;
    const line = (seen.line ?? []).slice(0, MOST_DRAWN).filter(({ places }) => places.length);
    this.board.classList.toggle("shows-line", line.length > 0);
    this.board.querySelector(".overlay").replaceChildren(...line.map((move, ply) => step(move, seen.played + ply + 1, this.#places)));
  }

  #build(scene, module, { flipped, edits }) {
    const focused = this.board.contains(document.activeElement) && document.activeElement.dataset.place;
    const hasLines = scene.places.some(({ shape }) => shape !== "cell");
    const [before, after] = hasLines ? [46, 46] : [32, 4];
    const [width, height] = [scene.cols * UNIT + before + after, scene.rows * UNIT + before + after];
    this.#module = module;
    this.board.setAttribute("viewBox", `${-before} ${-before} ${width} ${height}`);
    this.board.style.setProperty("--cols", scene.cols);
    this.board.style.setProperty("--scale", Math.min(1, Math.max(0.62, Math.max(scene.rows, scene.cols) / 5)));
    this.#places = new Map(scene.places.map((place, index) => {
      const [x, y] = corner(place, scene, flipped);
      const isBox = hasLines && place.shape === "cell";
      const playable = Boolean(this.press) && (!isBox || Boolean(edits?.(place)));
      const number = module.corner?.(index);
      const element = newPlace(place, { x, y, playable, isBox, row: home(place, scene, module) }, number);
      return [place.name, { x, y, isBox, playable, element, number }];
    }));
    this.#isNew = true;
    const elements = [...this.#places.values()];
    const drawn = (isLine) => elements.filter(({ isBox }) => isBox !== isLine).map(({ element }) => element);
    const dots = hasLines ? grid(scene).map(([x, y]) => svg("circle", { class: "dot", cx: x * UNIT, cy: y * UNIT, r: 8 })) : [];
    this.board.querySelector(".drawn-places").replaceChildren(...labels(scene, flipped, hasLines), ...drawn(false), ...drawn(true), ...dots);
    this.#rove(this.#places.get(focused)?.playable ? focused : this.#rows()[0]?.[0].name);
    this.#places.get(focused)?.element.focus();
  }

  /** Makes one place focusable. */
  #rove(name) {
    if (!name) return;
    for (const [other, { element, playable }] of this.#places) {
      if (playable) element.setAttribute("tabindex", other === name ? 0 : -1);
    }
  }

  /** The playable places by rows as displayed, with the middle of each. */
  #rows() {
    const rows = new Map();
    for (const [name, { x, y, playable, element }] of this.#places) {
      if (!playable) continue;
      const { shape } = element.dataset;
      const middle = { name, element, x: x + (shape === "vertical" ? 0 : 0.5), y: y + (shape === "horizontal" ? 0 : 0.5) };
      rows.set(middle.y, [...(rows.get(middle.y) ?? []), middle]);
    }
    const sorted = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
    return sorted.map((row) => row.sort((a, b) => a.x - b.x));
  }

  /** Moves the focus to the sides within the row, otherwise to the nearest place of the next row. */
  #step(name, [dx, dy]) {
    const rows = this.#rows();
    const from = rows.findIndex((row) => row.some((place) => place.name === name));
    const index = rows[from].findIndex((place) => place.name === name);
    const { x } = rows[from][index];
    const far = (place) => Math.abs(place.x - x);
    const to = dx ? rows[from][index + dx]
      : rows[from + dy]?.reduce((best, place) => (far(place) < far(best) ? place : best));
    to?.element.focus();
  }

  #draw(place, seen) {
    const { name, state } = place;
    const { element, playable, isBox } = this.#places.get(name);
    const owner = place.owner ?? (state === "taken" ? seen.owners.get(name) ?? null : null);
    const known = { ...place, owner };
    const moves = seen.movesAt(name);
    const facts = {
      known, moves, owner, selected: seen.selected.includes(name), last: seen.last.includes(name), hint: seen.hint.includes(name),
      best: moves.length > 0 && seen.values && isKnown(moves[0]) ? moves[0] : null,
    };
    const classes = {
      playable, box: isBox, legal: moves.length > 0 || Boolean(seen.edits?.(place)), target: moves.length > 0 && seen.selected.length > 0,
      selected: facts.selected, last: facts.last, hint: facts.hint,
    };
    for (const [key, is] of Object.entries(classes)) element.classList.toggle(key, is);
    Object.assign(element.dataset, { state, owner: owner ?? "" });
    if (playable) {
      element.setAttribute("aria-disabled", String(!moves.length && !seen.edits?.(place)));
      element.setAttribute("aria-label", this.#label(facts, seen));
    } else if (isBox && this.press) {
      const isTaken = state === "taken";
      element.setAttribute("role", isTaken ? "img" : "none");
      element.setAttribute("aria-label", isTaken ? `box ${name}, ${owner ? `${owner} player's` : "owner unknown"}` : "");
    }
    const standing = state === "taken" && place.shape === "cell" ? `${owner} ${place.symbol}` : "";
    const piece = element.querySelector(".piece");
    if (piece && piece.dataset.standing !== standing) {
      piece.dataset.standing = standing;
      const drawing = this.#module.piece && owner ? this.#module.piece(known) : symbol(isBox ? { symbol: place.symbol ?? "?" } : known);
      piece.replaceChildren(...(standing ? [drawing] : []));
      if (standing && !this.#isNew && !seen.edits) this.#enter(piece, name, seen.last);
    }
    badge(element.querySelector(".badge"), facts.best);
    element.querySelector(".star").classList.toggle("shown", facts.best?.class === "best" || facts.hint);
  }

  /** Moves a piece from where it comes, or lets it appear. */
  #enter(piece, name, [from, to]) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [start, end] = [to === name && this.#places.get(from), this.#places.get(name)];
    const timing = { duration: FLIGHT, easing: "ease-out" };
    if (!start) return void piece.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], timing);
    // Above the other cells, which are drawn later.
    const flying = svg("g", { class: "piece", transform: `translate(${end.x * UNIT} ${end.y * UNIT})` }, piece.cloneNode(true));
    const [dx, dy] = [start.x - end.x, start.y - end.y].map((part) => `${part * UNIT}px`);
    this.board.append(flying);
    piece.style.visibility = "hidden";
    flying.firstChild.animate([{ transform: `translate(${dx}, ${dy})` }, { transform: "none" }], timing).finished.finally(() => {
      flying.remove();
      piece.style.visibility = "";
    });
  }

  #label({ known, moves, owner, selected, last, hint, best }, seen) {
    const { name, state, shape } = known;
    const { number } = this.#places.get(name);
    const whose = owner ? `${owner} player's ` : "";
    const parts = [name.replace("-", " to "), number && `tile ${number}`];
    if (state === "taken" && shape === "cell") parts.push(!owner ? "owner unknown" : whose + (this.#module.noun?.(known) ?? known.symbol ?? "piece"));
    else if (state === "taken") parts.push(owner ? `drawn by the ${owner} player` : "drawn");
    else parts.push(shape === "cell" ? "empty" : "open");
    if (selected) parts.push("selected");
    if (last) parts.push("last move");
    if (seen.claims && state === "claimed") parts.push(`only the ${owner} player may play here`);
    if (seen.claims && state === "blocked") parts.push("closed to both players");
    if (moves.length && moves[0].places.length > 1) parts.push(seen.selected.length ? "can move here" : "can move");
    if (best) parts.push(phrase(best), costs(best));
    if (hint) parts.push("hint");
    return parts.filter(Boolean).join(", ");
  }
}

/** A move of a line of play: an arrow, or its number at its place, in the colour of its player. */
function step({ mover, places }, number, all) {
  const middles = places.map((name) => middle(all.get(name)));
  const [x, y] = middles.at(-1);
  const disc = [svg("circle", { cx: x, cy: y, r: 23 }), svg("text", { x, y: y + 9, "text-anchor": "middle" }, String(number))];
  const arrow = middles.length > 1 ? [svg("line", { x1: middles[0][0], y1: middles[0][1], x2: x, y2: y })] : [];
  return svg("g", { class: `step ${mover}` }, ...arrow, ...disc);
}

/** The middle of a place in units of the drawing. */
function middle({ x, y, element }) {
  const { shape } = element.dataset;
  return [(x + (shape === "vertical" ? 0 : 0.5)) * UNIT, (y + (shape === "horizontal" ? 0 : 0.5)) * UNIT];
}

/** The upper left corner of a place, on a board that may be turned. */
function corner({ shape, x, y }, { rows, cols }, flipped) {
  if (!flipped) return [x, y];
  return [cols - x - (shape === "vertical" ? 0 : 1), rows - y - (shape === "horizontal" ? 0 : 1)];
}

/** The player to whom the row of a place belongs. */
function home({ y }, { rows }, module) {
  return module.home && rows > 1 ? { 0: "second", [rows - 1]: "first" }[y] ?? "" : "";
}

const grid = ({ rows, cols }) =>
  Array.from({ length: (rows + 1) * (cols + 1) }, (_, i) => [i % (cols + 1), Math.floor(i / (cols + 1))]);

/** Letters above the columns and numbers left of the rows: of cells as in their names, or of dots. */
function labels(scene, flipped, hasLines) {
  const text = (x, y, said) => svg("text", { class: "label", x, y, "text-anchor": "middle" }, String(said));
  if (hasLines) {
    const letter = (index) => String.fromCharCode(97 + index);
    return [...Array.from({ length: scene.cols + 1 }, (_, x) => text((flipped ? scene.cols - x : x) * UNIT, -24, letter(x))),
      ...Array.from({ length: scene.rows + 1 }, (_, y) => text(-30, (flipped ? scene.rows - y : y) * UNIT + 6, y + 1))];
  }
  const parts = scene.places.map((place) => [corner(place, scene, flipped), /^([a-z]+)(\d+)$/.exec(place.name)]);
  return parts.filter(([, name]) => name).flatMap(([[x, y], [, letter, number]]) => [
    ...(y === 0 ? [text((x + 0.5) * UNIT, -11, letter)] : []),
    ...(x === 0 ? [text(-17, (y + 0.5) * UNIT + 6, number)] : []),
  ]);
}

function newPlace({ name, shape }, { x, y, playable, isBox, row }, number) {
  const [left, top] = [x * UNIT, y * UNIT];
  const role = playable ? { role: "button", tabindex: -1 } : {};
  const group = (...children) => svg("g", { class: `place ${shape}`, "data-place": name, "data-shape": shape, "data-home": row, ...role }, ...children);
  const label = svg("g", { class: "badge", "aria-hidden": "true" }, svg("rect", { rx: 9 }), svg("text", { "text-anchor": "middle" }));
  const star = svg("path", { class: "star", d: STAR });
  if (shape === "cell") {
    const inset = isBox ? 0 : 3;
    const ground = svg("rect", { class: "ground", x: inset, y: inset, width: UNIT - 2 * inset, height: UNIT - 2 * inset, rx: isBox ? 0 : 10 });
    const claim = svg("rect", { class: "claim", x: 3, y: 3, width: 94, height: 94, rx: 10 });
    const cell = group(ground, claim, svg("g", { class: "piece", "aria-hidden": "true" }), svg("circle", { class: "spot", cx: 50, cy: 50, r: 13 }),
      svg("text", { class: "number", x: 11, y: 24 }, number ?? ""), label, star);
    cell.setAttribute("transform", `translate(${left} ${top})`);
    return cell;
  }
  const [dx, dy] = shape === "horizontal" ? [50, 0] : [0, 50];
  const line = group(svg("polygon", { class: "area", points: "-50,0 0,-50 50,0 0,50" }),
    svg("line", { class: "stroke", x1: -dx, y1: -dy, x2: dx, y2: dy }), label, star);
  line.setAttribute("transform", `translate(${left + dx} ${top + dy})`);
  return line;
}

/** Draws the value of a move, or nothing. */
function badge(element, move) {
  element.setAttribute("class", move ? `badge ${favours(move)} ${move.class === "best" ? "best" : ""}` : "badge");
  const [box, text] = element.children;
  const said = move ? mark(move) : "";
  if (text.textContent === said) return;
  text.textContent = said;
  const width = Math.max(44, 13 * said.length + 16);
  for (const [key, value] of Object.entries({ x: -width / 2, y: -18, width, height: 36 })) box.setAttribute(key, value);
}
