// Opens games: from links, records, positions and forms, for each activity. Whatever is opened is validated by the
// server first, and shown only if nothing else was opened meanwhile.

/** @import { Info, Rules } from "../types/api.js" */
/** @import { Task } from "./activities/activity.js" */
/** @import { Wanted } from "./router.js" */
/** @import { History, State } from "./state.js" */

import { Activity } from "./activities/activity.js";
import { Editor } from "./activities/editor.js";
import { Lesson } from "./activities/lesson.js";
import { Puzzle } from "./activities/puzzle.js";
import { Review } from "./activities/review.js";
import { boardOf } from "./boards/index.js";
import { Game, question, unusual, words } from "./game.js";
import { gentle, hasAgent } from "./levels.js";
import { recall, remember } from "./memory.js";
import { parseRecord } from "./requests.js";
import { isHome, isLink, parseLink } from "./router.js";
import { SIDES } from "./state.js";
import { Refused } from "./transport.js";
import { stopped } from "./words.js";

/** The longest text that can be a game, in characters. */
const LONGEST = 20_000;

/** Shows a game; throws the refusal of the server. @param {State} state @param {Wanted} wanted @param {History} history */
export async function open(state, wanted, history = "pushState") {
  const { info, moves, task } = wanted;
  if (task.name === "learn") {
    const { lesson: text } = boardOf(info.name);
    const lesson = text && new Lesson(text);
    if (lesson?.fits(moves))
      return load(state, { ...wanted, rules: lesson.rules, start: lesson.start }, history, lesson);
  }
  if (task.name === "puzzle") {
    const puzzle = await state.wait(Puzzle.find(wanted, task));
    return load(state, { ...wanted, start: puzzle.found.position }, history, puzzle);
  }
  if (task.name === "edit") {
    await load(state, { ...wanted, start: null, moves: [] }, history, new Activity());
    if (state.game) state.activity = new Editor(state.game, task.draft);
    return check(state);
  }
  return load(state, wanted, history, task.name === "review" ? new Review() : new Activity());
}

/**
 * Shows a game with an activity; throws the refusal of the server.
 * @param {State} state
 * @param {Omit<Wanted, "task">} wanted
 * @param {History} history
 * @param {Activity} activity
 */
async function load(state, wanted, history, activity) {
  state.loads += 1;
  const own = state.loads;
  const { info } = wanted;
  const { answers } = state;
  const whole = await state.wait(answers.plain(question(wanted)));
  // A position determines the board.
  const rules = unusual(whole.rules, info);
  let start = null;
  if (wanted.start) {
    const [first, usual] = await Promise.all([
      answers.plain(question({ ...wanted, moves: [] })),
      answers.plain(question({ info, rules, start: null, moves: [] })),
    ]);
    if (first.position !== usual.position) start = first.position;
  }
  const played = { info, rules, start, moves: whole.played };
  const before = await answers.along(played);
  if (own !== state.loads) return;
  // The introduction is that of another game.
  if (state.game?.info !== info) state.intro = null;
  state.game = new Game(played, [...before, whole], wanted.at);
  state.activity = activity;
  state.isHome = false;
  keepPlayers(state);
  state.rest();
  state.changed(history);
  introduce(state);
}

/** Leaves sides without an agent of the game to people. @param {State} state */
function keepPlayers({ game, players }) {
  if (!game || boardOf(game.info.name).typed) return;
  for (const side of SIDES) {
    if (!hasAgent(game.info.agents, players[side])) players[side] = "you";
  }
}

/**
 * Shows a refusal, if it is still about what is shown.
 * @param {State} state
 * @param {unknown} refused
 * @param {() => void} again
 * @param {() => boolean} isThere
 */
export function report(state, refused, again, isThere = () => true) {
  if (!(refused instanceof Refused)) throw refused;
  if (!isThere()) return;
  const act = () => {
    state.trouble = null;
    again();
  };
  state.trouble = { kind: "warning", text: refused.message, label: "Try again", act };
  state.changed();
}

