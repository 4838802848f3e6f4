// The page of Dots-and-Boxes.

import { at } from "../frame.js";
import { PerfectPlay } from "../perfect.js";
import { SIDES, SteppedSession, tell } from "../session.js";
import { after, scored, steps } from "./answers.js";
import { Boxes, USUAL, fromLink, fromText } from "./game.js";
import { View } from "./view.js";

// The time in milliseconds after which a running search is announced.
const SLOW = 300;
// The delay of perfect play, in milliseconds.
const DELAY = 500;
/** For each answer without values, the answer with values, a refusal, or "asked". */
const worth = new WeakMap();

const known = (answer) => {
  const found = worth.get(answer);
  return found instanceof Error || found === "asked" ? null : found;
};

class Page extends SteppedSession {
  view = new View({ press: (move) => this.play(move), play: (move) => this.play(move) });
  machine = new PerfectPlay(this.players, (move) => this.playNow(move), DELAY);

  /** Whether a person may move; for a machine while there are later moves, or if it cannot move. */
  get mayMove() {
    const { game, machine } = this;
    return game && (!machine.moves(game) || game.looksBack || worth.get(game.answer) instanceof Error);
  }

  /** Plays a move of a person. */
  play(move) {
    if (this.mayMove && this.game.answer.legal.includes(move)) this.playNow(move);
  }

  /** Requests the values of a position. */
  async value(answer) {
    worth.set(answer, "asked");
    const slow = setTimeout(() => {
      if (this.game?.answer === answer) this.view.search("Searching…");
    }, SLOW);
    const found = await scored(answer).catch((refused) => refused);
    clearTimeout(slow);
    worth.set(answer, found);
    this.update();
  }

  /** Describes why there are no scores. */
  lacks(found) {
    if (!(found instanceof Error)) return null;
    const until = this.machine.moves(this.game) ? " Until then, move for it." : "";
    return found.passing
      ? "The scores were not found in time."
      : `Too many lines are open for scores and perfect play.${until}`;
  }

  toggle(what) {
    // A request that timed out is repeated.
    if (worth.get(this.game?.answer)?.passing) worth.delete(this.game.answer);
    super.toggle(what);
  }

  update(history = "replaceState") {
    const { game, shown, view } = this;
    if (!game) return;
    const { answer } = game;
    const waits = this.machine.moves(game);
    const wanted = !answer.game_over && (shown.values || shown.hint || (waits && !game.looksBack));
    if (wanted && !worth.has(answer)) this.value(answer);
    if (worth.get(answer) !== "asked") view.search(wanted ? this.lacks(worth.get(answer)) : null);
    const before = game.at > 0 ? known(game.steps[game.at - 1].answer) : null;
    view.draw({ game, scored: known(answer), before, shown, waits, canMove: this.mayMove });
    for (const side of SIDES) at(side).value = this.players[side];
    this.machine.tend(game, known(answer)?.moves[0]?.move);
    tell(game.link(this.players), location.hash, history);
  }
}

/** The parameters of the form, without default values. */
function chosen() {
  const start = { board: `${at("rows").value}x${at("cols").value}` };
  if (at("variant").value !== "standard") start.variant = at("variant").value;
  if (Number(at("penalty").value)) start.penalty = at("penalty").value;
  return { start, moves: [] };
}

const make = (found, { start, at }) => new Boxes(found, start, at);
const source = { after, steps, make, fromLink, fromText, usual: USUAL };
const page = new Page(source, { values: false, hint: false });
page.listen({}, {});
at("new-form").addEventListener("submit", (event) => {
  event.preventDefault();
  page.loadOrSay(chosen(), "new-error");
});
await page.loadLink();
