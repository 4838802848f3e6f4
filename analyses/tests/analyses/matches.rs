//! Matches of several rounds.

use super::*;
use bsq_analyses::british_square::r#match::{Match, WAYS};
use bsq_engine::game::Player;

/// A match whose rounds are played out: the outcome of each standing by minimax over all positions
/// of a round, whose scores lead to other standings.
struct PlayedOut<'a> {
    rules: &'a Rules,
    to: u32,
    next: fn(Player, Option<Player>) -> Player,
    /// 1 if A wins from a standing, -1 if B does, 0 if that is not known (yet).
    outcomes: HashMap<([u32; 2], Player), i32>,
}

impl PlayedOut<'_> {
    /// The outcome of the match after a round with that score of the first player to move.
    fn after(&self, (mut points, first): ([u32; 2], Player), score: i32) -> i32 {
        let winner = match score.signum() {
            0 => None,
            1 => Some(first),
            _ => Some(first.other()),
        };
        if let Some(winner) = winner {
            points[winner.index()] += score.unsigned_abs();
            if points[winner.index()] >= self.to {
                return winner.sign();
            }
        }
        self.outcomes[&(points, (self.next)(first, winner))]
    }

    /// The outcome for the best play from a position of a round.
    fn best(
        &self,
        standing: ([u32; 2], Player),
        position: Position,
        known: &mut HashMap<Position, i32>,
    ) -> i32 {
        if let Some(&outcome) = known.get(&position) {
            return outcome;
        }
        let outcome = if self.rules.is_terminal(&position) {
            self.after(standing, self.rules.score(&position))
        } else {
            // A has the sign 1, whoever moves first in this round.
            let sign = position.to_move.sign() * standing.1.sign();
            let moves = self.rules.moves(&position).into_iter();
            let after =
                moves.map(|mv| sign * self.best(standing, self.rules.play(&position, mv), known));
            sign * after.max().unwrap()
        };
        known.insert(position, outcome);
        outcome
    }

    /// Values all standings. Ties lead back to the same points, so that outcomes are found in
    /// several rounds; those that stay unknown are endless.
    fn solve(&mut self) {
        let points = (0..self.to).flat_map(|a| (0..self.to).map(move |b| [a, b]));
        let standings: Vec<_> =
            points.flat_map(|points| Player::BOTH.map(|first| (points, first))).collect();
        self.outcomes = standings.iter().map(|&standing| (standing, 0)).collect();
        loop {
            let before = self.outcomes.clone();
            for &standing in &standings {
                let outcome = self.best(standing, self.rules.start(), &mut HashMap::new());
                self.outcomes.insert(standing, outcome);
            }
            if self.outcomes == before {
                break;
            }
        }
    }
}

#[test]
fn a_match_of_played_out_rounds_has_the_same_winner() {
    for (rows, cols, bias) in
        [(1, 1, 0), (1, 3, 0), (1, 5, 0), (2, 3, 0), (3, 3, 0), (1, 5, 2), (3, 3, 2), (2, 2, 0)]
    {
        let rules = Rules { bias, ..Rules::standard(rows, cols).unwrap() };
        for to in [1, 2, 3, 5] {
            let table = run_with("match", &rules, &[("to", &to.to_string())]);
            let winner =
                table[0].columns.iter().position(|column| column.name == "winner").unwrap();
            for (i, (way, next)) in WAYS.into_iter().enumerate() {
                let mut played = PlayedOut { rules: &rules, to, next, outcomes: HashMap::new() };
                played.solve();
                let outcome = played.outcomes[&([0, 0], Player::First)];
                let wanted = ["B", "", "A"][(outcome + 1) as usize];
                let found = table[0].rows.get(i).map_or(Cell::from(""), |row| row[winner].clone());
                assert_eq!(found, Cell::from(wanted), "{rows}x{cols} bias {bias} to {to}, {way}");
            }
        }
    }
}

#[test]
fn values_of_rounds_suffice() {
    for round in (-25..=25).filter(|&round| round != 0) {
        for (to, (way, next)) in (1..=20).flat_map(|to| WAYS.map(|way| (to, way))) {
            let checked = Match { to, round, next }.check(25);
            assert_eq!(checked, Ok(()), "rounds of value {round} to {to}, {way}");
        }
    }
}
