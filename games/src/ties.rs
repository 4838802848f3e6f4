//! How a player who follows a heuristic breaks ties.

/// How ties between liked moves are broken.
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
