//! Analyses of small two-player games.
//!
//! An [`Analysis`] answers a question about a game with [`Table`]s; it neither prints nor writes
//! files. Each has a folder, grouped by game, and a line in [`of_game`]; [`any`] has those of every
//! game. A request gives values to options by name: [`Analysis::prepare`] checks it and returns a
//! [`Job`]. A table that does not fit in memory is an [`Export`] instead.
//!
//! ```
//! use bsq_analyses::by_name;
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::british_square;
//!
//! let analysis = by_name(british_square::NAME, "playouts").unwrap();
//! let job = analysis.prepare(&[("board", "3x3")], None).unwrap();
//! let tables = job.run(&Monitor::default()).unwrap();
//! assert_eq!(tables[0].name, "playouts");
//! ```

pub mod agent;
mod analysis;
mod chart;
pub mod choices;
mod error;
mod export;
pub mod options;
pub mod palette;
#[cfg(feature = "storage")]
pub mod parts;
pub mod query;
mod ratio;
pub mod sample;
pub mod source;

pub mod any;
pub mod british_square;
pub mod dots;
#[cfg(feature = "storage")]
pub mod rpsw;

use british_square as bs;
use choices::Outside;

pub use analysis::{Analysis, Described, Job, OptionValues};
pub use british_square::{described, rules_label};
pub use bsq_engine::results::{Cell, Column, ColumnType, Drawing, Table, Texts, Values, column};
pub use chart::{Chart, Figure, GroupChart, Only, Shown};
pub use error::AnalysisError;
pub use export::{Export, Rows, export_by_name};
pub use options::Method;

/// The special analyses of a game, in the order in which the command lists and runs them. One that
/// has the name of an analysis of [any game](any::analyses) replaces it.
pub fn of_game(game: &str) -> Vec<Analysis> {
    match game {
        bsq_games::british_square::NAME => vec![
            bs::playouts::analysis(),
            bs::states::analysis(),
            bs::capacity::analysis(),
            bs::terminals::analysis(),
            bs::scores::analysis(),
            bs::openings::analysis(),
            bs::variants::analysis(),
            bs::mirror::analysis(),
            bs::blunders::analysis(),
            bs::r#match::analysis(),
            bs::heuristics::analysis(),
            bs::agents::analysis(),
            bs::boards::analysis(),
            bs::growth::analysis(),
        ],
        bsq_games::dots::NAME => {
            vec![
                dots::boards::analysis(),
                dots::rules::analysis(),
                dots::positions::analysis(),
                dots::endgame::analysis(),
            ]
        }
        #[cfg(feature = "storage")]
        bsq_games::rpsw::NAME => vec![
            rpsw::arrangements::analysis(),
            rpsw::distances::analysis(),
            rpsw::draws::analysis(),
        ],
        _ => Vec::new(),
    }
}

/// The special analysis of a heuristic of a game, if the game has one.
pub fn heuristic_test_of(game: &str) -> Option<Analysis> {
    match game {
        bsq_games::british_square::NAME => Some(bs::heuristics::test_analysis()),
        #[cfg(feature = "storage")]
        bsq_games::dots::NAME => Some(dots::source::heuristic_test()),
        _ => None,
    }
}

/// The test of moves that somebody prefers outside the program, who is named, over a special source of
/// the positions of a game, if the game has one.
pub fn outside_test_of(game: &str, name: &str, outside: &Outside) -> Option<Analysis> {
    match game {
        bsq_games::british_square::NAME => Some(bs::outside_test(name, outside)),
        #[cfg(feature = "storage")]
        bsq_games::dots::NAME => Some(dots::source::outside_test(name, outside)),
        #[cfg(feature = "storage")]
        bsq_games::rpsw::NAME => Some(rpsw::outside_test(name, outside)),
        _ => None,
    }
}

/// The query, the export and the sample of a game over a special source of its positions, if the game
/// has one.
pub fn queries_of(game: &str) -> Option<[Analysis; 3]> {
    match game {
        bsq_games::british_square::NAME => Some([bs::query(), bs::export(), bs::sample()]),
        #[cfg(feature = "storage")]
        bsq_games::dots::NAME => {
            Some([dots::source::query(), dots::source::export(), dots::source::sample()])
        }
        #[cfg(feature = "storage")]
        bsq_games::rpsw::NAME => Some([rpsw::query(), rpsw::export(), rpsw::sample()]),
        _ => None,
    }
}

/// Returns the special analysis of a game that has that name.
pub fn by_name(game: &str, name: &str) -> Option<Analysis> {
    of_game(game).into_iter().find(|analysis| analysis.name() == name)
}

/// All exports, in the order in which the command lists them.
pub const EXPORTS: &[Export] = &[bs::states::EXPORT];

/// Returns the chart of a table with values in these columns, among others: the first that is of a
/// table of that name, otherwise the only one.
pub fn chart_of<'a>(
    charts: impl IntoIterator<Item = &'static Chart<'static>>,
    table: &str,
    columns: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'static Chart<'static>> {
    let mut fitting: Vec<&Chart> = Vec::new();
    for chart in charts {
        if chart.suits(columns.clone()) && !fitting.contains(&chart) {
            fitting.push(chart);
        }
    }
    let named = fitting.iter().find(|chart| chart.is_of(table)).copied();
    named.or(match fitting[..] {
        [only] => Some(only),
        _ => None,
    })
}
