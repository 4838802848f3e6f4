// Draws all of the page from what is known.

import { bestLine } from "./answers.js";
import { Board } from "./board.js";
import { drawLine, drawMoves, drawRecord } from "./panel.js";
import { token } from "./pieces.js";
import { blunder, end, kindOn, moveText, overText, rulesLabel, verdict, worth } from "./words.js";
import { html } from "../svg.js";

// After so many milliseconds it is said that something is searched.
const SLOW = 150;
const at = (id) => document.getElementById(id);
const pressed = (id, is) => at(id).setAttribute("aria-pressed", String(is));

export class View {
  #said = "";
  /** The answer whose line of best play is shown, or is to be. */
  #lined = null;

  constructor({ press, play, jump }) {
    this.play = play;
    this.jump = jump;
    this.board = new Board(press);
  }

  draw({ game, players, shown, selected, waits, circles }) {
    const { answer } = game;
    document.body.classList.toggle("no-values", !shown.values);
    pressed("show-values", shown.values);
    pressed("flip", shown.flipped);
    this.#toolbar(game);
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
    this.#announce(game);
    at("paused").hidden = !(waits && game.looksBack);
    at("circles").hidden = !circles;
  }

  /** Instead of a move or a game: what the server said of it. */
  trouble(sentence, { again = false, anew = false } = {}) {
    at("trouble").hidden = !sentence;
    document.body.classList.toggle("broken", anew);
    at("trouble-text").textContent = sentence ?? "";
    at("try-again").hidden = !again;
    at("begin-anew").hidden = !anew;
  }

  /** Instead of all: there is nothing to play from. */
  missing(lacks) {
    at("missing").hidden = !lacks;
    at("main").hidden = lacks;
    for (const id of ["show-values", "flip"]) at(id).hidden = lacks;
  }

  #toolbar(game) {
    at("undo").disabled = game.at === 0;
    at("redo").disabled = !game.looksBack;
    at("restart").disabled = game.last === 0;
    at("hint").disabled = game.answer.game_over;
    at("slider").max = game.last;
    at("slider").value = game.at;
    at("slider").disabled = game.last === 0;
    at("place").textContent = `${game.at} / ${game.last}`;
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

  /** About the last move of a person, while it still stands. */
  #warning(game, players, values) {
    const made = [game.at, game.at - 1].map((index) => (index > 0 ? game.moveTo(index) : null));
    const own = made.find((move) => move && players[move.mover] === "you");
    const text = values && own ? blunder(own) : "";
    if (at("warning-text").textContent !== text) at("warning-text").textContent = text;
    at("warning").hidden = !text;
  }

  /** It comes later than the rest; what is shown stays until it is known. */
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

  /** The last move, for those who do not see the board; once. */
  #announce({ answer, lastMove }) {
    const text = lastMove
      ? `${lastMove.mover} player: ${moveText(lastMove, kindOn(lastMove.before, lastMove.from))}`
      : "";
    const whole = answer.game_over ? `${text}. ${end(answer)}.` : text;
    if (whole !== this.#said) at("announce").textContent = whole;
    this.#said = whole;
  }
}
