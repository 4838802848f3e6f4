// m,n,k games: crosses and rings.

import { cross, ring } from "../pieces.js";

/** @import { Piece } from "./index.js" */

/** @param {Piece} piece */
export const piece = ({ owner }) => (owner === "first" ? cross() : ring());

export const intro = "Place pieces in turn. Three in a row win: across, down or diagonally.";
export const example = {
  rules: {},
  moves: ["b2", "a1", "c1"],
  say: "X threatens to complete the diagonal at a3, so O must play there.",
};

/** Best play in tic-tac-toe. */
export const lesson = {
  rules: {},
  steps: [
    { say: "You are X. Take the centre, b2: four of the eight rows go through it.", move: "b2", replies: ["a1"] },
    {
      say: "O took a corner, the only answer that does not lose. Play c1: then a3 would complete the diagonal.",
      move: "c1",
      replies: ["a3"],
    },
    { say: "O blocked and now threatens a2. Block it, which threatens c2 in turn.", move: "a2", replies: ["c2"] },
    { say: "O blocked again. Play b1, which threatens b3.", move: "b1", replies: ["b3"] },
    { say: "One cell is left: c3.", move: "c3" },
  ],
  end: "A draw, as always if both play best. Change the rules for larger boards, where the first player may win.",
};
