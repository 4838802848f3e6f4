//! The analysis of mirroring.

use super::*;

const COLUMNS: [&str; 10] = [
    "tile",
    "coordinate",
    "holds",
    "positions",
    "ends",
    "better",
    "gain_most",
    "better_first_turn",
    "example",
    "example_replies",
];

/// The games from one opening in which the second player mirrors the last move as long as that is
/// legal.
struct Mirrored {
    holds: bool,
    /// The positions in which the second player is to mirror, including those in which that is
    /// illegal.
    positions: BTreeSet<Situation>,
    ends: HashSet<Situation>,
}

impl Mirrored {
    fn from(variant: &Variant, opening: usize) -> Mirrored {
        let (positions, ends) = (BTreeSet::new(), HashSet::new());
        let mut mirrored = Mirrored { holds: true, positions, ends };
        mirrored.answer(variant, &variant.place(&variant.start(), opening), opening);
        mirrored
    }

    fn answer(&mut self, variant: &Variant, situation: &Situation, last: usize) {
        if !self.positions.insert(situation.clone()) {
            return;
        }
        let answer = opposite(variant, last);
        match variant.next(situation) {
            Next::Place(cells) if cells.contains(&answer) => {
                self.answered(variant, &variant.place(situation, answer));
            }
            _ => self.holds = false,
        }
    }

    fn answered(&mut self, variant: &Variant, situation: &Situation) {
        match variant.next(situation) {
            Next::Place(cells) => cells
                .into_iter()
                .for_each(|cell| self.answer(variant, &variant.place(situation, cell), cell)),
            Next::Pass => panic!("both sides are alike, so the second would pass too"),
            Next::Over => {
                self.holds &= situation.score() == 0;
                self.ends.insert(situation.clone());
            }
        }
    }
}

/// Positions in which another reply is better, with the second player's gain under perfect play.
fn gains(solution: &Solution, mirrored: &Mirrored) -> Vec<(Situation, i32)> {
    let gain = |s: &Situation| (s.clone(), -solution.findings.of(s).value);
    mirrored.positions.iter().map(gain).collect()
}

/// The sets of pieces as numbers with cell 0 as the lowest bit.
fn order(situation: &Situation) -> [u64; 2] {
    [FIRST, SECOND].map(|owner| set(situation, owner))
}

fn better_and_most(gains: &[&(Situation, i32)]) -> [Cell; 2] {
    let better = gains.iter().map(|(_, gain)| *gain).filter(|&gain| gain > 0);
    [better.clone().count().into(), better.max().unwrap_or(0).into()]
}

fn best_replies(solution: &Solution, situation: &Situation) -> String {
    let perfect = solution.state(situation.clone()).perfect();
    perfect.iter().map(|cell| (cell + 1).to_string()).collect::<Vec<_>>().join(" ")
}

fn opening_row(solution: &Solution, opening: usize) -> Vec<Cell> {
    let mirrored = Mirrored::from(&solution.variant, opening);
    let gains = gains(solution, &mirrored);
    let better = gains.iter().filter(|(_, gain)| *gain > 0).map(|(situation, _)| situation);
    let example = better.min_by_key(|situation| (situation.turn, order(situation)));
    let rules = rules(&solution.variant, 0);
    let [better, gain_most] = better_and_most(&gains.iter().collect::<Vec<_>>());
    vec![
        (opening + 1).into(),
        coordinate(&solution.variant, opening).into(),
        mirrored.holds.into(),
        mirrored.positions.len().into(),
        mirrored.ends.len().into(),
        better,
        gain_most,
        example.map_or(0, |situation| situation.turn).into(),
        example.map(|situation| rules.format_position(&position(situation))).into(),
        example.map(|situation| best_replies(solution, situation)).into(),
    ]
}

fn turn_rows(solution: &Solution, opening: usize) -> Vec<Vec<Cell>> {
    let gains = gains(solution, &Mirrored::from(&solution.variant, opening));
    let turn = |(situation, _): &(Situation, i32)| situation.turn;
    let groups = by_turn(&gains, turn);
    let row = |group: &Group<(Situation, i32)>| {
        let [better, most] = better_and_most(&group.items);
        vec![(opening + 1).into(), group.turn.clone(), group.items.len().into(), better, most]
    };
    groups.iter().map(row).collect()
}

#[test]
fn mirrored_games_one_after_the_other() {
    assert_analysis("mirror", &[0], |part, _| {
        let solution = part.solution;
        let values = openings(part);
        let mut level: Vec<usize> =
            values.values().filter(|c| c.value == 0).map(|c| c.cell).collect();
        level.sort_unstable();
        let openings = level.iter().map(|&cell| opening_row(solution, cell)).collect();
        let turns = level.iter().flat_map(|&cell| turn_rows(solution, cell)).collect();
        let turns_columns = &["tile", "turn", "positions", "better", "gain_most"];
        vec![
            Wanted::new("mirror", &COLUMNS, openings),
            Wanted::new("mirror_by_turn", turns_columns, turns),
        ]
    });
}

#[test]
fn boards_where_mirroring_holds_fails_and_is_worth_leaving_are_among_them() {
    let rows = SOLUTIONS.iter().flat_map(|solution| {
        let tied =
            openings(&Part::whole(solution)).into_values().filter(|choice| choice.value == 0);
        tied.map(|choice| opening_row(solution, choice.cell)).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    assert!(rows.iter().any(|row| row[2] == Cell::Truth(true)));
    assert!(rows.iter().any(|row| row[2] == Cell::Truth(false)));
    assert!(rows.iter().any(|row| row[7] != 0u32.into()));
}
