// Questions to the server, and its answers kept in memory.

import { get } from "../api.js";

// Enough for many games.
const MOST_KEPT = 2000;
const kept = new Map();

async function ask(parameters) {
  const query = new URLSearchParams(parameters).toString();
  if (!kept.has(query)) {
    const answer = await get(`/api/dots?${query}`);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(query, answer);
  }
  return kept.get(query);
}

const askBoard = (parameters) => ask({ ...parameters, values: false });

/** What a position and its moves are worth; the server may refuse. */
export const scored = ({ position, rules }) => ask({ position, penalty: rules.penalty });

/** What the board is after a move. */
export const after = ({ position, rules }, move) =>
  askBoard({ position, penalty: rules.penalty, moves: move });

/** The steps of a game; fails with the server's sentence. */
export async function steps({ start, moves }) {
  const until = (count) => askBoard({ ...start, ...(count && { moves: moves.slice(0, count).join(",") }) });
  // The server judges the whole before anything else is asked.
  const whole = await until(moves.length);
  const answers = await Promise.all(moves.map((_, count) => until(count)));
  return [...answers, whole].map((answer, index) => ({ move: whole.played[index - 1], answer }));
}
