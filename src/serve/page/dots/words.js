// Formats scores and results.

import { signed } from "../words.js";

export const letter = (player) => (player === "first" ? "A" : "B");

const named = (player) => `${player === "first" ? "First" : "Second"} player`;
const winner = (score) => named(score > 0 ? "first" : "second").toLowerCase();

export const turn = (answer) =>
  answer.game_over ? end(answer) : `${named(answer.to_move)} (${letter(answer.to_move)}) to move`;

/** The result of a finished game. */
export const end = ({ score }) =>
  score === 0 ? "A tie" : `The ${winner(score)} has won by ${Math.abs(score)}`;

/** Describes the result of best play. */
export function verdict({ value, to_move: mover, taken, score }) {
  if (value === null) return "";
  if (taken.unknown) return `${signed(value)} from here on for who is to move, with perfect play.`;
  const total = score + (mover === "first" ? value : -value);
  if (total === 0) return "Perfect play ends in a tie.";
  return `The ${winner(total)} wins by ${Math.abs(total)} with perfect play.`;
}

/** `A 2 : 1 B`. */
export function tally({ taken }) {
  const unknown = taken.unknown ? `, ${taken.unknown} unknown` : "";
  return `A ${taken.first} : ${taken.second} B${unknown}`;
}

/** `a1 to b1, taking a box`. */
export function moveText({ move, takes }) {
  const taking = ["", ", taking a box", ", taking two boxes"][takes];
  return move.replace("-", " to ") + taking;
}

/** The CSS class of a score for the player to move. */
export function outcome(mover, score) {
  if (score === 0) return "ties";
  return (mover === "first") === (score > 0) ? "wins-first" : "wins-second";
}

/** Describes a mistake; empty for other moves. */
export function blunder({ move }, { value, moves }) {
  const cost = value - moves.find((known) => known.move === move).score;
  return cost > 0 ? `${move} costs ${cost} point${cost === 1 ? "" : "s"}.` : "";
}

export function rulesLabel({ board, penalty }) {
  const parts = [board.replace("x", "×")];
  if (penalty) parts.push(`${signed(penalty)} for the last line`);
  return parts.join(", ");
}
