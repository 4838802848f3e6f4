// Questions of the page, and their answers kept in memory.

import { Refused, get } from "./transport.js";

// The number of answers of a kind that are kept.
const MOST_KEPT = 4000;
// Positions in one request.
const BATCH = 50;

const post = (path, body, type) => get(path, { body, type });

/** Requests the game of a record. */
export const parseRecord = (game, text) => post(`${game}/record`, text, "text/plain");

/** Answers to questions such as `mnk/position?moves=a1`. */
export class Answers {
  #plain = new Map();
  #valued = new Map();
  #lines = new Map();
  #search = null;
  #changed;

  /** `changed` is called after every new answer. */
  constructor(changed) { this.#changed = changed; }

  /** The answer with values, if known. */
  valued(question) {
    const found = this.#valued.get(question);
    return found instanceof Refused ? null : found ?? null;
  }

  /** The progress of the search for values, if known. */
  progress(question) { return this.#search?.question === question ? this.#search.progress : undefined; }

  /** Why there are no values. */
  refused(question) {
    const found = this.#valued.get(question);
    return found instanceof Refused ? found : null;
  }

  /** Forgets refusals, so that the requests can be repeated. */
  forgive() {
    for (const [question, found] of this.#valued) if (found instanceof Refused) this.#valued.delete(question);
  }

  /** The answer without values; throws the refusal of the server. */
  async plain(question) {
    if (!this.#plain.has(question)) keep(this.#plain, question, await get(within(question, "values=no")));
    return this.#plain.get(question);
  }

  /** The answers without values to the positions after 0, 1, ... moves. */
  async along(game) {
    const questions = Array.from({ length: game.moves.length }, (_, at) => game.question(at));
    const open = questions.map((question, at) => [question, at]).filter(([question]) => !this.#plain.has(question));
    for (let from = 0; from < open.length; from += BATCH) {
      const part = open.slice(from, from + BATCH);
      const positions = part.map(([, at]) => ({ position: game.start, moves: game.moves.slice(0, at).join(" ") }));
      const body = { rules: game.rules, values: "no", line: 0, positions };
      const { answers } = await post(`${game.info.name}/position`, JSON.stringify(body), "application/json");
      part.forEach(([question], index) => {
        if (answers[index].error) throw new Refused(422, answers[index].error);
        keep(this.#plain, question, answers[index]);
      });
    }
    return Promise.all(questions.map((question) => this.plain(question)));
  }

  /** Requests values; cancels the previous request for those of another position. */
  async search(question) {
    if (this.#search?.question === question) return;
    this.#search?.abort.abort();
    this.#search = null;
    if (this.#valued.has(question)) return;
    const own = { question, abort: new AbortController() };
    this.#search = own;
    let found;
    try {
      const progress = (now) => { own.progress = now; this.#changed(); };
      found = await get(question, { signal: own.abort.signal, progress });
    } catch (error) {
      if (!(error instanceof Refused)) return;
      found = error;
    }
    keep(this.#valued, question, found);
    if (this.#search === own) this.#search = null;
    this.#changed();
  }

  /** The principal variation: null until it is known, empty if the server refuses. */
  line(question, limit) {
    if (!this.#lines.has(question)) {
      keep(this.#lines, question, null);
      get(within(question.replace("/position", "/line"), `limit=${limit}`))
        .then(({ moves }) => moves, () => [])
        .then((moves) => { this.#lines.set(question, moves); this.#changed(); });
    }
    return this.#lines.get(question);
  }
}

const within = (question, parameter) => question + (question.includes("?") ? "&" : "?") + parameter;

/** The move of an agent. */
export const chosen = (question, agent, seed) =>
  get(within(question.replace("/position", "/move"), new URLSearchParams({ agent, seed })));

/** The record of a game. */
export const record = (question) => get(question.replace("/position", "/record"));

function keep(map, key, value) {
  if (map.size >= MOST_KEPT) map.clear();
  map.set(key, value);
}
