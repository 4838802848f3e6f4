// The board: draws the scene of an answer, and moves the focus and the pieces.

/** @import { Answer, Move, Place, Player, Scene, Shape } from "../../types/api.js" */
/** @import { BoardModule, Piece } from "../boards/index.js" */
/** @import { LineMove } from "../requests.js" */

import { Names } from "../names.js";
import { symbol } from "../pieces.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { costs, isKnown, mark, phrase, shades } from "../words.js";

const UNIT = 100;
/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** The duration of a move, in milliseconds. */
const FLIGHT = 180;
/** The most moves of a line of play that are drawn. */
const MOST_DRAWN = 9;
/** A star of 28 units. */
const STAR = "M0-13 3.6-4.4 12.7-3.8 5.7 2.1 7.9 11 0 6.1-7.9 11-5.7 2.1-12.7-3.8-3.6-4.4Z";

/**
 * What is shown besides the position.
 * @typedef {object} Marks
 * @property {boolean} values
 * @property {boolean} claims
 * @property {boolean} flipped whether the board is turned
 * @property {string[]} selected the places that are selected
 * @property {string[]} hint the places of a hint
 * @property {string[]} last the places of the last move
 * @property {string[]} winning the places that decided the game
 * @property {Names} names how the players are called
 * @property {Map<string, Player>} owners the owners of places that the scene does not know
 * @property {LineMove[]} line a line of play
 * @property {number} played the number of moves before the line
 * @property {((place: Place) => boolean) | null} edits which places are edited, if any are
 * @property {(name: string) => Move[]} movesAt the moves that begin or go on at a place, best first
 */

/**
 * A place as it is drawn.
 * @typedef {object} Drawn
 * @property {Place} place
 * @property {number} x
 * @property {number} y
 * @property {boolean} isBox whether it is a box between lines
 * @property {boolean} playable
 * @property {Player | null} owner
 * @property {string | undefined} tile its number in records
 * @property {Move[]} moves
 * @property {Move | null} best the best move there, if values are shown
 * @property {number | null} shade how bad that is, from 0 to 4
 */

/**
 * What the places of a board share.
 * @typedef {object} Context
 * @property {Answer} answer
 * @property {Scene} scene
 * @property {BoardModule} module
 * @property {Marks} marks
 * @property {boolean} hasLines whether moves are lines between boxes
 * @property {Map<Move, number>} shadeOf how bad moves are
 * @property {boolean} isStarred whether stars distinguish the best moves
 */

export class Board {
  #press;
  /** The place that Tab focuses. */
  #stop = "";
  /** What stands where. @type {Map<string, string>} */
  #standing = new Map();
  /** The board that is drawn, on which pieces move. */
  #drawn = "";

  /** @param {((place: string) => void) | null} press is called with the name of a place; without it, the board is a picture */
  constructor(press = null) {
    this.#press = press;
  }

