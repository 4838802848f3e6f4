// A game of rock-paper-scissors-well, and its links.

import { Steps, parseLink, readable, words } from "../steps.js";

// A link contains at most this number of moves, the last ones.
const MOST_IN_LINK = 200;

export class Game extends Steps {
  /** The move to the current position, with its value. */
  get lastMove() { return this.moveTo(this.at); }

  /** A move with its value, its player, and the answer before it. */
  moveTo(at) {
    const { move } = this.steps[at];
    if (!move) return null;
    const before = this.steps[at - 1].answer;
    return { ...before.moves.find((known) => known.move === move), mover: before.to_move, before };
  }

  /** Whether the current position has occurred before. */
  get comesBack() {
    const { position } = this.answer;
    return this.steps.slice(0, this.at).some(({ answer }) => answer.position === position);
  }

  /** The fragment of a link to the game. */
  link({ usual, players, flipped }) {
    const skipped = Math.max(0, this.last - MOST_IN_LINK);
    const { position } = this.steps[skipped].answer;
    const all = this.parameters(position === usual ? {} : { position }, players, skipped);
    if (flipped) all.set("flip", "yes");
    const text = readable(all);
    return text && "#" + text;
  }
}

/** Parses a link, without validation. */
export function fromLink(hash) {
  const { given, moves, at, players } = parseLink(hash);
  const game = { position: given.get("position"), moves, at };
  return { game, players, flipped: given.get("flip") === "yes" };
}

/** Parses a link, a position, or moves from the start. */
export function fromText(text) {
  if (text.includes("#")) return fromLink(text.slice(text.indexOf("#"))).game;
  const isMoves = /^[\s,]*([a-z]\d[a-z]\d[\s,]*)+$/i.test(text);
  const moves = isMoves ? words(text.toLowerCase()) : [];
  return { position: isMoves ? null : text.trim().replace(/\s+/g, " "), moves, at: moves.length };
}

/** Shuffles the pieces of each base row. */
export function shuffled(position) {
  const [board, mover] = position.split(" ");
  const rows = board.split("/");
  for (const row of [0, rows.length - 1]) rows[row] = mixed([...rows[row]]).join("");
  return `${rows.join("/")} ${mover}`;
}

function mixed(letters) {
  for (let last = letters.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [letters[last], letters[other]] = [letters[other], letters[last]];
  }
  return letters;
}
