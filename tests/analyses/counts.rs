//! Tests the analyses of playouts, terminal states, scores, states, and bounds on states.

use super::*;

#[test]
fn playouts_by_result() {
    assert_analysis("playouts", &BIASES, |solution, bias| {
        let results = results(solution, bias);
        let row = |(name, playouts, _): (&str, u128, usize)| {
            vec![name.into(), big(playouts), quotient(playouts, results[3].1)]
        };
        let rows = results.map(row).to_vec();
        vec![Wanted::new("playouts", &["result", "playouts", "share"], rows)]
    });
}

#[test]
fn terminals_by_result() {
    assert_analysis("terminals", &BIASES, |solution, bias| {
        let results = results(solution, bias);
        let row = |(name, _, terminals): (&str, u128, usize)| {
            vec![name.into(), terminals.into(), share(terminals, results[3].2)]
        };
        let rows = results.map(row).to_vec();
        vec![Wanted::new("terminals", &["result", "terminals", "share"], rows)]
    });
}

#[test]
fn scores_with_playouts_and_terminals() {
    assert_analysis("scores", &BIASES, |solution, bias| {
        let [.., (_, playouts, terminals)] = results(solution, bias);
        let row = |score: Cell, (p, t): (u128, usize)| {
            vec![score, big(p), quotient(p, playouts), t.into(), share(t, terminals)]
        };
        let ends = ends(solution).into_iter();
        let mut rows: Vec<_> = ends.map(|(lead, end)| row((lead - bias).into(), end)).collect();
        rows.push(row("all".into(), (playouts, terminals)));
        let columns = &["score", "playouts", "playouts_share", "terminals", "terminals_share"];
        vec![Wanted::new("scores", columns, rows)]
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

fn states_row(group: &Group<State>) -> Vec<Cell> {
    let states = &group.items;
    let decisions = count(states, |state| !state.choices.is_empty());
    let terminals = count(states, |state| state.over);
    let moves: Vec<usize> = states.iter().map(|state| state.choices.len()).collect();
    vec![
        group.turn.clone(),
        group.player.into(),
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
fn moves_rows(group: &Group<State>) -> Vec<Vec<Cell>> {
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
    assert_analysis("states", &[0, 2], |solution, _| {
        let turn = |state: &State| state.situation.turn;
        let mut groups = by_turn(&solution.states, turn);
        groups.extend(totals(&solution.states, turn).pop());
        let by_turn = groups.iter().map(states_row).collect();
        let by_moves = groups.iter().flat_map(moves_rows).collect();
        vec![
            Wanted::new("states", &STATES, by_turn),
            Wanted::new("states_by_moves", &["turn", "moves", "states"], by_moves),
        ]
    });
}

#[test]
fn capacity_is_the_states_without_passes() {
    assert_analysis("capacity", &[0], |solution, _| {
        let pieces = |state: &State| state.situation.cells.iter().filter(|&&c| c != EMPTY).count();
        let nobody_passed = |state: &&State| pieces(state) + 1 == state.situation.turn;
        let states: Vec<&State> = solution.states.iter().filter(nobody_passed).collect();
        let row = |group: &Group<&State>| {
            let images = |state: &&&State| solution.variant.images(&state.situation.cells).len();
            let positions: usize = group.items.iter().map(images).sum();
            vec![
                group.turn.clone(),
                group.player.into(),
                positions.into(),
                group.items.len().into(),
            ]
        };
        let turn = |state: &&State| state.situation.turn;
        let mut groups = by_turn(&states, turn);
        groups.extend(totals(&states, turn).pop());
        let columns = &["turn", "player", "positions", "states"];
        vec![Wanted::new("capacity", columns, groups.iter().map(row).collect())]
    });
}
