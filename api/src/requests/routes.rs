//! The paths of requests, with their parameters and replies.

use super::ask::Ask;
use super::batch::Values;
use super::parameters::Parameters;
use super::{DEFAULT_AGENT, DEFAULT_LINE, LONGEST_LINE, MOST_POSITIONS, MOST_SECONDS, seconds};
use crate::puzzle::HARDEST;
use crate::{Error, OptionKind, Request, RuleOption, Task, Wanted};
use std::sync::LazyLock;
use std::time::Duration;
#[cfg(feature = "schema")]
use {
    super::analyses::{AnalysesAnswer, TablesAnswer},
    super::batch::Batch,
    super::replies::{BatchReply, Chosen, Games, Loaded, Record, Variation},
    crate::{Answer, Puzzle},
};

/// A path with what can be asked there.
pub struct Route {
    /// The path, in which `{game}` and `{name}` stand for the names of a game and of an analysis.
    pub path: &'static str,
    /// What the reply contains, in a line.
    pub summary: &'static str,
    /// What is asked.
    pub target: Target,
    /// The parameters besides those of the target.
    pub options: Vec<RuleOption>,
    /// The schema of the reply.
    #[cfg(feature = "schema")]
    pub reply: SchemaOf,
    /// What can be asked with a body.
    pub post: Option<Post>,
}

/// What a request without a body asks about.
pub enum Target {
    /// All games.
    Games,
    /// The analyses of a game.
    Analyses,
    /// An analysis of a game. Its options are parameters.
    Analysis,
    /// A position of a game. The options of the rules are parameters.
    Position(fn(&Parameters) -> Result<Ask, Error>),
}

/// A request with a body.
pub struct Post {
    /// What the reply contains, in a line.
    pub summary: String,
    /// What the body is.
    pub body: Body,
    /// The schema of the body.
    #[cfg(feature = "schema")]
    pub schema: SchemaOf,
    /// The schema of the reply.
    #[cfg(feature = "schema")]
    pub reply: SchemaOf,
}

/// The body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A [`Batch`] as JSON.
    Batch,
    /// A game record as text.
    Record,
}

/// The schema of a type, from a generator.
#[cfg(feature = "schema")]
pub type SchemaOf = fn(&mut schemars::SchemaGenerator) -> schemars::Schema;

#[cfg(feature = "schema")]
fn schema<T: schemars::JsonSchema>(schemas: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemas.subschema_for::<T>()
}

/// All routes.
pub fn routes() -> &'static [Route] {
    static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(all);
    &ROUTES
}

/// A route without a body. The type is that of the reply.
macro_rules! route {
    ($path:literal, $reply:ty, $summary:literal, $target:expr, $options:expr) => {
        Route {
            path: $path,
            summary: $summary,
            target: $target,
            options: $options,
            #[cfg(feature = "schema")]
            reply: schema::<$reply>,
            post: None,
        }
    };
}

