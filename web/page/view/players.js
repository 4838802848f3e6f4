// Who plays: a person, or an agent of the server.

/** @import { Player } from "../../types/api.js" */
/** @import { State } from "../state.js" */
/** @import { Seen } from "./seen.js" */

import { boardOf } from "../boards/index.js";
import { about, hasAgent, levelsOf, shareOf } from "../levels.js";
import { remember } from "../memory.js";
import { token } from "../pieces.js";
import { chosen } from "../requests.js";
import { SIDES } from "../state.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { attempt, errorOf } from "./forms.js";

/** The longest name of a person, in characters. */
const LONGEST_NAME = 20;
/** The entry of an opponent that is given as text. */
const TYPED = "\n";

/** The token of a player. @param {Seen["module"]} module @param {Player} side */
export const tokenOf = (module, side) =>
  module.piece && !module.noun ? module.piece({ owner: side, symbol: "" }) : token(side);

/** @param {Seen} seen */
export function players(seen) {
  const { state } = seen;
  return html`<section class="card players" aria-label="Players">
    ${SIDES.map((side) => player(seen, side))} ${errorOf(state, "players")}
  </section>`;
}

/** @param {Seen} seen @param {Player} side */
function player({ state, game, module, names }, side) {
  const { agents } = game.info;
  const levels = levelsOf(agents);
  const others = agents.filter(({ name }) => levels.every((level) => level.agent !== name));
  const agent = state.players[side];
  const isListed = hasAgent(agents, agent);
  // Links may have any share of mistakes.
  const isShare =
    isListed && ![...levels.map((level) => level.agent), ...others.map(({ name }) => name)].includes(agent);
  const isTyped = state.typing.has(side) || (!state.isPerson(side) && !isListed);
  const value = isTyped ? TYPED : agent;
  const option = (/** @type {string} */ one, /** @type {string} */ text) =>
    html`<option value=${one} .selected=${live(one === value)}>${text}</option>`;
  return html`<div class="player">
    <label for=${side}>
      <svg viewBox="0 0 100 100" aria-hidden="true">${svg`${tokenOf(module, side)}`}</svg>
      <span>${names.title(side)} ${side === "first" ? html`<small>first</small>` : nothing}</span>
    </label>
    <select id=${side} @change=${(/** @type {Event} */ event) => choose(state, side, event)}>
      ${option("you", "A person")}
      <optgroup label="The computer">${levels.map((level) => option(level.agent, level.name))}</optgroup>
      <optgroup label="More">
        ${others.map(({ name }) => option(name, name.replaceAll("-", " ")))}
        ${isShare ? option(agent, `${shareOf(agent)} % mistakes`) : nothing}
      </optgroup>
      ${module.typed ? html`<optgroup label="Your own">${option(TYPED, "Ordered rules…")}</optgroup>` : nothing}
    </select>
    <input
      type="text"
      id="${side}-typed"
      ?hidden=${!isTyped}
      aria-label="Rules of the computer"
      spellcheck="false"
      placeholder=${module.typed ?? ""}
      .value=${isListed || state.isPerson(side) ? "" : agent}
      @change=${(/** @type {Event} */ event) => type(state, side, event)}
    />
    <input
      type="text"
      id="${side}-name"
      ?hidden=${!SIDES.every((one) => state.isPerson(one))}
      aria-label="Name of the ${side} player"
      spellcheck="false"
      maxlength=${LONGEST_NAME}
      placeholder="Name"
      .value=${live(state.called[side])}
      @change=${(/** @type {Event} */ event) => call(state, side, event)}
    />
    <p class="quiet">${about(agents, agent)}</p>
  </div>`;
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

/** Gives a name to a person. @param {State} state @param {Player} side @param {Event} event */
function call(state, side, { target }) {
  const name = /** @type {HTMLInputElement} */ (target).value.trim();
  // As a name of one of two people, "you" would say nothing.
  state.called[side] = /^you$/i.test(name) ? "" : name;
  remember(`name ${side}`, state.called[side]);
  state.changed();
}

/** @param {State} state @param {Player} side @param {string} agent */
function set(state, side, agent) {
  state.typing.delete(side);
  state.players[side] = agent;
  state.errors.players = null;
  // The rows of a person are those in front.
  if (state.game && boardOf(state.game.info.name).home) state.shown.flipped = state.names.you === "second";
  state.rest();
  state.changed("pushState");
}

/** Accepts a text if the server does. @param {State} state @param {Player} side @param {Event} event */
async function type(state, side, { target }) {
  const text = /** @type {HTMLInputElement} */ (target).value.trim();
  const { game } = state;
  if (!text || !game) return;
  await attempt(state, "players", async () => {
    if (!state.accepted.has(text)) await chosen(game.question(0), text, 0);
    state.accepted.add(text);
    set(state, side, text);
  });
}
