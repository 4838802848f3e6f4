//! Numbers of states by turn.

use bsq_engine::game::Player;
use std::collections::BTreeMap;

/// The sizes that a set of cells can have.
const SIZES: usize = 65;

/// Numbers of sets by the player who is stuck, the size, and another number.
type BySize = Box<[[[u64; SIZES]; SIZES]; 2]>;

/// The sets of pieces against which a player is stuck.
pub(super) struct StuckSets {
    /// Those whose owner can still move, by the number of moves.
    pub passing: BySize,
    /// Those whose owner cannot, by the number of the stuck player's pieces.
    pub terminal: BySize,
}

impl Default for StuckSets {
    fn default() -> StuckSets {
        let none = || Box::new([[[0; SIZES]; SIZES]; 2]);
        StuckSets { passing: none(), terminal: none() }
    }
}

/// The sets of a table that are not none, with the stuck player, the size, and the other number.
fn entries(sets: &BySize) -> impl Iterator<Item = (Player, u32, u32, u128)> {
    Player::BOTH.into_iter().flat_map(|stuck| {
        (0..).zip(&sets[stuck.index()]).flat_map(move |(size, sets)| {
            let sets = (0..).zip(sets).filter(|(_, sets)| **sets > 0);
            sets.map(move |(number, &sets)| (stuck, size, number, sets.into()))
        })
    })
}

/// Numbers of states, or of images of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// States that are not terminal, by turn and number of legal moves.
    pub states: BTreeMap<(u32, u32), u128>,
    /// Terminal states, by turn and by the first player's lead.
    pub terminals: BTreeMap<(u32, i32), u128>,
}

impl Tally {
    /// Counts states in which nobody has passed, the opponent of the player to move has `size`
    /// pieces, and `beyond` cells are out of their reach, if the player to move has a move.
    pub(super) fn count_free(&mut self, mover: Player, size: u32, beyond: u32, states: u128) {
        let own = size - mover.index() as u32;
        if own < beyond {
            *self.states.entry((1 + size + own, beyond - own)).or_default() += states;
        }
    }

    /// Counts the states in which a player is stuck, and those after the pass.
    pub(super) fn count_stuck(&mut self, sets: &StuckSets) {
        let turn = |stuck: Player, size: u32| 2 * size + 1 - stuck.index() as u32;
        for (stuck, size, moves, sets) in entries(&sets.passing) {
            let turn = turn(stuck, size);
            *self.states.entry((turn, 0)).or_default() += sets;
            *self.states.entry((turn + 1, moves)).or_default() += sets;
        }
        for (stuck, size, beyond, sets) in entries(&sets.terminal) {
            let lead = match stuck {
                Player::First => beyond as i32 - size as i32,
                Player::Second => size as i32 - beyond as i32,
            };
            *self.terminals.entry((turn(stuck, size), lead)).or_default() += sets;
        }
    }

    /// Adds the counts of another tally as often as `times`.
    pub(super) fn absorb(&mut self, other: &Tally, times: u128) {
        for (&key, states) in &other.states {
            *self.states.entry(key).or_default() += times * states;
        }
        for (&key, states) in &other.terminals {
            *self.terminals.entry(key).or_default() += times * states;
        }
    }

    /// The numbers of states, from the sums of those that each of `symmetries` leaves unchanged, by
    /// Burnside's lemma.
    ///
    /// # Panics
    ///
    /// If a sum is not a multiple of the number of symmetries.
    pub(super) fn up_to_symmetry(mut self, symmetries: u128) -> Tally {
        let counts = self.states.values_mut().chain(self.terminals.values_mut());
        for count in counts {
            assert_eq!(*count % symmetries, 0, "the symmetries leave {count} states unchanged");
            *count /= symmetries;
        }
        self
    }
}

/// The number of subsets with `taken` elements of a set of `all`, at most 64.
pub(super) fn binomial(all: u32, taken: u32) -> u128 {
    if taken > all {
        return 0;
    }
    (0..u128::from(taken)).fold(1, |product, i| product * (u128::from(all) - i) / (i + 1))
}
