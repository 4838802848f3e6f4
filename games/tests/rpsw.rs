//! Compares the bit-set retrograde analysis of rock-paper-scissors-well with a plain one, position
//! by position.

use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::retrograde::{BitSet, Found, Layout, solve};
use bsq_games::rpsw::{Piece, Placement, Position, Rules, Square};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;

/// All placements of at least one piece, and at most as many as the rules allow, on open squares.
fn placements(rules: &Rules) -> Vec<Placement> {
    let mut all = vec![Placement::default()];
    for kind in Piece::ALL {
        for placement in all.clone() {
            for square in 0..rules.board().open_squares() as Square {
                if !placement.contains(&Some(square)) {
                    let mut more = placement;
                    more[kind.index()] = Some(square);
                    all.push(more);
                }
            }
        }
    }
    let count = |placement: &Placement| placement.iter().flatten().count();
    all.retain(|placement| (1..=rules.pieces()).contains(&count(placement)));
    all
}

/// All positions that are not over, with the first player to move.
fn positions(rules: &Rules) -> Vec<Position> {
    let placements = placements(rules);
    let mut positions = Vec::new();
    for &own in &placements {
        let squares: Vec<Square> =
            own.iter().flatten().map(|&s| rules.board().flipped(s)).collect();
        for &other in &placements {
            let count = squares.len() + other.iter().flatten().count();
            if count <= rules.total()
                && !other.iter().flatten().any(|square| squares.contains(square))
            {
                positions.push(Position { pieces: [own, other], to_move: Player::First });
            }
        }
    }
    positions
}

/// The position with the players exchanged.
fn exchanged(position: &Position) -> Position {
    let [first, second] = position.pieces;
    Position { pieces: [second, first], to_move: position.to_move.other() }
}

/// The depth of each position in plies, by plain iteration over all positions.
fn plain(rules: &Rules) -> HashMap<Position, u32> {
    let mut open = positions(rules);
    let mut plies: HashMap<Position, u32> = HashMap::new();
    for round in 1.. {
        let mut found = Vec::new();
        open.retain(|position| {
            let moves = rules.moves(position);
            let after = moves.iter().map(|&mv| rules.play(position, mv));
            // For the opponent: lost at once, lost or won in a number of plies, or undecided.
            let mut verdicts = after.map(|next| match rules.winner(&next) {
                Some(winner) => {
                    assert_eq!(winner, Player::First);
                    Some(0)
                }
                None => plies.get(&exchanged(&next)).copied(),
            });
            let decided = match round % 2 {
                1 => verdicts.any(|plies| plies.is_some_and(|plies| plies % 2 == 0)),
                _ => {
                    !moves.is_empty()
                        && verdicts.all(|plies| plies.is_some_and(|plies| plies % 2 == 1))
                }
            };
            if round == 1 {
                assert_eq!(rules.wins_at_once(position), decided, "{position:?}");
            }
            if decided {
                found.push(*position);
            }
            !decided
        });
        if found.is_empty() {
            return plies;
        }
        plies.extend(found.into_iter().map(|position| (position, round)));
    }
    unreachable!("some round finds nothing")
}

/// The location of a bit: lost or won, row, word, bit.
type Place = (bool, usize, usize, u32);

/// Records the depth at which each bit is decided.
#[derive(Default)]
struct Notes(Mutex<HashMap<Place, u32>>);

impl Notes {
    fn decided(&self, plies: u32, row: usize, found: &Found, places: usize) {
        let mut notes = self.0.lock().unwrap();
        for (word, bits) in found.words(places) {
            for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
                let known = notes.insert((plies % 2 == 1, row, word as usize, bit), plies);
                assert_eq!(known, None, "decided once");
            }
        }
    }
}

fn check(rules: &Rules) {
    let layout = Layout::new(rules.clone());
    let notes = Notes::default();
    let decided = |plies, row, found: &Found| notes.decided(plies, row, found, layout.places());
    let solved = solve(&layout, &decided, &Monitor::default()).unwrap();
    let notes = notes.0.into_inner().unwrap();
    let wanted = plain(rules);
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let mut classes = HashSet::new();
    for position in positions(rules) {
        let [lost, won] = layout.rank(&position).expect("a position");
        let bit = |(row, word, bit): (usize, usize, u32), is_won| (is_won, row, word, bit);
        let found = notes.get(&bit(lost, false)).or_else(|| notes.get(&bit(won, true)));
        assert_eq!(found, wanted.get(&position), "{rules:?} {position:?}");
        let is_set = |rows: &BitSet, (row, word, bit)| rows.row(row)[word] >> bit & 1u32 == 1;
        assert_eq!(is_set(&solved.lost, lost), found.is_some_and(|plies| plies % 2 == 0));
        assert_eq!(
            is_set(&solved.won, won),
            found.is_some_and(|plies| plies % 2 == 1),
            "{rules:?} {position:?} {found:?} {lost:?} {won:?}"
        );
        if classes.insert(rules.canonical(&position))
            && let Some(&plies) = found
        {
            *counts.entry(plies).or_default() += 1;
        }
    }
    let found: BTreeMap<u32, u64> =
        solved.iterations.iter().map(|found| (found.plies, found.found.total())).collect();
    assert_eq!(found, counts, "{rules:?}");
    assert_eq!(solved.positions.total(), classes.len() as u64, "{rules:?}");
}

#[test]
fn every_position_of_small_games() {
    let standard = Rules::standard;
    for (cols, rows, pieces) in
        [(4, 6, 1), (2, 3, 4), (2, 4, 3), (3, 3, 2), (3, 4, 2), (4, 3, 2), (1, 4, 2), (1, 3, 4)]
    {
        let rules = standard().on_board(cols, rows).unwrap().with_pieces(pieces).unwrap();
        check(&rules);
    }
    check(&standard().on_board(2, 4).unwrap().with_takes([0b1111, 0b0001, 0, 0b0110]));
}

#[test]
fn every_position_of_small_games_with_few_pieces_in_all() {
    for (cols, rows, pieces, total) in [(3, 4, 2, 3), (2, 4, 3, 4), (2, 3, 4, 5), (4, 6, 2, 2)] {
        let rules = Rules::standard().on_board(cols, rows).unwrap();
        check(&rules.with_pieces(pieces).unwrap().with_total(total).unwrap());
    }
}

/// The whole board, and more than one piece.
#[test]
fn every_position_of_three_pieces() {
    check(&Rules::standard().with_pieces(2).unwrap().with_total(3).unwrap());
}

/// Plies and positions of a table, from the rows with a number of plies.
fn counts(path: &str) -> BTreeMap<u32, u64> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let mut counts = BTreeMap::new();
    for row in csv::Reader::from_path(path).unwrap().deserialize() {
        let row: HashMap<String, String> = row.unwrap();
        if let Ok(plies) = row["plies"].parse() {
            counts.insert(plies, row["positions"].parse().unwrap());
        }
    }
    counts
}

/// The whole game takes some minutes: `bsq rpsw tablebase build FILE`.
#[test]
fn the_results_of_the_whole_game_are_the_published_ones() {
    let published = counts("tests/golden/rpsw_iterations.csv");
    assert_eq!(published.len(), 62);
    let mut results = counts("results/rpsw-iterations.csv");
    results.retain(|&plies, _| plies > 3); // the published list leaves the first three out
    assert_eq!(results, published);
}
