// Formats results.

const plies = (count) => `${count} ${count === 1 ? "ply" : "plies"}`;

export const opponent = (player) => (player === "first" ? "second" : "first");

/** Short, for a mark on the board: `won 5`. */
export const mark = ({ result, plies }) => (plies === null ? result : `${result} ${plies}`);

/** `won in 5 plies`. */
export const worth = ({ result, plies: count }) =>
  count === null ? result : `${result} in ${plies(count)}`;

/** The winner, if the player to move has such a result. */
export function winner(player, { result }) {
  return { won: player, lost: opponent(player), drawn: null }[result];
}

/** The CSS class of a verdict. */
export const outcome = (player, verdict) =>
  ({ first: "wins-first", second: "wins-second", null: "ties" })[winner(player, verdict)];

/** Describes the result of best play. */
export function verdict({ to_move: mover, result, plies: count }) {
  const wins = winner(mover, { result });
  return wins
    ? `The ${wins} player wins in ${plies(count)} with perfect play.`
    : "Neither can win against perfect play.";
}

/** The result of a finished game. */
export const end = ({ winner: victor }) => (victor ? `The ${victor} player has won` : "A draw");

/** Why the game is over. */
export const overText = ({ winner: victor, to_move: mover }) =>
  victor ? "The game is over." : `The game is over: the ${mover} player cannot move.`;

/** `paper b1 to b2`, `paper b1 takes rock b2`. */
export function moveText({ from, to, capture }, kind) {
  return `${kind} ${from} ${capture ? `takes ${capture}` : "to"} ${to}`;
}

/** `P b1–b2`, `P b1×b2`. */
export const moveLabel = ({ from, to, capture }, kind) =>
  `${kind[0].toUpperCase()} ${from}${capture ? "×" : "–"}${to}`;

const RANKS = ["lost", "drawn", "won"];

/** Describes a mistake; empty for other moves. */
export function blunder({ move, mover, result, plies: count, before }) {
  if (RANKS.indexOf(result) >= RANKS.indexOf(before.result)) return "";
  const gone = before.result === "won" ? "gives the win away" : "gives the draw away";
  const now = result === "drawn"
    ? "neither can win any more"
    : `the ${opponent(mover)} player now wins in ${plies(count - 1)}`;
  return `${move} ${gone}: ${now}.`;
}

/** The kind of the piece on a square. */
export const kindOn = ({ pieces }, square) => pieces.find((piece) => piece.square === square)?.kind;

export function rulesLabel({ board, pieces, total }) {
  const parts = [board.replace("x", "×")];
  if (pieces < 4) parts.push(`at most ${pieces} piece${pieces === 1 ? "" : "s"} each`);
  if (total < 2 * pieces) parts.push(`at most ${total} in all`);
  return parts.join(", ");
}
