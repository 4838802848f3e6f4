// Links, records and positions, to copy and to load.

/** @import { State } from "../state.js" */
/** @import { Seen } from "./seen.js" */

import { openText, startFrom } from "../opening.js";
import { record } from "../requests.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { attempt, errorOf } from "./forms.js";

/** @param {Seen} seen */
export function shareCard({ state, game, module }) {
  if (state.isShareOpen) askRecord(state);
  const toggle = (/** @type {Event} */ { target }) => {
    state.isShareOpen = /** @type {HTMLDetailsElement} */ (target).open;
    state.changed();
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const fields = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    bring(state, () => openText(state, String(fields.get("text"))));
  };
  const load = (/** @type {Event} */ { target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    bring(state, async () => {
      const file = input.files?.[0];
      if (file) await openText(state, await file.text());
      input.value = "";
    });
  };
  const starts = Object.entries(module.starts ?? {}).map(([name, change]) => {
    return html`<button type="button" @click=${() => bring(state, () => startFrom(state, change))}>${name}</button>`;
  });
  return html`<details class="card" id="share" ?open=${live(state.isShareOpen)} @toggle=${toggle}>
    <summary>Share or load</summary>
    <div class="row">
      <button type="button" id="copy-link" @click=${() => copy(state, location.href, "Link")}>Copy link</button>
      <button type="button" id="copy-record" @click=${() => copyRecord(state)}>Copy record</button>
      <button type="button" id="copy-position" @click=${() => copy(state, game.answer.position, "Position")}>
        Copy position
      </button>
      <span id="copied" class="quiet" role="status">${state.copied}</span>
    </div>
    <label for="record">This game as a record</label>
    <textarea id="record" readonly rows="4" spellcheck="false" .value=${live(state.record.text)}></textarea>
    <form id="load-form" @submit=${submit}>
      <label for="load-text">A record, a link, moves or a position to load</label>
      <textarea id="load-text" name="text" rows="3" spellcheck="false"></textarea>
      <div class="row">
        <button>Load</button>
        <label class="file"
          >From a file <input type="file" id="load-file" accept=".txt,.bsq,text/plain" @change=${load}
        /></label>
        <span id="starts" class="row">${starts}</span>
      </div>
      ${errorOf(state, "load")}
    </form>
  </details>`;
}

/** Loads a game and scrolls to it, or shows the refusal beside the form. @param {State} state @param {() => Promise<void>} load */
function bring(state, load) {
  return attempt(state, "load", async () => {
    await load();
    document.getElementById("status")?.scrollIntoView({ block: "nearest" });
  });
}

/** Settles when the record that was requested last is known. */
let asking = Promise.resolve();

/** Requests the record of the game, unless it is known. @param {State} state */
function askRecord(state) {
  const { game } = state;
  const question = game?.question(game.last);
  if (question && state.record.question !== question) asking = findRecord(state, question);
  return asking;
}

/** @param {State} state @param {string} question */
async function findRecord(state, question) {
  state.record = { ...state.record, question };
  const text = await record(question).then(
    (found) => found.record,
    ({ message }) => message,
  );
  if (state.record.question !== question) return;
  state.record = { question, text };
  state.changed();
}

/** @param {State} state */
async function copyRecord(state) {
  state.isShareOpen = true;
  state.changed();
  await askRecord(state);
  await copy(state, state.record.text, "Record");
}

/** Copies a text, or selects it in a field if the clipboard is not accessible. @param {State} state @param {string} text @param {string} what */
async function copy(state, text, what) {
  try {
    await navigator.clipboard.writeText(text);
    state.copied = `${what} copied`;
    state.changed();
  } catch {
    state.record = { ...state.record, text };
    state.copied = "Copying failed; the text is selected below";
    state.changed();
    /** @type {HTMLTextAreaElement | null} */ (document.getElementById("record"))?.select();
  }
}
