// Draws the page.

import { Board } from "./board.js";
import { boardOf } from "./boards/index.js";
import { at, html, pressed, say } from "./dom.js";
import { showRules } from "./forms.js";
import { drawGraph } from "./graph.js";
import { drawLine, drawMoves, drawPlayed } from "./panel.js";
import { token } from "./pieces.js";
import { SIDES } from "./players.js";
import { blunder, costs, flaw, isKnown, moveName, number, phrase, progressOf, result, rulesLabel, scoreOf, sentence, signed, verdict } from "./words.js";

export class View {
  #module = {};
  #game = null;
  #notice = null;

  /** `acts` has the actions `press`, `play`, `jump`, `undo`, `playOn`, `start`. */
  constructor(acts) {
    this.acts = acts;
    this.board = new Board(acts.press);
    at("notice-act").addEventListener("click", () => this.#notice?.act());
  }

  /** Lists the games. */
  games(games) {
    at("game").replaceChildren(...games.map(({ name, title }) => html("option", { value: name, textContent: title })));
  }

  /** Shows a refusal where there is no game. */
  broken(text, act) {
    this.#tell({ kind: "warning", text, label: "Try again", act });
  }

  /** `state` has the game, the answers with values, and what is shown of them. */
  draw(state) {
    const { game, shown } = state;
    const module = boardOf(game.info.name);
    if (this.#game !== game.info) this.#begin(game.info, module);
    const answer = state.valued[game.at] ?? game.answer;
    const made = game.moves.map((_, ply) => this.#made(state, ply));
    document.body.classList.toggle("no-values", !shown.values);
    document.body.classList.toggle("no-claims", !shown.claims);
    document.body.classList.toggle("over", answer.is_over);
    for (const [id, is] of [["show-values", shown.values], ["show-claims", shown.claims], ["flip", shown.flipped], ["hint", shown.hint]]) pressed(id, is);
    this.#toolbar(game, answer, state);
    this.#status(game, answer, state);
    this.#board(game, answer, module, state);
    this.#tell(this.#noticeOf(game, answer, made, state));
    this.#lists(game, answer, made, state);
    this.#rules(game, answer, module);
    const latest = made[game.at - 1];
    say("announce", [latest?.label, answer.is_over && result(answer)].filter(Boolean).join(". "));
  }

  #begin(info, module) {
    [this.#game, this.#module] = [info, module];
    document.title = `${info.title}, solved`;
    at("game").value = info.name;
    say("summary", info.summary);
    say("rules-text", info.rules);
    at("flip").hidden = !module.home;
    at("show-claims").hidden = !module.claims;
    document.body.classList.toggle("claimless", !module.claims);
    for (const side of SIDES) at(`${side}-token`).replaceChildren(this.#token(side));
    const button = ([name, from]) => {
      const made = html("button", { type: "button", textContent: name });
      made.addEventListener("click", () => this.acts.start(from));
      return made;
    };
    at("starts").replaceChildren(...Object.entries(module.starts ?? {}).map(button));
  }

  #token(player) {
    return this.#module.piece && !this.#module.noun ? this.#module.piece({ owner: player }) : token(player);
  }

  /** A move of the game with what is known about it. */
  #made({ game, valued, shown }, ply) {
    const mover = game.mover(ply);
    const plain = game.choice(ply);
    const choice = shown.values ? game.choice(ply, valued[ply]) : null;
    const name = plain ? moveName(plain) : game.moves[ply];
    const known = choice && isKnown(choice) ? [phrase(choice), costs(choice)].filter(Boolean).join(", ") : "";
    return { name, mover, choice, places: plain?.places ?? [], label: `Move ${ply + 1}, ${mover} player: ${name}${known && `, ${known}`}` };
  }

  #toolbar(game, answer, { refused }) {
    at("undo").disabled = game.at === 0;
    at("redo").disabled = !game.looksBack;
    Object.assign(at("slider"), { max: game.last, value: game.at, disabled: game.last === 0 });
    say("place", `${game.at} / ${game.last}`);
    at("hint").disabled = answer.is_over || Boolean(refused);
    at("new").disabled = game.last === 0;
  }

  #status(game, answer, { shown, valued }) {
    const over = answer.is_over;
    const shape = over ? answer.value?.winner : answer.to_move;
    say("turn", over ? result(answer) : `${sentence(answer.to_move)} player to move`);
    say("ply", over ? "" : `move ${game.at + 1}`);
    say("verdict", over ? "The game is over." : shown.values && valued[game.at] ? verdict(answer).replace(/.$/, "$&.") : "");
    at("mover").replaceChildren(...(shape ? [this.#token(shape)] : []));
    at("status").dataset.winner = over ? answer.value?.winner ?? "" : "";
    const score = answer.score === null || (!shown.values && !over) ? "" : `score ${signed(answer.score)}`;
    say("score", this.#module.tally?.(answer.scene) ?? score);
  }

  #board(game, answer, module, { shown, selected, mayMove, searching }) {
    const made = game.moves.slice(0, game.at).map((_, ply) => [game.choice(ply)?.places ?? [], game.mover(ply)]);
    const hint = shown.hint ? hintOf(answer)?.places ?? [] : [];
    at("board").setAttribute("aria-busy", String(searching));
    this.board.show(answer, module, {
      values: shown.values, claims: shown.claims, flipped: shown.flipped, selected, hint,
      last: made.at(-1)?.[0] ?? [],
      owners: new Map(made.flatMap(([places, mover]) => places.map((place) => [place, mover]))),
      movesAt: (name) => (mayMove ? movesAt(answer, selected, name) : []),
    });
    const placeless = answer.moves.filter(({ places }) => !places.length);
    at("placeless").replaceChildren(...placeless.map(({ move }) => {
      const button = html("button", { type: "button", className: "main", disabled: !mayMove,
        textContent: answer.moves.length === 1 ? `${sentence(move)}: no other move is legal` : sentence(move) });
      button.addEventListener("click", () => this.acts.play(move));
      return button;
    }));
  }

  /** The most important message: one at a time, in a place of its own. */
  #noticeOf(game, answer, made, { trouble, refused, searching, progress, shown, waits, circles, players, valued }) {
    if (trouble) return { kind: "warning", ...trouble };
    if (waits && refused && !game.looksBack) {
      return { kind: "warning", text: `The computer cannot move: ${refused.message} Until then, move for it.`.replace("..", "."), ...this.#again(refused) };
    }
    const recent = made.slice(0, game.at).map((move, ply) => ({ ...move, ply }));
    const own = recent.findLastIndex(({ mover }) => players.isPerson(mover));
    const wrong = recent.slice(own < 0 ? recent.length : Math.max(own, game.at - 2))
      .find(({ choice }) => choice && (choice.class === "changes-outcome" || (choice.cost !== null && number(choice.cost) > 0)));
    if (wrong) return { kind: "warning", text: blunder(wrong.choice, valued[wrong.ply].moves[0]), label: "Undo", act: this.acts.undo };
    if (waits && game.looksBack) return { text: "You are looking back; the computer waits.", label: "Play on from here", act: this.acts.playOn };
    if (circles) return { text: "The position has occurred before, so the computers stop here." };
    if (answer.is_over) return null;
    if (shown.hint) {
      const choice = hintOf(answer);
      if (choice) return { text: `Hint: ${moveName(choice)}${shown.values ? ` (${phrase(choice)})` : ""} is a best move.` };
    }
    if (refused && (shown.values || shown.hint)) return { text: `No values: ${refused.message}`, ...this.#again(refused) };
    return searching ? { text: `Searching…${progress ? progressOf(progress) : ""}` } : null;
  }

  #again(refused) {
    return refused.passing ? { label: "Try again", act: this.acts.again } : {};
  }

  #tell(notice) {
    this.#notice = notice;
    at("notice").dataset.kind = notice ? notice.kind ?? "plain" : "";
    say("notice-text", notice?.text ?? "");
    say("notice-act", notice?.label ?? "");
    at("notice-act").hidden = !notice?.act;
  }

  #lists(game, answer, made, { shown, valued, line, mayMove, searching }) {
    drawPlayed(at("played"), { moves: made, at: game.at, jump: this.acts.jump });
    if (!shown.values) return;
    drawMoves(at("best"), answer, { searching, play: (move) => { if (mayMove) this.acts.play(move); } });
    drawLine(at("line"), line, answer);
    const isScored = answer.moves.some((choice) => isKnown(choice) && scoreOf(choice) !== null);
    say("aim", isScored ? `the ${answer.to_move === "first" ? "higher" : "lower"}, the better` : "");
    const points = game.answers.map((_, ply) => {
      const [known, move] = [valued[ply], made[ply - 1]];
      const worth = known ? (move?.choice ? "" : `, ${phrase(known)}`) : ", value not known";
      return { known, mover: move?.mover, flaw: flaw(move?.choice), label: (move?.label ?? "The start") + worth };
    });
    drawGraph(at("graph"), { points, at: game.at, jump: this.acts.jump });
    this.#legend(valued.find(Boolean));
  }

  /** Explains the marks by those of the game. */
  #legend(known) {
    if (!known) return;
    const isScored = known.value ? known.value.score !== null : known.to_come !== null;
    const [first, tie, second] = isScored ? ["+1", "0", "\u22121"] : ["1st 3", "draw", "2nd 4"];
    say("mark-first", first);
    say("mark-tie", tie);
    say("mark-second", second);
    say("meaning", isScored
      ? "A value is the first player's points minus the second player's at the end of the game, if both play best: +1 means that the first player wins by 1 point, \u22121 that the second player does."
      : "1st 3 means that the first player wins in 3 plies if both play best, 2nd 4 that the second player wins in 4; a ply is one move of one player.");
  }

  #rules(game, answer, module) {
    const { rules } = answer;
    say("rules-now", rulesLabel(rules, game.info.options));
    at("rules").hidden = game.info.options.length === 0;
    at("rules-list").replaceChildren(...(module.rules?.(rules) ?? []).map((textContent) => html("li", { textContent })));
    showRules(game.info, rules);
  }
}

/** The legal moves that begin at the selected places and go on with another one, best first. */
export function movesAt({ moves }, selected, name) {
  const path = [...selected, name];
  return moves.filter(({ places }) => path.every((place, index) => places[index] === place));
}

/** A best move, if values are known. */
const hintOf = ({ moves }) => moves.find((choice) => choice.class === "best");
