// Links: what they say of a game and what to do with it. What they say is not validated here.

/** @import { Info, Player } from "../types/api.js" */
/** @import { Task } from "./activities/activity.js" */
/** @import { Played } from "./game.js" */
/** @import { State } from "./state.js" */

import { parameters, words } from "./game.js";
import { SIDES } from "./state.js";

/**
 * What can be opened.
 * @typedef {Played & { at?: number, task: Task }} Wanted
 */

/**
 * A link: what it opens, and how it is shown.
 * @typedef {object} Link
 * @property {Wanted} wanted
 * @property {Record<Player, string>} players
 * @property {boolean} flipped
 * @property {boolean} values
 * @property {string | null} error what is wrong with it, as far as is known
 */

/** @typedef {Pick<URL, "pathname" | "search" | "hash">} Address */

/** The parameters of an address. Earlier links have them in the fragment. @param {Address} address */
const parametersOf = ({ search, hash }) => new URLSearchParams(search || hash.slice(1));

/** The last part of the path, which is the name of the game in earlier links. @param {Address} address */
const pageOf = ({ pathname }) => pathname.split("/").at(-1)?.replace("index.html", "") ?? "";

/** Whether an address is that of no game, but of all. @param {Address} address */
export const isHome = (address) => pageOf(address) === "" && parametersOf(address).size === 0;

/** Whether an address names a game, its rules, or what is done with it. @param {Address} address @param {Info[]} games */
export function isLink(address, games) {
  const rules = games.flatMap(({ options }) => options.map(({ parameter }) => parameter));
  const known = new Set([...rules, "game", "moves", "position", "puzzle", "learn", "edit"]);
  const isNamed = games.some(({ name }) => name === pageOf(address));
  return isNamed || [...parametersOf(address).keys()].some((name) => known.has(name));
}

/**
 * @param {Address} address
 * @param {Info[]} games
 * @returns {Link}
 */
export function parseLink(address, games) {
  const given = parametersOf(address);
  const name = given.get("game") ?? pageOf(address);
  const info = games.find((game) => game.name === name) ?? games[0];
  // Earlier links have `true` for `yes`.
  /** @param {string} parameter */
  const value = (parameter) => {
    const text = given.get(parameter);
    return text === "true" ? "yes" : text === "false" ? "no" : text;
  };
  const set = info.options.map(({ parameter }) => [parameter, value(parameter)]).filter(([, text]) => text !== null);
  const moves = words(given.get("moves"));
  const at = Number.parseInt(given.get("at") ?? String(moves.length), 10) || 0;
  return {
    wanted: { info, rules: Object.fromEntries(set), start: given.get("position"), moves, at, task: taskOf(given) },
    players: { first: given.get("first") || "you", second: given.get("second") || "you" },
    flipped: given.get("flip") === "yes",
    values: given.get("values") === "yes",
    error: name && name !== info.name ? `There is no game '${name}'.` : null,
  };
}

/** @param {URLSearchParams} given @returns {Task} */
function taskOf(given) {
  const [task, draft] = [given.get("puzzle"), given.get("edit")];
  if (given.get("learn") === "yes") return { name: "learn" };
  const seed = Number.parseInt(given.get("seed") ?? "0", 10) || 0;
  if (task) return { name: "puzzle", task, level: given.get("level") ?? "", seed };
  if (given.get("review") === "yes") return { name: "review" };
  return draft ? { name: "edit", draft } : { name: "play" };
}

/** The query of a link to what is shown. @param {State} state */
export function linkTo({ activity, game, games, isHome, players, shown }) {
  if (!game || isHome) return "";
  const { info } = game;
  const given = [...parameters(activity.linked(game))];
  // The address without a query offers all games.
  const isNamed = info !== games[0] || (given.length === 0 && activity.link.length === 0);
  const all = new URLSearchParams(isNamed ? { game: info.name } : {});
  for (const [name, value] of given) all.set(name, value);
  if (game.looksBack) all.set("at", String(game.at));
  for (const side of SIDES) if (players[side] !== "you") all.set(side, players[side]);
  if (shown.flipped) all.set("flip", "yes");
  if (shown.values) all.set("values", "yes");
  for (const [name, value] of activity.link) all.set(name, value);
  return `?${all}`.replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%7C", "|");
}

/** Shows the link to what is shown in the address bar. @param {State} state @param {"pushState" | "replaceState"} history */
export function follow(state, history) {
  const link = new URL(".", location.href) + linkTo(state);
  if (link !== location.href) window.history[history](null, "", link);
}