  /** @param {string} id @param {string} label @param {Answer} answer @param {BoardModule} module @param {Marks} marks @param {boolean} isBusy */
  template(id, label, answer, module, marks, isBusy = false) {
    const { scene } = answer;
    const { cols, rows } = scene;
    const hasLines = scene.places.some(({ shape }) => shape !== "cell");
    const [before, after] = hasLines ? [46, 46] : [32, 4];
    const [width, height] = [cols * UNIT + before + after, rows * UNIT + before + after];
    const scale = Math.min(1, Math.max(0.62, Math.max(rows, cols) / 5));
    const shadeOf = shades(answer.moves);
    /** @type {Context} */
    const context = { answer, scene, module, marks, hasLines, shadeOf, isStarred: hasFewBest(answer.moves) };
    const places = scene.places.map((place, index) => this.#place(place, index, context));
    const stops = rowsOf(places).flat();
    if (!stops.some(({ place }) => place.name === this.#stop)) this.#stop = stops[0]?.place.name ?? "";
    const line = marks.line.slice(0, MOST_DRAWN).filter((move) => move.places.length > 0);
    const byName = new Map(places.map((one) => [one.place.name, one]));
    /** @param {Drawn[]} all */
    const draw = (all) =>
      repeat(
        all,
        ({ place }) => `${place.shape} ${place.name}`,
        (one) => this.#drawing(one, context),
      );
    const dots = hasLines
      ? grid(scene).map(([x, y]) => svg`<circle class="dot" cx=${x * UNIT} cy=${y * UNIT} r="8" />`)
      : nothing;
    const classes = ["board", marks.claims && "shows-claims", line.length > 0 && "shows-line"]
      .filter(Boolean)
      .join(" ");
    return html`<svg
      id=${id}
      class=${classes}
      role=${this.#press ? "group" : "img"}
      aria-label=${label}
      aria-busy=${this.#press ? String(isBusy) : nothing}
      tabindex=${this.#press ? -1 : nothing}
      data-mover=${answer.is_over ? "nobody" : answer.to_move}
      viewBox="${-before} ${-before} ${width} ${height}"
      .style=${`--cols: ${cols}; --scale: ${scale}`}
      @click=${(/** @type {Event} */ event) => this.#click(event)}
      @focusin=${
        // Chromium takes pictures with this listener for something to focus.
        this.#press && ((/** @type {Event} */ event) => this.#focus(event))
      }
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, places)}
    >
      ${this.#press ? patterns : nothing}
      <g class="drawn-places">
        ${labels(scene, marks.flipped, hasLines)} ${draw(places.filter(({ place }) => place.shape === "cell"))}
        ${draw(places.filter(({ place }) => place.shape !== "cell"))} ${dots}
      </g>
      <g class="overlay" aria-hidden="true">${line.map((move, ply) => step(move, marks.played + ply + 1, byName))}</g>
    </svg>`;
  }

  /** @param {Place} place @param {number} index @param {Context} context @returns {Drawn} */
  #place(place, index, { scene, module, marks, hasLines, shadeOf }) {
    const isBox = hasLines && place.shape === "cell";
    const { name, state } = place;
    const moves = marks.movesAt(name);
    const best = moves.length > 0 && marks.values && isKnown(moves[0]) ? moves[0] : null;
    const shade = best && (shadeOf.get(best) ?? null);
    const [x, y] = corner(place, scene, marks.flipped);
    const playable = this.#press !== null && (!isBox || Boolean(marks.edits?.(place)));
    const owner = place.owner ?? (state === "taken" ? (marks.owners.get(name) ?? null) : null);
    return { place, x, y, isBox, playable, owner, tile: module.tile?.(index), moves, best, shade };
  }

  /** The attributes of a place that are those of every shape. @param {Drawn} drawn @param {Context} context */
  #about(drawn, context) {
    const { marks } = context;
    const { place, playable, isBox, owner, moves } = drawn;
    const { name, shape, state } = place;
    const isTaken = state === "taken";
    const isLegal = moves.length > 0 || Boolean(marks.edits?.(place));
    const classes = {
      playable,
      box: isBox,
      legal: isLegal,
      target: moves.length > 0 && marks.selected.length > 0,
      selected: marks.selected.includes(name),
      last: marks.last.includes(name),
      winning: marks.winning.includes(name),
      hint: marks.hint.includes(name),
    };
    const set = Object.entries(classes).filter(([, is]) => is);
    const isPicture = isBox && this.#press !== null;
    return {
      classes: ["place", shape, ...set.map(([key]) => key)].join(" "),
      role: playable ? "button" : isPicture ? (isTaken ? "img" : "none") : nothing,
      stop: playable ? (name === this.#stop ? 0 : -1) : nothing,
      disabled: playable ? String(!isLegal) : nothing,
      label: playable
        ? labelOf(drawn, context)
        : isPicture
          ? isTaken && `${nameOfPlace(drawn)}, ${owner ? `${marks.names.whose(owner)} box` : "owner unknown"}`
          : nothing,
    };
  }

  /** @param {Drawn} drawn @param {Context} context */
  #drawing(drawn, context) {
    const { place, x, y, owner, shade } = drawn;
    const { classes, role, stop, disabled, label } = this.#about(drawn, context);
    const isCell = place.shape === "cell";
    const [left, top] = isCell ? [x * UNIT, y * UNIT] : middle(drawn);
    return svg`<g
      class=${classes}
      data-place=${place.name}
      data-shape=${place.shape}
      data-home=${home(place, context.scene, context.module)}
      data-state=${place.state}
      data-owner=${owner ?? ""}
      data-shade=${shade ?? nothing}
      role=${role}
      tabindex=${stop}
      aria-disabled=${disabled}
      aria-label=${label || ""}
      transform="translate(${left} ${top})"
    >${isCell ? cell(drawn, context) : stroke(drawn)} ${badge(drawn, context)} ${star(drawn, context)}</g>`;
  }

  /** @param {Event} event */
  #click(event) {
    const name = placeOf(event);
    if (name) this.#press?.(name);
  }

