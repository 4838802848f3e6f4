//! Tables of a census: positions by result, depth to win and material.

use super::Piece;
use super::census::Census;
use super::retrograde::{ByMaterial, MATERIALS};
use bsq_engine::results::Table;
use bsq_engine::tabulate;

/// The letters of a set of pieces, such as `RPW`.
pub fn material(bits: usize) -> String {
    let letters = Piece::ALL.into_iter().zip(['R', 'P', 'S', 'W']);
    letters.filter(|(kind, _)| bits >> kind.index() & 1 == 1).map(|(_, letter)| letter).collect()
}

/// The result for the player to move: `won` after an odd number of plies, otherwise `lost`.
fn result(plies: u32) -> &'static str {
    if plies % 2 == 1 { "won" } else { "lost" }
}

/// Positions by depth to win, in plies, and by result.
pub fn iterations_table(census: &Census) -> Table {
    let title = "Positions by the plies in which they are decided";
    let rows = census.by_plies();
    let table = tabulate!("rpsw-iterations", title, for (plies, found) in rows.clone() => {
        "plies": integer key, "moves of both players until the game is won, with best play"
            => plies;
        "result": text, "for the player to move" => result(plies);
        "positions": integer, "positions, of two mirror images one" => found.total();
    });
    let total = tabulate!("rpsw-iterations-total", "Positions by result", for census in [census] => {
        let sum = |wanted: &str| {
            let found = rows.clone().filter(|(plies, _)| result(*plies) == wanted);
            found.map(|(_, found)| found.total()).sum::<u64>()
        };
        "won": integer, "positions won by the player to move" => sum("won");
        "lost": integer, "positions lost by the player to move" => sum("lost");
        "drawn": integer, "positions that neither can win" => census.drawn();
        "positions": integer, "positions, of two mirror images one" => census.positions.total();
    });
    Table { total: Some(Box::new(total)), ..table }
}

const MOVER: &str = "the pieces of the player to move: rock, paper, scissors, well";
const OTHER: &str = "the pieces of the other player";

/// Positions by the material of both players and the result.
pub fn material_table(census: &Census) -> Table {
    let title = "Positions by material and result";
    let table = tabulate!("rpsw-material", title, for pair in pairs(census).map(Some).chain([None]) => {
        let count = |counts: &ByMaterial| match pair {
            Some((mover, other)) => counts.0[mover][other],
            None => counts.total(),
        };
        let decided = |wanted: u32| {
            let rounds = census.by_plies().map(|(plies, found)| (plies, count(found)));
            rounds.filter(move |&(plies, found)| plies % 2 == wanted && found > 0)
        };
        let longest = |wanted| decided(wanted).map(|(plies, _)| plies).max().unwrap_or(0);
        let [won, lost] = [1, 0].map(|wanted| decided(wanted).map(|(_, found)| found).sum::<u64>());
        let all = count(&census.positions);
        "mover": text key, MOVER => pair.map(|(mover, _)| material(mover));
        "other": text key, OTHER => pair.map(|(_, other)| material(other));
        "won": integer, "positions won by the mover" => won;
        "lost": integer, "positions lost by the mover" => lost;
        // Only totals are verified when a tablebase is opened: a damaged file may have any numbers
        // here.
        "drawn": integer, "positions that neither can win"
            => all.saturating_sub(won).saturating_sub(lost);
        "positions": integer, "positions, of two mirror images one" => all;
        "longest_win": integer, "plies of the longest win of the mover; 0 if there is none"
            => longest(1);
        "longest_loss": integer, "plies of the longest loss of the mover; 0 if there is none"
            => longest(0);
    });
    table.total_over(&["mover", "other"])
}

/// The pairs of materials with at least one position.
fn pairs(census: &Census) -> impl Iterator<Item = (usize, usize)> + '_ {
    let pairs = (1..MATERIALS).flat_map(|mover| (1..MATERIALS).map(move |other| (mover, other)));
    pairs.filter(|&(mover, other)| census.positions.0[mover][other] > 0)
}

/// Positions by the material of both players and depth to win, in plies.
pub fn distances_table(census: &Census) -> Table {
    let rows = pairs(census).flat_map(|(mover, other)| {
        let counts = census.by_plies().map(move |(plies, found)| (plies, found.0[mover][other]));
        counts.filter(|(_, count)| *count > 0).map(move |found| (mover, other, found))
    });
    let title = "Positions by material and plies";
    tabulate!("rpsw-distances", title, for (mover, other, (plies, count)) in rows => {
        "mover": text key, MOVER => material(mover);
        "other": text key, OTHER => material(other);
        "plies": integer key, "moves of both players until the game is won, with best play" => plies;
        "result": text, "for the player to move" => result(plies);
        "positions": integer, "positions, of two mirror images one" => count;
    })
}
