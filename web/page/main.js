// Starts the page: draws it after each change of the state.

/** @import { History } from "./state.js" */

import { Computer } from "./computer.js";
import { listen } from "./keys.js";
import { keepFiles } from "./offline.js";
import { openAddress, report } from "./opening.js";
import { follow } from "./router.js";
import { State } from "./state.js";
import { watchTheme } from "./theme.js";
import { get, localFiles } from "./transport.js";
import { render } from "./vendor/lit-html/lit-html.js";
import { View } from "./view/page.js";

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const state = new State(draw);
const view = new View(state);
const computer = new Computer();

/** The width of the graph decides how much is written on its axes. */
const graphs = new ResizeObserver(
  ([
    {
      contentRect: { width },
    },
  ]) => {
    if (width === 0 || width === state.graphWidth) return;
    state.graphWidth = width;
    requestAnimationFrame(() => state.changed());
  },
);
/** The move that was scrolled to last. @type {Element | null} */
let current = null;

/** @param {History} history */
function draw(history) {
  state.ask();
  const { template, done } = view.draw();
  render(template, root);
  done();
  scrollToCurrent();
  const graph = document.getElementById("graph");
  if (graph) graphs.observe(graph);
  if (!state.game && !state.isHome) return;
  computer.tend(state);
  follow(state, history);
}

/** Shows the current move in the list of moves. */
function scrollToCurrent() {
  const list = document.getElementById("played");
  /** @type {HTMLElement | null} */
  const found = list?.querySelector("[aria-current]") ?? null;
  if (!list || found === current) return;
  current = found;
  list.scrollTop = found ? found.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

async function begin() {
  try {
    const { games, version } = await state.wait(get("games"));
    Object.assign(state, { games, version });
  } catch (refused) {
    report(state, refused, begin);
    return;
  }
  await openAddress(state);
  keepFiles(["glossary.md", "icon.svg", ...localFiles()]);
}

root.replaceChildren();
state.changed();
listen(state);
watchTheme(() => state.changed());
addEventListener("popstate", () => openAddress(state));
await begin();
