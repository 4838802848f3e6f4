// The lists beside the board: moves by cost, the moves of the game, and the principal variation.

import { SECONDS } from "./api.js";
import { html } from "./dom.js";
import { costs, favours, flaw, isKnown, mark, moveName, number, phrase, sentence } from "./words.js";

// The number of moves shown of a line of play that does not end.
const ENDLESS = 12;

/** The mark of a value, whose colour and border tell whom it favours. */
function badge(known, isBest) {
  const classes = `value ${favours(known)}${isBest ? " best" : ""}`;
  return html("span", { className: classes, textContent: mark(known), title: sentence(phrase(known)) });
}

const none = (textContent) => html("p", { className: "quiet", textContent });

/** Draws the legal moves in groups of equal value, best first; each can be played from here. */
export function drawMoves(place, answer, { searching, play }) {
  const groups = new Map();
  for (const choice of answer.moves.filter(isKnown)) {
    const key = JSON.stringify([choice.value, choice.to_come]);
    groups.set(key, [...(groups.get(key) ?? []), choice]);
  }
  const row = ([first, ...rest]) => html("div", {},
    html("dt", {}, badge(first, first.class === "best"), html("span", { textContent: heading(first) })),
    html("dd", {}, ...[first, ...rest].map((choice) => button(choice, play))));
  place.replaceChildren(groups.size ? html("dl", {}, ...[...groups.values()].map(row))
    : none(answer.is_over ? "The game is over." : searching ? "Searching…" : answer.is_complete ? "Not known." : `Not known after ${SECONDS} s.`));
}

function heading(choice) {
  if (choice.class === "best") return "Best";
  if (choice.cost !== null && number(choice.cost) > 0) return sentence(costs(choice));
  return choice.class === "keeps-outcome" ? "Slower" : "Mistake";
}

function button(choice, play) {
  const said = `${moveName(choice)}: ${phrase(choice)}`;
  const made = html("button", { type: "button", className: "move", textContent: choice.move, title: said });
  made.setAttribute("aria-label", `play ${said}`);
  made.addEventListener("click", () => play(choice.move));
  return made;
}

/** Draws the moves of the game as links to their positions. */
export function drawPlayed(place, { moves, at, jump }) {
  const item = ({ name, mover, choice, label }, index) => {
    const wrong = flaw(choice);
    const made = html("button", { type: "button", className: `move ${mover}`, title: label },
      html("small", { textContent: `${index + 1}.` }), html("span", { textContent: name }),
      ...(wrong ? [html("b", { className: "flaw", textContent: wrong })] : []));
    made.setAttribute("aria-label", label);
    if (index + 1 === at) made.setAttribute("aria-current", "step");
    made.addEventListener("click", () => jump(index + 1));
    return html("li", {}, made);
  };
  const focused = place.contains(document.activeElement);
  place.replaceChildren(moves.length ? html("ol", { className: "played" }, ...moves.map(item)) : none("No move yet."));
  const current = place.querySelector("[aria-current]");
  if (focused) current?.focus();
  place.scrollTop = current ? current.offsetTop - place.offsetTop - place.clientHeight / 2 : 0;
}

/** Draws the principal variation after some moves: null if it is not known yet. */
export function drawLine(place, line, answer, played) {
  const isEndless = answer.value?.outcome === "draw" && line?.length > ENDLESS;
  const shown = isEndless ? line.slice(0, ENDLESS) : line ?? [];
  const rest = answer.is_over ? "The game is over." : !line ? "Searching…" : isEndless ? "and so on" : line.length ? "" : "Not known.";
  place.style.setProperty("--played", played);
  place.replaceChildren(html("ol", { className: "line" }, ...shown.map(({ move }) => html("li", { textContent: move }))), none(rest));
}
