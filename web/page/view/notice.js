// The most important message: one at a time, in a place of its own.

/** @import { Answer, Move, Player } from "../../types/api.js" */
/** @import { Notice } from "../activities/activity.js" */
/** @import { Game } from "../game.js" */
/** @import { State } from "../state.js" */
/** @import { Refused } from "../transport.js" */
/** @import { Seen } from "./seen.js" */

import { Puzzle } from "../activities/puzzle.js";
import { askAgain, goTo, playOn, toggle, undo } from "../moves.js";
import { stronger } from "../levels.js";
import { newGame, nextPuzzle, turnTo, useSmallRules } from "../opening.js";
import { SECONDS } from "../requests.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { ownMistakes } from "./report.js";
import { blunder, isMistake, moveName, opponent, phrase, progressOf, reason, timeSpan, winnerOf } from "../words.js";

/** The place for messages. It is there without one too, so that nothing moves. @param {State} state @param {Seen | null} seen */
export function noticeBar(state, seen) {
  const notice = seen
    ? noticeOf(seen)
    : (state.trouble ?? { text: state.late ? "Waiting for the server…" : "Loading…" });
  return html`<div
    id="notice"
    class="notice"
    role="status"
    aria-live="polite"
    data-kind=${notice ? (notice.kind ?? "plain") : ""}
  >
    <p id="notice-text">${notice?.text}</p>
    <button type="button" id="notice-act" ?hidden=${!notice?.act} @click=${() => notice?.act?.()}>
      ${notice?.label}
    </button>
  </div>`;
}

/** @param {Seen} seen @returns {Notice | null} */
function noticeOf(seen) {
  const { state, game, answer, made, names, refused, searching } = seen;
  const { activity, circles, hasty, shown, waits } = state;
  if (state.trouble) return state.trouble;
  if (state.late) return { text: "Waiting for an answer…" };
  if (state.denial) return { kind: "warning", text: state.denial };
  const told = activity.notice(game, ways(seen));
  if (told && !shown.hint) return told;
  if (waits && refused && !game.looksBack) {
    const text = `The computer cannot move: ${refused.message} Until it can, make its moves yourself.`;
    return { kind: "warning", text: text.replace("..", "."), ...again(state, refused, seen) };
  }
  const next = shown.values && nextMistake(seen);
  if (next) return next;
  const wrong = activity.hasComputers && recentMistake(seen);
  if (wrong) return wrong;
  if (waits && game.looksBack) {
    const text = "This is an earlier position, so the computer waits.";
    return { text, label: "Play on from here", act: () => playOn(state) };
  }
  if (hasty?.ply === game.at && game.moves[game.at - 1] === hasty.move) {
    return {
      text: `The computer could not look to the end: ${made[game.at - 1].name} is the best move that it has found.`,
    };
  }
  if (circles) return { text: "The position has occurred before, so the computers stop here." };
  if (answer.is_over && state.isReviewed) {
    if (names.you && ownMistakes(seen)?.length === 0) return flawless(seen, names.you);
    const text = "What would have been better?";
    return { text, label: "Find your mistakes", act: () => turnTo(state, "review") };
  }
  if (answer.is_over) {
    return shown.values ? null : { text: "See where the game was decided.", label: "Review", act: () => review(state) };
  }
  const hint = shown.hint && hintOf(seen);
  if (hint) return hint;
  if (refused && (shown.values || shown.hint))
    return { text: `No values: ${refused.message}`, ...again(state, refused, seen) };
  if (searching) return { text: `Searching…${progress(seen)}` };
  if (shown.values && !answer.is_complete && answer.bounds && !state.answers.isExtended(game.question())) {
    const act = () => state.answers.searchOn(game.question(), game.answer.cost);
    return { text: `More is not proved after ${SECONDS} s.`, label: "Search for a minute", act };
  }
  if (!state.intro || game.last > 0) return null;
  return { text: "New here? Learn the game in a few moves.", label: "How to play", act: () => turnTo(state, "learn") };
}

/** What an activity's message may lead to. @param {Seen} seen */
function ways({ state, game, liked, module, names, valued }) {
  const { activity } = state;
  return {
    valued,
    refused: missing(state, game),
    names,
    own: (/** @type {number} */ ply) => state.isPerson(game.mover(ply)),
    why: (/** @type {Move} */ choice, /** @type {Answer} */ answer) => reason(choice, answer, module, liked ?? []),
    leave: () => turnTo(state, "play"),
    undo: () => undo(state),
    next: () => activity instanceof Puzzle && nextPuzzle(state, activity.wanted),
    goTo: (/** @type {number} */ ply) => goTo(state, ply),
    playOn: () => playOn(state),
  };
}

