// Draws the page of rock-paper-scissors-well.

import { bestLine } from "./answers.js";
import { Board } from "./board.js";
import { Frame, at, pressed } from "../frame.js";
import { drawLine, drawMoves, drawRecord } from "./panel.js";
import { token } from "./pieces.js";
import { blunder, end, kindOn, moveText, overText, rulesLabel, verdict, worth } from "./words.js";
import { html } from "../svg.js";

// The time in milliseconds after which a running search is announced.
const SLOW = 150;

export class View extends Frame {
  /** The answer whose principal variation is shown or requested. */
  #lined = null;

  constructor({ press, play, jump }) {
    super();
    this.play = play;
    this.jump = jump;
    this.board = new Board(press);
  }

  draw({ game, players, shown, selected, waits, circles }) {
    const { answer } = game;
    document.body.classList.toggle("no-values", !shown.values);
    pressed("show-values", shown.values);
    pressed("flip", shown.flipped);
    this.toolbar(game);
    at("restart").disabled = game.last === 0;
    at("hint").disabled = answer.game_over;
    this.#status(game, shown.values);
    const hint = shown.hint ? answer.moves[0] : undefined;
    this.board.show(answer, {
      values: shown.values, flipped: shown.flipped, selected, hint,
      last: game.lastMove, canMove: !waits || game.looksBack,
    });
    at("hint-text").textContent = hint
      ? `Hint: ${moveText(hint, kindOn(answer, hint.from))}${shown.values ? `, ${worth(hint)}` : ""}.`
      : "";
    this.#warning(game, players, shown.values);
    drawMoves(at("best"), answer, this.play);
    this.#line(answer, shown.values);
    drawRecord(at("record"), game, shown.values, this.jump);
    this.#rules(answer);
    this.#announceMove(game);
    at("paused").hidden = !(waits && game.looksBack);
    at("circles").hidden = !circles;
  }

  /** Shows that there is no database instead of the game. */
  missing(lacks) {
    at("missing").hidden = !lacks;
    at("main").hidden = lacks;
    for (const id of ["show-values", "flip"]) at(id).hidden = lacks;
  }

  #status({ answer, at: ply }, values) {
    const { to_move: mover, game_over: over, winner } = answer;
    const shape = over ? winner : mover;
    at("turn").textContent = over ? end(answer) : `${mover === "first" ? "First" : "Second"} player to move`;
    at("who").textContent = over ? "" : `ply ${ply + 1}`;
    at("verdict").textContent = over ? overText(answer) : values ? verdict(answer) : "";
    at("mover").replaceChildren(...(shape ? [token(shape)] : []));
    at("status").dataset.winner = winner ?? "";
    document.body.classList.toggle("over", over);
  }

  /** Warns of a mistake of the last move of a person. */
  #warning(game, players, values) {
    const made = [game.at, game.at - 1].map((index) => (index > 0 ? game.moveTo(index) : null));
    const own = made.find((move) => move && players[move.mover] === "you");
    this.warn(values && own ? blunder(own) : "");
  }

  /** Requests the principal variation; the previous one is shown until it arrives. */
  async #line(answer, values) {
    if (!values || this.#lined === answer) return;
    this.#lined = answer;
    const slow = setTimeout(() => drawLine(at("line"), answer, null), SLOW);
    const line = await bestLine(answer);
    clearTimeout(slow);
    if (this.#lined === answer) drawLine(at("line"), answer, line);
  }

  #rules({ rules, position }) {
    at("rules-now").textContent = rulesLabel(rules);
    const list = (kinds) => (kinds.length ? kinds.join(" and ") : "nothing");
    const lines = Object.entries(rules.takes).map(([kind, taken]) =>
      html("li", { textContent: `${kind} takes ${list(taken)}` }));
    at("takes").replaceChildren(...lines);
    at("game-text").value = position;
  }

  #announceMove({ answer, lastMove }) {
    const text = lastMove
      ? `${lastMove.mover} player: ${moveText(lastMove, kindOn(lastMove.before, lastMove.from))}`
      : "";
    this.announce(answer.game_over ? `${text}. ${end(answer)}.` : text);
  }
}
