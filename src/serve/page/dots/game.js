// A game of Dots-and-Boxes, and as a link tells it.

import { Steps, parseLink, readable } from "../steps.js";

/** How a game may begin: parameters of the server and of a link. */
const STARTS = ["board", "variant", "penalty", "position"];
/** The game that a link without anything begins. */
export const USUAL = { start: { board: "3x3" }, moves: [] };

export class Boxes extends Steps {
  /** `start` has the parameters of the start. */
  constructor(steps, start, at) {
    super(steps, at);
    this.start = start;
  }

  /** What stands behind the # of the address. */
  link(players) {
    const text = readable(this.parameters(this.start, players)).replaceAll("%7C", "|");
    return text === "board=3x3" ? "" : "#" + text;
  }
}

/** What a link asks for; nothing is judged yet. */
export function fromLink(hash) {
  const { given, moves, at, players } = parseLink(hash);
  const start = Object.fromEntries(STARTS.filter((name) => given.get(name)).map((name) => [name, given.get(name)]));
  const begin = start.board || start.position ? start : { ...USUAL.start, ...start };
  return { game: { start: begin, moves, at }, players };
}

/** A pasted link, or a position. */
export function fromText(text) {
  if (text.includes("#")) return fromLink(text.slice(text.indexOf("#"))).game;
  return { start: { position: text.trim().replace(/\s+/g, " ") }, moves: [] };
}
