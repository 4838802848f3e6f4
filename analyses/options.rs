//! Options that several analyses have, besides those of the rules.

use bsq_engine::options::{OptionKind, RuleOption};
use std::borrow::Cow;

/// The name of the option that selects the method. All methods of an analysis give the same
/// numbers.
pub const METHOD: &str = "method";

/// The option of analyses of a tablebase.
pub const TABLEBASE: RuleOption = RuleOption::new(
    "tablebase",
    OptionKind::Tablebase,
    None,
    "A tablebase, which also determines the rules",
);

/// The option of analyses that can begin at a position.
pub const POSITION: RuleOption = RuleOption::new(
    "position",
    OptionKind::Position,
    None,
    "Begin at this position instead of the start",
);

/// The option of analyses that can begin after some moves.
pub const MOVES: RuleOption =
    RuleOption::new("moves", OptionKind::Moves, None, "Begin after these moves");

/// The option of analyses of a heuristic.
pub const HEURISTIC: RuleOption = RuleOption::new(
    "heuristic",
    OptionKind::Text { form: Cow::Borrowed("NAME") },
    None,
    "The heuristic: a name, or rules in the language of the game",
);

/// The option of analyses with several methods. The first is the default under rules that it
/// supports.
pub fn method(methods: impl IntoIterator<Item = Method>) -> RuleOption {
    let names = OptionKind::choice(methods.into_iter().map(Method::name));
    RuleOption::new(METHOD, names, None, "The method; all give the same numbers")
}

/// A method of counting playouts or states of British Square, or of visiting its decisions. All
/// methods of an analysis give the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the sets of pieces with which play can end, and the orders of placing them.
    ClosedForm,
    /// Backward, over the territory that is left to each player.
    Territory,
    /// From each set of pieces that one player can have.
    Sets,
    /// Cell by cell, with the frontier of the cells placed.
    TransferMatrix,
    /// By visiting every position, with the rules alone.
    Explorer,
    /// From the last positions back, row by row, without a table of positions.
    Retrograde,
    /// From the start, by depth-first search with a transposition table.
    DepthFirst,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 7] = [
        Method::ClosedForm,
        Method::Territory,
        Method::Sets,
        Method::TransferMatrix,
        Method::Explorer,
        Method::Retrograde,
        Method::DepthFirst,
    ];

    /// The name of the method, as a value of the option.
    pub const fn name(self) -> &'static str {
        match self {
            Method::ClosedForm => "closed-form",
            Method::Territory => "territory",
            Method::Sets => "sets",
            Method::TransferMatrix => "transfer-matrix",
            Method::Explorer => "explorer",
            Method::Retrograde => "retrograde",
            Method::DepthFirst => "depth-first",
        }
    }

    /// A description of the method in one line. Words in braces name parameters.
    pub fn summary(self) -> &'static str {
        match self {
            Method::ClosedForm => "playouts, from the pieces that play can end with",
            Method::Territory => "playouts, backward over the cells left; takes no {pieces}",
            Method::Sets => "states, from the sets of one player's pieces; takes {part}",
            Method::TransferMatrix => "states, cell by cell; takes no {pieces}",
            Method::Explorer => "playouts and states, by visiting every position",
            Method::Retrograde => "decisions, from the last positions back; takes no {pieces}",
            Method::DepthFirst => "decisions and states, by a search from the start",
        }
    }

    /// Returns the method with the given name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
