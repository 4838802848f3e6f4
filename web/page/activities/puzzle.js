// A puzzle of the API: a position in which only one move keeps the result.

/** @import { FoundPuzzle } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { Notice, Task, Ways } from "./activity.js" */

import { get } from "../transport.js";
import { blunder, moveName } from "../words.js";
import { Activity } from "./activity.js";

/** What puzzle is wanted: a task or `any`, a level or nothing, and a seed. @typedef {Task & { name: "puzzle" }} Wanted */

/** The puzzles that were solved at the first try on this visit, and those that were not. */
const solved = new Set();
const missed = new Set();

export class Puzzle extends Activity {
  /** @type {Task["name"]} */
  name = "puzzle";
  hasComputers = false;
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
    return new Puzzle(wanted, await get(`${info.name}/puzzle?${given}`));
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

  isOwn() {
    return true;
  }

  /** The task as a phrase. */
  get #goal() {
    const { task, value } = this.found;
    return `the only move that ${task === "win" ? "wins" : `keeps the ${value.outcome}`}`;
  }

  /** The values of the position explain a wrong move. @param {Game} game */
  wants({ moves, at: ply }) {
    return ply > 0 && moves[0] !== this.found.solution ? [0] : [];
  }

  /** @param {Game} game @param {Ways} ways @returns {Notice | null} */
  notice(game, { undo, next, valued: [first], names }) {
    const { level, solution } = this.found;
    const key = `${game.info.name} ${this.link}`;
    if (game.at === 0) {
      const grade = ["easy", "medium", "hard"][level - 1];
      return { text: `Your move: find ${this.#goal} (${grade}).` };
    }
    const choice = game.choice(0);
    if (game.at > 1 || !choice) return null;
    if (choice.move === solution) {
      if (!missed.has(key)) solved.add(key);
      const count = solved.size > 1 ? ` ${solved.size} solved at the first try.` : "";
      return { text: `Right: ${moveName(choice)} is ${this.#goal}.${count}`, label: "Next puzzle", act: next };
    }
    missed.add(key);
    const known = game.choice(0, first);
    const why =
      first && known?.value ? blunder(known, first.moves[0], names) : `${moveName(choice)} is not ${this.#goal}.`;
    return { kind: "warning", text: why, label: "Try again", act: undo };
  }
}