/** Opens a game, or shows why not. @param {State} state @param {Wanted} wanted @param {History} history */
export async function tryToOpen(state, wanted, history = "pushState") {
  try {
    await open(state, wanted, history);
  } catch (refused) {
    report(state, refused, () => tryToOpen(state, wanted, history));
  }
}

/** Goes on to another activity with the current game, or with another one. @param {State} state @param {Task["name"]} name */
export async function turnTo(state, name, info = state.game?.info) {
  const { activity, game, players } = state;
  if (!info || !game) return;
  meet(state);
  if (name !== "play") state.shown.values = false;
  if (name === "edit") return turn(state, new Editor(game));
  if (name === "review") return turn(state, new Review());
  const isFromLesson = activity instanceof Lesson;
  if (name === "play" && !isFromLesson && info === game.info) return turn(state, new Activity());
  try {
    let rules = info === game.info ? activity.linked(game).rules : {};
    const base = { info, rules, start: null, moves: [] };
    if (name !== "learn") {
      const { cost } = await state.wait(state.answers.plain(question(base)));
      if (cost.kind === "refused") rules = boardOf(info.name).lesson?.rules ?? rules;
    }
    // A game against a gentle opponent follows.
    if (name === "play" && isFromLesson) players.second = gentle(info.agents);
    await open(state, { ...base, rules, task: taskOf(state, name) });
  } catch (refused) {
    report(state, refused, () => turnTo(state, name, info));
  }
}

/** Goes on to another activity with the position that is shown. @param {State} state @param {Activity} activity */
function turn(state, activity) {
  state.activity = activity;
  state.rest();
  state.changed("pushState");
}

/** @param {State} state @param {Task["name"]} name @returns {Task} */
function taskOf({ seed }, name) {
  if (name === "puzzle") return { name, task: "any", level: "", seed: seed % 1e6 };
  return name === "edit" ? { name, draft: null } : { name };
}

/** Shows the first position of another game; from the page with all games, against the computer. @param {State} state @param {string} name */
export function chooseGame(state, name) {
  const { activity, games, players } = state;
  const info = games.find((game) => game.name === name);
  if (!info) return undefined;
  const isPlaying = !(activity instanceof Lesson || activity instanceof Puzzle);
  if (state.game && !isPlaying && !state.isHome) return turnTo(state, activity.name, info);
  if (state.isHome) Object.assign(players, { first: "you", second: gentle(info.agents) });
  return tryToOpen(state, firstGame(info));
}

/** A new game on a board on which everything works; the whole game may need a tablebase. @param {Info} info @returns {Wanted} */
function firstGame(info) {
  const rules = info.tablebases.length ? {} : (boardOf(info.name).usual ?? {});
  return { info, rules, start: null, moves: [], task: { name: "play" } };
}

/** Offers all games. @param {State} state @param {History} history */
export async function goHome(state, history = "pushState") {
  state.isHome = true;
  state.trouble = null;
  // Whatever is being opened is not shown any more.
  state.loads += 1;
  state.changed(history);
  const { answers, games, pictures } = state;
  await Promise.all(
    games.map(async (info) => {
      const { example, usual } = boardOf(info.name);
      const base = { info, rules: example?.rules ?? usual ?? {}, start: null, moves: example?.moves ?? [] };
      const answer = await answers.plain(question(base)).catch(() => null);
      if (answer) pictures.set(info.name, answer);
    }),
  );
  state.changed();
}

/** Begins a game anew. @param {State} state */
export async function newGame(state) {
  const { activity, game } = state;
  if (!game) return;
  const { info, rules, start } = game;
  state.seed += 1;
  try {
    const kept = activity instanceof Editor ? new Activity() : activity;
    await load(state, { info, rules, start, moves: [] }, "pushState", kept);
  } catch (refused) {
    report(state, refused, () => newGame(state));
  }
}

