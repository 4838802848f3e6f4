// The current game and the commands of the user.

import { Answers, chosen, parseRecord, record } from "./api.js";
import { boardOf } from "./boards/index.js";
import { at, copy, listen, say } from "./dom.js";
import { Editor } from "./editor.js";
import { attempt, chosenRules } from "./forms.js";
import { Game, parseLink, question, unusual, words } from "./game.js";
import { hide } from "./glossary.js";
import { Lesson } from "./lesson.js";
import { keepFiles } from "./offline.js";
import { Players, SIDES } from "./players.js";
import { Puzzle } from "./puzzle.js";
import { Refused, get, localFiles } from "./transport.js";
import { View, movesAt } from "./view.js";
import { stopped } from "./words.js";

// The delay of a move of the computer, in milliseconds.
const DELAY = 450;
// The time after which a request counts as slow, in milliseconds.
const SLOW = 1500;
// The longest principal variation that is requested, in moves.
const LINE = 80;

class Page {
  game = null;
  /** A lesson, a puzzle or the set-up of a position; null if the game is just played. */
  activity = null;
  shown = { values: false, claims: true, hint: false, flipped: false, line: false };
  /** The places that are pressed already, of a move with several. */
  selected = [];
  #games = [];
  #trouble = null;
  /** Why the place that was pressed last has no move, if it has none. */
  #denial = null;
  /** The last move of a computer whose time was over before it was sure. */
  #hasty = null;
  /** Whether an answer is late. */
  #late = false;
  /** The number of requested games; only the last one is shown. */
  #loads = 0;
  #pending = { key: null, timer: 0 };
  /** Settles when the position that is being set up has been validated. */
  #validation = null;
  #seed = Math.floor(Math.random() * 1e9);

  answers = new Answers(() => this.update());
  players = new Players(() => this.act(() => {}, "pushState"), (text) => chosen(this.game.question(0), text, 0));
  view = new View({
    press: (place) => this.press(place), play: (move) => this.play(move), jump: (to) => this.goTo(to),
    undo: () => this.undo(), playOn: () => this.act((game) => game.cut()), again: () => this.again(),
    review: () => { this.toggle("values"); at("review").scrollIntoView({ block: "nearest" }); }, leave: () => this.turnTo("play"), smaller: () => this.load({ info: this.game.info, rules: boardOf(this.game.info.name).lesson.rules, start: null }), learn: () => this.turnTo("learn"), next: () => this.nextPuzzle(),
    start: (from) => this.bring(() => this.startFrom(from)),
  });

  async begin() {
    try {
      const { games, version } = await this.wait(get("games"));
      this.#games = games;
      at("version").textContent = `bsq ${version}`;
    } catch (refused) {
      return this.view.broken(refused.message, () => this.begin());
    }
    this.view.games(this.#games);
    await this.loadLink();
    const isNew = stored("visited") === null;
    if (isNew && this.game) {
      this.view.introduce(await this.example().catch(() => null));
      this.update();
    }
    keepFiles(["glossary.md", "icon.svg", ...localFiles()]);
  }

  /** The answer to the example of the current game. */
  example() {
    const { info } = this.game;
    const { example } = boardOf(info.name);
    return example ? this.answers.plain(question({ info, rules: example.rules, start: null }, example.moves)) : Promise.resolve(null);
  }

  /** Waits for an answer, and says so if it is late. */
  async wait(answer) {
    const timer = setTimeout(() => {
      this.#late = true;
      if (this.game) this.update();
      else say("notice-text", "Waiting for the server…");
    }, SLOW);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      if (this.#late) {
        this.#late = false;
        this.update();
      }
    }
  }

  /** Changes the game and shows it. */
  act(change, history = "replaceState") {
    if (!this.game) return;
    change(this.game);
    this.rest();
    this.update(history);
  }

  /** Resets what belongs to a position. */
  rest() {
    this.selected = [];
    this.shown.hint = false;
    this.#trouble = null;
    this.#denial = null;
  }

