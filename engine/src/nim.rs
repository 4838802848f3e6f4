//! Nim, the toy game of this crate's examples and tests.
//!
//! Players alternately take any number of objects from one of three heaps. The player who takes the
//! last object wins by one point. The player to move wins if and only if the exclusive or of the
//! heaps is not zero (Bouton, *Nim, a Game with a Complete Mathematical Theory*, 1901).

use crate::game::{Game, Measure, Notation, Player, Remaining, Value};
use crate::record::{RecordFormat, Recorded};
use crate::strong::{AcyclicGame, DecodeKey, Edges};

/// The rules, with the heaps at the start: at most 15 objects each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nim(pub [u8; 3]);

/// Three heaps, and the number of moves made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heaps {
    /// Objects in each heap.
    pub heaps: [u8; 3],
    /// The number of moves made so far. The first player moves after an even number.
    pub moves: u8,
}

/// A heap, counted from 0, and the number of objects taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take(pub usize, pub u8);

/// A text that is not a position or move, or an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a position or legal move; a position is '3 2 5 after 1', a move 'b2'")]
pub struct NimError(pub String);

/// The largest heap.
const MOST: u8 = 15;

impl Heaps {
    /// The exclusive or of the heaps. The player to move loses if and only if it is 0.
    pub fn nim_sum(&self) -> u8 {
        self.heaps.iter().fold(0, |sum, heap| sum ^ heap)
    }

    fn player(&self) -> Player {
        Player::on_turn(u32::from(self.moves) + 1)
    }

    fn after(mut self, Take(heap, count): Take) -> Heaps {
        self.heaps[heap] -= count;
        self.moves += 1;
        self
    }
}

impl Nim {
    /// Whether so many moves can take the missing objects: at least one a heap, at most one each.
    fn is_reachable(&self, position: &Heaps) -> bool {
        let taken = |(most, left): (&u8, u8)| most.checked_sub(left);
        let taken: Option<Vec<u8>> = self.0.iter().zip(position.heaps).map(taken).collect();
        taken.is_some_and(|taken| {
            let least = taken.iter().filter(|&&count| count > 0).count();
            (least..=taken.into_iter().map(usize::from).sum()).contains(&position.moves.into())
        })
    }
}

impl Game for Nim {
    type Position = Heaps;
    type Move = Take;

    fn start(&self) -> Heaps {
        Heaps { heaps: self.0, moves: 0 }
    }

    fn to_move(&self, position: &Heaps) -> Player {
        position.player()
    }

    fn moves(&self, position: &Heaps) -> Vec<Take> {
        let takes = |heap| (1..=position.heaps[heap]).map(move |count| Take(heap, count));
        (0..3).flat_map(takes).collect()
    }

    fn play(&self, position: &Heaps, mv: Take) -> Heaps {
        position.after(mv)
    }

    fn measure(&self) -> Measure {
        Measure::Points
    }

    fn remaining(&self, position: &Heaps) -> Option<Remaining> {
        let plies = position.heaps.iter().map(|&heap| u32::from(heap)).sum();
        let most = i32::from(plies > 0);
        Some(Remaining { plies, lower: -most, upper: most })
    }

    fn score(&self, position: &Heaps) -> i32 {
        match position.heaps {
            [0, 0, 0] => position.player().other().sign(),
            _ => 0,
        }
    }

    fn result(&self, position: &Heaps) -> Option<Value> {
        (position.heaps == [0, 0, 0]).then(|| Value::of_score(self.score(position).into()))
    }
}

/// A position is its heaps and the number of moves made, which is 0 if omitted: `3 2 5 after 1`.
impl Notation for Nim {
    type Error = NimError;

    fn format_position(&self, Heaps { heaps: [a, b, c], moves }: &Heaps) -> String {
        format!("{a} {b} {c} after {moves}")
    }

    fn parse_position(&self, text: &str) -> Result<Heaps, NimError> {
        let (heaps, moves) = text.split_once(" after ").unwrap_or((text, "0"));
        let heaps: Option<Vec<u8>> =
            heaps.split_whitespace().map(|word| word.parse().ok()).collect();
        let heaps = heaps.and_then(|heaps| heaps.try_into().ok());
        let position = heaps.zip(moves.parse().ok()).map(|(heaps, moves)| Heaps { heaps, moves });
        let position = position.filter(|position| self.is_reachable(position));
        position.ok_or_else(|| NimError(text.to_string()))
    }

