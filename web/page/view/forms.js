// Forms whose entries may be refused.

/** @import { State } from "../state.js" */

import { html } from "../vendor/lit-html/lit-html.js";

/** What is wrong with a form. @param {State} state @param {keyof State["errors"]} form */
export const errorOf = ({ errors }, form) =>
  html`<p id="${form}-error" class="error" role="alert" ?hidden=${errors[form] === null}>${errors[form]}</p>`;

/** Runs `act`; shows its refusal beside a form. @param {State} state @param {keyof State["errors"]} form @param {() => unknown} act */
export async function attempt(state, form, act) {
  state.errors[form] = null;
  state.changed();
  try {
    await act();
  } catch (refused) {
    state.errors[form] = /** @type {Error} */ (refused).message;
    state.changed();
  }
}
