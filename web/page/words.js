// Values and moves in words. A score is the first player's points minus the second player's.

/** @import { Answer, Known, Move, Player, RuleOption, Rules, Score, Value } from "../types/api.js" */
/** @import { BoardModule } from "./boards/index.js" */
/** @import { Names } from "./names.js" */

const MINUS = "\u2212";

/** The player who is not this one. @param {Player} player @returns {Player} */
export const opponent = (player) => (player === "first" ? "second" : "first");

/** A list such as `a, b and c`. @param {string[]} names */
export const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** A number with its unit: `1 ply`, `-3/2 points`. @param {Score} count @param {string} noun */
export function counted(count, noun) {
  const plural = noun === "ply" ? "plies" : `${noun}s`;
  return `${String(count).replace("-", MINUS)} ${String(count) === "1" ? noun : plural}`;
}

/** The number of an integer or of a fraction as text. @param {Score} score */
export function number(score) {
  const [numerator, denominator = 1] = String(score).split("/").map(Number);
  return numerator / denominator;
}

/** A score with its sign. @param {Score} score */
export function signed(score) {
  return number(score) > 0 ? `+${score}` : number(score) < 0 ? MINUS + size(score) : "0";
}

/** A score without its sign. @param {Score} score */
const size = (score) => String(score).replace("-", "");

/** The score that a move or a position is worth, if it is known: in all, or else from there on. @param {Known} known */
export const scoreOf = ({ value, to_come: toCome }) => (value ? value.score : toCome);

/** Whether a move or a position has a known value. @param {Known} known */
export const isKnown = ({ value, to_come: toCome }) => Boolean(value) || toCome !== null;

/**
 * The player who wins; undefined for a tie or draw, and if the value is not known.
 * @param {Pick<Value, "outcome"> | null} value
 */
export function winnerOf(value) {
  return value?.outcome === "first" || value?.outcome === "second" ? value.outcome : undefined;
}

/**
 * The player whom a value favours, `tie` if it favours none, and null if it is not known.
 * @param {Known} known
 * @returns {Player | "tie" | null}
 */
export function favours(known) {
  if (known.value) return winnerOf(known.value) ?? "tie";
  if (known.to_come === null) return null;
  const sign = Math.sign(number(known.to_come));
  return sign > 0 ? "first" : sign < 0 ? "second" : "tie";
}

/** The moves that the winner makes until the win. @param {number} plies */
const movesIn = (plies) => Math.ceil(plies / 2);

/**
 * A value in a few characters, for the board: `+2`, `win 3`, `tie`. Wins and losses are those of the player to move.
 * @param {Known} known
 * @param {Player} mover
 */
export function mark(known, mover) {
  const score = scoreOf(known);
  if (score !== null) return signed(score);
  if (!known.value) return "";
  const winner = winnerOf(known.value);
  const { outcome, plies } = known.value;
  if (!winner) return outcome;
  return (winner === mover ? "win" : "loss") + (plies ? ` ${movesIn(plies)}` : "");
}

/** A value as a phrase: `you win by 2 points`. @param {Known} known @param {Names} names */
export function phrase({ value, to_come: toCome }, names) {
  if (!value) return toCome === null ? "value not known" : `${signed(toCome)} from here on`;
  const winner = winnerOf(value);
  if (!winner) return `a ${value.outcome}`;
  return names.does(winner, "win") + margin(value);
}

/** By how much or how soon a value is a win: ` by 2 points`, ` in 3 moves`. @param {Value} value */
function margin({ score, plies }) {
  if (score !== null) return ` by ${counted(size(score), "point")}`;
  return plies ? ` in ${counted(movesIn(plies), "move")}` : "";
}

/** A text that begins with a capital letter. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text with a full stop at its end. @param {string} text */
export const stopped = (text) => text.replace(/([^.])$/, "$1.");

/** What best play leads to, or what is proved about it. @param {Answer} answer @param {Names} names */
export function verdict(answer, names) {
  const { value, to_come: toCome, bounds, is_complete: isComplete } = answer;
  if (value) {
    const said = phrase(answer, names);
    return winnerOf(value) ? `${sentence(said)} with best play` : `Best play ends in ${said}`;
  }
  if (toCome !== null) {
    const who = favours(answer);
    if (who !== "first" && who !== "second") return "Both players make the same number of points from here on";
    return `${sentence(names.does(who, "make"))} ${counted(size(toCome), "point")} more from here on`;
  }
  if (isComplete) return "";
  if (bounds) return `${sentence(named(bounds.words, names))}; more is not proved yet`;
  const { to_come_min: least, to_come_max: most } = answer;
  if (least === null) return "Nothing is proved yet";
  return `The score from here on is from ${least} to ${most}; more is not proved yet`;
}

/** Words of the server with the names of the players. @param {string} text @param {Names} names */
export function named(text, names) {
  const signed = text.replace(/-(?=\d)/g, MINUS);
  return signed.replace(/\bthe (first|second) player('s| does not)?/gi, (_, side, rest) => {
    const player = side.toLowerCase() === "first" ? /** @type {const} */ ("first") : "second";
    if (rest === "'s") return names.whose(player);
    return rest ? `${names.does(player, "do")} not` : names.of(player);
  });
}

