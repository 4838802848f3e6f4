// How the players are called, in sentences.

/** @import { Player } from "../types/api.js" */

/** Verbs whose third person is not the first with an `s`. @type {Record<string, string>} */
const IRREGULAR = { do: "does", have: "has", pass: "passes" };

export class Names {
  #names;

  /** @param {Record<Player, string>} names as the subject of a sentence: `you`, `the computer`, `Ann` */
  constructor(names) {
    this.#names = names;
  }

  /** The side that is called `you`, if exactly one is. @returns {Player | null} */
  get you() {
    const { first, second } = this.#names;
    if ((first === "you") === (second === "you")) return null;
    return first === "you" ? "first" : "second";
  }

  /** `you`, `the computer`, `Ann`. @param {Player} side */
  of(side) {
    return this.#names[side];
  }

  /** As a heading: `You`, `Computer`, `Ann`. @param {Player} side */
  title(side) {
    const bare = this.#names[side].replace(/^(the|your) /, "");
    return bare.charAt(0).toUpperCase() + bare.slice(1);
  }

  /** `your`, `the computer's`, `Ann's`. @param {Player} side */
  whose(side) {
    const name = this.#names[side];
    return name === "you" ? "your" : `${name}'s`;
  }

  /** With a verb in its first person: `you win`, `the computer wins`. @param {Player} side @param {string} verb */
  does(side, verb) {
    const name = this.#names[side];
    return `${name} ${name === "you" ? verb : (IRREGULAR[verb] ?? `${verb}s`)}`;
  }
}