/** Begins a game with other rules; throws a refusal. @param {State} state @param {Rules} rules */
export async function useRules(state, rules) {
  const { activity, game } = state;
  if (!game) return;
  const { info } = game;
  const task = activity instanceof Puzzle ? activity.wanted : { name: /** @type {const} */ ("play") };
  await open(state, { info, rules: unusual(rules, info), start: null, moves: [], task });
}

/** Shows a small game on which everything is fast. @param {State} state */
export function useSmallRules(state) {
  const { game } = state;
  const rules = game && boardOf(game.info.name).lesson?.rules;
  if (rules) tryToOpen(state, { info: game.info, rules, start: null, moves: [], task: { name: "play" } });
}

/** Shows a puzzle, or the next one if that is shown. @param {State} state @param {Task & { name: "puzzle" }} wanted */
export function nextPuzzle(state, wanted) {
  const { activity, game } = state;
  if (!game) return undefined;
  const isShown = activity instanceof Puzzle && activity.isWanted(wanted);
  state.shown.values = false;
  const { info, rules } = game;
  const task = isShown ? { ...wanted, seed: wanted.seed + 1 } : wanted;
  return tryToOpen(state, { info, rules, start: null, moves: [], task });
}

/** Shows the game of the address, or the start with the reason why not. @param {State} state */
export async function openAddress(state) {
  if (isHome(location)) return goHome(state, "replaceState");
  const { wanted, players, flipped, values, error } = parseLink(location, state.games);
  Object.assign(state.players, players);
  Object.assign(state.shown, { flipped, values });
  let trouble = error;
  try {
    await open(state, wanted, "replaceState");
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (refused.passing) return report(state, refused, () => openAddress(state));
    trouble = stopped(refused.message);
    await tryToOpen(state, firstGame(wanted.info), "replaceState");
  }
  if (!trouble) return undefined;
  state.trouble = { kind: "warning", text: `The link is not valid: ${trouble} This is a new game.` };
  return state.changed();
}

