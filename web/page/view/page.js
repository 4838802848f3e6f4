// The whole page as a template of the state.

/** @import { Move, Player } from "../../types/api.js" */
/** @import { Task } from "../activities/activity.js" */
/** @import { State } from "../state.js" */
/** @import { Marks } from "./board.js" */
/** @import { Seen } from "./seen.js" */

import { Editor } from "../activities/editor.js";
import { goTo, movesAt, play, press, redo, toggle, undo } from "../moves.js";
import { chooseGame, goHome, meet, newGame, turnTo } from "../opening.js";
import { isDark, turnTheme } from "../theme.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { result, sentence } from "../words.js";
import { Board, picture } from "./board.js";
import { controls } from "./controls.js";
import { movesPlayed } from "./lists.js";
import { hinted, noticeBar } from "./notice.js";
import { players } from "./players.js";
import { report } from "./report.js";
import { rulesCard } from "./rules.js";
import { seen } from "./seen.js";
import { shareCard } from "./share.js";
import { status } from "./status.js";
import { legend, values } from "./values.js";
import { welcome } from "./welcome.js";

/** @type {[Task["name"], string][]} */
const TASKS = [
  ["play", "Play"],
  ["learn", "How to play"],
  ["puzzle", "Puzzles"],
  ["edit", "Set up"],
  ["review", "Review"],
];

export class View {
  #state;
  #board;
  #example = new Board();

  /** @param {State} state */
  constructor(state) {
    this.#state = state;
    this.#board = new Board((place) => press(state, place));
  }

