//! Numbers by winner.

use crate::column::{integer, share};
use crate::ratio::big_ratio;
use crate::{Cell, Table};
use bsq_engine::game::Player;
use num_bigint::BigUint;

/// The winner of a game with that score, bias subtracted; `None` for a tie.
pub fn winner(score: i32) -> Option<Player> {
    match score {
        0 => None,
        score if score > 0 => Some(Player::First),
        _ => Some(Player::Second),
    }
}

/// Numbers by winner: first player, second player, tie.
pub type ByWinner = [BigUint; 3];

/// The sums of the numbers of scores, bias subtracted, by winner.
pub fn by_winner<N: Into<BigUint>>(numbers: impl IntoIterator<Item = (i32, N)>) -> ByWinner {
    let mut sums = ByWinner::default();
    for (score, number) in numbers {
        sums[winner(score).map_or(2, Player::index)] += number.into();
    }
    sums
}

/// The columns of numbers by winner.
pub struct Columns {
    /// The names: all, first player, second player, tie, and the shares of these three.
    pub names: [&'static str; 7],
    /// What is counted.
    about: &'static str,
    /// What the shares are shares of.
    shares: &'static str,
}

/// The columns of playouts by winner.
pub const PLAYOUTS: Columns = Columns {
    names: [
        "playouts",
        "playouts_first",
        "playouts_second",
        "playouts_tie",
        "playouts_first_share",
        "playouts_second_share",
        "playouts_tie_share",
    ],
    about: "complete sequences of moves, symmetries not merged",
    shares: "of all playouts",
};

/// The columns of terminal states by winner.
pub const TERMINALS: Columns = Columns {
    names: [
        "terminals",
        "terminals_first",
        "terminals_second",
        "terminals_tie",
        "terminals_first_share",
        "terminals_second_share",
        "terminals_tie_share",
    ],
    about: "states in which neither player can move",
    shares: "of all terminal states",
};

impl Columns {
    /// A table of these columns alone.
    pub fn of<'a>(&self, rows: impl IntoIterator<Item = &'a ByWinner>) -> Table {
        let [all, first, second, tie, first_share, second_share, tie_share] = self.names;
        let columns = [
            integer(all, self.about),
            integer(first, "of these, won by the first player"),
            integer(second, "of these, won by the second player"),
            integer(tie, "of these, tied"),
            share(first_share, self.shares),
            share(second_share, self.shares),
            share(tie_share, self.shares),
        ];
        let mut table = Table::new("", "", &columns);
        for counts in rows {
            let all: BigUint = counts.iter().sum();
            let counted =
                std::iter::once(&all).chain(counts).map(|count| Cell::from(count.clone()));
            let shares = counts.iter().map(|count| big_ratio(count, &all).into());
            table.push(counted.chain(shares).collect());
        }
        table
    }
}
