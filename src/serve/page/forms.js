// The forms for rules and for loading games, and the copy buttons.

import { copy } from "./clipboard.js";
import { at } from "./frame.js";
import { Game, fromText } from "./game.js";
import { attempt } from "./session.js";
import { rulesLabel } from "./words.js";

/** `load` shows a game or throws the refusal of the server; `now` returns the current game. */
export function beginForms(load, now) {
  at("rules-form").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt("rules-error", () => load(new Game({ rules: chosenRules() })));
  });
  at("load-form").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt("load-error", () => load(fromText(at("load-text").value, now().rules)));
  });
  at("copy-link").addEventListener("click", () => copy(location.href, "Link copied"));
  at("copy-game").addEventListener("click", () => copy(at("game-text").value, "Game copied"));
}

/** Fills the forms with the current game, unless one has the focus. */
export function showForms(game) {
  at("rules-now").textContent = rulesLabel(game.rules);
  at("game-text").value = game.text();
  if (at("rules-form").contains(document.activeElement)) return;
  const [rows, columns] = game.rules.board.split("x");
  at("rows").value = rows;
  at("cols").value = columns;
  at("bias").value = game.rules.bias;
  at("pieces").value = game.rules.pieces ?? "";
  at("center").checked = game.rules.center_allowed;
}

function chosenRules() {
  return {
    board: `${at("rows").value}x${at("cols").value}`,
    center_allowed: at("center").checked,
    bias: Number(at("bias").value),
    pieces: at("pieces").value ? Number(at("pieces").value) : null,
  };
}
