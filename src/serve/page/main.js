// The page: which game is on the board, who moves next, and what is asked of the server.

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

  /** What is known of the position that is looked at. */
  get answer() { return this.game && this.answers.best(this.game.query()); }

  /** A move by hand; the side of a machine only while somebody looks back. */
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

  /** Puts a game on the board that the server agrees to; fails with its sentence. */
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

  /** Asks for the position that is looked at, then, if that is known, for the others of the graph. */
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

  /** Why there are no values, if they are wanted, and why a machine is stuck; that a heuristic is not
      understood stands with the players. */
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

/** Draws the graph anew where its width changed; its height changes by being drawn. */
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
