//! The options that a request can have.

use std::fmt;

/// An option that some analyses support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOption {
    /// A memory limit.
    Memory,
    /// A limit on pieces, which is part of the rules.
    Pieces,
    /// A part of the count.
    Part,
}

impl fmt::Display for RequestOption {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            RequestOption::Memory => "a memory limit",
            RequestOption::Pieces => "a limit on pieces",
            RequestOption::Part => "parts",
        })
    }
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

    /// The word for the method.
    pub fn name(self) -> &'static str {
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

    /// A description of the method, in a line. Words in braces name parameters.
    pub fn summary(self) -> &'static str {
        match self {
            Method::ClosedForm => "playouts, from the pieces that play can end with",
            Method::Territory => "playouts, backward over the cells left; takes no {pieces}",
            Method::Sets => "states, from the sets of one player's pieces; takes {part}",
            Method::TransferMatrix => "states, cell by cell; takes no {pieces}",
            Method::Explorer => "playouts and states, by visiting every position",
            Method::Retrograde => "decisions, from the last positions back; takes no {pieces}",
            Method::DepthFirst => "decisions, by a search from the start",
        }
    }

    /// Returns the method of that name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
