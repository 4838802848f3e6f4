// The controls of activities, below the board.

/** @import { Mark } from "../../types/api.js" */
/** @import { BoardModule } from "../boards/index.js" */
/** @import { Names } from "../names.js" */
/** @import { State } from "../state.js" */
/** @import { Seen } from "./seen.js" */

import { Editor, NOTHING } from "../activities/editor.js";
import { Puzzle } from "../activities/puzzle.js";
import { cancelSetUp, check, nextPuzzle, playFromHere, setUpStart } from "../opening.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

/** @type {[string, string][]} */
const TASKS = [
  ["any", "any"],
  ["win", "win"],
  ["save", "tie or draw"],
];
/** @type {[string, string][]} */
const LEVELS = [
  ["", "any"],
  ["1", "easy"],
  ["2", "medium"],
  ["3", "hard"],
];

/** @param {Seen} seen */
export function controls(seen) {
  const { state } = seen;
  const { activity } = state;
  if (activity instanceof Puzzle) return puzzleForm(state, activity);
  return activity instanceof Editor ? palette(state, activity, seen) : nothing;
}

/** @param {State} state @param {Puzzle} puzzle */
function puzzleForm(state, { wanted: { task, level, seed } }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const fields = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const text = (/** @type {string} */ name) => String(fields.get(name));
    nextPuzzle(state, { name: "puzzle", task: text("task"), level: text("level"), seed: Number(text("seed")) });
  };
  /** @param {[string, string][]} all @param {string} chosen */
  const options = (all, chosen) =>
    all.map(([value, name]) => html`<option value=${value} .selected=${value === chosen}>${name}</option>`);
  return html`<form class="row" id="puzzle-form" aria-label="Puzzles" @submit=${submit}>
    <label
      >Task
      <select name="task">
        ${options(TASKS, task)}
      </select></label
    >
    <label
      >Level
      <select name="level">
        ${options(LEVELS, level)}
      </select></label
    >
    <label>No. <input type="number" name="seed" min="0" max="999999999" required .value=${live(String(seed))} /></label>
    <button>Next puzzle</button>
  </form>`;
}

/** @param {State} state @param {Editor} editor @param {Seen} seen */
function palette(state, editor, { module, names }) {
  return html`<div id="palette" role="group" aria-label="Set up a position">
    <div class="row" id="tools" role="group" aria-label="Pieces">
      ${[...editor.fitting("cell"), null].map((mark) => tool(state, editor, mark, module, names))}
    </div>
    <div class="row" id="edit-row">
      <button type="button" id="edit-mover" @click=${() => check(state, (one) => one.turn())}>
        To move: ${names.title(editor.mover)}
      </button>
      <button type="button" id="edit-clear" @click=${() => check(state, (one) => one.standing.clear())}>
        Empty board
      </button>
      <button type="button" id="edit-start" @click=${() => setUpStart(state)}>Usual start</button>
      <button type="button" id="edit-cancel" @click=${() => cancelSetUp(state)}>Cancel</button>
      <button
        type="button"
        id="edit-done"
        class="main"
        ?disabled=${editor.reason !== null}
        @click=${() => playFromHere(state)}
      >
        Play from here
      </button>
    </div>
  </div>`;
}

/** A button for a mark, or for none. @param {State} state @param {Editor} editor @param {Mark | null} mark @param {BoardModule} module @param {Names} names */
function tool(state, editor, mark, module, names) {
  const symbol = mark?.symbol ?? NOTHING;
  const choose = () => {
    editor.tool = symbol;
    state.changed();
  };
  const who = mark?.owner ? names.title(mark.owner) : "owner unknown";
  const name = mark && `${who}: ${module.noun?.(mark) ?? symbol}`;
  const drawing =
    mark?.owner && module.piece
      ? html`<svg viewBox="0 0 100 100" aria-hidden="true">${svg`${module.piece(mark)}`}</svg>`
      : mark
        ? symbol
        : "Remove";
  return html`<button
    type="button"
    title=${name ?? nothing}
    aria-label=${name ?? nothing}
    data-symbol=${symbol}
    aria-pressed=${symbol === editor.tool ? "true" : "false"}
    @click=${choose}
  >
    ${drawing}
  </button>`;
}
