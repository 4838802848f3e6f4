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
mod options;
pub mod palette;
#[cfg(feature = "storage")]
pub mod parts;
mod ratio;
mod subject;

pub mod any;
pub mod british_square;
pub mod dots;
pub mod rpsw;

use british_square as bs;

pub use analysis::{Analysis, Compute, Request};
pub use british_square::{rules_fields, rules_label};
pub use bsq_engine::results::{Cell, Column, Kind, Table, column};
pub use chart::{Chart, Figure, Only, Shown};
pub use error::AnalysisError;
pub use export::{Export, Rows, Texts, Values, export_by_name};
pub use options::{Method, RequestOption};
pub use subject::{Subject, Takes};

/// All analyses. Those of a game are in the order in which the command lists and runs them.
pub const ANALYSES: &[Analysis] = &[
    bs::playouts::ANALYSIS,
    bs::states::ANALYSIS,
    bs::capacity::ANALYSIS,
    bs::terminals::ANALYSIS,
    bs::scores::ANALYSIS,
    bs::openings::ANALYSIS,
    bs::variants::ANALYSIS,
    bs::mirror::ANALYSIS,
    bs::blunders::ANALYSIS,
    bs::r#match::ANALYSIS,
    bs::heuristics::ANALYSIS,
    bs::boards::ANALYSIS,
    bs::growth::ANALYSIS,
    dots::boards::ANALYSIS,
    dots::rules::ANALYSIS,
    dots::positions::ANALYSIS,
    rpsw::arrangements::ANALYSIS,
    rpsw::distances::ANALYSIS,
    rpsw::draws::ANALYSIS,
];

/// All exports, in the order in which the command lists them.
pub const EXPORTS: &[Export] = &[bs::states::EXPORT];

/// Returns the analyses of a game.
pub fn of_game(game: &str) -> impl Iterator<Item = &'static Analysis> {
    ANALYSES.iter().filter(move |analysis| analysis.game == game)
}

/// Returns the analysis of a game that has that name.
pub fn by_name(game: &str, name: &str) -> Option<&'static Analysis> {
    of_game(game).find(|analysis| analysis.name == name)
}

/// All charts but [those of any game](any::CHARTS).
pub const CHARTS: &[&Chart] = &[
    &bs::playouts::CHART,
    &bs::states::CHART,
    &bs::terminals::CHART,
    &bs::scores::CHART,
    &bs::openings::CHART,
    &bs::variants::CHART,
    &bs::mirror::BY_TURN_CHART,
    &bs::blunders::CHART,
    &bs::heuristics::CHART,
    &bs::boards::CHART,
    &bs::growth::CHART,
    &rpsw::arrangements::CHART,
    &rpsw::arrangements::SUMMARY_CHART,
    &rpsw::distances::MATERIAL_CHART,
    &rpsw::distances::ITERATIONS_CHART,
    &rpsw::draws::CHART,
    &dots::boards::CHART,
    &dots::boards::OPENINGS_CHART,
    &dots::positions::CHART,
    &dots::rules::CHART,
    &dots::rules::BY_LINE_CHART,
];

/// Returns the chart of a table with values in these columns: the first of that name, otherwise the
/// only one.
pub fn chart_of<'a>(
    table: &str,
    columns: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'static Chart<'static>> {
    let has = |name: &str| columns.clone().any(|column| column == name);
    let fits = |chart: &&Chart| chart.columns().all(has);
    let charts = CHARTS.iter().copied().chain(&any::CHARTS);
    let fitting: Vec<&Chart> = charts.filter(fits).collect();
    let named = fitting.iter().find(|chart| chart.table == table).copied();
    named.or(match fitting[..] {
        [only] => Some(only),
        _ => None,
    })
}
