// What the pages of all games show in the same way.

import { html } from "./svg.js";
import { letter } from "./words.js";

export const at = (id) => document.getElementById(id);

/** Shows whether a switch is on. */
export const pressed = (id, is) => at(id).setAttribute("aria-pressed", String(is));

/** The part of a view that does not depend on the game. */
export class Frame {
  #said = "";

  /** Shows a refusal of the server; hides the notice without one. */
  trouble(sentence, { again = false, anew = false } = {}) {
    at("trouble").hidden = !sentence;
    document.body.classList.toggle("broken", anew);
    at("trouble-text").textContent = sentence ?? "";
    at("try-again").hidden = !again;
    at("begin-anew").hidden = !anew;
  }

  /** Shows the current ply. */
  toolbar({ at: ply, last, looksBack }) {
    at("undo").disabled = ply === 0;
    at("redo").disabled = !looksBack;
    at("slider").max = last;
    at("slider").value = ply;
    at("slider").disabled = last === 0;
    at("place").textContent = `${ply} / ${last}`;
  }

  /** Warns of a move; hides the warning without a text. */
  warn(text) {
    if (at("warning-text").textContent !== text) at("warning-text").textContent = text;
    at("warning").hidden = !text;
  }

  /** Tells screen readers the last move, once. */
  announce(text) {
    if (text !== this.#said) at("announce").textContent = text;
    this.#said = text;
  }
}

/** Sets the size of a board of cells, and the letters and numbers at its sides. */
export function drawSides(columns, rowNames) {
  at("frame").style.setProperty("--rows", rowNames.length);
  at("frame").style.setProperty("--columns", columns);
  const names = (all) => all.map((name) => html("span", { textContent: name }));
  at("letters").replaceChildren(...names(Array.from({ length: columns }, (_, i) => letter(i))));
  at("numbers").replaceChildren(...names(rowNames));
}

/** Lists moves in groups of one `key`, in their order; each can be played from here. */
export function drawGroups(place, moves, { key, title, button, none }) {
  const groups = new Map();
  for (const move of moves) {
    if (!groups.has(key(move))) groups.set(key(move), []);
    groups.get(key(move)).push(move);
  }
  const rows = [...groups.values()].map((group) =>
    html("div", {}, html("dt", {}, ...title(group[0])), html("dd", {}, ...group.map(button))));
  place.replaceChildren(rows.length
    ? html("dl", {}, ...rows)
    : html("p", { className: "quiet", textContent: none }));
}

/** The mark of a value, whose colour tells the `outcome`. */
export function badge(outcome, isBest, properties) {
  return html("span", { className: `value ${outcome} ${isBest ? "best" : ""}`, ...properties });
}

/** A button that plays a move. */
export function moveButton(textContent, title, play) {
  const made = html("button", { type: "button", className: "move", textContent, title });
  made.setAttribute("aria-label", `play ${title}`);
  made.addEventListener("click", play);
  return made;
}
