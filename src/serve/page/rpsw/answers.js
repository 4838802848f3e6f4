// Questions to the server about rock-paper-scissors-well.

import { get } from "../api.js";
import { asker, askSteps } from "../steps.js";

// Moves of best play that the server looks for.
const LONGEST = 70;
const askServer = asker("/api/rpsw");

/** Best play takes the server longest, and is asked for where it is shown. */
const ask = (parameters, line = 0) => askServer({ ...parameters, line });

/** Whether the server has nothing to look this game up in. */
export async function isMissing() {
  const games = await get("/api/games");
  return games.some(({ name, missing }) => name === "rpsw" && missing !== null);
}

/** The start of the game. */
export const usualStart = () => ask({});

/** What is known after a move. */
export const after = ({ position }, move) => ask({ position, moves: move });

/** Best play from a position; none where the server refuses. */
export function bestLine({ position }) {
  return ask({ position }, LONGEST).then(({ line }) => line, () => []);
}

/** The steps of a game; fails with the server's sentence. */
export const steps = ({ position, moves }) => askSteps(ask, position ? { position } : {}, moves);
