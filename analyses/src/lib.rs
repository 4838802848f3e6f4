//! Analyses of small two-player games.
//!
//! An [`Analysis`] answers a question about a game with [`Table`]s; it neither prints nor writes
//! files. Each has a folder, grouped by game, and a line in [`ANALYSES`], from which the command,
//! its lists and the tests take it. A table that does not fit in memory is an [`Export`] instead.
//!
//! ```
//! use bsq_analyses::{Request, Subject, by_name};
//! use bsq_games::british_square::{self, Rules};
//!
//! let analysis = by_name(british_square::NAME, "playouts").unwrap();
//! let request = Request::new(Subject::Rules(Rules::standard(3, 3).unwrap()));
//! let tables = analysis.run(&request).unwrap();
//! assert_eq!(tables[0].name, "playouts");
//! ```

mod analysis;
mod chart;
mod error;
mod export;
mod ratio;
mod table;

#[path = "../british_square/mod.rs"]
pub mod british_square;
#[path = "../dots/mod.rs"]
pub mod dots;
#[path = "../rpsw/mod.rs"]
pub mod rpsw;

pub use analysis::{Analysis, Info, Limits, Opt, Request, Subject, Takes};
pub use british_square::{Method, rules_label};
pub use chart::{CHARTS, Chart, Figure, Only, chart_of};
pub use error::{AnalysisError, Procedure};
pub use export::{Export, Rows, Texts, Values, export_by_name};
pub use table::{Cell, Column, Kind, Table};

/// All analyses. Those of a game are in the order in which the command lists and runs them.
pub const ANALYSES: &[&dyn Analysis] = &[
    &british_square::playouts::Playouts,
    &british_square::states::States,
    &british_square::capacity::Capacity,
    &british_square::terminals::Terminals,
    &british_square::scores::Scores,
    &british_square::openings::Openings,
    &british_square::variants::Variants,
    &british_square::mirror::Mirror,
    &british_square::blunders::Blunders,
    &british_square::heuristics::Heuristics,
    &british_square::boards::Boards,
    &dots::boards::Boards,
    &dots::rules::RulesOfThumb,
    &dots::positions::Positions,
    &rpsw::arrangements::Arrangements,
    &rpsw::distances::Distances,
    &rpsw::draws::Draws,
];

/// All exports, in the order in which the command lists them.
pub const EXPORTS: &[&dyn Export] = &[&british_square::states::AllStates];

/// Returns the analyses of a game.
pub fn of_game(game: &str) -> impl Iterator<Item = &'static dyn Analysis> {
    ANALYSES.iter().copied().filter(move |analysis| analysis.info().game == game)
}

/// Returns the analysis of a game that has that name.
pub fn by_name(game: &str, name: &str) -> Option<&'static dyn Analysis> {
    of_game(game).find(|analysis| analysis.info().name == name)
}
