// Plays moves, and goes back and forth in a game.

/** @import { Move } from "../types/api.js" */
/** @import { Game } from "./game.js" */
/** @import { History, State } from "./state.js" */

import { Activity } from "./activities/activity.js";
import { Editor } from "./activities/editor.js";
import { check, report } from "./opening.js";
import { SIDES } from "./state.js";
import { Refused } from "./transport.js";
import { named, sentence, stopped } from "./words.js";

/** The moves whose places begin with these, in their order. @param {Move[]} moves @param {string[]} path */
export const movesAt = (moves, path) =>
  moves.filter(({ places }) => path.every((place, index) => places[index] === place));

/** Selects a place, or plays the move of the selected places. @param {State} state @param {string} place */
export function press(state, place) {
  const { activity, game, offered } = state;
  if (activity instanceof Editor) return check(state, (editor) => editor.press(place));
  if (!game || !state.mayMove) return undefined;
  state.denial = null;
  // A second click on the last place plays the move that ends there, or deselects.
  const isAgain = state.selected.at(-1) === place;
  if (!isAgain) {
    const next = selection(state, place);
    if (!next.length && !state.selected.length && !game.isOver) return deny(state, game, place);
    state.selected = next;
  }
  const moves = movesAt(offered, state.selected);
  const move = state.selected.length > 0 && moves.find(({ places }) => places.length === state.selected.length);
  const goesOn = moves.some(({ places }) => places.length > state.selected.length);
  if (isAgain) state.selected = [];
  if (move && (isAgain || !goesOn)) return play(state, move.move);
  return state.changed();
}

/** The selected places with another one, which may begin a new selection. @param {State} state @param {string} place */
function selection({ offered, selected }, place) {
  const path = [...selected, place];
  if (movesAt(offered, path).length) return path;
  return movesAt(offered, [place]).length ? [place] : [];
}

/** Says why there is no move at a place. @param {State} state @param {Game} game @param {string} place */
async function deny(state, game, place) {
  const { activity, names } = state;
  const { moves, to_move: mover } = game.answer;
  const told = activity.denies(game);
  if (told !== null) return told ? state.deny(told) : undefined;
  // The name of a place is a move unless moves have several places.
  if (moves.some(({ places }) => places.length > 1)) {
    return state.deny(`${sentence(names.does(mover, "have"))} no move that begins at ${place}.`);
  }
  const isThere = state.here();
  try {
    await state.wait(state.answers.plain(game.after(place)));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (isThere()) state.deny(stopped(named(refused.message, names)));
  }
  return undefined;
}

/**
 * Plays a move once the server has answered with the position after it.
 * @param {State} state
 * @param {string} move
 * @param {History} history
 */
export async function play(state, move, history = "pushState") {
  const { activity, game } = state;
  if (!game || (!activity.offers(move, game) && activity.reply(game, state.answers) !== move)) return;
  if (activity.judges(move, game)) {
    state.changed();
    return;
  }
  const isThere = state.here();
  try {
    const answer = await state.wait(state.answers.plain(game.after(move)));
    if (!isThere()) return;
    game.play(answer.played.at(-1) ?? move, answer);
    state.rest();
    state.changed(history);
  } catch (refused) {
    report(state, refused, () => play(state, move, history), isThere);
  }
}

/** Shows the position after some moves. @param {State} state @param {number} ply */
export function goTo(state, ply) {
  if (!state.game) return;
  state.game.goTo(ply);
  state.rest();
  state.changed();
}

/** @param {State} state */
export const undo = (state) => goToOwn(state, -1, 0);
/** @param {State} state */
export const redo = (state) => goToOwn(state, 1, state.game?.last ?? 0);

/**
 * Goes back or forward to the next position in which the user is to move; to `end` if there is none, and by one ply if
 * no person plays.
 * @param {State} state
 * @param {1 | -1} direction
 * @param {number} end
 */
function goToOwn(state, direction, end) {
  const { activity, game } = state;
  if (!game) return;
  let to = game.at + direction;
  while (to >= 0 && to <= game.last && !activity.isOwn(to, state)) to += direction;
  const rest = SIDES.some((side) => state.isPerson(side)) ? end : game.at + direction;
  goTo(state, to >= 0 && to <= game.last ? to : rest);
}

/** Removes the moves after the position that is shown. @param {State} state */
export function playOn(state) {
  state.game?.cut();
  state.activity = new Activity();
  state.rest();
  state.changed("pushState");
}

/** Turns a switch. @param {State} state @param {keyof State["shown"]} what */
export function toggle(state, what) {
  state.shown[what] = !state.shown[what];
  state.denial = null;
  state.changed();
}

/** Deselects what is selected. @param {State} state */
export function deselect(state) {
  state.selected = [];
  state.shown.hint = false;
  state.changed();
}

/** Asks again for values that were refused. @param {State} state */
export function askAgain(state) {
  state.answers.forgive();
  state.changed();
}
