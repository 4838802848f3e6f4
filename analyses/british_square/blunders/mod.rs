//! Numbers and costs of possible mistakes of each player.

use super::Asked;
use super::RULES;
use super::outcomes::winner;
use crate::chart::{Chart, Figure, Only, PLAYERS};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Table, rules_label};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::strong::Visitor;
use bsq_engine::tabulate;
use bsq_games::british_square::{Position, Rules};

/// The share of blunders by turn, which does not depend on the bias.
pub const CHART: Chart = Chart {
    x: "turn",
    y: &["perfect_share"],
    by: Some("player"),
    shown: PLAYERS,
    only: &[Only::AsFirst("rules")],
    complement: true,
    x_label: "turn",
    y_label: "share of the legal moves",
    ..Chart::new(
        "blunders",
        Figure::Lines,
        "At turn {most at}, {most} of the legal moves are blunders, the most of all turns",
    )
};

/// The analysis `blunders`. See the [module](self).
pub fn analysis() -> Analysis {
    super::deciding(
        "blunders",
        "how often a mistake is possible, what it costs, and whether it changes who wins",
        |asked| Some(asked.visiting(1.2e7)),
        run,
    )
    .with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let game = asked.game()?;
    let rule_sets = rule_sets(&asked.rules);
    let biases = rule_sets.each_ref().map(|rules| rules.bias);
    let visitor = Count { biases, turns: Vec::new() };
    let count = game.visit_states(visitor, monitor)?;
    let mut turns: Vec<(usize, Option<u32>, Slips)> = Vec::new();
    let mut players: Vec<(usize, Player, Slips)> = Vec::new();
    for which in 0..rule_sets.len() {
        for (turn, slips) in (1u32..).zip(&count.turns).filter(|(_, s)| s.decisions > 0) {
            turns.push((which, Some(turn), slips.clone()));
        }
        turns.push((which, None, sum(count.turns.iter())));
        for player in Player::BOTH {
            let own = count.turns.iter().skip(player.index()).step_by(2);
            players.push((which, player, sum(own)));
        }
    }
    let table = tabulate!("blunders", "Room for mistakes", for (which, turn, _) in &turns => {
        "rules": text key, RULES => rules_label(&rule_sets[*which]);
        "turn": integer key, "number of the turn, from 1" => *turn;
        "player": text, "who is to move" => turn.map(|turn| Player::on_turn(turn).name());
    });
    let counts = turns.iter().map(|(which, _, slips)| (*which, slips));
    let mut table = table.beside(columns(counts)).total_over(&["turn", "player"]);
    let title = "Room for mistakes by player";
    let by_player = tabulate!("blunders_by_player", title, for (which, player, _) in &players => {
        "rules": text key, RULES => rules_label(&rule_sets[*which]);
        "player": text key, "who is to move" => player.name();
    });
    let counts = players.iter().map(|(which, _, slips)| (*which, slips));
    let by_player = by_player.beside(columns(counts));
    table.set_main_columns([
        "rules",
        "turn",
        "player",
        "perfect_share",
        "risky_share",
        "cost_mean",
        "upset_share",
        "fateful_share",
    ]);
    Ok(vec![table, by_player])
}

/// The counts as columns, those that depend on the bias for a rule set.
fn columns<'a>(rows: impl Iterator<Item = (usize, &'a Slips)>) -> Table {
    tabulate!("", "", for (which, slips) in rows => {
        let blunders = slips.moves - slips.perfect;
        let (upsets, fateful) = (slips.upsets[which], slips.fateful[which]);
        "decisions": integer, "states whose mover has a legal move" => slips.decisions;
        "moves": integer, "legal moves in all of them together" => slips.moves;
        "perfect": integer, "of these, moves that keep the value" => slips.perfect;
        "perfect_share": share, "of the moves; empty without moves"
            => ratio(slips.perfect, slips.moves);
        "risky": integer, "decisions at which some move is not perfect"
            => slips.risky;
        "risky_share": share, "of the decisions; empty without decisions"
            => ratio(slips.risky, slips.decisions);
        "cost_mean": real(3), "points that a blunder costs, on average; empty without blunders"
            => ratio(slips.cost, blunders);
        "cost_most": integer, "points that the worst blunder costs; 0 without blunders"
            => slips.cost_most;
        "upsets": integer, "blunders that change who wins" => upsets;
        "upset_share": share, "of the blunders; empty without blunders" => ratio(upsets, blunders);
        "fateful": integer, "decisions where some blunder changes who wins" => fateful;
        "fateful_share": share, "of the decisions; empty without decisions"
            => ratio(fateful, slips.decisions);
    })
}

