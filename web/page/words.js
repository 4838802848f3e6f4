// Formats values and moves. A score is the first player's points minus the second player's.

const MINUS = "\u2212";

export const opponent = (player) => (player === "first" ? "second" : "first");

/** A number with its unit: `1 ply`, `-3/2 points`. */
export function counted(count, noun) {
  const plural = noun === "ply" ? "plies" : `${noun}s`;
  return `${String(count).replace("-", MINUS)} ${String(count) === "1" ? noun : plural}`;
}

/** The number of an integer or of a fraction as text. */
export function number(score) {
  const [numerator, denominator = 1] = String(score).split("/").map(Number);
  return numerator / denominator;
}

/** A score with its sign. */
export function signed(score) {
  return number(score) > 0 ? `+${score}` : number(score) < 0 ? MINUS + size(score) : "0";
}

const size = (score) => String(score).replace("-", "");

/** The score that a move or a position is worth, if known: in all, or else from there on. */
export const scoreOf = ({ value, to_come: toCome }) => (value ? value.score : toCome);

/** Whether a move or a position has a known value. */
export const isKnown = ({ value, to_come: toCome }) => Boolean(value) || toCome !== null;

/** The player who wins; undefined for a tie or draw, and if the value is not known. */
export const winnerOf = (value) => ["first", "second"].find((player) => player === value?.outcome);

/** The player whom a value favours, `tie` if it favours none, and null if it is not known. */
export function favours(known) {
  if (known.value) return winnerOf(known.value) ?? "tie";
  if (known.to_come === null) return null;
  return ["second", "tie", "first"][Math.sign(number(known.to_come)) + 1];
}

/** A value in a few characters, for the board: `+2`, `1st 5`, `tie`. */
export function mark(known) {
  const score = scoreOf(known);
  if (score !== null && score !== undefined) return signed(score);
  const { outcome, plies } = known.value;
  if (!winnerOf(known.value)) return outcome;
  return (outcome === "first" ? "1st" : "2nd") + (plies ? ` ${plies}` : "");
}

/** A value as a phrase: `the first player wins by 2 points`. */
export function phrase({ value, to_come: toCome }) {
  if (!value) return toCome === null ? "value not known" : `${signed(toCome)} from here on`;
  if (!winnerOf(value)) return `a ${value.outcome}`;
  const by = value.score === null ? "" : ` by ${counted(size(value.score), "point")}`;
  const plies = value.plies ? ` in ${counted(value.plies, "ply")}` : "";
  return `the ${value.outcome} player wins${by}${plies}`;
}

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text with a full stop at its end. */
export const stopped = (text) => text.replace(/([^.])$/, "$1.");

/** What best play leads to, or what is proved about it. */
export function verdict(answer) {
  const { value, to_come: toCome, bounds, is_complete: isComplete } = answer;
  if (!value && toCome === null) {
    if (isComplete) return "";
    if (bounds) return `${sentence(bounds.words)}; more is not proved yet`;
    const { to_come_min: least, to_come_max: most } = answer;
    if (least === null) return "Nothing is proved yet";
    return `The score from here on is from ${least} to ${most}; more is not proved yet`;
  }
  if (!value) {
    const who = favours(answer);
    return who === "tie"
      ? "Both players make the same number of points from here on"
      : `The ${who} player makes ${counted(size(toCome), "point")} more from here on`;
  }
  return winnerOf(value) ? `${sentence(phrase(answer))} with best play` : `Best play ends in ${phrase(answer)}`;
}

/** The result of a finished game, if its value is known. */
export function result(answer) {
  if (!answer.value) return "The game is over";
  return winnerOf(answer.value) ? sentence(phrase(answer)).replace("wins", "has won") : sentence(phrase(answer));
}

/** A move with its place, if that has another name: `8 (c2)`. */
export function moveName({ move, places }) {
  return places.length === 1 && places[0] !== move ? `${move} (${places[0]})` : move;
}

/** `?` for a mistake, `??` for one that changes the outcome, and nothing otherwise. */
export const flaw = (choice) => ({ "keeps-outcome": "?", "changes-outcome": "??" })[choice?.class] ?? "";

/** What a move costs: `costs 2 points`. */
export function costs({ cost, class: effect }) {
  if (effect === "best") return "best";
  if (cost !== null && number(cost) > 0) return `costs ${counted(cost, "point")}`;
  return { "keeps-outcome": "not the best", "changes-outcome": "a mistake" }[effect] ?? "";
}

/** Why a best move is good, if there is a reason: as a clause without a full stop. */
export function reason(choice, { moves }, module, liked) {
  const { plies, outcome } = choice.value ?? {};
  const winner = winnerOf(choice.value);
  const isKept = moves.filter(({ value }) => value && winnerOf(value) === winner).length;
  if (plies === 1) return "it wins at once";
  const own = module.reason?.(choice, moves);
  if (own) return own;
  if (outcome && isKept === 1 && moves.length > 1) return `it is the only move that ${winner ? "wins" : `keeps the ${outcome}`}`;
  return Object.entries(module.reasons ?? {}).find(([name]) => liked.includes(name))?.[1];
}

/** What a mistake gives away compared with the best choice. */
export function blunder(choice, best) {
  const won = ({ outcome, score }) =>
    winnerOf({ outcome }) ? `the ${outcome} player's win${score === null ? "" : ` by ${size(score)}`}` : `a ${outcome}`;
  const said = `${moveName(choice)} ${costs(choice) === "a mistake" ? "is a mistake" : costs(choice)}`;
  if (!choice.value || !best.value) return `${said}.`;
  const isKept = winnerOf(choice.value) && choice.value.outcome === best.value.outcome;
  return `${said}: ${won(best.value)} becomes ${isKept ? `a win by ${size(choice.value.score)}` : won(choice.value)}.`;
}

/** The rules that differ from the default, for a title. */
export function rulesLabel(rules, options) {
  const parts = options.filter(({ parameter, default: usual }) =>
    rules[parameter] !== null && (rules[parameter] !== usual || parameter === "board"));
  return parts.map(({ name, parameter, kind }) => {
    const value = rules[parameter];
    if (kind.type === "board") return value.replace("x", "×").replace(/:.*/, " (part)");
    return kind.type === "truth" ? name + (value === "yes" ? "" : ": no") : `${name} ${value.replace("-", MINUS)}`;
  }).join(", ");
}

/** The progress of a search, in steps that are few enough to be read aloud. */
export function progressOf({ done, units }) {
  const tenths = Math.floor((10 * done) / units);
  if (units) return tenths ? ` ${10 * tenths} %` : "";
  return done < 1e6 ? "" : ` ${Math.floor(done / 1e6)} million positions`;
}
