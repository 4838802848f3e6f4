// Moves of machines, which are played after a delay.

/** At most one delayed action. */
export class Pending {
  #timer = null;
  #key = null;

  /** Runs `act` after a delay, unless an action with the same key is pending. */
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

/** Plays the sides that are set to perfect play. */
export class PerfectPlay {
  #pending = new Pending();

  constructor(players, play, delay) { Object.assign(this, { players, play, delay }); }

  /** Whether perfect play is to move, once there are no later moves. */
  moves({ answer }) { return !answer.game_over && this.players[answer.to_move] === "perfect"; }

  /** Plays a move, if there is one and perfect play is to move. */
  tend(game, move) {
    if (!move || !this.moves(game) || game.looksBack) return this.#pending.end();
    this.#pending.begin(game.answer, this.delay, () => this.play(move));
  }
}
