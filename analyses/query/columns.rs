//! The columns of datasets: those of every game, and those of one.

use crate::any::outcome;
use crate::{Column, ColumnType};
use bsq_engine::dataset::{Entry, GameColumn, Measure};
use bsq_engine::expression::{self, ColumnName, Number, Type};
use bsq_engine::game::{Game, Measure as Values, Player, Value};
use bsq_engine::record::Recorded;
use std::cell::OnceCell;

/// What a row of a dataset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// A position, up to symmetry.
    Positions,
    /// A legal move of a position.
    Moves,
}

impl Dataset {
    /// The names of all datasets.
    pub const NAMES: [&'static str; 2] = ["positions", "moves"];

    /// The name.
    pub fn name(self) -> &'static str {
        Dataset::NAMES[self as usize]
    }

    /// The dataset of that name.
    pub fn by_name(name: &str) -> Option<Dataset> {
        [Dataset::Positions, Dataset::Moves].into_iter().find(|dataset| dataset.name() == name)
    }
}

/// A column that every game has, or every game of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Common {
    Ply,
    Player,
    Outcome,
    Score,
    Plies,
    ToCome,
    LegalMoves,
    BestMoves,
    WorstOutcome,
    WorstCost,
    Terminal,
    OrbitSize,
    Move,
    MoveOutcome,
    MoveScore,
    MovePlies,
    MoveToCome,
    Cost,
    Best,
    Position,
}

/// The words of columns of players and of outcomes.
const PLAYERS: &[&str] = &["first", "second"];
const OUTCOMES: &[&str] = &["first", "second", "tie", "draw"];

