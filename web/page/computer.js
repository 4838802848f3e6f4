// The moves that nobody presses: those of computers, and the replies of lessons.

/** @import { State } from "./state.js" */

import { play } from "./moves.js";
import { report } from "./opening.js";
import { chosen } from "./requests.js";

/** The delay of a move, in milliseconds. */
const DELAY = 450;

export class Computer {
  #pending = { key: "", timer: 0 };

  /** Plays the next move after a delay, if it is due. @param {State} state */
  tend(state) {
    const { activity, game, players } = state;
    if (!game) return;
    if (state.isHome) {
      clearTimeout(this.#pending.timer);
      this.#pending = { key: "", timer: 0 };
      return;
    }
    const reply = activity.reply(game, state.answers);
    const isDue = (state.waits || reply) && !game.looksBack && !state.circles && !state.trouble;
    const agent = players[game.answer.to_move];
    const key = isDue ? `${reply ?? agent} ${game.question()}` : "";
    if (key === this.#pending.key) return;
    clearTimeout(this.#pending.timer);
    const act = () => (reply ? play(state, reply, "replaceState") : this.#move(state, agent));
    this.#pending = { key, timer: key ? setTimeout(act, DELAY) : 0 };
  }

  /** @param {State} state @param {string} agent */
  async #move(state, agent) {
    const { game } = state;
    if (!game) return;
    const { to_move: side } = game.answer;
    const isShown = state.here();
    const isThere = () => isShown() && !game.looksBack && state.players[side] === agent;
    try {
      const { move, is_sure: isSure } = await state.wait(chosen(game.question(), agent, state.seed));
      if (!isThere()) return;
      state.hasty = isSure ? null : { ply: game.at + 1, move };
      await play(state, move, "replaceState");
    } catch (refused) {
      const again = () => {
        this.#pending.key = "";
        state.changed();
      };
      report(state, refused, again, isThere);
    }
  }
}
