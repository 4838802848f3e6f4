//! The analysis of first moves.

use super::*;

#[test]
fn openings_with_value_and_cost() {
    assert_analysis("openings", &BIASES, |part, bias| {
        let openings = openings(part);
        let row = |cell: usize| {
            let opening = openings.get(&cell)?;
            Some(vec![
                (cell + 1).into(),
                coordinate(&part.variant, cell).into(),
                (opening.value - bias).into(),
                opening.cost.into(),
                (opening.cost == 0).into(),
            ])
        };
        let rows = (0..part.variant.size()).filter_map(row).collect();
        vec![Wanted::new("openings", &["tile", "coordinate", "value", "cost", "perfect"], rows)]
    });
}