  /** The page, and what is to be done once it is drawn. */
  draw() {
    const state = this.#state;
    const all = state.game && !state.isHome ? seen(state, state.game) : null;
    const marks = all && marksOf(all);
    document.title = all ? `${all.game.info.title}, solved` : "bsq: small games, solved";
    document.body.dataset.activity = state.isHome ? "home" : state.activity.name;
    document.body.className = classesOf(state, all);
    const template = html`<a class="skip" href="#board">To the board</a>
      ${header(state, all)}
      <main>
        ${
          state.isHome
            ? html`${state.trouble && noticeBar(state, null)} ${welcome(state)}`
            : html`<section class="play" aria-label="Game">
                  ${all && status(all)} ${noticeBar(state, all)}
                  ${all && marks && html`<div class="window">${this.#boardOf(all, marks)}</div>`} ${all && below(all)}
                </section>
                ${all && this.#aside(all)}`
        }
      </main>
      <footer class="quiet" ?hidden=${state.isHome}>
        <p>
          To cite a value, name the version, <span id="version">bsq ${state.version}</span>, and the link to the
          position.
        </p>
      </footer>
      <p id="announce" class="hidden" role="status" aria-live="polite">${all && announced(all)}</p>
      <div id="definition" popover="manual" role="tooltip"></div>`;
    const done = () => {
      const board = document.getElementById("board");
      if (all && marks && board) this.#board.animate(board, sceneOf(all), marks);
    };
    return { template, done };
  }

  /** @param {Seen} all @param {Marks} marks */
  #boardOf(all, marks) {
    return this.#board.template("board", "Board", sceneOf(all), all.module, marks, all.searching);
  }

  /** @param {Seen} all */
  #aside(all) {
    const { activity } = all.state;
    return html`<aside aria-label="About the game">
      <div class="column">
        ${this.#introduction(all)} ${activity.hasComputers ? players(all) : nothing} ${values(all)}
      </div>
      <div class="column">
        <section class="card" aria-labelledby="played-title">
          <h3 id="played-title">
            Moves ${all.isJudged ? html`<small>? mistake, ?? changes the outcome</small>` : nothing}
          </h3>
          <div id="played">${movesPlayed(all)}</div>
        </section>
        <section
          class="card"
          id="review"
          aria-labelledby="review-title"
          ?hidden=${!all.isJudged || all.game.last === 0}
        >
          <h3 id="review-title">Review</h3>
          <div id="report">${all.isJudged ? report(all) : nothing}</div>
        </section>
        ${rulesCard(all)} ${shareCard(all)} ${keys}
      </div>
    </aside>`;
  }

  /** The game in brief, for a new visitor. @param {Seen} all */
  #introduction({ state, module }) {
    const { activity, intro: answer } = state;
    const close = () => {
      meet(state);
      state.changed();
    };
    return html`<section
      class="card"
      id="intro"
      aria-labelledby="intro-title"
      ?hidden=${!answer || !activity.hasComputers}
    >
      <h3 id="intro-title">The game in brief</h3>
      <p id="intro-text">${module.intro}</p>
      <figure>
        ${answer && this.#example.template("example", "Example", answer, module, picture())}
        <figcaption id="example-text">${module.example?.say}</figcaption>
      </figure>
      <div class="row">
        <button type="button" class="main" id="intro-learn" @click=${() => turnTo(state, "learn")}>
          Play a guided game
        </button>
        <button type="button" id="intro-close" @click=${close}>Got it</button>
      </div>
    </section>`;
  }
}

/** @param {State} state @param {Seen | null} all */
function classesOf({ shown }, all) {
  const classes = {
    "no-values": !shown.values,
    "no-claims": !shown.claims,
    claimless: !all?.module.claims,
    over: all?.answer.is_over,
  };
  return Object.entries(classes)
    .filter(([, is]) => is)
    .map(([name]) => name)
    .join(" ");
}

/** @param {State} state @param {Seen | null} all */
function header(state, all) {
  const { games, game, activity, isHome } = state;
  const isThere = {
    play: true,
    learn: Boolean(all?.module.lesson),
    puzzle: true,
    edit: Boolean(game?.info.marks.length),
    review: Boolean(game?.last),
  };
  const theme = html`<button
    type="button"
    id="theme"
    class="switch"
    aria-label="Dark theme"
    aria-pressed=${String(isDark())}
    @click=${() => {
      turnTheme();
      state.changed();
    }}
  >
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 1 1 10 4a6.7 6.7 0 0 0 10 10.5z" /></svg>
    <span>Dark</span>
  </button>`;
  if (isHome)
    return html`<header>
      <h1 class="name">bsq</h1>
      <p class="tagline"></p>
      ${theme}
    </header>`;
  return html`<header>
    ${games.length > 1 ? choice(state) : html`<h1 class="name">${game?.info.title}</h1>`}
    <p class="tagline quiet" id="summary">${game?.info.summary}</p>
    <div class="tasks" role="group" aria-label="Activity">
      ${TASKS.map(
        ([name, title]) =>
          html`<button
            type="button"
            data-task=${name}
            aria-pressed=${String(name === activity.name)}
            ?hidden=${!isThere[name]}
            @click=${() => turnTo(state, name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    ${theme}
  </header>`;
}

/** The games to choose from. @param {State} state */
const choice = (state) =>
  html`<button type="button" id="home" @click=${() => goHome(state)}>All games</button>
    <h1>
      <label class="hidden" for="game">Game</label>
      <select
        id="game"
        @change=${(/** @type {Event} */ { target }) => chooseGame(state, /** @type {HTMLSelectElement} */ (target).value)}
      >
        ${state.games.map(({ name, title }) => html`<option value=${name} .selected=${live(name === state.game?.info.name)}>${title}</option>`)}
      </select>
    </h1>`;

/** What is shown on the board, with a legend. @param {Seen} all */
function display(all) {
  const { state, module } = all;
  /** @param {string} id @param {keyof State["shown"]} what @param {string} name */
  const button = (id, what, name, isThere = true) =>
    html`<button
      type="button"
      id=${id}
      class="switch"
      aria-pressed=${String(state.shown[what])}
      ?hidden=${!isThere}
      @click=${() => toggle(state, what)}
    >
      ${name}
    </button>`;
  return html`<div class="display">
    <div class="switches" role="group" aria-label="Display">
      ${button("show-values", "values", "Values")} ${button("show-claims", "claims", "Claims", Boolean(module.claims))}
      ${button("flip", "flipped", "Turn board", Boolean(module.home))}
    </div>
    ${legend(all)}
  </div>`;
}

/** What is shown on the board besides the position. @param {Seen} all @returns {Marks} */
function marksOf({ state, game, answer, made, line, module, names }) {
  const { activity, mayMove, offered, selected, shown } = state;
  const isEdited = activity instanceof Editor;
  const past = made.slice(0, game.at);
  const told = activity.told(game);
  const hint = told ? game.answer.moves.find(({ move }) => move === told) : shown.hint ? hinted(answer) : undefined;
  const moves = answer.moves.filter(({ move }) => offered.some((one) => one.move === move));
  return {
    values: shown.values,
    claims: shown.claims,
    flipped: shown.flipped,
    selected,
    hint: hint?.places ?? [],
    last: past.at(-1)?.places ?? [],
    winning: answer.is_over ? (module.winning?.(answer) ?? []) : [],
    names,
    owners: new Map(
      past.flatMap(({ places, mover }) => places.map((place) => /** @type {[string, Player]} */ ([place, mover]))),
    ),
    line: activity.line(game, state.answers) ?? (shown.line && shown.values && !isEdited ? (line ?? []) : []),
    played: game.at,
    edits: isEdited ? (place) => activity.edits(place) : null,
    movesAt: (name) => (mayMove && !isEdited ? movesAt(moves, [...selected, name]) : []),
  };
}

/** The position that is drawn. @param {Seen} all */
const sceneOf = ({ state, answer }) => ({ ...answer, scene: state.activity.scene(answer) });

/** What is below the board. @param {Seen} all */
function below(all) {
  const { state, game, answer, refused } = all;
  const { shown } = state;
  const placeless = answer.moves.filter(({ places }) => places.length === 0);
  const pass = (/** @type {Move} */ { move }) => {
    const name = answer.moves.length === 1 ? `${sentence(move)}: no other move is legal` : sentence(move);
    return html`<button type="button" class="main" ?disabled=${!state.mayMove} @click=${() => play(state, move)}>
      ${name}
    </button>`;
  };
  const slide = (/** @type {Event} */ { target }) =>
    goTo(state, Number(/** @type {HTMLInputElement} */ (target).value));
  return html`<div id="placeless">${placeless.map(pass)}</div>
    ${controls(all)}
    <div class="toolbar" role="group" aria-label="Moves">
      <button type="button" id="undo" ?disabled=${game.at === 0} @click=${() => undo(state)}>Undo</button>
      <button type="button" id="redo" ?disabled=${!game.looksBack} @click=${() => redo(state)}>Redo</button>
      <label class="slide"
        ><span class="hidden">Move of the game</span>
        <input
          type="range"
          id="slider"
          min="0"
          max=${game.last}
          ?disabled=${game.last === 0}
          .value=${live(String(game.at))}
          @input=${slide}
      /></label>
      <output id="place" for="slider">${game.at} / ${game.last}</output>
      <button
        type="button"
        id="hint"
        aria-pressed=${String(shown.hint)}
        ?disabled=${answer.is_over || refused !== null}
        @click=${() => toggle(state, "hint")}
      >
        Hint
      </button>
      <button type="button" id="new" ?disabled=${game.last === 0} @click=${() => newGame(state)}>New game</button>
    </div>
    ${display(all)}`;
}

/** What screen readers say of a change. @param {Seen} all */
function announced({ game, made, names, answer }) {
  return [made[game.at - 1]?.label, answer.is_over && result(answer, names)].filter(Boolean).join(". ");
}

const KEYS = [
  ["Arrows", "move on the board"],
  ["Enter, Space", "play there; select a piece, then where it goes"],
  ["Escape", "deselect the piece"],
  ["p", "pass, if no other move is legal"],
  ["u, r", "undo, redo"],
  ["[ , ]", "one move back, one forward"],
  ["Home, End", "first and last position"],
  ["h", "hint: a best move"],
  ["v, c, f", "values, claims, board turned: on or off"],
  ["n", "new game"],
];

const keys = html`<details class="card" id="keys">
  <summary>Keys</summary>
  <dl>
    ${KEYS.map(
      ([name, does]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${does}</dd>
        </div>`,
    )}
  </dl>
</details>`;
