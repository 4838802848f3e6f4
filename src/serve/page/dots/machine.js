// Perfect play moves by itself, a moment after it is its turn.

const DELAY = 500;

export class Machine {
  #timer = null;
  #waitsFor = null;

  constructor(players, play) { Object.assign(this, { players, play }); }

  /** Whether perfect play is to move once nobody looks back. */
  moves({ answer }) { return !answer.game_over && this.players[answer.to_move] === "perfect"; }

  /** Sees to the next move, if it is known what is best. */
  tend(game, scored) {
    const due = scored && this.moves(game) && !game.looksBack;
    // What it has begun to wait for is not begun again.
    if (due && this.#waitsFor === game.answer) return;
    clearTimeout(this.#timer);
    this.#waitsFor = due ? game.answer : null;
    if (!due) return;
    this.#timer = setTimeout(() => {
      this.#waitsFor = null;
      this.play(scored.moves[0].move);
    }, DELAY);
  }
}
