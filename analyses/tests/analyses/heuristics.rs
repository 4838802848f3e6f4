//! Tests the analysis of heuristics, and its tester.

use super::*;

const COLUMNS: [&str; 16] = [
    "heuristic",
    "rules",
    "difficulty",
    "turn",
    "player",
    "decisions",
    "risky",
    "fails",
    "fails_share",
    "fails_share_risky",
    "fails_badly",
    "fails_badly_share",
    "fails_badly_share_risky",
    "cost_mean",
    "cost_mean_risky",
    "cost_most",
];

/// An exact number of points.
#[derive(Clone, Copy)]
struct Fraction {
    over: u128,
    under: u128,
}

impl Fraction {
    fn plus(self, other: Fraction) -> Fraction {
        let over = self.over * other.under + other.over * self.under;
        let under = self.under * other.under;
        let common = common_divisor(over, under);
        Fraction { over: over / common, under: under / common }
    }

    /// The mean of a sum; `None` if the divisor is 0.
    fn shared_by(self, count: usize) -> Option<f64> {
        let under = self.under * count as u128;
        (count > 0).then(|| self.over as f64 / under as f64)
    }
}

fn common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The result of a heuristic at a decision.
pub struct Judged<'a> {
    pub state: &'a State,
    pub liked: BTreeSet<usize>,
    costs: Vec<i32>,
}

impl Judged<'_> {
    pub fn fails(&self) -> bool {
        self.costs.iter().any(|&cost| cost > 0)
    }

    fn fails_badly(&self) -> bool {
        self.costs.iter().all(|&cost| cost > 0)
    }

    pub fn worst(&self) -> i32 {
        self.costs.iter().max().copied().expect("it likes some move")
    }

    fn mean_cost(&self) -> Fraction {
        let total: i32 = self.costs.iter().sum();
        Fraction { over: total as u128, under: self.costs.len() as u128 }
    }
}

pub fn judge<'a>(state: &'a State, name: &str, variant: &Variant) -> Judged<'a> {
    let liked = state.liked(&heuristic::by_name(name).unwrap().list, variant);
    let is_liked = |choice: &&Choice| liked.contains(&choice.cell);
    let costs = state.choices.iter().filter(is_liked).map(|choice| choice.cost).collect();
    Judged { state, liked, costs }
}

/// The results of each heuristic at all decisions of all solutions, computed once because plain
/// code is slow.
static JUDGED: LazyLock<Vec<Vec<Vec<Judged<'static>>>>> = LazyLock::new(|| {
    let judge_all = |solution: &'static Solution, name: &String| {
        let decisions: Vec<&State> = solution.decisions().collect();
        decisions.into_par_iter().map(|state| judge(state, name, &solution.variant)).collect()
    };
    let of = |solution| HEURISTICS.iter().map(|name| judge_all(solution, name)).collect();
    SOLUTIONS.iter().map(of).collect()
});

pub fn judged(solution: &Solution, name: &str) -> &'static [Judged<'static>] {
    let which = SOLUTIONS.iter().position(|known| std::ptr::eq(known, solution)).unwrap();
    &JUDGED[which][HEURISTICS.iter().position(|known| known == name).unwrap()]
}

/// The results at a set of decisions.
#[derive(Debug, PartialEq)]
struct Tally {
    decisions: usize,
    risky: usize,
    fails: usize,
    fails_badly: usize,
    worst: usize,
}

/// Returns the counts, and the mean costs over all and over the risky decisions.
fn tally(judged: &[&Judged]) -> (Tally, [Option<f64>; 2]) {
    let tally = Tally {
        decisions: judged.len(),
        risky: count(judged, |j| j.state.is_risky()),
        fails: count(judged, |j| j.fails()),
        fails_badly: count(judged, |j| j.fails_badly()),
        worst: judged.iter().map(|j| j.worst()).max().unwrap_or(0) as usize,
    };
    let nothing = Fraction { over: 0, under: 1 };
    let cost = judged.iter().fold(nothing, |sum, j| sum.plus(j.mean_cost()));
    let means = [tally.decisions, tally.risky].map(|count| cost.shared_by(count));
    (tally, means)
}

fn row(name: &str, group: &Group<&Judged>) -> Vec<Cell> {
    let items: Vec<&Judged> = group.items.iter().map(|judged| **judged).collect();
    let (tally, [mean, risky_mean]) = tally(&items);
    let list = &heuristic::by_name(name).unwrap().list;
    vec![
        name.into(),
        list.to_string().into(),
        list.difficulty().into(),
        group.turn.clone(),
        group.player.clone(),
        tally.decisions.into(),
        tally.risky.into(),
        tally.fails.into(),
        share(tally.fails, tally.decisions),
        share(tally.fails, tally.risky),
        tally.fails_badly.into(),
        share(tally.fails_badly, tally.decisions),
        share(tally.fails_badly, tally.risky),
        mean.into(),
        risky_mean.into(),
        tally.worst.into(),
    ]
}

fn columns_without(names: &[&str]) -> Vec<&'static str> {
    COLUMNS.into_iter().filter(|name| !names.contains(name)).collect()
}

fn turn(judged: &Judged) -> usize {
    judged.state.situation.turn
}

