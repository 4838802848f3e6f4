// The forms for rules and for loading games.

import { at, html } from "./dom.js";
import { sentence } from "./words.js";

/** Runs `act`; shows a refusal beside the form. */
export async function attempt(error, act) {
  at(error).hidden = true;
  try {
    await act();
  } catch (refused) {
    at(error).textContent = refused.message;
    at(error).hidden = false;
  }
}

/** Draws a field for each rule option with the rules of the current game, if these are others than before. */
export function showRules({ name, options }, rules) {
  const shown = JSON.stringify([name, rules]);
  if (at("options").dataset.shown === shown) return;
  at("options").replaceChildren(...options.map(field));
  at("options").dataset.shown = shown;
  for (const option of options) fill(option, rules[option.parameter] ?? "");
}

/** The rules that are set in the form, by parameter. */
export function chosenRules({ options }) {
  const values = options.map((option) => [option.parameter, valueOf(option)]);
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}

const inputs = ({ parameter }) => [...at("options").querySelectorAll(`[name="${parameter}"]`)];

function field(option) {
  const { name, parameter, kind, help, default: usual } = option;
  const input = (properties) => html("input", { name: parameter, ...properties });
  const side = (label) => html("label", {}, label, input({ type: "number", min: 1, max: 64, required: true }));
  const { type } = kind;
  if (type === "board") {
    return html("div", { className: "pair", title: help }, side("Rows"), side("Columns"), html("small", { textContent: help }));
  }
  const hint = html("small", { textContent: help });
  if (type === "truth") return html("label", { className: "check", title: help }, input({ type: "checkbox" }), sentence(name));
  const inner = type === "choice" ? html("select", { name: parameter }, ...kind.values.map((value) => html("option", { value, textContent: sentence(value) })))
    : type === "integer" ? input({ type: "number", min: kind.least, max: kind.most, required: usual !== null, placeholder: "any" })
    : input({ type: "text", spellcheck: false, placeholder: usual ?? "" });
  return html("label", {}, sentence(name), inner, hint);
}

function fill(option, value) {
  const found = inputs(option);
  if (found.length === 2) value.split(":")[0].split("x").forEach((side, index) => { found[index].value = side; });
  else if (found[0].type === "checkbox") found[0].checked = value === "yes";
  else found[0].value = value;
}

function valueOf(option) {
  const found = inputs(option);
  if (found.length === 2) return found.map(({ value }) => value).join("x");
  return found[0].type === "checkbox" ? (found[0].checked ? "yes" : "no") : found[0].value.trim();
}
