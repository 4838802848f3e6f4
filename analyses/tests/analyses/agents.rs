//! Compares games between agents with plain recursion over the rules, in fractions.

use bsq_analyses::any::agents;
use bsq_analyses::{Analysis, AnalysisError, Cell, Table, any, british_square as bs};
use bsq_engine::definition::{Definition, Heuristic};
use bsq_engine::game::{Game, Notation as _, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::record::Recorded;
use bsq_games::{british_square, dots, mnk, rpsw};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

type Fraction = Ratio<BigInt>;

/// The probability of each result, by the score or the winner, the best for the first player last.
type Results = BTreeMap<i32, Fraction>;

/// Play between two agents by plain recursion.
struct Plain<'a, G: Game> {
    game: &'a G,
    agents: [&'a str; 2],
    heuristics: &'a [Heuristic<G>],
    values: HashMap<G::Position, Value>,
    results: HashMap<G::Position, Results>,
}

impl<G: Game> Plain<'_, G> {
    fn value(&mut self, position: &G::Position) -> Value {
        if let Some(value) = self.values.get(position) {
            return *value;
        }
        let player = self.game.to_move(position);
        let mut best: Option<Value> = self.game.result(position);
        for mv in self.game.moves(position) {
            let value = self.value(&self.game.play(position, mv)).before();
            if best.is_none_or(|best| value.rank(player) > best.rank(player)) {
                best = Some(value);
            }
        }
        self.values.insert(position.clone(), best.unwrap());
        best.unwrap()
    }

    /// The probability of each legal move.
    fn played(&mut self, position: &G::Position) -> Vec<(G::Move, Fraction)> {
        let moves = self.game.moves(position);
        let player = self.game.to_move(position);
        let agent = self.agents[player.index()];
        if let Some(heuristic) = self.heuristics.iter().find(|known| known.name == agent) {
            let liked = (heuristic.preferred)(position);
            let each = Fraction::new(1.into(), liked.len().into());
            return liked.into_iter().map(|mv| (mv, each.clone())).collect();
        }
        let mistakes = match agent {
            "random" => 100,
            "perfect" => 0,
            _ => agent.strip_prefix("mistakes-").unwrap().parse().unwrap(),
        };
        let mistakes = Fraction::new(BigInt::from(mistakes), 100.into());
        let value = self.value(position);
        let is_best: Vec<bool> = moves
            .iter()
            .map(|mv| self.value(&self.game.play(position, mv.clone())).before() == value)
            .collect();
        let best = is_best.iter().filter(|&&is_best| is_best).count();
        let legal = moves.len();
        let probability = |is_best: bool| {
            let random = &mistakes / BigInt::from(legal);
            let sure = (Fraction::one() - &mistakes) / BigInt::from(best);
            random + if is_best { sure } else { Fraction::zero() }
        };
        moves.into_iter().zip(is_best).map(|(mv, is_best)| (mv, probability(is_best))).collect()
    }

    fn results(&mut self, position: &G::Position) -> Results {
        if let Some(results) = self.results.get(position) {
            return results.clone();
        }
        let mut results = Results::new();
        if let Some(result) = self.game.result(position) {
            let winner = result.winner().map_or(0, Player::sign);
            results.insert(result.points().unwrap_or(winner), Fraction::one());
        } else {
            for (mv, probability) in self.played(position) {
                for (score, share) in self.results(&self.game.play(position, mv)) {
                    *results.entry(score).or_default() += share * &probability;
                }
            }
            results.retain(|_, probability| !probability.is_zero());
        }
        self.results.insert(position.clone(), results.clone());
        results
    }
}

fn run(analysis: &Analysis, given: &[(&str, &str)]) -> Vec<Table> {
    analysis.prepare(given, None).unwrap().run(&Monitor::default()).unwrap()
}

/// The cells of a column, from the first row on.
fn column<'a>(table: &'a Table, name: &str) -> Option<Vec<&'a Cell>> {
    let at = table.columns.iter().position(|column| column.name == name)?;
    Some(table.rows.iter().map(|row| &row[at]).collect())
}

fn real(cell: &Cell) -> f64 {
    let Cell::Real(number) = cell else { panic!("{cell:?} is not a real number") };
    *number
}

