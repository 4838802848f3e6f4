// A game as the page holds it: what the server said of each of its positions, and which one is
// looked at.

import { get } from "./api.js";

/** Enough for many games. */
const MOST_KEPT = 2000;

export class Steps {
  /** `steps` has the answer to each position and the move that led there, none to the first. */
  constructor(steps, at = steps.length - 1) {
    this.steps = steps;
    this.goTo(at);
  }

  get last() { return this.steps.length - 1; }
  /** Whether later moves are known. */
  get looksBack() { return this.at < this.last; }
  get answer() { return this.steps[this.at].answer; }

  goTo(at) { this.at = Math.max(0, Math.min(at, this.last)); }

  /** Goes on from the position that is looked at. */
  play(move, answer) {
    this.cut();
    this.steps.push({ move, answer });
    this.at = this.last;
  }

  /** Forgets the moves after the one that is looked at. */
  cut() { this.steps = this.steps.slice(0, this.at + 1); }

  /** The parameters of a link: those of the start, moves from a step on, and the players. */
  parameters(start, players, from = 0) {
    const all = new URLSearchParams(start);
    if (this.last) all.set("moves", this.steps.slice(from + 1).map(({ move }) => move).join(","));
    if (this.looksBack) all.set("at", Math.max(0, this.at - from));
    for (const who of ["first", "second"]) {
      if (players[who] !== "you") all.set(who, players[who]);
    }
    return all;
  }
}

/** Commas and slashes may stand in a link as they are, and read better. */
export const readable = (all) => all.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");

/** What is behind the # of a link: its parameters, and the moves and players among them. */
export function parseLink(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const who = (side) => (given.get(side) === "perfect" ? "perfect" : "you");
  const moves = words(given.get("moves"));
  const looked = Number.parseInt(given.get("at"), 10);
  const at = Number.isNaN(looked) ? moves.length : looked;
  return { given, moves, at, players: { first: who("first"), second: who("second") } };
}

export function words(text) { return (text ?? "").split(/[\s,]+/).filter(Boolean); }

/** A function that asks the server and keeps its answers in memory. */
export function asker(path) {
  const kept = new Map();
  return async (parameters) => {
    const query = new URLSearchParams(parameters).toString();
    if (!kept.has(query)) {
      const answer = await get(`${path}?${query}`);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(query, answer);
    }
    return kept.get(query);
  };
}

/** The steps of a game; fails with the server's sentence. */
export async function askSteps(ask, start, moves) {
  const until = (count) => ask({ ...start, ...(count && { moves: moves.slice(0, count).join(",") }) });
  // The server judges the whole before anything else is asked.
  const whole = await until(moves.length);
  const answers = await Promise.all(moves.map((_, count) => until(count)));
  return [...answers, whole].map((answer, index) => ({ move: whole.played[index - 1], answer }));
}
