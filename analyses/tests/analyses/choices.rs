//! Compares choices made elsewhere, and functions of moves, with heuristics that prefer the same moves, and
//! with plain loops.

use bsq_analyses::choices::{ChoiceRows, Outside, Preference};
use bsq_analyses::source::Explorer;
use bsq_analyses::{Analysis, Cell, Table, any, outside_test_of};
use bsq_engine::definition::{Definition, Heuristic};
use bsq_engine::explore::{Limits, Merging, Solution, explore};
use bsq_engine::game::{Game as _, Notation as _};
use bsq_engine::monitor::Monitor;
use bsq_engine::random::Random;
use bsq_engine::record::Recorded;
use bsq_engine::view::View as _;
use bsq_games::{british_square, dots, mnk, rpsw};
use num_bigint::BigInt;
use std::sync::{Arc, Mutex};

type PositionOf<D> = <<D as Definition>::Rules as bsq_engine::game::Game>::Position;

/// All positions of a game, up to symmetry.
fn positions<D: Definition>(rules: &D::Rules) -> (Solution<D::Rules>, Vec<PositionOf<D>>) {
    let limits = Limits { merging: Merging::All, ..Limits::default() };
    let solution = explore(rules.clone(), limits, &Monitor::default()).unwrap();
    let solution = solution.solve(&Monitor::default()).unwrap();
    let found = Mutex::new(Vec::new());
    solution
        .count_by(&Monitor::default(), |_, position| {
            found.lock().unwrap().push(position.clone());
            None::<()>
        })
        .unwrap();
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|position| rules.format_position(position));
    (solution, found)
}

fn run(analysis: &Analysis, given: &[(&str, &str)]) -> Vec<Table> {
    analysis.prepare(given, None).unwrap().run(&Monitor::default()).unwrap()
}

/// The test of choices of a game: over its special source, if it has one, and over the explorer.
fn tests<D: Definition>(definition: &Arc<D>, rules: &D::Rules, rows: ChoiceRows) -> Vec<Analysis> {
    over_all_sources(definition, rules, &Outside::Choices(Arc::new(rows)))
}

fn over_all_sources<D: Definition>(
    definition: &Arc<D>,
    rules: &D::Rules,
    outside: &Outside,
) -> Vec<Analysis> {
    let special = outside_test_of(&definition.info().name, "mine", outside);
    let generic =
        any::heuristic::of_outside::<Explorer<D::Rules>, D>(definition, rules, "mine", outside);
    special.into_iter().chain([generic]).collect()
}

/// The columns of results, and the rows with the total.
fn results(table: &Table) -> Vec<(&str, Vec<&Cell>)> {
    let cells = |name: &str| {
        let at = table.columns.iter().position(|column| column.name == name)?;
        Some(table.rows.iter().map(move |row| &row[at]).collect())
    };
    let known = ["turn", "player", "decisions", "risky", "fails", "fails_badly", "cost_mean"];
    known.into_iter().filter_map(|name| Some((name, cells(name)?))).collect()
}

/// Choices in any orientation that are those of a heuristic have its results.
fn assert_choices_are_heuristics<D: Definition>(definition: D, rules: &D::Rules) {
    let definition = Arc::new(definition);
    let (_, all) = positions::<D>(rules);
    let entries = rules.entries();
    let given: Vec<(&str, &str)> =
        entries.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut random = Random(7);
    for heuristic in definition.heuristics(rules) {
        let mut rows = ChoiceRows::new("choices", "row");
        for position in &all {
            let images = rules.images(position);
            let image = &images[random.below(images.len())];
            let text = rules.format_position(image);
            // Together in a row, or one by one.
            let moves = (heuristic.preferred)(image).into_iter();
            let names = moves.map(|mv| {
                let name = rules.format_move(image, mv);
                name.split(' ').next().unwrap().to_string()
            });
            let names: Vec<String> = names.collect();
            if random.below(2) == 0 {
                rows.push(&text, &names.join(" "));
            } else {
                names.iter().for_each(|name| rows.push(&text, name));
            }
        }
        let owner = Arc::clone(&definition);
        let parse = move |rules: &D::Rules, text: &str| owner.parse_heuristic(rules, text);
        let name = &definition.info().name;
        let wanted = any::heuristic::analysis::<Explorer<D::Rules>, _>(name, rules, parse);
        let named = [&given[..], &[("heuristic", heuristic.name.as_str())]].concat();
        let wanted = run(&wanted, &named);
        for test in tests(&definition, rules, rows) {
            let found = run(&test, &given);
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(results(found), results(wanted), "{}, {}", heuristic.name, found.name);
            }
            let note = found[0].note.as_deref().unwrap();
            assert!(note.contains("(100.00 %) have a choice"), "{note}");
        }
    }
}

#[test]
fn choices_of_a_heuristic_have_its_results() {
    let standard = |rows, cols| british_square::Rules::standard(rows, cols).unwrap();
    for rules in
        [standard(3, 3), standard(2, 5), british_square::Rules { bias: 2, ..standard(3, 4) }]
    {
        assert_choices_are_heuristics(british_square::Definition, &rules);
    }
    for (rows, cols) in [(1, 3), (2, 2)] {
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        assert_choices_are_heuristics(dots::Definition, &rules);
    }
}

