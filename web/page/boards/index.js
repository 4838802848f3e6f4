// The games with a board module. Others are drawn from their scene alone.

/** @import { Move, Player, Rules, Scene } from "../../types/api.js" */
/** @import { LessonText } from "../activities/lesson.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

import * as britishSquare from "./british-square.js";
import * as dots from "./dots.js";
import * as mnk from "./mnk.js";
import * as rpsw from "./rpsw.js";

/** A piece that stands somewhere. @typedef {{ owner: Player | null, symbol: string }} Piece */

/**
 * What a module may export.
 * @typedef {object} BoardModule
 * @property {(piece: Piece) => TemplateResult} [piece] the drawing of a piece in a square of 100
 * @property {(index: number) => string} [corner] a text in the corner of a cell
 * @property {(piece: Piece) => string} [noun] the name of a piece for screen readers
 * @property {(scene: Scene) => string} [tally] the points so far
 * @property {boolean} [claims] whether players claim places
 * @property {string} [typed] an example of an opponent given as text
 * @property {boolean} [home] whether the first and last rows belong to the players, and the board can be turned
 * @property {Record<string, (start: string) => string>} [starts] buttons for other starts, from the usual start
 * @property {(rules: Rules) => string[]} [rules] sentences about the rules
 * @property {string[]} [terms] terms of the glossary in the rules of the game
 * @property {boolean} [hasPoints] whether values are points
 * @property {string} [intro] the game in two sentences
 * @property {{ rules: Rules, moves: string[], say: string }} [example] a position, and what to say about it
 * @property {LessonText} [lesson] a guided game
 * @property {(choice: Move, moves: Move[]) => string | undefined} [reason] why a best move is good, as a clause
 * @property {Record<string, string>} [reasons] the same by the name of a heuristic that prefers it
 * @property {(choice: Move) => string} [fault] what is wrong with a mistake, as a sentence after a blank, or nothing
 */

/** @type {Record<string, BoardModule>} */
const BOARDS = { "british-square": britishSquare, dots, mnk, rpsw };

/** @param {string} game @returns {BoardModule} */
export const boardOf = (game) => BOARDS[game] ?? {};
