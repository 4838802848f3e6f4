// Perfect play, which stops when positions repeat.

import { PerfectPlay } from "../perfect.js";
import { isAsGood } from "./board.js";

export class Machine extends PerfectPlay {
  /** Whether two machines repeat positions for ever. */
  circles(game) {
    return this.players.first === "perfect" && this.players.second === "perfect"
      && !game.answer.game_over && game.comesBack;
  }

  /** Plays the next move, if perfect play is to move. */
  tend(game) { super.tend(game, this.circles(game) ? null : choose(game)); }
}

/** The first of the best moves. In a draw, a move that does not take the player's last one back is
    preferred. */
function choose(game) {
  const { answer, at } = game;
  const best = answer.moves.filter((move) => isAsGood(move, answer));
  const own = at >= 2 && answer.result === "drawn" ? game.moveTo(at - 1) : null;
  const leadsBack = ({ from, to }) => own && from === own.to && to === own.from;
  return (best.find((move) => !leadsBack(move)) ?? best[0])?.move;
}
