// Keys that work wherever nothing is typed.

/** `actions` has a function for each key. */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    // Brackets need AltGr on many keyboards, which counts as Ctrl and Alt on some.
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (event.defaultPrevented || (held && !event.getModifierState("AltGraph"))) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action || takesText(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
}

/** Text fields keep all their keys; a slider only those that move it. */
function takesText(target, key) {
  if (target.matches("input[type=range]")) return key === "Home" || key === "End";
  return target.matches("input, textarea, select");
}
