//! The analysis of first moves.

use super::*;

#[test]
fn openings_with_value_and_cost() {
    assert_analysis("openings", &BIASES, |solution, bias| {
        let openings = openings(solution);
        let row = |cell: usize| {
            let opening = openings.get(&cell);
            vec![
                (cell + 1).into(),
                coordinate(&solution.variant, cell).into(),
                opening.map(|choice| choice.value - bias).into(),
                opening.map(|choice| choice.cost).into(),
                opening.map(|choice| choice.cost == 0).into(),
            ]
        };
        let rows = (0..solution.variant.size()).map(row).collect();
        vec![Wanted::new("openings", &["tile", "coordinate", "value", "cost", "perfect"], rows)]
    });
}