/// Only decisions with a choice count, and those with a single legal move.
fn assert_coverage<D: Definition>(definition: D, rules: &D::Rules) {
    let (solution, all) = positions::<D>(rules);
    let mut random = Random(3);
    let mut rows = ChoiceRows::new("program", "answer");
    let [mut decisions, mut fails, mut fails_badly, mut chosen, mut open] = [0u64; 5];
    for position in &all {
        let moves = solution.moves(position).unwrap();
        let is_decision =
            moves.iter().any(|(mv, _)| !rules.places(position, mv.clone()).is_empty());
        let Some((_, best)) = moves.first() else { continue };
        let is_perfect = |at: usize| {
            let value = moves[at].1;
            (value.outcome, value.score) == (best.outcome, best.score)
        };
        let mut liked: Vec<usize> = (0..moves.len()).filter(|_| random.below(4) == 0).collect();
        if random.below(2) == 0 {
            liked.clear();
        }
        // A choice of a move is one of those that are equal to it by symmetry.
        let after = |at: usize| rules.canonical(&rules.play(position, moves[at].0.clone()));
        let wanted: Vec<_> = liked.iter().map(|&at| after(at)).collect();
        let names = liked.iter().map(|&at| {
            let name = rules.format_move(position, moves[at].0.clone());
            name.split(' ').next().unwrap().to_string()
        });
        rows.push(&rules.format_position(position), &names.collect::<Vec<_>>().join(","));
        let liked: Vec<usize> = if moves.len() == 1 {
            vec![0]
        } else {
            (0..moves.len()).filter(|&at| wanted.contains(&after(at))).collect()
        };
        if !is_decision {
            continue;
        }
        if moves.len() > 1 {
            *if liked.is_empty() { &mut open } else { &mut chosen } += 1;
        }
        if liked.is_empty() {
            continue;
        }
        decisions += 1;
        fails += u64::from(!liked.iter().all(|&at| is_perfect(at)));
        fails_badly += u64::from(!liked.iter().any(|&at| is_perfect(at)));
    }
    assert!(open > 0 && chosen > 0 && fails > fails_badly && fails_badly > 0);
    let entries = rules.entries();
    let given: Vec<(&str, &str)> =
        entries.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for test in tests(&Arc::new(definition), rules, rows.clone()) {
        let tables = run(&test, &given);
        let total = tables[0].total.as_deref().unwrap();
        let of = |name: &str| {
            let at = total.columns.iter().position(|column| column.name == name).unwrap();
            total.rows[0][at].clone()
        };
        let found = ["decisions", "fails", "fails_badly"].map(of);
        let wanted =
            [decisions, fails, fails_badly].map(|count| Cell::Integer(BigInt::from(count)));
        assert_eq!(found, wanted);
        let note = tables[0].note.as_deref().unwrap().replace(',', "");
        let [all, chosen] = [open + chosen, chosen].map(|count| count.to_string());
        let start =
            format!("Of {all} positions with several legal moves up to symmetry {chosen} (");
        assert!(note.starts_with(&start), "{note}");
    }
}

#[test]
fn decisions_without_a_choice_do_not_count() {
    assert_coverage(british_square::Definition, &british_square::Rules::standard(3, 4).unwrap());
    let rules = dots::Rules::standard(dots::Board::new(2, 2).unwrap());
    assert_coverage(dots::Definition, &rules);
    let rules = mnk::Rules::tic_tac_toe();
    assert_coverage(rules.clone(), &rules);
    let small = [("board", "3x3"), ("pieces", "1")];
    let rules = bsq_engine::record::set_options(rpsw::Definition.rules(), &small).unwrap();
    assert_coverage(rpsw::Definition, &rules);
}

#[test]
fn a_row_that_is_wrong_is_named() {
    let error = |rows: &[(&str, &str)]| {
        let mut choices = ChoiceRows::new("choices", "row");
        rows.iter().for_each(|(position, moves)| choices.push(position, moves));
        let test =
            outside_test_of(british_square::NAME, "mine", &Outside::Choices(Arc::new(choices)))
                .unwrap();
        let job = test.prepare(&[("board", "3x3")], None).unwrap();
        job.run(&Monitor::default()).unwrap_err().to_string()
    };
    let start = ".../.../... X";
    let found = error(&[(start, "a1"), (start, "b2")]);
    assert!(
        found
            .starts_with("row 2: 'b2' is not a legal move in '.../.../... X'; legal moves: 1 (a1)")
    );
    let found = error(&[(start, "a1"), ("....", "a1")]);
    assert!(found.starts_with("row 2: "), "{found}");
}

