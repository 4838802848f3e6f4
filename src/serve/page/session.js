// The current game and the commands of the user, for the pages of all games.

import { Refused } from "./api.js";
import { copy } from "./clipboard.js";
import { at } from "./frame.js";
import { listen } from "./keys.js";

export const SIDES = ["first", "second"];

/** A page adds a `view`, and the methods `isYours`, `readLink`, `load`, `beginAnew` and `update`. */
export class Session {
  /** Null after an invalid link. */
  game = null;

  /** `players` has the player of each side, `shown` what is shown. */
  constructor(players, shown) { Object.assign(this, { players, shown }); }

  /** Changes the game and shows it. */
  act(change) {
    if (!this.game) return;
    change(this.game);
    this.rest();
    this.update();
  }

  /** Shows another game. */
  begin(wanted, history) {
    this.game = wanted;
    this.rest();
    this.update(history);
  }

  /** Resets what belongs to a position. */
  rest() { this.shown.hint = false; }

  goTo(ply) { this.act((game) => game.goTo(ply)); }
  step(by) { this.goTo(this.game?.at + by); }
  undo() { this.toOwn(-1, 0); }
  redo() { this.toOwn(1, this.game?.last); }

  /** Goes back or forward to the next position in which a person is to move; to `end` if there is none,
      and by one ply if no person plays. */
  toOwn(direction, end) {
    const { game } = this;
    if (!game) return;
    let to = game.at + direction;
    while (to >= 0 && to <= game.last && !this.isYours(to)) to += direction;
    const noPerson = SIDES.every((side) => this.players[side] !== "you");
    const rest = noPerson ? game.at + direction : end;
    this.goTo(to >= 0 && to <= game.last ? to : rest);
  }

  toggle(what) {
    if (!this.game) return;
    this.shown[what] = !this.shown[what];
    this.update();
  }

  async loadLink() {
    try {
      await this.load(await this.readLink(), "replaceState");
    } catch (refused) {
      this.game = null;
      this.view.trouble(refused.message, { anew: true, again: refused.passing });
    }
  }

  /** Binds the controls of all pages, and the buttons and keys of one. */
  listen(buttons, keys) {
    const [undo, redo] = [() => this.undo(), () => this.redo()];
    const [hint, values] = [() => this.toggle("hint"), () => this.toggle("values")];
    const all = {
      undo, redo, hint, "warning-undo": undo, "play-on": () => this.act((game) => game.cut()),
      "begin-anew": () => this.beginAnew(), "show-values": values, ...buttons,
    };
    for (const [id, action] of Object.entries(all)) at(id).addEventListener("click", action);
    at("slider").addEventListener("input", () => this.goTo(Number(at("slider").value)));
    listen({
      u: undo, r: redo, h: hint, v: values, "[": () => this.step(-1), "]": () => this.step(1),
      Home: () => this.goTo(0), End: () => this.goTo(this.game?.last), ...keys,
    });
    addEventListener("popstate", () => this.loadLink());
  }
}

/** Runs `act`; shows a refusal beside the form. */
export async function attempt(error, act) {
  at(error).hidden = true;
  try {
    await act();
  } catch (refused) {
    at(error).textContent = refused.message;
    at(error).hidden = false;
  }
}

/** Updates the address if it differs from `shown`. */
export function tell(link, shown, history) {
  if (link !== shown) window.history[history](null, "", location.pathname + link);
}

/** A session whose game has the answers to its positions. */
export class SteppedSession extends Session {
  /** The number of requested games; only the last one is shown. */
  #loads = 0;
  /** Repeats the last refused request. */
  #retry = null;

  /** `source` has functions of the game: `steps`, `after` a move, `make` a game of steps, `fromLink`
      and `fromText`; and `usual`, what a page begins with. */
  constructor(source, shown) {
    super({ first: "you", second: "you" }, shown);
    this.source = source;
  }

  rest() {
    super.rest();
    this.view.trouble(null);
  }

  isYours(ply) { return this.players[this.game.steps[ply].answer.to_move] === "you"; }

  /** Requests the position after a move and plays the move. */
  async playNow(move) {
    const [played, from] = [this.game, this.game.answer];
    const isThere = () => this.game === played && played.answer === from;
    try {
      const answer = await this.source.after(from, move);
      if (isThere()) this.act(() => played.play(move, answer));
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (!isThere()) return;
      this.#retry = () => this.playNow(move);
      this.view.trouble(refused.message, { again: true });
    }
  }

  /** Shows a game after the server has validated it; throws its refusal. */
  async load(wanted, history = "pushState") {
    this.#loads += 1;
    const own = this.#loads;
    const found = await this.source.steps(wanted);
    if (own === this.#loads) this.begin(this.source.make(found, wanted), history);
  }

  loadOrSay(wanted, error = "load-error") { return attempt(error, () => this.load(wanted)); }

  readLink() {
    const link = this.source.fromLink(location.hash);
    Object.assign(this.players, link.players);
    this.#retry = () => this.loadLink();
    return link.game;
  }

  beginAnew() {
    Object.assign(this.players, { first: "you", second: "you" });
    return this.loadOrSay(this.source.usual);
  }

  restart() {
    if (this.game) this.begin(this.source.make(this.game.steps.slice(0, 1), this.game), "pushState");
  }

  listen(buttons, keys) {
    const restart = () => this.restart();
    super.listen({
      restart, "try-again": () => { this.view.trouble(null); this.#retry?.(); },
      "copy-link": () => copy(location.href, "Link copied"),
      "copy-position": () => copy(this.game.answer.position, "Position copied"), ...buttons,
    }, { n: restart, ...keys });
    for (const side of SIDES) {
      at(side).addEventListener("change", () => this.act(() => { this.players[side] = at(side).value; }));
    }
    at("load-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.loadOrSay(this.source.fromText(at("load-text").value));
    });
  }
}
