// Draws the page of Dots-and-Boxes.

import { Board } from "./board.js";
import { Frame, at, badge, drawGroups, moveButton, pressed } from "../frame.js";
import { html } from "../svg.js";
import { signed } from "../words.js";
import { token } from "../rpsw/pieces.js";
import { blunder, end, moveText, outcome, rulesLabel, tally, turn, verdict } from "./words.js";

export class View extends Frame {
  constructor({ press, play }) {
    super();
    this.play = play;
    this.board = new Board(press);
  }

  /** `scored` is the answer with values, if known; `before` that of the previous position. */
  draw({ game, scored, before, shown, canMove, waits }) {
    const { answer } = game;
    const last = game.steps[game.at].move;
    const values = shown.values ? scored : null;
    const hint = shown.hint && scored ? scored.moves[0] : null;
    pressed("show-values", shown.values);
    document.body.classList.toggle("no-values", !shown.values);
    document.body.classList.toggle("over", answer.game_over);
    this.board.show(answer, { scored: values, last, hint: hint?.move, canMove });
    this.toolbar(game);
    at("restart").disabled = game.last === 0;
    at("hint").disabled = answer.game_over;
    at("turn").textContent = turn(answer);
    at("who").textContent = answer.game_over ? "" : `move ${game.at + 1}`;
    at("verdict").textContent = answer.game_over ? "The game is over." : values ? verdict(values) : "";
    at("mover").replaceChildren(...this.#shape(answer));
    at("status").dataset.winner = this.#winner(answer) ?? "";
    at("score").textContent = tally(answer);
    at("hint-text").textContent = hint ? `Hint: ${moveText(hint)}.` : "";
    this.warn(shown.values && last && before ? blunder({ move: last }, before) : "");
    this.#moves(answer, values);
    at("rules-now").textContent = rulesLabel(answer.rules);
    at("game-text").value = answer.position;
    at("paused").hidden = !(waits && game.looksBack);
    this.#announceMove(game, last);
  }

  /** Shows why there are no scores, or that a search is running. */
  search(sentence) {
    at("search").hidden = !sentence;
    at("search-text").textContent = sentence ?? "";
  }

  #winner({ game_over: over, score }) {
    return over && score ? (score > 0 ? "first" : "second") : null;
  }

  #shape(answer) {
    const player = answer.game_over ? this.#winner(answer) : answer.to_move;
    return player ? [token(player)] : [];
  }

  /** Draws the moves in groups of equal score, best first. */
  #moves(answer, scored) {
    drawGroups(at("best"), scored?.moves ?? [], {
      key: ({ score }) => score,
      title: ({ score }) => {
        const best = score === scored.value;
        const star = best ? [html("i", { className: "star", title: "best" })] : [];
        return [badge(outcome(answer.to_move, score), best, { textContent: signed(score) }), ...star];
      },
      button: (move) => moveButton(move.move, moveText(move), () => this.play(move.move)),
      none: answer.game_over ? "The game is over." : "Not known.",
    });
  }

  #announceMove({ answer, at: ply }, last) {
    const text = last ? `Move ${ply}: ${last.replace("-", " to ")}. ${tally(answer)}.` : "";
    this.announce(answer.game_over ? `${text} ${end(answer)}.` : text);
  }
}