/// Returns the rules, and the same rules with a bias of 2, or of 0 if the rules have a bias of 2.
fn rule_sets(asked: &Rules) -> [Rules; 2] {
    let other = if asked.bias == 2 { 0 } else { 2 };
    [asked.clone(), Rules { bias: other, ..asked.clone() }]
}

/// Counts of mistakes at a set of decisions.
#[derive(Clone, Debug, Default)]
struct Slips {
    decisions: u64,
    moves: u64,
    perfect: u64,
    risky: u64,
    /// Points lost by all blunders together.
    cost: u64,
    cost_most: u32,
    /// Blunders that change the winner, for each bias.
    upsets: [u64; 2],
    /// Decisions with such a blunder, for each bias.
    fateful: [u64; 2],
}

impl Slips {
    fn absorb(&mut self, other: &Slips) {
        self.decisions += other.decisions;
        self.moves += other.moves;
        self.perfect += other.perfect;
        self.risky += other.risky;
        self.cost += other.cost;
        self.cost_most = self.cost_most.max(other.cost_most);
        for which in 0..2 {
            self.upsets[which] += other.upsets[which];
            self.fateful[which] += other.fateful[which];
        }
    }
}

fn sum<'a>(slips: impl Iterator<Item = &'a Slips>) -> Slips {
    slips.fold(Slips::default(), |mut total, more| {
        total.absorb(more);
        total
    })
}

/// A visitor that counts mistakes.
struct Count {
    biases: [i32; 2],
    /// The counts by turn; index 0 is turn 1.
    turns: Vec<Slips>,
}

impl Visitor<Position> for Count {
    fn fresh(&self) -> Self {
        Count { turns: Vec::new(), ..*self }
    }

    fn visit(&mut self, position: &Position, moves: u64, values: &[i8]) {
        if moves == 0 {
            return;
        }
        let turn = position.turn as usize;
        if self.turns.len() < turn {
            self.turns.resize(turn, Slips::default());
        }
        let slips = &mut self.turns[turn - 1];
        let sign = position.to_move.sign();
        // Loops: iterator adapters are not always inlined here, which takes time.
        let mut best = i32::MIN;
        for &value in values {
            best = best.max(sign * i32::from(value));
        }
        let winners = self.biases.map(|bias| winner(sign * best - bias));
        let (mut perfect, mut upsets) = (0, [0, 0]);
        for &value in values {
            let cost = (best - sign * i32::from(value)) as u32;
            perfect += u64::from(cost == 0);
            slips.cost += u64::from(cost);
            slips.cost_most = slips.cost_most.max(cost);
            for which in 0..2 {
                let after = winner(i32::from(value) - self.biases[which]);
                upsets[which] += u64::from(after != winners[which]);
            }
        }
        slips.decisions += 1;
        slips.moves += values.len() as u64;
        slips.perfect += perfect;
        slips.risky += u64::from(perfect < values.len() as u64);
        for (which, upsets) in upsets.into_iter().enumerate() {
            slips.upsets[which] += upsets;
            slips.fateful[which] += u64::from(upsets > 0);
        }
    }

    fn absorb(&mut self, other: Self) {
        if self.turns.len() < other.turns.len() {
            self.turns.resize(other.turns.len(), Slips::default());
        }
        for (mine, theirs) in self.turns.iter_mut().zip(&other.turns) {
            mine.absorb(theirs);
        }
    }
}
