// Texts to copy.

import { at } from "./frame.js";

/** Without leave to write to the clipboard, the text is selected, ready to be copied. */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    at("copied").textContent = done;
  } catch {
    at("game-text").value = text;
    at("game-text").select();
    at("copied").textContent = "Selected below, ready to be copied";
  }
}
