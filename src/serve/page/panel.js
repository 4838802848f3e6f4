// What is said beside the board.

import { html } from "./svg.js";
import { change, moveName, outcome, points, signed } from "./words.js";

/** The legal moves in groups of one cost, best first; each can be played from here. */
export function drawMoves(place, moves, { columns, over, play }) {
  const groups = new Map();
  for (const move of moves) {
    if (!groups.has(move.cost)) groups.set(move.cost, []);
    groups.get(move.cost).push(move);
  }
  const rows = [...groups].map(([cost, group]) => {
    const kind = html("span", {
      className: `value ${outcome(group[0].value)} ${cost === 0 ? "best" : ""}`,
      textContent: signed(group[0].value),
    });
    const name = cost === 0 ? "Perfect" : `Costs ${points(cost)}`;
    const title = html("dt", {}, kind, html("span", { textContent: name }));
    if (cost === 0) title.append(html("i", { className: "star" }));
    return html("div", {}, title, html("dd", {}, ...group.map((move) => button(move, columns, play))));
  });
  place.replaceChildren(rows.length
    ? html("dl", {}, ...rows)
    : html("p", { className: "quiet", textContent: over ? "The game is over." : "" }));
}

function button({ move }, columns, play) {
  const name = moveName(move, columns);
  const made = html("button", { type: "button", className: "move", title: name, textContent: move });
  made.setAttribute("aria-label", `play ${name}`);
  made.addEventListener("click", () => play(move));
  return made;
}

/** `12 (b3) costs 2 points: the first player's win by 2 becomes a tie.` */
export function blunderText({ move, cost, before, after }, columns) {
  return `${moveName(move, columns)} costs ${points(cost)}: ${change(before, after)}.`;
}

/** What a point of the graph stands for. */
export function pointText(index, said, columns) {
  const { move, mover, value, cost } = said;
  const played = index === 0
    ? "The start"
    : `Move ${index}, ${mover} player: ${moveName(move, columns)}`;
  const worth = value === null ? "value not known" : `value ${signed(value)}`;
  return `${played}, ${worth}${cost > 0 ? `, a blunder that costs ${points(cost)}` : ""}`;
}
