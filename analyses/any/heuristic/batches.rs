//! The decisions of a game for a function, which gets their moves in batches.

use super::{Counts, Merit, Tested, decide, is_decision, merits, tested};
use crate::choices::Preference;
use crate::options::HEURISTIC;
use crate::query::{Batch, Row, keeps_player};
use crate::{AnalysisError, Table};
use bsq_engine::dataset::{Collector, Entry};
use bsq_engine::game::{Game, Player};
use bsq_engine::record::Recorded;

/// The least number of moves in a batch but the last one.
const BATCH_ROWS: usize = 1 << 17;

/// Collects decisions, and asks a function about full batches.
pub(super) struct Batches<'a, G: Game> {
    game: &'a G,
    keeps_player: bool,
    /// The function and the columns of its batches; only the collector of the whole game has it.
    asked: Option<(&'a Preference, Table)>,
    moves: Batch<'a, G>,
    /// The merits of these moves.
    merits: Vec<Merit>,
    decisions: Vec<Open>,
    counts: Counts,
    failure: Option<AnalysisError>,
}

/// A decision whose moves are in a batch.
struct Open {
    turn: Option<u32>,
    /// Where that is known.
    player: Option<Player>,
    moves: usize,
}

impl<'a, G: Recorded> Batches<'a, G> {
    /// No decisions yet. A function will be asked about the columns of `moves`, which is empty.
    pub(super) fn new(
        game: &'a G,
        moves: Batch<'a, G>,
        function: &'a Preference,
    ) -> Batches<'a, G> {
        let table = Table::new("moves", "Moves", &moves.shown());
        let asked = Some((function, table));
        Batches { asked, ..Batches::part(game, moves, keeps_player(game)) }
    }

    /// No decisions of a part yet.
    fn part(game: &'a G, moves: Batch<'a, G>, keeps_player: bool) -> Batches<'a, G> {
        Batches {
            game,
            keeps_player,
            asked: None,
            moves,
            merits: Vec::new(),
            decisions: Vec::new(),
            counts: Counts::new(),
            failure: None,
        }
    }

    /// Asks about the moves that are left. The results of all decisions.
    ///
    /// # Errors
    ///
    /// If the function has failed.
    pub(super) fn finish(mut self) -> Result<Tested, AnalysisError> {
        self.ask();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(tested(self.counts, self.keeps_player)),
        }
    }

    /// Asks the function about the moves so far.
    fn ask(&mut self) {
        let Some((function, table)) = &self.asked else { return };
        if self.decisions.is_empty() || self.failure.is_some() {
            return;
        }
        let answer = function(table, self.moves.take());
        match answer.and_then(|numbers| checked(numbers, self.merits.len())) {
            Ok(numbers) => self.count(&numbers),
            Err(why) => self.failure = Some(AnalysisError::option(HEURISTIC.name, why)),
        }
    }

    /// Counts the decisions so far, whose moves have these preferences.
    fn count(&mut self, preferences: &[f64]) {
        let mut start = 0;
        for Open { turn, player, moves } in self.decisions.drain(..) {
            let of_decision = start..start + moves;
            start = of_decision.end;
            let preferences = &preferences[of_decision.clone()];
            let most = preferences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_liked = |at: usize| preferences[at] >= most;
            let Some(decision) = decide(&self.merits[of_decision], is_liked) else { continue };
            *self.counts.entry((turn, player, decision)).or_default() += 1;
        }
        self.merits.clear();
    }
}

/// Returns an error unless there is a number for each of so many rows.
fn checked(numbers: Vec<f64>, rows: usize) -> Result<Vec<f64>, String> {
    if numbers.len() != rows {
        let found = numbers.len();
        return Err(format!("the function returned {found} values for {rows} moves"));
    }
    match numbers.iter().position(|number| number.is_nan()) {
        Some(row) => Err(format!("the function returned no number for row {row} of its table")),
        None => Ok(numbers),
    }
}

impl<G: Recorded> Collector<G> for Batches<'_, G> {
    fn fresh(&self) -> Self {
        Batches::part(self.game, self.moves.fresh(), self.keeps_player)
    }

    fn see(&mut self, entry: &impl Entry<G>) {
        let (position, moves) = (entry.position(), entry.legal_moves() as usize);
        if !is_decision(self.game, position, moves) {
            return;
        }
        let row = Row::of_position(self.moves.columns(), self.game, entry);
        let mut values = Vec::with_capacity(moves);
        entry.each_move(|mv, value| {
            self.moves.push(&row.of_move(mv, value));
            values.push(value);
        });
        let (player, turn) = (self.game.to_move(position), entry.ply().map(|ply| ply + 1));
        self.merits.extend(merits(values.into_iter(), player));
        self.decisions.push(Open { turn, player: self.keeps_player.then_some(player), moves });
    }

    fn absorb(&mut self, later: Self) {
        self.moves.append(later.moves);
        self.merits.extend(later.merits);
        self.decisions.extend(later.decisions);
        if self.moves.rows() >= BATCH_ROWS {
            self.ask();
        }
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}
