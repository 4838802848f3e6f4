// A game of Dots-and-Boxes, and its links.

import { Steps, parseLink, readable } from "../steps.js";

/** The parameters of the start, in queries and links. */
const STARTS = ["board", "variant", "penalty", "position"];
/** The default game. */
export const USUAL = { start: { board: "3x3" }, moves: [] };

export class Boxes extends Steps {
  /** `start` has the parameters of the start. */
  constructor(steps, start, at) {
    super(steps, at);
    this.start = start;
  }

  /** The fragment of a link to the game. */
  link(players) {
    const text = readable(this.parameters(this.start, players)).replaceAll("%7C", "|");
    return text === "board=3x3" ? "" : "#" + text;
  }
}

/** Parses a link, without validation. */
export function fromLink(hash) {
  const { given, moves, at, players } = parseLink(hash);
  const start = Object.fromEntries(STARTS.filter((name) => given.get(name)).map((name) => [name, given.get(name)]));
  const begin = start.board || start.position ? start : { ...USUAL.start, ...start };
  return { game: { start: begin, moves, at }, players };
}

/** Parses a link or a position. */
export function fromText(text) {
  if (text.includes("#")) return fromLink(text.slice(text.indexOf("#"))).game;
  return { start: { position: text.trim().replace(/\s+/g, " ") }, moves: [] };
}
