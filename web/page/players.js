// The players: a person, or an agent of the server.

import { at, html } from "./dom.js";
import { sentence, stopped } from "./words.js";

export const SIDES = ["first", "second"];
/** The entry of an opponent that is given as text. */
const TYPED = "\n";
/** Headings, each for agents with at most a share of mistakes in percent. */
const LEVELS = [["Strong", 5], ["Medium", 15], ["Easy", 40], ["Beginner", 100]];

export class Players {
  first = "you";
  second = "you";
  #agents = [];
  #typed = null;
  /** Texts that the server has accepted. */
  #accepted = new Set();

  /** `changed` is called when a player changes; `check` throws if the server does not know an agent. */
  constructor(changed, check) {
    for (const side of SIDES) {
      at(side).addEventListener("change", () => {
        const choice = at(side).value;
        at(`${side}-typed`).hidden = choice !== TYPED;
        if (choice === TYPED) return at(`${side}-typed`).focus();
        this.#set(side, choice, changed);
      });
      at(`${side}-typed`).addEventListener("change", () => this.#type(side, changed, check));
    }
  }

  isPerson(side) { return this[side] === "you"; }

  /** Offers the agents of a game; `typed` is an example if it accepts agents as text. */
  offer(agents, typed) {
    if (this.#agents === agents) return;
    [this.#agents, this.#typed] = [agents, typed];
    for (const side of SIDES) {
      at(side).replaceChildren(html("option", { value: "you", textContent: "You" }), ...this.#groups());
      at(`${side}-typed`).placeholder = typed ?? "";
      if (this[side] !== "you" && !typed && !this.#find(side)) this[side] = "you";
    }
  }

  show() {
    for (const side of SIDES) {
      const isTyped = this[side] !== "you" && !this.#find(side);
      if (isTyped || at(side).value !== TYPED) at(side).value = isTyped ? TYPED : this[side];
      at(`${side}-typed`).hidden = at(side).value !== TYPED;
      if (isTyped && document.activeElement !== at(`${side}-typed`)) at(`${side}-typed`).value = this[side];
      const summary = this.#find(side)?.summary;
      at(`${side}-about`).textContent = summary ? stopped(sentence(summary)) : "";
    }
  }

  #find(side) { return this.#agents.find(({ name }) => name === this[side]); }

  #set(side, agent, changed) {
    this[side] = agent;
    at("players-error").hidden = true;
    this.show();
    changed();
  }

  /** Accepts a text if the server does. */
  async #type(side, changed, check) {
    const text = at(`${side}-typed`).value.trim();
    if (!text) return;
    try {
      if (!this.#accepted.has(text)) await check(text);
      this.#accepted.add(text);
      this.#set(side, text, changed);
    } catch (refused) {
      at("players-error").textContent = refused.message;
      at("players-error").hidden = false;
    }
  }

  /** The agents under headings, the weakest first as the server has them. */
  #groups() {
    const groups = [];
    let level = LEVELS.at(-1)[0];
    for (const { name, mistakes } of this.#agents) {
      if (mistakes !== null) level = LEVELS.find(([, most]) => mistakes <= most)?.[0] ?? level;
      if (name === "perfect") level = "Perfect";
      if (groups.at(-1)?.label !== level) groups.push(html("optgroup", { label: level }));
      groups.at(-1).append(html("option", { value: name, textContent: described(level, name, mistakes) }));
    }
    if (this.#typed) groups.push(html("optgroup", { label: "Your own" }, html("option", { value: TYPED, textContent: "Ordered rules…" })));
    return groups;
  }
}

/** An agent in words: `Easy: greedy, wrong in 23 % of its moves`. */
function described(level, name, mistakes) {
  const share = /^mistakes-(\d+)$/.exec(name);
  if (name === "perfect") return "Perfect play";
  if (name === "random") return `${level}: any move`;
  if (share) return `${level}: perfect, but ${share[1]} % random moves`;
  return `${level}: ${name.replaceAll("-", " ")}${mistakes === null ? "" : `, wrong in ${Math.round(mistakes)} % of its moves`}`;
}
