// The lists beside the board: moves by cost, the moves of the game, and the principal variation.

/** @import { Move, Player } from "../../types/api.js" */
/** @import { Seen } from "./seen.js" */

import { goTo, play } from "../moves.js";
import { SECONDS } from "../requests.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { costs, flaw, isKnown, mark, moveName, number, phrase, sentence, shades, winnerOf, worth } from "../words.js";

/** The number of moves shown of a line of play that does not end. */
const ENDLESS = 12;

/** The mark of the value of moves. @param {Move} choice @param {Seen} seen @param {number | undefined} shade */
const badge = (choice, { answer, names }, shade) =>
  html`<span class="value shade-${shade}" title=${sentence(phrase(choice, names))}
    >${mark(choice, answer.to_move)}</span
  >`;

/** @param {string} text */
const quiet = (text) => html`<p class="quiet">${text}</p>`;

/** The legal moves in groups of equal value, best first; each can be played from here. @param {Seen} seen */
export function movesByCost(seen) {
  const { state, answer, names, searching } = seen;
  const shadeOf = shades(answer.moves);
  /** @type {Map<string, Move[]>} */
  const groups = new Map();
  for (const choice of answer.moves.filter(isKnown)) {
    groups.set(worth(choice), [...(groups.get(worth(choice)) ?? []), choice]);
  }
  if (groups.size === 0) {
    if (answer.is_over) return quiet("The game is over.");
    if (searching) return quiet("Searching…");
    return quiet(answer.is_complete ? "Not known." : `Not known after ${SECONDS} s.`);
  }
  /** @param {Move} choice */
  const button = (choice) => {
    const said = `${moveName(choice)}: ${phrase(choice, names)}`;
    const act = () => state.mayMove && play(state, choice.move);
    return html`<button type="button" class="move" title=${said} aria-label="play ${said}" @click=${act}>
      ${moveName(choice)}
    </button>`;
  };
  const row = (/** @type {Move[]} */ moves) =>
    html`<div>
      <dt>${badge(moves[0], seen, shadeOf.get(moves[0]))}<span>${heading(moves[0], answer.to_move)}</span></dt>
      <dd>${moves.map(button)}</dd>
    </div>`;
  const others = answer.moves.filter((choice) => !isKnown(choice));
  const worse =
    answer.is_complete && others.length > 0
      ? html`<div>
          <dt><span>Not best</span></dt>
          <dd>${others.map(button)}</dd>
        </div>`
      : nothing;
  return html`<dl>${[...groups.values()].map(row)}${worse}</dl>`;
}

/** @param {Move} choice @param {Player} mover */
function heading(choice, mover) {
  if (choice.class === "best") return "Best";
  if (choice.cost !== null && number(choice.cost) > 0) return sentence(costs(choice));
  if (choice.class !== "keeps-outcome") return "Mistake";
  return winnerOf(choice.value) === mover ? "Wins later" : "Loses sooner";
}

/** The moves of the game as links to their positions. @param {Seen} seen */
export function movesPlayed({ state, game, made }) {
  if (made.length === 0) return quiet("No move yet.");
  const items = made.map(({ name, mover, choice, label }, index) => {
    const wrong = flaw(choice);
    return html`<li>
      <button
        type="button"
        class="move ${mover}"
        title=${label}
        aria-label=${label}
        aria-current=${index + 1 === game.at ? "step" : nothing}
        @click=${() => goTo(state, index + 1)}
      >
        <small>${index + 1}.</small><span>${name}</span>${wrong ? html`<b class="flaw">${wrong}</b>` : nothing}
      </button>
    </li>`;
  });
  return html`<ol class="played">
    ${items}
  </ol>`;
}

/** The principal variation. @param {Seen} seen */
export function bestLine({ answer, game, line }) {
  const isEndless = answer.value?.outcome === "draw" && (line?.length ?? 0) > ENDLESS;
  const shown = isEndless ? (line ?? []).slice(0, ENDLESS) : (line ?? []);
  const rest = answer.is_over
    ? "The game is over."
    : !line
      ? "Searching…"
      : isEndless
        ? "and so on"
        : line.length
          ? ""
          : "Not known.";
  return html`<ol class="line" .style=${`--played: ${game.at}`}>
      ${shown.map((step) => html`<li>${moveName(step)}</li>`)}
    </ol>
    ${quiet(rest)}`;
}
