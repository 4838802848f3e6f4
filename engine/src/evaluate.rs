//! The value of a position and of its moves, independent of the algorithm that finds it.

use crate::game::{Game, Player, Value};
use crate::monitor::{Monitor, SolveError};
use crate::proved::Proved;
use crate::score::Score;
use crate::table::transposition::Entry;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

/// The level of detail of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// The value of the position.
    Value,
    /// The value of every move as well.
    Moves,
}

/// The expected cost of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost<R> {
    /// A few reads from a table.
    LookUp,
    /// A search that takes less than a second.
    Quick,
    /// A search, which may be long.
    Search,
    /// A table of the whole board has to be built; later evaluations are looked up.
    Build,
    /// The position is not evaluated, for the given reason.
    Refused(R),
}

/// A position with its value, and with its moves if requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation<M, F, P> {
    /// The value. `None` if it is not known, or depends on earlier moves.
    pub value: Option<Value>,
    /// First player's points minus the second player's from the position on, in games with points.
    pub to_come: Option<Score>,
    /// The legal moves, the best ones for the player to move first. `None` if not requested.
    pub moves: Option<Vec<MoveEvaluation<M, F>>>,
    /// Further facts about the position.
    pub facts: P,
}

impl<M: Clone + PartialEq, F, P> Evaluation<M, F, P> {
    /// The moves that keep the value, if values are known.
    pub fn best(&self) -> impl Iterator<Item = M> {
        let moves = self.moves.iter().flatten();
        moves.take_while(|mv| mv.value.is_some() && mv.value == self.value).map(|mv| mv.mv.clone())
    }

    /// The score under perfect play, if it is known and an integer.
    pub fn points(&self) -> Option<i32> {
        self.value.and_then(|value| value.points())
    }

    /// The value of a move, if it is known.
    pub fn of(&self, mv: M) -> Option<Value> {
        self.moves.iter().flatten().find(|evaluated| evaluated.mv == mv)?.value
    }
}

/// A legal move with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEvaluation<M, F> {
    /// The move.
    pub mv: M,
    /// The value of the position if this move is played, with plies counted from before the move: a
    /// move that wins at once wins in 1 ply. None if it is not known.
    pub value: Option<Value>,
    /// Further facts about the move.
    pub facts: F,
}

impl<M, F> MoveEvaluation<M, F> {
    /// The score under perfect play after the move, if it is known and an integer.
    pub fn points(&self) -> Option<i32> {
        self.value.and_then(|value| value.points())
    }
}

/// What is known about a position without a search: from the rules, and from the tables of earlier
/// searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known<M> {
    /// Bounds on the value. `None` if nothing is known.
    pub value: Option<Proved<Value>>,
    /// Bounds on the first player's points minus the second player's from the position on.
    pub to_come: Option<Proved<Score>>,
    /// The legal moves with bounds on their values; the moves that seem best first.
    pub moves: Vec<(M, Option<Proved<Value>>)>,
}

impl<M> Known<M> {
    /// Sorts the moves by what is proved: first those with the best value that is sure for the
    /// player, of these the ones with which more is possible, and then those with a high preference.
    /// How late a loss comes counts only if it is proved.
    pub fn sort(&mut self, player: Player, preference: impl Fn(&M) -> i32) {
        let ranked = self.moves.iter().enumerate().map(|(at, (mv, proved))| {
            let ranks = proved.map(|proved| {
                let [sure, possible] = proved.for_player(player);
                let at_any_time = |value: Value| Value { plies: None, ..value };
                let is_lost = sure.winner() == Some(player.other());
                let least = if is_lost { at_any_time(sure) } else { sure };
                let late_loss = (sure == possible).then(|| sure.rank(player));
                (least.rank(player), at_any_time(possible).rank(player), late_loss)
            });
            (Reverse((ranks, preference(mv))), at)
        });
        // The same code for all types of moves, which makes the program smaller.
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_unstable();
        let mut moves: Vec<_> = self.moves.drain(..).map(Some).collect();
        self.moves = ranked.into_iter().filter_map(|(_, at)| moves[at].take()).collect();
    }
}

