// An activity is what the user does with a game. By default that is playing; lessons, puzzles, reviews and the set-up
// of positions override what differs.

/** @import { Answer, Move, Place, Player } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { Names } from "../names.js" */
/** @import { Answers, LineMove } from "../requests.js" */
/** @import { State } from "../state.js" */

/**
 * A message, with what can be done about it.
 * @typedef {object} Notice
 * @property {string} text
 * @property {"plain" | "good" | "warning"} [kind]
 * @property {string} [label]
 * @property {() => void} [act]
 */

/**
 * What is known to an activity's message, and what the message may lead to.
 * @typedef {object} Ways
 * @property {(Answer | null)[]} valued the answers with values to the positions of the game, if they are known
 * @property {Notice | null} refused that values are missing, if some were refused
 * @property {Names} names how the players are called
 * @property {(ply: number) => boolean} own whether a person decided at a ply
 * @property {(choice: Move, answer: Answer) => string | undefined} why a reason for a best move
 * @property {() => void} leave just playing
 * @property {() => void} undo the position before
 * @property {() => void} next the next task
 * @property {(ply: number) => void} goTo another position
 * @property {() => void} playOn playing on from here
 */

/**
 * An activity as a link names it.
 * @typedef {{ name: "play" } | { name: "learn" } | { name: "puzzle", task: string, level: string, seed: number }
 *   | { name: "edit", draft: string | null } | { name: "review" }} Task
 */

export class Activity {
  /** @type {Task["name"]} */
  name = "play";
  /** Whether computers play. */
  hasComputers = true;
  /** Whether the players are those of the game, by whom sentences call them. */
  hasPlayers = true;
  /** Whether it is told what experienced players count, which a learner is to find. */
  hasCounts = true;

  /** What a link has of the game. The activity determines the rest. @param {Played} game */
  linked({ rules, start, moves }) {
    return { rules, start, moves };
  }

  /** What a link has of the activity. @returns {[string, string][]} */
  get link() {
    return [];
  }

  /** The side of a learner, who is called `you`. @param {Game} _game @returns {Player | null} */
  learner(_game) {
    return null;
  }

  /** Whether a move may be played. @param {string} _move @param {Game} _game */
  offers(_move, _game) {
    return true;
  }

  /**
   * The move that is played without the user, if there is one.
   * @param {Game} _game
   * @param {Answers} _answers
   * @returns {string | null}
   */
  reply(_game, _answers) {
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

  /** The plies of positions whose values are needed. @param {Game} _game @returns {number[]} */
  wants(_game) {
    return [];
  }

  /** Whether a move is judged instead of played. @param {string} _move @param {Game} _game */
  judges(_move, _game) {
    return false;
  }

  /**
   * The line of play that is drawn; null if the user decides.
   * @param {Game} _game
   * @param {Answers} _answers
   * @returns {LineMove[] | null}
   */
  line(_game, _answers) {
    return null;
  }

  /**
   * Why there is no move at a place that was pressed: an empty text for no message, null for the reason that the
   * server gives.
   * @param {Game} _game
   * @returns {string | null}
   */
  denies(_game) {
    return null;
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
