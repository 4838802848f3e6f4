// Answers with the files of the last visit if the network does not. As long as it does, each file is
// the one that the network has, so that no file is older than the others.

const CACHE = "page";

/** Whether a request is for a file of the page: the answers of the API are not kept. */
const isFile = (url) => url.startsWith(registration.scope) && !/^(api\/|metrics)/.test(url.slice(registration.scope.length));

async function answer(request) {
  const cache = await caches.open(CACHE);
  // The page is the same for each game and for each query.
  const key = request.mode === "navigate" ? registration.scope : request.url;
  try {
    const response = await fetch(request, request.mode === "navigate" ? {} : { cache: "no-cache" });
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (response.ok && (request.mode !== "navigate" || isPage)) await cache.put(key, response.clone());
    return response;
  } catch {
    return (await cache.match(key)) ?? Response.error();
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isFile(event.request.url)) event.respondWith(answer(event.request));
});
addEventListener("message", (event) => {
  const files = [registration.scope, ...event.data.filter(isFile)];
  event.waitUntil(Promise.allSettled(files.map((url) => answer(new Request(url)))));
});
