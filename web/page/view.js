// Draws the page.

import { Board } from "./board.js";
import { SECONDS } from "./api.js";
import { boardOf } from "./boards/index.js";
import { at, html, pressed, say } from "./dom.js";
import { showRules } from "./forms.js";
import { explained } from "./glossary.js";
import { drawGraph } from "./graph.js";
import { drawLine, drawMoves, drawPlayed } from "./panel.js";
import { token } from "./pieces.js";
import { SIDES } from "./players.js";
import { drawReport, report } from "./review.js";
import {
  blunder, costs, flaw, isKnown, moveName, number, phrase, progressOf, reason, result, rulesLabel, scoreOf, sentence, signed, stopped, verdict,
  winnerOf,
} from "./words.js";

export class View {
  #module = {};
  #game = null;
  #notice = null;

  /** `acts` has the actions `press`, `play`, `jump`, `undo`, `playOn`, `start`. */
  constructor(acts) {
    this.acts = acts;
    this.board = new Board(at("board"), acts.press);
    this.example = new Board(at("example"));
    at("notice-act").addEventListener("click", () => this.#notice?.act());
  }

  /** Lists the games. */
  games(games) {
    at("game").replaceChildren(...games.map(({ name, title }) => html("option", { value: name, textContent: title })));
  }

  /** Shows which switches are on. */
  switches({ values, claims, flipped, hint, line }) {
    const all = { "show-values": values, "show-claims": claims, flip: flipped, hint, "draw-line": line };
    for (const [id, is] of Object.entries(all)) pressed(id, is);
    document.body.classList.toggle("no-values", !values);
    document.body.classList.toggle("no-claims", !claims);
  }

  /** Introduces the current game to a new visitor, by the answer to its example. */
  introduce(answer) {
    const { example, intro } = this.#module;
    if (!answer || !intro) return;
    say("intro-text", intro);
    say("example-text", example.say);
    this.example.show(answer, this.#module, { owners: new Map(), selected: [], last: [], hint: [], claims: true, movesAt: () => [] });
    at("intro").hidden = false;
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
    this.switches(shown);
    document.body.classList.toggle("over", answer.is_over);
    this.#activity(state);
    this.#toolbar(game, answer, state);
    this.#status(game, answer, state);
    this.#board(game, answer, module, state);
    this.#tell(this.#noticeOf(game, answer, made, state));
    at("review").hidden = game.last === 0;
    this.#lists(game, answer, made, module, state);
    this.#rules(game, answer, module);
    const latest = made[game.at - 1];
    say("announce", [latest?.label, answer.is_over && result(answer)].filter(Boolean).join(". "));
  }

  #begin(info, module) {
    [this.#game, this.#module] = [info, module];
    document.title = `${info.title}, solved`;
    at("game").value = info.name;
    say("summary", info.summary);
    at("rules-text").replaceChildren(...explained(info.rules, module.terms ?? []));
    document.querySelector("[data-task=learn]").hidden = !module.lesson;
    document.querySelector("[data-task=edit]").hidden = !info.marks.length;
    at("intro").hidden = true;
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

  /** Shows the controls of the activity. */
  #activity({ activity, mayMove }) {
    const name = activity?.name ?? "play";
    document.body.dataset.activity = name;
    for (const button of document.querySelectorAll("[data-task]")) button.setAttribute("aria-pressed", String(button.dataset.task === name));
    at("puzzle-form").hidden = name !== "puzzle";
    at("palette").hidden = name !== "edit";
    activity?.show?.(this.#module);
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
    return { name, mover, choice, places: plain?.places ?? [], label: `Move ${ply + 1}. ${name}, ${mover} player${known && `, ${known}`}` };
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
    const shape = over ? winnerOf(answer.value) : answer.to_move;
    say("turn", over ? result(answer) : `${sentence(answer.to_move)} player to move`);
    say("ply", over || game.start ? "" : `move ${game.at + 1}`);
    const known = over ? "The game is over." : shown.values && valued[game.at] ? stopped(verdict(answer)) : "";
    const mark = answer.is_reachable ? "" : "Play from the start does not reach this position.";
    say("verdict", [known, mark].filter(Boolean).join(" "));
    at("mover").replaceChildren(...(shape ? [this.#token(shape)] : []));
    at("status").dataset.winner = over ? winnerOf(answer.value) ?? "" : "";
    const score = answer.score === null || (!shown.values && !over) ? "" : `score ${signed(answer.score)}`;
    say("score", this.#module.tally?.(answer.scene) ?? score);
  }

  #board(game, answer, module, { activity, line, offered, shown, selected, mayMove, searching }) {
    const made = game.moves.slice(0, game.at).map((_, ply) => [game.choice(ply)?.places ?? [], game.mover(ply)]);
    const told = activity?.hint?.(game);
    const hinted = told ? game.answer.moves.find(({ move }) => move === told) : shown.hint && hintOf(answer);
    const hint = hinted?.places ?? [];
    const moves = activity?.offers ? answer.moves.filter(({ move }) => offered.some((one) => one.move === move)) : answer.moves;
    const isEdited = Boolean(activity?.edits);
    at("board").setAttribute("aria-busy", String(searching));
    this.board.show(isEdited ? { ...answer, scene: activity.drawn } : answer, module, {
      line: shown.line && shown.values && !isEdited ? line ?? [] : [], played: game.at, edits: isEdited ? (place) => activity.edits(place) : null,
      values: shown.values, claims: shown.claims, flipped: shown.flipped, selected, hint,
      last: made.at(-1)?.[0] ?? [],
      owners: new Map(made.flatMap(([places, mover]) => places.map((place) => [place, mover]))),
      movesAt: (name) => (mayMove && !isEdited ? movesAt(moves, selected, name) : []),
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
  #noticeOf(game, answer, made, { activity, denial, hasty, late, liked, trouble, refused, searching, progress, seconds, shown, waits, circles, players, valued }) {
    if (trouble) return { kind: "warning", ...trouble };
    if (late) return { text: "Waiting for an answer…" };
    if (denial) return { kind: "warning", text: denial };
    const told = activity?.notice(game, { ...this.acts, valued });
    if (told && !shown.hint) return told;
    if (waits && refused && !game.looksBack) {
      return { kind: "warning", text: `The computer cannot move: ${refused.message} Until it can, make its moves yourself.`.replace("..", "."), ...this.#again(refused) };
    }
    const recent = made.slice(0, game.at).map((move, ply) => ({ ...move, ply }));
    const own = recent.findLastIndex(({ mover }) => players.isPerson(mover));
    const wrong = recent.slice(own < 0 ? recent.length : Math.max(own, game.at - 2))
      .find(({ choice }) => choice && (choice.class === "changes-outcome" || (choice.cost !== null && number(choice.cost) > 0)));
    if (wrong && !activity) return { kind: "warning", text: blunder(wrong.choice, valued[wrong.ply].moves[0]) + (this.#module.fault?.(wrong.choice) ?? ""), label: "Undo", act: this.acts.undo };
    if (waits && game.looksBack) return { text: "This is an earlier position, so the computer waits.", label: "Play on from here", act: this.acts.playOn };
    if (hasty?.ply === game.at && game.moves[game.at - 1] === hasty.move) {
      return { text: `The computer's time was over: ${hasty.move} is the best move that it has found.` };
    }
    if (circles) return { text: "The position has occurred before, so the computers stop here." };
    if (answer.is_over) return shown.values ? null : { text: "See where the game was decided.", label: "Review", act: this.acts.review };
    if (shown.hint) {
      const choice = hintOf(answer);
      const why = choice && reason(choice, answer, this.#module, liked ?? []);
      if (choice && !answer.is_complete) return { text: `Hint: ${moveName(choice)} is the best move found in ${SECONDS} s.` };
      if (choice) return { text: `Hint: ${moveName(choice)}${shown.values ? ` (${phrase(choice)})` : ""} is a best move${why ? `: ${why}` : ""}.` };
    }
    if (refused && (shown.values || shown.hint)) return { text: `No values: ${refused.message}`, ...this.#again(refused) };
    if (searching) return { text: `Searching…${progress ? progressOf(progress) : ""}${seconds > 5 ? ` ${seconds} s` : ""}` };
    const isNew = !at("intro").hidden && game.last === 0;
    return isNew ? { text: "New here? Learn the game in a few moves.", label: "How to play", act: this.acts.learn } : null;
  }

  /** What to do about a refusal. */
  #again(refused) {
    if (refused.passing) return { label: "Try again", act: this.acts.again };
    return refused.status === 422 && this.#module.lesson ? { label: "Smaller game", act: this.acts.smaller } : {};
  }

  #tell(notice) {
    this.#notice = notice;
    at("notice").dataset.kind = notice ? notice.kind ?? "plain" : "";
    say("notice-text", notice?.text ?? "");
    say("notice-act", notice?.label ?? "");
    at("notice-act").hidden = !notice?.act;
  }

  #lists(game, answer, made, module, { shown, valued, line, mayMove, searching }) {
    drawPlayed(at("played"), { moves: made, at: game.at, jump: this.acts.jump });
    this.#legend(valued.find(Boolean), game.info.name, module);
    if (!shown.values) return;
    drawReport(at("report"), report(game, valued), { valued, made, jump: this.acts.jump });
    drawMoves(at("best"), answer, { searching, play: (move) => { if (mayMove) this.acts.play(move); } });
    drawLine(at("line"), line, answer, game.at);
    const isScored = answer.moves.some((choice) => isKnown(choice) && scoreOf(choice) !== null);
    say("aim", isScored ? `the ${answer.to_move === "first" ? "higher" : "lower"}, the better` : "");
    const points = game.answers.map((_, ply) => {
      const [known, move] = [valued[ply], made[ply - 1]];
      const worth = known ? (move?.choice ? "" : `, ${phrase(known)}`) : ", value not known";
      return { known, mover: move?.mover, flaw: flaw(move?.choice), label: (move?.label ?? "The start") + worth };
    });
    drawGraph(at("graph"), { points, at: game.at, jump: this.acts.jump });
  }

  /** Explains the marks by those of the game: points, or plies until the win. */
  #legend(known, name, { terms = [], hasPoints = false }) {
    const isScored = known ? (known.value ? known.value.score : known.to_come) !== null : hasPoints;
    const [first, tie, second] = isScored ? ["+1", "0", "\u22121"] : ["1st 3", "tie, draw", "2nd 4"];
    say("mark-first", first);
    say("mark-tie", tie);
    say("mark-second", second);
    const of = `${name} ${isScored}`;
    if (at("meaning").dataset.of === of) return;
    at("meaning").dataset.of = of;
    at("meaning").replaceChildren(...explained(isScored
      ? "The value of a position is the first player's points minus the second player's at the end of the game, if both play best: +1 means that the first player wins by 1 point, \u22121 that the second player does, 0 a tie. The number at a place is the value after the move there; a star marks the best ones. What the others cost is the difference."
      : "The value of a position is its outcome if both play best: 1st 3 means that the first player wins in 3 plies, 2nd 4 that the second player wins in 4, and a tie or draw that neither can win. The mark at a place is the value after the move there; a star marks the best ones.", [...terms, "value", "tie", "ply", "plies", "draw"]));
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
export function movesAt(moves, selected, name) {
  const path = [...selected, name];
  return moves.filter(({ places }) => path.every((place, index) => places[index] === place));
}

/** A best move, if values are known, or the one that seems best so far. */
const hintOf = ({ moves, is_complete: isComplete }) => (isComplete ? moves.find((choice) => choice.class === "best") : moves[0]);
