// The page of rock-paper-scissors-well.

import { at } from "../frame.js";
import { SIDES, SteppedSession, tell } from "../session.js";
import { after, isMissing, steps, usualStart } from "./answers.js";
import { Game, fromLink, fromText, shuffled } from "./game.js";
import { Machine } from "./machine.js";
import { View } from "./view.js";

/** The start of the game. */
const USUAL = { position: null, moves: [], at: 0 };
// The delay of perfect play, in milliseconds.
const DELAY = 600;

class Page extends SteppedSession {
  usual = "";
  /** The square of the selected piece. */
  selected = null;
  view = new View({
    press: (square) => this.press(square), play: (move) => this.play(move), jump: (to) => this.goTo(to),
  });
  machine = new Machine(this.players, (move) => this.playNow(move), DELAY);

  /** Whether a person may move; for a machine only while there are later moves. */
  get mayMove() { return this.game && (!this.machine.moves(this.game) || this.game.looksBack); }

  /** Selects a piece, moves it, or deselects it. */
  press(square) {
    if (!this.mayMove) return;
    const { moves } = this.game.answer;
    const move = moves.find((known) => known.from === this.selected && known.to === square);
    if (move) return this.play(move.move);
    const takesUp = this.selected !== square && moves.some((known) => known.from === square);
    this.selected = takesUp ? square : null;
    this.update();
  }

  /** Plays a move of a person. */
  play(move) {
    if (this.mayMove) this.playNow(move);
  }

  rest() {
    super.rest();
    this.selected = null;
  }

  leave() {
    this.selected = null;
    this.shown.hint = false;
    this.update();
  }

  async readLink() {
    const wanted = super.readLink();
    this.shown.flipped = fromLink(location.hash).flipped;
    this.usual ||= (await usualStart()).position;
    return wanted;
  }

  update(history = "replaceState") {
    const { game, machine, players, selected, shown, usual } = this;
    if (!game) return;
    const waits = machine.moves(game);
    this.view.draw({ game, players, shown, selected, waits, circles: machine.circles(game) });
    for (const side of SIDES) at(side).value = players[side];
    machine.tend(game);
    tell(game.link({ usual, players, flipped: shown.flipped }), location.hash, history);
  }
}

const make = (found, { at }) => new Game(found, at);
const source = { after, steps, make, fromLink, fromText, usual: USUAL };
const page = new Page(source, { values: true, hint: false, flipped: false });
const flip = () => page.toggle("flipped");
page.listen({
  flip, usual: () => page.loadOrSay(USUAL),
  shuffle: () => page.loadOrSay({ ...USUAL, position: shuffled(page.usual) }),
}, { Escape: () => page.leave(), f: flip });

const lacks = await isMissing().catch(() => false);
page.view.missing(lacks);
if (!lacks) await page.loadLink();
