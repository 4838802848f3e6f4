// The page of British Square.

import { Answers, plain } from "./api.js";
import { beginForms, showForms } from "./forms.js";
import { at } from "./frame.js";
import { Game, fromLink } from "./game.js";
import { Machine } from "./machine.js";
import { Players } from "./players.js";
import { Session, tell } from "./session.js";
import { View } from "./view.js";

class Page extends Session {
  answers = new Answers(() => this.update());
  machine = new Machine(this.answers, this.players, (move) => this.act((game) => game.play(move)));
  view = new View({ play: (move) => this.play(move), jump: (to) => this.goTo(to) });

  /** The answer to the current position, if known. */
  get answer() { return this.game && this.answers.best(this.game.query()); }

  /** Plays a move of a person; for a machine only while there are later moves. */
  play(move) {
    if (!this.answer?.legal.includes(move)) return;
    if (this.machine.moves(this.answer) && !this.game.looksBack) return;
    this.act((game) => game.play(move));
  }

  isYours(ply) {
    const { to_move: mover } = this.answer;
    const other = mover === "first" ? "second" : "first";
    return this.players[(ply - this.game.at) % 2 === 0 ? mover : other] === "you";
  }

  toOwn(direction, end) {
    if (this.answer) super.toOwn(direction, end);
  }

  newGame() {
    this.begin(new Game({ rules: this.game?.rules, start: this.game?.start }), "pushState");
  }

  /** Shows a game after the server has validated it; throws its refusal. */
  async load(wanted, history = "pushState") {
    const ask = (given) => this.answers.wait(plain(new Game(given).query()));
    const { rules, played: moves } = await ask({ ...wanted, at: wanted.moves.length });
    let start = null;
    if (wanted.start) {
      const [given, usual] = await Promise.all([ask({ rules, start: wanted.start }), ask({ rules })]);
      if (given.position !== usual.position) start = given.position;
    }
    const loaded = new Game({ rules, start, moves });
    if (wanted.at < wanted.moves.length) loaded.goTo(wanted.at);
    this.begin(loaded, history);
  }

  readLink() {
    const link = fromLink(location.search);
    this.players.set(link.players);
    return link.game;
  }

  /** Requests the current position, then the others of the graph. */
  askServer() {
    const { answers, game } = this;
    const looked = game.query();
    const line = game.moves.map((_, index) => game.query(index)).concat(game.query(game.last));
    const missing = answers.refused(looked) ? [] : line.filter((query) => !answers.known(query));
    const open = missing.find((query) => !answers.refused(query));
    answers.askValues(answers.known(looked) ? open ?? looked : looked);
  }

  update(history = "replaceState") {
    const { answers, game, machine, players, shown } = this;
    if (!game) return;
    this.askServer();
    const refused = answers.refused(game.query());
    const known = Array.from({ length: game.last + 1 }, (_, to) => answers.best(game.query(to)));
    const answer = known[game.at];
    this.view.draw({
      game, answers: known, players, shown, waits: answer && machine.moves(answer),
      searching: !refused && typeof answer?.value !== "number",
    });
    this.showTrouble(refused, machine.tend(game));
    showForms(game);
    tell(game.link(players), location.search, history);
  }

  /** Shows why there are no values, and why a machine cannot move; an invalid heuristic is reported beside
      the players. */
  showTrouble(refused, stuck) {
    const unclear = stuck && stuck !== refused && !stuck.passing ? stuck : null;
    const trouble = (unclear ? null : stuck) ?? (this.shown.values ? refused : null);
    this.view.trouble(trouble?.message, { again: trouble?.passing });
    at("players-error").textContent = unclear?.message ?? "";
    at("players-error").hidden = !unclear;
  }

  tryAgain() {
    if (!this.game) return this.loadLink();
    this.answers.forgive();
    this.update();
  }

  beginAnew() {
    this.players.set({ first: "you", second: "you" });
    this.begin(new Game(), "pushState");
  }
}

const players = new Players(() => page.update());
const page = new Page(players, { values: true, claims: true, hint: false });
let drawnWidth = 0;

/** Redraws the graph when its width has changed; drawing it changes its height. */
function widened([{ contentRect }]) {
  if (contentRect.width === drawnWidth) return;
  drawnWidth = contentRect.width;
  requestAnimationFrame(() => page.update());
}

const [claims, pass] = [() => page.toggle("claims"), () => page.play("pass")];
const newGame = () => page.newGame();
page.listen({ new: newGame, pass, "try-again": () => page.tryAgain(), "show-claims": claims },
  { n: newGame, c: claims, p: pass });
beginForms((wanted) => page.load(wanted), () => page.game ?? new Game());
new ResizeObserver(widened).observe(at("graph"));
await players.begin();
await page.loadLink();