  /** Makes the focused place the one to which Tab returns. @param {Event} event */
  #focus(event) {
    const name = placeOf(event);
    if (!name || name === this.#stop) return;
    this.#stop = name;
    const board = /** @type {SVGElement} */ (event.currentTarget);
    for (const place of board.querySelectorAll(".playable")) {
      place.setAttribute("tabindex", place.getAttribute("data-place") === name ? "0" : "-1");
    }
  }

  /** @param {KeyboardEvent} event @param {Drawn[]} places */
  #key(event, places) {
    const name = placeOf(event);
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    const isPress = event.key === "Enter" || event.key === " ";
    if (!isPress && !KEYS[event.key]) return;
    event.preventDefault();
    if (isPress) {
      this.#press?.(name);
      return;
    }
    const to = neighbour(rowsOf(places), name, KEYS[event.key]);
    const board = /** @type {SVGElement} */ (event.currentTarget);
    if (to) /** @type {SVGElement | null} */ (board.querySelector(`[data-place="${to}"]`))?.focus();
  }

  /** Lets the pieces of the last move appear or move there, once the board is drawn. @param {Element} board @param {Answer} answer @param {Marks} marks */
  animate(board, answer, marks) {
    const drawn = [
      answer.game,
      marks.flipped,
      Boolean(marks.edits),
      ...answer.scene.places.map(({ name }) => name),
    ].join();
    const isNew = drawn !== this.#drawn || marks.edits !== null;
    this.#drawn = drawn;
    const before = this.#standing;
    const pieces = /** @type {NodeListOf<SVGElement>} */ (board.querySelectorAll(".piece[data-standing]"));
    this.#standing = new Map([...pieces].map((piece) => [nameOf(piece), piece.dataset.standing ?? ""]));
    if (isNew || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const piece of pieces) {
      const [name, standing] = [nameOf(piece), piece.dataset.standing];
      if (standing && standing !== before.get(name)) enter(piece, name, board, marks.last);
    }
  }
}

/** The name of the place of a piece. @param {Element} piece */
const nameOf = (piece) => piece.parentElement?.dataset.place ?? "";

/** The name of the playable place at which something happens. @param {Event} event */
function placeOf({ target }) {
  const place = target instanceof Element ? target.closest(".playable") : null;
  return place?.getAttribute("data-place");
}

/** Moves a piece from where it comes, or lets it appear. @param {SVGElement} piece @param {string} name @param {Element} board @param {string[]} last */
function enter(piece, name, board, [from, to]) {
  const timing = { duration: FLIGHT, easing: "ease-out" };
  const start = to === name ? board.querySelector(`[data-place="${from}"]`) : null;
  const end = piece.parentElement;
  if (!start || !end) {
    piece.animate(
      [
        { opacity: 0, transform: "scale(.6)" },
        { opacity: 1, transform: "none" },
      ],
      timing,
    );
    return;
  }
  // Above the other cells, which are drawn later.
  const flying = /** @type {SVGElement} */ (piece.cloneNode(true));
  delete flying.dataset.standing;
  const above = document.createElementNS("http://www.w3.org/2000/svg", "g");
  above.setAttribute("class", "piece");
  above.setAttribute("transform", end.getAttribute("transform") ?? "");
  above.append(flying);
  board.append(above);
  piece.style.visibility = "hidden";
  const [there, here] = [start, end].map((place) =>
    /translate\((\S+) (\S+)\)/.exec(place.getAttribute("transform") ?? ""),
  );
  const [dx, dy] = [1, 2].map((axis) => `${Number(there?.[axis]) - Number(here?.[axis])}px`);
  flying.animate([{ transform: `translate(${dx}, ${dy})` }, { transform: "none" }], timing).finished.finally(() => {
    above.remove();
    piece.style.visibility = "";
  });
}

/** The playable places by rows as displayed, with their middles. @param {Drawn[]} places */
function rowsOf(places) {
  /** @type {Map<number, { place: Place, x: number }[]>} */
  const rows = new Map();
  for (const { place, x, y, playable } of places) {
    if (!playable) continue;
    const middle = y + (place.shape === "horizontal" ? 0 : 0.5);
    const row = rows.get(middle) ?? [];
    row.push({ place, x: x + (place.shape === "vertical" ? 0 : 0.5) });
    rows.set(middle, row);
  }
  const sorted = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  return sorted.map((row) => row.sort((a, b) => a.x - b.x));
}

/**
 * The place to the side within the row, or the nearest one of the next row.
 * @param {{ place: Place, x: number }[][]} rows
 * @param {string} name
 * @param {[number, number]} direction
 */
