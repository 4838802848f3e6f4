// Answers with the files of the last visit if the network does not. As long as it does, each file is
// the one that the network has, so that no file is older than the others.

const CACHE = "page";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const { registration } = worker;

/** Whether a request is for a file of the page: the answers of the API are not kept. @param {string} url */
const isFile = (url) =>
  url.startsWith(registration.scope) && !/^(api\/|metrics)/.test(url.slice(registration.scope.length));

/** What a server says of the version of a file. @param {Response} response */
const version = ({ headers }) => headers.get("etag") ?? headers.get("last-modified");

/**
 * Whether a file is kept as the network has it. A file without a version counts as changed.
 * @param {Response | undefined} kept
 * @param {Response} response
 */
const isKept = (kept, response) => kept !== undefined && version(kept) !== null && version(kept) === version(response);

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  // The page is the same for each game and for each query.
  const key = request.mode === "navigate" ? registration.scope : request.url;
  const kept = cache.match(key);
  try {
    const response = await fetch(request, request.mode === "navigate" ? {} : { cache: "no-cache" });
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    const isAnswer = response.ok && (request.mode !== "navigate" || isPage);
    if (isAnswer && !isKept(await kept, response)) await cache.put(key, response.clone());
    return response;
  } catch {
    return (await kept) ?? Response.error();
  }
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isFile(event.request.url)) event.respondWith(answer(event.request));
});
worker.addEventListener("message", (event) => {
  const files = /** @type {string[]} */ (event.data).filter(isFile);
  event.waitUntil(Promise.allSettled(files.map((url) => answer(new Request(url)))));
});
