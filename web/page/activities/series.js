// How many puzzles of a game were solved at the first try, and how many in a row. The browser remembers it.

import { recall, remember } from "../memory.js";

/** The most solved puzzles that are remembered one by one. */
const MOST = 500;

/** @typedef {{ solved: string[], missed: string[], row: number, best: number, all: number }} Record */

/** @param {string} game @returns {Record} */
function read(game) {
  const none = { solved: [], missed: [], row: 0, best: 0, all: 0 };
  try {
    return { ...none, ...JSON.parse(recall(`puzzles ${game}`) || "{}") };
  } catch {
    // Something else was stored under this name.
    return none;
  }
}

/**
 * Counts a puzzle that was solved, or tried in vain, once.
 * @param {string} game
 * @param {string} puzzle
 * @param {boolean} isSolved
 */
export function count(game, puzzle, isSolved) {
  const { solved, missed, row, best, all } = read(game);
  if (solved.includes(puzzle) || missed.includes(puzzle)) return;
  const now = isSolved ? row + 1 : 0;
  const kept = {
    solved: isSolved ? [...solved, puzzle].slice(-MOST) : solved,
    missed: isSolved ? missed : [...missed, puzzle].slice(-MOST),
    row: now,
    best: Math.max(best, now),
    all: all + Number(isSolved),
  };
  remember(`puzzles ${game}`, JSON.stringify(kept));
}

/** The series in a sentence after a blank; nothing for the first puzzles. @param {string} game */
export function series(game) {
  const { row, best, all } = read(game);
  if (all < 2) return "";
  const inRow = row > 1 ? `, ${row} of them in a row` : "";
  return ` ${all} solved at the first try${inRow}${best > row ? `, the most in a row ${best}` : ""}.`;
}
