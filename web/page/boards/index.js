// The games with a board module. Others are drawn from their scene alone.

/** @import { Answer, Fact, Move, Player, Rules, Scene } from "../../types/api.js" */
/** @import { LessonText } from "../activities/lesson.js" */
/** @import { Names } from "../names.js" */
/** @import { TemplateResult } from "../vendor/lit-html/lit-html.js" */

import * as britishSquare from "./british-square.js";
import * as dots from "./dots.js";
import * as mnk from "./mnk.js";
import * as rpsw from "./rpsw.js";

/** A piece that stands somewhere. @typedef {{ owner: Player | null, symbol: string }} Piece */

/** Points so far, and how many belong to an unknown player. @typedef {{ first: number, second: number, unknown: number }} Tally */

/**
 * What a module may export.
 * @typedef {object} BoardModule
 * @property {(piece: Piece) => TemplateResult} [piece] the drawing of a piece in a square of 100
 * @property {(index: number) => string} [tile] the number of a cell in records
 * @property {(piece: Piece) => string} [noun] the name of a piece for screen readers
 * @property {(scene: Scene) => Tally} [tally] the points so far
 * @property {(answer: Answer) => string[]} [winning] the places that decided a finished game
 * @property {boolean} [claims] whether players claim places
 * @property {string} [typed] an example of an opponent given as text
 * @property {boolean} [home] whether the first and last rows belong to the players, and the board can be turned
 * @property {Record<string, (start: string) => string>} [starts] buttons for other starts, from the usual start
 * @property {(rules: Rules) => string[]} [rules] sentences about the options of the rules
 * @property {string[]} [terms] terms of the glossary in the rules of the game
 * @property {number} [minutes] how long a game takes
 * @property {Rules} [usual] the board that is offered first, if it is not that of the default rules
 * @property {boolean} [hasPoints] whether values are points
 * @property {(answer: Answer, names: Names, nimber: Fact) => string[]} [counts] what experienced players count, in sentences
 * @property {number} [nimbers] the most legal moves of a position whose nimber is searched for
 * @property {string} [prompt] how to move, in a sentence
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