#[test]
fn every_heuristic_by_turn_and_player() {
    assert_analysis("heuristics", &[0, 2], |part, bias| {
        let below: HashSet<&Situation> = part.states.iter().map(|it| &it.situation).collect();
        static WITHOUT_TURN: LazyLock<Vec<&str>> = LazyLock::new(|| columns_without(&["turn"]));
        static WITHOUT_PLAYER: LazyLock<Vec<&str>> =
            LazyLock::new(|| columns_without(&["turn", "player"]));
        let mut tables = [
            Wanted::new("heuristics", &WITHOUT_PLAYER, Vec::new()),
            Wanted::new("heuristics_by_player", &WITHOUT_TURN, Vec::new()),
            Wanted::new("heuristics_by_turn", &COLUMNS, Vec::new()),
        ];
        for name in HEURISTICS.iter() {
            let judged = judged(part.solution, name).iter();
            let judged: Vec<&Judged> =
                judged.filter(|judged| below.contains(&judged.state.situation)).collect();
            let rows = |groups: Vec<Group<&Judged>>| -> Vec<Vec<Cell>> {
                groups.iter().map(|group| row(name, group)).collect()
            };
            let mut players = rows(totals(&judged, |judged| turn(judged)));
            players.iter_mut().for_each(|row| drop(row.remove(3)));
            let mut both = players.pop().unwrap();
            both.remove(3);
            tables[0].rows.push(both);
            tables[1].rows.extend(players);
            tables[2].rows.extend(rows(by_turn(&judged, |judged| turn(judged))));
        }
        tables.into_iter().chain([rule_lists::from_start(part, bias)]).collect()
    });
}

fn assert_counts(case: &str, found: &Counts, judged: &[&Judged]) {
    let (wanted, means) = tally(judged);
    let counts = Tally {
        decisions: found.decisions as usize,
        risky: found.risky as usize,
        fails: found.fails as usize,
        fails_badly: found.fails_badly as usize,
        worst: found.worst as usize,
    };
    assert_eq!(counts, wanted, "{case}");
    for (found, wanted) in [found.mean_cost(), found.mean_risky_cost()].into_iter().zip(means) {
        assert!(is_same(&found.into(), &wanted.into()), "{case}: {found:?}, not {wanted:?}");
    }
}

#[test]
fn reports_of_the_tester_by_turn_and_player() {
    for solution in SOLUTIONS.iter() {
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        let reports = tester::test(&game, &ALL, &Monitor::default()).unwrap();
        for (name, report) in HEURISTICS.iter().zip(&reports) {
            let judged = judged(solution, name);
            let case = format!("{name}, {:?}", solution.variant);
            let last = judged.iter().map(turn).max().unwrap_or(0);
            assert_eq!(report.by_turn.len(), last, "{case}");
            for (i, counts) in report.by_turn.iter().enumerate() {
                let of_turn: Vec<_> = judged.iter().filter(|j| turn(j) == i + 1).collect();
                assert_counts(&format!("{case}, turn {}", i + 1), counts, &of_turn);
            }
            let players = [Some(Player::First), Some(Player::Second), None];
            for (player, group) in players.into_iter().zip(totals(judged, turn)) {
                let case = format!("{case}, {player:?}");
                assert_counts(&case, &report.total(player), &group.items);
            }
        }
    }
}

/// The test of any game, by the rules alone, finds what the test of British Square finds.
#[test]
fn the_test_of_any_game_agrees() {
    use bsq_analyses::any;
    use bsq_analyses::source::Explorer;
    use bsq_engine::definition::Definition as _;
    use bsq_games::british_square::{Definition, NAME};

    let parse = |rules: &_, text: &str| Definition.parse_heuristic(rules, text);
    let any = any::heuristic::analysis::<Explorer<Rules>, _>(NAME, &Definition.rules(), parse);
    let own = bsq_analyses::heuristic_test_of(NAME).unwrap();
    let roots = [("1x4", &["1"][..]), ("3x3", &["1", "1 9"]), ("3x4", &["2", "2 12 1"])];
    for (board, below) in roots {
        for heuristic in ["greedy", "nearest-centre", "least opponent-best-claim"] {
            for bias in ["0", "2"] {
                for moves in below.iter().map(Some).chain([None]) {
                    let given = [("board", board), ("bias", bias), ("heuristic", heuristic)];
                    let root = moves.map(|moves| ("moves", *moves));
                    let given: Vec<_> = given.into_iter().chain(root).collect();
                    let found = |analysis: &bsq_analyses::Analysis| {
                        let tables = analysis.prepare(&given, None).unwrap();
                        let tables = tables.run(&Monitor::default()).unwrap();
                        let tables: Vec<_> = tables.into_iter().flat_map(with_total).collect();
                        // The two describe the heuristic in different ways.
                        let without = ["heuristic", "rules", "difficulty"];
                        tables.into_iter().map(|table| table.without_columns(&without)).collect()
                    };
                    let [any, own]: [Vec<Table>; 2] = [found(&any), found(&own)];
                    assert_eq!(any.len(), 3);
                    for (any, own) in any.iter().zip(&own) {
                        assert_eq!(any.columns, own.columns, "{given:?}");
                        assert_rows(&any.rows, &own.rows);
                    }
                }
            }
        }
    }
}

/// A table, and its total.
fn with_total(mut table: Table) -> Vec<Table> {
    let total = table.total.take().map(|total| *total);
    [table].into_iter().chain(total).collect()
}

/// Equal rows, but for the last digits of means.
fn assert_rows(found: &[Vec<Cell>], wanted: &[Vec<Cell>]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().flatten().zip(wanted.iter().flatten()) {
        match (found, wanted) {
            (Cell::Real(found), Cell::Real(wanted)) => {
                assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
            }
            _ => assert_eq!(found, wanted),
        }
    }
}
