// Questions of the page, and their answers kept in memory.

/** @import { Answer, Chosen, Cost, Fact, Loaded, Player, Variation } from "../types/api.js" */
/** @import { Played } from "./game.js" */

import { question } from "./game.js";
import { Refused, get } from "./transport.js";

// The number of answers of a kind that are kept.
const MOST_KEPT = 4000;
// The time between two messages about a long search, in milliseconds.
const TICK = 10_000;
/** The seconds after which a search for values ends unless the user lets it go on. */
export const SECONDS = 10;
/** The seconds after which what is proved is shown. Each time the search goes on with its tables. */
const TIMES = [1, 3, SECONDS];
/** The seconds of a search that the user has let go on. */
const MORE_SECONDS = 60;
// The seconds that the move of an agent may take.
const MOVE_SECONDS = 5;
// The longest principal variation that is requested, in moves.
const LINE = 80;
// The seconds that the search for a nimber may take.
const NIMBER_SECONDS = 1;
// Positions in one request.
const BATCH = 50;

/**
 * A move of a principal variation.
 * @typedef {{ move: string, places: string[], mover: Player }} LineMove
 */

/**
 * A search for values that goes on.
 * @typedef {object} Search
 * @property {string} question
 * @property {AbortController} abort
 * @property {number} since
 * @property {{ done: number, units: number }} [progress]
 * @property {Answer} [partial] what is proved so far
 */

/**
 * Requests the game of a record.
 * @param {string} game
 * @param {string} text
 * @returns {Promise<Loaded>}
 */
export const parseRecord = (game, text) => get(`${game}/record`, { body: text, type: "text/plain" });

/** Requests the record of a game. @param {string} question @returns {Promise<{ record: string }>} */
export const record = (question) => get(question.replace("/position", "/record"));

/**
 * Requests the move of an agent, and whether it is sure.
 * @param {string} question
 * @param {string} agent
 * @param {number} seed
 * @returns {Promise<Chosen>}
 */
export function chosen(question, agent, seed) {
  const asked = new URLSearchParams({ agent, seed: String(seed), time: String(MOVE_SECONDS) });
  return get(within(question.replace("/position", "/move"), asked));
}

/** Answers to questions such as `mnk/position?moves=a1`. */
export class Answers {
  /** @type {Map<string, Answer>} */
  #plain = new Map();
  /** @type {Map<string, Answer | Refused>} */
  #valued = new Map();
  /** @type {Map<string, LineMove[] | null>} */
  #lines = new Map();
  /** @type {Map<string, string[] | null>} */
  #liked = new Map();
  /** @type {Map<string, Fact[] | null>} */
  #nimbers = new Map();
  /** @type {Search | null} */
  #search = null;
  /** The questions whose search the user has let go on. @type {Set<string>} */
  #extended = new Set();
  #changed;

  /** @param {() => void} changed is called after every new answer */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The answer with values, if it is known. @param {string} question */
  valued(question) {
    const found = this.#valued.get(question);
    return found && !(found instanceof Refused) ? found : null;
  }

  /** Why there are no values. @param {string} question */
  refused(question) {
    const found = this.#valued.get(question);
    return found instanceof Refused ? found : null;
  }

  /** The progress of the search for values, if it is known. @param {string} question */
  progress(question) {
    return this.#search?.question === question ? this.#search.progress : undefined;
  }

  /** The time that the search for values has taken so far, in seconds. @param {string} question */
  seconds(question) {
    return this.#search?.question === question ? Math.round((Date.now() - this.#search.since) / 1000) : 0;
  }

