// A game as the page holds it: what the server said of each of its positions, and which one is
// looked at.

// A longer game begins later in its link.
const MOST_IN_LINK = 200;

export class Game {
  /** `steps` has the answer to each position and the move that led there, none to the first. */
  constructor(steps, at = steps.length - 1) {
    this.steps = steps;
    this.goTo(at);
  }

  get last() { return this.steps.length - 1; }
  get looksBack() { return this.at < this.last; }
  get answer() { return this.steps[this.at].answer; }
  /** The position by which it began. */
  get start() { return this.steps[0].answer.position; }
  /** What led to the position that is looked at, with what was known before. */
  get lastMove() { return this.moveTo(this.at); }

  /** A move of the game with its worth, and who made it. */
  moveTo(at) {
    const { move } = this.steps[at];
    if (!move) return null;
    const before = this.steps[at - 1].answer;
    return { ...before.moves.find((known) => known.move === move), mover: before.to_move, before };
  }

  goTo(at) { this.at = Math.max(0, Math.min(at, this.last)); }

  /** Goes on from the position that is looked at. */
  play(move, answer) {
    this.cut();
    this.steps.push({ move, answer });
    this.at = this.last;
  }

  /** Forgets the moves after the one that is looked at. */
  cut() { this.steps = this.steps.slice(0, this.at + 1); }

  /** Whether the position that is looked at was there before. */
  get comesBack() {
    const { position } = this.answer;
    return this.steps.slice(0, this.at).some(({ answer }) => answer.position === position);
  }

  /** What stands behind the # of the address. */
  link({ usual, players, flipped }) {
    const all = new URLSearchParams();
    const skipped = Math.max(0, this.last - MOST_IN_LINK);
    const start = this.steps[skipped].answer.position;
    if (start !== usual) all.set("position", start);
    if (this.last) all.set("moves", this.steps.slice(skipped + 1).map(({ move }) => move).join(","));
    if (this.looksBack) all.set("at", Math.max(0, this.at - skipped));
    for (const who of ["first", "second"]) {
      if (players[who] !== "you") all.set(who, players[who]);
    }
    if (flipped) all.set("flip", "yes");
    const text = all.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
    return text && "#" + text;
  }
}

/** What a link asks for; nothing is judged yet. */
export function fromLink(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const who = (side) => (given.get(side) === "perfect" ? "perfect" : "you");
  const moves = words(given.get("moves"));
  const looked = Number.parseInt(given.get("at"), 10);
  return {
    game: { position: given.get("position"), moves, at: Number.isNaN(looked) ? moves.length : looked },
    players: { first: who("first"), second: who("second") },
    flipped: given.get("flip") === "yes",
  };
}

/** A pasted link, a position, or moves from the start. */
export function fromText(text) {
  if (text.includes("#")) return fromLink(text.slice(text.indexOf("#"))).game;
  const isMoves = /^[\s,]*([a-z]\d[a-z]\d[\s,]*)+$/i.test(text);
  const moves = isMoves ? words(text.toLowerCase()) : [];
  return { position: isMoves ? null : text.trim().replace(/\s+/g, " "), moves, at: moves.length };
}

/** The same start with the pieces of each base row in another order. */
export function shuffled(position) {
  const [board, mover] = position.split(" ");
  const rows = board.split("/");
  for (const row of [0, rows.length - 1]) rows[row] = mixed([...rows[row]]).join("");
  return `${rows.join("/")} ${mover}`;
}

function mixed(letters) {
  for (let last = letters.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [letters[last], letters[other]] = [letters[other], letters[last]];
  }
  return letters;
}

function words(text) { return (text ?? "").split(/[\s,]+/).filter(Boolean); }
