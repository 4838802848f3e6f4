// What the browser remembers from one visit to the next; what it may not or cannot store, until the page is closed.

/** What is not stored. @type {Map<string, string>} */
const unstored = new Map();

/** The text that was remembered under a name; empty if there is none. @param {string} name */
export function recall(name) {
  try {
    return unstored.get(name) ?? localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} text */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
    unstored.delete(name);
  } catch {
    unstored.set(name, text);
  }
}
