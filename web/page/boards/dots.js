// Dots-and-Boxes: the boxes of each player.

/** @import { Move, Player, Rules, Scene } from "../../types/api.js" */

/** @param {Scene} scene */
export function tally({ places }) {
  /** @param {Player | null} player */
  const count = (player) =>
    places.filter(({ shape, state, owner }) => shape === "cell" && state === "taken" && owner === player).length;
  return { first: count("first"), second: count("second"), unknown: count(null) };
}

/** What chosen options change. @param {Rules} rules */
export function rules({ variant, penalty }) {
  const points = Number(penalty);
  return [
    ...(variant === "icelandic" ? ["The lines on the left and at the bottom are drawn already."] : []),
    ...(variant === "swedish" ? ["The lines around the board are drawn already."] : []),
    ...(penalty && points !== 0 ? [`Whoever draws the last line gets ${penalty.replace("-", "\u2212")} points.`] : []),
  ];
}

export { counts } from "./chains.js";
export const nimbers = 20;
export const hasPoints = true;
export const terms = ["box"];
export const minutes = 4;
export const prompt = "Draw a line between two dots.";
export const intro =
  "Draw a line between two neighbouring dots. Closing a box scores a point and gives another turn; most boxes win.";
export const example = {
  rules: { board: "2x2" },
  moves: ["a1-b1", "a1-a2", "a2-b2", "b1-b2"],
  say: "Player 2 drew the fourth side of the upper left box, owns it now, and moves again.",
};

/** The second half of a game with best play. */
export const lesson = {
  rules: { board: "2x2" },
  start: "-./..|../--/...../.. A",
  steps: [
    { say: "Four lines are drawn. The upper left box has three sides: draw the fourth, a1 to a2.", move: "a1-a2" },
    {
      say: "A box gives another turn. Draw b2 to b3: after it, no box has three sides.",
      move: "b2-b3",
      replies: ["b1-c1"],
    },
    {
      say: "Each line would have been the third side of a box, so your opponent had to give you one. Close it: c1 to c2.",
      move: "c1-c2",
    },
    { say: "Now it is you who must give a box away: a2 to a3.", move: "a2-a3", replies: ["a3-b3", "c2-c3"] },
    { say: "Your opponent took it, had to move again, and gave you the last box: b3 to c3.", move: "b3-c3" },
  ],
  end: "Three boxes to one: you win by 2 points. On larger boards, whoever must open the first long chain usually loses.",
};

/** @type {Record<string, string>} */
const KINDS = {
  safe: "it leaves no box to take",
  "double-dealing": "it declines the last boxes of a chain, so that the opponent must move elsewhere",
  "hard-hearted handout": "it gives two boxes away in a way that cannot be declined",
  sacrifice: "it gives away as little as possible",
};

/** Why a best move is good. @param {Move} choice @param {Move[]} moves */
export function reason({ facts: { kind, taken } }, moves) {
  if (moves.every(({ facts }) => facts.kind === "loony")) return "every move is loony, and it gives away the least";
  return kind === "takes" ? `it closes ${Number(taken) > 1 ? "two boxes" : "a box"}` : KINDS[String(kind)];
}

/** What is wrong with a move. @param {Move} choice */
export const fault = ({ facts: { kind } }) => (kind === "loony" ? " It is a loony move." : "");
