// Draws the page.

import { BoardView } from "./board.js";
import { Frame, at, pressed } from "./frame.js";
import { drawGraph } from "./graph.js";
import { blunderText, drawMoves, pointText } from "./panel.js";
import { piece } from "./svg.js";
import { moveName, signed, symbol, verdict } from "./words.js";

const opponent = (player) => (player === "first" ? "second" : "first");

export class View extends Frame {
  constructor({ play, jump }) {
    super();
    this.play = play;
    this.jump = jump;
    this.board = new BoardView(play);
  }

  /** `answers` has the known answer to each position, `shown` what is to be shown. */
  draw({ game, answers, players, shown, waits, searching }) {
    const answer = answers[game.at];
    document.body.classList.toggle("no-values", !shown.values);
    document.body.classList.toggle("no-claims", !shown.claims);
    pressed("show-values", shown.values);
    pressed("show-claims", shown.claims);
    this.toolbar(game);
    at("board").setAttribute("aria-busy", String(!answer));
    if (!answer) return;
    const columns = Number(answer.rules.board.split("x")[1]);
    const history = movesMade(game.moves, answers);
    this.#status(answer, shown, searching);
    this.#board(game, answer, shown);
    this.#hint(answer, shown, { columns, searching });
    this.#warning(game, history, { players, shown, columns });
    this.#values({ game, answer, answers, history, shown, columns });
    const made = history[game.at - 1];
    this.announce(made ? `${symbol(made.mover)} ${moveName(made.move, columns)}` : "");
    at("paused").hidden = !(waits && game.looksBack);
    at("pass").hidden = answer.legal[0] !== "pass" || (waits && !game.looksBack);
  }

  #status(answer, shown, searching) {
    const { to_move: mover, game_over: over, score, turn } = answer;
    at("turn").textContent = over ? "The game is over" : `${symbol(mover)} to move`;
    const sentence = shown.values || over ? verdict(answer) : null;
    at("who").textContent = over ? "" : `${mover} player, turn ${turn}`;
    at("verdict").textContent = sentence ? `${sentence}.` : shown.values && searching ? "searching…" : "";
    at("mover").replaceChildren(...(over ? [] : [piece(mover)]));
    at("score").textContent = `score ${signed(score)}`;
    at("searching").hidden = !searching;
  }

  #board(game, answer, shown) {
    this.board.show(answer, {
      values: shown.values,
      claims: shown.claims,
      last: game.moves[game.at - 1],
      hint: shown.hint ? hintOf(answer) : undefined,
    });
  }

  #hint(answer, shown, { columns, searching }) {
    const move = shown.hint ? hintOf(answer) : undefined;
    const unknown = searching ? "searching…" : "No perfect move is known.";
    const waiting = shown.hint && !answer.game_over ? unknown : "";
    at("hint-text").textContent = move ? `Hint: ${moveName(move, columns)} is perfect.` : waiting;
  }

  /** Warns of a mistake of the last move of a person, or of the moves since. */
  #warning(game, history, { players, shown, columns }) {
    const made = history.slice(0, game.at);
    const own = made.findLastIndex(({ mover }) => players[mover] === "you");
    const recent = made.slice(own < 0 ? -1 : Math.max(own, game.at - 2));
    const blunder = shown.values ? recent.find(({ cost }) => cost > 0) : undefined;
    this.warn(blunder ? blunderText(blunder, columns) : "");
  }

  #values({ game, answer, answers, history, shown, columns }) {
    if (!shown.values) return;
    drawMoves(at("best"), answer.moves ?? [], { columns, over: answer.game_over, play: this.play });
    const points = [{ move: null, value: answers[0]?.value ?? null }, ...history.map((made) =>
      ({ ...made, value: made.after }))];
    const labelled = points.map((point, index) =>
      ({ ...point, label: pointText(index, point, columns) }));
    drawGraph(at("graph"), { points: labelled, at: game.at, jump: this.jump });
  }
}

/** The moves with their players, and their costs if known. */
function movesMade(moves, answers) {
  const known = answers.findIndex(Boolean);
  const mover = (index) => {
    const first = answers[known].to_move;
    return (index - known) % 2 === 0 ? first : opponent(first);
  };
  return moves.map((move, index) => ({
    move,
    mover: mover(index),
    before: answers[index]?.value ?? null,
    after: answers[index + 1]?.value ?? null,
    cost: answers[index]?.moves?.find((choice) => choice.move === move)?.cost ?? null,
  }));
}

/** The perfect move with the lowest tile. */
function hintOf(answer) { return answer.moves?.find((move) => move.perfect)?.move; }