  get waits() { return !this.activity && !this.game.isOver && !this.players.isPerson(this.game.answer.to_move); }
  /** Whether two computers repeat positions. */
  get circles() { return this.waits && SIDES.every((side) => !this.players.isPerson(side)) && this.game.comesBack; }

  /** Whether a person may move; for a computer while there are later moves, or if it cannot move. */
  get mayMove() {
    return !this.waits || this.game.looksBack || this.circles || Boolean(this.#trouble) || Boolean(this.answers.refused(this.game.question()));
  }

  /** The moves that a person may play: all legal ones, or that of a lesson. */
  get offered() {
    const { activity, game } = this;
    return activity?.offers ? game.answer.moves.filter(({ move }) => activity.offers(move, game)) : game.answer.moves;
  }

  /** Selects a place, or plays the move of the selected places. */
  press(place) {
    if (this.activity?.edits) {
      this.activity.press(place);
      return this.check();
    }
    if (!this.game || !this.mayMove) return;
    this.#denial = null;
    const { offered } = this;
    const whole = (moves, count) => moves.find(({ places }) => places.length === count)?.move;
    if (this.selected.at(-1) === place) {
      const move = whole(this.selected.reduce((moves, name, index) => moves.filter(({ places }) => places[index] === name), offered), this.selected.length);
      this.selected = [];
      return move ? this.play(move) : this.update();
    }
    const going = movesAt(offered, this.selected, place);
    const moves = going.length ? going : movesAt(offered, [], place);
    if (!moves.length && !this.selected.length && !this.activity?.offers && !this.game.isOver) return this.deny(place);
    this.selected = going.length ? [...this.selected, place] : moves.length ? [place] : [];
    const goesOn = moves.some(({ places }) => places.length > this.selected.length);
    const move = whole(moves, this.selected.length);
    if (move && !goesOn) this.play(move);
    else this.update();
  }

  /** Says why there is no move at a place. */
  async deny(place) {
    const { game } = this;
    const { answer } = game;
    // The name of a place is a move unless moves have several places.
    if (answer.moves.some(({ places }) => places.length > 1)) {
      this.#denial = `No move of the ${answer.to_move} player begins at ${place}.`;
      return this.update();
    }
    const isThere = this.#thisPosition();
    try {
      await this.wait(this.answers.plain(game.after(place)));
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (isThere()) this.#denial = stopped(refused.message);
      this.update();
    }
  }

  /** A test of whether the position that is shown now is still shown. */
  #thisPosition() {
    const { game } = this;
    const { answer } = game;
    return () => this.game === game && game.answer === answer;
  }

  /** Plays a move once the server has answered with the position after it. */
  async play(move, history = "pushState") {
    const { game } = this;
    if (this.activity?.offers && !this.activity.offers(move, game) && this.activity.reply(game) !== move) return;
    const isThere = this.#thisPosition();
    try {
      const answer = await this.wait(this.answers.plain(game.after(move)));
      if (isThere()) this.act(() => game.play(answer.played.at(-1), answer), history);
    } catch (refused) {
      this.report(refused, isThere, () => this.play(move, history));
    }
  }

  /** Shows a refusal of the server, if it is still about what is shown. */
  report(refused, isThere, again) {
    if (!(refused instanceof Refused)) throw refused;
    if (!isThere()) return;
    this.#trouble = { text: refused.message, label: "Try again", act: () => { this.#trouble = null; again(); } };
    this.update();
  }

  goTo(ply) { this.act((game) => game.goTo(ply)); }
  step(by) { this.goTo(this.game?.at + by); }
  undo() { this.toOwn(-1, 0); }
  redo() { this.toOwn(1, this.game?.last); }

  /** Goes back or forward to the next position in which a person is to move; to `end` if there is none,
      and by one ply if no person plays. */
  toOwn(direction, end) {
    const { activity, game, players } = this;
    if (!game) return;
    const isOwn = (ply) => activity?.isOwn?.(ply) ?? (activity || players.isPerson(game.mover(ply)));
    let to = game.at + direction;
    while (to >= 0 && to <= game.last && !isOwn(to)) to += direction;
    const rest = SIDES.some((side) => players.isPerson(side)) ? end : game.at + direction;
    this.goTo(to >= 0 && to <= game.last ? to : rest);
  }

