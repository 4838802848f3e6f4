// Definitions of terms, from the project's glossary, shown beside the term.

import { at, html } from "./dom.js";

let definitions;

/** The definitions by term, from the rows of the glossary's table. */
async function load() {
  const text = await fetch("glossary.md").then((response) => response.text());
  const rows = text.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|/gm);
  return new Map([...rows].map(([, term, definition]) => [term.replace(/ \(.*\)$/, ""), definition.replaceAll("*", "")]));
}

/** A text in which the first occurrence of each term shows its definition when it is pointed at or focused. */
export function explained(text, terms) {
  const parts = [text];
  for (const term of terms) {
    const index = parts.findIndex((part) => typeof part === "string" && wordIn(part, term));
    if (index < 0) continue;
    const [found] = wordIn(parts[index], term);
    const start = parts[index].indexOf(found);
    parts.splice(index, 1, parts[index].slice(0, start), marked(found, term), parts[index].slice(start + found.length));
  }
  return parts;
}

const wordIn = (text, term) => new RegExp(`\\b${term}(s|es)?\\b`, "i").exec(text);

function marked(textContent, term) {
  const element = html("dfn", { className: "term", tabIndex: 0, textContent });
  element.setAttribute("aria-describedby", "definition");
  for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => show(element, term));
  for (const event of ["pointerleave", "blur"]) element.addEventListener(event, hide);
  return element;
}

async function show(element, term) {
  definitions ??= load();
  const known = await definitions.catch(() => { definitions = null; return new Map(); });
  const box = at("definition");
  box.textContent = known.get(term) ?? "The glossary is not available.";
  box.showPopover();
  const { left, bottom, top } = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  box.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : top - height - 4}px`;
}

export const hide = () => at("definition").hidePopover();
