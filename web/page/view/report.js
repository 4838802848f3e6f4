// The report of a game: how often each player chose a best move, what mistakes cost, and where the outcome was
// decided.

/** @import { Player } from "../../types/api.js" */
/** @import { Seen } from "./seen.js" */

import { mistakesIn } from "../activities/review.js";
import { goTo } from "../moves.js";
import { SIDES } from "../state.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { blunder, counted, flaw, number, winnerOf } from "../words.js";

/**
 * The moves of a player that had an alternative and whose values are known: how many, how many were best, mistakes
 * (`?`) and blunders (`??`), and the points lost, or null in games without points.
 * @typedef {{ decisions: number, best: number, mistakes: number, blunders: number, cost: number | null }} Record
 */

/**
 * What is known about the moves of a game. `turning` is the last move that changed the outcome, `open` the number of
 * moves without values.
 * @param {Seen} seen
 */
function reportOf({ game, valued }) {
  /** @returns {Record} */
  const empty = () => ({ decisions: 0, best: 0, mistakes: 0, blunders: 0, cost: null });
  /** @type {globalThis.Record<Player, Record>} */
  const players = { first: empty(), second: empty() };
  /** @type {number | null} */
  let turning = null;
  let open = 0;
  for (const ply of game.moves.keys()) {
    const answer = valued[ply];
    const choice = game.choice(ply, answer);
    if (!answer || !choice?.class) {
      open += 1;
      continue;
    }
    if (answer.moves.length === 1) continue;
    const own = players[game.mover(ply)];
    own.decisions += 1;
    if (choice.class === "best") own.best += 1;
    if (choice.class === "keeps-outcome") own.mistakes += 1;
    if (choice.class === "changes-outcome") {
      own.blunders += 1;
      turning = ply;
    }
    if (choice.cost !== null) own.cost = (own.cost ?? 0) + number(choice.cost);
  }
  return { players, turning, open };
}

/** The columns of the report, each with its explanation. */
const COLUMNS = [
  ["Accuracy", "share of best moves, among those with an alternative"],
  ["Best", "best moves"],
  ["?", "mistakes"],
  ["??", "mistakes that change the outcome"],
  ["Cost", "points lost by mistakes"],
];

/** @param {Seen} seen */
export function report(seen) {
  const { state, names } = seen;
  const { players, turning, open } = reportOf(seen);
  const isScored = SIDES.some((side) => players[side].cost !== null);
  const columns = isScored ? COLUMNS : COLUMNS.slice(0, -1);
  /** @param {Record} record */
  const cells = ({ decisions, best, mistakes, blunders, cost }) => {
    const share = decisions ? `${Math.round((100 * best) / decisions)} %` : "–";
    return [share, `${best}/${decisions}`, mistakes, blunders, cost ?? 0].slice(0, columns.length);
  };
  const row = (/** @type {Player} */ side) =>
    html`<tr>
      <th scope="row" class=${side}>${names.title(side)}</th>
      ${cells(players[side]).map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  return html`<table>
      <thead>
        <tr>
          <td></td>
          ${columns.map(([name, title]) => html`<th scope="col" title=${title}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${SIDES.map(row)}
      </tbody>
    </table>
    ${state.shown.values || open ? html`<p>${summary(seen, turning, open)}</p>` : nothing}`;
}

/** @param {Seen} seen @param {number | null} turning @param {number} open */
function summary({ state, made, names, valued }, turning, open) {
  if (open) return `${counted(open, "move")} not valued yet.`;
  const best = turning === null ? undefined : valued[turning]?.moves[0];
  if (turning === null || !best) return "No move changed the outcome.";
  const { choice, name, mover } = made[turning];
  const jump = () => {
    goTo(state, turning);
    document.getElementById("status")?.scrollIntoView({ block: "nearest" });
  };
  return html`Turning point:
    <button type="button" id="turning" class="move" @click=${jump}>${turning + 1}. ${name} ${flaw(choice)}</button>
    by ${names.of(mover)}. ${choice && blunder(choice, best, names)}`;
}

/**
 * The plies of the mistakes of the player who is called `you`; null without one, or while the values are not known.
 * @param {Seen} seen
 */
export function ownMistakes({ game, names, valued }) {
  if (!names.you || valued.includes(null)) return null;
  return mistakesIn(game, valued, (ply) => game.mover(ply) === names.you);
}

/**
 * What a person gave away in a finished game, in a sentence; null while the values are not known.
 * @param {Seen} seen
 */
export function givenAway(seen) {
  const { game, valued } = seen;
  const mistakes = ownMistakes(seen);
  if (!mistakes) return null;
  const changed = mistakes.findLast((ply) => game.choice(ply, valued[ply])?.class === "changes-outcome");
  const ply = changed ?? mistakes.at(-1);
  if (ply === undefined) return "You made no mistake.";
  const cost = game.choice(ply, valued[ply])?.cost ?? 0;
  const best = valued[ply]?.moves[0].value ?? null;
  const what = number(cost) > 0 ? counted(cost, "point") : `the ${winnerOf(best) ? "win" : best?.outcome}`;
  return `You gave away ${what} on move ${ply + 1}.`;
}
