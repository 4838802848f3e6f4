// Draws all of the page from what is known.

import { Board } from "./board.js";
import { html } from "../svg.js";
import { signed } from "../words.js";
import { token } from "../rpsw/pieces.js";
import { blunder, end, moveText, outcome, rulesLabel, tally, turn, verdict } from "./words.js";

const at = (id) => document.getElementById(id);

export class View {
  #said = "";

  constructor({ press, play }) {
    this.play = play;
    this.board = new Board(press);
  }

  /** `scored` is the answer with values, once it is known; `before` that of the move before. */
  draw({ game, scored, before, shown, canMove, waits }) {
    const { answer } = game;
    const last = game.steps[game.at].move;
    const values = shown.values ? scored : null;
    const hint = shown.hint && scored ? scored.moves[0] : null;
    at("show-values").setAttribute("aria-pressed", String(shown.values));
    document.body.classList.toggle("no-values", !shown.values);
    document.body.classList.toggle("over", answer.game_over);
    this.board.show(answer, { scored: values, last, hint: hint?.move, canMove });
    this.#toolbar(game);
    at("turn").textContent = turn(answer);
    at("who").textContent = answer.game_over ? "" : `move ${game.at + 1}`;
    at("verdict").textContent = answer.game_over ? "The game is over." : values ? verdict(values) : "";
    at("mover").replaceChildren(...this.#shape(answer));
    at("status").dataset.winner = this.#winner(answer) ?? "";
    at("score").textContent = tally(answer);
    at("hint-text").textContent = hint ? `Hint: ${moveText(hint)}.` : "";
    const wrong = shown.values && last && before ? blunder({ move: last }, before) : "";
    at("warning-text").textContent = wrong;
    at("warning").hidden = !wrong;
    this.#moves(answer, values);
    at("rules-now").textContent = rulesLabel(answer.rules);
    at("game-text").value = answer.position;
    at("paused").hidden = !(waits && game.looksBack);
    this.#announce(game, last);
  }

  /** Why scores are not known, or that they are looked for. */
  search(sentence) {
    at("search").hidden = !sentence;
    at("search-text").textContent = sentence ?? "";
  }

  /** Instead of a move or a game: what the server said of it. */
  trouble(sentence, { again = false, anew = false } = {}) {
    at("trouble").hidden = !sentence;
    document.body.classList.toggle("broken", anew);
    at("trouble-text").textContent = sentence ?? "";
    at("try-again").hidden = !again;
    at("begin-anew").hidden = !anew;
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

  #winner({ game_over: over, score }) {
    return over && score ? (score > 0 ? "first" : "second") : null;
  }

  #shape(answer) {
    const player = answer.game_over ? this.#winner(answer) : answer.to_move;
    return player ? [token(player)] : [];
  }

  /** The moves in groups of one score, best first; each can be played from here. */
  #moves(answer, scored) {
    const groups = new Map();
    for (const move of scored?.moves ?? []) {
      groups.set(move.score, [...(groups.get(move.score) ?? []), move]);
    }
    const rows = [...groups].map(([score, group]) => {
      const best = score === scored.value;
      const title = html("dt", {}, html("span", {
        className: `value ${outcome(answer.to_move, score)} ${best ? "best" : ""}`,
        textContent: signed(score),
      }));
      if (best) title.append(html("i", { className: "star", title: "best" }));
      return html("div", {}, title, html("dd", {}, ...group.map((move) => this.#button(move))));
    });
    const none = answer.game_over ? "The game is over." : "Not known.";
    at("best").replaceChildren(rows.length
      ? html("dl", {}, ...rows)
      : html("p", { className: "quiet", textContent: none }));
  }

  #button(move) {
    const made = html("button", { type: "button", className: "move", textContent: move.move, title: moveText(move) });
    made.setAttribute("aria-label", `play ${moveText(move)}`);
    made.addEventListener("click", () => this.play(move.move));
    return made;
  }

  /** The last move, for those who do not see the board; once. */
  #announce({ answer, at: ply }, last) {
    const text = last ? `Move ${ply}: ${last.replace("-", " to ")}. ${tally(answer)}.` : "";
    const whole = answer.game_over ? `${text} ${end(answer)}.` : text;
    if (whole !== this.#said) at("announce").textContent = whole;
    this.#said = whole;
  }
}
