//! Compares features, decision lists, the corpus, the search and guarantees with plain code.

use crate::{PARTS, Part, SOLUTIONS, Wanted, decision, position, rules, situation};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::solve;
use bsq_games::british_square::heuristic::corpus::{Corpus, Failures, Selection};
use bsq_games::british_square::heuristic::features::{Choice, Feature, all};
use bsq_games::british_square::heuristic::guarantee::{Ties, guarantee};
use bsq_games::british_square::heuristic::search::{
    Front, Method, Plan, Search, State as SearchState,
};
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::{
    ALL, DecisionList, Heuristic, Relation, Rule, Sum, Term, Test, language,
};
use bsq_games::british_square::{BritishSquare, Move, cells_of};
use bsq_test_support::oracle::decisions::{Solution, State};
use bsq_test_support::oracle::{FIRST, Next, Situation, features};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

fn ranking() -> Vec<&'static Feature> {
    all().filter(|feature| feature.ranks_moves()).collect()
}

fn telling() -> Vec<&'static Feature> {
    all().filter(|feature| feature.tells_positions()).collect()
}

#[test]
fn every_feature_is_what_its_sentence_says() {
    for solution in SOLUTIONS.iter() {
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        for state in solution.decisions() {
            let (now, variant) = (&state.situation, &solution.variant);
            let position = position(now);
            let here = decision(&game, &position);
            for feature in all() {
                let case = format!("{} at {now:?} of {variant:?}", feature.name);
                for choice in state.choices.iter().filter(|_| feature.ranks_moves()) {
                    let wanted = features::value(feature.name, variant, now, Some(choice.cell));
                    let found = feature.of_move(&Choice::new(&here, choice.cell));
                    assert_eq!(found, wanted, "{case}, cell {}", choice.cell);
                }
                if feature.tells_positions() {
                    let wanted = features::value(feature.name, variant, now, None);
                    assert_eq!(feature.of_position(&here), Some(wanted), "{case}");
                }
            }
        }
    }
}

fn terms(of: Vec<&'static Feature>) -> impl Strategy<Value = Vec<Term>> {
    let weight =
        prop_oneof![4 => select(vec![1, -1]), 1 => (-9_i32..10).prop_filter("no 0", |w| *w != 0)];
    let term = (weight, select(of)).prop_map(|(weight, feature)| Term { weight, feature });
    vec(term, 1..4)
}

fn aim() -> impl Strategy<Value = Sum> {
    let after: Vec<_> = all().filter(|feature| feature.tells_replies()).collect();
    prop_oneof![
        3 => terms(ranking()).prop_map(|terms| Sum { terms, reply: Vec::new() }),
        1 => terms(after.clone()).prop_map(|reply| Sum { terms: Vec::new(), reply }),
        1 => (terms(ranking()), terms(after)).prop_map(|(terms, reply)| Sum { terms, reply }),
    ]
}

fn test() -> impl Strategy<Value = Test> {
    use Relation::{AtLeast, AtMost, Equal, Even, Less, More, Odd, Unequal};
    let relation = select(vec![AtLeast, AtMost, Equal, Even, Less, More, Odd, Unequal]);
    (terms(telling()), relation, -3_i32..8).prop_map(|(terms, relation, number)| {
        let sum = Sum { terms, reply: Vec::new() };
        let number = if matches!(relation, Odd | Even) { 0 } else { number };
        Test { sum, relation, number }
    })
}

fn list() -> impl Strategy<Value = DecisionList> {
    let rule = (vec(test(), 0..3), aim(), proptest::option::weighted(0.2, -9_i32..10))
        .prop_map(|(when, aim, enough)| Rule { when, aim, enough });
    vec(rule, 0..5).prop_map(|rules| DecisionList { rules })
}

