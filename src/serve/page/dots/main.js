// The page: which game is on the board, who moves next, and what is asked of the server.

import { Refused } from "../api.js";
import { copy } from "../clipboard.js";
import { listen } from "../keys.js";
import { after, scored, steps } from "./answers.js";
import { Boxes, USUAL, fromLink, fromText } from "./game.js";
import { Machine } from "./machine.js";
import { View } from "./view.js";

const at = (id) => document.getElementById(id);
const SIDES = ["first", "second"];
// After so many milliseconds it is said that something is searched.
const SLOW = 300;
const players = { first: "you", second: "you" };
const shown = { values: false, hint: false };
const view = new View({ press: play, play });
const machine = new Machine(players, (move) => playNow(move));
/** What is known of the worth of each position, by its answer: that with values, or a refusal. */
const worth = new WeakMap();
/** None while a link is bad. */
let game = null;
/** Games asked for so far; only the last one matters. */
let loads = 0;
/** What was refused and may be tried again. */
let retry = null;

/** Changes the game and shows it. */
function act(change) {
  if (!game) return;
  change();
  shown.hint = false;
  view.trouble(null);
  update();
}

const known = (answer) => {
  const found = worth.get(answer);
  return found instanceof Error || found === "asked" ? null : found;
};
/** Whether a person may move now: the side of a machine while somebody looks back, or it cannot. */
const mayMove = () =>
  game && (!machine.moves(game) || game.looksBack || worth.get(game.answer) instanceof Error);

/** A move by hand. */
function play(move) {
  if (mayMove() && game.answer.legal.includes(move)) playNow(move);
}

async function playNow(move) {
  const [played, from] = [game, game.answer];
  const isThere = () => game === played && game.answer === from;
  try {
    const answer = await after(from, move);
    if (isThere()) act(() => game.play(move, answer));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (!isThere()) return;
    retry = () => playNow(move);
    view.trouble(refused.message, { again: true });
  }
}

/** Looks for what is wanted of the position that is looked at. */
async function value(answer) {
  worth.set(answer, "asked");
  const slow = setTimeout(() => { if (game?.answer === answer) view.search("Searching…"); }, SLOW);
  const found = await scored(answer).catch((refused) => refused);
  clearTimeout(slow);
  worth.set(answer, found);
  update();
}

/** Why there are no scores, where they are wanted. */
function lacks(found) {
  if (!(found instanceof Error)) return null;
  const until = machine.moves(game) ? " Until then, move for it." : "";
  return found.passing
    ? "The scores were not found in time."
    : `Too many lines are open for scores and perfect play.${until}`;
}

/** Moves, back or on, to the next position that is yours to decide; `rest` where there is none. */
function toOwn(direction, rest) {
  if (!game) return;
  const yours = (to) => players[game.steps[to].answer.to_move] === "you";
  let to = game.at + direction;
  while (to >= 0 && to <= game.last && !yours(to)) to += direction;
  act(() => game.goTo(to >= 0 && to <= game.last ? to : rest()));
}

const noPerson = () => SIDES.every((side) => players[side] !== "you");
const undo = () => toOwn(-1, () => (noPerson() ? game.at - 1 : 0));
const redo = () => toOwn(1, () => (noPerson() ? game.at + 1 : game.last));
const step = (by) => act(() => game.goTo(game.at + by));
const restart = () => game && begin(new Boxes(game.steps.slice(0, 1), game.begin), "pushState");

function toggle(what) {
  if (!game) return;
  shown[what] = !shown[what];
  // What was not found in time may be found now.
  if (worth.get(game.answer)?.passing) worth.delete(game.answer);
  update();
}

function begin(wanted, history) {
  game = wanted;
  shown.hint = false;
  view.trouble(null);
  update(history);
}

/** Puts a game on the board that the server agrees to; fails with its sentence. */
async function load(wanted, history = "pushState") {
  loads += 1;
  const own = loads;
  const found = await steps(wanted);
  if (own === loads) begin(new Boxes(found, wanted.start, wanted.at), history);
}

async function loadLink() {
  const link = fromLink(location.hash);
  Object.assign(players, link.players);
  retry = loadLink;
  try {
    await load(link.game, "replaceState");
  } catch (refused) {
    game = null;
    view.trouble(refused.message, { anew: true, again: refused.passing });
  }
}

/** The same; what is wrong is said beside what was typed. */
async function loadOrSay(wanted, error) {
  at(error).hidden = true;
  try {
    await load(wanted);
  } catch (refused) {
    at(error).textContent = refused.message;
    at(error).hidden = false;
  }
}

function beginAnew() {
  Object.assign(players, { first: "you", second: "you" });
  return loadOrSay(USUAL, "load-error");
}

/** What the form says, without what is usual. */
function chosen() {
  const start = { board: `${at("rows").value}x${at("cols").value}` };
  if (at("variant").value !== "standard") start.variant = at("variant").value;
  if (Number(at("penalty").value)) start.penalty = at("penalty").value;
  return { start, moves: [] };
}

function update(history = "replaceState") {
  if (!game) return;
  const { answer } = game;
  const waits = machine.moves(game);
  const wanted = !answer.game_over && (shown.values || shown.hint || (waits && !game.looksBack));
  if (wanted && !worth.has(answer)) value(answer);
  if (worth.get(answer) !== "asked") view.search(wanted ? lacks(worth.get(answer)) : null);
  const before = game.at > 0 ? known(game.steps[game.at - 1].answer) : null;
  view.draw({ game, scored: known(answer), before, shown, waits, canMove: mayMove() });
  for (const side of SIDES) at(side).value = players[side];
  machine.tend(game, known(answer));
  const link = location.pathname + game.link(players);
  if (link !== location.pathname + location.hash) window.history[history](null, "", link);
}

const buttons = {
  undo, redo, restart, "warning-undo": undo, "begin-anew": beginAnew,
  "play-on": () => act(() => game.cut()),
  hint: () => toggle("hint"), "show-values": () => toggle("values"),
  "try-again": () => { view.trouble(null); retry?.(); },
  "copy-link": () => copy(location.href, "Link copied"),
  "copy-position": () => copy(game.answer.position, "Position copied"),
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
for (const side of SIDES) {
  at(side).addEventListener("change", () => act(() => { players[side] = at(side).value; }));
}
at("slider").addEventListener("input", () => act(() => game.goTo(Number(at("slider").value))));
const forms = { "new-form": [chosen, "new-error"], "load-form": [() => fromText(at("load-text").value), "load-error"] };
for (const [id, [wanted, error]] of Object.entries(forms)) {
  at(id).addEventListener("submit", (event) => {
    event.preventDefault();
    loadOrSay(wanted(), error);
  });
}
listen({
  u: undo, r: redo, n: restart,
  h: () => toggle("hint"), v: () => toggle("values"),
  "[": () => step(-1), "]": () => step(1),
  Home: () => act(() => game.goTo(0)), End: () => act(() => game.goTo(game.last)),
});
addEventListener("popstate", loadLink);
await loadLink();
