// Who plays: a person, or an agent of the server.

/** @import { Agent, Info, Player } from "../../types/api.js" */
/** @import { State } from "../state.js" */
/** @import { Seen } from "./seen.js" */

import { token } from "../pieces.js";
import { chosen } from "../requests.js";
import { SIDES } from "../state.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { sentence, stopped } from "../words.js";

/** The entry of an opponent that is given as text. */
const TYPED = "\n";
/** Headings, each for agents with at most a share of mistakes in percent. @type {[string, number][]} */
const LEVELS = [
  ["Strong", 5],
  ["Medium", 15],
  ["Easy", 40],
  ["Beginner", 100],
];

/** The token of a player. @param {Seen["module"]} module @param {Player} side */
export const tokenOf = (module, side) =>
  module.piece && !module.noun ? module.piece({ owner: side, symbol: "" }) : token(side);

/** @param {Seen} seen */
export function players({ state, game, module }) {
  const groups = groupsOf(game.info);
  return html`<section class="card players" aria-label="Players">
    ${SIDES.map((side) => {
      const agent = game.info.agents.find(({ name }) => name === state.players[side]);
      const isTyped = state.typing.has(side) || (!state.isPerson(side) && !agent);
      const chosenValue = isTyped ? TYPED : state.players[side];
      const option = (/** @type {string} */ value, /** @type {string} */ text) =>
        html`<option value=${value} .selected=${live(value === chosenValue)}>${text}</option>`;
      return html`<div class="player">
        <label for=${side}
          ><svg viewBox="0 0 100 100" aria-hidden="true">${svg`${tokenOf(module, side)}`}</svg>${sentence(side)}
          player</label
        >
        <select id=${side} @change=${(/** @type {Event} */ event) => choose(state, side, event)}>
          ${option("you", "You")}
          ${groups.map(
            ([label, agents]) =>
              html`<optgroup label=${label}>${agents.map((one) => option(one.name, described(label, one)))}</optgroup>`,
          )}
          ${module.typed ? html`<optgroup label="Your own">${option(TYPED, "Ordered rules…")}</optgroup>` : nothing}
        </select>
        <input
          type="text"
          id="${side}-typed"
          ?hidden=${!isTyped}
          aria-label="Rules of the ${side} player"
          spellcheck="false"
          placeholder=${module.typed ?? ""}
          .value=${agent || state.isPerson(side) ? "" : state.players[side]}
          @change=${(/** @type {Event} */ event) => type(state, side, event)}
        />
        <p class="quiet">${agent ? stopped(sentence(agent.summary)) : ""}</p>
      </div>`;
    })}
    <p id="players-error" class="error" role="alert" ?hidden=${state.errors.players === null}>
      ${state.errors.players}
    </p>
  </section>`;
}

/** @param {State} state @param {Player} side @param {Event} event */
function choose(state, side, { target }) {
  const { value } = /** @type {HTMLSelectElement} */ (target);
  if (value !== TYPED) {
    set(state, side, value);
    return;
  }
  state.typing.add(side);
  state.changed();
  document.getElementById(`${side}-typed`)?.focus();
}

/** @param {State} state @param {Player} side @param {string} agent */
function set(state, side, agent) {
  state.typing.delete(side);
  state.players[side] = agent;
  state.errors.players = null;
  state.rest();
  state.changed("pushState");
}

/** Accepts a text if the server does. @param {State} state @param {Player} side @param {Event} event */
async function type(state, side, { target }) {
  const text = /** @type {HTMLInputElement} */ (target).value.trim();
  if (!text || !state.game) return;
  try {
    if (!state.accepted.has(text)) await chosen(state.game.question(0), text, 0);
    state.accepted.add(text);
    set(state, side, text);
  } catch (refused) {
    state.errors.players = /** @type {Error} */ (refused).message;
    state.changed();
  }
}

/** The agents under headings, the weakest first as the server has them. @param {Info} info */
function groupsOf({ agents }) {
  /** @type {[string, Agent[]][]} */
  const groups = [];
  let level = LEVELS[LEVELS.length - 1][0];
  for (const agent of agents) {
    const { name, mistakes } = agent;
    if (mistakes !== null) level = LEVELS.find(([, most]) => mistakes <= most)?.[0] ?? level;
    if (name === "perfect") level = "Perfect";
    const last = groups[groups.length - 1];
    if (last?.[0] === level) last[1].push(agent);
    else groups.push([level, [agent]]);
  }
  return groups;
}

/** An agent in words: `Easy: greedy, wrong in 23 % of its moves`. @param {string} level @param {Agent} agent */
function described(level, { name, mistakes }) {
  const share = /^mistakes-(\d+)$/.exec(name);
  if (name === "perfect") return "Perfect play";
  if (name === "random") return `${level}: any move`;
  if (share) return `${level}: perfect, but ${share[1]} % random moves`;
  return `${level}: ${name.replaceAll("-", " ")}${mistakes === null ? "" : `, wrong in ${Math.round(mistakes)} % of its moves`}`;
}
