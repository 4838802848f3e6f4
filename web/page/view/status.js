// Whose turn it is, who wins, and the points so far: once, above the board.

/** @import { Player } from "../../types/api.js" */
/** @import { Seen } from "./seen.js" */

import { Editor } from "../activities/editor.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { isKnown, number, result, scoreOf, sentence, signed, stopped, verdict, winnerOf } from "../words.js";
import { tokenOf } from "./players.js";
import { givenAway } from "./report.js";

/** @param {Seen} all */
export function status(all) {
  const { state, game, answer, module, names, valued } = all;
  const { activity } = state;
  // The answer is about the last valid position.
  if (activity instanceof Editor && activity.reason) return drafted;
  const over = answer.is_over;
  const winner = over ? winnerOf(answer.value) : undefined;
  const shape = over ? winner : answer.to_move;
  const isValued = over || (state.shown.values && (valued[game.at] !== null || answer.bounds !== null));
  const parts = [
    over ? (givenAway(all) ?? "") : isValued ? stopped(verdict(answer, names)) : "",
    answer.is_reachable ? "" : "Play from the start does not reach this position.",
  ];
  const told = parts.filter(Boolean).join(" ");
  return html`<div class="status" id="status" data-winner=${(over && shape) || ""}>
      <svg class="mover" viewBox="0 0 100 100" aria-hidden="true" id="mover">
        ${shape ? svg`${tokenOf(module, shape)}` : nothing}
      </svg>
      <h2>
        <span id="turn"
          >${over ? stopped(result(answer, names)) : `${sentence(names.whose(answer.to_move))} turn`}</span
        >
        <small id="ply">${over || game.start ? "" : `move ${game.at + 1}`}</small>
      </h2>
      <p id="score">${score(all, isValued)}</p>
      <p id="verdict">${told}</p>
      ${told ? nothing : html`<p id="prompt">${prompt(all)}</p>`}
    </div>
    ${isValued ? bar(all) : html`<div class="bar"></div>`}`;
}

/** What a person who is to move can do. @param {Seen} all */
function prompt({ state, answer, module }) {
  if (answer.is_over || !state.activity.hasComputers || !state.mayMove) return "";
  return state.selected.length > 0 ? "Choose where it goes." : (module.prompt ?? "");
}

/** What is said of a draft that is not a position. */
const drafted = html`<div class="status" id="status" data-winner="">
    <h2><span id="turn">Setting up</span></h2>
  </div>
  <div class="bar"></div>`;

/** The points so far, if the game has some. @param {Seen} all @param {boolean} isValued */
function score({ answer, module, names }, isValued) {
  const tally = module.tally?.(answer.scene);
  if (!tally) return answer.score === null || !isValued ? "" : `score ${signed(answer.score)}`;
  const icon = (/** @type {Player} */ side) =>
    html`<svg viewBox="0 0 100 100" role="img" aria-label=${names.title(side)}>${svg`${tokenOf(module, side)}`}</svg>`;
  return html`${icon("first")}${tally.first} :
  ${tally.second}${icon("second")}${tally.unknown ? ` ${tally.unknown} unknown` : ""}`;
}

/** How far the value favours each player: the left part belongs to the first one. @param {Seen} all */
function bar({ answer }) {
  if (!isKnown(answer)) return html`<div class="bar unknown" aria-hidden="true"></div>`;
  const winner = winnerOf(answer.value);
  const score = scoreOf(answer);
  const points = score === null ? 0 : number(score);
  // A point is worth much, another one less.
  const lead = score === null ? (winner === "first" ? 1 : winner ? -1 : 0) : points / (Math.abs(points) + 3);
  return html`<div class="bar" aria-hidden="true"><i .style=${`width: ${50 + 45 * lead}%`}></i></div>`;
}
