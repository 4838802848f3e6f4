//! Moves that are preferred outside the program: by choices in some positions, or by a function.

use crate::{AnalysisError, Table};
use bsq_engine::game::Game;
use bsq_engine::monitor::{Growth, Monitor};
use bsq_engine::parallel;
use bsq_engine::record::Recorded;
use bsq_engine::results::{Series, Texts};
use bsq_engine::text::thousands;
use std::collections::HashMap;
use std::sync::Arc;

/// The number of rows in a task of a thread, and of those between two checks of the monitor.
const CHUNK: usize = 1 << 10;
const BATCH: usize = 1 << 16;

/// How moves are preferred outside the program.
#[derive(Clone)]
pub enum Outside {
    /// By choices in some positions.
    Choices(Arc<ChoiceRows>),
    /// By a function of all moves.
    Function(Arc<Preference>),
}

/// Returns a number for each row of a batch of moves: in every position, the moves with the largest
/// number are preferred. All moves of a position are rows of one batch. The table has the columns.
/// An error says what is wrong.
pub type Preference = dyn Fn(&Table, Vec<Series>) -> Result<Vec<f64>, String> + Send + Sync;

/// Positions with moves, as text, in the notation of a game.
#[derive(Clone, Debug, Default)]
pub struct ChoiceRows {
    /// The option that they come from, and what a row is called in errors.
    source: &'static str,
    row: &'static str,
    positions: Texts,
    moves: Texts,
}

impl ChoiceRows {
    /// No rows. Errors are about the option `source`; they number the rows from 1, and call each a `row`,
    /// or an `answer`.
    pub fn new(source: &'static str, row: &'static str) -> ChoiceRows {
        ChoiceRows { source, row, ..ChoiceRows::default() }
    }

    /// Adds a position, and the moves that are preferred there, separated by blanks or commas. Rows of
    /// equal positions are taken together; one without moves adds none.
    pub fn push(&mut self, position: &str, moves: &str) {
        self.positions.push(position);
        self.moves.push(moves);
    }

    /// The memory that the rows take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.positions.bytes() + self.moves.bytes()
    }

    /// The rows in order.
    fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let (positions, moves) = (self.positions.joined(), self.moves.joined());
        let ranges = self.positions.ranges().zip(self.moves.ranges());
        ranges.map(move |(position, of_moves)| (&positions[position], &moves[of_moves]))
    }
}

/// The moves that are preferred in some positions of a game.
pub struct Choices<G: Game> {
    /// By canonical position, the canonical positions after the preferred moves: so a choice in a
    /// position is one in all positions that are equal to it by symmetry.
    preferred: HashMap<G::Position, Vec<G::Position>>,
}

impl<G: Recorded> Choices<G> {
    /// Reads rows under the rules of a game.
    ///
    /// # Errors
    ///
    /// If a position or a move of some row is invalid, or if the choices take more memory than the
    /// monitor allows.
    pub fn read(
        game: &G,
        rows: &ChoiceRows,
        monitor: &Monitor,
    ) -> Result<Choices<G>, AnalysisError> {
        let growth = Growth::new(monitor, "choices");
        let mut preferred: HashMap<G::Position, Vec<G::Position>> = HashMap::new();
        let all: Vec<(&str, &str)> = rows.iter().collect();
        for (batch, rows_of_batch) in all.chunks(BATCH).enumerate() {
            monitor.check()?;
            let parsed = parallel::map(rows_of_batch.chunks(CHUNK), |chunk| {
                chunk.iter().map(|(position, moves)| parsed(game, position, moves)).collect()
            });
            let parsed: Vec<Vec<Result<Parsed<G>, String>>> = parsed;
            for (at, row) in parsed.into_iter().flatten().enumerate() {
                let (position, after) = row.map_err(|why| {
                    let number = thousands((batch * BATCH + at + 1) as u64);
                    AnalysisError::option(rows.source, format!("{} {number}: {why}", rows.row))
                })?;
                if after.is_empty() {
                    continue;
                }
                let known = preferred.entry(position).or_default();
                let is_new = u64::from(known.is_empty());
                let added = after.into_iter().filter(|after| !known.contains(after));
                let added: Vec<G::Position> = added.collect();
                // The table has spare room, and a list for each position.
                let positions = 4 * is_new + added.len() as u64;
                growth.add(positions * size_of::<G::Position>() as u64, is_new)?;
                known.extend(added);
            }
        }
        Ok(Choices { preferred })
    }

    /// The number of positions, up to symmetry.
    pub fn len(&self) -> usize {
        self.preferred.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.preferred.is_empty()
    }

    /// The legal moves that are preferred in a position; none if there is no choice.
    pub fn preferred(&self, game: &G, position: &G::Position) -> Vec<G::Move> {
        let Some(after) = self.preferred.get(&game.canonical(position)) else { return Vec::new() };
        let is_preferred =
            |mv: &G::Move| after.contains(&game.canonical(&game.play(position, mv.clone())));
        game.moves(position).into_iter().filter(is_preferred).collect()
    }
}

/// The canonical positions of a row: that before the moves, and those after each.
type Parsed<G> = (<G as Game>::Position, Vec<<G as Game>::Position>);

/// Reads a row.
fn parsed<G: Recorded>(game: &G, position: &str, moves: &str) -> Result<Parsed<G>, String> {
    let parsed = game.parse_position(position).map_err(|error| error.to_string())?;
    let legal = game.moves(&parsed);
    let names = moves.split([' ', ',', '\t']).filter(|name| !name.is_empty());
    let after = names.map(|name| {
        let mv = game.parse_move(&parsed, name).ok().filter(|mv| legal.contains(mv));
        let mv = mv.ok_or_else(|| {
            let names = legal.iter().map(|mv| game.format_move(&parsed, mv.clone()));
            let legal = names.collect::<Vec<_>>().join(", ");
            let name = name.escape_debug();
            format!("'{name}' is not a legal move in '{position}'; legal moves: {legal}")
        })?;
        Ok(game.canonical(&game.play(&parsed, mv)))
    });
    Ok((game.canonical(&parsed), after.collect::<Result<_, String>>()?))
}
