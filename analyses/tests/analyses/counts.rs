//! Tests the analyses of playouts, terminal states, scores, states, and bounds on states.

use super::*;
use bsq_engine::options::OptionKind;

/// The rules, the number of all, and those of the first player, of the second player, and of ties, with
/// their shares.
fn winners_row(part: &Part, bias: i32, counts: [u128; 4]) -> Vec<Cell> {
    let [first, second, tie, all] = counts;
    let mut row = vec![bsq_analyses::rules_label(&rules(&part.variant, bias)).into(), big(all)];
    row.extend([first, second, tie].map(big));
    row.extend([first, second, tie].map(|count| quotient(count, all)));
    row
}

#[test]
fn playouts_by_result() {
    assert_analysis("playouts", &BIASES, |part, bias| {
        let results = results(part, bias).map(|(_, playouts, _)| playouts);
        let row = winners_row(part, bias, results);
        let columns = &[
            "rules",
            "playouts",
            "playouts_first",
            "playouts_second",
            "playouts_tie",
            "playouts_first_share",
            "playouts_second_share",
            "playouts_tie_share",
        ];
        vec![Wanted::new("playouts", columns, vec![row])]
    });
}

#[test]
fn terminals_by_result() {
    assert_analysis("terminals", &BIASES, |part, bias| {
        let results = results(part, bias).map(|(_, _, terminals)| terminals as u128);
        let row = winners_row(part, bias, results);
        let columns = &[
            "rules",
            "terminals",
            "terminals_first",
            "terminals_second",
            "terminals_tie",
            "terminals_first_share",
            "terminals_second_share",
            "terminals_tie_share",
        ];
        vec![Wanted::new("terminals", columns, vec![row])]
    });
}

#[test]
fn scores_with_playouts_and_terminals() {
    assert_analysis("scores", &BIASES, |part, bias| {
        let [.., (_, playouts, terminals)] = results(part, bias);
        let row = |score: Cell, (p, t): (u128, usize)| {
            vec![score, big(p), quotient(p, playouts), t.into(), share(t, terminals)]
        };
        let ends = ends(part).into_iter();
        let mut rows: Vec<_> = ends.map(|(lead, end)| row((lead - bias).into(), end)).collect();
        rows.push(row(Cell::Empty, (playouts, terminals)));
        let columns = &["score", "playouts", "playouts_share", "terminals", "terminals_share"];
        vec![Wanted::new("scores", columns, rows).with_total(&["score"])]
    });
}

const STATES: [&str; 9] = [
    "turn",
    "player",
    "states",
    "decisions",
    "passes",
    "terminals",
    "moves",
    "moves_mean",
    "moves_most",
];

fn states_row(group: &Group<&State>) -> Vec<Cell> {
    let states = &group.items;
    let decisions = count(states, |state| !state.choices.is_empty());
    let terminals = count(states, |state| state.over);
    let moves: Vec<usize> = states.iter().map(|state| state.choices.len()).collect();
    vec![
        group.turn.clone(),
        group.player.clone(),
        states.len().into(),
        decisions.into(),
        (states.len() - decisions - terminals).into(),
        terminals.into(),
        moves.iter().sum::<usize>().into(),
        share(moves.iter().sum(), decisions),
        (*moves.iter().max().unwrap()).into(),
    ]
}

/// A row for each number of legal moves that occurs.
fn moves_rows(group: &Group<&State>) -> Vec<Vec<Cell>> {
    let mut states: BTreeMap<usize, usize> = BTreeMap::new();
    for state in group.items.iter().filter(|state| !state.over) {
        *states.entry(state.choices.len()).or_default() += 1;
    }
    let row =
        |(moves, states): (usize, usize)| vec![group.turn.clone(), moves.into(), states.into()];
    states.into_iter().map(row).collect()
}

#[test]
fn states_by_turn_and_by_moves() {
    assert_analysis("states", &[0, 2], |part, _| {
        let turn = |state: &&State| state.situation.turn;
        let mut groups = by_turn(&part.states, turn);
        groups.extend(totals(&part.states, turn).pop());
        let by_turn = groups.iter().map(states_row).collect();
        let by_moves = groups.iter().flat_map(moves_rows).collect();
        vec![
            Wanted::new("states", &STATES, by_turn).with_total(&["turn", "player"]),
            Wanted::new("states_by_moves", &["turn", "moves", "states"], by_moves)
                .with_total(&["turn"]),
        ]
    });
}