  /** Turns a switch, which needs no game. */
  toggle(what) {
    this.shown[what] = !this.shown[what];
    if (this.game) return this.update();
    return this.view.switches(this.shown);
  }

  /** Goes on to another activity with the current game. */
  async turnTo(name, info = this.game?.info, rules = this.activity?.fits ? {} : this.game?.rules) {
    if (!info) return;
    visit();
    const game = { info, rules, start: null, moves: [] };
    const tasks = { learn: name === "learn" && { learn: true }, puzzle: { puzzle: { task: "any", level: "", seed: this.#seed % 1e6 } } };
    if (name !== "play") this.shown.values = false;
    try {
      if (name === "edit") return this.act(() => { this.activity = new Editor(this.game); }, "pushState");
      if (name === "play" && !this.activity?.fits) return this.act(() => { this.activity = null; }, "pushState");
      if (name !== "learn") {
        const { cost } = await this.wait(this.answers.plain(question(game)));
        if (cost.kind === "refused") game.rules = boardOf(info.name).lesson?.rules ?? rules;
      }
      // After a lesson comes a game against an opponent who makes many mistakes.
      if (name === "play") this.players.second = info.agents.find(({ mistakes }) => mistakes !== null && mistakes <= 50)?.name ?? "you";
      await this.open({ game, task: tasks[name] ?? {} });
    } catch (refused) {
      this.report(refused, () => true, () => this.turnTo(name, info, rules));
    }
  }

  /** Shows the puzzle of the form, or the next one if that is shown. */
  nextPuzzle() {
    const { task, level, seed } = at("puzzle-form").elements;
    const { info, rules } = this.game;
    const wanted = { task: task.value, level: level.value, seed: Number(seed.value) };
    const isShown = Object.entries(wanted).every(([name, value]) => String(this.activity?.[name] ?? "") === String(value));
    if (isShown) wanted.seed += 1;
    this.shown.values = false;
    return this.open({ game: { info, rules, moves: [] }, task: { puzzle: wanted } })
      .catch((refused) => this.report(refused, () => true, () => this.nextPuzzle()));
  }

  /** Validates the position that is being set up, after a change of the editor that may take time, and makes it
      the current game if it is valid. */
  check(change = null) {
    this.#validation = this.#validate(change);
    return this.#validation;
  }

  async #validate(change) {
    const { activity } = this;
    try {
      if (change) await change(activity);
    } catch (refused) {
      return this.report(refused, () => this.activity === activity, () => this.check(change));
    }
    if (this.activity !== activity) return;
    const { link, before: { info, rules } } = activity;
    const isCurrent = () => this.activity === activity && String(activity.link) === String(link);
    this.update();
    try {
      const { position, scene, to_move: mover } = await this.wait(activity.position());
      if (!isCurrent()) return;
      Object.assign(activity, { reason: null, isTold: mover !== activity.mover, mover });
      activity.take(scene);
      await this.load({ info, rules, start: position, moves: [] }, "replaceState", activity);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (!isCurrent()) return;
      activity.reason = refused.message;
      this.update();
    }
  }

  /** Plays from the position that has been set up, once it is valid. */
  async playFromHere() {
    const { activity } = this;
    let last;
    do {
      last = this.#validation;
      await last;
    } while (last !== this.#validation);
    if (this.activity === activity && !activity.reason) await this.turnTo("play");
  }

  deselect() {
    this.selected = [];
    this.shown.hint = false;
    if (this.game) this.update();
  }

  again() {
    this.answers.forgive();
    this.update();
  }

  /** Shows a game with what a link tells to do with it; throws refusals. */
  async open({ game, task }, history = "pushState") {
    const { info, rules } = game;
    if (task.learn) {
      const { lesson } = boardOf(info.name);
      const activity = lesson && new Lesson(lesson);
      if (activity?.fits(game.moves)) return this.load({ ...game, rules: activity.rules, start: activity.start }, history, activity);
    }
    if (task.puzzle) {
      const activity = await this.wait(Puzzle.find(game, task.puzzle));
      return this.load({ ...game, start: activity.found.position }, history, activity);
    }
    if (!task.edit) return this.load(game, history);
    await this.load({ info, rules, start: null, moves: [] }, history);
    this.activity = new Editor(this.game, task.edit);
    return this.check();
  }

  /** Shows a game after the server has validated it; throws its refusal. */
  async load(wanted, history = "pushState", activity = null) {
    this.#loads += 1;
    const own = this.#loads;
    const given = { ...wanted, moves: wanted.moves ?? [] };
    const whole = await this.wait(this.answers.plain(question(given)));
    const { info } = given;
    // A position determines the board.
    const rules = unusual(whole.rules, info);
    let start = null;
    if (given.start) {
      const [first, usual] = await Promise.all([this.answers.plain(question(given, [])), this.answers.plain(question({ info, rules }, []))]);
      if (first.position !== usual.position) start = first.position;
    }
    const found = { info, rules, start, moves: whole.played };
    const answers = await this.answers.along(Object.assign(Object.create(Game.prototype), found));
    if (own !== this.#loads) return;
    this.game = new Game(found, [...answers, whole], given.at);
    this.activity = activity;
    this.players.offer(info.agents, boardOf(info.name).typed);
    this.rest();
    this.update(history);
  }

  /** Shows the game of the address, or the start with the reason why not. */
  async loadLink() {
    const link = parseLink(location, this.#games);
    Object.assign(this.players, link.players);
    Object.assign(this.shown, { flipped: link.flipped, values: link.values });
    let trouble = link.error;
    try {
      await this.open(link, "replaceState");
    } catch (refused) {
      if (refused.passing) return this.view.broken(refused.message, () => this.loadLink());
      trouble = stopped(refused.message);
      await this.load({ info: link.game.info, rules: {}, start: null }, "replaceState");
    }
    if (!trouble) return;
    this.#trouble = { text: `The link is not valid: ${trouble} This is a new game.` };
    this.update();
  }

  /** Loads a record, a link, moves from the start, or a position. */
  async loadText(text) {
    const trimmed = text.trim();
    const { info, rules } = this.game;
    if (/^https?:|^[?#]/.test(trimmed)) {
      const link = parseLink(new URL(trimmed, location), this.#games);
      Object.assign(this.players, link.players);
      return this.open(link);
    }
    const named = /^game:(.*)$/im.exec(trimmed);
    if (named || /^[a-z ]+:/i.test(trimmed)) {
      const bare = (name) => name.toLowerCase().replace(/[^a-z]/g, "");
      const isNamed = (game) => named && [game.name, game.title].some((name) => bare(name) === bare(named[1]));
      const of = this.#games.find(isNamed) ?? info;
      const { rules: all, position, moves, at: ply } = await parseRecord(of.name, trimmed);
      return this.load({ info: of, rules: unusual(all, of), start: position, moves, at: ply });
    }
    if (/[./|]/.test(trimmed)) return this.load({ info, rules: { ...rules, ...boardIn(trimmed, info) }, start: trimmed.replace(/\s+/g, " ") });
    return this.load({ info, rules, start: null, moves: words(trimmed) });
  }

  /** Loads a game and scrolls to it, or shows the refusal beside the form. */
  bring(load) {
    return attempt("load-error", async () => {
      await load();
      at("status").scrollIntoView({ block: "nearest" });
    });
  }

  async startFrom(change) {
    const { info, rules } = this.game;
    const usual = await this.answers.plain(question({ info, rules, start: null }, []));
    await this.load({ info, rules, start: change(usual.position) });
  }

  newGame() {
    if (!this.game) return;
    const { info, rules, start } = this.game;
    this.#seed += 1;
    const activity = this.activity?.edits ? null : this.activity;
    return this.load({ info, rules, start }, "pushState", activity).catch((refused) => this.report(refused, () => true, () => this.newGame()));
  }

  /** Requests the values of the current position, then those of the others. */
  ask() {
    const { activity, answers, game, shown } = this;
    const isOpen = (ply) => !answers.valued(game.question(ply)) && !answers.refused(game.question(ply));
    const isWanted = shown.values || shown.hint;
    // A position with few moves left is searched sooner.
    const others = shown.values ? Array.from(game.answers, (_, ply) => ply).reverse().filter(isOpen) : [];
    if (activity?.explains?.(game) && isOpen(0)) others.unshift(0);
    const next = isWanted && isOpen(game.at) ? game.at : answers.refused(game.question()) ? undefined : others[0];
    if (next !== undefined) answers.search(game.question(next), game.answers[next].cost);
  }

  update(history = "replaceState") {
    if (!this.game) return;
    const { activity, answers, game, offered, players, shown, waits, circles } = this;
    this.ask();
    const valued = Array.from(game.answers, (_, ply) => answers.valued(game.question(ply)));
    const refused = answers.refused(game.question());
    // What the time did not suffice for is not asked again.
    const known = valued[game.at]?.is_complete && !game.isOver;
    const isLined = shown.values && known;
    this.view.draw({
      activity, game, valued, refused, offered, players, shown, waits, circles, selected: this.selected, trouble: this.#trouble, denial: this.#denial,
      mayMove: this.mayMove, late: this.#late, hasty: this.#hasty,
      liked: shown.hint && known ? answers.liked(game.question()) : null,
      searching: (shown.values || shown.hint) && !refused && !valued[game.at],
      progress: answers.progress(game.question()), seconds: answers.seconds(game.question()),
      line: isLined ? answers.line(game.question(), LINE) : game.isOver || refused || valued[game.at] ? [] : null,
    });
    players.show();
    this.#tend();
    if (at("share").open) this.showRecord();
    const link = new URL(".", location) + game.link({ players, shown, activity, usual: this.#games[0].name });
    if (link !== location.href) window.history[history](null, "", link);
  }

  /** Plays the move of a computer, or that of a lesson, after a delay. */
  #tend() {
    const { activity, game, waits, circles } = this;
    const reply = activity?.reply?.(game);
    const isDue = (waits || reply) && !game.looksBack && !circles && !this.#trouble;
    const agent = this.players[game.answer.to_move];
    const key = isDue ? `${reply ?? agent} ${game.question()}` : null;
    if (key === this.#pending.key) return;
    clearTimeout(this.#pending.timer);
    const act = () => (reply ? this.play(reply, "replaceState") : this.#move(agent));
    this.#pending = { key, timer: key && setTimeout(act, DELAY) };
  }

  async #move(agent) {
    const { game } = this;
    const { answer } = game;
    const isShown = this.#thisPosition();
    const isThere = () => isShown() && !game.looksBack && this.players[answer.to_move] === agent;
    try {
      const { move, is_sure: isSure } = await this.wait(chosen(game.question(), agent, this.#seed));
      if (!isThere()) return;
      this.#hasty = isSure ? null : { ply: game.at + 1, move };
      await this.play(move, "replaceState");
    } catch (refused) {
      this.report(refused, isThere, () => { this.#pending.key = null; this.update(); });
    }
  }

  async showRecord() {
    const asked = this.game.question(this.game.last);
    if (at("record").dataset.of === asked) return;
    at("record").dataset.of = asked;
    at("record").value = await record(asked).then(({ record: text }) => text, ({ message }) => message);
  }

  async copyRecord() {
    at("share").open = true;
    await this.showRecord();
    await this.copy(at("record").value, "Record");
  }

  async copy(text, what) {
    at("copied").textContent = await copy(text, at("record")) ? `${what} copied` : "Copying failed; the text is selected below";
  }

  listen() {
    const acts = {
      undo: () => this.undo(), redo: () => this.redo(), hint: () => this.toggle("hint"), new: () => this.newGame(),
      "show-values": () => this.toggle("values"), "show-claims": () => this.toggle("claims"), flip: () => this.toggle("flipped"),
      reveal: () => this.toggle("values"), "draw-line": () => this.toggle("line"),
      "intro-learn": () => this.turnTo("learn"), "intro-close": () => { visit(); this.update(); },
      "edit-mover": () => { this.activity.turn(); this.check(); },
      "edit-clear": () => { this.activity.standing.clear(); this.check(); },
      "edit-start": () => this.check(async (editor) => {
        const { scene } = await this.answers.plain(question({ ...this.game, start: null }, []));
        editor.take(scene);
        editor.mover = "first";
      }),
      "edit-cancel": () => { const { before } = this.activity; this.load(before); },
      "edit-done": () => this.playFromHere(),
      "copy-link": () => this.copy(location.href, "Link"), "copy-record": () => this.copyRecord(),
      "copy-position": () => this.copy(this.game.answer.position, "Position"),
    };
    for (const [id, act] of Object.entries(acts)) at(id).addEventListener("click", act);
    for (const button of document.querySelectorAll("[data-task]")) button.addEventListener("click", () => this.turnTo(button.dataset.task));
    at("tools").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.activity.tool = button.dataset.symbol;
      this.update();
    });
    at("slider").addEventListener("input", () => this.goTo(Number(at("slider").value)));
    at("game").addEventListener("change", () => {
      const info = this.#games.find(({ name }) => name === at("game").value);
      const name = this.activity?.edits ? "play" : this.activity?.name ?? "play";
      this.activity = null;
      if (name !== "play") return this.turnTo(name, info, {});
      return this.load({ info, rules: {}, start: null }).catch((refused) => this.report(refused, () => true, () => this.update()));
    });
    at("puzzle-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.nextPuzzle();
    });
    at("load-file").addEventListener("change", () => this.bring(async () => {
      const [file] = at("load-file").files;
      if (file) await this.loadText(await file.text());
      at("load-file").value = "";
    }));
    at("share").addEventListener("toggle", () => { if (at("share").open && this.game) this.showRecord(); });
    at("rules-form").addEventListener("submit", (event) => {
      event.preventDefault();
      attempt("rules-error", () => {
        const { info } = this.game;
        const { name, link } = this.activity ?? {};
        const task = name === "puzzle" ? { puzzle: { level: "", ...Object.fromEntries(link), task: this.activity.task } } : {};
        return this.open({ game: { info, rules: unusual(chosenRules(info), info), start: null, moves: [] }, task });
      });
    });
    at("load-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.bring(() => this.loadText(at("load-text").value));
    });
    const flip = () => { if (!at("flip").hidden) this.toggle("flipped"); };
    listen({
      u: acts.undo, r: acts.redo, h: acts.hint, n: acts.new, v: acts["show-values"], c: acts["show-claims"], f: flip,
      p: () => at("placeless").querySelector("button")?.click(), Escape: () => { hide(); this.deselect(); },
      "[": () => this.step(-1), "]": () => this.step(1), Home: () => this.goTo(0), End: () => this.goTo(this.game?.last),
    });
    addEventListener("popstate", () => this.loadLink());
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      requestAnimationFrame(() => this.update());
    }).observe(at("graph"));
  }
}

/** What the browser remembers; null if it does not, or may not. */
function stored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

/** Remembers that the page is known, so that it is not introduced again. */
function visit() {
  try { localStorage.setItem("visited", "yes"); } catch { /* It is introduced again. */ }
  at("intro").hidden = true;
}

/** The size of the board of a position, if it is written as rows of cells, in the rules of a game that has sizes. */
function boardIn(text, { options }) {
  const option = options.find(({ kind }) => kind.type === "board");
  const rows = text.includes("/") ? text.split(/\s/)[0].split("/") : text.split(/\s+/).slice(0, -1);
  const isBoard = rows.length > 0 && rows.every((row) => row.length === rows[0].length);
  return option && isBoard ? { [option.parameter]: `${rows.length}x${rows[0].length}` } : {};
}

const page = new Page();
page.listen();
await page.begin();
