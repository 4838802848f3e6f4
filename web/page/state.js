// The state of the page. Functions of other modules change it and then call `changed`; the page is drawn from it.

/** @import { Answer, Info, Move, Player } from "../types/api.js" */
/** @import { Notice } from "./activities/activity.js" */
/** @import { Game } from "./game.js" */

import { Activity } from "./activities/activity.js";
import { recall } from "./memory.js";
import { Names } from "./names.js";
import { Answers } from "./requests.js";

/** @type {Player[]} */
export const SIDES = ["first", "second"];
/** The time after which a request counts as slow, in milliseconds. */
const SLOW = 500;
/** How long a message stays that says why a place has no move, in milliseconds. */
const DENIAL = 4000;

/**
 * How a change is kept in the history of the browser.
 * @typedef {"pushState" | "replaceState"} History
 */

export class State {
  /** @type {Info[]} */
  games = [];
  version = "";
  /** Whether all games are offered instead. */
  isHome = false;
  /** Positions of the games, for their pictures. @type {Map<string, Answer>} */
  pictures = new Map();
  /** The game that is shown; null until the first one is loaded. @type {Game | null} */
  game = null;
  /** What is done with it. */
  activity = new Activity();
  /** Who plays: `you`, or the name or text of an agent. @type {Record<Player, string>} */
  players = { first: "you", second: "you" };
  /** The names that people have given to themselves; empty if they have not. @type {Record<Player, string>} */
  called = { first: recall("name first"), second: recall("name second") };
  /** Texts of agents that the server has accepted. @type {Set<string>} */
  accepted = new Set();
  /** The sides whose agent is being typed. @type {Set<Player>} */
  typing = new Set();
  shown = { values: false, claims: true, hint: false, flipped: false, line: false };
  /** The places of a move with several that are pressed already. @type {string[]} */
  selected = [];
  /** What went wrong last, until the position changes. @type {Notice | null} */
  trouble = null;
  /** Why the place that was pressed last has no move. @type {string | null} */
  denial = null;
  #denied = 0;
  /** The last move of a computer whose time was over before it was sure. @type {{ ply: number, move: string } | null} */
  hasty = null;
  /** Whether an answer is late. */
  late = false;
  /** What is wrong with a form, by its name. @type {Record<"players" | "rules" | "load", string | null>} */
  errors = { players: null, rules: null, load: null };
  /** The example of the introduction, while a new visitor is introduced. @type {Answer | null} */
  intro = null;
  /** The record of a game, for its question. @type {{ question: string, text: string }} */
  record = { question: "", text: "" };
  isShareOpen = false;
  /** What was copied, or that copying failed. */
  copied = "";
  /** The width of the graph in pixels. */
  graphWidth = 0;
  /** The seed of computers and puzzles. */
  seed = Math.floor(Math.random() * 1e9);
  /** The number of games requested so far; only the last one is shown. */
  loads = 0;

  answers = new Answers(() => this.changed());
  #listener;

  /** @param {(history: History) => void} listener is called after each change */
  constructor(listener) {
    this.#listener = listener;
  }

  /** @param {History} history */
  changed(history = "replaceState") {
    this.#listener(history);
  }

  /** @param {Player} side */
  isPerson(side) {
    return this.players[side] === "you";
  }

  /** How the players are called. */
  get names() {
    const { activity, game } = this;
    const learner = game && activity.learner(game);
    if (learner) return new Names({ ...both("your opponent"), [learner]: "you" });
    const people = activity.hasPlayers ? SIDES.filter((side) => this.isPerson(side)) : SIDES;
    if (people.length === 1) return new Names({ ...both("the computer"), [people[0]]: "you" });
    if (people.length === 0) return new Names({ first: "Computer 1", second: "Computer 2" });
    const { first, second } = this.called;
    return new Names({ first: first || "Player 1", second: second || "Player 2" });
  }

  /** Whether a person has finished a game, whose mistakes are then looked for. */
  get isReviewed() {
    return Boolean(this.game?.isOver && this.activity.hasComputers && SIDES.some((side) => this.isPerson(side)));
  }

  /** Says for some seconds why a place has no move. @param {string} why */
  deny(why) {
    this.denial = why;
    clearTimeout(this.#denied);
    this.#denied = setTimeout(() => {
      this.denial = null;
      this.changed();
    }, DENIAL);
    this.changed();
  }

  /** Whether a computer is to move. */
  get waits() {
    const { activity, game } = this;
    return Boolean(game && activity.hasComputers && !game.isOver && !this.isPerson(game.answer.to_move));
  }

  /** Whether two computers repeat positions. */
  get circles() {
    return this.waits && SIDES.every((side) => !this.isPerson(side)) && Boolean(this.game?.comesBack);
  }

  /** Whether a person may move; for a computer while there are later moves, or if it cannot move. */
  get mayMove() {
    const { game, answers } = this;
    if (!game) return false;
    return (
      !this.waits ||
      game.looksBack ||
      this.circles ||
      this.trouble !== null ||
      answers.refused(game.question()) !== null
    );
  }

  /** The moves that a person may play. @returns {Move[]} */
  get offered() {
    const { activity, game } = this;
    return game ? game.answer.moves.filter(({ move }) => activity.offers(move, game)) : [];
  }

  /** Resets what belongs to a position. */
  rest() {
    this.selected = [];
    this.shown.hint = false;
    this.trouble = null;
    this.denial = null;
  }

  /** A test of whether the position that is shown now is still shown. */
  here() {
    const { game } = this;
    const answer = game?.answer;
    return () => this.game === game && this.game?.answer === answer;
  }

  /** Waits for an answer, and says so if it is late. @template T @param {Promise<T>} answer */
  async wait(answer) {
    const timer = setTimeout(() => {
      this.late = true;
      this.changed();
    }, SLOW);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      if (this.late) {
        this.late = false;
        this.changed();
      }
    }
  }

  /** Requests the values of the current position, then those of the others. */
  ask() {
    const { activity, answers, game, shown } = this;
    if (!game) return;
    /** @param {number} ply */
    const isOpen = (ply) => !answers.valued(game.question(ply)) && !answers.refused(game.question(ply));
    const isWanted = shown.values || shown.hint;
    // A position with few moves left is searched sooner.
    const others =
      shown.values || this.isReviewed
        ? game.answers
            .map((_, ply) => ply)
            .reverse()
            .filter(isOpen)
        : [];
    others.unshift(...activity.wants(game).filter(isOpen));
    const next = isWanted && isOpen(game.at) ? game.at : answers.refused(game.question()) ? undefined : others[0];
    if (next !== undefined) answers.search(game.question(next), game.answers[next].cost);
  }
}

/** @param {string} name @returns {Record<Player, string>} */
const both = (name) => ({ first: name, second: name });