/// The evaluations of an evaluator.
pub type EvaluationOf<E> = Evaluation<
    <<E as Evaluator>::Game as Game>::Move,
    <E as Evaluator>::MoveFacts,
    <E as Evaluator>::Facts,
>;

/// The moves of the game of an evaluator.
pub type MoveOf<E> = <<E as Evaluator>::Game as Game>::Move;

/// The positions of the game of an evaluator.
pub type PositionOf<E> = <<E as Evaluator>::Game as Game>::Position;

/// Evaluates positions of one game exactly.
///
/// An evaluator must have the methods without a default. It should have [`bytes`](Evaluator::bytes) if
/// its tables are large, because servers keep to a budget. If it searches, it should have
/// [`most_bytes`](Evaluator::most_bytes) for the same reason, [`known`](Evaluator::known), because a
/// search may have to end early, and [`learned`](Evaluator::learned), because a checkpoint stores what
/// it returns.
///
/// The default principal variation takes the first move of repeated evaluations:
///
/// ```
/// use bsq_engine::evaluate::{Cost, Detail, Evaluation, Evaluator, MoveEvaluation};
/// use bsq_engine::game::{Game, Value};
/// use bsq_engine::monitor::{Monitor, SolveError};
/// use bsq_engine::nim::{Heaps, Nim, Take};
///
/// /// By the theorem of Bouton.
/// struct ByNimSum(Nim);
///
/// impl ByNimSum {
///     fn value(&self, heaps: &Heaps) -> Value {
///         let mover = self.0.to_move(heaps);
///         let winner = if heaps.nim_sum() == 0 { mover.other() } else { mover };
///         Value::of_score(winner.sign().into())
///     }
/// }
///
/// impl Evaluator for ByNimSum {
///     type Game = Nim;
///     type Facts = ();
///     type MoveFacts = ();
///     type Error = SolveError;
///
///     fn game(&self) -> &Nim {
///         &self.0
///     }
///
///     fn cost(&self, _: &Heaps, _: Detail) -> Cost<SolveError> {
///         Cost::LookUp
///     }
///
///     fn evaluate(
///         &self,
///         heaps: &Heaps,
///         _: Detail,
///         _: &Monitor,
///     ) -> Result<Evaluation<Take, (), ()>, SolveError> {
///         let after = |mv| Some(self.value(&self.0.play(heaps, mv)));
///         let moves = self.0.moves(heaps).into_iter();
///         let moves = moves.map(|mv| MoveEvaluation { mv, value: after(mv), facts: () });
///         let mut moves: Vec<_> = moves.collect();
///         let mover = self.0.to_move(heaps);
///         moves.sort_by_key(|mv| std::cmp::Reverse(mv.value.map(|value| value.rank(mover))));
///         let value = self.value(heaps);
///         Ok(Evaluation { value: Some(value), to_come: value.score, moves: Some(moves), facts: () })
///     }
/// }
///
/// let evaluator = ByNimSum(Nim([1, 2, 3]));
/// let start = evaluator.game().start();
/// assert_eq!(evaluator.value(&start), Value::of_score((-1).into()));
/// let line = evaluator.principal_variation(&start, 99, &Monitor::default()).unwrap();
/// assert_eq!(line.len() % 2, 0, "the second player takes the last object");
/// ```
pub trait Evaluator: Send + Sync {
    /// The rules.
    type Game: Game;
    /// Facts about a position besides its value.
    type Facts;
    /// Facts about a move besides its value.
    type MoveFacts;
    /// The reason why a position is not evaluated.
    type Error: std::error::Error + From<SolveError>;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The expected cost of the evaluation of a position.
    fn cost(&self, position: &<Self::Game as Game>::Position, detail: Detail) -> Cost<Self::Error>;

    /// About how long a search for the value of a position takes; `None` if nothing is known about it.
    fn estimate(&self, _: &<Self::Game as Game>::Position) -> Option<Duration> {
        None
    }