    fn format_move(&self, _: &Heaps, Take(heap, count): Take) -> String {
        format!("{}{count}", ["a", "b", "c"][heap])
    }

    fn parse_move(&self, _: &Heaps, text: &str) -> Result<Take, NimError> {
        let heap = text.chars().next().and_then(|letter| "abc".find(letter));
        let take = heap.and_then(|heap| Some(Take(heap, text[1..].parse().ok()?)));
        take.ok_or_else(|| NimError(text.to_string()))
    }
}

impl Recorded for Nim {
    type MoveError = NimError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: RecordFormat = RecordFormat::without_options("Nim", "moves: a1");
        &FORMAT
    }

    fn illegal_move(&self, position: &Heaps, mv: Take) -> NimError {
        NimError(self.format_move(position, mv))
    }
}

/// A move is numbered 16 times its heap plus the objects that it takes.
impl AcyclicGame for Nim {
    type Node = Heaps;

    fn key(&self, node: &Heaps) -> u64 {
        let words = node.heaps.iter().chain([&node.moves]);
        words.fold(1, |key, &word| key << 8 | u64::from(word))
    }

    fn to_move(&self, node: &Heaps) -> Player {
        node.player()
    }

    fn expand(&self, node: &Heaps, edges: &mut Edges) {
        let moves = self.moves(node);
        if moves.is_empty() {
            return edges.add_terminal(self.score(node));
        }
        let number = |Take(heap, count): Take| heap as u16 * 16 + u16::from(count);
        let (keys, origins, tag) =
            edges.add(moves.iter().fold(0, |set, &mv| set | 1 << number(mv)));
        for (i, mv) in moves.into_iter().enumerate() {
            (keys[i], origins[i]) = (self.key(&node.after(mv)), tag | number(mv));
        }
    }

    fn child(&self, node: &Heaps, mv: Option<u8>) -> Heaps {
        let mv = mv.expect("Nim has no passes");
        node.after(Take(usize::from(mv / 16), mv % 16))
    }

    fn max_moves(&self) -> usize {
        3 * usize::from(MOST)
    }

    fn max_positions(&self) -> u64 {
        let [a, b, c] = self.0.map(|heap| u64::from(heap) + 1);
        a * b * c * (a + b + c)
    }
}

impl DecodeKey for Nim {
    fn decode(&self, key: u64) -> Heaps {
        let [a, b, c, moves] = (key as u32).to_be_bytes();
        Heaps { heaps: [a, b, c], moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::Monitor;
    use crate::strong::{States, solve};

    #[test]
    fn the_player_to_move_wins_exactly_where_the_nim_sum_is_not_zero() {
        let nim = Nim([5, 6, 7]);
        let solved = solve(&nim, &nim.start(), &Monitor::default()).unwrap();
        let states = States::of(solved, &Monitor::default()).unwrap();
        let mut wins = 0;
        states.show(&nim, 0..states.len(), |state| {
            let node = nim.decode(state.key);
            let wanted = if node.nim_sum() == 0 { -1 } else { 1 };
            assert_eq!(state.value, wanted * node.player().sign(), "{node:?}");
            assert_eq!(state.moves.count_ones(), u32::from(node.heaps.iter().sum::<u8>()));
            wins += u32::from(wanted == 1);
        });
        assert!(wins > 0 && (wins as usize) < states.len());
    }

    #[test]
    fn a_parsed_position_is_reachable() {
        let nim = Nim([3, 4, 5]);
        let parsed = |text| nim.parse_position(text).map(|Heaps { heaps, moves }| (heaps, moves));
        assert_eq!(parsed("3 4 5"), Ok(([3, 4, 5], 0)));
        assert_eq!(parsed("1 4 2 after 5"), Ok(([1, 4, 2], 5)));
        for text in ["3 4 6", "3 4", "1 4 2 after 1", "1 4 2 after 6", "1 4 2", "1 4 2 after x"] {
            assert_eq!(parsed(text), Err(NimError(text.to_string())));
        }
    }
}
