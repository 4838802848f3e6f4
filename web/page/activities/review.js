// Learning from a finished game: the player looks for a better move at each mistake, and sees why.

/** @import { Answer, Move } from "../../types/api.js" */
/** @import { Game } from "../game.js" */
/** @import { Answers, LineMove } from "../requests.js" */
/** @import { Notice, Task, Ways } from "./activity.js" */

import { blunder, counted, isMistake, moveName } from "../words.js";
import { Activity } from "./activity.js";

/** The longest line that is drawn, in moves. */
const MOST = 5;

export class Review extends Activity {
  /** @type {Task["name"]} */
  name = "review";
  hasComputers = false;
  /** The last move that was tried, and where. */
  #tried = { ply: -1, move: "" };

  /** @returns {[string, string][]} */
  get link() {
    return [["review", "yes"]];
  }

  /** The positions whose values are needed: all, first those with few moves left. @param {Game} game */
  wants({ answers }) {
    return [...answers.keys()].reverse();
  }

  /** Tries a move instead of playing it. @param {string} move @param {Game} game */
  judges(move, { at }) {
    this.#tried = { ply: at, move };
    return true;
  }

  /** The move that was tried here. @param {Game} game @param {Answer | null} answer @returns {Move | undefined} */
  #choice({ at }, answer) {
    return at === this.#tried.ply ? answer?.moves.find(({ move }) => move === this.#tried.move) : undefined;
  }

  /**
   * What is drawn on the board: how a wrong move is answered, or best play after the right one.
   * @param {Game} game
   * @param {Answers} answers
   * @returns {LineMove[] | null}
   */
  line(game, answers) {
    const question = game.question();
    const tried = this.#choice(game, answers.valued(question));
    if (!tried) return [];
    if (tried.class === "best") return (answers.line(question) ?? []).slice(0, MOST);
    const { move, places } = tried;
    const replies = answers.line(game.after(move)) ?? [];
    return [{ move, places, mover: game.answer.to_move }, ...replies.slice(0, MOST)];
  }

  /** @param {Game} game @param {Ways} ways @returns {Notice} */
  notice(game, { goTo, leave, names, own, playOn, refused, valued, why }) {
    const open = valued.filter((answer) => answer === null).length;
    if (refused) return refused;
    if (open > 0) return { text: `Looking for the mistakes: ${counted(open, "position")} to go.` };
    const mistakes = mistakesIn(game, valued, own);
    if (mistakes.length === 0) {
      const who = names.you ? "You made no mistake" : "There was no mistake";
      return { kind: "good", text: `${who} in this game.`, label: "Play", act: leave };
    }
    const number = mistakes.indexOf(game.at) + 1;
    const answer = valued[game.at];
    const played = game.choice(game.at, answer);
    if (number === 0 || !answer || !played) {
      const next = mistakes.find((ply) => ply > game.at) ?? mistakes[0];
      const found = `${counted(mistakes.length, "mistake")} in this game. Find the better moves.`;
      const text = names.you ? `You made ${found}` : found;
      const label = next === mistakes[0] ? "First mistake" : "Next mistake";
      return { text, label, act: () => goTo(next) };
    }
    const tried = this.#choice(game, answer);
    if (!tried) {
      const text = `${number} of ${mistakes.length}. ${blunder(played, answer.moves[0], names)} Find a better move.`;
      return { kind: "warning", text };
    }
    if (tried.class !== "best") {
      return { kind: "warning", text: `${blunder(tried, answer.moves[0], names)} Try another move.` };
    }
    const reason = why(tried, answer);
    const text = `Right: ${moveName(tried)} is a best move${reason ? `: ${reason}` : ""}.`;
    const next = mistakes[number];
    const kind = /** @type {const} */ ("good");
    if (next !== undefined) return { kind, text, label: "Next mistake", act: () => goTo(next) };
    return { kind, text, label: "Play on from here", act: playOn };
  }
}

/**
 * The plies at which a player made a mistake, as far as values are known.
 * @param {Game} game
 * @param {(Answer | null)[]} valued the answers with values to its positions
 * @param {(ply: number) => boolean} own whether the player decided at a ply
 */
export function mistakesIn(game, valued, own) {
  return [...game.moves.keys()].filter((ply) => {
    const choice = own(ply) && game.choice(ply, valued[ply]);
    return choice && isMistake(choice);
  });
}