function neighbour(rows, name, [dx, dy]) {
  const from = rows.findIndex((row) => row.some(({ place }) => place.name === name));
  const index = rows[from]?.findIndex(({ place }) => place.name === name) ?? -1;
  if (index < 0) return undefined;
  const { x } = rows[from][index];
  if (dx) return rows[from][index + dx]?.place.name;
  const next = rows[from + dy] ?? [];
  return [...next].sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]?.place.name;
}

/** What stands at a place, as a word; empty for nothing. @param {Drawn} drawn */
const standingAt = ({ place, owner }) =>
  place.state === "taken" && place.shape === "cell" ? `${owner} ${place.symbol}` : "";

/** @param {Drawn} drawn @param {BoardModule} module */
function drawing({ place, owner, isBox }, module) {
  if (module.piece && owner) return module.piece(pieceOf(place, owner));
  return symbol(isBox ? { owner: null, symbol: place.symbol ?? "?" } : { owner, symbol: place.symbol });
}

/** @param {Place} place @param {Player | null} owner @returns {Piece} */
const pieceOf = ({ symbol }, owner) => ({ owner, symbol: symbol ?? "" });

/** A cell such as `a1`, a line from dot to dot, or a box from one corner to the other. @param {Drawn} drawn */
function nameOfPlace({ place: { name }, isBox }) {
  const corner = /^([a-z])(\d+)$/.exec(name);
  if (!isBox || !corner) return name.replace("-", " to ");
  const [, column, row] = corner;
  return `box ${name} to ${String.fromCharCode(column.charCodeAt(0) + 1)}${Number(row) + 1}`;
}

/** The name of a place with what is known about it, for screen readers. @param {Drawn} drawn @param {Context} context */
function labelOf(drawn, { module, marks }) {
  const { place, owner, tile, moves, best } = drawn;
  const { names } = marks;
  const { name, shape, state, symbol } = place;
  const parts = [nameOfPlace(drawn), tile && `tile ${tile}`];
  if (state !== "taken") parts.push(shape === "cell" ? "empty" : "open");
  else if (shape !== "cell") parts.push(owner ? `drawn by ${names.of(owner)}` : "drawn");
  else if (owner) parts.push(`${names.whose(owner)} ${module.noun?.(pieceOf(place, owner)) ?? symbol ?? "piece"}`);
  else parts.push("owner unknown");
  if (marks.selected.includes(name)) parts.push("selected");
  if (marks.last.includes(name)) parts.push("last move");
  if (marks.winning.includes(name)) parts.push("decided the game");
  if (marks.claims && state === "claimed" && owner) parts.push(`only ${names.of(owner)} may play here`);
  if (marks.claims && state === "blocked") parts.push("closed to both players");
  if (moves.length && moves[0].places.length > 1) parts.push(marks.selected.length ? "can move here" : "can move");
  if (best) parts.push(phrase(best, names), costs(best));
  if (marks.hint.includes(name)) parts.push("hint");
  return parts.filter(Boolean).join(", ");
}

/** A move of a line of play: an arrow, or its number at its place, in the colour of its player. @param {LineMove} move @param {number} number @param {Map<string, Drawn>} all */
function step({ mover, places }, number, all) {
  const middles = places.map((name) => middle(all.get(name)));
  const [x, y] = middles[middles.length - 1];
  const arrow = middles.length > 1 ? svg`<line x1=${middles[0][0]} y1=${middles[0][1]} x2=${x} y2=${y} />` : nothing;
  return svg`<g class="step ${mover}">${arrow}<circle cx=${x} cy=${y} r="23" /><text x=${x} y=${y + 9} text-anchor="middle">${number}</text></g>`;
}

/** The middle of a place in units of the drawing. @param {Drawn | undefined} drawn */
function middle(drawn) {
  if (!drawn) return [0, 0];
  const { place, x, y } = drawn;
  return [(x + (place.shape === "vertical" ? 0 : 0.5)) * UNIT, (y + (place.shape === "horizontal" ? 0 : 0.5)) * UNIT];
}

/** The upper left corner of a place, on a board that may be turned. @param {{ shape: Shape, x: number, y: number }} place @param {Scene} scene @param {boolean} flipped */
function corner({ shape, x, y }, { rows, cols }, flipped) {
  if (!flipped) return [x, y];
  return [cols - x - (shape === "vertical" ? 0 : 1), rows - y - (shape === "horizontal" ? 0 : 1)];
}

