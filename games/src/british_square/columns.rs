//! The columns of positions and moves: pieces, cells, and the features of heuristics.
//!
//! In columns the words of a feature are joined by `_`, as in `own_free`. A feature of territory is
//! that of the position; that after a move is `after_own_free`.

use super::board::Cells;
use super::heuristic::Decision;
use super::heuristic::features::{self, Choice, Feature, OpenCells};
use super::limits::MAX_SOLVED_CELLS;
use super::rules::{Move, Position, Rules};
use bsq_engine::dataset::GameColumn;
use bsq_engine::game::{Game as _, Player};
use std::sync::Arc;

/// Rules with the reach of each cell.
struct Prepared {
    rules: Rules,
    reach: Vec<Cells>,
}

impl Prepared {
    fn decision(&self, position: &Position) -> Decision<'_> {
        let legal = self.rules.legal(position, position.to_move);
        Decision::new(&self.rules, &self.reach, position, legal)
    }
}

/// The columns under some rules.
pub fn all(rules: &Rules) -> Vec<GameColumn<Rules>> {
    let reach = (0..rules.board.cells()).map(|cell| rules.board.reach(cell)).collect();
    let prepared = Arc::new(Prepared { rules: rules.clone(), reach });
    let pieces = |player: Player| {
        move |position: &Position| Some(i64::from(position.pieces[player.index()].count_ones()))
    };
    let numbers = [
        GameColumn::number("first_pieces", "pieces of the first player", pieces(Player::First)),
        GameColumn::number("second_pieces", "pieces of the second player", pieces(Player::Second)),
    ];
    let of_cells = |name: &'static str, help: &'static str, count: fn(&OpenCells) -> u32| {
        let prepared = Arc::clone(&prepared);
        GameColumn::number(name, help, move |position| {
            Some(count(&OpenCells::before(&prepared.decision(position))).into())
        })
    };
    let cells = [
        of_cells("free", "cells that one player can use and the other can never take", |open| {
            open.free().count_ones() + open.turned().free().count_ones()
        }),
        of_cells(
            "conflicting",
            "cells that a player can use and the other can still take, counted for both players",
            |open| open.conflicting().count_ones() + open.turned().conflicting().count_ones(),
        ),
    ];
    let passes = Arc::clone(&prepared);
    let pass = GameColumn::truth("pass", "whether the player to move has to pass", move |at| {
        passes.rules.legal(at, at.to_move) == 0 && passes.rules.legal(at, at.to_move.other()) != 0
    });
    let key = (rules.board.cells() <= MAX_SOLVED_CELLS).then(|| key(&prepared));
    let features = features::all().map(|feature| of_feature(feature, &prepared));
    let after =
        features::all().filter(|feature| feature.ranks_moves() && feature.tells_positions());
    let after = after.map(|feature| after_move(feature, &prepared));
    numbers.into_iter().chain(cells).chain([pass]).chain(key).chain(features).chain(after).collect()
}

/// The column of the 56-bit number with which Wellons's program stores a state.
fn key(prepared: &Arc<Prepared>) -> GameColumn<Rules> {
    let prepared = Arc::clone(prepared);
    let help = "the number of the position in Wellons's program: of all its images the smallest, with \
                the first player's tiles from bit 0, the second player's from bit 25, and the turn \
                from bit 50";
    GameColumn::number("key", help, move |position| {
        Some(prepared.rules.canonical(position).word() as i64)
    })
}

/// The name of a feature as a column.
fn name_of(feature: &Feature) -> String {
    feature.name.replace('-', "_")
}

/// The column of a feature: its value before the move, or for a feature of moves that of a move.
fn of_feature(feature: &'static Feature, prepared: &Arc<Prepared>) -> GameColumn<Rules> {
    if !feature.tells_positions() {
        return of_moves(feature, name_of(feature), feature.summary.to_string(), prepared);
    }
    let prepared = Arc::clone(prepared);
    GameColumn::number(name_of(feature), feature.summary, move |position| {
        feature.of_position(&prepared.decision(position)).map(i64::from)
    })
}

/// The column of a feature after the move, as rules of heuristics use it.
fn after_move(feature: &'static Feature, prepared: &Arc<Prepared>) -> GameColumn<Rules> {
    let name = name_of(feature);
    let help = format!("{name} after the move, before the opponent's reply");
    of_moves(feature, format!("after_{name}"), help, prepared)
}

fn of_moves(
    feature: &'static Feature,
    name: String,
    help: String,
    prepared: &Arc<Prepared>,
) -> GameColumn<Rules> {
    let prepared = Arc::clone(prepared);
    GameColumn::move_number(name, help, move |position, mv| match mv {
        Move::Place(cell) => {
            let decision = prepared.decision(position);
            Some(feature.of_move(&Choice::new(&decision, *cell)).into())
        }
        Move::Pass => None,
    })
}
