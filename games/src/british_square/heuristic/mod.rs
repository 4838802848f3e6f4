//! Heuristics that choose a move, and their evaluation against perfect play.
//!
//! A [`Feature`](features::Feature) is a number that a person can see or count for a move. A
//! [`DecisionList`] ranks the moves at a [`Decision`] by features, in order of importance; the moves that
//! remain are those it *likes*.
//!
//! * [`features`]: the features. To add one, see there.
//! * `list`: decision lists, their evaluation and their text form;
//! * [`language`]: the parser of decision lists;
//! * `built_in`: the named heuristics. To add one, add a line there.
//! * [`tester`]: how often the liked moves are not perfect, and their cost, over all decisions of a game;
//! * [`guarantee`]: the worst-case value of a player who follows a list from the start;
//! * [`corpus`]: all decisions of a game with their features, merged into classes;
//! * [`search`]: the search for good lists on a corpus.

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

/// A position in which the player to move has at least one legal placement, seen by that player.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The board.
    pub board: &'a Board,
    /// The reach of each cell: the cells that a piece on it closes to the opponent.
    pub reach: &'a [Cells],
    /// The mover's pieces.
    pub own: Cells,
    /// The opponent's pieces.
    pub opponent: Cells,
    /// The legal moves.
    pub legal: Cells,
    /// The cells that the mover may still use: the legal moves and, on the first turn, a forbidden
    /// centre.
    pub own_usable: Cells,
    /// The cells that the opponent may still use.
    pub opponent_usable: Cells,
    /// The player to move.
    pub player: Player,
    /// The turn, from 1.
    pub turn: u32,
}

impl<'a> Decision<'a> {
    /// The decision at a position. `reach` has an entry for each cell of the board; `legal` is the
    /// set of legal moves.
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

/// A decision list with an optional name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// The name; `None` for a list given as text.
    pub name: Option<String>,
    /// A short description; may be empty.
    pub summary: String,
    /// The decision list.
    pub list: DecisionList,
}

impl Heuristic {
    /// The name, or the text of the list if it has none.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.list.to_string())
    }

    /// The name for files of results: the name, or `list`.
    pub fn file_name(&self) -> String {
        self.name.as_deref().unwrap_or("list").replace('-', "_")
    }

    /// The liked moves: a nonempty subset of the legal ones.
    pub fn liked(&self, decision: &Decision) -> Cells {
        self.list.liked(decision)
    }

    /// The liked moves in a position, on a board of any size; empty if no placement is legal.
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

/// All built-in heuristics.
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
