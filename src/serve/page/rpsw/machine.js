// Perfect play moves by itself, a moment after it is its turn.

import { isAsGood } from "./board.js";

const DELAY = 600;

export class Machine {
  #timer = null;
  #waitsFor = null;

  constructor(players, play) { Object.assign(this, { players, play }); }

  /** Whether perfect play is to move once nobody looks back. */
  moves({ answer }) { return !answer.game_over && this.players[answer.to_move] === "perfect"; }

  /** Whether nobody would ever stop. */
  circles(game) {
    return this.players.first === "perfect" && this.players.second === "perfect"
      && !game.answer.game_over && game.comesBack;
  }

  /** Sees to the next move. */
  tend(game) {
    const due = this.moves(game) && !game.looksBack && !this.circles(game);
    // What it has begun to wait for is not begun again.
    if (due && this.#waitsFor === game.answer) return;
    clearTimeout(this.#timer);
    this.#waitsFor = due ? game.answer : null;
    if (!due) return;
    this.#timer = setTimeout(() => {
      this.#waitsFor = null;
      this.play(choose(game));
    }, DELAY);
  }
}

/** The first of the best moves; where nobody can win, rather none that takes the last one back. */
function choose(game) {
  const { answer, at } = game;
  const best = answer.moves.filter((move) => isAsGood(move, answer));
  const own = at >= 2 && answer.result === "drawn" ? game.moveTo(at - 1) : null;
  const leadsBack = ({ from, to }) => own && from === own.to && to === own.from;
  return (best.find((move) => !leadsBack(move)) ?? best[0]).move;
}
