// Drawings of pieces, in a square of 100.

/** @import { Player } from "../types/api.js" */

import { nothing, svg } from "./vendor/lit-html/lit-html.js";

export const cross = () => svg`<path class="piece-line first" d="M27 27 73 73M73 27 27 73"/>`;
export const ring = () => svg`<circle class="piece-line second" cx="50" cy="50" r="26"/>`;

/** The ground of a player's pieces: a disc or a rounded square. @param {Player} player */
export const token = (player) =>
  player === "first"
    ? svg`<circle class="token first" cx="50" cy="50" r="39"/>`
    : svg`<rect class="token second" x="13" y="13" width="74" height="74" rx="14"/>`;

/**
 * A piece of a game that draws none: its symbol on the ground of its player.
 * @param {{ owner: Player | null, symbol: string | null }} piece
 */
export const symbol = ({ owner, symbol: text }) => svg`
  ${owner ? token(owner) : nothing}
  <text class="symbol" x="50" y="64" text-anchor="middle">${text}</text>`;
