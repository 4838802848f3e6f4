//! Questions about small two-player games, and their answers as typed structures with one schema
//! for all games.
//!
//! * [`Registry`]: the games; each is a [`Game`], with its rule options as data;
//! * [`Engine`]: a game under fixed rules, with its evaluator;
//! * [`Session`]: a game in progress: moves are played as text, and the position is answered by an
//!   [`Answer`];
//! * [`Puzzle`]: a position in which a single move keeps the result;
//! * [`AgentInfo`]: an opponent: perfect play, a heuristic, random play;
//! * [`Analysis`]: a question about the whole game, whose [`Job`] computes [`Table`]s;
//! * [`tables`]: tables as text;
//! * [`requests`]: questions by path and query, and the JSON that answers them;
//! * [`Error`]: what was wrong, with a code and the part of the question.
//!
//! Front ends use these traits as objects, so they are compiled once for all games.
//!
//! A **score** is the first player's points minus the second player's, in every answer.
//!
//! ```
//! use bsq_api::{Detail, Monitor, Registry, Request, Resources};
//!
//! let registry = Registry::standard();
//! let game = registry.get("mnk").unwrap();
//! let resources = Resources::new(1 << 20);
//! let mut session = game.open(&[("board", "3x3"), ("k", "3")], None, &resources).unwrap();
//! session.play("b2 a2").unwrap();
//! let request = Request { detail: Some(Detail::Moves), line: 9, ..Request::default() };
//! let answer = session.answer(request, &Monitor::default()).unwrap();
//! assert_eq!(answer.position, ".../OX./...");
//! let (value, best) = (answer.value.unwrap(), &answer.moves[0]);
//! assert_eq!((value.plies, best.name.as_str()), (Some(5), "a1")); // the edge was a mistake
//! assert_eq!(answer.principal_variation.unwrap().len(), 5);
//! ```

mod agent;
mod answer;
pub mod command;
mod description;
mod puzzle;
mod registry;
pub mod requests;
mod session;
pub mod tables;
mod values;

pub use agent::AgentInfo;
pub use answer::{
    Answer, BoundsAnswer, Class, Cost, MoveAnswer, Outcome, RulesAnswer, ValueAnswer,
};
pub use bsq_analyses::{Analysis, AnalysisError, Described, Job, Table};
pub use bsq_engine::definition::{
    BuildRequest, Definition, Explorable, Info, OptionalFact, Resources, TablebaseInfo, Tablebases,
    Verification, Workload,
};
pub use bsq_engine::error::{Error, HasKind, Kind};
pub use bsq_engine::evaluate::{Detail, Learned};
pub use bsq_engine::game::Player;
pub use bsq_engine::monitor::Monitor;
pub use bsq_engine::options::{OptionKind, RuleOption};
pub use bsq_engine::score::Score;
pub use bsq_engine::view::{
    Fact, Label, Mark, Place as PlaceAnswer, Scene as SceneAnswer, Shape, State,
};
pub use description::{GameAnswer, OptionAnswer};
pub use puzzle::{HARDEST, Puzzle, Task, Wanted};
pub use registry::{Example, Game, Registry};
pub use session::{Choice, Engine, Request, Session};
pub use values::{PositionValues, ValuesBatch, ValuesRequest, ValuesSchema, exact};