fn all() -> Vec<Route> {
    let position = Route {
        post: Some(Post {
            summary: format!("at most {MOST_POSITIONS} positions under the same rules"),
            body: Body::Batch,
            #[cfg(feature = "schema")]
            schema: schema::<Batch>,
            #[cfg(feature = "schema")]
            reply: schema::<BatchReply>,
        }),
        ..route!(
            "{game}/position",
            Answer,
            "a position, with the values of its moves",
            Target::Position(ask_position),
            about_position([
                RuleOption::new(
                    "values",
                    OptionKind::choice(["yes", "value", "no"]),
                    Some("yes"),
                    "Values: of every move, of the position, or none",
                ),
                count(
                    "line",
                    LONGEST_LINE,
                    0,
                    "The most moves of the principal variation; 0 for none",
                ),
                RuleOption::new(
                    "facts",
                    OptionKind::Text { form: "nimstring,loony".into() },
                    None,
                    "Optional facts to find besides the values, separated by commas",
                ),
                time(),
            ])
        )
    };
    let line = route!(
        "{game}/line",
        Variation,
        "the principal variation",
        Target::Position(ask_line),
        about_position([count("limit", LONGEST_LINE, DEFAULT_LINE, "The most moves"), time()])
    );
    let agent = RuleOption::new(
        "agent",
        OptionKind::Text { form: DEFAULT_AGENT.into() },
        Some(DEFAULT_AGENT),
        "The name of an agent, or a heuristic as text",
    );
    let chosen = route!(
        "{game}/move",
        Chosen,
        "the move of an agent",
        Target::Position(ask_move),
        about_position([agent, seed(), time()])
    );
    let level = OptionKind::Integer { least: 1, most: HARDEST.into() };
    let puzzle = route!(
        "{game}/puzzle",
        Puzzle,
        "a position after random moves in which only one move keeps the result",
        Target::Position(ask_puzzle),
        about_position([
            RuleOption::new(
                "task",
                OptionKind::choice(["win", "save"]),
                None,
                "The task; by default any"
            ),
            RuleOption::new("level", level, None, "The level; by default any"),
            seed(),
            time(),
        ])
    );
    let record = Route {
        post: Some(Post {
            summary: "the rules and moves of a record".to_string(),
            body: Body::Record,
            #[cfg(feature = "schema")]
            schema: schema::<String>,
            #[cfg(feature = "schema")]
            reply: schema::<Loaded>,
        }),
        ..route!(
            "{game}/record",
            Record,
            "the record of a game",
            Target::Position(|_| Ok(Ask::Record)),
            about_position([])
        )
    };
    vec![
        route!("games", Games, "the games", Target::Games, vec![]),
        position,
        line,
        chosen,
        puzzle,
        record,
        route!(
            "{game}/analyses",
            AnalysesAnswer,
            "the analyses that can be asked for",
            Target::Analyses,
            vec![]
        ),
        route!(
            "{game}/analyses/{name}",
            TablesAnswer,
            "the tables of an analysis",
            Target::Analysis,
            vec![]
        ),
    ]
}

/// The parameters of a position, and others.
fn about_position<const N: usize>(others: [RuleOption; N]) -> Vec<RuleOption> {
    let position = RuleOption::new(
        "position",
        OptionKind::Position,
        None,
        "The first position; by default, the start of the game",
    );
    let moves = RuleOption::new(
        "moves",
        OptionKind::Moves,
        None,
        "Moves to play from there, separated by spaces or commas",
    );
    [position, moves].into_iter().chain(others).collect()
}

fn count(name: &'static str, most: usize, default: usize, help: &'static str) -> RuleOption {
    let kind = OptionKind::Integer { least: 0, most: most as i64 };
    RuleOption {
        default: Some(default.to_string().into()),
        ..RuleOption::new(name, kind, None, help)
    }
}

fn time() -> RuleOption {
    let kind = OptionKind::Integer { least: 1, most: MOST_SECONDS as i64 };
    let help = "The most seconds of a search, after which the answer is what is proved by then";
    RuleOption::new("time", kind, None, help)
}

fn time_of(given: &Parameters) -> Result<Option<Duration>, Error> {
    seconds(given.integer("time")?)
}

fn seed() -> RuleOption {
    RuleOption::new("seed", OptionKind::Seed, Some("0"), "Random seed")
}

fn ask_position(given: &Parameters) -> Result<Ask, Error> {
    let values = Values::named(given.value("values")?.unwrap_or_default());
    let line = given.integer("line")?.unwrap_or(0);
    Ok(Ask::Answer(Request { detail: values.detail(), line, time: time_of(given)? }))
}

fn ask_line(given: &Parameters) -> Result<Ask, Error> {
    let limit = given.integer("limit")?.unwrap_or(DEFAULT_LINE);
    Ok(Ask::Line { limit, time: time_of(given)? })
}

fn ask_move(given: &Parameters) -> Result<Ask, Error> {
    let agent = given.value("agent")?.unwrap_or(DEFAULT_AGENT).to_string();
    let seed = given.integer("seed")?.unwrap_or(0);
    Ok(Ask::Move { agent, seed, time: time_of(given)? })
}

fn ask_puzzle(given: &Parameters) -> Result<Ask, Error> {
    let task = given.value("task")?.map(|task| if task == "win" { Task::Win } else { Task::Save });
    let (level, seed) = (given.integer("level")?, given.integer("seed")?.unwrap_or(0));
    Ok(Ask::Puzzle(Wanted { task, level, seed, time: time_of(given)? }))
}
