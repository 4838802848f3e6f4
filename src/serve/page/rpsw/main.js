// The page: which game is on the board, who moves next, and what is asked of the server.

import { Refused } from "../api.js";
import { copy } from "../clipboard.js";
import { listen } from "../keys.js";
import { after, isMissing, steps, usualStart } from "./answers.js";
import { Game, fromLink, fromText, shuffled } from "./game.js";
import { Machine } from "./machine.js";
import { View } from "./view.js";

const at = (id) => document.getElementById(id);
const SIDES = ["first", "second"];
/** The start of the game, before anything is known of it. */
const USUAL = { position: null, moves: [], at: 0 };
const players = { first: "you", second: "you" };
const machine = new Machine(players, (move) => playNow(move));
const view = new View({ press, play, jump: (to) => act(() => game.goTo(to)) });
const shown = { values: true, hint: false, flipped: false };
/** None while a link is bad. */
let game = null;
let usual = "";
/** The square whose piece is taken up. */
let selected = null;
/** Games asked for so far; only the last one matters. */
let loads = 0;
/** What was refused and may be tried again. */
let retry = null;

/** Changes the game and shows it. */
function act(change) {
  if (!game) return;
  change();
  shown.hint = false;
  selected = null;
  view.trouble(null);
  update();
}

/** Whether a person may move now: the side of a machine only while somebody looks back. */
const mayMove = () => game && (!machine.moves(game) || game.looksBack);

/** Takes a piece up, sets it down, or leaves it. */
function press(square) {
  if (!mayMove()) return;
  const { moves } = game.answer;
  const move = moves.find((known) => known.from === selected && known.to === square);
  if (move) return play(move.move);
  const takesUp = selected !== square && moves.some((known) => known.from === square);
  selected = takesUp ? square : null;
  update();
}

/** A move by hand. */
function play(move) {
  if (mayMove()) playNow(move);
}

async function playNow(move) {
  const [played, from] = [game, game.answer];
  const isThere = () => game === played && game.answer === from;
  await attempt(() => playNow(move), isThere, async () => {
    const answer = await after(from, move);
    if (isThere()) act(() => game.play(move, answer));
  });
}

/** Does what the server may refuse, and says so if it still matters. */
async function attempt(again, matters, act) {
  try {
    await act();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (!matters()) return;
    retry = again;
    view.trouble(refused.message, { again: true });
  }
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
const restart = () => game && begin(new Game(game.steps.slice(0, 1)), "pushState");
const playOn = () => act(() => game.cut());

function toggle(what) {
  if (!game) return;
  shown[what] = !shown[what];
  update();
}

function leave() {
  selected = null;
  shown.hint = false;
  if (game) update();
}

function begin(wanted, history) {
  game = wanted;
  shown.hint = false;
  selected = null;
  view.trouble(null);
  update(history);
}

/** Puts a game on the board that the server agrees to; fails with its sentence. */
async function load(wanted, history = "pushState") {
  loads += 1;
  const own = loads;
  const found = await steps(wanted);
  if (own === loads) begin(new Game(found, wanted.at), history);
}

async function loadLink() {
  const link = fromLink(location.hash);
  Object.assign(players, link.players);
  shown.flipped = link.flipped;
  retry = loadLink;
  try {
    usual ||= (await usualStart()).position;
    await load(link.game, "replaceState");
  } catch (refused) {
    game = null;
    view.trouble(refused.message, { anew: true, again: refused.passing });
  }
}

function beginAnew() {
  Object.assign(players, { first: "you", second: "you" });
  return loadOrSay(USUAL);
}

/** The same; what is wrong is said beside what was typed. */
async function loadOrSay(wanted) {
  at("load-error").hidden = true;
  try {
    await load(wanted);
  } catch (refused) {
    at("load-error").textContent = refused.message;
    at("load-error").hidden = false;
  }
}

function update(history = "replaceState") {
  if (!game) return;
  const waits = machine.moves(game);
  view.draw({ game, players, shown, selected, waits, circles: machine.circles(game) });
  for (const side of SIDES) at(side).value = players[side];
  machine.tend(game);
  const link = location.pathname + game.link({ usual, players, flipped: shown.flipped });
  if (link !== location.pathname + location.hash) window.history[history](null, "", link);
}

const buttons = {
  undo, redo, restart, "warning-undo": undo, "play-on": playOn, "begin-anew": beginAnew,
  hint: () => toggle("hint"), flip: () => toggle("flipped"), "show-values": () => toggle("values"),
  "try-again": () => { view.trouble(null); retry?.(); },
  usual: () => loadOrSay(USUAL),
  shuffle: () => loadOrSay({ ...USUAL, position: shuffled(usual) }),
  "copy-link": () => copy(location.href, "Link copied"),
  "copy-position": () => copy(game.answer.position, "Position copied"),
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
for (const side of SIDES) {
  at(side).addEventListener("change", () => act(() => { players[side] = at(side).value; }));
}
at("slider").addEventListener("input", () => act(() => game.goTo(Number(at("slider").value))));
at("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  loadOrSay(fromText(at("load-text").value));
});
listen({
  u: undo, r: redo, n: restart, Escape: leave,
  h: () => toggle("hint"), v: () => toggle("values"), f: () => toggle("flipped"),
  "[": () => step(-1), "]": () => step(1),
  Home: () => act(() => game.goTo(0)), End: () => act(() => game.goTo(game.last)),
});
addEventListener("popstate", loadLink);

const lacks = await isMissing().catch(() => false);
view.missing(lacks);
if (!lacks) await loadLink();