/// The results of a table, by score or winner, with the column of their probabilities.
fn results_of<'a>(table: &'a Table, name: &str) -> BTreeMap<i32, &'a Cell> {
    let outcomes = column(table, "outcome").unwrap().into_iter().map(|cell| match cell {
        Cell::Text(word) if word == "first" => 1,
        Cell::Text(word) if word == "second" => -1,
        _ => 0,
    });
    let scores: Vec<i32> = match column(table, "score") {
        Some(scores) => scores
            .into_iter()
            .map(|cell| match cell {
                Cell::Integer(score) => score.to_i32().unwrap(),
                _ => panic!("{cell:?} is not a score"),
            })
            .collect(),
        None => outcomes.collect(),
    };
    scores.into_iter().zip(column(table, name).unwrap()).collect()
}

fn assert_near(found: f64, wanted: &Fraction, case: &str) {
    let wanted = wanted.numer().to_f64().unwrap() / wanted.denom().to_f64().unwrap();
    assert!((found - wanted).abs() < 1e-14, "{case}: {found} is not {wanted}");
}

/// The probabilities that the first player wins, nobody does, and the second player wins.
fn winners(results: &Results) -> [Fraction; 3] {
    [1, 0, -1].map(|sign| {
        results.iter().filter(|(score, _)| score.signum() == sign).map(|(_, share)| share).sum()
    })
}

