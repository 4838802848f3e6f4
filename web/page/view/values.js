// What is known about values: the legend of the marks, and the cards beside the board.

/** @import { Move } from "../../types/api.js" */
/** @import { Seen } from "./seen.js" */

import { movesAt, toggle } from "../moves.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { SHADES } from "../words.js";
import { explained } from "./glossary.js";
import { graph } from "./graph.js";
import { bestLine, movesByCost } from "./lists.js";

/** Whether values are points, as far as is known. @param {Seen} all */
function isScored({ valued, module }) {
  const known = valued.find(Boolean);
  return known ? (known.value ? known.value.score : known.to_come) !== null : Boolean(module.hasPoints);
}

/** The moves whose values are on the board: the best at each place that can be pressed. @param {Seen} all */
function marked({ state: { selected }, answer: { moves } }) {
  /** @type {Map<string, Move>} */
  const best = new Map();
  for (const choice of movesAt(moves, selected)) {
    const place = choice.places[selected.length] ?? "";
    if (!best.has(place)) best.set(place, choice);
  }
  return [...best.values()];
}

/** What the marks on the board mean. @param {Seen} all */
export function legend(all) {
  const { answer, names } = all;
  const classes = new Set(marked(all).map((choice) => choice.class));
  const group = (/** @type {string} */ name, /** @type {number[]} */ shades) =>
    html`<li class="of-values">
      <span class="scale">${shades.map((shade) => html`<i class="shade-${shade}"></i>`)}</span> ${name}
    </li>`;
  const claim = (/** @type {string} */ pattern, /** @type {string} */ name) =>
    html`<li class="of-claims">
      <svg class="swatch" viewBox="0 0 36 36" aria-hidden="true">
        <rect width="36" height="36" fill="url(#${pattern})" /></svg
      >${name}
    </li>`;
  return html`<ul class="legend" aria-label="Legend">
    ${claim("stripes", `only ${names.of("first")}`)} ${claim("spots", `only ${names.of("second")}`)}
    ${claim("hatch", "nobody")} ${classes.has("best") ? group("best move", SHADES.best) : nothing}
    ${classes.has("keeps-outcome") ? group("keeps the outcome", SHADES["keeps-outcome"]) : nothing}
    ${classes.has("changes-outcome") ? group("changes the outcome", SHADES["changes-outcome"]) : nothing}
    ${isScored(all) && !answer.is_over ? html`<li class="of-values" id="aim">${aim(all)}</li>` : nothing}
  </ul>`;
}

/** What the numbers on the board are. @param {Seen} all */
function aim({ answer, names }) {
  const better = answer.to_move === "first" ? "higher" : "lower";
  return `Numbers: ${names.whose("first")} lead at the end; ${names.does(answer.to_move, "prefer")} ${better} ones`;
}

const OF_POINTS =
  "The value of a position is the first player's points minus the second player's at the end of the game, if both play best: +1 means that the first player wins by 1 point, \u22121 that the second player does, 0 a tie. The number at a place is the value after the move there, and its shade tells what the move costs the player to move.";
const OF_OUTCOMES =
  "The value of a position is its outcome if both play best: a win or loss of the player to move, with the number of moves until then, or a tie or draw, which neither can win. The mark at a place is the value after the move there, and its shade tells how good the move is.";

/** The cards about values. @param {Seen} all */
export function values(all) {
  const { state, answer, module, names, nimber } = all;
  const { shown } = state;
  const terms = [...(module.terms ?? []), "value", "tie", "draw"];
  const counts = (state.activity.hasCounts && module.counts?.(answer, names, nimber)) || [];
  return html`<section
      class="card"
      aria-labelledby="values-title"
      ?hidden=${!shown.values && !state.activity.hasComputers}
    >
      <h3 id="values-title" class="unless-values">Values</h3>
      <p class="unless-values">
        The values of moves are hidden, so that you can think for yourself.
        <button type="button" id="reveal" @click=${() => toggle(state, "values")}>Show the value of every move</button>
      </p>
      <details id="numbers" ?hidden=${!shown.values}>
        <summary>What do these values mean?</summary>
        <p id="meaning">${explained(isScored(all) ? OF_POINTS : OF_OUTCOMES, terms)}</p>
      </details>
    </section>
    <section class="card" aria-labelledby="graph-title" ?hidden=${!all.isJudged}>
      <h3 id="graph-title">Value of the positions played</h3>
      <div id="graph">${all.isJudged ? graph(all, state.graphWidth) : nothing}</div>
    </section>
    <section class="card of-values" aria-labelledby="best-title">
      <h3 id="best-title">Moves by cost</h3>
      <div id="best">${shown.values ? movesByCost(all) : nothing}</div>
    </section>
    <section class="card of-values line-card" aria-labelledby="line-title">
      <h3 id="line-title">
        Best play from here
        <button
          type="button"
          id="draw-line"
          class="switch"
          aria-pressed=${String(shown.line)}
          @click=${() => toggle(state, "line")}
        >
          On the board
        </button>
      </h3>
      <div id="line">${shown.values ? bestLine(all) : nothing}</div>
    </section>
    <section class="card" aria-labelledby="counts-title" ?hidden=${counts.length === 0}>
      <h3 id="counts-title">Chains and loops</h3>
      <p id="counts">${explained(counts.join(" "), ["chain", "loop", "controlled value", "nimber", "nimstring"])}</p>
    </section>`;
}
