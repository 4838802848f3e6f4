// How requests are answered: by the server if there is one, otherwise by WebAssembly in the browser.

/** A refusal to answer a request. */
export class Refused extends Error {
  constructor(status, { code, location, message }) {
    super(location && !["position", "moves", "record"].includes(location) ? `${location}: ${message}` : message);
    Object.assign(this, { status, code, location });
  }
  /** Whether the same request may succeed later. */
  get passing() { return [0, 429, 503].includes(this.status); }
}

/** The statuses of errors, as the server has them. */
const STATUS = { invalid: 400, refused: 422, stopped: 503, failed: 500 };
/** The time in milliseconds after which the server is not expected to answer any more, unless it searches. */
const PATIENCE = 6000;
/** The time in milliseconds that an unwanted search may take on before it is ended. */
const GRACE = 100;

let transport;

/**
 * Requests JSON; throws `Refused`, or an `AbortError` if `signal` aborts the request. A request with
 * a `body` is sent by POST. In the browser, `progress` is called with the progress of a search: `done`
 * of `units` positions, which are 0 if unknown.
 */
export async function get(path, options = {}) {
  transport ??= connect();
  return (await transport)(path, options);
}

/** The files that answers without a server need, if they are in use. */
export const localFiles = () => (isLocal ? ["worker.js", "bsq.js", "bsq_bg.wasm"] : []);
let isLocal = false;

/** Finds out whether a server answers below the folder of the page. */
async function connect() {
  const isServer = await fetch("api/games", { signal: AbortSignal.timeout(PATIENCE) })
    .then((response) => response.json()).then(({ games }) => Boolean(games), () => false);
  if (isServer) return remote;
  const local = new Local();
  isLocal = await local.isReady;
  return isLocal ? (path, options) => local.get(path, options) : tryAgain;
}

/** Without server and WebAssembly, the next request looks for them again. */
async function tryAgain() {
  transport = null;
  throw new Refused(0, { message: "No server answers, and this browser cannot compute the answers itself." });
}

/** Whether a request needs no search. */
const isQuick = (path, { body }) => /^games|\/record|[?&]values=no/.test(path) || body?.includes('"values":"no"');

async function remote(path, options) {
  const { body, type, signal } = options;
  const post = body === undefined ? {} : { method: "POST", body, headers: { "content-type": type } };
  const late = isQuick(path, options) ? [AbortSignal.timeout(PATIENCE)] : [];
  try {
    const response = await fetch(`api/${path}`, { ...post, signal: AbortSignal.any([...(signal ? [signal] : []), ...late]) });
    // A proxy may answer for a server that does not.
    const found = await (response.ok ? response.json() : response.json().catch(() => ({})));
    if (response.ok) return found;
    throw new Refused(response.status, found.error ?? { message: response.statusText });
  } catch (error) {
    if (error instanceof Refused || error.name === "AbortError") throw error;
    throw new Refused(0, { message: "The server does not answer." });
  }
}

/** Two workers: one searches, the other answers meanwhile what needs no search. */
class Local {
  #quick = new Lane();
  #search = new Lane();

  get isReady() { return this.#quick.isReady; }

  get(path, options) {
    return (isQuick(path, options) ? this.#quick : this.#search).get(path, options);
  }
}

/** A worker with the requests that wait for it. It is started anew to end a search that nobody wants. */
class Lane {
  #worker = null;
  #running = null;
  #waiting = [];
  #timer = 0;
  #told;
  #works = false;
  isReady = new Promise((told) => { this.#told = told; });

  constructor() { this.#start(); }

  #start() {
    this.#worker?.terminate();
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#receive(data));
    this.#worker.addEventListener("error", () => this.#receive({ broken: "the answers cannot be computed here" }));
  }

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
    if (!this.#waiting.length) return;
    if (!this.#running) {
      this.#running = this.#waiting.shift();
      return this.#worker.postMessage({ path: this.#running.path, body: this.#running.body });
    }
    const unwanted = this.#running;
    if (unwanted.isWanted || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (this.#running !== unwanted) return;
      this.#running = null;
      this.#start();
      this.#next();
    }, GRACE);
  }

  #receive({ ready, progress, found, error, broken }) {
    if (progress) return this.#running?.progress?.(progress);
    if (ready) {
      this.#works = true;
      return this.#told(true);
    }
    this.#told(this.#works);
    const running = this.#running;
    this.#running = null;
    if (found !== undefined) running?.found(JSON.parse(found));
    else {
      const { code, location, message } = error ? JSON.parse(error) : { code: "failed", message: broken };
      running?.failed(new Refused(STATUS[code], { code, location, message }));
      if (broken && this.#works) this.#start();
    }
    this.#next();
  }
}
