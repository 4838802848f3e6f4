// The report of a game: how often each player chose a best move, what mistakes cost, and where the
// outcome was decided.

import { html } from "./dom.js";
import { SIDES } from "./players.js";
import { blunder, counted, flaw, number, sentence } from "./words.js";

/**
 * The moves of each player that had an alternative and whose values are known: how many, how many
 * were best, mistakes (`?`) and blunders (`??`), and the points lost, or null in games without points.
 * `turning` is the last move that changed the outcome, `open` the number of moves without values.
 */
export function report(game, valued) {
  const players = Object.fromEntries(SIDES.map((side) => [side, { decisions: 0, best: 0, mistakes: 0, blunders: 0, cost: null }]));
  let [turning, open] = [null, 0];
  game.moves.forEach((_, ply) => {
    const choice = game.choice(ply, valued[ply]);
    if (!choice?.class) { open += 1; return; }
    if (valued[ply].moves.length === 1) return;
    const own = players[game.mover(ply)];
    own.decisions += 1;
    if (choice.class === "best") own.best += 1;
    if (choice.class === "keeps-outcome") own.mistakes += 1;
    if (choice.class === "changes-outcome") { own.blunders += 1; turning = ply; }
    if (choice.cost !== null) own.cost = (own.cost ?? 0) + number(choice.cost);
  });
  return { players, turning, open };
}

/** The columns of the report, each with its explanation. */
const COLUMNS = [["Accuracy", "share of best moves, among those with an alternative"], ["Best", "best moves"], ["?", "mistakes"],
  ["??", "mistakes that change the outcome"], ["Cost", "points lost by mistakes"]];

export function drawReport(place, { players, turning, open }, { game, valued, made, jump }) {
  const isScored = SIDES.some((side) => players[side].cost !== null);
  const columns = isScored ? COLUMNS : COLUMNS.slice(0, -1);
  const cells = ({ decisions, best, mistakes, blunders, cost }) =>
    [decisions ? `${Math.round((100 * best) / decisions)} %` : "–", `${best}/${decisions}`, mistakes, blunders, cost ?? 0].slice(0, columns.length);
  const row = (side) => html("tr", {}, html("th", { scope: "row", className: side, textContent: sentence(side) }),
    ...cells(players[side]).map((textContent) => html("td", { textContent })));
  const table = html("table", {}, html("thead", {}, html("tr", {}, html("td"), ...columns.map(([textContent, title]) => html("th", { scope: "col", textContent, title })))),
    html("tbody", {}, ...SIDES.map(row)));
  const text = html("p");
  if (open) text.textContent = `${counted(open, "move")} not valued yet.`;
  else if (turning === null) text.textContent = "No move changed the outcome.";
  else {
    const { choice, name, mover } = made[turning];
    const button = html("button", { type: "button", id: "turning", className: "move", textContent: `${turning + 1}. ${name} ${flaw(choice)}` });
    button.addEventListener("click", () => jump(turning));
    text.append("Turning point: ", button, ` by the ${mover} player. ${blunder(choice, valued[turning].moves[0])}`);
  }
  place.replaceChildren(table, text);
}
