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
mod valuer;

#[path = "../blunders/mod.rs"]
pub mod blunders;
#[path = "../boards/mod.rs"]
pub mod boards;
#[path = "../capacity/mod.rs"]
pub mod capacity;
#[path = "../dots/mod.rs"]
pub mod dots;
#[path = "../heuristics/mod.rs"]
pub mod heuristics;
#[path = "../mirror/mod.rs"]
pub mod mirror;
#[path = "../openings/mod.rs"]
pub mod openings;
#[path = "../playouts/mod.rs"]
pub mod playouts;
#[path = "../rpsw/mod.rs"]
pub mod rpsw;
#[path = "../scores/mod.rs"]
pub mod scores;
#[path = "../states/mod.rs"]
pub mod states;
#[path = "../terminals/mod.rs"]
pub mod terminals;
#[path = "../variants/mod.rs"]
pub mod variants;

pub use chart::{CHARTS, Chart, Figure, Only, chart_of};
pub use export::{Export, Rows, Texts, Values, export_by_name};
pub use method::Method;
pub use pass::{Asked, Context, Pass, PassError, rules_label};
pub use table::{Cell, Column, Kind, Table};
pub use valuer::{Valued, Valuer, suitable_table};

/// Every pass, in the order in which the command lists and runs them.
pub const PASSES: &[&dyn Pass] = &[
    &playouts::Playouts,
    &states::States,
    &capacity::Capacity,
    &terminals::Terminals,
    &scores::Scores,
    &openings::Openings,
    &variants::Variants,
    &mirror::Mirror,
    &blunders::Blunders,
    &heuristics::Heuristics,
    &boards::Boards,
];

/// Every table that is too long for memory, in the order in which the command lists them.
pub const EXPORTS: &[&dyn Export] = &[&states::AllStates];

/// The pass of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Pass> {
    PASSES.iter().copied().find(|pass| pass.name() == name)
}
