// Moves of perfect play and of heuristics.

import { Pending } from "./perfect.js";
import { choose, questionOf } from "./players.js";

const DELAY = 450;

export class Machine {
  #pending = new Pending();

  constructor(answers, players, play) {
    Object.assign(this, { answers, players, play });
  }

  /** Whether a machine is to move, once there are no later moves. */
  moves(answer) { return !answer.game_over && this.players[answer.to_move] !== "you"; }

  /** Plays the next move of a machine once it is known. Returns the refusal of the server, if any. */
  tend(game) {
    const answer = this.answers.best(game.query());
    const due = answer && !game.looksBack && this.moves(answer);
    if (!due) return this.#pending.end();
    const player = this.players[answer.to_move];
    const question = questionOf(player, game.query());
    if (player !== "perfect") this.answers.ask(question);
    const known = answer.legal[0] === "pass" ? answer : this.answers.known(question);
    if (known) this.#pending.begin(question, DELAY, () => this.play(choose(player, known)));
    else this.#pending.end();
    return this.answers.refused(question);
  }
}
