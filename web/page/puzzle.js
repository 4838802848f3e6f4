// A puzzle of the API: a position in which only one move keeps the result.

import { at } from "./dom.js";
import { get } from "./transport.js";
import { blunder, moveName, sentence } from "./words.js";

/** The numbers of the puzzles that were solved at the first try on this visit. */
const solved = new Set();
const missed = new Set();

export class Puzzle {
  name = "puzzle";

  constructor(wanted, found) { Object.assign(this, wanted, { found }); }

  /** Requests a puzzle; `wanted` has a task or `any`, a level or nothing, and a seed. */
  static async find({ info, rules }, { task, level, seed }) {
    const given = new URLSearchParams({ ...rules, ...(task !== "any" && { task }), ...(level && { level }), seed });
    return new Puzzle({ task, level, seed }, await get(`${info.name}/puzzle?${given}`));
  }

  get link() {
    return [["puzzle", this.task], ...(this.level ? [["level", this.level]] : []), ["seed", this.seed]];
  }

  /** The task as a phrase. */
  get #goal() {
    const { task, value } = this.found;
    return `the only move that ${task === "win" ? "wins" : `keeps the ${value.outcome}`}`;
  }

  /** Shows the puzzle in the form. */
  show() {
    const fields = at("puzzle-form").elements;
    for (const name of ["task", "level", "seed"]) fields[name].value = this[name] ?? "";
  }

  /** Whether the values of the position are needed to explain a wrong move. */
  explains({ moves, at: ply }) { return ply > 0 && moves[0] !== this.found.solution; }

  notice(game, { undo, next, valued }) {
    const { to_move: mover, level, solution } = this.found;
    const key = `${game.info.name} ${this.link}`;
    if (game.at === 0) {
      const grade = ["easy", "medium", "hard"][level - 1];
      return { text: `${sentence(mover)} player to move: find ${this.#goal} (${grade}).` };
    }
    if (game.at > 1) return null;
    const choice = game.choice(0, game.answers[0]);
    if (choice.move === solution) {
      if (!missed.has(key)) solved.add(key);
      const count = solved.size > 1 ? ` ${solved.size} solved at the first try.` : "";
      return { text: `Right: ${moveName(choice)} is ${this.#goal}.${count}`, label: "Next puzzle", act: next };
    }
    missed.add(key);
    const known = game.choice(0, valued[0]);
    const why = known?.value ? blunder(known, valued[0].moves[0]) : `${moveName(choice)} is not ${this.#goal}.`;
    return { kind: "warning", text: why, label: "Try again", act: undo };
  }
}
