// The keys of the page.

/** @import { State } from "./state.js" */

import { deselect, goTo, redo, toggle, undo } from "./moves.js";
import { newGame } from "./opening.js";
import { hide } from "./view/glossary.js";

/** Listens to keys, unless the focused element uses them. @param {State} state */
export function listen(state) {
  const step = (/** @type {number} */ by) => goTo(state, (state.game?.at ?? 0) + by);
  /** @type {Record<string, () => void>} */
  const actions = {
    u: () => undo(state),
    r: () => redo(state),
    h: () => toggle(state, "hint"),
    n: () => newGame(state),
    v: () => toggle(state, "values"),
    c: () => toggle(state, "claims"),
    f: () => document.getElementById("flip")?.hidden || toggle(state, "flipped"),
    p: () => /** @type {HTMLElement | null} */ (document.querySelector("#placeless button"))?.click(),
    Escape: () => {
      hide();
      deselect(state);
    },
    "[": () => step(-1),
    "]": () => step(1),
    Home: () => goTo(state, 0),
    End: () => goTo(state, state.game?.last ?? 0),
  };
  document.addEventListener("keydown", (event) => {
    // On many keyboards, brackets need AltGr, which some report as Ctrl and Alt.
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (event.defaultPrevented || (held && !event.getModifierState("AltGraph"))) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action || takes(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
}

/** Whether an element uses a key: a text field uses all, a slider those that move it. @param {EventTarget | null} target @param {string} key */
function takes(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=range]")) return key === "Home" || key === "End";
  return target.matches("input, textarea, select");
}