/// A function of moves that prefers those of a heuristic, by the columns `position` and `move`.
fn function_of<G: Recorded + Clone + Send + Sync + 'static>(
    game: &G,
    heuristic: &Arc<Heuristic<G>>,
) -> Arc<Preference> {
    let (game, heuristic) = (game.clone(), Arc::clone(heuristic));
    Arc::new(move |table, batch| {
        let names: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["move", "position"]);
        let [moves, positions] = [&batch[0], &batch[1]];
        let prefers = |row: usize| {
            let [mv, text] = [moves, positions].map(|series| match series.cell(row) {
                Cell::Text(text) => text,
                other => panic!("a text is expected, not {other:?}"),
            });
            let position = game.parse_position(&text).unwrap();
            let mv = game.parse_move(&position, &mv).unwrap();
            f64::from((heuristic.preferred)(&position).contains(&mv))
        };
        Ok((0..moves.values.len()).map(prefers).collect())
    })
}

/// A function that prefers the moves of a heuristic has its results.
fn assert_functions_are_heuristics<D: Definition>(definition: D, rules: &D::Rules) {
    let definition = Arc::new(definition);
    let entries = rules.entries();
    let given: Vec<(&str, &str)> =
        entries.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for heuristic in definition.heuristics(rules) {
        let wanted = any::heuristic::of_definition::<Explorer<D::Rules>, D>(&definition, rules);
        let wanted = run(&wanted, &[&given[..], &[("heuristic", &heuristic.name)]].concat());
        let heuristic = Arc::new(heuristic);
        let tests = over_all_sources(
            &definition,
            rules,
            &Outside::Function(function_of(rules, &heuristic)),
        );
        for test in tests {
            let found = run(&test, &[&given[..], &[("show", "move,position")]].concat());
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(results(found), results(wanted), "{}", heuristic.name);
            }
        }
    }
}

#[test]
fn a_function_of_moves_has_the_results_of_the_heuristic_that_it_is() {
    let standard = |rows, cols| british_square::Rules::standard(rows, cols).unwrap();
    for rules in [standard(3, 3), british_square::Rules { bias: 2, ..standard(3, 4) }] {
        assert_functions_are_heuristics(british_square::Definition, &rules);
    }
    for (rows, cols) in [(1, 3), (2, 2)] {
        let rules = dots::Rules::standard(dots::Board::new(rows, cols).unwrap());
        assert_functions_are_heuristics(dots::Definition, &rules);
    }
}

#[test]
fn a_function_gets_the_same_batches_every_time() {
    let rules = british_square::Rules::standard(4, 5).unwrap();
    let given = [("board", "4x5")];
    let definition = Arc::new(british_square::Definition);
    let greedy = any::heuristic::of_definition::<Explorer<_>, _>(&definition, &rules);
    let wanted = run(&greedy, &[&given[..], &[("heuristic", "greedy")]].concat());
    let seen = [(); 2].map(|()| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let of_function = Arc::clone(&seen);
        let function: Arc<Preference> = Arc::new(move |_, batch| {
            let number = |row| match batch[0].cell(row) {
                Cell::Integer(claim) => f64::from(i32::try_from(claim).unwrap()),
                _ => f64::NAN,
            };
            let claims: Vec<f64> = (0..batch[0].values.len()).map(number).collect();
            of_function.lock().unwrap().push(claims.clone());
            Ok(claims)
        });
        let outside = Outside::Function(function);
        let test = outside_test_of(british_square::NAME, "mine", &outside).unwrap();
        let found = run(&test, &[&given[..], &[("show", "claim")]].concat());
        assert_eq!(results(&found[0]), results(&wanted[0]));
        std::mem::take(&mut *seen.lock().unwrap())
    });
    assert!(seen[0].len() > 1);
    assert!(seen[0] == seen[1]);
}

#[test]
fn what_a_function_does_wrong_is_named() {
    let error = |given: &[(&str, &str)], answer: fn(usize) -> Result<Vec<f64>, String>| {
        let function: Arc<Preference> = Arc::new(move |_, batch| answer(batch[0].values.len()));
        let test = outside_test_of(british_square::NAME, "mine", &Outside::Function(function));
        let test = test.unwrap();
        let job = test.prepare(&[&[("board", "2x3")], given].concat(), None);
        job.and_then(|job| job.run(&Monitor::default())).unwrap_err().to_string()
    };
    let fine = |rows| Ok(vec![0.0; rows]);
    let unknown = error(&[("show", "claim,clame")], fine);
    assert_eq!(unknown, "'clame' is not a column; did you mean 'claim'?");
    // What only the solution tells.
    for name in ["outcome", "score", "best_moves", "worst_cost", "move_score", "cost", "best"] {
        let why = format!("'{name}' follows from the solution, which a function does not get");
        assert_eq!(error(&[("show", name)], fine), why);
    }
    assert_eq!(error(&[("show", "")], fine), "no column is named");
    let short = error(&[], |rows| Ok(vec![0.0; rows - 1]));
    assert!(short.starts_with("the function returned "), "{short}");
    assert!(short.ends_with(" moves"), "{short}");
    let nan =
        error(&[], |rows| Ok((0..rows).map(|row| if row == 2 { f64::NAN } else { 1.0 }).collect()));
    assert_eq!(nan, "the function returned no number for row 2 of its table");
    assert_eq!(error(&[], |_| Err("no idea".to_string())), "no idea");
}
