//! Rules of thumb for choosing a move, and how to measure one against perfect play.
//!
//! ```text
//! features ──> rule list ──> tester, guarantee, search
//! ```
//!
//! A [`Feature`](features::Feature) is something that a person can see or count about a move. A
//! [`DecisionList`] ranks moves by features, in order of importance, and is written in a small
//! [language]. At a [`Decision`] it names the moves that it likes best. The [`tester`] counts over
//! every decision of a game how often these are not perfect and what that costs; [`guarantee`]
//! finds what a player who follows the list is sure of from the start; [`corpus`] keeps every
//! decision with the features of its moves, and [`search`] looks there for good lists.
//!
//! To add a heuristic, add a line to `built_in.rs`; to add a feature, see [`features`].

use crate::british_square::{Board, Cells, Position, Rules};
use bsq_engine::game::Player;
use built_in::BUILT_IN;
use std::sync::LazyLock;

mod built_in;
pub mod corpus;
pub mod features;
pub mod guarantee;
pub mod language;
mod list;
pub mod search;
pub mod tester;

pub use list::{DecisionList, Relation, Rule, Sum, Term, Test};

/// A position in which the mover has at least one legal move, seen by the mover.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The board.
    pub board: &'a Board,
    /// For each cell, the cell itself and those that share a side with it: where a piece on it
    /// keeps the opponent from playing.
    pub reach: &'a [Cells],
    /// The mover's pieces.
    pub own: Cells,
    /// The opponent's pieces.
    pub opponent: Cells,
    /// The moves that are legal now.
    pub legal: Cells,
    /// Cells that the mover could use if only the adjacency of pieces and the number of pieces
    /// mattered: the legal moves and, on the first turn, a forbidden centre.
    pub own_usable: Cells,
    /// Cells that the opponent could still use, if it were the opponent's turn.
    pub opponent_usable: Cells,
    /// Who is to move.
    pub player: Player,
    /// The turn, from 1.
    pub turn: u32,
}

impl<'a> Decision<'a> {
    /// What the mover sees of a position. `reach` has an entry for each cell of the board, `legal`
    /// the moves that are legal.
    #[inline]
    pub fn new(
        rules: &'a Rules,
        reach: &'a [Cells],
        position: &Position,
        legal: Cells,
    ) -> Decision<'a> {
        let [own, opponent] = position.seen_by(position.to_move);
        let forbidden = if position.turn == 1 { rules.forbidden_opening() } else { 0 };
        Decision {
            board: &rules.board,
            reach,
            own,
            opponent,
            legal,
            own_usable: legal | forbidden,
            opponent_usable: rules.usable(opponent, own),
            player: position.to_move,
            turn: position.turn,
        }
    }
}

/// A rule list with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// The word by which the command knows it; none for a list that was typed.
    pub name: Option<String>,
    /// What it likes, in a few words; empty if nobody said.
    pub summary: String,
    /// Its rules.
    pub list: DecisionList,
}

impl Heuristic {
    /// Its name, or its rules where it has none.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.list.to_string())
    }

    /// How a result about it is named: its name, `list` where it has none.
    pub fn file_name(&self) -> String {
        self.name.as_deref().unwrap_or("list").replace('-', "_")
    }

    /// The moves that it likes best: at least one, all legal.
    pub fn liked(&self, decision: &Decision) -> Cells {
        self.list.liked(decision)
    }

    /// The moves that it likes best in a position, on a board of any size; none where none is
    /// legal.
    ///
    /// ```
    /// use bsq_games::british_square::{Rules, format_tiles};
    /// use bsq_games::british_square::heuristic::by_name;
    ///
    /// let rules = Rules::standard(5, 5).unwrap();
    /// let liked = by_name("greedy").unwrap().liked_at(&rules, &rules.start());
    /// assert_eq!(format_tiles(&rules.board, liked), "7 8 9 12 14 17 18 19");
    /// ```
    pub fn liked_at(&self, rules: &Rules, position: &Position) -> Cells {
        let legal = rules.legal(position, position.to_move);
        if legal == 0 {
            return 0;
        }
        let reach: Vec<Cells> = (0..rules.board.cells()).map(|c| rules.board.reach(c)).collect();
        self.liked(&Decision::new(rules, &reach, position, legal))
    }
}

/// Every built-in heuristic.
pub static ALL: LazyLock<Vec<Heuristic>> = LazyLock::new(|| {
    let heuristic = |&(name, summary, rules): &(&str, &str, &str)| Heuristic {
        name: Some(name.to_string()),
        summary: summary.to_string(),
        list: language::parse(rules, &[]).expect("built-in rules are well-formed"),
    };
    BUILT_IN.iter().map(heuristic).collect()
});

/// The built-in heuristic of that name.
///
/// ```
/// use bsq_games::british_square::heuristic::by_name;
///
/// assert_eq!(by_name("greedy").unwrap().list.to_string(), "most claim");
/// assert!(by_name("lucky").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Heuristic> {
    ALL.iter().find(|heuristic| heuristic.name.as_deref() == Some(name))
}
