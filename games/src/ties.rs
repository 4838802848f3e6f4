//! Tie-breaking between the moves that a heuristic likes.

/// A way to break ties between liked moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// By the opponent, so that the value is a lower bound for any way to break ties.
    Worst,
    /// By perfect play.
    Best,
}

impl Ties {
    /// Both ways, the worst case first.
    pub const BOTH: [Ties; 2] = [Ties::Worst, Ties::Best];

    /// `worst` or `best`.
    pub fn name(self) -> &'static str {
        match self {
            Ties::Worst => "worst",
            Ties::Best => "best",
        }
    }
}