#[test]
fn capacity_is_the_states_without_passes() {
    assert_analysis("capacity", &[0], |part, _| {
        let pieces = |state: &State| state.situation.cells.iter().filter(|&&c| c != EMPTY).count();
        let nobody_passed = |state: &&State| pieces(state) + 1 == state.situation.turn;
        let states: Vec<&State> = part.states.iter().copied().filter(nobody_passed).collect();
        let row = |group: &Group<&State>| {
            let images = |state: &&&State| part.variant.images(&state.situation.cells).len();
            let positions: usize = group.items.iter().map(images).sum();
            vec![
                group.turn.clone(),
                group.player.clone(),
                positions.into(),
                group.items.len().into(),
            ]
        };
        let turn = |state: &&State| state.situation.turn;
        let mut groups = by_turn(&states, turn);
        groups.extend(totals(&states, turn).pop());
        let columns = &["turn", "player", "positions", "states"];
        let table = Wanted::new("capacity", columns, groups.iter().map(row).collect());
        vec![table.with_total(&["turn", "player"])]
    });
}

/// The playouts through each first move are together all, and each row is that of a count that begins
/// after the move.
#[test]
fn playouts_by_first_move_are_those_after_it() {
    let boards = [(1, 1), (1, 4), (3, 3), (3, 4), (4, 4)];
    for (rows, cols) in boards {
        for (bias, pieces) in [(0, None), (1, None), (0, Some(3))] {
            let rules = Rules { bias, pieces, ..Rules::standard(rows, cols).unwrap() };
            let by_move = run_with("playouts", &rules, &[("by first move", "yes")]).remove(0);
            let all = run_with("playouts", &rules, &[]).remove(0);
            let counts = |row: &[Cell]| row[1..].to_vec();
            let total = by_move.total.as_ref().unwrap();
            assert_eq!(total.rows[0], all.rows[0][1..5], "{rows}x{cols}");
            let moves = rules.moves(&rules.start());
            assert_eq!(by_move.rows.len(), moves.len());
            for (row, mv) in by_move.rows.iter().zip(moves) {
                let text = rules.record_move(&rules.start(), mv);
                let below = run_with("playouts", &rules, &[("moves", &text)]).remove(0);
                assert_eq!(counts(&below.rows[0]), row[2..], "{rows}x{cols} after {text}");
            }
        }
    }
    // At the end of the game there is one playout, which has no move.
    let rules = Rules::standard(1, 3).unwrap();
    let end = run_with("playouts", &rules, &[("moves", "1 3")]).remove(0);
    assert_eq!(end.rows[0][1..5], [1u32, 0, 0, 1].map(Cell::from));
    let refused = by_name(NAME, "playouts").unwrap();
    let territory = [("moves", "1"), ("pieces", "3"), ("method", "territory")];
    for given in [&[("moves", "1"), ("method", "closed-form")][..], &territory] {
        assert!(refused.prepare(given, None).is_err(), "{given:?}");
    }
}

/// Every method that supports the rules and the root gives the same tables, and the others are refused
/// with the option that they do not support.
#[test]
fn methods_agree() {
    for part in PARTS.iter().flatten() {
        let (rules, moves) = (rules(&part.variant, 1), part.moves.join(" "));
        let root = [(&*MOVES.name, &*moves)];
        let root = if moves.is_empty() { &[] } else { &root[..] };
        for name in ["playouts", "states", "terminals", "scores", "blunders"] {
            let analysis = by_name(NAME, name).unwrap();
            let kind = &analysis.option("method").unwrap().kind;
            let OptionKind::Choice { values } = kind else { panic!("{kind:?}") };
            let wanted = run_with(name, &rules, root);
            let agrees = |method: &str| {
                let entries = rules.entries();
                let given = entries.iter().map(|(name, value)| (*name, value.as_str()));
                let given = given.chain(root.iter().copied()).chain([("method", method)]);
                let job = analysis.prepare(&given.collect::<Vec<_>>(), None);
                let supports = match method {
                    "explorer" | "depth-first" => true,
                    "sets" | "closed-form" => moves.is_empty(),
                    "territory" => part.variant.pieces.is_none(),
                    _ => moves.is_empty() && part.variant.pieces.is_none(),
                };
                assert_eq!(job.is_ok(), supports, "{name} by {method} after '{moves}'");
                let found = job.map(|job| job.run(&Monitor::default()).unwrap());
                if let Ok(found) = found {
                    assert_eq!(found, wanted, "{name} by {method} after '{moves}'");
                }
            };
            values.iter().for_each(|method| agrees(method));
        }
    }
}
