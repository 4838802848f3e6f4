// Definitions of terms, from the project's glossary, shown beside the term.

/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

import { html } from "../vendor/lit-html/lit-html.js";

/** @type {Promise<Map<string, string>> | null} */
let definitions = null;

/** The definitions by term, from the rows of the glossary's table. */
async function load() {
  const text = await fetch("glossary.md").then((response) => response.text());
  const rows = text.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|/gm);
  const pairs = [...rows].map(([, term, definition]) => [term.replace(/ \(.*\)$/, ""), definition.replaceAll("*", "")]);
  return new Map(/** @type {[string, string][]} */ (pairs));
}

/**
 * A text in which the first occurrence of each term shows its definition when it is pointed at or focused.
 * @param {string} text
 * @param {string[]} terms
 */
export function explained(text, terms) {
  /** @type {(string | TemplateResult)[]} */
  let parts = [text];
  for (const term of terms) {
    const word = new RegExp(`\\b${term}(s|es)?\\b`, "i");
    const index = parts.findIndex((part) => typeof part === "string" && word.test(part));
    const part = parts[index];
    const found = typeof part === "string" && word.exec(part);
    if (!found) continue;
    const [before, after] = [part.slice(0, found.index), part.slice(found.index + found[0].length)];
    parts = parts.toSpliced(index, 1, before, marked(found[0], term), after);
  }
  return parts;
}

/** @param {string} text @param {string} term */
function marked(text, term) {
  /** @param {Event} event */
  const point = ({ currentTarget }) => show(/** @type {Element} */ (currentTarget), term);
  return html`<dfn
    class="term"
    tabindex="0"
    aria-describedby="definition"
    @pointerenter=${point}
    @focus=${point}
    @pointerleave=${hide}
    @blur=${hide}
    >${text}</dfn
  >`;
}

/** @param {Element} element @param {string} term */
async function show(element, term) {
  definitions ??= load();
  const known = await definitions.catch(() => {
    definitions = null;
    return new Map();
  });
  const box = document.getElementById("definition");
  if (!box) return;
  box.textContent = known.get(term) ?? "The glossary is not available.";
  box.showPopover();
  const { left, bottom, top } = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  box.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : top - height - 4}px`;
}

/** Hides the definition that is shown. */
export const hide = () => document.getElementById("definition")?.hidePopover();
