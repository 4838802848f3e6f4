//! Explores a game of which only the rules are given, and prints who wins it.

use bsq_engine::explore::{Limits, explore};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::nim::Nim;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let monitor = Monitor::default();
    let explored = explore(Nim([3, 4, 5]), Limits::default(), &monitor)?;
    println!("{} ways to play", explored.playouts(&monitor)?.total());
    let solution = explored.solve(&monitor)?;
    let value = solution.value(&solution.game().start()).ok_or("the start was not explored")?;
    println!("value: {value:?}");
    Ok(())
}