/// A condition, as it is written, and as plain code evaluates it.
#[derive(Clone, Debug)]
enum When {
    Compared(Vec<Term>, &'static str, Vec<Term>, i32),
    Not(Box<When>),
    Joined(&'static str, Box<[When; 2]>),
}

impl When {
    fn text(&self) -> String {
        match self {
            When::Compared(left, sign, right, number) => {
                let sum = |terms: &[Term]| {
                    let written = |term: &Term| {
                        format!("{}*{}", term.weight, term.feature.name.replace('-', "_"))
                    };
                    terms.iter().map(written).collect::<Vec<_>>().join(" + ")
                };
                format!("{} {sign} {number} + {}", sum(left), sum(right))
            }
            When::Not(of) => format!("not ({})", of.text()),
            When::Joined(word, parts) => {
                let [first, second] = &**parts;
                format!("({} {word} {})", first.text(), second.text())
            }
        }
    }

    fn holds(&self, value: &impl Fn(&Term) -> i32) -> bool {
        match self {
            When::Compared(left, sign, right, number) => {
                let sum = |terms: &[Term]| terms.iter().map(value).sum::<i32>();
                let (left, right) = (sum(left), number + sum(right));
                match *sign {
                    "<" => left < right,
                    ">=" => left >= right,
                    "=" => left == right,
                    _ => left != right,
                }
            }
            When::Not(of) => !of.holds(value),
            When::Joined(word, parts) => {
                let [first, second] = &**parts;
                let (first, second) = (first.holds(value), second.holds(value));
                if *word == "and" { first && second } else { first || second }
            }
        }
    }
}

fn when() -> impl Strategy<Value = When> {
    let signs = select(vec!["<", ">=", "=", "!="]);
    let compared = (terms(telling()), signs, terms(telling()), -3_i32..4)
        .prop_map(|(left, sign, right, number)| When::Compared(left, sign, right, number));
    compared.prop_recursive(2, 4, 2, |inner| {
        let pair = [inner.clone(), inner.clone()];
        prop_oneof![
            inner.prop_map(|of| When::Not(Box::new(of))),
            (select(vec!["and", "or"]), pair)
                .prop_map(|(word, parts)| When::Joined(word, Box::new(parts))),
        ]
    })
}

/// The cells that a list likes at a decision.
fn liked(game: &BritishSquare, list: &DecisionList, state: &State) -> BTreeSet<usize> {
    cells_of(list.liked(&decision(game, &position(&state.situation)))).collect()
}

/// The failures of a list, computed by plain code.
fn plain_failures(solution: &Solution, list: &DecisionList) -> Failures {
    let mut failures = Failures::default();
    for state in solution.decisions() {
        let (liked, perfect) = (state.liked(list, &solution.variant), state.perfect());
        failures.fails += u64::from(!liked.is_subset(&perfect));
        failures.fails_badly += u64::from(liked.is_disjoint(&perfect));
    }
    failures
}

fn corpus(solution: &Solution, list: &DecisionList) -> Corpus {
    let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
    let of = list.features();
    // More decisions are equal if only differences of features matter.
    let conditional = list.rules.iter().any(|rule| !rule.when.is_empty());
    let conditions = if conditional { &of[..] } else { &[] };
    let limits = list.rules.iter().any(|rule| rule.enough.is_some());
    let selection = Selection { moves: &of, replies: &of, conditions, limits };
    Corpus::new(&game, selection, &Monitor::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read_again(list in list()) {
        prop_assert_eq!(language::parse(&list.to_string(), &[]), Ok(list.clone()));
        // Hyphens between letters are those of features; a minus has blanks around it.
        let text: Vec<char> = list.to_string().chars().collect();
        let is_letter = |at: usize| text.get(at).is_some_and(|c| c.is_ascii_lowercase());
        let as_columns = (0..text.len()).map(|at| match text[at] {
            '-' if at > 0 && is_letter(at - 1) && is_letter(at + 1) => '_',
            other => other,
        });
        prop_assert_eq!(language::parse(&as_columns.collect::<String>(), &[]), Ok(list));
    }

    #[test]
    fn a_rule_applies_where_its_condition_holds(
        when in when(), aim in aim(), which in 0..SOLUTIONS.len()
    ) {
        let rule = DecisionList { rules: vec![Rule::always(aim)] };
        let text = format!("if {}: {rule}", when.text());
        let list = match language::parse(&text, &[]) {
            Ok(list) => list,
            Err(error) => {
                prop_assert!(error.to_string().contains("at most 50"), "{}", error);
                return Ok(());
            }
        };
        let solution = &SOLUTIONS[which];
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        for state in solution.decisions() {
            let value = |term: &Term| {
                let name = term.feature.name;
                term.weight * features::value(name, &solution.variant, &state.situation, None)
            };
            let applied = if when.holds(&value) { rule.clone() } else { DecisionList::default() };
            let wanted = state.liked(&applied, &solution.variant);
            prop_assert_eq!(liked(&game, &list, state), wanted, "{} at {:?}", text, state.situation);
        }
    }

    #[test]
    fn a_list_likes_what_plain_code_likes(list in list(), which in 0..SOLUTIONS.len()) {
        let solution = &SOLUTIONS[which];
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        for state in solution.decisions() {
            let wanted = state.liked(&list, &solution.variant);
            prop_assert_eq!(liked(&game, &list, state), wanted, "{} at {:?}", list, state.situation);
        }
    }

    /// Compares costs as well, which depend on the number of liked moves.
    #[test]
    fn a_tester_counts_every_decision(list in list(), which in 0..SOLUTIONS.len()) {
        let solution = &SOLUTIONS[which];
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        let heuristic = Heuristic { name: None, summary: String::new(), list };
        let reports = tester::test(&game, std::slice::from_ref(&heuristic), &Monitor::default());
        let found = reports.unwrap()[0].total(None);
        let failures = plain_failures(solution, &heuristic.list);
        prop_assert_eq!((found.fails, found.fails_badly), (failures.fails, failures.fails_badly));
        let mean = |state: &State| {
            let liked = state.liked(&heuristic.list, &solution.variant);
            let costs = state.choices.iter().filter(|choice| liked.contains(&choice.cell));
            costs.map(|choice| f64::from(choice.cost)).sum::<f64>() / liked.len() as f64
        };
        let costs: Vec<f64> = solution.decisions().map(mean).collect();
        let wanted = costs.iter().sum::<f64>() / costs.len() as f64;
        let found = found.mean_cost();
        prop_assert!(found.map_or(costs.is_empty(), |found| (found - wanted).abs() < 1e-9));
    }

    #[test]
    fn a_corpus_counts_every_decision(list in list(), which in 0..SOLUTIONS.len()) {
        let solution = &SOLUTIONS[which];
        let corpus = corpus(solution, &list);
        prop_assert_eq!(corpus.decisions(), solution.decisions().count() as u64);
        let risky = solution.decisions().filter(|state| state.is_risky()).count();
        prop_assert_eq!(corpus.risky(), risky as u64);
        prop_assert_eq!(corpus.failures(&list), plain_failures(solution, &list), "{}", list);
    }
}

/// Tests the classes of decisions with lists of a single feature, maximized and minimized, after
/// moves and after replies.
#[test]
fn a_corpus_sees_every_feature_as_it_is() {
    let small = SOLUTIONS.iter().filter(|s| s.variant.size() <= 12 && s.variant.pieces.is_none());
    for (solution, feature) in small.flat_map(|s| all().map(move |feature| (s, feature))) {
        let aims = [1, -1].map(|weight| Sum::of(feature, weight)).into_iter();
        let aims = aims.filter(|_| feature.ranks_moves());
        let after = [1, -1].map(|weight| Sum::of_reply(feature, weight)).into_iter();
        for aim in aims.chain(after.filter(|_| feature.tells_replies())) {
            let list = DecisionList { rules: vec![Rule::always(aim)] };
            let found = corpus(solution, &list).failures(&list);
            assert_eq!(found, plain_failures(solution, &list), "{list} on {:?}", solution.variant);
        }
    }
}

/// Some lists of a single feature value all moves at once.
#[test]
fn a_single_feature_likes_what_plain_code_likes() {
    let solution = SOLUTIONS.iter().find(|s| (s.variant.rows, s.variant.cols) == (3, 4)).unwrap();
    let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
    for (feature, weight) in ranking().into_iter().flat_map(|f| [(f, 1), (f, -1)]) {
        let list = DecisionList { rules: vec![Rule::always(Sum::of(feature, weight))] };
        for state in solution.decisions() {
            let wanted = state.liked(&list, &solution.variant);
            assert_eq!(liked(&game, &list, state), wanted, "{list} at {:?}", state.situation);
        }
    }
}

/// Compares the searches that can find all lists over a few features with their enumeration.
#[test]
fn exhaustive_and_wide_searches_find_the_front() {
    let solution = SOLUTIONS.iter().find(|s| (s.variant.rows, s.variant.cols) == (3, 4)).unwrap();
    let names = ["claim", "own-free", "opponent-best-claim"];
    let of =
        names.map(|name| bsq_games::british_square::heuristic::features::by_name(name).unwrap());
    let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
    let corpus =
        Corpus::new(&game, Selection { moves: &of, ..Selection::default() }, &Monitor::default())
            .unwrap();
    let mut lists = vec![DecisionList::default()];
    for length in 0..3 {
        for list in lists.clone().into_iter().filter(|list| list.rules.len() == length) {
            for (feature, weight) in of.iter().flat_map(|f| [(*f, 1), (*f, -1)]) {
                let mut longer = list.clone();
                longer.rules.push(Rule::always(Sum::of(feature, weight)));
                lists.push(longer);
            }
        }
    }
    let judged: Vec<(u32, u64)> = lists
        .iter()
        .map(|list| (list.difficulty(), plain_failures(solution, list).fails))
        .filter(|(difficulty, _)| *difficulty <= 9)
        .collect();
    let beaten =
        |&&(d, f): &&(u32, u64)| judged.iter().any(|&(e, g)| e <= d && g <= f && (e, g) != (d, f));
    let mut wanted: Vec<(u32, u64)> = judged.iter().filter(|pair| !beaten(pair)).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    for method in [Method::Exhaustive, Method::Beam { width: 1000 }] {
        let plan = Plan { method, rules: 3, difficulty: 9, start: Vec::new(), seed: 0 };
        let front = searched(&corpus, &plan, SearchState::default(), u64::MAX).front;
        let found: Vec<_> = front.lists().iter().map(|f| (f.difficulty, f.fails)).collect();
        assert_eq!(found, wanted, "{method:?}");
        for found in front.lists() {
            let failures = plain_failures(solution, &found.list);
            assert_eq!((found.fails, found.fails_badly), (failures.fails, failures.fails_badly));
        }
    }
}

fn searched(corpus: &Corpus, plan: &Plan, from: SearchState, stop_at: u64) -> SearchState {
    let mut last = from.clone();
    let _ = Search::new(corpus, plan).run(from, &Monitor::default(), |state| {
        last = state.clone();
        if state.round == stop_at { Err(SolveError::Stopped) } else { Ok(()) }
    });
    last
}

/// Interrupts a search after each round, and resumes it from its saved state.
#[test]
fn a_search_goes_on_from_where_it_stopped() {
    let solution = SOLUTIONS.iter().find(|s| (s.variant.rows, s.variant.cols) == (3, 4)).unwrap();
    let game_rules = rules(&solution.variant, 0);
    let game = BritishSquare::new(game_rules.clone()).unwrap();
    let of: Vec<&Feature> = all().collect();
    let methods =
        [Method::Exhaustive, Method::Beam { width: 5 }, Method::Local { rounds: 4, steps: 30 }];
    for (method, conditions) in methods.into_iter().zip([false, true, true]) {
        let conditions = if conditions { &of[..] } else { &[] };
        let limits = method == methods[2];
        let seen = Selection { moves: &of, replies: conditions, conditions, limits };
        let corpus = Corpus::new(&game, seen, &Monitor::default()).unwrap();
        let plan = Plan { method, rules: 2, difficulty: 12, start: Vec::new(), seed: 7 };
        let whole = searched(&corpus, &plan, SearchState::default(), u64::MAX);
        assert_eq!(whole.round, Search::new(&corpus, &plan).rounds());
        let mut state = SearchState::default();
        while state.round < whole.round {
            let next = state.round + 1;
            state = searched(&corpus, &plan, state, next);
            let written = state.write(&game_rules, &seen, &plan);
            let read = SearchState::read(written.as_bytes(), &game_rules, &seen, &plan).unwrap();
            let read = Search::new(&corpus, &plan).resume(read).unwrap();
            assert_eq!(read, state);
            state = read;
        }
        assert_eq!(state, whole, "{method:?}");
        let best = whole.front.best().unwrap();
        assert!(best.fails < corpus.risky() / 2, "{method:?} finds little: {best:?}");
        for found in whole.front.lists() {
            let failures = plain_failures(solution, &found.list);
            assert_eq!((found.fails, found.fails_badly), (failures.fails, failures.fails_badly));
        }
        let other = Plan { rules: 1, ..plan.clone() };
        let written = whole.write(&game_rules, &seen, &plan);
        let error = SearchState::read(written.as_bytes(), &game_rules, &seen, &other);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("another search"), "{error}");
        assert_ne!(Front::default(), whole.front);
    }
}

/// The guarantee of a follower by plain recursion.
struct Following<'a> {
    solution: &'a Solution,
    list: &'a DecisionList,
    player: Player,
    ties: Ties,
    known: HashMap<Situation, i32>,
    /// The liked moves, shared between players and ways to break ties.
    liked: &'a mut HashMap<Situation, BTreeSet<usize>>,
}

/// The guarantees in each case from the root of each part of each solution, without a bias.
static SURE: LazyLock<Vec<Vec<Vec<i32>>>> = LazyLock::new(|| {
    let of = |parts: &'static Vec<Part<'static>>| {
        let solution = parts[0].solution;
        let cases: Vec<_> = cases().collect();
        let of_list = |cases: &[(&'static Heuristic, Player, Ties)]| -> Vec<Vec<i32>> {
            let mut liked = HashMap::new();
            let mut sure = |&(heuristic, player, ties): &(&'static Heuristic, Player, Ties)| {
                let (list, known) = (&heuristic.list, HashMap::new());
                let liked = &mut liked;
                let mut following = Following { solution, list, player, ties, known, liked };
                parts.iter().map(|part| following.sure(&part.root)).collect()
            };
            cases.iter().map(&mut sure).collect()
        };
        cases.par_chunks(4).flat_map_iter(of_list).collect()
    };
    PARTS.iter().map(of).collect()
});

impl Following<'_> {
    fn sure(&mut self, now: &Situation) -> i32 {
        if let Some(&known) = self.known.get(now) {
            return known;
        }
        let variant = self.solution.variant;
        let first = now.mover() == FIRST;
        let follows = first == (self.player == Player::First);
        let mut options: Vec<Situation> = variant.children(now);
        if let (true, Next::Place(_)) = (follows, variant.next(now)) {
            let liked = self.liked.entry(now.clone()).or_insert_with(|| {
                let state: State = self.solution.state(now.clone());
                state.liked(self.list, &variant)
            });
            options = liked.iter().map(|&cell| variant.place(now, cell)).collect();
        }
        let values: Vec<i32> = options.iter().map(|next| self.sure(next)).collect();
        let maximizes = first != (follows && self.ties == Ties::Worst);
        let best = if maximizes { values.iter().max() } else { values.iter().min() };
        let value = best.copied().unwrap_or_else(|| now.score());
        self.known.insert(now.clone(), value);
        value
    }
}

fn cases() -> impl Iterator<Item = (&'static Heuristic, Player, Ties)> {
    let sides = Player::BOTH.into_iter().flat_map(|player| Ties::BOTH.map(|ties| (player, ties)));
    ALL.iter().flat_map(move |h| sides.clone().map(move |(player, ties)| (h, player, ties)))
}

/// The expected table of the analysis. Its principal variations are checked separately.
pub fn from_start(part: &Part<'static>, bias: i32) -> Wanted {
    const COLUMNS: [&str; 9] =
        ["heuristic", "rules", "player", "ties", "value", "score", "keeps", "blunder_turn", "line"];
    let (variant, root) = (&part.variant, &part.root);
    let game = BritishSquare::new(rules(variant, bias)).unwrap().begun_in(position(root));
    let solved = solve(&game, &game.root(), &Monitor::default()).unwrap();
    let value = part.truth().value;
    let which = SOLUTIONS.iter().position(|known| std::ptr::eq(known, part.solution)).unwrap();
    let rows = cases().zip(&SURE[which]).map(|((heuristic, player, ties), scores)| {
        let score = scores[part.number];
        let list = &heuristic.list;
        let sure = guarantee(&game, &solved, heuristic, player, ties, &Monitor::default()).unwrap();
        let blunder = sure.line.iter().enumerate().find(|(i, step)| {
            step.cost > 0 && Player::on_turn((root.turn + i) as u32) == player && score != value
        });
        let written = sure.line.iter().map(|step| {
            let mv = match step.mv {
                Move::Place(cell) => (cell + 1).to_string(),
                Move::Pass => "pass".to_string(),
            };
            format!("{mv}{}", if step.cost > 0 { "?" } else { "" })
        });
        vec![
            heuristic.label().into(),
            list.to_string().into(),
            player.name().into(),
            ties.name().into(),
            (value - bias).into(),
            (score - bias).into(),
            (score == value).into(),
            blunder.map_or(0, |(i, _)| root.turn + i).into(),
            written.collect::<Vec<_>>().join(" ").into(),
        ]
    });
    Wanted::new("heuristics_from_start", &COLUMNS, rows.collect())
}

/// Checks principal variations: moves are legal, the follower's moves are liked, and costs and the
/// final score are right.
#[test]
fn lines_lead_to_what_is_guaranteed() {
    for solution in SOLUTIONS.iter() {
        let game = BritishSquare::new(rules(&solution.variant, 0)).unwrap();
        let solved = solve(&game, &game.root(), &Monitor::default()).unwrap();
        let rules = game.rules();
        for (heuristic, player, ties) in cases() {
            let sure =
                guarantee(&game, &solved, heuristic, player, ties, &Monitor::default()).unwrap();
            let mut at = rules.start();
            for step in &sure.line {
                assert!(rules.moves(&at).contains(&step.mv));
                let state = solution.state(situation(&solution.variant, &at));
                if let (Move::Place(cell), true) = (step.mv, at.to_move == player) {
                    assert!(state.liked(&heuristic.list, &solution.variant).contains(&cell));
                    let choice = state.choices.iter().find(|choice| choice.cell == cell).unwrap();
                    assert_eq!(choice.cost, step.cost as i32);
                }
                at = rules.play(&at, step.mv);
            }
            assert!(rules.is_terminal(&at));
            assert_eq!(at.lead(), sure.score, "{heuristic:?} {player:?} {ties:?}");
        }
    }
}
