// Keyboard shortcuts.

/** `actions` has a function for each key. */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    // On many keyboards, brackets need AltGr, which some report as Ctrl and Alt.
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (event.defaultPrevented || (held && !event.getModifierState("AltGraph"))) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action || takesText(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
}

/** Whether an element uses a key: a text field uses all, a slider those that move it. */
function takesText(target, key) {
  if (target.matches("input[type=range]")) return key === "Home" || key === "End";
  return target.matches("input, textarea, select");
}
