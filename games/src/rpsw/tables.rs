//! Tables of a census: positions by result, depth to win and material.

use super::Piece;
use super::census::Census;
use super::retrograde::{ByMaterial, MATERIALS};
use bsq_engine::results::column::{integer, label, text};
use bsq_engine::results::{Cell, Table};

/// The letters of a set of pieces, such as `RPW`.
pub fn material(bits: usize) -> String {
    let letters = Piece::ALL.into_iter().zip(['R', 'P', 'S', 'W']);
    letters.filter(|(kind, _)| bits >> kind.index() & 1 == 1).map(|(_, letter)| letter).collect()
}

/// The result for the player to move: `won` after an odd number of plies, otherwise `lost`.
fn result(plies: u32) -> &'static str {
    if plies % 2 == 1 { "won" } else { "lost" }
}

/// Positions by depth to win, in plies.
pub fn iterations_table(census: &Census) -> Table {
    let mut table = Table::new(
        "rpsw-iterations",
        "Positions by the plies in which they are decided",
        &[
            label("plies", "moves of both players until the game is won, with best play"),
            text("result", "for the player to move; after all plies those never decided"),
            integer("positions", "positions, of two mirror images one"),
        ],
    );
    for (plies, found) in census.by_plies() {
        table.push(vec![plies.into(), result(plies).into(), found.total().into()]);
    }
    table.push(vec!["all".into(), "drawn".into(), census.drawn().into()]);
    table.push(vec!["all".into(), "all".into(), census.positions.total().into()]);
    table
}

/// Positions by the material of both players and the result.
pub fn material_table(census: &Census) -> Table {
    let mut table = Table::new(
        "rpsw-material",
        "Positions by material and result",
        &[
            text("mover", "the pieces of the player to move: rock, paper, scissors, well"),
            text("other", "the pieces of the other player"),
            integer("won", "positions won by the mover"),
            integer("lost", "positions lost by the mover"),
            integer("drawn", "positions that neither can win"),
            integer("positions", "positions, of two mirror images one"),
            integer("longest_win", "plies of the longest win of the mover"),
            integer("longest_loss", "plies of the longest loss of the mover"),
        ],
    );
    for (mover, other) in pairs(census) {
        let names = [material(mover), material(other)];
        table.push(material_row(census, names, &|counts| counts.0[mover][other]));
    }
    table.push(material_row(census, ["all", "all"].map(str::to_string), &ByMaterial::total));
    table
}

/// The pairs of materials with at least one position.
fn pairs(census: &Census) -> impl Iterator<Item = (usize, usize)> + '_ {
    let pairs = (1..MATERIALS).flat_map(|mover| (1..MATERIALS).map(move |other| (mover, other)));
    pairs.filter(|&(mover, other)| census.positions.0[mover][other] > 0)
}

fn material_row(
    census: &Census,
    names: [String; 2],
    count: &dyn Fn(&ByMaterial) -> u64,
) -> Vec<Cell> {
    let rounds = |wanted: u32| {
        let rounds = census.by_plies().map(|(plies, found)| (plies, count(found)));
        rounds.filter(move |&(plies, found)| plies % 2 == wanted && found > 0)
    };
    let [won, lost] = [1, 0].map(|wanted| rounds(wanted).map(|(_, found)| found).sum::<u64>());
    let [longest_win, longest_loss] =
        [1, 0].map(|wanted| rounds(wanted).map(|(plies, _)| plies).max());
    let all = count(&census.positions);
    // Only totals are verified when a tablebase is opened: a damaged file may have any numbers
    // here.
    let drawn = all.saturating_sub(won).saturating_sub(lost);
    let counts = [won, lost, drawn, all].map(Cell::from);
    let longest = [longest_win, longest_loss].map(Cell::from);
    names.map(Cell::from).into_iter().chain(counts).chain(longest).collect()
}

/// Positions by the material of both players and depth to win, in plies.
pub fn distances_table(census: &Census) -> Table {
    let mut table = Table::new(
        "rpsw-distances",
        "Positions by material and plies",
        &[
            text("mover", "the pieces of the player to move: rock, paper, scissors, well"),
            text("other", "the pieces of the other player"),
            integer("plies", "moves of both players until the game is won, with best play"),
            text("result", "for the player to move"),
            integer("positions", "positions, of two mirror images one"),
        ],
    );
    for (mover, other) in pairs(census) {
        for (plies, found) in census.by_plies() {
            let count = found.0[mover][other];
            if count > 0 {
                let names = [material(mover), material(other)].map(Cell::from);
                let rest = [plies.into(), result(plies).into(), count.into()];
                table.push(names.into_iter().chain(rest).collect());
            }
        }
    }
    table
}