/** Opens a record, a link, moves from the start, or a position; throws a refusal. @param {State} state @param {string} text */
export async function openText(state, text) {
  const { game, games, players } = state;
  if (!game) return;
  const trimmed = text.trim();
  if (!trimmed) throw new Refused(400, { message: "There is nothing to load." });
  if (trimmed.length > LONGEST) throw new Refused(400, { message: "This text is too long for a game." });
  if (/^https?:|^[?#]/.test(trimmed)) {
    const address = new URL(trimmed, location.href);
    if (!isLink(address, games)) {
      throw new Refused(400, { message: "This is not a link to a game of this page." });
    }
    const link = parseLink(address, games);
    Object.assign(players, link.players);
    return open(state, link.wanted);
  }
  return open(state, { ...(await parseText(trimmed, game, games)), task: { name: "play" } });
}

/**
 * The game of a record, moves or a position.
 * @param {string} text
 * @param {Game} current
 * @param {Info[]} games
 * @returns {Promise<Omit<Wanted, "task">>}
 */
async function parseText(text, { info, rules }, games) {
  const named = /^game:(.*)$/im.exec(text);
  if (named || /^[a-z ]+:/i.test(text)) {
    /** @param {string} name */
    const bare = (name) => name.toLowerCase().replace(/[^a-z]/g, "");
    const of =
      games.find(({ name, title }) => named && [name, title].some((one) => bare(one) === bare(named[1]))) ?? info;
    const { rules: all, position, moves, at } = await parseRecord(of.name, text);
    return { info: of, rules: unusual(all, of), start: position, moves, at };
  }
  if (!/[./|]/.test(text)) return { info, rules, start: null, moves: words(text) };
  return { info, rules: { ...rules, ...boardIn(text, info) }, start: text.replace(/\s+/g, " "), moves: [] };
}

/**
 * The size of the board of a position, if it is written as rows of cells, in the rules of a game that has sizes.
 * @param {string} text
 * @param {Info} info
 * @returns {Rules}
 */
function boardIn(text, { options }) {
  const option = options.find(({ kind }) => kind.type === "board");
  const rows = text.includes("/") ? text.split(/\s/)[0].split("/") : text.split(/\s+/).slice(0, -1);
  const isBoard = rows.length > 0 && rows.every((row) => row.length === rows[0].length);
  return option && isBoard ? { [option.parameter]: `${rows.length}x${rows[0].length}` } : {};
}

/** Begins a game at another start; throws a refusal. @param {State} state @param {(start: string) => string} change */
export async function startFrom(state, change) {
  const { answers, game } = state;
  if (!game) return;
  const base = { info: game.info, rules: game.rules, start: null, moves: [] };
  const usual = await answers.plain(question(base));
  await load(state, { ...base, start: change(usual.position) }, "pushState", new Activity());
}

/** Settles when the position that is being set up has been validated. @type {Promise<void>} */
let validation = Promise.resolve();

/**
 * Validates the position that is being set up, after a change of the editor that may take time, and makes it the
 * current game if it is valid.
 * @param {State} state
 * @param {(editor: Editor) => unknown} change
 */
export function check(state, change = () => {}) {
  validation = validate(state, change);
  return validation;
}

/** @param {State} state @param {(editor: Editor) => unknown} change */
async function validate(state, change) {
  const { activity: editor } = state;
  if (!(editor instanceof Editor)) return;
  const isThere = () => state.activity === editor;
  try {
    await change(editor);
  } catch (refused) {
    report(state, refused, () => check(state, change), isThere);
    return;
  }
  if (!isThere()) return;
  const { info, rules } = editor.before;
  const link = String(editor.link);
  const isCurrent = () => isThere() && String(editor.link) === link;
  state.changed();
  try {
    const { position, scene, to_move: mover } = await state.wait(editor.position());
    if (!isCurrent()) return;
    Object.assign(editor, { reason: null, isTold: mover !== editor.mover, mover });
    editor.take(scene);
    await load(state, { info, rules, start: position, moves: [] }, "replaceState", editor);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (!isCurrent()) return;
    editor.reason = refused.message;
    state.changed();
  }
}

/** Sets up the usual start. @param {State} state */
export function setUpStart(state) {
  const { answers, game } = state;
  if (!game) return undefined;
  return check(state, async (editor) => {
    const { scene } = await answers.plain(question({ ...game, start: null, moves: [] }));
    editor.take(scene);
    editor.mover = "first";
  });
}

/** Plays from the position that has been set up, once it is valid. @param {State} state */
export async function playFromHere(state) {
  const { activity: editor } = state;
  if (!(editor instanceof Editor)) return;
  let last;
  do {
    last = validation;
    await last;
  } while (last !== validation);
  if (state.activity === editor && !editor.reason) await turnTo(state, "play");
}

/** Returns to the game before the set-up. @param {State} state */
export function cancelSetUp(state) {
  const { activity: editor } = state;
  if (editor instanceof Editor) load(state, editor.before, "pushState", new Activity());
}

/** Introduces the game by an example at its first opening. @param {State} state */
async function introduce(state) {
  const { answers, game } = state;
  const example = game && boardOf(game.info.name).example;
  if (!example || state.intro || recall(key(game.info.name))) return;
  const { rules, moves } = example;
  const answer = await answers.plain(question({ info: game.info, rules, start: null, moves })).catch(() => null);
  if (state.game !== game) return;
  state.intro = answer;
  state.changed();
}

/** What is stored for a game that was introduced. @param {string} game */
const key = (game) => `known ${game}`;

/** Remembers that the game is known, so that it is not introduced again. @param {State} state */
export function meet(state) {
  if (state.game) remember(key(state.game.info.name), "yes");
  state.intro = null;
}
