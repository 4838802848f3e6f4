//! Rock-paper-scissors-well: how many positions are won and lost, and how soon.

use crate::{Cell, Kind, Table};
use bsq_engine::game::rpsw::Kind as Piece;
use bsq_engine::game::rpsw::sets::{ByMaterial, MATERIALS};
use bsq_engine::solve::retrograde::Solved;

/// A row for each number of plies: how many positions are decided in exactly so many.
pub fn iterations_table(solved: &Solved<ByMaterial>) -> Table {
    let mut table = Table::new(
        "rpsw-iterations",
        "Positions by the plies in which they are decided",
        &[
            ("plies", Kind::Label, "moves of both players until the game is won, with best play"),
            ("result", Kind::Text, "for the player to move; after all plies those never decided"),
            ("positions", Kind::Integer, "positions, of two mirror images one"),
        ],
    );
    let mut decided = 0;
    for round in &solved.rounds {
        let result = if round.plies % 2 == 1 { "won" } else { "lost" };
        let found = round.found.total();
        table.push(vec![round.plies.into(), result.into(), found.into()]);
        decided += found;
    }
    let all = solved.positions.total();
    table.push(vec!["all".into(), "drawn".into(), (all - decided).into()]);
    table.push(vec!["all".into(), "all".into(), all.into()]);
    table
}

/// A row for each material of the two players: how many positions are won, lost and drawn.
pub fn material_table(solved: &Solved<ByMaterial>) -> Table {
    let mut table = Table::new(
        "rpsw-material",
        "Positions by material and result",
        &[
            ("mover", Kind::Text, "the pieces of the player to move: rock, paper, scissors, well"),
            ("other", Kind::Text, "the pieces of the other player"),
            ("won", Kind::Integer, "positions won by the mover"),
            ("lost", Kind::Integer, "positions lost by the mover"),
            ("drawn", Kind::Integer, "positions that neither can win"),
            ("positions", Kind::Integer, "positions, of two mirror images one"),
        ],
    );
    let mut sums = [0; 4];
    for mover in 1..MATERIALS {
        for other in 1..MATERIALS {
            // What is lost is counted with the mover's pieces first, what is won with the other's.
            let count = |won: u32| -> u64 {
                let rounds = solved.rounds.iter().filter(|round| round.plies % 2 == won);
                let (row, column) = if won == 1 { (other, mover) } else { (mover, other) };
                rounds.map(|round| round.found.0[row][column]).sum()
            };
            let all = solved.positions.0[mover][other];
            let (won, lost) = (count(1), count(0));
            let counts = [won, lost, all - won - lost, all];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            let names = [material(mover), material(other)].map(Cell::from);
            if all > 0 {
                table.push(names.into_iter().chain(counts.map(Cell::from)).collect());
            }
        }
    }
    let names = ["all", "all"].map(Cell::from);
    table.push(names.into_iter().chain(sums.map(Cell::from)).collect());
    table
}

/// The letters of the pieces, such as `RPW`.
fn material(bits: usize) -> String {
    let letters = Piece::ALL.into_iter().zip(['R', 'P', 'S', 'W']);
    letters.filter(|(kind, _)| bits >> kind.index() & 1 == 1).map(|(_, letter)| letter).collect()
}
