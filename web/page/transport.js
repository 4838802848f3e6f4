// How requests are answered: by the server if there is one, otherwise by WebAssembly in the browser.

/** @import { ErrorAnswer } from "../types/api.js" */

/**
 * What belongs to a request. In the browser, `progress` is called with the progress of a search: `done` of `units`
 * positions, which are 0 if unknown.
 * @typedef {object} Asked
 * @property {string} [body] makes it a POST
 * @property {string} [type] the media type of the body
 * @property {AbortSignal} [signal]
 * @property {(progress: { done: number, units: number }) => void} [progress]
 */

/** A function that answers requests. @typedef {(path: string, asked: Asked) => Promise<any>} Transport */

/** A refusal to answer a request. */
export class Refused extends Error {
  /**
   * @param {number} status that of HTTP; 0 if nobody answers
   * @param {Partial<ErrorAnswer>} error
   */
  constructor(status, { location, message = "" }) {
    super(location && !["position", "moves", "record"].includes(location) ? `${location}: ${message}` : message);
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get passing() {
    return [0, 429, 503].includes(this.status);
  }
}

/** The statuses of errors, as the server has them. @type {Record<string, number>} */
const STATUS = { invalid: 400, refused: 422, stopped: 503, failed: 500 };
/** The error of a worker that ended. */
const BROKEN = { code: "stopped", message: "The search has ended unexpectedly." };
/** The time in milliseconds after which the server is not expected to answer any more, unless it searches. */
const PATIENCE = 6000;
/** The time in milliseconds that an unwanted search may take on before it is ended. */
const GRACE = 100;
/** The time in milliseconds after which a worker that tells nothing about its search is taken for dead. */
const SILENCE = 30_000;

/** @type {Promise<Transport> | null} */
let transport = null;

/**
 * Requests JSON; throws `Refused`, or an `AbortError` if `signal` aborts the request.
 * @param {string} path
 * @param {Asked} asked
 */
export async function get(path, asked = {}) {
  transport ??= connect();
  return (await transport)(path, asked);
}

/** The files that answers without a server need, if they are in use. */
export const localFiles = () => (isLocal ? ["worker.js", "bsq.js", "bsq_bg.wasm"] : []);
let isLocal = false;

/** Finds out whether a server answers below the folder of the page. @returns {Promise<Transport>} */
async function connect() {
  const isServer = await fetch("api/games", { signal: AbortSignal.timeout(PATIENCE) })
    .then((response) => response.json())
    .then(
      ({ games }) => Boolean(games),
      () => false,
    );
  if (isServer) return remote;
  const local = new Local();
  isLocal = await local.isReady;
  return isLocal ? (path, asked) => local.get(path, asked) : tryAgain;
}

/** Without server and WebAssembly, the next request looks for them again. */
async function tryAgain() {
  transport = null;
  throw new Refused(0, { message: "No server answers, and this browser cannot compute the answers itself." });
}

/** Whether a request needs no search. @param {string} path @param {Asked} asked */
const isQuick = (path, { body }) => /^games|\/record|[?&]values=no/.test(path) || body?.includes('"values":"no"');

/** @type {Transport} */
async function remote(path, asked) {
  const { body, type = "", signal } = asked;
  const post = body === undefined ? {} : { method: "POST", body, headers: { "content-type": type } };
  const late = isQuick(path, asked) ? [AbortSignal.timeout(PATIENCE)] : [];
  try {
    const signals = AbortSignal.any([...(signal ? [signal] : []), ...late]);
    const response = await fetch(`api/${path}`, { ...post, signal: signals });
    // A proxy may answer for a server that does not.
    const found = await (response.ok ? response.json() : response.json().catch(() => ({})));
    if (response.ok) return found;
    throw new Refused(response.status, found.error ?? { message: response.statusText });
  } catch (error) {
    if (error instanceof Refused || (error instanceof DOMException && error.name === "AbortError")) throw error;
    throw new Refused(0, { message: "The server does not answer." });
  }
}

/** Two workers: one searches, the other answers meanwhile what needs no search. */
class Local {
  #quick = new Lane();
  #search = new Lane();

  get isReady() {
    return this.#quick.isReady;
  }

  /** @type {Transport} */
  get(path, asked) {
    return (isQuick(path, asked) ? this.#quick : this.#search).get(path, asked);
  }
}

/**
 * A request that waits for its answer.
 * @typedef {object} Waiting
 * @property {string} path
 * @property {string} [body]
 * @property {Asked["progress"]} [progress]
 * @property {(found: unknown) => void} found
 * @property {(error: Error) => void} failed
 * @property {boolean} isWanted
 */

/**
 * A worker with the requests that wait for it. It is replaced to end a search that nobody wants, and if it ends itself,
 * as browsers end it when memory is short.
 */
class Lane {
  /** @type {Worker | null} */
  #worker = this.#started();
  /** @type {Waiting | null} */
  #running = null;
  /** @type {Waiting[]} */
  #waiting = [];
  /** Ends an unwanted search. */
  #timer = 0;
  /** Ends a search of which nothing is heard. */
  #watch = 0;
  /** @type {(works: boolean) => void} */
  #told = () => {};
  /** Whether the worker answers. @type {Promise<boolean>} */
  isReady = new Promise((told) => {
    this.#told = told;
  });

  #started() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", () => this.#receive({ broken: true }));
    return worker;
  }

  /** Ends the worker. The next request starts another one. */
  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** Waits for a message about the running search, if there is one. */
  #listen() {
    clearTimeout(this.#watch);
    this.#watch = this.#running ? setTimeout(() => this.#receive({ broken: true }), SILENCE) : 0;
  }

  /** @type {Transport} */
  get(path, { body, signal, progress }) {
    return new Promise((found, failed) => {
      const request = { path, body, found, failed, progress, isWanted: true };
      signal?.addEventListener("abort", () => {
        request.isWanted = false;
        failed(new DOMException("The request was cancelled", "AbortError"));
        this.#next();
      });
      this.#waiting.push(request);
      this.#next();
    });
  }

  /** Begins the first request that waits, or ends one that nobody wants to make room for it. */
  #next() {
    this.#waiting = this.#waiting.filter(({ isWanted }) => isWanted);
    if (!this.#running) {
      this.#running = this.#waiting.shift() ?? null;
      if (this.#running) {
        this.#worker ??= this.#started();
        this.#worker.postMessage({ path: this.#running.path, body: this.#running.body });
      }
      this.#listen();
      return;
    }
    const unwanted = this.#running;
    if (unwanted.isWanted || this.#timer || !this.#waiting.length) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (this.#running !== unwanted) return;
      this.#running = null;
      this.#end();
      this.#next();
    }, GRACE);
  }

  /** @param {{ ready?: true, progress?: { done: number, units: number }, found?: string, error?: string, broken?: true }} message */
  #receive({ ready, progress, found, error, broken }) {
    if (ready || broken) this.#told(Boolean(ready));
    if (ready || progress) {
      this.#listen();
      if (progress) this.#running?.progress?.(progress);
      return;
    }
    if (broken) this.#end();
    const running = this.#running;
    this.#running = null;
    if (found !== undefined) running?.found(JSON.parse(found));
    else {
      const { code, ...rest } = error ? JSON.parse(error) : BROKEN;
      running?.failed(new Refused(STATUS[code], rest));
    }
    this.#next();
  }
}
