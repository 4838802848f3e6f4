// A guided game: each step says what to do, and the moves are fixed.

/** @import { Rules } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { Notice, Task, Ways } from "./activity.js" */

import { Activity } from "./activity.js";

/**
 * A lesson as a game has it. `start` is the first position, if it is not the usual one. A step has what to `say`, the
 * `move` to play and the `replies` to it; `end` is said after the last one.
 * @typedef {object} LessonText
 * @property {Rules} rules
 * @property {string} [start]
 * @property {{ say: string, move: string, replies?: string[] }[]} steps
 * @property {string} end
 */

export class Lesson extends Activity {
  /** @type {Task["name"]} */
  name = "learn";
  hasComputers = false;
  hasCounts = false;
  hasPlayers = false;

  /** @param {LessonText} text */
  constructor({ rules, start, steps, end }) {
    super();
    this.rules = rules;
    this.start = start ?? null;
    this.steps = steps;
    this.end = end;
    /** The moves, with the steps of those that the learner plays. @type {{ move: string, step?: number }[]} */
    this.script = steps.flatMap(({ move, replies = [] }, step) => [
      { move, step },
      ...replies.map((move) => ({ move })),
    ]);
  }

  /** @param {Played} game */
  linked({ moves }) {
    return { rules: {}, start: null, moves };
  }

  /** @returns {[string, string][]} */
  get link() {
    return [["learn", "yes"]];
  }

  /** Whether moves are those of the lesson. @param {string[]} moves */
  fits(moves) {
    return moves.every((move, ply) => move === this.script[ply]?.move);
  }

  /** @param {Game} game */
  learner({ answers }) {
    return answers[0].to_move;
  }

  /** @param {Game} game */
  denies({ at }) {
    return this.isOwn(at) ? "That is not the marked place. Take the marked one to go on." : "";
  }

  /** @param {number} ply */
  isOwn(ply) {
    return this.script[ply]?.step !== undefined;
  }

  /** @param {string} move @param {Game} game */
  offers(move, { at }) {
    return this.isOwn(at) && this.script[at].move === move;
  }

  /** @param {Game} game */
  told({ at }) {
    return this.isOwn(at) ? this.script[at].move : null;
  }

  /** @param {Game} game */
  reply({ at }) {
    return this.isOwn(at) ? null : (this.script[at]?.move ?? null);
  }

  /** @param {Game} game @param {Ways} ways @returns {Notice} */
  notice({ at }, { leave }) {
    if (at >= this.script.length) return { text: this.end, label: "Play", act: leave };
    const step = this.script.slice(0, at + 1).findLast((one) => one.step !== undefined)?.step ?? 0;
    return { text: `${step + 1} of ${this.steps.length}. ${this.steps[step].say}` };
  }
}
