// Five levels of the computer in words, each the agent whose measured mistakes are nearest to those of the level.

/** @import { Agent } from "../types/api.js" */

/** The share of mistakes that a level aims at, in percent. @type {[string, number][]} */
const AIMS = [
  ["Beginner", 60],
  ["Easy", 30],
  ["Medium", 12],
  ["Strong", 4],
];
/** The most that the mistakes of an agent may differ from the aim, as a factor. */
const NEAR = 1.6;
/** Perfect play with a share of random moves. */
const MISTAKES = /^mistakes-(\d+)$/;

/** A level, with the name of its agent. @typedef {{ name: string, agent: string }} Level */

/** The levels of a game, the weakest first. @param {Agent[]} agents @returns {Level[]} */
export function levelsOf(agents) {
  const levels = AIMS.map(([name, aim]) => {
    const far = (/** @type {number} */ mistakes) => Math.abs(Math.log(mistakes / aim));
    const measured = agents.flatMap(({ name: agent, mistakes }) => (mistakes ? [{ agent, far: far(mistakes) }] : []));
    const nearest = measured.sort((a, b) => a.far - b.far)[0];
    return { name, agent: nearest && nearest.far <= Math.log(NEAR) ? nearest.agent : `mistakes-${aim}` };
  });
  return agents.some(({ name }) => name === "perfect") ? [...levels, { name: "Perfect", agent: "perfect" }] : levels;
}

/** The agent against whom a newcomer plays. @param {Agent[]} agents */
export const gentle = (agents) => levelsOf(agents)[1].agent;

/** Whether a game has an agent of a name. @param {Agent[]} agents @param {string} name */
export const hasAgent = (agents, name) => agents.some((agent) => agent.name === name) || MISTAKES.test(name);

/** The share of random moves in percent of an agent that otherwise plays perfectly; null for other agents. @param {string} name */
export const shareOf = (name) => MISTAKES.exec(name)?.[1] ?? null;

/** The agent of the next level; null if there is none, or if an agent is not that of a level. @param {Agent[]} agents @param {string} name */
export function stronger(agents, name) {
  const levels = levelsOf(agents);
  const at = levels.findIndex(({ agent }) => agent === name);
  return at < 0 ? null : (levels[at + 1]?.agent ?? null);
}

/** What an agent does, and how often it is wrong, in a sentence. @param {Agent[]} agents @param {string} name */
export function about(agents, name) {
  const known = agents.find((agent) => agent.name === name);
  const share = shareOf(name);
  if (share !== null) return `Plays a best move, but ${share} % of its moves are random.`;
  if (!known) return "";
  const does = known.summary.charAt(0).toUpperCase() + known.summary.slice(1);
  return known.mistakes ? `${does}. Wrong in ${Math.round(known.mistakes)} % of its moves.` : `${does}.`;
}
