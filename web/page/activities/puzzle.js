// A puzzle of the API: a position in which only one move keeps the result. The opponent answers the right move, and
// further moves that keep the result are to be found.

/** @import { Answer, FoundPuzzle } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { Answers } from "../requests.js" */
/** @import { State } from "../state.js" */
/** @import { Notice, Task, Ways } from "./activity.js" */

import { Refused, get } from "../transport.js";
import { blunder, moveName } from "../words.js";
import { Activity } from "./activity.js";
import { count, series } from "./series.js";

/** What puzzle is wanted: a task or `any`, a level or nothing, and a seed. @typedef {Task & { name: "puzzle" }} Wanted */

/** The most moves that are to be found. */
const MOST = 3;
/** The seconds that the search for a puzzle may take. */
const SECONDS = 5;

/**
 * How far a puzzle is solved: the number of right moves, the ply of a wrong one, and whether nothing is left to find.
 * @typedef {{ right: number, wrong: number | null, isSolved: boolean }} Progress
 */

export class Puzzle extends Activity {
  /** @type {Task["name"]} */
  name = "puzzle";
  hasComputers = false;
  hasCounts = false;
  hasPlayers = false;

  /** @param {Wanted} wanted @param {FoundPuzzle} found */
  constructor(wanted, found) {
    super();
    this.wanted = wanted;
    this.found = found;
  }

  /** Requests a puzzle. @param {Pick<Played, "info" | "rules">} game @param {Wanted} wanted */
  static async find({ info, rules }, wanted) {
    const { task, level, seed } = wanted;
    const given = new URLSearchParams(/** @type {Record<string, string>} */ (rules));
    if (task !== "any") given.set("task", task);
    if (level) given.set("level", level);
    given.set("seed", String(seed));
    given.set("time", String(SECONDS));
    try {
      return new Puzzle(wanted, await get(`${info.name}/puzzle?${given}`));
    } catch (refused) {
      if (!(refused instanceof Refused) || refused.status !== 422) throw refused;
      throw new Refused(422, { message: "No puzzle was found. Choose another task, level, number or board." });
    }
  }

  /** Whether this is the puzzle that is wanted. @param {Wanted} wanted */
  isWanted({ task, level, seed }) {
    return task === this.wanted.task && level === this.wanted.level && seed === this.wanted.seed;
  }

  /** @param {Played} game */
  linked({ rules, moves }) {
    return { rules, start: null, moves };
  }

  /** @returns {[string, string][]} */
  get link() {
    const { task, level, seed } = this.wanted;
    return [
      ["puzzle", task],
      ...(level ? [/** @type {[string, string]} */ (["level", level])] : []),
      ["seed", String(seed)],
    ];
  }

  learner() {
    return this.found.to_move;
  }

  /** @param {number} ply @param {State} state */
  isOwn(ply, { game }) {
    return game?.mover(ply) === this.found.to_move;
  }

  /** The task as a phrase. */
  get #goal() {
    const { task, value } = this.found;
    return `the only move that ${task === "win" ? "wins" : `keeps the ${value.outcome}`}`;
  }

  /** The values of the positions judge the moves, and determine the replies. @param {Game} game */
  wants({ answers, moves }) {
    return moves.length > 0 ? [...answers.keys()] : [];
  }

  /**
   * @param {Game} game
   * @param {(ply: number) => Answer | null} valued the answers with values, as far as they are known
   * @returns {Progress}
   */
  #progress(game, valued) {
    const { solution, to_move: solver } = this.found;
    let right = 0;
    for (let ply = 0; ply < game.at; ply += 1) {
      if (game.mover(ply) !== solver) continue;
      const isWrong =
        ply === 0 ? game.moves[0] !== solution : game.choice(ply, valued(ply))?.class === "changes-outcome";
      if (isWrong) return { right, wrong: ply, isSolved: false };
      right += 1;
    }
    const here = valued(game.at);
    const isChoice = here?.moves.some((choice) => choice.class === "changes-outcome") ?? true;
    const isSolved = right >= MOST || game.isOver || (right > 0 && game.mover(game.at) === solver && !isChoice);
    return { right, wrong: null, isSolved };
  }

  /** The opponent makes a best move as long as there is more to find. @param {Game} game @param {Answers} answers */
  reply(game, answers) {
    if (game.at === 0 || game.mover(game.at) === this.found.to_move) return null;
    const { wrong, isSolved } = this.#progress(game, (ply) => answers.valued(game.question(ply)));
    if (wrong !== null || isSolved) return null;
    return answers.valued(game.question())?.moves[0]?.move ?? null;
  }

  /** @param {string} _move @param {Game} game */
  offers(_move, game) {
    return game.mover(game.at) === this.found.to_move;
  }

  /** @param {Game} game @param {Ways} ways @returns {Notice} */
  notice(game, { refused, undo, next, valued, names }) {
    const { level, solution, task, value } = this.found;
    const { right, wrong, isSolved } = this.#progress(game, (ply) => valued[ply]);
    const key = this.link.map(([, text]) => text).join();
    if (wrong !== null) {
      count(game.info.name, key, false);
      const [choice, best] = [game.choice(wrong, valued[wrong]), valued[wrong]?.moves[0]];
      const plain = `${moveName(choice ?? game.answers[wrong].moves[0])} is not ${this.#goal}.`;
      const text = choice?.value && best ? blunder(choice, best, names) : plain;
      return { kind: "warning", text, label: "Try again", act: undo };
    }
    if (right === 0) {
      const grade = ["easy", "medium", "hard"][level - 1];
      return { text: `Your move: find ${this.#goal} (${grade}).` };
    }
    const first = game.answers[0].moves.find(({ move }) => move === solution);
    const found = `Right: ${first ? moveName(first) : solution} is ${this.#goal}.`;
    const goal = task === "win" ? "win" : value.outcome;
    if (isSolved || refused) {
      count(game.info.name, key, true);
      const said = right === 1 ? found : `Solved: you kept the ${goal} with ${right} right moves.`;
      return { kind: "good", text: said + series(game.info.name), label: "Next puzzle", act: next };
    }
    if (game.mover(game.at) !== this.found.to_move)
      return { text: `${right === 1 ? found : "Right."} Your opponent answers.` };
    return { text: `Right so far. Go on: keep the ${goal}.` };
  }
}
