// The page: which game is on the board, who moves next, and what is asked of the server.

import { Answers, plain } from "./api.js";
import { beginForms, showForms } from "./forms.js";
import { Game, fromLink } from "./game.js";
import { listen } from "./keys.js";
import { Machine } from "./machine.js";
import { Players } from "./players.js";
import { View } from "./view.js";

const at = (id) => document.getElementById(id);
const answers = new Answers(() => update());
const players = new Players(() => update());
const machine = new Machine(answers, players, (move) => act(() => game.play(move)));
const view = new View({ play, jump: (to) => act(() => game.goTo(to)) });
const shown = { values: true, claims: true, hint: false };
/** None while a link is bad. */
let game = null;

/** Changes the game and shows it. */
function act(change) {
  if (!game) return;
  change();
  shown.hint = false;
  update();
}

/** A move by hand; the side of a machine only while somebody looks back. */
function play(move) {
  const answer = game && answers.best(game.query());
  if (!answer?.legal.includes(move)) return;
  if (machine.moves(answer) && !game.looksBack) return;
  act(() => game.play(move));
}

/** Moves, back or on, to the next position that is yours to decide; `rest` where there is none. */
function toOwn(direction, rest) {
  const answer = game && answers.best(game.query());
  if (!answer) return;
  const yours = (to) => {
    const same = (to - game.at) % 2 === 0;
    const other = answer.to_move === "first" ? "second" : "first";
    return players[same ? answer.to_move : other] === "you";
  };
  let to = game.at + direction;
  while (to >= 0 && to <= game.moves.length && !yours(to)) to += direction;
  act(() => game.goTo(to >= 0 && to <= game.moves.length ? to : rest()));
}

const noPerson = () => players.first !== "you" && players.second !== "you";
const undo = () => toOwn(-1, () => (noPerson() ? game.at - 1 : 0));
const redo = () => toOwn(1, () => (noPerson() ? game.at + 1 : game.moves.length));
const step = (by) => act(() => game.goTo(game.at + by));

function toggle(what) {
  shown[what] = !shown[what];
  update();
}

function hint() {
  shown.hint = !shown.hint;
  update();
}

function playOn() { act(() => game.cut()); }

function newGame() {
  begin(new Game({ rules: game?.rules, start: game?.start }), "pushState");
}

function begin(wanted, history) {
  game = wanted;
  shown.hint = false;
  update(history);
}

/** Puts a game on the board that the server agrees to; fails with its sentence. */
async function load(wanted, history = "pushState") {
  const ask = (given) => answers.wait(plain(new Game(given).query()));
  const { rules, played: moves } = await ask({ ...wanted, at: wanted.moves.length });
  let start = null;
  if (wanted.start) {
    const [given, usual] = await Promise.all([ask({ rules, start: wanted.start }), ask({ rules })]);
    if (given.position !== usual.position) start = given.position;
  }
  const loaded = new Game({ rules, start, moves });
  if (wanted.at < wanted.moves.length) loaded.goTo(wanted.at);
  begin(loaded, history);
}

async function loadLink() {
  const link = fromLink(location.search);
  players.set(link.players);
  try {
    await load(link.game, "replaceState");
  } catch (refused) {
    game = null;
    view.trouble(refused.message, { anew: true, again: refused.passing });
  }
}

/** Asks for the position that is looked at, then, if that is known, for the others of the graph. */
function askServer() {
  const looked = game.query();
  const line = game.moves.map((_, index) => game.query(index)).concat(game.query(game.moves.length));
  const missing = answers.refused(looked) ? [] : line.filter((query) => !answers.known(query));
  const open = missing.find((query) => !answers.refused(query));
  answers.askValues(answers.known(looked) ? open ?? looked : looked);
}

function update(history = "replaceState") {
  if (!game) return;
  askServer();
  const refused = answers.refused(game.query());
  const known = Array.from({ length: game.moves.length + 1 }, (_, to) => answers.best(game.query(to)));
  const answer = known[game.at];
  view.draw({
    game, answers: known, players, shown, waits: answer && machine.moves(answer),
    searching: !refused && typeof answer?.value !== "number",
  });
  showTrouble(refused, machine.tend(game));
  showForms(game);
  const link = location.pathname + game.link(players);
  if (link !== location.pathname + location.search) window.history[history](null, "", link);
}

/** Why there are no values, if they are wanted, and why a machine is stuck; that a heuristic is not
    understood stands with the players. */
function showTrouble(refused, stuck) {
  const unclear = stuck && stuck !== refused && !stuck.passing ? stuck : null;
  const trouble = (unclear ? null : stuck) ?? (shown.values ? refused : null);
  view.trouble(trouble?.message, { again: trouble?.passing });
  at("players-error").textContent = unclear?.message ?? "";
  at("players-error").hidden = !unclear;
}

function tryAgain() {
  if (!game) return loadLink();
  answers.forgive();
  update();
}

function beginAnew() {
  players.set({ first: "you", second: "you" });
  begin(new Game(), "pushState");
}

let drawnWidth = 0;

/** Draws the graph anew where its width changed; its height changes by being drawn. */
function widened([{ contentRect }]) {
  if (contentRect.width === drawnWidth) return;
  drawnWidth = contentRect.width;
  requestAnimationFrame(() => update());
}

const buttons = {
  undo, redo, hint, new: newGame, pass: () => play("pass"), "warning-undo": undo,
  "play-on": playOn, "try-again": tryAgain, "begin-anew": beginAnew,
  "show-values": () => toggle("values"), "show-claims": () => toggle("claims"),
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
at("slider").addEventListener("input", () => act(() => game.goTo(Number(at("slider").value))));
listen({
  u: undo, r: redo, n: newGame, v: () => toggle("values"), c: () => toggle("claims"), h: hint,
  p: () => play("pass"), "[": () => step(-1), "]": () => step(1),
  Home: () => act(() => game.goTo(0)), End: () => act(() => game.goTo(game.moves.length)),
});
beginForms(load, () => game ?? new Game());
addEventListener("popstate", loadLink);
new ResizeObserver(widened).observe(at("graph"));
await players.begin();
await loadLink();
