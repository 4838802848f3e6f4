//! The options that a request can have.

use std::fmt;

/// An option that some analyses support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOption {
    /// A method of counting playouts or states, or of visiting decisions.
    Method(Method),
    /// A memory limit.
    Memory,
    /// A scratch folder.
    Scratch,
    /// A limit on pieces, which is part of the rules.
    Pieces,
}

impl fmt::Display for RequestOption {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RequestOption::Method(method) => write!(f, "the method '{}'", method.name()),
            RequestOption::Memory => write!(f, "a memory limit"),
            RequestOption::Scratch => write!(f, "a scratch folder"),
            RequestOption::Pieces => write!(f, "a limit on pieces"),
        }
    }
}

/// The limits that a caller sets on a count. A [`MemoryBudget`](bsq_engine::levels::MemoryBudget)
/// has their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Whether memory is limited.
    pub memory: bool,
    /// Whether there is a scratch folder.
    pub scratch: bool,
}

impl Limits {
    /// The limits that are set, as options.
    pub(crate) fn options(self) -> impl Iterator<Item = RequestOption> {
        let scratch = self.scratch.then_some(RequestOption::Scratch);
        scratch.into_iter().chain(self.memory.then_some(RequestOption::Memory))
    }
}

/// A method of counting playouts of British Square, of counting states (by levels), or of visiting
/// every decision (depth-first). All methods give the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the sets of pieces with which play can end, and the orders of placing them.
    ClosedForm,
    /// Forward, level by level, over every state.
    Levels,
    /// Backward, over the territory that is left to each player.
    Territory,
    /// From the start, by depth-first search with a transposition table.
    DepthFirst,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] =
        [Method::ClosedForm, Method::Levels, Method::Territory, Method::DepthFirst];

    /// The word for the method.
    pub fn name(self) -> &'static str {
        match self {
            Method::ClosedForm => "orders",
            Method::Levels => "levels",
            Method::Territory => "territory",
            Method::DepthFirst => "depth-first",
        }
    }

    /// A description of the method, in a line. Words in braces name parameters.
    pub fn summary(self) -> &'static str {
        match self {
            Method::ClosedForm => "from the pieces play can end with; any board, seconds",
            Method::Levels => "forward over every state; takes {memory} and {scratch}",
            Method::Territory => {
                "backward over what is left of the game; takes {memory}, no {pieces}"
            }
            Method::DepthFirst => {
                "every decision by a search from the start, for blunders and heuristics"
            }
        }
    }

    /// Returns the method of that name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
