// The players: a person, perfect play, or a heuristic.

import { heuristics, liked } from "./api.js";
import { html } from "./svg.js";

const SIDES = ["first", "second"];
const OWN_RULES = "rules";

export class Players {
  #names = [];

  /** `changed` is called when a player changes. */
  constructor(changed) {
    this.first = "you";
    this.second = "you";
    for (const side of SIDES) {
      select(side).addEventListener("change", () => this.#chosen(side, changed));
      typed(side).addEventListener("change", () => {
        const rules = typed(side).value.trim();
        if (!rules) return;
        this[side] = rules;
        this.show();
        changed();
      });
    }
  }

  /** Requests the named heuristics. */
  async begin() {
    this.#names = await heuristics().catch(() => []);
    for (const side of SIDES) select(side).replaceChildren(...this.#options());
    this.show();
  }

  set({ first, second }) {
    Object.assign(this, { first, second });
    this.show();
  }

  show() {
    for (const side of SIDES) {
      const own = !this.#isNamed(this[side]);
      select(side).value = own ? OWN_RULES : this[side];
      typed(side).hidden = !own;
      if (own) typed(side).value = this[side];
      const known = this.#names.find(({ name }) => name === this[side]);
      select(side).title = known ? `${known.summary}: ${known.rules}` : "";
    }
  }

  #chosen(side, changed) {
    const choice = select(side).value;
    if (choice === OWN_RULES) {
      typed(side).hidden = false;
      typed(side).focus();
      return;
    }
    this[side] = choice;
    this.show();
    changed();
  }

  #isNamed(who) {
    return who === "you" || who === "perfect" || this.#names.some(({ name }) => name === who);
  }

  #options() {
    const option = (value, text) => html("option", { value, textContent: text });
    const group = html("optgroup", { label: "Heuristics" });
    group.append(...this.#names.map(({ name }) => option(name, name)));
    group.append(option(OWN_RULES, "rules of my own…"));
    return [option("you", "You"), option("perfect", "Perfect play"), group];
  }
}

/** The query whose answer has the move of a machine; perfect play needs the values. */
export function questionOf(player, query) {
  return player === "perfect" ? query : liked(query, player);
}

/** The move of a machine: of its preferred moves, the one with the lowest tile. */
export function choose(player, answer) {
  if (answer.legal[0] === "pass") return "pass";
  const perfect = () => answer.moves.filter((move) => move.perfect).map((move) => move.move);
  const tiles = player === "perfect" ? perfect() : answer.liked;
  return Math.min(...tiles);
}

const select = (side) => document.getElementById(side);
const typed = (side) => document.getElementById(`${side}-rules`);
