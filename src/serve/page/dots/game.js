// A game as the page holds it, and as a link tells it.

import { Game } from "../rpsw/game.js";

const PLAYERS = ["first", "second"];
/** How a game may begin: parameters of the server and of a link. */
const STARTS = ["board", "variant", "penalty", "position"];
/** The game that a link without anything begins. */
export const USUAL = { start: { board: "3x3" }, moves: [] };

export class Boxes extends Game {
  /** `begin` has the parameters of the start. */
  constructor(steps, begin, at) {
    super(steps, at);
    this.begin = begin;
  }

  /** What stands behind the # of the address. */
  link(players) {
    const all = new URLSearchParams(this.begin);
    if (this.last) all.set("moves", this.steps.slice(1).map(({ move }) => move).join(","));
    if (this.looksBack) all.set("at", this.at);
    for (const who of PLAYERS) {
      if (players[who] !== "you") all.set(who, players[who]);
    }
    const text = all.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%7C", "|");
    return text === "board=3x3" ? "" : "#" + text;
  }
}

/** What a link asks for; nothing is judged yet. */
export function fromLink(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const who = (side) => (given.get(side) === "perfect" ? "perfect" : "you");
  const start = Object.fromEntries(STARTS.filter((name) => given.get(name)).map((name) => [name, given.get(name)]));
  const moves = words(given.get("moves"));
  const looked = Number.parseInt(given.get("at"), 10);
  return {
    game: {
      start: start.board || start.position ? start : { ...USUAL.start, ...start },
      moves,
      at: Number.isNaN(looked) ? moves.length : looked,
    },
    players: { first: who("first"), second: who("second") },
  };
}

/** A pasted link, or a position. */
export function fromText(text) {
  if (text.includes("#")) return fromLink(text.slice(text.indexOf("#"))).game;
  return { start: { position: text.trim().replace(/\s+/g, " ") }, moves: [] };
}

function words(text) { return (text ?? "").split(/[\s,]+/).filter(Boolean); }
