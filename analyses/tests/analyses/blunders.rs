//! The analysis of mistakes.

use super::*;

const COLUMNS: [&str; 15] = [
    "rules",
    "turn",
    "player",
    "decisions",
    "moves",
    "perfect",
    "perfect_share",
    "risky",
    "risky_share",
    "cost_mean",
    "cost_most",
    "upsets",
    "upset_share",
    "fateful",
    "fateful_share",
];

fn row(label: &str, bias: i32, group: &Group<&State>) -> Vec<Cell> {
    let decisions = &group.items;
    let moves: usize = decisions.iter().map(|state| state.choices.len()).sum();
    let is_upset =
        |state: &State, choice: &Choice| result(state.value - bias) != result(choice.value - bias);
    let upsets_of =
        |state: &&&State| state.blunders().filter(|choice| is_upset(state, choice)).count();
    let costs: Vec<i32> =
        decisions.iter().flat_map(|state| state.blunders()).map(|c| c.cost).collect();
    let upsets: usize = decisions.iter().map(upsets_of).sum();
    let risky = count(decisions, |state| state.is_risky());
    let fateful = count(decisions, |state| upsets_of(state) > 0);
    vec![
        label.into(),
        group.turn.clone(),
        group.player.clone(),
        decisions.len().into(),
        moves.into(),
        (moves - costs.len()).into(),
        share(moves - costs.len(), moves),
        risky.into(),
        share(risky, decisions.len()),
        share(costs.iter().sum::<i32>() as usize, costs.len()),
        costs.iter().max().copied().unwrap_or(0).into(),
        upsets.into(),
        share(upsets, costs.len()),
        fateful.into(),
        share(fateful, decisions.len()),
    ]
}

#[test]
fn every_column_with_and_without_two_points_to_the_second_player() {
    assert_analysis("blunders", &BIASES, |part, bias| {
        let decisions: Vec<&State> = part.decisions().collect();
        let turn = |state: &&State| state.situation.turn;
        let mut players = totals(&decisions, turn);
        let both = players.pop().unwrap();
        let turns = by_turn(&decisions, turn);
        let labels = [bias, if bias == 2 { 0 } else { 2 }]
            .map(|bias| (bias, bsq_analyses::rules_label(&rules(&part.variant, bias))));
        let rows = |groups: &[Group<&State>]| -> Vec<Vec<Cell>> {
            let rows = labels
                .iter()
                .flat_map(|(bias, label)| groups.iter().map(move |group| row(label, *bias, group)));
            rows.collect()
        };
        let mut by_player = rows(&players);
        by_player.iter_mut().for_each(|row| drop(row.remove(1)));
        static BY_PLAYER: LazyLock<Vec<&str>> =
            LazyLock::new(|| COLUMNS.into_iter().filter(|name| *name != "turn").collect());
        let table = Wanted::new("blunders", &COLUMNS, [rows(&turns), rows(&[both])].concat());
        vec![
            table.with_total(&["turn", "player"]),
            Wanted::new("blunders_by_player", &BY_PLAYER, by_player),
        ]
    });
}
