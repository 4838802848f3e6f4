// British Square: crosses and rings on tiles, which records name by their numbers.

import { cross, ring } from "../pieces.js";

/** @import { Player, Rules, Scene } from "../../types/api.js" */
/** @import { Piece } from "./index.js" */

/** @param {Piece} piece */
export const piece = ({ owner }) => (owner === "first" ? cross() : ring());
/** @param {number} index */
export const tile = (index) => String(index + 1);
export const claims = true;
export const typed = "most claim, most free-difference";

/** @param {Scene} scene */
export function tally({ places }) {
  /** @param {Player} player */
  const count = (player) => places.filter(({ owner, state }) => owner === player && state === "taken").length;
  return { first: count("first"), second: count("second"), unknown: 0 };
}

/** What chosen options change. @param {Rules} rules */
export function rules({ center_allowed: center, bias, pieces }) {
  const points = Number(bias);
  return [
    ...(center === "yes" ? ["Here the first move may also take the centre."] : []),
    ...(points > 0 ? [`The second player begins with ${points} ${points === 1 ? "point" : "points"}.`] : []),
    ...(points < 0 ? [`The first player begins with ${-points} ${points === -1 ? "point" : "points"}.`] : []),
    ...(pieces
      ? [`Each player has ${pieces} ${pieces === "1" ? "piece" : "pieces"}, and passes when they are placed.`]
      : []),
  ];
}

export const hasPoints = true;
export const terms = ["pass"];
export const minutes = 3;
export const prompt = "Place a piece on an open cell.";
export const intro =
  "Each piece closes the cells beside it to the opponent. When nobody can move, the player with more pieces wins.";
export const example = {
  rules: { board: "3x3" },
  moves: ["1", "9"],
  say: "Player 1 on a1 closes the striped cells to Player 2, who closes the spotted ones.",
};

/** Best play on 3x4, up to the end. */
export const lesson = {
  rules: { board: "3x4" },
  steps: [
    { say: "You are X. Place a piece on b2, the marked cell.", move: "6", replies: ["3"] },
    {
      say: "The striped cells are yours alone, the spotted ones your opponent’s, and nobody can use the hatched ones. Play a2: it closes a1 and a3 to your opponent.",
      move: "5",
      replies: ["12"],
    },
    { say: "Your opponent took d3. Play b3: then c3 is closed, too.", move: "10", replies: ["4"] },
    {
      say: "All free cells belong to one player now, and nobody can take them away. Fill one of yours: a1.",
      move: "1",
      replies: ["8"],
    },
    { say: "Your opponent has no cell left. Take your last one, a3.", move: "9" },
  ],
  end: "You have five pieces to four: you win by 1 point.",
};

/** Why a move is good, by a heuristic that prefers it. */
export const reasons = {
  "least-conflicts": "it leaves the fewest conflicts, pairs of cells that exclude each other",
  greedy: "it takes the most cells from the opponent",
  mirror: "it mirrors a piece of the opponent through the centre",
};