/// Compares every pair of agents, from a position on.
fn assert_agents<D: Definition>(
    definition: D,
    rules: &D::Rules,
    analysis: &Analysis,
    moves: &str,
    names: &[&str],
) {
    let entries = rules.entries();
    let mut given: Vec<(&str, &str)> =
        entries.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut start = rules.start();
    for mv in moves.split_whitespace() {
        start = rules.play(&start, rules.parse_move(&start, mv).unwrap());
    }
    if !moves.is_empty() {
        given.push(("moves", moves));
    }
    let heuristics = definition.heuristics(rules);
    let named = heuristics.iter().map(|heuristic| heuristic.name.as_str());
    let names: Vec<&str> = named.chain(names.iter().copied()).collect();
    let [all] = <[Table; 1]>::try_from(run(analysis, &given)).unwrap();
    assert_eq!(all.name, "agents");
    let texts = |name: &str| -> Vec<String> {
        let cells = column(&all, name).unwrap().into_iter();
        cells
            .map(|cell| if let Cell::Text(text) = cell { text.to_string() } else { panic!() })
            .collect()
    };
    let pairs: Vec<[String; 2]> =
        texts("first").into_iter().zip(texts("second")).map(|(a, b)| [a, b]).collect();
    let mut seen = 0;
    for (first, second) in names.iter().flat_map(|a| names.iter().map(move |b| (*a, *b))) {
        let case = format!("{first} against {second}, {entries:?} after '{moves}'");
        let agents = [first, second];
        let (values, results) = (HashMap::new(), HashMap::new());
        let mut plain = Plain { game: rules, agents, heuristics: &heuristics, values, results };
        let wanted = plain.results(&start);

        let asked = [&given[..], &[("first", first), ("second", second)]].concat();
        let exact = run(analysis, &[&asked[..], &[("exact", "yes")]].concat());
        let fixed = run(analysis, &asked);
        let found: BTreeMap<i32, String> = results_of(&exact[0], "fraction")
            .into_iter()
            .map(|(score, cell)| match cell {
                Cell::Text(text) => (score, text.to_string()),
                _ => panic!("{cell:?} is not a fraction"),
            })
            .collect();
        let texts = wanted.iter().map(|(score, share)| (*score, share.to_string()));
        assert_eq!(found, texts.collect(), "{case}");
        for tables in [&exact, &fixed] {
            let found = results_of(&tables[0], "probability");
            assert!(found.keys().eq(wanted.keys()), "{case}");
            for (score, share) in &wanted {
                assert_near(real(found[score]), share, &case);
            }
        }

        // The total has the outcomes of games with points.
        if let Some(total) = &exact[0].total {
            let shares = winners(&wanted);
            let shares = ["first", "tie", "second"].into_iter().zip(&shares);
            let shown = shares.filter(|(_, share)| **share != Fraction::default());
            let rows = shown.map(|(outcome, share)| {
                let share: Cell = share.to_string().into();
                vec![outcome.into(), share]
            });
            let found = total.rows.iter().map(|row| vec![row[0].clone(), row[2].clone()]);
            assert_eq!(found.collect::<Vec<_>>(), rows.collect::<Vec<_>>(), "{case}");
            let mean: Fraction =
                wanted.iter().map(|(score, share)| share * BigInt::from(*score)).sum();
            let note = exact[0].note.as_ref().unwrap();
            assert!(note.contains(&format!(", exactly {mean}.")), "{case}: {note}");
        } else {
            assert!(column(&exact[0], "score").is_none(), "{case}");
        }

        // Each first move, with those that are equal to it by symmetry.
        let by_move = &fixed[1];
        assert_eq!(by_move.name, "agents_by_first_move");
        let mut moves = 0;
        let played: HashMap<_, _> = plain.played(&start).into_iter().collect();
        for row in 0..by_move.rows.len() {
            let cell = |name: &str| column(by_move, name).unwrap()[row];
            let Cell::Text(name) = cell("move") else { panic!("no name") };
            let mv = rules.parse_move(&start, name).unwrap();
            let after = rules.play(&start, mv);
            let same = rules.moves(&start).into_iter().filter(|other| {
                let other = rules.play(&start, other.clone());
                rules.canonical(&other) == rules.canonical(&after)
            });
            let same: Vec<_> = same.collect();
            assert_eq!(*cell("moves"), same.len().into(), "{case}, {name}");
            moves += same.len();
            let chosen: Fraction =
                same.iter().map(|mv| played.get(mv).cloned().unwrap_or_default()).sum();
            // Shares are truncated after twelve decimals.
            let wanted = chosen.numer().to_f64().unwrap() / chosen.denom().to_f64().unwrap();
            assert!((real(cell("chosen")) - wanted).abs() < 1e-11, "{case}, {name}");
            let wanted = winners(&plain.results(&after));
            for (column, share) in ["first_wins", "ties", "second_wins"].into_iter().zip(&wanted) {
                assert_near(real(cell(column)), share, &format!("{case}, {name}, {column}"));
            }
        }
        assert_eq!(moves, rules.moves(&start).len(), "{case}");

        // The table of all pairs has those that are named.
        if let Some(row) =
            pairs.iter().position(|[a, b]| (a.as_str(), b.as_str()) == (first, second))
        {
            seen += 1;
            for (column_name, share) in
                ["first_wins", "ties", "second_wins"].into_iter().zip(&winners(&wanted))
            {
                let found = real(column(&all, column_name).unwrap()[row]);
                assert_near(found, share, &format!("{case}, all pairs, {column_name}"));
            }
            if let Some(means) = column(&all, "score_mean") {
                let mean: Fraction =
                    wanted.iter().map(|(score, share)| share * BigInt::from(*score)).sum();
                let mean = mean.numer().to_f64().unwrap() / mean.denom().to_f64().unwrap();
                assert!((real(means[row]) - mean).abs() < 1e-12, "{case}: mean score");
            }
        }
    }
    assert!(seen >= 9 && seen <= pairs.len(), "{seen} of {} pairs", pairs.len());
}

/// An analysis of a game without a special one.
fn generic<D: Definition>(definition: D) -> Analysis {
    let default = definition.rules();
    agents::analysis(&Arc::new(definition), &default, agents::explored, any::estimate)
}

const NAMES: [&str; 4] = ["random", "mistakes-25", "perfect", "mistakes-10"];

#[test]
fn agents_of_british_square_play_as_the_rules_say() {
    use british_square::Definition;
    let standard = |rows, cols| british_square::Rules::standard(rows, cols).unwrap();
    for (rules, moves) in [
        (standard(1, 5), ""),
        (standard(3, 3), ""),
        (british_square::Rules { bias: 1, ..standard(2, 4) }, ""),
        (british_square::Rules { center_allowed: true, ..standard(3, 3) }, "b2"),
        (british_square::Rules { pieces: Some(2), ..standard(2, 3) }, "a1"),
    ] {
        assert_agents(Definition, &rules, &bs::agents::analysis(), moves, &NAMES);
        assert_agents(Definition, &rules, &generic(Definition), moves, &NAMES);
    }
}