/** What is said after a game without a mistake. @param {Seen} seen @param {Player} you @returns {Notice} */
function flawless({ state, game, answer }, you) {
  const side = opponent(you);
  if (winnerOf(answer.value) === side) {
    const text = "You made no mistake: the start is lost against perfect play.";
    return { text, label: "New game", act: () => newGame(state) };
  }
  const next = stronger(game.info.agents, state.players[side]);
  if (!next) return { kind: "good", text: "That was perfect play.", label: "New game", act: () => newGame(state) };
  const act = () => {
    state.players[side] = next;
    newGame(state);
  };
  return { kind: "good", text: "That was perfect play. Try a stronger computer.", label: "Play it", act };
}

/** That some positions of a game could not be valued. @param {State} state @param {Game} game @returns {Notice | null} */
function missing(state, game) {
  const refused = game.answers.map((_, ply) => state.answers.refused(game.question(ply))).find(Boolean);
  if (!refused) return null;
  const text = `Not every position could be valued: ${refused.message}`;
  if (refused.passing) return { kind: "warning", text, label: "Try again", act: () => askAgain(state) };
  return { text, label: "Play", act: () => turnTo(state, "play") };
}

/** That the next move of a game that is looked back at is a mistake. @param {Seen} seen @returns {Notice | null} */
function nextMistake({ game, made, names, valued }) {
  const [choice, best] = [made[game.at]?.choice, valued[game.at]?.moves[0]];
  return choice && best && isMistake(choice) ? { text: `Next, ${blunder(choice, best, names)}` } : null;
}

/** The last mistake of a person, if it was made a moment ago. @param {Seen} seen @returns {Notice | null} */
function recentMistake({ state, game, made, module, names, valued }) {
  const recent = made.slice(0, game.at).map((move, ply) => ({ ...move, ply }));
  const own = recent.findLastIndex(({ mover }) => state.isPerson(mover));
  const latest = recent.slice(own < 0 ? recent.length : Math.max(own, game.at - 2));
  for (const { choice, ply } of latest) {
    const best = valued[ply]?.moves[0];
    if (!choice || !best || !isMistake(choice)) continue;
    const text = blunder(choice, best, names) + (module.fault?.(choice) ?? "");
    return { kind: "warning", text, label: "Undo", act: () => undo(state) };
  }
  return null;
}

/** @param {Seen} seen @returns {Notice | null} */
function hintOf({ state, answer, liked, module, names }) {
  const choice = hinted(answer);
  if (!choice) return null;
  if (!answer.is_complete) return { text: `Hint: ${moveName(choice)} is the best move found in ${SECONDS} s.` };
  const why = reason(choice, answer, module, liked ?? []);
  const value = state.shown.values ? ` (${phrase(choice, names)})` : "";
  return { text: `Hint: ${moveName(choice)}${value} is a best move${why ? `: ${why}` : ""}.` };
}

/** A best move, if values are known, or the one that seems best so far. @param {Answer} answer @returns {Move | undefined} */
export const hinted = ({ moves, is_complete: isComplete }) =>
  isComplete ? moves.find((choice) => choice.class === "best") : moves[0];

/** @param {Seen} seen */
function progress({ state: { answers }, game }) {
  const [found, seconds] = [answers.progress(game.question()), answers.seconds(game.question())];
  const expected = game.answer.search_seconds ?? 0;
  const about = expected > SECONDS ? `, which takes about ${timeSpan(expected)}` : "";
  return (found ? progressOf(found) : "") + (seconds > 5 ? ` ${seconds} s` : "") + about;
}

/** What to do about a refusal. @param {State} state @param {Refused} refused @param {Seen} seen */
function again(state, refused, { module }) {
  if (refused.passing) return { label: "Try again", act: () => askAgain(state) };
  if (refused.status === 422 && module.lesson) return { label: "Smaller game", act: () => useSmallRules(state) };
  return {};
}

/** Shows where the game was decided. @param {State} state */
function review(state) {
  toggle(state, "values");
  document.getElementById("review")?.scrollIntoView({ block: "nearest" });
}
