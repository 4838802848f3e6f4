// What is done with a game. Just playing is the default; lessons, puzzles and the set-up of positions override what
// differs.

/** @import { Answer, Place } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { State } from "../state.js" */

/**
 * A message, with what can be done about it.
 * @typedef {object} Notice
 * @property {string} text
 * @property {"plain" | "warning"} [kind]
 * @property {string} [label]
 * @property {() => void} [act]
 */

/**
 * What the message of an activity may lead to: just playing, the position before, or the next task. `first` is the
 * answer with values to the first position, if it is known.
 * @typedef {object} Ways
 * @property {() => void} leave
 * @property {() => void} undo
 * @property {() => void} next
 * @property {Answer | null} first
 */

/**
 * An activity as a link names it.
 * @typedef {{ name: "play" } | { name: "learn" } | { name: "puzzle", task: string, level: string, seed: number }
 *   | { name: "edit", draft: string | null }} Task
 */

export class Activity {
  /** @type {Task["name"]} */
  name = "play";
  /** Whether computers play. */
  hasComputers = true;
  /** Whether only certain moves are to be played, so that others are not explained. */
  isGuided = false;

  /** What a link has of the game. The activity determines the rest. @param {Played} game */
  linked({ rules, start, moves }) {
    return { rules, start, moves };
  }

  /** What a link has of the activity. @returns {[string, string][]} */
  get link() {
    return [];
  }

  /** Whether a move may be played. @param {string} _move @param {Game} _game */
  offers(_move, _game) {
    return true;
  }

  /** The move that is played without the user, if there is one. @param {Game} _game @returns {string | null} */
  reply(_game) {
    return null;
  }

  /** The move that is shown to the user, if there is one. @param {Game} _game @returns {string | null} */
  told(_game) {
    return null;
  }

  /** Whether the user decides at a ply. @param {number} ply @param {State} state */
  isOwn(ply, state) {
    return Boolean(state.game && state.isPerson(state.game.mover(ply)));
  }

  /** Whether the values of the first position are needed. @param {Game} _game */
  explains(_game) {
    return false;
  }

  /** What is said about the position. @param {Game} _game @param {Ways} _ways @returns {Notice | null} */
  notice(_game, _ways) {
    return null;
  }

  /** Whether something can be put at a place. @param {Place} _place */
  edits(_place) {
    return false;
  }

  /** What stands on the board. @param {Answer} answer */
  scene({ scene }) {
    return scene;
  }
}