/// The common columns with their names, types and descriptions, in order.
const COMMON: [(Common, &str, Type<'static>, &str); 20] = [
    (
        Common::Ply,
        "ply",
        Type::Number,
        "plies before the position, passes included: the fewest with which play reaches it",
    ),
    (Common::Player, "player", Type::Words(PLAYERS), "who is to move: first or second"),
    (
        Common::Outcome,
        "outcome",
        Type::Words(OUTCOMES),
        "who wins with best play: first, second, tie (play ends without a winner), draw (play need \
         not end)",
    ),
    (
        Common::Score,
        "score",
        Type::Number,
        "first player's points minus second player's at the end of best play",
    ),
    (
        Common::Plies,
        "plies",
        Type::Number,
        "plies until the win with best play; no value if nobody wins",
    ),
    (
        Common::ToCome,
        "to_come",
        Type::Number,
        "points to come for the player to move minus the opponent's, with best play",
    ),
    (
        Common::LegalMoves,
        "legal_moves",
        Type::Number,
        "legal moves; a forced pass is one, a terminal position has none",
    ),
    (
        Common::BestMoves,
        "best_moves",
        Type::Number,
        "moves than which none is better; a forced pass is one, a terminal position has none",
    ),
    (
        Common::WorstOutcome,
        "worst_outcome",
        Type::Words(OUTCOMES),
        "who wins with best play after the worst legal move; no value if there is no move",
    ),
    (
        Common::WorstCost,
        "worst_cost",
        Type::Number,
        "points that the worst legal move gives away; no value if there is no move",
    ),
    (Common::Terminal, "terminal", Type::Truth, "whether the game is over"),
    (
        Common::OrbitSize,
        "orbit_size",
        Type::Number,
        "how many positions are equal to it by symmetry, itself included",
    ),
    (Common::Move, "move", Type::Text, "the move, in the position of the row"),
    (
        Common::MoveOutcome,
        "move_outcome",
        Type::Words(OUTCOMES),
        "who wins with best play after the move, as in outcome",
    ),
    (
        Common::MoveScore,
        "move_score",
        Type::Number,
        "the score with best play after the move, as in score",
    ),
    (
        Common::MovePlies,
        "move_plies",
        Type::Number,
        "plies until the win with best play, the move included; no value if nobody wins",
    ),
    (
        Common::MoveToCome,
        "move_to_come",
        Type::Number,
        "points to come for the player who makes the move minus the opponent's, those of the move \
         included",
    ),
    (Common::Cost, "cost", Type::Number, "points that the move gives away; 0 for a best move"),
    (Common::Best, "best", Type::Truth, "whether no move is better"),
    (Common::Position, "position", Type::Text, "the position as text, in the notation of the game"),
];

impl Common {
    /// Whether rows have the column under the rules, those of moves at least.
    fn is_under<G: Game>(self, game: &G) -> bool {
        let has_points = game.measure() != Values::Plies;
        let knows_player = keeps_player(game);
        match self {
            Common::Ply
            | Common::LegalMoves
            | Common::BestMoves
            | Common::Terminal
            | Common::OrbitSize
            | Common::Move
            | Common::Best
            | Common::Position => true,
            Common::Player | Common::Outcome | Common::WorstOutcome | Common::MoveOutcome => {
                knows_player
            }
            Common::WorstCost | Common::Cost => has_points,
            Common::Score | Common::MoveScore => knows_player && has_points,
            Common::Plies | Common::MovePlies => !has_points,
            Common::ToCome | Common::MoveToCome => !knows_player && has_points,
        }
    }
}

/// Whether a stored position tells who is to move, judged by the positions after each first move. Some
/// games merge positions that differ in that.
pub(crate) fn keeps_player<G: Game>(game: &G) -> bool {
    let start = game.start();
    game.moves(&start).into_iter().all(|mv| {
        let next = game.play(&start, mv);
        game.to_move(&game.reduced(&next)) == game.to_move(&next)
    })
}

/// A column of a dataset.
pub struct Known<G: Game> {
    of: Of<G>,
    name: String,
    kind: Type<'static>,
    help: String,
}

/// Where the values of a column come from.
enum Of<G: Game> {
    Common(Common),
    Game(Measure<G>),
}

impl<G: Game> Known<G> {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of the values.
    pub fn kind(&self) -> Type<'static> {
        self.kind
    }

    /// What the values are.
    pub fn help(&self) -> &str {
        &self.help
    }

    /// The column of a table with the values.
    pub fn column(&self) -> Column {
        let kind = match self.kind {
            Type::Number => ColumnType::Integer,
            Type::Truth => ColumnType::Truth,
            Type::Words(_) | Type::Text => ColumnType::Text,
        };
        Column::named(self.name.clone(), kind, self.help.clone())
    }

    /// Whether the values are those of a move.
    pub fn is_of_move(&self) -> bool {
        match &self.of {
            Of::Common(common) => matches!(
                common,
                Common::Move
                    | Common::MoveOutcome
                    | Common::MoveScore
                    | Common::MovePlies
                    | Common::MoveToCome
                    | Common::Cost
                    | Common::Best
            ),
            Of::Game(measure) => matches!(measure, Measure::MoveNumber(_)),
        }
    }

    /// Whether the values follow from those of positions, which a player does not know.
    pub fn is_of_values(&self) -> bool {
        let Of::Common(common) = self.of else { return false };
        match common {
            Common::Outcome
            | Common::Score
            | Common::Plies
            | Common::ToCome
            | Common::BestMoves
            | Common::WorstOutcome
            | Common::WorstCost
            | Common::MoveOutcome
            | Common::MoveScore
            | Common::MovePlies
            | Common::MoveToCome
            | Common::Cost
            | Common::Best => true,
            Common::Ply
            | Common::Player
            | Common::LegalMoves
            | Common::Terminal
            | Common::OrbitSize
            | Common::Move
            | Common::Position => false,
        }
    }

    /// Whether the column is shown if nothing else is said: those that every game has, or every game
    /// of a kind, but for those about the worst move.
    pub fn is_shown(&self) -> bool {
        match self.of {
            Of::Common(Common::WorstOutcome | Common::WorstCost) | Of::Game(_) => false,
            Of::Common(_) => true,
        }
    }
}

/// The columns of moves: the common ones, then those of the game. Positions have those that are not
/// [about a move](Known::is_of_move).
pub fn columns<G: Game>(
    game: &G,
    knows_ply: bool,
    of_game: impl IntoIterator<Item = GameColumn<G>>,
) -> Vec<Known<G>> {
    let common = COMMON
        .into_iter()
        .filter(|&(common, ..)| common.is_under(game) && (knows_ply || common != Common::Ply));
    let common = common.map(|(common, name, kind, help)| Known {
        of: Of::Common(common),
        name: name.to_string(),
        kind,
        help: help.to_string(),
    });
    let of_game = of_game.into_iter().map(|column| {
        let kind = match column.measure {
            Measure::Number(_) | Measure::MoveNumber(_) => Type::Number,
            Measure::Truth(_) => Type::Truth,
        };
        let (name, help) = (column.name.into_owned(), column.help.into_owned());
        Known { of: Of::Game(column.measure), name, kind, help }
    });
    common.chain(of_game).collect()
}

/// The names of columns in expressions.
pub fn names<G: Game>(columns: &[Known<G>]) -> Vec<ColumnName<'_>> {
    columns.iter().map(|column| ColumnName { name: &column.name, kind: column.kind }).collect()
}

