//! Whether the second player holds a tie by mirroring, and where another reply is better.

use crate::british_square::openings::opening_values;
use crate::chart::{Chart, Figure};
use crate::column::{integer, label, text, truth};
use crate::{Analysis, AnalysisError, Cell, Request, Table};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::Solved;
use bsq_games::british_square::{BritishSquare, Cells, Move, Position};
use dashmap::DashSet;
use rayon::prelude::*;

/// A dot for each opening and turn. Lines would need more colours than there are.
pub const BY_TURN_CHART: Chart = Chart {
    x: "turn",
    y: &["positions"],
    log_y: true,
    x_label: "turn",
    y_label: "positions, a dot for each tied opening",
    ..Chart::new(
        "mirror_by_turn",
        Figure::Points,
        "In how many positions can the second player mirror?",
    )
};

/// The analysis `mirror`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&BY_TURN_CHART),
    ..super::solving(
        "mirror",
        "that mirroring holds the tied openings, and where leaving the mirror does better",
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let game = request.game()?;
    let solved = request.solve(&game)?;
    let rules = request.rules()?;
    let board = &rules.board;
    let mut openings = Table::new(
        "mirror",
        "Mirroring the tied openings",
        &[
            integer("tile", "the opening: tile number, 1 at the top left, by rows"),
            text("coordinate", "the same as column letter and row number"),
            truth(
                "holds",
                "whether the mirrored reply was legal against everything and every game ended level in pieces",
            ),
            integer(
                "positions",
                "different positions on the second player's turn, images not merged",
            ),
            integer("ends", "different final positions of mirrored games"),
            integer(
                "better",
                "positions where another reply does better than the mirror, under perfect play from there",
            ),
            integer("gain_most", "points that the best of these gains"),
            integer(
                "better_first_turn",
                "the earliest turn with such a position; empty if there is none",
            ),
            text("example", "the first such position on that turn"),
            text("example_replies", "tiles of the best replies there"),
        ],
    );
    openings.screen = vec![
        "tile",
        "coordinate",
        "holds",
        "positions",
        "ends",
        "better",
        "gain_most",
        "better_first_turn",
    ];
    let mut turns = Table::new(
        "mirror_by_turn",
        "Mirroring, turn by turn",
        &[
            integer("tile", "the opening: tile number"),
            label("turn", "number of the turn on which the second player replies; all for the sum"),
            integer("positions", "different positions on that turn"),
            integer("better", "of these, where another reply does better"),
            integer("gain_most", "points that the best of these gains"),
        ],
    );
    // The bias is ignored: an opening ties if both players end with the same number of pieces.
    let level = Some(-rules.bias);
    let values = opening_values(&game, &solved);
    for cell in (0..board.cells()).filter(|&cell| values[cell] == level) {
        request.monitor.begin("mirrored turns", board.cells() as u64);
        let walk = Walk::from_opening(&game, &solved, cell, &request.monitor)?;
        let total = walk.total();
        let first_better = walk.turns.iter().find(|turn| turn.better > 0);
        let example = first_better.and_then(|turn| turn.example);
        openings.push(vec![
            board.tile(cell).into(),
            board.coordinate(cell).into(),
            walk.holds.into(),
            total.positions.into(),
            walk.ends.into(),
            total.better.into(),
            total.gain_most.into(),
            first_better.map(|turn| turn.turn).into(),
            example.map(|p| rules.format_position(&p)).into(),
            example.map(|p| best_replies(&game, &solved, &p)).into(),
        ]);
        let labelled = walk.turns.iter().map(|turn| (Cell::from(turn.turn), turn));
        for (label, turn) in labelled.chain([("all".into(), &total)]) {
            let counts = [turn.positions.into(), turn.better.into(), turn.gain_most.into()];
            turns.push([board.tile(cell).into(), label].into_iter().chain(counts).collect());
        }
    }
    if openings.rows.is_empty() {
        openings.note = Some("No opening ties in pieces.".to_string());
    }
    Ok(vec![openings, turns])
}

