// The first page: a card for each game.

/** @import { Info } from "../../types/api.js" */
/** @import { Task } from "../activities/activity.js" */
/** @import { State } from "../state.js" */

import { boardOf } from "../boards/index.js";
import { chooseGame, turnTo } from "../opening.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Board, patterns, picture } from "./board.js";

/** The pictures of the cards, which keep what they have drawn. @type {Map<string, Board>} */
const boards = new Map();

/** @param {State} state */
export const welcome = (state) =>
  html`<section class="welcome" aria-labelledby="welcome-title">
    <svg width="0" height="0" class="hidden" aria-hidden="true">${patterns}</svg>
    <h2 id="welcome-title">Small games, solved</h2>
    <p class="quiet">Play against the computer, see what every move is worth, and find out why.</p>
    <ul class="games">
      ${state.games.map((info) => card(state, info))}
    </ul>
  </section>`;

/** Begins an activity with a game. @param {State} state @param {string} name @param {Task["name"]} task */
async function begin(state, name, task) {
  await chooseGame(state, name);
  if (state.game?.info.name === name) await turnTo(state, task);
}

/** @param {State} state @param {Info} info */
function card(state, info) {
  const { name, title } = info;
  const module = boardOf(name);
  const answer = state.pictures.get(name);
  if (!boards.has(name)) boards.set(name, new Board());
  return html`<li class="card game" data-game=${name}>
    <div class="picture">
      ${answer && boards.get(name)?.template(`picture-${name}`, `A position of ${title}`, answer, module, picture())}
    </div>
    <h3>${title}</h3>
    <p>${module.intro ?? info.summary}</p>
    <div class="row">
      <button type="button" class="main" @click=${() => chooseGame(state, name)}>
        Play${module.minutes ? html` <small>${module.minutes} min</small>` : ""}
      </button>
      ${module.lesson ? html`<button type="button" @click=${() => begin(state, name, "learn")}>Learn</button>` : nothing}
      <button type="button" @click=${() => begin(state, name, "puzzle")}>Puzzles</button>
    </div>
  </li>`;
}