  /** What a search for values that goes on has proved so far. @param {string} question */
  partial(question) {
    return (this.#search?.question === question && this.#search.partial) || null;
  }

  /** Lets a search go on that has ended without every value. @param {string} question @param {Cost} cost */
  searchOn(question, cost) {
    const partial = this.valued(question);
    this.#valued.delete(question);
    this.search(question, cost, [MORE_SECONDS]);
    if (this.#search && partial) this.#search.partial = partial;
    this.#extended.add(question);
    this.#changed();
  }

  /** Whether the user has let the search go on already. @param {string} question */
  isExtended(question) {
    return this.#extended.has(question);
  }

  /** Forgets refusals, so that the requests can be repeated. */
  forgive() {
    for (const [question, found] of this.#valued) if (found instanceof Refused) this.#valued.delete(question);
  }

  /** The answer without values; throws the refusal of the server. @param {string} question @returns {Promise<Answer>} */
  async plain(question) {
    const kept = this.#plain.get(question);
    if (kept) return kept;
    /** @type {Answer} */
    const found = await get(within(question, "values=no"));
    keep(this.#plain, question, found);
    return found;
  }

  /** The answers without values to the positions after 0, 1, ... moves. @param {Played} game */
  async along(game) {
    const asked = game.moves.map((_, at) => ({ at, question: question({ ...game, moves: game.moves.slice(0, at) }) }));
    const open = asked.filter(({ question }) => !this.#plain.has(question));
    for (let from = 0; from < open.length; from += BATCH) {
      const part = open.slice(from, from + BATCH);
      const positions = part.map(({ at }) => ({ position: game.start, moves: game.moves.slice(0, at).join(" ") }));
      const body = JSON.stringify({ rules: game.rules, values: "no", line: 0, positions });
      const { answers } = await get(`${game.info.name}/position`, { body, type: "application/json" });
      part.forEach(({ question }, index) => {
        if (answers[index].error) throw new Refused(422, answers[index].error);
        keep(this.#plain, question, answers[index]);
      });
    }
    return Promise.all(asked.map(({ question }) => this.plain(question)));
  }

  /**
   * Requests values, unless their cost is known to be too high; cancels the previous request for those of another
   * position.
   * @param {string} question
   * @param {Cost} cost
   * @param {number[]} times the seconds after which what is proved is shown
   */
  async search(question, cost, times = TIMES) {
    if (this.#search?.question === question) return;
    this.#search?.abort.abort();
    this.#search = null;
    if (this.#valued.has(question)) return;
    if (cost.kind === "refused") {
      keep(this.#valued, question, new Refused(422, { message: "this board is too large to be solved here." }));
      queueMicrotask(this.#changed);
      return;
    }
    /** @type {Search} */
    const own = { question, abort: new AbortController(), since: Date.now() };
    this.#search = own;
    const tick = setInterval(this.#changed, TICK);
    let found;
    try {
      // A table that is built has nothing to show before it is complete.
      for (const seconds of cost.kind === "build" ? times.slice(-1) : times) {
        found = await get(within(question, `time=${seconds}`), {
          signal: own.abort.signal,
          progress: (progress) => {
            own.progress = progress;
            this.#changed();
          },
        });
        if (found.is_complete) break;
        own.partial = found;
        this.#changed();
      }
    } catch (error) {
      if (!(error instanceof Refused)) return;
      found = error;
    } finally {
      clearInterval(tick);
    }
    keep(this.#valued, question, found);
    if (this.#search === own) this.#search = null;
    this.#changed();
  }

  /** The principal variation: null until it is known, empty if the server refuses. @param {string} question */
  line(question) {
    const path = within(question.replace("/position", "/line"), `limit=${LINE}&time=${SECONDS}`);
    return this.#later(this.#lines, question, async () => {
      /** @type {Variation} */
      const { moves, answers } = await get(path);
      return moves.map((move, ply) => {
        const { moves: legal, to_move: mover } = answers[ply];
        return { move, mover, places: legal.find((one) => one.move === move)?.places ?? [] };
      });
    });
  }

  /** The names of the heuristics that prefer the best move: null until they are known. @param {string} question */
  liked(question) {
    return this.#later(this.#liked, question, async () => (await chosen(question, "perfect", 0)).liked_by);
  }

  /** The nimber of a position of Dots-and-Boxes: null until it is known, and if it takes too long. @param {string} question */
  nimber(question) {
    const path = within(question, `values=value&facts=nimstring&time=${NIMBER_SECONDS}`);
    const found = this.#later(this.#nimbers, question, async () => [(await get(path)).facts.nimber ?? null]);
    return found?.[0] ?? null;
  }

  /**
   * What is known by `map`, and null while it is requested for the first time; empty after a refusal.
   * @template T
   * @param {Map<string, T[] | null>} map
   * @param {string} question
   * @param {() => Promise<T[]>} request
   * @returns {T[] | null}
   */
  #later(map, question, request) {
    if (!map.has(question)) {
      keep(map, question, null);
      request()
        .catch(() => [])
        .then((found) => {
          map.set(question, found);
          this.#changed();
        });
    }
    return map.get(question) ?? null;
  }
}

/** A question with a further parameter. @param {string} question @param {string | URLSearchParams} parameter */
const within = (question, parameter) => `${question}${question.includes("?") ? "&" : "?"}${parameter}`;

/** @template T @param {Map<string, T>} map @param {string} key @param {T} value */
function keep(map, key, value) {
  if (map.size >= MOST_KEPT) map.clear();
  map.set(key, value);
}
