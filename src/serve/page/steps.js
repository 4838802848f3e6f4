// A game with the answers to its positions, and the current position.

import { get } from "./api.js";

/** The number of cached answers. */
const MOST_KEPT = 2000;

export class Steps {
  /** `steps` has the answer to each position and the move that led there, none to the first. */
  constructor(steps, at = steps.length - 1) {
    this.steps = steps;
    this.goTo(at);
  }

  get last() { return this.steps.length - 1; }
  /** Whether there are later moves. */
  get looksBack() { return this.at < this.last; }
  get answer() { return this.steps[this.at].answer; }

  goTo(at) { this.at = Math.max(0, Math.min(at, this.last)); }

  /** Plays a move from the current position; removes the later moves. */
  play(move, answer) {
    this.cut();
    this.steps.push({ move, answer });
    this.at = this.last;
  }

  /** Removes the moves after the current position. */
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

/** Formats parameters, with commas and slashes unescaped for readability. */
export const readable = (all) => all.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");

/** Parses the fragment of a link: its parameters, and the moves and players among them. */
export function parseLink(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const who = (side) => (given.get(side) === "perfect" ? "perfect" : "you");
  const moves = words(given.get("moves"));
  const looked = Number.parseInt(given.get("at"), 10);
  const at = Number.isNaN(looked) ? moves.length : looked;
  return { given, moves, at, players: { first: who("first"), second: who("second") } };
}

export function words(text) { return (text ?? "").split(/[\s,]+/).filter(Boolean); }

/** Returns a function that requests answers and caches them. */
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

/** Requests the steps of a game; throws the refusal of the server. */
export async function askSteps(ask, start, moves) {
  const until = (count) => ask({ ...start, ...(count && { moves: moves.slice(0, count).join(",") }) });
  // The whole game is validated before its positions are requested.
  const whole = await until(moves.length);
  const answers = await Promise.all(moves.map((_, count) => until(count)));
  return [...answers, whole].map((answer, index) => ({ move: whole.played[index - 1], answer }));
}
