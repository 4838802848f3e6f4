//! Tests pictures of tables with arbitrary content.

use super::picture::paint;
use super::sheet::{Row, Sheet};
use super::{Look, draw, label, read};
use bsq_analyses::palette::{Color, FIRST, SECOND, TIE};
use bsq_analyses::{Analysis, Chart, Figure, Only, Shown, chart_of, of_game};
use bsq_api::Registry;
use kuva::render::render::{Primitive, TextAnchor};
use proptest::prelude::*;
use std::collections::HashSet;

/// The elements of an SVG, each with its attributes. Panics if it is not valid XML.
fn elements(svg: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(svg);
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

fn sheet(columns: &[&str], rows: Vec<Vec<String>>) -> Sheet {
    let rows = (1..).zip(rows).map(|(line, cells)| Row { cells, line });
    Sheet {
        name: "any".to_string(),
        rules: String::new(),
        columns: columns.iter().map(|name| name.to_string()).collect(),
        rows: rows.collect(),
    }
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
    let odd = ["-", "NaN", "inf", "1e400", "<&>\"'", "\u{0}\u{7}\u{ffff}", "日本語"];
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
    let figures =
        [Figure::Bars, Figure::Stack, Figure::Lines, Figure::Points, Figure::Map, Figure::Boards];
    prop::sample::select(figures.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Any table gives a picture in valid XML, or an error with the reason.
    #[test]
    fn any_table_is_drawn_or_refused(
        rows in any_rows(),
        figure in figure(),
        several: bool,
        by in prop::sample::select(vec![None, Some("b_share"), Some("c")]),
        is_score: bool,
        panels: bool,
        sized: bool,
        log_y: bool,
        log_x: bool,
        complement: bool,
        dark: bool,
    ) {
        let sheet = sheet(&["a", "b_share", "c", "d"], rows);
        let shown = [Shown::first("1", "one"), Shown::tie("2", "two")];
        let chart = Chart {
            x: "a",
            y: if several { &["b_share", "d"] } else { &["b_share"] },
            by,
            is_score,
            shown: if several { &shown } else { &[] },
            panels: if panels { &["d"] } else { &[] },
            size: sized.then_some(["b_share", "d"]),
            name: Some("c"),
            only: &[Only::IsNot("a", "3")],
            log_y,
            log_x,
            complement,
            ..Chart::new("any", figure, "<it>: {most} at {least at}, {share of 1} {{{count}, {range} {last at}")
        };
        match draw(&sheet, &chart) {
            Ok(picture) => {
                let text = picture.svg(if dark { Look::Dark } else { Look::Reader });
                prop_assert!(elements(&text).len() > 2);
                let height = picture.scene.height;
                prop_assert!(height.is_finite() && height < 100_000.0);
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

/// The heights and the colours of the bars of a picture, each after its tip.
fn bars(sheet: &Sheet, chart: &Chart) -> Vec<(f64, String)> {
    let scene = draw(sheet, chart).unwrap().scene;
    let pairs = scene.elements.windows(2);
    let bars = pairs.filter_map(|pair| match pair {
        [Primitive::GroupStart { title: Some(_), .. }, Primitive::Rect { height, fill, .. }] => {
            Some((*height, fill.to_svg_string()))
        }
        _ => None,
    });
    bars.collect()
}

#[test]
fn a_bar_for_each_row_as_high_as_its_value() {
    let all = [["one", "5"], ["two", "10"], ["none", ""]];
    let sheet = sheet(&["x", "n"], rows(&all));
    let chart = Chart { x: "x", y: &["n"], ..Chart::new("any", Figure::Bars, "") };
    let bars = bars(&sheet, &chart);
    assert_eq!(bars.len(), 2);
    assert!((bars[1].0 - 2.0 * bars[0].0).abs() < 1e-9, "{bars:?}");
    assert_eq!(bars[0].1, bars[1].1);
    assert!(![FIRST, SECOND, TIE].map(paint).contains(&bars[0].1), "no player is meant");
}

#[test]
fn bars_of_scores_have_the_colour_of_the_winner() {
    let sheet = sheet(&["s", "n"], rows(&[["-2", "1"], ["0", "1"], ["3", "1"]]));
    let chart = Chart {
        x: "s",
        y: &["n"],
        by: Some("s"),
        is_score: true,
        ..Chart::new("any", Figure::Bars, "")
    };
    let colors: Vec<String> = bars(&sheet, &chart).into_iter().map(|(_, color)| color).collect();
    assert_eq!(colors, [SECOND, TIE, FIRST].map(paint));
}

#[test]
fn lines_that_coincide_are_both_visible() {
    let columns = ["x", "n", "who"];
    let row = |x: &str, n: &str, who: &str| [x, n, who].map(String::from).to_vec();
    let mut all =
        vec![row("1", "5", "a"), row("2", "6", "a"), row("1", "5", "b"), row("2", "7", "b")];
    let chart =
        Chart { x: "x", y: &["n"], by: Some("who"), ..Chart::new("any", Figure::Lines, "") };
    let dashes = |rows: &[Vec<String>]| {
        let svg = draw(&sheet(&columns, rows.to_vec()), &chart).unwrap().svg(Look::Reader);
        svg.matches("stroke-dasharray").count()
    };
    // The line and its sample in the legend.
    assert_eq!(dashes(&all), 2);
    all[2][1] = "4".to_string();
    assert_eq!(dashes(&all), 0);
}

#[test]
fn dark_colours_replace_light_ones() {
    let sheet = sheet(&["x", "n"], rows(&[["#ffffff", "5"]]));
    let chart = Chart { x: "x", y: &["n"], ..Chart::new("any", Figure::Bars, "") };
    let picture = draw(&sheet, &chart).unwrap();
    let [light, dark] = [Look::Light, Look::Dark].map(|look| picture.svg(look));
    for color in Color::all() {
        assert!(!dark.contains(&format!("\"{}\"", paint(color))), "{dark}");
        let is_used = light.contains(&format!("=\"{}\"", paint(color)));
        assert_eq!(dark.contains(&format!("=\"#{:06x}\"", color.dark)), is_used);
    }
    assert!(dark.contains(">#ffffff<"), "a text stays: {dark}");
}

#[test]
fn charts_state_a_finding_of_a_table_of_their_own() {
    let registry = Registry::standard();
    let games = || registry.games().map(|game| &game.info().name);
    let special: Vec<Analysis> = games().flat_map(|name| of_game(name)).collect();
    let charts: Vec<&Chart> = special.iter().flat_map(|one| one.charts()).copied().collect();
    let tables: HashSet<&str> = charts.iter().map(|chart| chart.table).collect();
    assert!(charts.len() > 20);
    assert_eq!(tables.len(), charts.len());
    for chart in super::charts(&registry) {
        assert!(chart.title.contains('{'), "{} has a number", chart.title);
        assert!(!chart.y_label.is_empty() || chart.figure == Figure::Map, "{}", chart.table);
        assert!(!chart.x_label.is_empty() || chart.figure == Figure::Boards, "{}", chart.table);
        assert!(!chart.rows_label.is_empty() || chart.figure != Figure::Map, "{}", chart.table);
    }
}

/// The texts of a picture with their areas, other than turned ones.
fn texts(scene: &[Primitive]) -> Vec<(String, [f64; 4])> {
    let area = |shape: &Primitive| match shape {
        Primitive::Text { x, y, content, size, anchor, rotate: None, .. } => {
            let wide = label::width(content, f64::from(*size));
            let left = match anchor {
                TextAnchor::Start => *x,
                TextAnchor::Middle => x - wide / 2.0,
                TextAnchor::End => x - wide,
            };
            Some((content.clone(), [left, y - f64::from(*size), wide, f64::from(*size)]))
        }
        _ => None,
    };
    scene.iter().filter_map(area).collect()
}

#[test]
fn every_dot_has_its_name_apart_from_others() {
    for table in ["heuristics", "heuristics_by_player"] {
        names_are_apart(table);
    }
}

fn names_are_apart(table: &str) {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    let sheet = read(&std::path::Path::new(results).join(format!("{table}.csv"))).unwrap();
    let registry = Registry::standard();
    let chart = chart_of(super::charts(&registry), &sheet.name, sheet.filled()).unwrap();
    let picture = draw(&sheet, chart).unwrap();
    let texts = texts(&picture.scene.elements);
    let column = sheet.column("heuristic").unwrap();
    for row in &sheet.rows {
        let name = &row.cells[column];
        let places: Vec<_> = texts.iter().filter(|(text, _)| text == name).collect();
        assert_eq!(places.is_empty(), name == "random", "{name}");
        for (_, [left, top, wide, high]) in places {
            let meets = |[x, y, w, h]: [f64; 4]| {
                *left < x + w && x < left + wide && *top < y + h && y < top + high
            };
            let met = texts.iter().find(|(text, area)| text != name && meets(*area));
            assert_eq!(met, None, "{name}");
        }
    }
}
