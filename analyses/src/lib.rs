//! Questions about small two-player games, each answered by a pass.
//!
//! A [`Pass`] takes the rules of a game and makes [`Table`]s; it neither prints nor writes.
//! Every pass has a folder of its own beside this one, with a README that says what to expect,
//! and a line in [`PASSES`]; the command, its list, the exports and the tests take it from
//! there.
//!
//! ```
//! use bsq_analyses::{Context, by_name};
//! use bsq_games::british_square::Rules;
//!
//! let context = Context::new(Rules::standard(3, 3).unwrap());
//! let tables = by_name("playouts").unwrap().run(&context).unwrap();
//! assert_eq!(tables[0].name, "playouts");
//! ```

mod chart;
mod export;
mod method;
mod pass;
mod rows;
mod table;

#[path = "../british_square/mod.rs"]
pub mod british_square;
#[path = "../dots/mod.rs"]
pub mod dots;
#[path = "../rpsw/mod.rs"]
pub mod rpsw;

pub use chart::{CHARTS, Chart, Figure, Only, chart_of};
pub use export::{Export, Rows, Texts, Values, export_by_name};
pub use method::Method;
pub use pass::{Asked, Context, Pass, PassError, rules_label};
pub use table::{Cell, Column, Kind, Table};

/// Every pass, in the order in which the command lists and runs them.
pub const PASSES: &[&dyn Pass] = &[
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
];

/// Every table that is too long for memory, in the order in which the command lists them.
pub const EXPORTS: &[&dyn Export] = &[&british_square::states::AllStates];

/// The pass of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Pass> {
    PASSES.iter().copied().find(|pass| pass.name() == name)
}
