//! The analysis of rule variants.

use super::*;

const COLUMNS: [&str; 22] = [
    "rules",
    "board",
    "center_allowed",
    "bias",
    "pieces",
    "value",
    "openings",
    "states",
    "playouts",
    "playouts_first",
    "playouts_second",
    "playouts_tie",
    "playouts_first_share",
    "playouts_second_share",
    "playouts_tie_share",
    "terminals",
    "terminals_first",
    "terminals_second",
    "terminals_tie",
    "terminals_first_share",
    "terminals_second_share",
    "terminals_tie_share",
];

/// The map as rows joined by `/`, with spaces between values if some take more than one character.
fn map(part: &Part, bias: i32) -> String {
    let openings = openings(part);
    let text = |cell| match openings.get(&cell) {
        Some(choice) => (choice.value - bias).to_string(),
        None => "-".to_string(),
    };
    let texts: Vec<String> = (0..part.variant.size()).map(text).collect();
    let apart = if texts.iter().all(|text| text.len() == 1) { "" } else { " " };
    let rows = texts.chunks(part.variant.cols).map(|row| row.join(apart));
    rows.collect::<Vec<_>>().join("/")
}

fn row(label: &str, variant: Variant, bias: i32) -> Vec<Cell> {
    let solution = Solution::of(variant);
    let part = Part::whole(&solution);
    let results = results(&part, bias);
    let [first, second, tie, all] = results;
    let wins = [first, second, tie];
    let mut row: Vec<Cell> = vec![
        label.into(),
        format!("{}x{}", variant.rows, variant.cols).into(),
        variant.center_allowed.into(),
        bias.into(),
        variant.pieces.unwrap_or(variant.rows * variant.cols).into(),
        (solution.findings.root().value - bias).into(),
        map(&part, bias).into(),
        solution.states.len().into(),
        big(all.1),
    ];
    row.extend(wins.map(|(_, playouts, _)| big(playouts)));
    row.extend(wins.map(|(_, playouts, _)| quotient(playouts, all.1)));
    row.push(all.2.into());
    row.extend(wins.map(|(_, _, terminals)| Cell::from(terminals)));
    row.extend(wins.map(|(_, _, terminals)| share(terminals, all.2)));
    row
}

fn assert_variants(asked: Rules, wanted: Vec<Vec<Cell>>) {
    let case = format!("variants of {}", bsq_analyses::rules_label(&asked));
    let wanted = Wanted::new("variants", &COLUMNS, wanted);
    assert_tables(&case, &run("variants", asked), &[wanted]);
}

#[test]
fn maps_of_values_with_a_sign_are_spaced_evenly() {
    let standard = Variant::standard(3, 3);
    let wanted = vec![row("3x3 standard", standard, 0), row("3x3 bias 1", standard, 1)];
    assert_variants(rules(&standard, 1), wanted);
}

#[test]
fn standard_set_on_3x3() {
    let standard = Variant::standard(3, 3);
    let centre = Variant { center_allowed: true, ..standard };
    let eleven = Variant { pieces: Some(11), ..standard };
    let wanted = vec![
        row("3x3 standard", standard, 0),
        row("3x3 centre allowed", centre, 0),
        row("3x3 bias 2", standard, 2),
        row("3x3 centre allowed, bias 2", centre, 2),
        row("3x3 11 pieces", eleven, 0),
    ];
    assert_variants(rules(&standard, 0), wanted);
}

#[test]
fn rules_asked_for_stand_beside_the_standard() {
    let three = Variant { pieces: Some(3), ..Variant::standard(3, 4) };
    let wanted = vec![
        row("3x4 standard", Variant::standard(3, 4), 0),
        row("3x4 bias 3, 3 pieces", three, 3),
    ];
    assert_variants(rules(&three, 3), wanted);
}
