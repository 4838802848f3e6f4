//! Who wins a position, and how soon, from what is stored of all positions.
//!
//! Stored are positions lost in four plies or more, and drawn ones. All else follows: a position
//! is won if some move leads to a lost one, and what loses in two plies is seen by trying.

use super::rules::{Move, Position, Rules};
use bsq_engine::game::Game;

/// What a position is worth to the player to move, with best play of both: who wins wants to win
/// soon, who loses to lose late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Won by the player to move, with a move after that many plies: an odd number.
    Won(u32),
    /// Lost, after that many plies: an even number, 0 if the game is over.
    Lost(u32),
    /// Neither can win, or the player to move cannot move.
    Drawn,
}

impl Verdict {
    /// The same for the player who has just moved, a ply earlier.
    pub fn before(self) -> Verdict {
        match self {
            Verdict::Won(plies) => Verdict::Lost(plies + 1),
            Verdict::Lost(plies) => Verdict::Won(plies + 1),
            Verdict::Drawn => Verdict::Drawn,
        }
    }

    /// Better verdicts for the player to move are less: a soon win first, a soon loss last.
    pub fn rank(self) -> (u8, u32) {
        match self {
            Verdict::Won(plies) => (0, plies),
            Verdict::Drawn => (1, 0),
            Verdict::Lost(plies) => (2, u32::MAX - plies),
        }
    }

    /// `won`, `lost` or `drawn`.
    pub fn result(self) -> &'static str {
        match self {
            Verdict::Won(_) => "won",
            Verdict::Lost(_) => "lost",
            Verdict::Drawn => "drawn",
        }
    }

    /// In how many plies, if it is not drawn.
    pub fn plies(self) -> Option<u32> {
        match self {
            Verdict::Won(plies) | Verdict::Lost(plies) => Some(plies),
            Verdict::Drawn => None,
        }
    }
}

/// A legal move and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move.
    pub mv: Move,
    /// Of the position before it, if this move is made.
    pub verdict: Verdict,
}

/// Where positions are looked up.
pub trait Store {
    /// Why nothing can be read.
    type Error;

    /// What is stored of a position whose game goes on and in which there are moves, which its
    /// player does not win at once: lost in at least four plies, or drawn. Nothing for those that
    /// are won or lost in two.
    fn look_up(&self, position: &Position) -> Result<Option<Verdict>, Self::Error>;
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerdictError<E> {
    /// The store cannot be read.
    #[error(transparent)]
    Store(E),
    /// What is stored of some positions does not fit together.
    #[error("what is stored contradicts the rules at {0}")]
    Contradiction(String),
}

impl<E> From<E> for VerdictError<E> {
    fn from(error: E) -> Self {
        VerdictError::Store(error)
    }
}

impl Rules {
    /// What a position is worth to the player to move.
    pub fn verdict<S: Store>(
        &self,
        store: &S,
        position: &Position,
    ) -> Result<Verdict, VerdictError<S::Error>> {
        if let Some(verdict) = self.at_hand(position) {
            return Ok(verdict);
        }
        if let Some(stored) = store.look_up(position)? {
            return Ok(stored);
        }
        let mut soonest = None;
        for mv in self.moves(position) {
            let after = self.lost_in(store, &self.play(position, mv))?;
            soonest = soonest.into_iter().chain(after).min();
        }
        let found = soonest.map(|plies| Verdict::Won(plies + 1));
        found.ok_or_else(|| self.contradiction(position))
    }

    /// Every legal move with its verdict, the best ones first, else in their usual order.
    pub fn judged_moves<S: Store>(
        &self,
        store: &S,
        position: &Position,
    ) -> Result<Vec<JudgedMove>, VerdictError<S::Error>> {
        let judged = self.moves(position).into_iter().map(|mv| {
            let verdict = self.verdict(store, &self.play(position, mv))?.before();
            Ok(JudgedMove { mv, verdict })
        });
        let mut judged: Vec<JudgedMove> = judged.collect::<Result<_, VerdictError<_>>>()?;
        judged.sort_by_key(|judged| judged.verdict.rank());
        Ok(judged)
    }

    /// Best play from a position, both sides taking the first of their best moves; the position
    /// itself is not in it. At most so many moves: play of a drawn position need not end.
    pub fn principal_variation<S: Store>(
        &self,
        store: &S,
        position: &Position,
        limit: usize,
    ) -> Result<Vec<Move>, VerdictError<S::Error>> {
        let (mut position, mut line) = (*position, Vec::new());
        while line.len() < limit
            && let Some(best) = self.judged_moves(store, &position)?.first()
        {
            line.push(best.mv);
            position = self.play(&position, best.mv);
        }
        Ok(line)
    }

    /// The verdict where the rules alone tell: nothing stored is needed.
    fn at_hand(&self, position: &Position) -> Option<Verdict> {
        if self.winner(position).is_some() {
            // Nobody wins by the other's move.
            return Some(Verdict::Lost(0));
        }
        if self.wins_at_once(position) {
            return Some(Verdict::Won(1));
        }
        let moves = self.moves(position);
        let mut after = moves.iter().map(|&mv| self.play(position, mv));
        match moves.is_empty() {
            true => Some(Verdict::Drawn),
            false => after.all(|next| self.wins_at_once(&next)).then_some(Verdict::Lost(2)),
        }
    }

    /// In how many plies a position is lost, if it is.
    fn lost_in<S: Store>(
        &self,
        store: &S,
        position: &Position,
    ) -> Result<Option<u32>, VerdictError<S::Error>> {
        let verdict = match self.at_hand(position) {
            Some(verdict) => Some(verdict),
            None => store.look_up(position)?,
        };
        Ok(verdict.and_then(|verdict| match verdict {
            Verdict::Lost(plies) => Some(plies),
            _ => None,
        }))
    }

    fn contradiction<E>(&self, position: &Position) -> VerdictError<E> {
        use bsq_engine::game::Notation;
        VerdictError::Contradiction(self.format_position(position))
    }
}
