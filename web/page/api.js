// Questions of the page, and their answers kept in memory.

import { Refused, get } from "./transport.js";

// The number of answers of a kind that are kept.
const MOST_KEPT = 4000;
// The time between two messages about a long search, in milliseconds.
const TICK = 10_000;
/** The seconds that the values of a position may take. After them the page shows what is proved. */
export const SECONDS = 10;
// The seconds that the move of an agent may take.
const MOVE_SECONDS = 5;
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
  #liked = new Map();
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

  /** The time that the search for values has taken so far, in seconds. */
  seconds(question) { return this.#search?.question === question ? Math.round((Date.now() - this.#search.since) / 1000) : 0; }

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

  /** Requests values, unless their cost is known to be too high; cancels the previous request for those of another position. */
  async search(question, { kind, reason }) {
    if (this.#search?.question === question) return;
    this.#search?.abort.abort();
    this.#search = null;
    if (this.#valued.has(question)) return;
    if (kind === "refused") {
      keep(this.#valued, question, new Refused(422, { message: reason }));
      return queueMicrotask(this.#changed);
    }
    const own = { question, abort: new AbortController(), since: Date.now() };
    this.#search = own;
    const tick = setInterval(this.#changed, TICK);
    let found;
    try {
      const progress = (now) => { own.progress = now; this.#changed(); };
      found = await get(within(question, `time=${SECONDS}`), { signal: own.abort.signal, progress });
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

  /** The principal variation: null until it is known, empty if the server refuses. Each move has its places and its mover. */
  line(question, limit) {
    const moveOf = (move, { moves, to_move: mover }) => ({ move, mover, places: moves.find((one) => one.move === move).places });
    return this.#later(this.#lines, question, () => get(within(question.replace("/position", "/line"), `limit=${limit}&time=${SECONDS}`))
      .then(({ moves, answers }) => moves.map((move, ply) => moveOf(move, answers[ply]))));
  }

  /** The names of the heuristics that prefer the best move: null until they are known. */
  liked(question) {
    return this.#later(this.#liked, question, () => chosen(question, "perfect", 0).then(({ liked_by: names }) => names));
  }

  /** What is known by `map`, and null while it is requested for the first time; empty after a refusal. */
  #later(map, question, request) {
    if (!map.has(question)) {
      keep(map, question, null);
      request().catch(() => []).then((found) => { map.set(question, found); this.#changed(); });
    }
    return map.get(question);
  }
}

const within = (question, parameter) => question + (question.includes("?") ? "&" : "?") + parameter;

/** The move of an agent, and whether it is sure. */
export const chosen = (question, agent, seed) =>
  get(within(question.replace("/position", "/move"), new URLSearchParams({ agent, seed, time: MOVE_SECONDS })));

/** The record of a game. */
export const record = (question) => get(question.replace("/position", "/record"));

function keep(map, key, value) {
  if (map.size >= MOST_KEPT) map.clear();
  map.set(key, value);
}