    /// Evaluates a position.
    ///
    /// # Errors
    ///
    /// If the position is not evaluated, or if the monitor stops the job. What a search had proved by
    /// then is [known](Evaluator::known) afterwards.
    fn evaluate(
        &self,
        position: &<Self::Game as Game>::Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<EvaluationOf<Self>, Self::Error>;

    /// What is known about a position without a search. After a search that was stopped, this includes
    /// what it has proved. By default it is the result of a terminal position.
    fn known(&self, position: &<Self::Game as Game>::Position) -> Known<MoveOf<Self>> {
        let game = self.game();
        let moves = game.moves(position).into_iter().map(|mv| (mv, None));
        let result = game.result(position).map(Proved::exactly);
        Known { value: result, to_come: None, moves: moves.collect() }
    }

    /// The principal variation from a position, best play of both players, limited to `limit` moves.
    /// It ends early where values are not known, and with the first move that repeats a position of
    /// the line, because play that ends in a draw need not be finite.
    fn principal_variation(
        &self,
        position: &<Self::Game as Game>::Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<MoveOf<Self>>, Self::Error> {
        best_moves(self, position, limit, monitor)
    }

    /// The size of the tables in memory, in bytes. Files that are read in place do not count.
    fn bytes(&self) -> u64 {
        0
    }

    /// The size in bytes that the tables may grow to in searches; 0 if there are none or if it is not
    /// known.
    fn most_bytes(&self) -> u64 {
        0
    }

    /// The best move of a position, of several always the same one. `None` if there is no move, or if the
    /// value of none is known. By default the first of an evaluation.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Evaluator::evaluate).
    fn best_move(
        &self,
        position: &PositionOf<Self>,
        monitor: &Monitor,
    ) -> Result<Option<MoveOf<Self>>, Self::Error> {
        let moves = self.evaluate(position, Detail::Moves, monitor)?.moves;
        let best = moves.and_then(|moves| moves.into_iter().next());
        Ok(best.filter(|best| best.value.is_some()).map(|best| best.mv))
    }

    /// Makes tables of the search, if there is one, of at least so many bytes, or else the largest ones.
    /// A checkpoint is read into them, or with 0 bytes a search begins. By default there is no search.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    fn grow(&self, _: u64) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The solvers whose transposition tables a checkpoint stores, once there are any. They change when
    /// the tables grow.
    fn learned(&self) -> Vec<&dyn Learned> {
        Vec::new()
    }
}

/// A solver whose transposition table can be stored in a checkpoint.
pub trait Learned: Sync {
    /// The entries of the table.
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_>;
    /// Adds an entry to the table, such as one of a smaller table.
    fn add_entry(&self, entry: &Entry);
    /// An estimate of the fraction of the table in use.
    fn fill(&self) -> f64;
    /// The size of the table in bytes.
    fn table_bytes(&self) -> u64;
    /// The number of nodes searched so far.
    fn nodes(&self) -> u64;
    /// Adds the nodes of an earlier search.
    fn add_nodes(&self, nodes: u64);
    /// Whether the solver could have stored this entry.
    fn admits(&self, entry: &Entry) -> bool;
}

/// The first legal move after which the position is as wanted. `None` if there is none.
///
/// # Errors
///
/// The first one of `is_wanted`.
pub fn first_move<G: Game, E>(
    game: &G,
    position: &G::Position,
    mut is_wanted: impl FnMut(&G::Position) -> Result<bool, E>,
) -> Result<Option<G::Move>, E> {
    for mv in game.moves(position) {
        if is_wanted(&game.play(position, mv.clone()))? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// The principal variation by repeated evaluation: the first move of each position, up to the first
/// that repeats a position.
pub fn best_moves<E: Evaluator + ?Sized>(
    evaluator: &E,
    position: &PositionOf<E>,
    limit: usize,
    monitor: &Monitor,
) -> Result<Vec<MoveOf<E>>, E::Error> {
    let (mut position, mut line, mut seen) = (position.clone(), Vec::new(), HashSet::new());
    while line.len() < limit && seen.insert(position.clone()) {
        monitor.check()?;
        let Some(best) = evaluator.best_move(&position, monitor)? else { break };
        position = evaluator.game().play(&position, best.clone());
        line.push(best);
    }
    Ok(line)
}
