// The whole page as a template of the state.

/** @import { Move, Player } from "../../types/api.js" */
/** @import { Task } from "../activities/activity.js" */
/** @import { State } from "../state.js" */
/** @import { Marks } from "./board.js" */
/** @import { Seen } from "./seen.js" */

import { Editor } from "../activities/editor.js";
import { goTo, movesAt, play, press, redo, toggle, undo } from "../moves.js";
import { chooseGame, meet, newGame, turnTo } from "../opening.js";
import { isDark, turnTheme } from "../theme.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { isKnown, result, scoreOf, sentence, signed, stopped, verdict, winnerOf } from "../words.js";
import { Board } from "./board.js";
import { controls } from "./controls.js";
import { explained } from "./glossary.js";
import { graph } from "./graph.js";
import { bestLine, movesByCost, movesPlayed } from "./lists.js";
import { hinted, noticeBar } from "./notice.js";
import { players, tokenOf } from "./players.js";
import { report } from "./report.js";
import { rulesCard } from "./rules.js";
import { seen } from "./seen.js";
import { shareCard } from "./share.js";

/** @type {[Task["name"], string][]} */
const TASKS = [
  ["play", "Play"],
  ["learn", "How to play"],
  ["puzzle", "Puzzles"],
  ["edit", "Set up"],
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
    const all = state.game && seen(state, state.game);
    const marks = all && marksOf(all);
    document.title = all ? `${all.game.info.title}, solved` : "bsq: small games, solved";
    document.body.dataset.activity = state.activity.name;
    document.body.className = classesOf(state, all);
    const template = html`<a class="skip" href="#board">To the board</a>
      ${header(state, all)}
      <main>
        <section class="play" aria-label="Game">
          ${all && status(all)} ${noticeBar(state, all)}
          ${all && marks && html`<div class="window">${this.#boardOf(all, marks)}</div>`} ${all && below(all)}
        </section>
        ${all && this.#aside(all)}
      </main>
      <footer class="quiet">
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
    return html`<aside aria-label="About the game">
      <div class="column">${this.#introduction(all)} ${players(all)} ${values(all)}</div>
      <div class="column">
        <section class="card" aria-labelledby="played-title">
          <h3 id="played-title">Moves <small class="of-values">? mistake, ?? changes the outcome</small></h3>
          <div id="played">${movesPlayed(all)}</div>
        </section>
        <section class="card of-values" id="review" aria-labelledby="review-title" ?hidden=${all.game.last === 0}>
          <h3 id="review-title">Review</h3>
          <div id="report">${all.state.shown.values ? report(all) : nothing}</div>
        </section>
        ${rulesCard(all)} ${shareCard(all)} ${keys}
      </div>
    </aside>`;
  }

  /** The game in brief, for a new visitor. @param {Seen} all */
  #introduction({ state, module }) {
    const { intro: answer } = state;
    /** @type {Marks} */
    const marks = {
      values: false,
      claims: true,
      flipped: false,
      selected: [],
      hint: [],
      last: [],
      owners: new Map(),
      line: [],
      played: 0,
      edits: null,
      movesAt: () => [],
    };
    const close = () => {
      meet(state);
      state.changed();
    };
    return html`<section class="card" id="intro" aria-labelledby="intro-title" ?hidden=${!answer}>
      <h3 id="intro-title">The game in brief</h3>
      <p id="intro-text">${module.intro}</p>
      <figure>
        ${answer && this.#example.template("example", "Example", answer, module, marks)}
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
  const { shown, games, game, activity } = state;
  /** @param {string} id @param {keyof State["shown"]} what @param {string} name */
  const button = (id, what, name, isThere = true) =>
    html`<button
      type="button"
      id=${id}
      class="switch"
      aria-pressed=${String(shown[what])}
      ?hidden=${!isThere}
      @click=${() => toggle(state, what)}
    >
      ${name}
    </button>`;
  const isThere = {
    play: true,
    learn: Boolean(all?.module.lesson),
    puzzle: true,
    edit: Boolean(game?.info.marks.length),
  };
  return html`<header>
    <h1>
      <label class="hidden" for="game">Game</label>
      <select
        id="game"
        @change=${(/** @type {Event} */ { target }) => chooseGame(state, /** @type {HTMLSelectElement} */ (target).value)}
      >
        ${games.map(({ name, title }) => html`<option value=${name} .selected=${live(name === game?.info.name)}>${title}</option>`)}
      </select>
    </h1>
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
    <div class="switches" role="group" aria-label="Display">
      ${button("show-values", "values", "Values")}
      ${button("show-claims", "claims", "Claims", all?.module.claims ?? false)}
      ${button("flip", "flipped", "Turned", all?.module.home ?? false)}
      <button
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
        Dark
      </button>
    </div>
  </header>`;
}

/** @param {Seen} all */
function status({ state, game, answer, module, valued }) {
  const over = answer.is_over;
  const { shown } = state;
  const shape = over ? winnerOf(answer.value) : answer.to_move;
  const known = over ? "The game is over." : shown.values && valued[game.at] ? stopped(verdict(answer)) : "";
  const mark = answer.is_reachable ? "" : "Play from the start does not reach this position.";
  const score = answer.score === null || (!shown.values && !over) ? "" : `score ${signed(answer.score)}`;
  return html`<div class="status" id="status" data-winner=${(over && winnerOf(answer.value)) || ""}>
    <svg class="mover" viewBox="0 0 100 100" aria-hidden="true" id="mover">
      ${shape ? svg`${tokenOf(module, shape)}` : nothing}
    </svg>
    <h2>
      <span id="turn">${over ? result(answer) : `${sentence(answer.to_move)} player to move`}</span>
      <small id="ply">${over || game.start ? "" : `move ${game.at + 1}`}</small>
    </h2>
    <p id="score">${module.tally?.(answer.scene) ?? score}</p>
    <p id="verdict">${[known, mark].filter(Boolean).join(" ")}</p>
  </div>`;
}

/** What is shown on the board besides the position. @param {Seen} all @returns {Marks} */
function marksOf({ state, game, answer, made, line }) {
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
    owners: new Map(
      past.flatMap(({ places, mover }) => places.map((place) => /** @type {[string, Player]} */ ([place, mover]))),
    ),
    line: shown.line && shown.values && !isEdited ? (line ?? []) : [],
    played: game.at,
    edits: isEdited ? (place) => activity.edits(place) : null,
    movesAt: (name) => (mayMove && !isEdited ? movesAt(moves, selected, name) : []),
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
    ${legend(all)}`;
}

/** Whether values are points, as far as is known. @param {Seen} all */
function isScored({ valued, module }) {
  const known = valued.find(Boolean);
  return known ? (known.value ? known.value.score : known.to_come) !== null : Boolean(module.hasPoints);
}

const STAR = "M0-13 3.6-4.4 12.7-3.8 5.7 2.1 7.9 11 0 6.1-7.9 11-5.7 2.1-12.7-3.8-3.6-4.4Z";

/** Explains the marks by those of the game: points, or plies until the win. @param {Seen} all */
function legend(all) {
  const [first, tie, second] = isScored(all) ? ["+1", "0", "\u22121"] : ["1st 3", "tie, draw", "2nd 4"];
  const claim = (/** @type {string} */ pattern, /** @type {string} */ name) =>
    html`<li class="of-claims">
      <svg class="swatch" viewBox="0 0 36 36" aria-hidden="true">
        <rect width="36" height="36" fill="url(#${pattern})" /></svg
      >${name}
    </li>`;
  const value = (/** @type {string} */ who, /** @type {string} */ mark, /** @type {string} */ name) =>
    html`<li class="of-values"><i class="value ${who}" id="mark-${who}">${mark}</i>${name}</li>`;
  return html`<ul class="legend" aria-label="Legend">
    ${claim("stripes", "first only")} ${claim("spots", "second only")} ${claim("hatch", "nobody")}
    ${value("first", first, "first wins")} ${value("tie", tie, "nobody wins")} ${value("second", second, "second wins")}
    <li class="of-values">
      <svg class="swatch-star" viewBox="-14 -14 28 28" aria-hidden="true"><path class="star shown" d=${STAR} /></svg
      >best move
    </li>
  </ul>`;
}

const OF_POINTS =
  "The value of a position is the first player's points minus the second player's at the end of the game, if both play best: +1 means that the first player wins by 1 point, \u22121 that the second player does, 0 a tie. The number at a place is the value after the move there; a star marks the best ones. What the others cost is the difference.";
const OF_OUTCOMES =
  "The value of a position is its outcome if both play best: 1st 3 means that the first player wins in 3 plies, 2nd 4 that the second player wins in 4, and a tie or draw that neither can win. The mark at a place is the value after the move there; a star marks the best ones.";

/** The cards about values. @param {Seen} all */
function values(all) {
  const { state, answer, module } = all;
  const { shown } = state;
  const hasScores = answer.moves.some((choice) => isKnown(choice) && scoreOf(choice) !== null);
  const aim = hasScores ? `the ${answer.to_move === "first" ? "higher" : "lower"}, the better` : "";
  const terms = [...(module.terms ?? []), "value", "tie", "ply", "plies", "draw"];
  return html`<section class="card" aria-labelledby="values-title">
      <h3 id="values-title" class="unless-values">Values</h3>
      <p class="unless-values">
        Hidden, so that you can think for yourself.
        <button type="button" id="reveal" @click=${() => toggle(state, "values")}>Show the value of every move</button>
      </p>
      <details id="numbers">
        <summary>What do these numbers mean?</summary>
        <p id="meaning">${explained(isScored(all) ? OF_POINTS : OF_OUTCOMES, terms)}</p>
      </details>
    </section>
    <section class="card of-values" aria-labelledby="graph-title">
      <h3 id="graph-title">Value of the positions played</h3>
      <div id="graph">${shown.values ? graph(all, state.graphWidth) : nothing}</div>
    </section>
    <section class="card of-values" aria-labelledby="best-title">
      <h3 id="best-title">Moves by cost <small id="aim">${shown.values ? aim : ""}</small></h3>
      <div id="best">${shown.values ? movesByCost(all) : nothing}</div>
    </section>
    <section class="card of-values line-card" aria-labelledby="line-title">
      <h3 id="line-title">
        Best play from here
        <button
          type="button"
          id="draw-line"
          class="switch"
          aria-pressed=${String(shown.line)}
          @click=${() => toggle(state, "line")}
        >
          On the board
        </button>
      </h3>
      <div id="line">${shown.values ? bestLine(all) : nothing}</div>
    </section>`;
}

/** What screen readers say of a change. @param {Seen} all */
function announced({ game, made, answer }) {
  return [made[game.at - 1]?.label, answer.is_over && result(answer)].filter(Boolean).join(". ");
}

const keys = html`<details class="card" id="keys">
  <summary>Keys</summary>
  <dl>
    <div>
      <dt>Arrows</dt>
      <dd>move on the board</dd>
    </div>
    <div>
      <dt>Enter, Space</dt>
      <dd>play there; select a piece, then where it goes</dd>
    </div>
    <div>
      <dt>Escape</dt>
      <dd>deselect the piece</dd>
    </div>
    <div>
      <dt>p</dt>
      <dd>pass, if no other move is legal</dd>
    </div>
    <div>
      <dt>u, r</dt>
      <dd>undo, redo</dd>
    </div>
    <div>
      <dt>[ , ]</dt>
      <dd>one move back, one forward</dd>
    </div>
    <div>
      <dt>Home, End</dt>
      <dd>first and last position</dd>
    </div>
    <div>
      <dt>h</dt>
      <dd>hint: a best move</dd>
    </div>
    <div>
      <dt>v, c, f</dt>
      <dd>values, claims, board turned: on or off</dd>
    </div>
    <div>
      <dt>n</dt>
      <dd>new game</dd>
    </div>
  </dl>
</details>`;
