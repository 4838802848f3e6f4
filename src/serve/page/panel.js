// The texts beside the board.

import { badge, drawGroups, moveButton } from "./frame.js";
import { html } from "./svg.js";
import { change, moveName, outcome, points, signed } from "./words.js";

/** Draws the legal moves in groups of equal cost, best first. */
export function drawMoves(place, moves, { columns, over, play }) {
  drawGroups(place, moves, {
    key: ({ cost }) => cost,
    title: ({ cost, value }) => {
      const name = html("span", { textContent: cost === 0 ? "Perfect" : `Costs ${points(cost)}` });
      const star = cost === 0 ? [html("i", { className: "star" })] : [];
      return [badge(outcome(value), cost === 0, { textContent: signed(value) }), name, ...star];
    },
    button: ({ move }) => moveButton(move, moveName(move, columns), () => play(move)),
    none: over ? "The game is over." : "",
  });
}

/** `12 (b3) costs 2 points: the first player's win by 2 becomes a tie.` */
export function blunderText({ move, cost, before, after }, columns) {
  return `${moveName(move, columns)} costs ${points(cost)}: ${change(before, after)}.`;
}

/** The label of a point of the graph. */
export function pointText(index, said, columns) {
  const { move, mover, value, cost } = said;
  const played = index === 0
    ? "The start"
    : `Move ${index}, ${mover} player: ${moveName(move, columns)}`;
  const worth = value === null ? "value not known" : `value ${signed(value)}`;
  return `${played}, ${worth}${cost > 0 ? `, a blunder that costs ${points(cost)}` : ""}`;
}
