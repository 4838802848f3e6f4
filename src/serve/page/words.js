// Formats numbers and results.

export const points = (count) => `${count} point${count === 1 ? "" : "s"}`;

/** Formats a number with a sign. */
export const signed = (value) =>
  value > 0 ? `+${value}` : value < 0 ? `\u2212${-value}` : "0";

export const symbol = (player) => (player === "first" ? "X" : "O");

const winner = (value) => (value > 0 ? "first player" : "second player");

/** The CSS class of a value. */
export const outcome = (value) =>
  value > 0 ? "wins-first" : value < 0 ? "wins-second" : "ties";

export function verdict(answer) {
  if (answer.game_over) {
    const score = answer.score;
    return score === 0 ? "A tie" : `The ${winner(score)} has won by ${points(Math.abs(score))}`;
  }
  if (answer.value === null) return null;
  if (answer.value === 0) return "Perfect play ties";
  return `The ${winner(answer.value)} wins by ${points(Math.abs(answer.value))} with perfect play`;
}

const result = (value) =>
  value === 0 ? "a tie" : `the ${winner(value)}'s win by ${Math.abs(value)}`;

/** `the first player's win by 2 becomes a tie`. */
export function change(before, after) {
  const same = Math.sign(before) === Math.sign(after);
  return `${result(before)} becomes ${same ? `a win by ${Math.abs(after)}` : result(after)}`;
}

/** Column letter and row number of a tile. */
export function coordinate(tile, columns) {
  return letter((tile - 1) % columns) + (Math.floor((tile - 1) / columns) + 1);
}

export const letter = (column) => {
  const rest = String.fromCharCode(97 + (column % 26));
  return column < 26 ? rest : letter(Math.floor(column / 26) - 1) + rest;
};

/** `8 (c2)`, or `pass`. */
export function moveName(move, columns) {
  return move === "pass" ? "pass" : `${move} (${coordinate(move, columns)})`;
}

export function rulesLabel({ board, center_allowed, bias, pieces }) {
  const parts = [board.replace("x", "×")];
  if (center_allowed) parts.push("centre allowed");
  if (bias) parts.push(`bias ${signed(Number(bias))}`);
  if (pieces) parts.push(`${pieces} piece${pieces === 1 ? "" : "s"} each`);
  return parts.join(", ");
}
