// What is drawn, derived from the state once for all parts of the page.

/** @import { Answer, Fact, Move, Player } from "../../types/api.js" */
/** @import { BoardModule } from "../boards/index.js" */
/** @import { Game } from "../game.js" */
/** @import { Names } from "../names.js" */
/** @import { LineMove } from "../requests.js" */
/** @import { State } from "../state.js" */
/** @import { Refused } from "../transport.js" */

import { boardOf } from "../boards/index.js";
import { costs, isKnown, moveName, phrase } from "../words.js";

/**
 * A move of the game. `choice` has what is known about its value, if moves are judged.
 * @typedef {object} Made
 * @property {string} name
 * @property {Player} mover
 * @property {Move | null} choice
 * @property {string[]} places
 * @property {string} label
 */

/**
 * @typedef {object} Seen
 * @property {State} state
 * @property {Game} game
 * @property {BoardModule} module
 * @property {Names} names
 * @property {Answer} answer the one to the current position, with values as far as they are known
 * @property {(Answer | null)[]} valued the answers with values to the positions of the game, if they are known
 * @property {Made[]} made
 * @property {boolean} isJudged whether the moves of the game are judged: with values, and in a review
 * @property {Refused | null} refused why there are no values
 * @property {boolean} searching whether values are searched for
 * @property {string[] | null} liked the heuristics that prefer the best move; null if they are not known
 * @property {Fact} nimber that of the position; null if it is not known
 * @property {LineMove[] | null} line the principal variation; null if it is not known yet
 */

/** @param {State} state @param {Game} game @returns {Seen} */
export function seen(state, game) {
  const { answers, names, shown } = state;
  const asked = game.question();
  const valued = game.answers.map((_, ply) => answers.valued(game.question(ply)));
  const known = valued[game.at];
  const partial = shown.values || shown.hint ? answers.partial(asked) : null;
  const refused = answers.refused(asked);
  // What the time did not suffice for is not asked again.
  const isComplete = Boolean(known?.is_complete) && !game.isOver;
  const module = boardOf(game.info.name);
  const hasNimber = game.answer.moves.length <= (module.nimbers ?? 0);
  const isCounted = state.activity.hasCounts && shown.values && !game.isOver && hasNimber;
  const isJudged = shown.values || state.activity.name === "review";
  const isSettled = game.isOver || refused !== null || known !== null;
  return {
    state,
    game,
    module,
    names,
    answer: known ?? partial ?? game.answer,
    valued,
    made: game.moves.map((_, ply) => madeAt(game, ply, names, isJudged ? valued[ply] : null)),
    isJudged,
    refused,
    searching: (shown.values || shown.hint) && !refused && !known,
    liked: shown.hint && isComplete ? answers.liked(asked) : null,
    nimber: isCounted ? answers.nimber(asked) : null,
    line: shown.values && isComplete ? answers.line(asked) : isSettled ? [] : null,
  };
}

/** @param {Game} game @param {number} ply @param {Names} names @param {Answer | null} valued @returns {Made} */
function madeAt(game, ply, names, valued) {
  const mover = game.mover(ply);
  const plain = game.choice(ply);
  const choice = (valued && game.choice(ply, valued)) ?? null;
  const name = plain ? moveName(plain) : game.moves[ply];
  const known = choice && isKnown(choice) ? [phrase(choice, names), costs(choice)].filter(Boolean).join(", ") : "";
  const label = `Move ${ply + 1}. ${name}, by ${names.of(mover)}${known && `, ${known}`}`;
  return { name, mover, choice, places: plain?.places ?? [], label };
}
