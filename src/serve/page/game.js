// A game of British Square: rules, moves, and the current position. Only the server interprets the
// moves.

import { readable } from "./steps.js";

export const STANDARD = { board: "5x5", center_allowed: false, bias: 0, pieces: null };

export class Game {
  constructor({ rules = STANDARD, start = null, moves = [], at = moves.length } = {}) {
    Object.assign(this, { rules, start, moves, at });
  }

  get last() { return this.moves.length; }
  /** Whether there are later moves, so that machines wait. */
  get looksBack() { return this.at < this.last; }

  play(move) {
    this.moves = [...this.moves.slice(0, this.at), move];
    this.at = this.last;
  }
  goTo(at) { this.at = Math.max(0, Math.min(at, this.last)); }

  /** Removes the moves after the current position. */
  cut() { this.moves = this.moves.slice(0, this.at); }

  /** The query for the position after some of the moves. */
  query(at = this.at) {
    const text = parameters(this.rules, this.start, this.moves.slice(0, at)).toString();
    return text && "?" + text;
  }

  /** The query of a link to the game. */
  link(players) {
    const all = parameters(this.rules, this.start, this.moves);
    if (this.looksBack) all.set("at", this.at);
    for (const who of ["first", "second"]) {
      if (players[who] !== "you") all.set(who, players[who]);
    }
    const text = readable(all);
    return text && "?" + text;
  }

  /** The game record, as the command reads and writes it. */
  text() {
    const { board, center_allowed, bias, pieces } = this.rules;
    const lines = ["game: British Square", `board: ${board}`];
    if (center_allowed) lines.push("center allowed: yes");
    if (bias) lines.push(`bias: ${bias}`);
    if (pieces) lines.push(`pieces: ${pieces}`);
    if (this.start) lines.push(`start: ${this.start}`);
    return [...lines, `moves: ${this.moves.join(" ")}`.trim()].join("\n") + "\n";
  }
}

function parameters(rules, start, moves) {
  const all = new URLSearchParams();
  for (const name of Object.keys(STANDARD)) {
    const value = rules[name] ?? null;
    if (value !== null && String(value) !== String(STANDARD[name])) all.set(name, value);
  }
  if (start) all.set("position", start);
  if (moves.length) all.set("moves", moves.join(","));
  return all;
}

/** The game and the players of a link, which are not validated. */
export function fromLink(search) {
  const given = new URLSearchParams(search);
  const rules = { ...STANDARD };
  for (const name of Object.keys(STANDARD)) {
    if (given.has(name)) rules[name] = given.get(name);
  }
  const game = { rules, start: given.get("position"), moves: words(given.get("moves")) };
  if (given.has("at")) game.at = Number.parseInt(given.get("at"), 10) || 0;
  const players = { first: given.get("first") || "you", second: given.get("second") || "you" };
  return { game: new Game(game), players };
}

/** Parses a game record, moves (with the current rules), or a position. */
export function fromText(text, rules) {
  if (text.includes(":")) return fromLines(text);
  if (/^[\s,]*(\d|[a-z]\d|pass)/i.test(text)) return new Game({ rules, moves: words(text) });
  const rows = text.trim().split(/[\s/]+/).slice(0, -1);
  const board = rows.length ? `${rows.length}x${rows[0].length}` : rules.board;
  return new Game({ rules: { ...rules, board }, start: text.trim().replace(/\s+/g, " ") });
}

function fromLines(text) {
  const said = {};
  for (const line of text.replace(/^\uFEFF/, "").replace(/#.*/g, "").replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    if (!line.trim()) continue;
    const [, name, value] = /^([a-z ]+):(.*)$/i.exec(line) ?? [];
    if (!NAMES.includes(name?.trim().toLowerCase())) {
      throw new Error(`'${line.trim()}' is no line of a game; there are ${NAMES.join(", ")}`);
    }
    const key = name.trim().toLowerCase();
    if (key in said) throw new Error(`'${key}' stands there twice`);
    said[key] = value.trim();
  }
  if (!/^(british square)?$/i.test(said.game ?? "")) throw new Error(`'${said.game}' is not British Square`);
  if (!/^(yes|no)?$/.test(said["center allowed"] ?? "")) {
    throw new Error(`center allowed: '${said["center allowed"]}' is neither yes nor no`);
  }
  const rules = {
    board: said.board || STANDARD.board,
    center_allowed: said["center allowed"] === "yes",
    bias: said.bias || 0,
    pieces: said.pieces || null,
  };
  return new Game({ rules, start: said.start || null, moves: words(said.moves) });
}

const NAMES = ["game", "board", "center allowed", "bias", "pieces", "start", "moves"];

// `8 (c2)`, as moves are written, is one word.
function words(text) { return (text ?? "").replaceAll(" (", "(").split(/[\s,]+/).filter(Boolean); }
