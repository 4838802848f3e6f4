// The rules of the game, and the form in which they are changed.

/** @import { RuleOption, Rules } from "../../types/api.js" */
/** @import { Seen } from "./seen.js" */

import { useRules } from "../opening.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { rulesLabel, sentence } from "../words.js";
import { attempt, errorOf } from "./forms.js";
import { explained } from "./glossary.js";

/** @param {Seen} seen */
export function rulesCard({ state, game, answer, module }) {
  const { info } = game;
  const { rules } = answer;
  const shown = JSON.stringify([info.name, rules]);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    attempt(state, "rules", () => useRules(state, chosen(new FormData(form), info.options)));
  };
  const sentences = module.rules?.(rules) ?? [];
  return html`<section class="card" aria-labelledby="rules-title">
    <h3 id="rules-title">Rules</h3>
    <p id="rules-text">${explained(info.rules, module.terms ?? [])}</p>
    <ul id="rules-list">
      ${sentences.map((text) => html`<li>${text}</li>`)}
    </ul>
    <details id="rules" ?hidden=${info.options.length === 0}>
      <summary>Change the rules: <span id="rules-now">${rulesLabel(rules, info.options)}</span></summary>
      <form id="rules-form" @submit=${submit}>
        ${keyed(shown, html`<div id="options" data-shown=${shown}>${info.options.map((option) => field(option, rules[option.parameter] ?? ""))}</div>`)}
        <button class="main">New game with these rules</button>
        ${errorOf(state, "rules")}
      </form>
    </details>
  </section>`;
}

/** The field of a rule option. @param {RuleOption} option @param {string} value */
function field({ name, parameter, kind, help, default: usual }, value) {
  const hint = html`<small>${help}</small>`;
  switch (kind.type) {
    case "board": {
      const [rows, cols] = value.split(":")[0].split("x");
      const side = (/** @type {string} */ label, /** @type {string} */ size) =>
        html`<label>${label}<input type="number" name=${parameter} min="1" max="64" required .value=${size} /></label>`;
      return html`<div class="pair" title=${help}>${side("Rows", rows)}${side("Columns", cols)}${hint}</div>`;
    }
    case "truth":
      return html`<label class="check" title=${help}
        ><input type="checkbox" name=${parameter} value="yes" .checked=${value === "yes"} />${sentence(name)}</label
      >`;
    case "choice": {
      const option = (/** @type {string} */ one) =>
        html`<option value=${one} .selected=${one === value}>${sentence(one)}</option>`;
      return html`<label
        >${sentence(name)}<select name=${parameter}>
          ${kind.values.map(option)}</select
        >${hint}</label
      >`;
    }
    case "integer":
      return html`<label
        >${sentence(name)}
        <input
          type="number"
          name=${parameter}
          min=${kind.least}
          max=${kind.most}
          ?required=${usual !== null}
          placeholder="any"
          .value=${value}
        />
        ${hint}</label
      >`;
    default:
      return html`<label
        >${sentence(name)}
        <input
          type="text"
          name=${parameter}
          spellcheck="false"
          placeholder=${usual ?? nothing}
          .value=${value}
        />${hint}</label
      >`;
  }
}

/** The rules that are set in the form. @param {FormData} fields @param {RuleOption[]} options @returns {Rules} */
function chosen(fields, options) {
  const values = options.map(({ parameter, kind }) => {
    if (kind.type === "truth") return [parameter, fields.has(parameter) ? "yes" : "no"];
    return [
      parameter,
      fields
        .getAll(parameter)
        .map((value) => String(value).trim())
        .join("x"),
    ];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
