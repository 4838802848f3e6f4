// Questions to the server, and its answers kept in memory.

import { get } from "../api.js";

// Enough for many games.
const MOST_KEPT = 2000;
// Moves of best play that the server looks for.
const LONGEST = 70;
const kept = new Map();

/** The line of best play takes the server longest, and is asked for where it is shown. */
const ask = (parameters, line = 0) => askServer({ ...parameters, line });

async function askServer(parameters) {
  const query = new URLSearchParams(parameters).toString();
  if (!kept.has(query)) {
    const answer = await get(`/api/rpsw?${query}`);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(query, answer);
  }
  return kept.get(query);
}

/** Whether the server has nothing to look this game up in. */
export async function isMissing() {
  const games = await get("/api/games");
  return games.some(({ name, missing }) => name === "rpsw" && missing !== null);
}

/** The start of the game. */
export const usualStart = () => ask({});

/** What is known after a move. */
export const after = ({ position }, move) => ask({ position, moves: move });

/** Best play from a position; none where the server refuses. */
export function bestLine({ position }) {
  return ask({ position }, LONGEST).then(({ line }) => line, () => []);
}

/** The steps of a game; fails with the server's sentence. */
export async function steps({ position, moves }) {
  const start = position ? { position } : {};
  // The server judges the whole before anything else is asked.
  const whole = await ask({ ...start, ...(moves.length && { moves: moves.join(",") }) });
  const until = (count) => ask({ ...start, ...(count && { moves: moves.slice(0, count).join(",") }) });
  const answers = await Promise.all(moves.map((_, count) => until(count)));
  return [...answers, whole].map((answer, index) => ({ move: whole.played[index - 1], answer }));
}
