//! Prints the main table of an analysis of British Square on 4x4, `states` by default.

use bsq_analyses::by_name;
use bsq_engine::monitor::Monitor;
use bsq_games::british_square;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("states".into());
    let analysis = by_name(british_square::NAME, &name).ok_or("there is no such analysis")?;
    let tables = analysis.prepare(&[("board", "4x4")], None)?.run(&Monitor::default())?;
    println!("{:?}", tables[0].columns.iter().map(|column| &*column.name).collect::<Vec<_>>());
    for row in &tables[0].rows {
        println!("{row:?}");
    }
    Ok(())
}
