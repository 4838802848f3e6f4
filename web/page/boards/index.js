// The games with a board module. Others are drawn from their scene alone.

import * as britishSquare from "./british-square.js";
import * as dots from "./dots.js";
import * as mnk from "./mnk.js";
import * as rpsw from "./rpsw.js";

const BOARDS = { "british-square": britishSquare, dots, mnk, rpsw };

/** What a module may export, with the default:
 *  `piece(place)`: the drawing of a piece in a square of 100;
 *  `corner(index)`: a text in the corner of a cell;
 *  `noun(place)`: the name of a piece for screen readers;
 *  `tally(scene)`: the points so far as text;
 *  `claims`: whether players claim places;
 *  `typed`: an example of an opponent given as text;
 *  `home`: whether the first and last rows belong to the players, and the board can be turned;
 *  `starts`: buttons for other starts, each with a function from the usual start;
 *  `rules(rules)`: sentences about the rules. */
export const boardOf = (game) => BOARDS[game] ?? {};