/** The result of a finished game, if its value is known: `You lost by 1 point`. @param {Answer} answer @param {Names} names */
export function result({ value }, names) {
  if (!value) return "The game is over";
  const winner = winnerOf(value);
  if (!winner) return sentence(`a ${value.outcome}`);
  const { you } = names;
  const by = value.score === null ? "" : margin(value);
  return `${you && you !== winner ? "You lost" : `${sentence(names.of(winner))} won`}${by}`;
}

/** A move by its place on the board, if it has one: `c2`, not the number of the tile. @param {Pick<Move, "move" | "places">} choice */
export function moveName({ move, places }) {
  return places.length === 1 ? places[0] : move;
}

/**
 * `?` for a mistake, `??` for one that changes the outcome, and nothing otherwise.
 * @param {Move | null | undefined} choice
 */
export function flaw(choice) {
  return choice?.class === "keeps-outcome" ? "?" : choice?.class === "changes-outcome" ? "??" : "";
}

/** What a move costs: `costs 2 points`. @param {Move} choice */
export function costs({ cost, class: effect }) {
  if (effect === "best") return "best";
  if (cost !== null && number(cost) > 0) return `costs ${counted(cost, "point")}`;
  return effect === "keeps-outcome" ? "not the best" : effect === "changes-outcome" ? "a mistake" : "";
}

/** Whether a move is a mistake. @param {Move} choice */
export const isMistake = ({ class: effect, cost }) =>
  effect === "changes-outcome" || (cost !== null && number(cost) > 0);

/**
 * Why a best move is good, if there is a reason: as a clause without a full stop.
 * @param {Move} choice
 * @param {Answer} answer
 * @param {BoardModule} module
 * @param {string[]} liked the heuristics that prefer it
 */
export function reason(choice, { moves }, module, liked) {
  const { plies, outcome } = choice.value ?? {};
  const winner = winnerOf(choice.value);
  const isKept = moves.filter(({ value }) => value && winnerOf(value) === winner).length;
  if (plies === 1) return "it wins at once";
  const own = module.reason?.(choice, moves);
  if (own) return own;
  if (outcome && isKept === 1 && moves.length > 1)
    return `it is the only move that ${winner ? "wins" : `keeps the ${outcome}`}`;
  return Object.entries(module.reasons ?? {}).find(([name]) => liked.includes(name))?.[1];
}

/**
 * What a mistake gives away compared with the best choice.
 * @param {Move} choice
 * @param {Move} best
 * @param {Names} names
 */
export function blunder(choice, best, names) {
  /** @param {Value} value */
  const won = ({ outcome, score }) => {
    const winner = winnerOf({ outcome });
    return winner ? `${names.whose(winner)} win${score === null ? "" : ` by ${size(score)}`}` : `a ${outcome}`;
  };
  const said = `${moveName(choice)} ${costs(choice) === "a mistake" ? "is a mistake" : costs(choice)}`;
  if (!choice.value || !best.value) return `${said}.`;
  const { score } = choice.value;
  const isKept = winnerOf(choice.value) && choice.value.outcome === best.value.outcome && score !== null;
  return `${said}: ${won(best.value)} becomes ${isKept ? `a win by ${size(score)}` : won(choice.value)}.`;
}

/** A text that is the same for moves of equal value. @param {Known} known */
export const worth = ({ value, to_come: toCome }) => JSON.stringify([value, toCome]);

/** The shades of moves by their effect: the best, those that keep the outcome, and those that change it. */
export const SHADES = { best: [0, 0], "keeps-outcome": [1, 2], "changes-outcome": [3, 4] };

/**
 * How bad each move with a known value is, from 0 for the best to 4 for the worst.
 * @param {Move[]} moves best first
 * @returns {Map<Move, number>}
 */
export function shades(moves) {
  const known = moves.filter(isKnown);
  return new Map(
    known.map((choice) => {
      const [least, most] = SHADES[choice.class ?? "best"];
      const same = known.filter((one) => one.class === choice.class);
      const steps = [...new Set(same.map(worth))];
      const rank = steps.indexOf(worth(choice)) / Math.max(1, steps.length - 1);
      return [choice, Math.round(least + rank * (most - least))];
    }),
  );
}

/** The rules that differ from the default, for a title. @param {Rules} rules @param {RuleOption[]} options */
export function rulesLabel(rules, options) {
  const parts = options.map(({ name, parameter, kind, default: usual }) => {
    const value = rules[parameter] ?? null;
    if (value === null || (value === usual && parameter !== "board")) return "";
    if (kind.type === "board") return value.replace("x", "×").replace(/:.*/, " (part)");
    return kind.type === "truth" ? name + (value === "yes" ? "" : ": no") : `${name} ${value.replace("-", MINUS)}`;
  });
  return parts.filter(Boolean).join(", ");
}

/** The units of a time, with their seconds. @type {[string, number][]} */
const UNITS = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
  ["year", 31_557_600],
];

/** About how long a time is: `3 minutes`. @param {number} seconds */
export function timeSpan(seconds) {
  const [noun, size] = UNITS.findLast(([, size]) => seconds >= 1.5 * size) ?? UNITS[0];
  return counted(Math.round(seconds / size), noun);
}

/** The progress of a search, in steps that are few enough to be read aloud. @param {{ done: number, units: number }} progress */
export function progressOf({ done, units }) {
  const tenths = Math.floor((10 * done) / units);
  if (units) return tenths ? ` ${10 * tenths} %` : "";
  return done < 1e6 ? "" : ` ${Math.floor(done / 1e6)} million positions`;
}
