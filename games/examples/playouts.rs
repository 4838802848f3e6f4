//! Counts the playouts of British Square on a board, 5x5 by default, by final score.

use bsq_engine::monitor::Monitor;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::{Board, Rules};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let size = std::env::args().nth(1).unwrap_or("5x5".into());
    let board = Board::parse(&size)?;
    let rules = Rules::standard(board.rows(), board.cols())?;
    for (score, playouts) in closed_form::playouts_by_score(&rules, &Monitor::default())? {
        println!("{score:3} {playouts}");
    }
    Ok(())
}
