//! The outcome of a match of several rounds between perfect players.

use super::Asked;
use super::outcomes::winner;
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Job, Table};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::tabulate;
use bsq_games::british_square::{Evaluator, Rules};

/// The points that win a match.
const TO: RuleOption = RuleOption::new(
    "to",
    OptionKind::Integer { least: 1, most: 99 },
    Some("7"),
    "The points that win a match",
);

/// The points of both players, by who moves first in later rounds.
pub const CHART: Chart = Chart {
    x: "first_move",
    y: &["points_a", "points_b"],
    shown: &[
        Shown::first("points_a", "A, who moves first in the first round"),
        Shown::second("points_b", "B"),
    ],
    x_label: "who moves first in the next round",
    y_label: "points at the end",
    ..Chart::new("match", Figure::Bars, "A makes {range of points_a} points, B {range of points_b}")
};

/// The analysis `match`. See the [module](self).
pub fn analysis() -> Analysis {
    let options = super::rule_options().chain([TO]);
    let summary = "who wins a match of several rounds, to a number of points ({to})";
    let analysis = Analysis::new("match", summary, options, |request| {
        let asked = Asked::of(request)?;
        if asked.rules.pieces.is_some() {
            asked.check_solvable()?;
        }
        let rules = asked.rules.clone();
        let to: u32 = request.integer(&TO.name)?;
        let mut described = super::described(&rules);
        described.label += &format!(", to {to}");
        described.fields[&*TO.name] = to.into();
        let job = Job::new(described, move |monitor| run(&rules, to, monitor));
        Ok(job.with_estimate(move || asked.valuing_openings()))
    });
    analysis.with_charts(&[&CHART])
}

/// Returns who moves first in the next round, given who did in the last one and who won it.
pub type Next = fn(Player, Option<Player>) -> Player;

/// The ways to choose who moves first.
pub const WAYS: [(&str, Next); 4] = [
    ("alternate", |first, _| first.other()),
    ("loser", |first, winner| winner.map_or(first.other(), Player::other)),
    ("winner", |first, winner| winner.unwrap_or(first.other())),
    ("same", |first, _| first),
];

/// Who moves first in a round, in words.
const FIRST_MOVE: &str = "who moves first after the first round: alternate, the loser or the winner of \
    the last round (after a tie the other player), or the same player";

fn run(rules: &Rules, to: u32, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let evaluator = Evaluator::new(rules, monitor.room())?;
    let found = evaluator.evaluate(&rules.start(), Detail::Value, monitor)?;
    let round = found.points().unwrap_or_default();
    let most = rules.board.cells() as i32 + rules.bias.abs();
    let ways = if round == 0 { &[] } else { &WAYS[..] };
    let found = ways.iter().map(|&(way, next)| {
        let contest = Match { to, round, next };
        contest.check(most).map(|()| (way, contest.play()))
    });
    let found: Vec<(&str, Played)> = found.collect::<Result<_, _>>()?;
    let title = "Match between perfect players";
    let mut table = tabulate!("match", title, for (way, played) in found => {
        "first_move": text key, FIRST_MOVE => way;
        "to": integer, "points that win the match" => to;
        "round": integer, "score of a round under perfect play, for the player who moves first"
            => round;
        "winner": text, "A, who moves first in the first round, or B" => name(played.winner);
        "points_a": integer, "points of A at the end, if every round is played perfectly"
            => played.points[0];
        "points_b": integer, "points of B" => played.points[1];
        "rounds": integer, "rounds played" => played.rounds;
    });
    table.note = (round == 0).then(|| {
        "Perfect play ties every round, so that a match between perfect players never ends."
            .to_string()
    });
    Ok(vec![table])
}

/// A match between perfect players A, who is [`Player::First`], and B.
#[derive(Clone, Copy)]
pub struct Match {
    /// The points that win, at least 1.
    pub to: u32,
    /// The value of a round for the player who moves first in it; not 0.
    pub round: i32,
    /// Who moves first.
    pub next: Next,
}

/// The points of A and B, and who moves first in the next round.
type Standing = ([u32; 2], Player);

/// A finished match.
pub struct Played {
    /// The winner.
    pub winner: Player,
    /// The points of A and B.
    pub points: [u32; 2],
    /// The number of rounds.
    pub rounds: u32,
}

impl Match {
    /// The standing after a round with a score for the player who moved first.
    fn after(&self, (mut points, first): Standing, score: i32) -> Standing {
        let winner = winner(score).map(|winner| match winner {
            Player::First => first,
            Player::Second => first.other(),
        });
        if let Some(winner) = winner {
            points[winner.index()] += score.unsigned_abs();
        }
        (points, (self.next)(first, winner))
    }

    /// The player with enough points.
    fn winner(&self, points: [u32; 2]) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| points[player.index()] >= self.to)
    }

    /// Plays every round perfectly from a standing on.
    fn play_from(&self, mut standing: Standing) -> Played {
        for rounds in 0.. {
            if let Some(winner) = self.winner(standing.0) {
                return Played { winner, points: standing.0, rounds };
            }
            standing = self.after(standing, self.round);
        }
        unreachable!("each round brings a point")
    }

    /// Plays every round perfectly.
    pub fn play(&self) -> Played {
        self.play_from(([0, 0], Player::First))
    }

    /// Returns an error unless perfect play in every round is perfect play in the match. `most` is
    /// the greatest score of a round.
    ///
    /// At each standing, let f(s) be the outcome of the match after a round with score s, for the
    /// player who moves first. The condition is f(s) >= f(v) for all s >= v and f(s) <= f(v) for all
    /// s <= v, where v is the value of the round.
    pub fn check(&self, most: i32) -> Result<(), AnalysisError> {
        let to = self.to;
        let all = (0..to).flat_map(|a| (0..to).map(move |b| [a, b]));
        let outcomes: Vec<[Player; 2]> = all
            .clone()
            .map(|points| Player::BOTH.map(|first| self.play_from((points, first)).winner))
            .collect();
        let outcome = |(points, first): Standing| {
            let at = (points[0] * to + points[1]) as usize;
            self.winner(points).unwrap_or_else(|| outcomes[at][first.index()])
        };
        for (points, first) in all.flat_map(|points| Player::BOTH.map(|first| (points, first))) {
            let wins = |score| outcome(self.after((points, first), score)) == first;
            let perfect = wins(self.round);
            let holds = |score| {
                if score > self.round { wins(score) || !perfect } else { perfect || !wins(score) }
            };
            if !(-most..=most).all(holds) {
                return Err(AnalysisError::Match { points });
            }
        }
        Ok(())
    }
}

/// The name of a player of a match.
fn name(player: Player) -> &'static str {
    ["A", "B"][player.index()]
}
