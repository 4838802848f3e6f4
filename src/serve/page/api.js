// Questions to the server, and its answers kept in memory.

// Without an answer after so many milliseconds, the board is asked for without values.
const SLOW = 150;

/** What the server said no with. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
  /** Whether the same question may be answered later. */
  get passing() { return this.status === 503 || this.status === 0; }
}

/** What the server answers, as JSON; fails with what it said instead. */
export async function get(path, signal) {
  let response;
  try {
    response = await fetch(path, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "the server does not answer");
  }
  const body = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Refused(response.status, body.error);
  return body;
}

export const heuristics = () => get("/api/heuristics");

export class Answers {
  #known = new Map();
  #refused = new Map();
  #asked = new Map();
  #changed;
  #valued = null;

  /** `changed` is called whenever there is something new. */
  constructor(changed) { this.#changed = changed; }

  known(query) { return this.#known.get(query); }
  refused(query) { return this.#refused.get(query); }

  /** The answer with values, else the one without. */
  best(query) { return this.known(query) ?? this.known(plain(query)); }

  /** Lets everything be asked again that was refused. */
  forgive() { this.#refused.clear(); }

  /** Waits for an answer, or fails with what the server said. */
  async wait(query) {
    if (!this.#known.has(query)) {
      this.#known.set(query, await get("/api/british-square" + query));
    }
    return this.#known.get(query);
  }

  /** Asks for something small. */
  ask(query) { this.#begin(query); }

  /** Asks for values; only one such question is open at a time, the one that matters now. */
  askValues(query) {
    if (this.#valued !== query) this.#asked.get(this.#valued)?.abort();
    if (this.#known.has(query) || this.#refused.has(query) || this.#valued === query) return;
    this.#valued = query;
    this.#begin(query);
    setTimeout(() => { if (this.#valued === query) this.#begin(plain(query)); }, SLOW);
  }

  async #begin(query) {
    if (this.#known.has(query) || this.#refused.has(query) || this.#asked.has(query)) return;
    const abort = new AbortController();
    this.#asked.set(query, abort);
    try {
      this.#known.set(query, await get("/api/british-square" + query, abort.signal));
    } catch (error) {
      if (error instanceof Refused) this.#refused.set(query, error);
    }
    this.#asked.delete(query);
    if (this.#valued === query) this.#valued = null;
    // There may be a board even where there are no values.
    if (this.#refused.has(query) && !query.includes("values=false")) this.#begin(plain(query));
    this.#changed();
  }
}

/** The same question without values. */
export function plain(query) { return `${query || "?"}&values=false`; }

/** What a heuristic would play. */
export function liked(query, heuristic) {
  return `${plain(query)}&heuristic=${encodeURIComponent(heuristic)}`;
}
