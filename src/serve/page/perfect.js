// Moves that are made without a person, a moment after they are known.

/** At most one action that waits for its time. */
export class Pending {
  #timer = null;
  #key = null;

  /** Does `act` after a delay, unless what has this key is waiting already. */
  begin(key, delay, act) {
    if (this.#key === key) return;
    this.end();
    this.#key = key;
    this.#timer = setTimeout(() => {
      this.#key = null;
      act();
    }, delay);
  }

  end() {
    clearTimeout(this.#timer);
    this.#key = null;
  }
}

/** Perfect play of the sides that are set to it. */
export class PerfectPlay {
  #pending = new Pending();

  constructor(players, play, delay) { Object.assign(this, { players, play, delay }); }

  /** Whether perfect play is to move once nobody looks back. */
  moves({ answer }) { return !answer.game_over && this.players[answer.to_move] === "perfect"; }

  /** Makes the move, if there is one and perfect play is to move. */
  tend(game, move) {
    if (!move || !this.moves(game) || game.looksBack) return this.#pending.end();
    this.#pending.begin(game.answer, this.delay, () => this.play(move));
  }
}
