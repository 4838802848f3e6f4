// The lists beside the board: moves by value, the principal variation, and the game record.

import { badge, drawGroups, moveButton } from "../frame.js";
import { html } from "../svg.js";
import { isAsGood } from "./board.js";
import { blunder, kindOn, mark, moveLabel, moveText, outcome, worth } from "./words.js";

// The number of moves shown of endless play.
const DRAWN_SHOWN = 12;

/** Draws the legal moves in groups of equal value, best first. */
export function drawMoves(place, answer, play) {
  drawGroups(place, answer.moves, {
    key: mark,
    title: (move) => {
      const best = isAsGood(move, answer);
      const star = best ? [html("i", { className: "star", title: "best" })] : [];
      return [worthBadge(answer.to_move, move, best), ...star];
    },
    button: (move) => {
      const kind = kindOn(answer, move.from);
      return moveButton(moveLabel(move, kind), moveText(move, kind), () => play(move.move));
    },
    none: "The game is over.",
  });
}

const worthBadge = (mover, verdict, best) =>
  badge(outcome(mover, verdict), best, { textContent: mark(verdict), title: worth(verdict) });

/** Draws the principal variation, if known. */
export function drawLine(place, { result, game_over: over }, line) {
  const endless = result === "drawn";
  const moves = endless ? line?.slice(0, DRAWN_SHOWN) : line;
  const list = html("ol", { className: "moves" }, ...(moves ?? []).map((move) =>
    html("li", { textContent: move })));
  const rest = over ? "The game is over."
    : !moves ? "searching…"
    : endless && moves.length ? "and so on: nobody gets further." : "";
  place.replaceChildren(list, html("p", { className: "quiet", textContent: rest }));
}

/** Draws the moves of the game as links to their positions. */
export function drawRecord(place, game, values, jump) {
  const item = (index) => {
    const move = game.moveTo(index);
    const kind = kindOn(move.before, move.from);
    const wrong = values ? blunder(move) : "";
    const made = html("button", { type: "button", className: "move" },
      html("span", { textContent: moveLabel(move, kind) + (wrong ? "?" : "") }));
    made.title = wrong || moveText(move, kind);
    made.setAttribute("aria-label", [`move ${index}`, `${move.mover} player`, moveText(move, kind),
      values ? worth(move) : "", wrong ? "a mistake" : ""].filter(Boolean).join(", "));
    if (values) made.append(worthBadge(move.mover, move, false));
    if (index === game.at) made.setAttribute("aria-current", "step");
    made.addEventListener("click", () => jump(index));
    return html("li", { className: move.mover }, made);
  };
  const items = game.steps.slice(1).map((_, index) => item(index + 1));
  const focused = place.contains(document.activeElement);
  place.replaceChildren(items.length
    ? html("ol", { className: "record" }, ...items)
    : html("p", { className: "quiet", textContent: "No move yet." }));
  const current = place.querySelector("[aria-current]");
  if (focused) current?.focus();
  if (current) place.scrollTop = current.offsetTop - place.clientHeight / 2;
}
