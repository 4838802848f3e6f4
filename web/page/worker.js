// Answers requests with WebAssembly: one after another, each when the one before is answered.

import init, { Answers } from "./bsq.js";

// The memory of all tables, in MiB.
const MEMORY = 256;

/** Called by WebAssembly. @param {number} done @param {number} units */
const reportProgress = (done, units) => postMessage({ progress: { done, units } });
Object.assign(globalThis, { reportProgress });

const ready = init({ module_or_path: new URL("bsq_bg.wasm", import.meta.url) }).then(() => new Answers(MEMORY));

addEventListener("message", async ({ data: { path, body } }) => {
  const answers = await ready;
  try {
    postMessage({ found: answers.answer(path, body) });
  } catch (error) {
    // Errors of the API are JSON; others end the worker's use.
    postMessage(typeof error === "string" ? { error } : { broken: true });
    if (typeof error !== "string") throw error;
  }
});

ready.then(
  () => postMessage({ ready: true }),
  () => postMessage({ broken: true }),
);