/** The player to whom the row of a place belongs. @param {Place} place @param {Scene} scene @param {BoardModule} module */
function home({ y }, { rows }, module) {
  if (!module.home || rows < 2) return "";
  return y === 0 ? "second" : y === rows - 1 ? "first" : "";
}

/** @param {Scene} scene */
const grid = ({ rows, cols }) =>
  Array.from({ length: (rows + 1) * (cols + 1) }, (_, i) => [i % (cols + 1), Math.floor(i / (cols + 1))]);

/** Letters above the columns and numbers left of the rows: of cells as in their names, or of dots. @param {Scene} scene @param {boolean} flipped @param {boolean} hasLines */
function labels(scene, flipped, hasLines) {
  /** @param {number} x @param {number} y @param {string | number} said */
  const text = (x, y, said) => svg`<text class="label" x=${x} y=${y} text-anchor="middle">${said}</text>`;
  if (hasLines) {
    const across = Array.from({ length: scene.cols + 1 }, (_, x) =>
      text((flipped ? scene.cols - x : x) * UNIT, -24, String.fromCharCode(97 + x)),
    );
    const down = Array.from({ length: scene.rows + 1 }, (_, y) =>
      text(-30, (flipped ? scene.rows - y : y) * UNIT + 6, y + 1),
    );
    return [...across, ...down];
  }
  return scene.places.flatMap((place) => {
    const [x, y] = corner(place, scene, flipped);
    const name = /^([a-z]+)(\d+)$/.exec(place.name);
    if (!name) return [];
    return [
      ...(y === 0 ? [text((x + 0.5) * UNIT, -11, name[1])] : []),
      ...(x === 0 ? [text(-17, (y + 0.5) * UNIT + 6, name[2])] : []),
    ];
  });
}

/** What a cell consists of. @param {Drawn} drawn @param {Context} context */
function cell(drawn, { module }) {
  const { isBox } = drawn;
  const inset = isBox ? 0 : 3;
  const size = UNIT - 2 * inset;
  const standing = standingAt(drawn);
  return svg`
    <rect class="ground" x=${inset} y=${inset} width=${size} height=${size} rx=${isBox ? 0 : 10} />
    <rect class="claim" x="3" y="3" width="94" height="94" rx="10" />
    <g class="piece" aria-hidden="true" data-standing=${standing}>${standing ? drawing(drawn, module) : nothing}</g>
    <circle class="spot" cx="50" cy="50" r="13" />`;
}

/** What a line between dots consists of. @param {Drawn} drawn */
function stroke({ place }) {
  const [dx, dy] = place.shape === "horizontal" ? [50, 0] : [0, 50];
  return svg`
    <polygon class="area" points="-50,0 0,-50 50,0 0,50" />
    <line class="stroke" x1=${-dx} y1=${-dy} x2=${dx} y2=${dy} />`;
}

/** The value of the best move at a place. @param {Drawn} drawn @param {Context} context */
function badge({ best, shade }, { answer }) {
  const said = best ? mark(best, answer.to_move) : "";
  const width = Math.max(44, 13 * said.length + 16);
  const classes = best ? `badge shade-${shade}` : "badge";
  // Without blanks, which would be read.
  return svg`<g class=${classes} aria-hidden="true"><rect rx="9" x=${-width / 2} y="-18" width=${width} height="36" /><text text-anchor="middle">${said}</text></g>`;
}

/** @param {Drawn} drawn @param {Context} context */
function star({ place, best }, { isStarred, marks }) {
  const isShown = (isStarred && best?.class === "best") || marks.hint.includes(place.name);
  return svg`<path class="star ${isShown ? "shown" : ""}" d=${STAR} />`;
}

/** What is shown on a board that is a picture. @returns {Marks} */
export const picture = () => ({
  values: false,
  claims: true,
  flipped: false,
  selected: [],
  hint: [],
  last: [],
  winning: [],
  names: new Names({ first: "Player 1", second: "Player 2" }),
  owners: new Map(),
  line: [],
  played: 0,
  edits: null,
  movesAt: () => [],
});

/** Whether the best moves are few enough to be marked. @param {Move[]} moves */
const hasFewBest = (moves) => 2 * moves.filter((choice) => choice.class === "best").length <= moves.length;

/** The patterns of claims, which the legend uses as well. */
export const patterns = svg`<defs>
  <pattern id="stripes" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="14" /></pattern>
  <pattern id="spots" width="17" height="17" patternUnits="userSpaceOnUse"><circle cx="8.5" cy="8.5" r="4.5" /></pattern>
  <pattern id="hatch" width="13" height="13" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0H13M0 0V13" /></pattern>
</defs>`;
