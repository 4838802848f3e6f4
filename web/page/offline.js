// Keeps the files of the page for visits without a network, by the service worker `sw.js`.

/** Whether the service worker answers the page's own requests, and so keeps the files. */
const isServed = Boolean(navigator.serviceWorker?.controller);

/** Keeps the files that are loaded so far, and others given by name. @param {string[]} names */
export async function keepFiles(names) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const missing = isServed ? names : ["./", ...loaded, ...names];
    active?.postMessage(missing.map((name) => new URL(name, document.baseURI).href));
  } catch {
    // A browser may forbid it; the page works all the same.
  }
}
