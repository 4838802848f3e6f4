// Questions to the server, and its answers kept in memory.

// After this time in milliseconds, the position is requested without values as well.
const SLOW = 150;

/** A refusal of the server. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
  /** Whether the same request may succeed later. */
  get passing() { return this.status === 503 || this.status === 0; }
}

/** Requests JSON from the server; throws `Refused` with the error that it reports. */
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

  /** `changed` is called after every new answer. */
  constructor(changed) { this.#changed = changed; }

  known(query) { return this.#known.get(query); }
  refused(query) { return this.#refused.get(query); }

  /** The answer with values if known, otherwise the one without. */
  best(query) { return this.known(query) ?? this.known(plain(query)); }

  /** Forgets refusals, so that the requests can be repeated. */
  forgive() { this.#refused.clear(); }

  /** Waits for an answer; throws the refusal of the server. */
  async wait(query) {
    if (!this.#known.has(query)) {
      this.#known.set(query, await get("/api/british-square" + query));
    }
    return this.#known.get(query);
  }

  /** Requests an answer without values. */
  ask(query) { this.#begin(query); }

  /** Requests values; cancels the previous request for other values. */
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
    // The position may be available even if its values are not.
    if (this.#refused.has(query) && !query.includes("values=false")) this.#begin(plain(query));
    this.#changed();
  }
}

/** The same question without values. */
export function plain(query) { return `${query || "?"}&values=false`; }

/** The query for the moves of a heuristic. */
export function liked(query, heuristic) {
  return `${plain(query)}&heuristic=${encodeURIComponent(heuristic)}`;
}
