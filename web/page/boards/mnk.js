// m,n,k games: crosses and rings.

import { cross, ring } from "../pieces.js";

/** @import { Answer, Rules } from "../../types/api.js" */
/** @import { Piece } from "./index.js" */

/** @param {Piece} piece */
export const piece = ({ owner }) => (owner === "first" ? cross() : ring());

/** What chosen options change. @param {Rules} rules */
export function rules({ k, misere }) {
  return [misere === "yes" ? `Whoever has ${k} in a row loses.` : `Here, ${k} in a row win.`];
}

/** The cells of the rows that decided the game. @param {Answer} answer */
export function winning({ rules, scene }) {
  const length = Number(rules.k);
  const owners = new Map(scene.places.map(({ x, y, owner }) => [`${x},${y}`, owner]));
  const names = new Map(scene.places.map(({ x, y, name }) => [`${x},${y}`, name]));
  const rows = scene.places.flatMap(({ x, y, owner }) =>
    [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ].map(([dx, dy]) => {
      const row = Array.from({ length }, (_, step) => `${x + step * dx},${y + step * dy}`);
      return owner && row.every((cell) => owners.get(cell) === owner) ? row : [];
    }),
  );
  return [...new Set(rows.flat())].map((cell) => names.get(cell) ?? "");
}

export const minutes = 1;
export const prompt = "Place a piece on an empty cell.";
export const intro =
  "Tic-tac-toe, on boards of any size: place pieces in turn. Three in a row win, across, down or diagonally.";
export const example = {
  rules: {},
  moves: ["b2", "a1", "c1"],
  say: "Player 1 threatens to complete the diagonal at a3, so Player 2 must play there.",
};

/** Best play in tic-tac-toe. */
export const lesson = {
  rules: {},
  steps: [
    { say: "You are X. Take the centre, b2: four of the eight rows go through it.", move: "b2", replies: ["a1"] },
    {
      say: "Your opponent took a corner, the only answer that does not lose. Play c1: then a3 would complete the diagonal.",
      move: "c1",
      replies: ["a3"],
    },
    {
      say: "Your opponent blocked and now threatens a2. Block it, which threatens c2 in turn.",
      move: "a2",
      replies: ["c2"],
    },
    { say: "Your opponent blocked again. Play b1, which threatens b3.", move: "b1", replies: ["b3"] },
    { say: "One cell is left: c3.", move: "c3" },
  ],
  end: "A draw, as always if both play best. Change the rules for larger boards, where the first player may win.",
};