/// A row: a position, or a move of it. Values are found when they are asked for.
pub struct Row<'a, G: Game, E> {
    columns: &'a [Known<G>],
    game: &'a G,
    entry: &'a E,
    mv: Option<(&'a G::Move, Value)>,
    value: OnceCell<Value>,
}

impl<'a, G: Game, E: Entry<G>> Row<'a, G, E> {
    /// The row of a position.
    pub fn of_position(columns: &'a [Known<G>], game: &'a G, entry: &'a E) -> Row<'a, G, E> {
        Row { columns, game, entry, mv: None, value: OnceCell::new() }
    }

    /// The row of a move of the same position, with its value.
    pub fn of_move(&self, mv: &'a G::Move, value: Value) -> Row<'a, G, E> {
        let Row { columns, game, entry, .. } = *self;
        Row { columns, game, entry, mv: Some((mv, value)), value: self.value.clone() }
    }

    fn value(&self) -> Value {
        *self.value.get_or_init(|| self.entry.value())
    }

    fn move_value(&self) -> Option<Value> {
        self.mv.map(|(_, value)| value)
    }

    fn to_move(&self) -> Player {
        self.game.to_move(self.entry.position())
    }

    /// The value after the worst legal move, if there is a move.
    fn worst(&self) -> Option<Value> {
        let (mover, mut worst) = (self.to_move(), None);
        self.entry.each_move(|_, value| {
            if worst.is_none_or(|worst: Value| value.rank(mover) < worst.rank(mover)) {
                worst = Some(value);
            }
        });
        worst
    }

    /// Points from the point of view of the player to move.
    fn for_mover(&self, value: Value) -> Option<i64> {
        value.points().map(|points| i64::from(points * self.to_move().sign()))
    }

    fn integer(&self, common: Common) -> Option<i64> {
        match common {
            Common::Ply => self.entry.ply().map(i64::from),
            Common::Score => self.value().points().map(i64::from),
            Common::Plies => self.value().plies.map(i64::from),
            Common::ToCome => self.for_mover(self.value()),
            Common::LegalMoves => Some(self.entry.legal_moves().into()),
            Common::BestMoves => Some(self.entry.best_moves().into()),
            Common::WorstCost => {
                Some(self.for_mover(self.value())? - self.for_mover(self.worst()?)?)
            }
            Common::OrbitSize => i64::try_from(self.entry.orbit_size()).ok(),
            Common::MoveScore => self.move_value()?.points().map(i64::from),
            Common::MovePlies => self.move_value()?.plies.map(i64::from),
            Common::MoveToCome => self.for_mover(self.move_value()?),
            Common::Cost => {
                Some(self.for_mover(self.value())? - self.for_mover(self.move_value()?)?)
            }
            _ => None,
        }
    }
}

impl<G: Recorded, E: Entry<G>> Row<'_, G, E> {
    /// The value of a column of texts.
    pub fn text(&self, column: usize) -> Option<String> {
        let position = self.entry.position();
        match self.columns[column].of {
            Of::Common(Common::Position) => Some(self.game.format_position(position)),
            Of::Common(Common::Move) => {
                self.mv.map(|(mv, _)| self.game.record_move(position, mv.clone()))
            }
            _ => None,
        }
    }
}

impl<G: Game, E: Entry<G>> expression::Row for Row<'_, G, E> {
    fn number(&self, column: usize) -> Option<Number> {
        let position = self.entry.position();
        let number = match &self.columns[column].of {
            Of::Common(common) => self.integer(*common),
            Of::Game(Measure::Number(of)) => of(position),
            Of::Game(Measure::MoveNumber(of)) => of(position, self.mv?.0),
            Of::Game(Measure::Truth(_)) => None,
        };
        number.filter(|&number| number != i64::MIN).map(Number::from)
    }

    fn truth(&self, column: usize) -> Option<bool> {
        match &self.columns[column].of {
            Of::Common(Common::Terminal) => Some(self.entry.legal_moves() == 0),
            Of::Common(Common::Best) => Some(self.move_value()? == self.value()),
            Of::Game(Measure::Truth(of)) => Some(of(self.entry.position())),
            _ => None,
        }
    }

    fn word(&self, column: usize) -> Option<usize> {
        let name = match self.columns[column].of {
            Of::Common(Common::Player) => return Some(self.to_move().index()),
            Of::Common(Common::Outcome) => outcome(self.value()),
            Of::Common(Common::MoveOutcome) => outcome(self.move_value()?),
            Of::Common(Common::WorstOutcome) => outcome(self.worst()?),
            _ => return None,
        };
        OUTCOMES.iter().position(|known| *known == name)
    }
}
