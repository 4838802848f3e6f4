// A game: its rules, its moves with the answer to each position, and the current position. Only the
// server interprets moves.

/** @import { Answer, Info, Move, Rules } from "../types/api.js" */

/**
 * What determines a game: `start` is null for the usual one.
 * @typedef {object} Played
 * @property {Info} info
 * @property {Rules} rules
 * @property {string | null} start
 * @property {string[]} moves
 */

export class Game {
  /** The number of moves before the current position. */
  at = 0;

  /**
   * `answers` has the answer without values to each position.
   * @param {Played} played
   * @param {Answer[]} answers
   */
  constructor({ info, rules, start, moves }, answers, at = moves.length) {
    this.info = info;
    this.rules = rules;
    this.start = start;
    this.moves = moves;
    this.answers = answers;
    this.goTo(at);
  }

  get last() {
    return this.moves.length;
  }

  /** Whether there are later moves, so that computers wait. */
  get looksBack() {
    return this.at < this.last;
  }

  get answer() {
    return this.answers[this.at];
  }

  get isOver() {
    return this.answer.is_over;
  }

  /** @param {number} at */
  mover(at) {
    return this.answers[at].to_move;
  }

  /** @param {number} at */
  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.last));
  }

  /**
   * Plays a move from the current position; removes the later moves.
   * @param {string} move
   * @param {Answer} answer the one to the position after it
   */
  play(move, answer) {
    this.cut();
    this.moves.push(move);
    this.answers.push(answer);
    this.at = this.last;
  }

  /** Removes the moves after the current position. */
  cut() {
    this.moves = this.moves.slice(0, this.at);
    this.answers = this.answers.slice(0, this.at + 1);
  }

  /** Whether the current position has occurred before. */
  get comesBack() {
    return this.answers.slice(0, this.at).some(({ position }) => position === this.answer.position);
  }

  question(at = this.at) {
    return question({ ...this, moves: this.moves.slice(0, at) });
  }

  /** The question for the position after a move from the current one. @param {string} move */
  after(move) {
    return question({ ...this, moves: [...this.moves.slice(0, this.at), move] });
  }

  /**
   * The choice that was made at a ply among the known ones.
   * @param {number} at
   * @param {Answer | null} answer
   * @returns {Move | undefined}
   */
  choice(at, answer = this.answers[at]) {
    return answer?.moves.find(({ move }) => move === this.moves[at]);
  }
}

/** The question for the position after the moves of a game. @param {Played} played */
export function question(played) {
  const query = parameters(played).toString();
  return `${played.info.name}/position${query && "?" + query}`;
}

/** The parameters of the question. @param {Pick<Played, "rules" | "start" | "moves">} played */
export function parameters({ rules, start, moves }) {
  const given = Object.entries(rules).filter(([, value]) => value !== null);
  const all = new URLSearchParams(/** @type {[string, string][]} */ (given));
  if (start) all.set("position", start);
  if (moves.length) all.set("moves", moves.join(","));
  return all;
}

/**
 * The rules of an answer that differ from the default ones.
 * @param {Rules} rules
 * @param {Info} info
 * @returns {Rules}
 */
export function unusual(rules, { options }) {
  const kept = options.filter(({ parameter, default: usual }) => (rules[parameter] ?? usual) !== usual);
  return Object.fromEntries(kept.map(({ parameter }) => [parameter, rules[parameter]]));
}

/** Splits moves; `8 (c2)`, as moves are written, is one word. @param {string | null} text */
export const words = (text) =>
  (text ?? "")
    .replaceAll(" (", "(")
    .split(/[\s,]+/)
    .filter(Boolean);
