//! Tests pictures of tables with arbitrary content.

use super::sheet::{Head, Row, Sheet};
use super::{draw, svg};
use bsq_analyses::{CHARTS, Chart, Figure, Kind, Only};
use proptest::prelude::*;

/// The elements of an SVG, each with its attributes. Panics if it is not valid XML.
fn elements(svg: &[u8]) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(std::str::from_utf8(svg).unwrap());
    let mut elements = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(start) | quick_xml::events::Event::Empty(start) => {
                assert!(start.attributes().all(|attribute| attribute.is_ok()));
                elements.push(start.name().as_ref().to_string());
            }
            quick_xml::events::Event::Eof => return elements,
            _ => {}
        }
    }
}

fn sheet(columns: &[(&str, Kind)], rows: Vec<Vec<String>>) -> Sheet {
    let rows = (1..).zip(rows).map(|(line, cells)| Row { cells, line });
    Sheet {
        name: "any".to_string(),
        title: "Any table".to_string(),
        about: String::new(),
        columns: columns
            .iter()
            .map(|&(name, kind)| Head { name: name.to_string(), kind })
            .collect(),
        rows: rows.collect(),
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let kinds = [Kind::Integer, Kind::Label, Kind::Real(3), Kind::Share, Kind::Text, Kind::Truth];
    prop::sample::select(kinds.to_vec())
}

/// Numbers of every size.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (-30_i64..30).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => (-2.0_f64..2.0).prop_map(|number| format!("{number:.4}")),
        1 => "-?[1-9][0-9]{0,90}",
        1 => prop::sample::select(vec!["", "1e-320", "-1e308", "1e308"]).prop_map(String::from),
    ]
}

/// Names of cells and lines of a board, valid and almost valid.
fn place() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[a-e][1-5](-[a-e][1-5])?", 1 => "[a-eZ][0-9]{1,2}(-[a-e][0-9])?"]
}

/// Contents of cells: numbers, places, words, and special characters.
fn cell() -> impl Strategy<Value = String> {
    let odd = ["all", "-", "NaN", "inf", "1e400", "<&>\"'", "\u{0}\u{7}\u{ffff}", "日本語"];
    prop_oneof![
        4 => number(),
        1 => place(),
        1 => "\\PC{0,40}",
        1 => prop::sample::select(odd.to_vec()).prop_map(String::from),
    ]
}

/// Rows of four arbitrary cells, or of a place or name, two numbers and a name.
fn any_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let sensible = |first: BoxedStrategy<String>| {
        (first, number(), cell(), number()).prop_map(|(a, b, c, d)| [a, b, c, d].to_vec())
    };
    let some = |row: BoxedStrategy<Vec<String>>| prop::collection::vec(row, 0..12);
    prop_oneof![
        some(prop::collection::vec(cell(), 4).boxed()),
        some(sensible(place().boxed()).boxed()),
        some(sensible(cell().boxed()).boxed()),
    ]
}

fn figure() -> impl Strategy<Value = Figure> {
    let figures = [Figure::Bars, Figure::Lines, Figure::Points, Figure::Map, Figure::Boards];
    prop::sample::select(figures.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Any table gives a picture in valid XML, or an error with the reason.
    #[test]
    fn any_table_is_drawn_or_refused(
        kinds in prop::array::uniform4(kind()),
        rows in any_rows(),
        figure in figure(),
        several: bool,
        by in prop::sample::select(vec![None, Some("b"), Some("c")]),
        panels: bool,
        sized: bool,
        log: bool,
        log_x: bool,
        complement: bool,
        dark: bool,
    ) {
        let columns = [("a", kinds[0]), ("b", kinds[1]), ("c", kinds[2]), ("d", kinds[3])];
        let sheet = sheet(&columns, rows);
        let chart = Chart {
            x: "a",
            y: if several { &["b", "d"] } else { &["b"] },
            by,
            panels: if panels { &["d"] } else { &[] },
            size: sized.then_some(["b", "d"]),
            name: Some("c"),
            only: &[Only::IsNot("a", "3")],
            log,
            log_x,
            complement,
            ..Chart::new("any", figure)
        };
        match draw(&sheet, &chart) {
            Ok(drawing) => {
                let text = svg(&drawing, dark).unwrap();
                let found = elements(&text);
                prop_assert!(found.len() > 2);
                prop_assert!(drawing.height.is_finite() && drawing.height < 100_000.0);
                let text = String::from_utf8(text).unwrap();
                for bad in ["NaN", "inf"] {
                    let bad = format!("=\"{bad}");
                    prop_assert!(!text.contains(&bad), "{}", text);
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

fn rows(rows: &[[&str; 2]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.map(String::from).to_vec()).collect()
}

#[test]
fn a_bar_for_each_row_as_high_as_its_value() {
    let columns = [("x", Kind::Text), ("n", Kind::Integer)];
    let sheet = sheet(&columns, rows(&[["one", "5"], ["two", "10"], ["none", ""], ["all", "15"]]));
    let chart = Chart { x: "x", y: &["n"], ..Chart::new("any", Figure::Bars) };
    let drawing = draw(&sheet, &chart).unwrap();
    let heights: Vec<f64> = drawing
        .shapes
        .iter()
        .filter_map(|shape| match shape.form {
            super::drawing::Form::Rect(at) if shape.tip.is_some() => Some(at[3]),
            _ => None,
        })
        .collect();
    assert_eq!(heights.len(), 2);
    assert!((heights[1] - 2.0 * heights[0]).abs() < 1e-9, "{heights:?}");
}

#[test]
fn charts_have_tables_of_their_own() {
    let mut names: Vec<&str> = CHARTS.iter().map(|chart| chart.table).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CHARTS.len());
}
