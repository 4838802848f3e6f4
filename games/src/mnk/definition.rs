//! The definition of the game for front ends.

use super::{NAME, Rules};
use bsq_engine::definition::{Explorable, Info};

impl Explorable for Rules {
    fn info(&self) -> &Info {
        static INFO: Info = Info::new(
            NAME,
            "m,n,k games",
            "Tic-tac-toe and its generalisations: k in a row on any board",
            "Players take turns placing a piece on an empty cell. The first player with k pieces \
            in a row, horizontally, vertically or diagonally, wins. A full board without such a row \
            is a tie.",
        );
        &INFO
    }
}
