// A guided game: each step says what to do, and the moves are fixed.

export class Lesson {
  name = "learn";

  /** `start` is the first position, if it is not the usual one; `steps` have what to `say`, the `move` to play and the `replies` to it; `end` is said after the last. */
  constructor({ rules, start = null, steps, end }) {
    Object.assign(this, { rules, start, steps, end });
    this.script = steps.flatMap(({ move, replies = [] }, step) => [{ move, step }, ...replies.map((reply) => ({ move: reply }))]);
  }

  get link() { return [["learn", "yes"]]; }

  /** Whether moves are those of the lesson. */
  fits(moves) { return moves.every((move, ply) => move === this.script[ply]?.move); }

  isOwn(ply) { return this.script[ply]?.step !== undefined; }

  offers(move, { at }) { return this.isOwn(at) && this.script[at].move === move; }

  /** The move that is to be played next, if it is the learner's. */
  hint({ at }) { return this.isOwn(at) ? this.script[at].move : null; }

  /** The next move of the opponent. */
  reply({ at }) { return this.isOwn(at) ? null : this.script[at]?.move ?? null; }

  notice({ at }, { leave }) {
    if (at >= this.script.length) return { text: this.end, label: "Play", act: leave };
    const step = this.script.slice(0, at + 1).findLast((one) => one.step !== undefined)?.step ?? 0;
    return { text: `${step + 1} of ${this.steps.length}. ${this.steps[step].say}` };
  }
}
