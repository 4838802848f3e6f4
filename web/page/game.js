// A game: its rules, its moves with the answer to each position, and the current position. Only the
// server interprets moves.

export class Game {
  /** `answers` has the answer without values to each position. */
  constructor({ info, rules, start, moves }, answers, at = moves.length) {
    Object.assign(this, { info, rules, start, moves, answers });
    this.goTo(at);
  }

  get last() { return this.moves.length; }
  /** Whether there are later moves, so that machines wait. */
  get looksBack() { return this.at < this.last; }
  get answer() { return this.answers[this.at]; }
  get isOver() { return this.answer.is_over; }

  mover(at) { return this.answers[at].to_move; }
  goTo(at) { this.at = Math.max(0, Math.min(at, this.last)); }

  /** Plays a move from the current position; removes the later moves. */
  play(move, answer) {
    this.cut();
    this.moves.push(move);
    this.answers.push(answer);
    this.at = this.last;
  }

  /** Removes the moves after the current position. */
  cut() {
    this.moves = this.moves.slice(0, this.at);
    this.answers = this.answers.slice(0, this.at + 1);
  }

  /** Whether the current position has occurred before. */
  get comesBack() {
    return this.answers.slice(0, this.at).some(({ position }) => position === this.answer.position);
  }

  question(at = this.at) { return question(this, this.moves.slice(0, at)); }

  /** The question for the position after a move from the current one. */
  after(move) { return question(this, [...this.moves.slice(0, this.at), move]); }

  /** The choice that was made at a ply among the known ones. */
  choice(at, answer = this.answers[at]) { return answer?.moves.find(({ move }) => move === this.moves[at]); }

  /** The query of a link to the game. */
  link({ players, shown, activity, usual }) {
    const all = new URLSearchParams(this.info.name === usual ? {} : { game: this.info.name });
    // A lesson has its own rules, and an activity its own start.
    const { rules, moves, start } = this;
    const own = { rules: activity?.fits ? {} : rules, start: activity ? null : start };
    for (const [name, value] of parameters(own, activity?.edits ? [] : moves)) all.set(name, value);
    if (this.looksBack) all.set("at", this.at);
    for (const side of ["first", "second"]) if (players[side] !== "you") all.set(side, players[side]);
    if (shown.flipped) all.set("flip", "yes");
    if (shown.values) all.set("values", "yes");
    for (const [name, value] of activity?.link ?? []) all.set(name, value);
    const text = all.toString();
    return text && "?" + text.replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%7C", "|");
  }
}

/** The question for the position of a game after moves. */
export function question(game, moves = game.moves) {
  const query = parameters(game, moves).toString();
  return `${game.info.name}/position${query && "?" + query}`;
}

function parameters({ rules, start }, moves) {
  const all = new URLSearchParams(rules);
  if (start) all.set("position", start);
  if (moves.length) all.set("moves", moves.join(","));
  return all;
}

/** The rules of an answer that differ from the default ones. */
export function unusual(rules, { options }) {
  const kept = options.filter(({ parameter, default: usual }) => (rules[parameter] ?? usual) !== usual);
  return Object.fromEntries(kept.map(({ parameter }) => [parameter, rules[parameter]]));
}

/** The game and players of a link, which are not validated. */
export function parseLink({ pathname, search, hash }, games) {
  const given = new URLSearchParams(search || hash.slice(1));
  const name = given.get("game") ?? pathname.split("/").at(-1).replace("index.html", "");
  const info = games.find((game) => game.name === name) ?? games[0];
  // Earlier links have `true` for `yes`.
  const value = (parameter) => ({ true: "yes", false: "no" })[given.get(parameter)] ?? given.get(parameter);
  const rules = Object.fromEntries(info.options.map(({ parameter }) => [parameter, value(parameter)])
    .filter(([, set]) => set !== null));
  const moves = words(given.get("moves"));
  const at = Number.parseInt(given.get("at") ?? moves.length, 10) || 0;
  const players = { first: given.get("first") || "you", second: given.get("second") || "you" };
  const isUnknown = name && name !== info.name;
  const [seed, task, edit] = [Number.parseInt(given.get("seed"), 10) || 0, given.get("puzzle"), given.get("edit")];
  const puzzle = task && { task, level: given.get("level") ?? "", seed };
  return {
    game: { info, rules, start: given.get("position"), moves, at }, players, flipped: given.get("flip") === "yes",
    values: given.get("values") === "yes", task: { learn: given.get("learn") === "yes", puzzle, edit },
    error: isUnknown ? `There is no game '${name}'.` : null,
  };
}

/** Splits moves; `8 (c2)`, as moves are written, is one word. */
export const words = (text) => (text ?? "").replaceAll(" (", "(").split(/[\s,]+/).filter(Boolean);
