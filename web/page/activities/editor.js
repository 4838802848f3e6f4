// Sets up a position: what stands at each place, and who is to move. The API validates it.

/** @import { Answer, Mark, Place, Player, Scene, Shape } from "../../types/api.js" */
/** @import { Game, Played } from "../game.js" */
/** @import { Notice, Task, Ways } from "./activity.js" */

import { Refused, get } from "../transport.js";
import { named, opponent, sentence, stopped } from "../words.js";
import { Activity } from "./activity.js";

/** The tool that removes marks. */
export const NOTHING = "";

export class Editor extends Activity {
  /** @type {Task["name"]} */
  name = "edit";
  hasComputers = false;
  hasPlayers = false;
  /** The symbol that is put at places. */
  tool = NOTHING;
  /** Why the position is invalid. @type {string | null} */
  reason = null;
  /** Whether the pieces determined another player to move than was chosen. */
  isTold = false;
  /** The symbols that stand at places. @type {Map<string, string>} */
  standing = new Map();

  /**
   * @param {Game} before the game to which `Cancel` returns
   * @param {string | null} draft a text as in links; null for the current position
   */
  constructor(before, draft = null) {
    super();
    const { info, answer } = before;
    this.before = before;
    this.marks = info.marks;
    this.drawn = answer.scene;
    /** @type {Player} */
    this.mover = answer.to_move;
    this.tool = this.marks[0].symbol;
    this.take(answer.scene);
    if (draft === null) return;
    const [mover, ...words] = draft.split(",");
    this.mover = mover === "second" ? "second" : "first";
    const pairs = words.map((word) => word.split(":"));
    this.standing = new Map(pairs.map(([place, symbol = ""]) => [place, symbol]));
  }

  /** @param {Played} game */
  linked({ rules }) {
    return { rules, start: null, moves: [] };
  }

  /** @returns {[string, string][]} */
  get link() {
    return [["edit", [this.mover, ...this.#words].join(",")]];
  }

  get #words() {
    return [...this.standing].map((pair) => pair.join(":"));
  }

  isOwn() {
    return true;
  }

  /** Takes over what stands in a scene. @param {Scene} scene */
  take(scene) {
    this.drawn = scene;
    const taken = scene.places.filter(({ state }) => state === "taken");
    this.standing = new Map(taken.map((place) => [place.name, this.#markOf(place)?.symbol ?? NOTHING]));
  }

  /** @param {Place} place @returns {Mark | undefined} */
  #markOf({ shape, symbol, owner }) {
    const fitting = this.fitting(shape);
    return fitting.find((mark) => mark.symbol === symbol) ?? fitting.find((mark) => mark.owner === owner);
  }

  /** The marks that can stand at a place of a shape. @param {Shape} shape */
  fitting(shape) {
    return this.marks.filter((mark) => mark.shape === shape);
  }

  /** The position with the marks of the draft, without values; throws why it is invalid. @returns {Promise<Answer>} */
  async position() {
    const { info, rules } = this.before;
    const positions = [{ places: Object.fromEntries(this.standing), to_move: this.mover }];
    const body = JSON.stringify({ rules, values: "no", positions });
    const { answers } = await get(`${info.name}/position`, { body, type: "application/json" });
    if (answers[0].error) throw new Refused(400, answers[0].error);
    return answers[0];
  }

  /** @param {Place} place */
  edits({ shape }) {
    return this.fitting(shape).length > 0;
  }

  /** The scene with the marks of the draft. @returns {Scene} */
  scene() {
    const places = this.drawn.places.map((place) => {
      const symbol = this.standing.get(place.name);
      const mark = symbol && this.fitting(place.shape).find((one) => one.symbol === symbol);
      if (mark) {
        const shown = place.shape === "cell" ? mark.symbol : null;
        return { ...place, state: /** @type {const} */ ("taken"), owner: mark.owner, symbol: shown };
      }
      if (place.state !== "taken") return place;
      return { ...place, state: /** @type {const} */ ("empty"), owner: null, symbol: null };
    });
    return { ...this.drawn, places };
  }

  /** Puts the tool's mark at a place, or removes what stands there. @param {string} name */
  press(name) {
    const place = this.drawn.places.find((one) => one.name === name);
    if (!place) return;
    const fitting = this.fitting(place.shape);
    const symbol = fitting.length === 1 ? fitting[0].symbol : this.tool;
    const mark = fitting.find((one) => one.symbol === symbol);
    if (!mark || this.standing.get(name) === symbol) {
      this.standing.delete(name);
      return;
    }
    const same = [...this.standing].filter(([, other]) => other === symbol);
    if (mark.most !== null && same.length >= mark.most) this.standing.delete(same[0][0]);
    this.standing.set(name, symbol);
  }

  turn() {
    this.mover = opponent(this.mover);
  }

  /** @param {Game} _game @param {Ways} ways @returns {Notice} */
  notice(_game, { names }) {
    if (this.reason && this.standing.size === 0) return { text: "Place the pieces of both players." };
    if (this.reason) return { text: `This is not a position yet. ${stopped(sentence(named(this.reason, names)))}` };
    if (this.isTold) return { text: "In this game, the pieces determine who is to move." };
    const hasLines = this.marks.some(({ shape }) => shape !== "cell");
    const text = hasLines
      ? "Click a line to draw or remove it, and a closed box to give it to the chosen player."
      : "Choose a piece and click its cell; click again to remove it.";
    return { text };
  }
}
