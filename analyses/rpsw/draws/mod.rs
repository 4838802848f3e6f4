//! Drawn positions by material, with the number of moves that keep the draw.

use crate::chart::{Chart, Figure};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::game::{Game, Notation};
use bsq_engine::monitor::Monitor;
use bsq_engine::parallel;
use bsq_engine::tabulate;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::tables::material;
use bsq_games::rpsw::{Dtw, Piece, Placement, Position};
use std::collections::BTreeMap;

/// The share of draws by material.
pub const CHART: Chart = Chart {
    x: "other",
    y: &["mover"],
    by: Some("share"),
    x_label: "pieces of the other player",
    y_label: "share of positions that are drawn",
    blank: "no drawn position",
    rows_label: "pieces of the player to move",
    ..Chart::new(
        "rpsw-draws",
        Figure::Map,
        "Up to {most} of the positions of a material are drawn: {most at}",
    )
};

/// Counts of the drawn positions of one material.
#[derive(Clone, Debug, Default)]
struct Counts {
    positions: u64,
    /// Positions in which the player to move has no legal move.
    stalemates: u64,
    /// Positions in which exactly one move does not lose.
    one_move: u64,
    /// Moves that do not lose.
    keeping: u64,
    /// Legal moves.
    moves: u64,
    /// Whether the example is a stalemate, and the example: the least of these pairs.
    example: Option<(bool, String)>,
}

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        self.positions += other.positions;
        self.stalemates += other.stalemates;
        self.one_move += other.one_move;
        self.keeping += other.keeping;
        self.moves += other.moves;
        self.example = self.example.into_iter().chain(other.example).min();
        self
    }
}

type ByMaterial = BTreeMap<(usize, usize), Counts>;

/// The analysis `draws`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "how many positions nobody wins, by material, and what they look like";
    super::of_tablebase("draws", summary, |_| Ok(()), estimate, run).with_charts(&[&CHART])
}

/// Every position is looked up.
fn estimate(tablebase: &Tablebase) -> f64 {
    tablebase.census().positions.total() as f64 / 5e6
}

fn run(tablebase: &Tablebase, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    monitor.begin("rows", tablebase.rows() as u64);
    let found = parallel::fold(0..tablebase.rows(), ByMaterial::new, |found, row| {
        monitor.check()?;
        for position in tablebase.drawn(row)? {
            add(found, material_of(&position), count(tablebase, &position)?);
        }
        monitor.advance(1);
        Ok::<_, AnalysisError>(())
    })?;
    let mut all = ByMaterial::new();
    found.into_iter().flatten().for_each(|(pair, draws)| add(&mut all, pair, draws));
    Ok(vec![table(tablebase, all)])
}

fn add(found: &mut ByMaterial, pair: (usize, usize), draws: Counts) {
    let entry = found.entry(pair).or_default();
    *entry = std::mem::take(entry).add(draws);
}

fn material_of(position: &Position) -> (usize, usize) {
    let [own, other] = position.pieces.map(|placement| bits(&placement));
    (own, other)
}

fn bits(placement: &Placement) -> usize {
    Piece::ALL
        .iter()
        .filter(|kind| placement[kind.index()].is_some())
        .map(|kind| 1 << kind.index())
        .sum()
}

fn count(tablebase: &Tablebase, position: &Position) -> Result<Counts, AnalysisError> {
    let rules = tablebase.rules();
    let moves = rules.moves(position);
    let mut keeping = 0;
    for &mv in &moves {
        let drawn = tablebase.probe(&rules.play(position, mv))?;
        keeping += u64::from(drawn == Some(Dtw::Drawn));
    }
    Ok(Counts {
        positions: 1,
        stalemates: u64::from(moves.is_empty()),
        one_move: u64::from(keeping == 1),
        keeping,
        moves: moves.len() as u64,
        example: Some((moves.is_empty(), rules.format_position(position))),
    })
}

fn table(tablebase: &Tablebase, found: ByMaterial) -> Table {
    let counts = &tablebase.census().positions;
    let all = found.values().cloned().fold(Counts::default(), Counts::add);
    let rows = found.into_iter().map(|((mover, other), draws)| {
        (Some(material(mover)), Some(material(other)), draws, counts.0[mover][other])
    });
    let rows = rows.chain([(None, None, all, counts.total())]);
    let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
    let title = "Positions that neither player can win, by material";
    let table = tabulate!("rpsw-draws", title, for (mover, other, draws, positions) in rows => {
        "mover": text key, "the pieces of the player to move: rock, paper, scissors, well" => mover;
        "other": text key, "the pieces of the other player" => other;
        "drawn": integer, "drawn positions, of two mirror images one" => draws.positions;
        "share": share, "of all positions with this material; empty without any" => share(draws.positions, positions);
        "stalemates": integer, "of these the player to move cannot move" => draws.stalemates;
        "one_move": integer, "of these a single move does not lose" => draws.one_move;
        "keeping_moves": share, "moves that do not lose, of all moves in these positions; empty if \
            there are no moves"
            => share(draws.keeping, draws.moves);
        "example": text, "one of them, if there is one not a stalemate; empty without draws"
            => draws.example.map(|(_, text)| text);
    });
    let mut table = table.total_over(&["mover", "other"]);
    table.set_main_columns(["mover", "other", "drawn", "share", "stalemates", "one_move"]);
    table
}