/// All games from one opening in which the second player mirrors, enumerated turn by turn.
struct Walk {
    holds: bool,
    ends: u64,
    turns: Vec<Turn>,
}

/// The positions of one turn of the second player.
#[derive(Clone, Copy, Default)]
struct Turn {
    turn: u32,
    positions: u64,
    better: u64,
    gain_most: i32,
    /// The least position, ordered by pieces, in which another reply is better.
    example: Option<Position>,
}

impl Walk {
    fn from_opening(
        game: &BritishSquare,
        solved: &Solved,
        cell: usize,
        monitor: &Monitor,
    ) -> Result<Walk, SolveError> {
        let rules = game.rules();
        let mut walk = Walk { holds: true, ends: 0, turns: Vec::new() };
        let mut level = vec![rules.play(&rules.start(), Move::Place(cell))];
        while !level.is_empty() {
            monitor.check()?;
            walk.turns.push(turn_of(game, solved, &level));
            let ends = DashSet::new();
            let next = DashSet::new();
            let held = level.par_iter().map(|position| {
                let Some(mirrored) = mirror(game, position) else { return false };
                let moves = rules.moves(&mirrored);
                if rules.is_terminal(&mirrored) {
                    ends.insert(mirrored);
                    return mirrored.lead() == 0;
                }
                for mv in moves {
                    next.insert(rules.play(&mirrored, mv));
                }
                true
            });
            walk.holds &= held.reduce(|| true, |a, b| a & b);
            walk.ends += ends.len() as u64;
            level = next.into_iter().collect();
            level.par_sort_unstable();
            monitor.advance(1);
        }
        Ok(walk)
    }

    /// The sum over all turns.
    fn total(&self) -> Turn {
        self.turns.iter().fold(Turn::default(), |total, turn| Turn {
            positions: total.positions + turn.positions,
            better: total.better + turn.better,
            gain_most: total.gain_most.max(turn.gain_most),
            ..total
        })
    }
}

/// Returns the position after the second player's point reflection of the last move; `None` if that
/// is illegal.
fn mirror(game: &BritishSquare, position: &Position) -> Option<Position> {
    let rules = game.rules();
    let answered = opposite(game, position.pieces[1]);
    let answer = opposite(game, position.pieces[0] & !answered);
    let legal = rules.legal(position, position.to_move);
    let single = answer.count_ones() == 1 && answer & !legal == 0;
    single.then(|| rules.play(position, Move::Place(answer.trailing_zeros() as usize)))
}

fn opposite(game: &BritishSquare, cells: Cells) -> Cells {
    let board = &game.rules().board;
    cells.reverse_bits() >> (Cells::BITS as usize - board.cells())
}

/// Compares the values of the positions of a turn with the score of 0 that mirroring gives.
fn turn_of(game: &BritishSquare, solved: &Solved, level: &[Position]) -> Turn {
    let judged = level.par_iter().map(|position| {
        let value = solved.get(game.node(position).smallest()).expect("play reaches it");
        (-value, *position)
    });
    let gains: Vec<(i32, Position)> = judged.filter(|(gain, _)| *gain > 0).collect();
    Turn {
        turn: level[0].turn,
        positions: level.len() as u64,
        better: gains.len() as u64,
        gain_most: gains.iter().map(|(gain, _)| *gain).max().unwrap_or(0),
        example: gains.iter().map(|(_, position)| *position).min(),
    }
}

/// Formats the second player's perfect moves as tile numbers.
fn best_replies(game: &BritishSquare, solved: &Solved, position: &Position) -> String {
    let values = game.move_values(solved, position);
    let best = values.iter().flatten().min().copied();
    let tiles = (1..).zip(&values).filter(|(_, value)| value.is_some() && **value == best);
    tiles.map(|(tile, _): (u32, _)| tile.to_string()).collect::<Vec<_>>().join(" ")
}