#[test]
fn agents_of_dots_and_boxes_play_as_the_rules_say() {
    for (rows, cols, moves) in [(1, 2, ""), (2, 2, "a1-a2 b1-b2"), (1, 3, "")] {
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        assert_agents(dots::Definition, &rules, &generic(dots::Definition), moves, &NAMES);
    }
}

#[test]
fn agents_of_tic_tac_toe_play_as_the_rules_say() {
    let rules = mnk::Rules::tic_tac_toe();
    assert_agents(rules.clone(), &rules, &generic(rules.clone()), "", &NAMES);
    assert_agents(rules.clone(), &rules, &generic(rules.clone()), "b2 a1", &NAMES);
}

/// Random play of tic-tac-toe is known: 58.49 % are won by the first player, 12.70 % are drawn.
#[test]
fn random_play_of_tic_tac_toe_has_the_known_shares() {
    let analysis = generic(mnk::Rules::tic_tac_toe());
    let given = [("first", "random"), ("second", "random"), ("exact", "yes")];
    let tables = run(&analysis, &given);
    let fractions = column(&tables[0], "fraction").unwrap();
    // 737/1260, 8/63 and 121/420.
    assert_eq!(fractions, [&"737/1260".into(), &"8/63".into(), &"121/420".into()]);
}

/// The worst result of a heuristic against play that may make any move is its worst-case score, which a
/// search of another kind finds.
#[test]
fn the_worst_results_against_random_play_are_the_worst_case_scores() {
    let greedy = [british_square::heuristic::by_name("greedy").unwrap().clone()];
    let rules = british_square::Rules::standard(5, 5).unwrap();
    let game = british_square::BritishSquare::new(rules).unwrap();
    let worst = bs::heuristics::from_start_table(&game, &greedy, &Monitor::default()).unwrap();
    let score = column(&worst, "score").unwrap();
    // Rows of the first player and of the second, with the worst liked move and with the best.
    assert_eq!(column(&worst, "ties").unwrap()[0], &"worst".into());
    let found = |first: &str, second: &str| -> Vec<i32> {
        let tables = run(&bs::agents::analysis(), &[("first", first), ("second", second)]);
        results_of(&tables[0], "probability").into_keys().collect()
    };
    assert_eq!(*score[0], found("greedy", "random")[0].into());
    assert_eq!(*score[2], (*found("random", "greedy").last().unwrap()).into());
}

/// All pairs have fractions, too.
#[test]
fn pairs_have_fractions() {
    let analysis = generic(mnk::Rules::tic_tac_toe());
    let tables = run(&analysis, &[("first", "random"), ("exact", "yes")]);
    assert_eq!(column(&tables[0], "second").unwrap()[0], &"random".into());
    for (name, fraction) in [
        ("first_wins_fraction", "737/1260"),
        ("ties_fraction", "8/63"),
        ("second_wins_fraction", "121/420"),
    ] {
        assert_eq!(column(&tables[0], name).unwrap()[0], &fraction.into());
    }
}

#[test]
fn agents_need_a_game_that_ends_and_names() {
    let error = |analysis: &Analysis, given: &[(&str, &str)]| {
        let job = analysis.prepare(given, None);
        job.and_then(|job| job.run(&Monitor::default())).unwrap_err()
    };
    let rpsw = generic(rpsw::Definition);
    let small = [("board", "4x3"), ("pieces", "1"), ("first", "random"), ("second", "perfect")];
    assert_eq!(error(&rpsw, &small), AnalysisError::Recurring);
    let unknown = error(&bs::agents::analysis(), &[("second", "gredy")]).to_string();
    assert!(unknown.starts_with("unknown agent 'gredy'; did you mean 'greedy'?"), "{unknown}");
    // Values of large boards are not known, and heuristics do not need them.
    let large = [("board", "7x7"), ("first", "steady"), ("second", "perfect")];
    assert!(matches!(error(&bs::agents::analysis(), &large), AnalysisError::Rules(_)));
}
