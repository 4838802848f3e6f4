// Machines move by themselves, a moment after it is their turn.

import { choose, questionOf } from "./players.js";

const DELAY = 450;

export class Machine {
  #timer = null;
  #waitsFor = null;

  constructor(answers, players, play) {
    Object.assign(this, { answers, players, play });
  }

  /** Whether a machine is to move once nobody looks back. */
  moves(answer) { return !answer.game_over && this.players[answer.to_move] !== "you"; }

  /** Sees to the next move, and gives what the server refused to say, if anything. */
  tend(game) {
    const answer = this.answers.best(game.query());
    const due = answer && !game.looksBack && this.moves(answer);
    if (!due) return this.#rest();
    const player = this.players[answer.to_move];
    const question = questionOf(player, game.query());
    if (player !== "perfect") this.answers.ask(question);
    const known = answer.legal[0] === "pass" ? answer : this.answers.known(question);
    if (known) this.#after(question, () => this.play(choose(player, known)));
    else this.#rest();
    return this.answers.refused(question);
  }

  /** What it has begun to wait for is not begun again. */
  #after(question, move) {
    if (this.#waitsFor === question) return;
    this.#rest();
    this.#waitsFor = question;
    this.#timer = setTimeout(() => {
      this.#waitsFor = null;
      move();
    }, DELAY);
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#waitsFor = null;
  }
}
