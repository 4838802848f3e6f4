//! Compares rock-paper-scissors-well on the full board with the plain solver, position by position.

use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::census::Census;
use bsq_games::rpsw::retrograde::{Found, Layout, solve};
use bsq_games::rpsw::tablebase::solution::Solution;
use bsq_games::rpsw::{Dtw, Placement, Position, Rules};
use bsq_plain::rpsw::{ALL_KINDS, OPEN, Plain};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};

const ROCK_PAPER_SCISSORS: u8 = 0b0111;
const ROCK_PAPER_WELL: u8 = 0b1011;

/// Records the depth of each position that the plain solver has, in its order.
struct Notes<'a> {
    layout: &'a Layout,
    plain: &'a Plain,
    plies: Vec<AtomicU8>,
}

impl Notes<'_> {
    fn note(&self, own: &Placement, other: &Placement, plies: u8) {
        let Some(index) = self.plain.index(own, other) else { return };
        let known = self.plies[index].swap(plies, Ordering::Relaxed);
        // A row that is its own mirror image contains both images of a position.
        assert!([OPEN, plies].contains(&known), "{own:?} {other:?} decided in {known} and {plies}");
    }

    fn decided(&self, plies: u32, row: usize, found: &Found) {
        let places = self.layout.places() as u32;
        for (word, bits) in found.words(self.layout.places()) {
            for bit in (0..places).filter(|bit| bits >> bit & 1 == 1) {
                let position = self.layout.position(row, word * places + bit).expect("a position");
                // The row's player of a won position is not to move.
                let [own, other] = match plies % 2 {
                    0 => position.pieces,
                    _ => [position.pieces[1], position.pieces[0]],
                };
                self.note(&own, &other, plies as u8);
                let [own, other] = [own, other].map(|placement| self.plain.mirrored(&placement));
                self.note(&own, &other, plies as u8);
            }
        }
    }
}

/// The counts of the census, for the materials of the plain solver.
fn counts(census: &Census, materials: [u8; 2]) -> BTreeMap<(u8, u8, u8), u64> {
    let mut drawn = census.positions.clone();
    let mut counts = BTreeMap::new();
    let within = |one: u8, other: u8| one & !materials[0] == 0 && other & !materials[1] == 0;
    let pairs = (0..=ALL_KINDS).flat_map(|own| (0..=ALL_KINDS).map(move |other| (own, other)));
    for (own, other) in pairs.filter(|&(own, other)| within(own, other) || within(other, own)) {
        let drawn = &mut drawn.0[usize::from(own)][usize::from(other)];
        for (plies, found) in census.by_plies() {
            let found = found.0[usize::from(own)][usize::from(other)];
            counts.insert((plies as u8, own, other), found);
            *drawn -= found;
        }
        counts.insert((OPEN, own, other), *drawn);
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// Solves the game with both solvers, and compares all positions with at most these materials.
fn check(rules: &Rules, materials: [u8; 2]) -> Plain {
    let plain = Plain::solve(rules, materials);
    let layout = Layout::new(rules.clone());
    let plies = plain.plies.iter().map(|_| AtomicU8::new(OPEN)).collect();
    let notes = Notes { layout: &layout, plain: &plain, plies };
    let solved =
        solve(&layout, &|plies, row, found| notes.decided(plies, row, found), &Monitor::default())
            .unwrap();
    let found = notes.plies;
    plain.plies.par_iter().zip(&found).enumerate().for_each(|(index, (&wanted, found))| {
        let found = found.load(Ordering::Relaxed);
        let is_position = wanted != bsq_plain::rpsw::NOTHING;
        assert!(!is_position || found == wanted, "{:?} {found} {wanted}", plain.position(index));
    });
    assert_eq!(counts(&Census::of(&solved), materials), plain.counts());
    plain
}

#[test]
fn two_against_two() {
    let rules = Rules::standard().with_pieces(2).unwrap();
    let plain = check(&rules, [ALL_KINDS; 2]);
    let solution = Solution::solve(Layout::new(rules.clone()), 2, &Monitor::default()).unwrap();
    // Probes of single positions are slower, so only some are compared.
    (0..plain.plies.len()).into_par_iter().step_by(101).for_each(|index| {
        let position = Position { pieces: plain.position(index), to_move: Player::First };
        let wanted = match plain.plies[index] {
            bsq_plain::rpsw::NOTHING => return,
            OPEN => Dtw::Drawn,
            plies if plies % 2 == 0 => Dtw::Lost(plies.into()),
            plies => Dtw::Won(plies.into()),
        };
        assert_eq!(solution.depth_to_win(&position), Some(wanted), "{position:?}");
    });
}

#[test]
#[ignore = "some minutes and GiB: cargo test --release -p bsq-games --test rpsw_whole -- --ignored"]
fn rock_paper_well_against_rock_paper_scissors() {
    let rules = Rules::standard().with_pieces(3).unwrap();
    check(&rules, [ROCK_PAPER_WELL, ROCK_PAPER_SCISSORS]);
}
