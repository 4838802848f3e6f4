//! The columns of positions: lines, boxes, chains and loops.

use super::heuristic::{Layout, Situation};
use super::{Component, Position, Rules, Word};
use bsq_engine::dataset::GameColumn;
use std::sync::Arc;

/// The columns under some rules.
pub fn all(rules: &Rules) -> Vec<GameColumn<Rules>> {
    if rules.board.is_small() { with_words::<u64>(rules) } else { with_words::<u128>(rules) }
}

fn with_words<W: Word>(rules: &Rules) -> Vec<GameColumn<Rules>> {
    let (layout, board) = (Arc::new(Layout::<W>::of(rules.board)), rules.board);
    let of_situation =
        |name: &'static str, help: &'static str, count: fn(&Situation<W>) -> usize| {
            let layout = Arc::clone(&layout);
            GameColumn::number(name, help, move |position: &Position| {
                Some(count(&layout.situation(position.lines)) as i64)
            })
        };
    let loony = Arc::clone(&layout);
    vec![
        GameColumn::number("lines", "lines drawn", move |position: &Position| {
            Some(position.lines.count_ones().into())
        }),
        GameColumn::number("boxes", "boxes closed", move |position: &Position| {
            Some(board.closed(position.lines).count_ones().into())
        }),
        of_situation(
            "capturable",
            "boxes that the player to move can take, one after the other",
            |at| at.capturable() as usize,
        ),
        of_situation(
            "safe_lines",
            "lines after which no box can be taken; none if one can be taken now",
            |at| at.safe_lines() as usize,
        ),
        of_situation(
            "chains",
            "chains: strings of boxes with two open sides each that are no loops, of any length",
            |at| at.strings().filter(|string| matches!(string, Component::Chain(_))).count(),
        ),
        of_situation("long_chains", "chains of three boxes or more", |at| {
            at.strings().filter(|string| matches!(string, Component::Chain(3..))).count()
        }),
        of_situation("loops", "loops: closed strings of boxes with two open sides each", |at| {
            at.strings().filter(|string| matches!(string, Component::Loop(_))).count()
        }),
        GameColumn::truth(
            "loony",
            "whether the last move was loony: the player to move can take all boxes, or leave the last \
             ones to the opponent, who then has to move",
            move |position: &Position| loony.situation(position.lines).is_loony(),
        ),
    ]
}
