// Answers with the files of the last visit if the network does not. As long as it does, each file is
// the one that the network has, so that no file is older than the others.

const CACHE = "page";

/** Whether a request is for a file of the page: the answers of the API are not kept. */
const isFile = (url) => url.startsWith(registration.scope) && !/^(api\/|metrics)/.test(url.slice(registration.scope.length));

/** What a server says of the version of a file. */
const version = ({ headers }) => headers.get("etag") ?? headers.get("last-modified");

/** Whether a file is kept as the network has it. A file without a version counts as changed. */
const isKept = (kept, response) => kept !== undefined && version(kept) !== null && version(kept) === version(response);

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

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isFile(event.request.url)) event.respondWith(answer(event.request));
});
addEventListener("message", (event) => {
  const files = event.data.filter(isFile);
  event.waitUntil(Promise.allSettled(files.map((url) => answer(new Request(url)))));
});
