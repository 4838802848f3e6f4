// Sets up a position: what stands at each place, and who is to move. The API validates it.

import { at, html, svg } from "./dom.js";
import { Refused, get } from "./transport.js";
import { opponent, sentence } from "./words.js";

/** The tool that removes marks. */
const NOTHING = "";

export class Editor {
  name = "edit";
  tool = NOTHING;
  /** Why the position is invalid. */
  reason = null;

  /** `before` is the game to which `Cancel` returns; `draft` a text as in links, by default the current position. */
  constructor(before, draft) {
    const { info, answer } = before;
    Object.assign(this, { before, marks: info.marks, scene: answer.scene, mover: answer.to_move });
    this.standing = new Map();
    if (draft) {
      const [mover, ...words] = draft.split(",");
      this.mover = mover === "second" ? "second" : "first";
      for (const word of words) this.standing.set(...word.split(":"));
    } else this.take(answer.scene);
    this.tool = this.marks[0].symbol;
  }

  /** Takes over what stands in a scene. */
  take(scene) {
    this.scene = scene;
    this.standing = new Map(scene.places.filter(({ state }) => state === "taken").map((place) => [place.name, this.#markOf(place).symbol]));
  }

  #markOf({ shape, symbol, owner }) {
    const fitting = this.#fitting(shape);
    return fitting.find((mark) => mark.symbol === symbol) ?? fitting.find((mark) => mark.owner === owner);
  }

  #fitting(shape) { return this.marks.filter((mark) => mark.shape === shape); }

  get #words() { return [...this.standing].map((pair) => pair.join(":")); }
  get link() { return [["edit", [this.mover, ...this.#words].join(",")]]; }

  /** The position with the marks of the draft, without values; throws why it is invalid. */
  async position() {
    const { info, rules } = this.before;
    const positions = [{ places: Object.fromEntries(this.standing), to_move: this.mover }];
    const body = JSON.stringify({ rules, values: "no", positions });
    const { answers: [found] } = await get(`${info.name}/position`, { body, type: "application/json" });
    if (found.error) throw new Refused(400, found.error);
    return found;
  }

  edits({ shape }) { return this.#fitting(shape).length > 0; }

  /** The scene with the marks of the draft. */
  get drawn() {
    const places = this.scene.places.map((place) => {
      const symbol = this.standing.get(place.name);
      const mark = symbol && this.#fitting(place.shape).find((one) => one.symbol === symbol);
      if (!mark) return place.state === "taken" ? { ...place, state: "empty", owner: null, symbol: null } : place;
      return { ...place, state: "taken", owner: mark.owner, symbol: place.shape === "cell" ? symbol : null };
    });
    return { ...this.scene, places };
  }

  /** Puts the tool's mark at a place, or removes what stands there. */
  press(name) {
    const { shape } = this.scene.places.find((place) => place.name === name);
    const fitting = this.#fitting(shape);
    const symbol = fitting.length === 1 ? fitting[0].symbol : this.tool;
    const mark = fitting.find((one) => one.symbol === symbol);
    if (!mark || this.standing.get(name) === symbol) return this.standing.delete(name);
    const same = [...this.standing].filter(([, other]) => other === symbol);
    if (mark.most !== null && same.length >= mark.most) this.standing.delete(same[0][0]);
    return this.standing.set(name, symbol);
  }

  turn() { this.mover = opponent(this.mover); }

  notice() {
    if (this.reason) return { kind: "warning", text: sentence(this.reason) };
    if (this.isTold) return { text: "In this game, the pieces determine who is to move." };
    const hasLines = this.marks.some(({ shape }) => shape !== "cell");
    return { text: hasLines ? "Click a line to draw or remove it, and a closed box to give it to the chosen player."
      : "Choose a piece and click its cell; click again to remove it." };
  }

  /** Shows the tools, which are drawn once for each game. */
  show(module) {
    const { name } = this.before.info;
    if (at("tools").dataset.of !== name) at("tools").replaceChildren(...[...this.#fitting("cell"), null].map((mark) => tool(mark, module)));
    at("tools").dataset.of = name;
    for (const button of at("tools").children) button.setAttribute("aria-pressed", String(button.dataset.symbol === this.tool));
    at("edit-mover").textContent = `${sentence(this.mover)} to move`;
    at("edit-done").disabled = Boolean(this.reason);
  }
}

/** A button for a mark, or for none. */
function tool(mark, module) {
  if (!mark) {
    const remove = html("button", { type: "button", textContent: "Remove" });
    remove.dataset.symbol = NOTHING;
    return remove;
  }
  const drawing = mark.owner && module.piece ? svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, module.piece(mark)) : mark.symbol;
  const button = html("button", { type: "button" }, drawing);
  button.title = `${mark.owner ? `${mark.owner} player` : "owner unknown"}: ${module.noun?.(mark) ?? mark.symbol}`;
  button.setAttribute("aria-label", button.title);
  button.dataset.symbol = mark.symbol;
  return button;
}
