//! Tests `bsq plot`, and `--plot` of analyses.

use super::errors::{fails, refused};
use super::{Row, analyses, bsq, files, finish, out, read, rows, run, table};
use std::path::{Path, PathBuf};

/// The tables of special analyses that have charts.
fn tables_with_charts() -> Vec<&'static str> {
    let games = ["british-square", "dots", "rpsw"];
    let special = games.into_iter().flat_map(bsq_analyses::of_game);
    let tables = special.flat_map(|analysis| analysis.charts()).map(|chart| chart.table);
    // Those of agents and endgames are not published.
    tables.filter(|table| !table.starts_with("agents") && *table != "endgame").collect()
}

/// A CSV file in a temporary folder.
struct Csv {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Csv {
    fn new(name: &str, text: impl AsRef<[u8]>) -> Csv {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Csv { folder, path }
    }

    fn line(&self, flags: &str) -> String {
        format!("plot '{}' {flags}", self.path.display())
    }

    /// The chart of the file as SVG.
    fn svg(&self, flags: &str) -> String {
        out(&self.line(flags))
    }

    fn refused(&self, flags: &str, says: &[&str]) {
        refused(&self.line(flags), says);
    }
}

/// The tips of all marks whose first element is of a kind.
fn tips(svg: &str, element: &str) -> Vec<String> {
    let parts = svg.split("<g class=\"tt\">").skip(1);
    let tip = |part: &str| {
        let (tip, mark) = part.trim_start().strip_prefix("<title>")?.split_once("</title>")?;
        mark.trim_start().starts_with(&format!("<{element} ")).then(|| tip.to_string())
    };
    parts.filter_map(tip).collect()
}

/// The table form of a number in a picture.
fn plain(number: &str) -> String {
    number.replace(',', "").replace('−', "-")
}

/// The text after the last colon of each tip.
fn values(tips: &[String]) -> Vec<String> {
    tips.iter().map(|tip| plain(tip.rsplit_once(": ").unwrap().1)).collect()
}

fn column(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].clone()).collect()
}

/// The picture of an analysis.
fn plotted(line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.svg");
    let ran = run(&format!("{line} --plot '{}'", path.display()));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("wrote ") && ran.err.contains("picture.svg"), "{}", ran.err);
    assert_eq!(files(folder.path()), ["picture.svg"]);
    read(folder.path(), "picture.svg")
}

#[test]
fn a_small_picture_as_it_is() {
    let csv = Csv::new("playouts.csv", "outcome,playouts\nfirst,1200\nsecond,300\n");
    insta::assert_snapshot!("plot_small", csv.svg(""));
}

#[test]
fn scores_have_a_bar_for_each_row_with_its_number() {
    let svg = plotted("analyze scores --board 3x4");
    let scores = table("analyze scores --board 3x4");
    assert_eq!(values(&tips(&svg, "rect")), column(&scores, "playouts"));
    assert!(
        svg.contains(">The most frequent final score is 1, of 31% of 67,728 playouts<"),
        "{svg}"
    );
    assert!(svg.contains(">3x4 standard<") && svg.contains(">first player wins<"), "{svg}");
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("viewBox=\"0 0 760 "));
}

#[test]
fn numbers_of_any_length_keep_their_digits() {
    let svg = plotted("analyze playouts --board 4x15");
    let playouts = &table("analyze playouts --board 4x15")[0];
    let expected = ["first", "tie", "second"].map(|it| playouts[&format!("playouts_{it}")].clone());
    assert_eq!(values(&tips(&svg, "rect")), expected);
    assert!(expected[0].len() > 60);
    assert!(svg.contains("(× 10⁶⁰)"), "{svg}");
    let svg = plotted("analyze playouts");
    assert!(svg.contains("playouts (quadrillions)") && svg.contains(">2.18 quadrillion<"), "{svg}");
}

#[test]
fn every_analysis_has_a_picture_or_says_that_it_has_none() {
    let drawn = |analysis: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.svg");
        let ran = run(&format!("analyze {analysis} --board 3x4 --plot '{}'", path.display()));
        match ran.code {
            0 => {
                let svg = read(folder.path(), "picture.svg");
                let told = ["rect", "circle", "line"].map(|shape| tips(&svg, shape).len());
                assert!(told.iter().sum::<usize>() > 0, "{analysis}: {svg}");
            }
            code => {
                assert_eq!(code, 2, "{}", ran.err);
                assert!(ran.err.contains("there is no chart"), "{}", ran.err);
                assert_eq!(files(folder.path()), [""; 0]);
            }
        }
        ran.code == 0
    };
    let with: Vec<String> = analyses().into_iter().filter(|analysis| drawn(analysis)).collect();
    for analysis in [
        "playouts",
        "states",
        "scores",
        "terminals",
        "openings",
        "blunders",
        "heuristics",
        "boards",
    ] {
        assert!(with.contains(&analysis.to_string()), "{analysis} is not among {with:?}");
    }
}

#[test]
fn openings_are_a_board() {
    let svg = plotted("analyze openings --board 3x3");
    let openings = table("analyze openings --board 3x3");
    let mut tips = tips(&svg, "rect");
    assert_eq!((tips.len(), tips.remove(4).as_str()), (9, "b2: no value"));
    for (row, tip) in openings.iter().zip(&tips) {
        assert_eq!(plain(tip), format!("{}: {}", row["coordinate"], row["value"]));
    }
}

#[test]
fn blunders_are_what_is_not_perfect() {
    let svg = plotted("analyze blunders --board 3x4");
    let mut rows = table("analyze blunders --board 3x4");
    let first = rows[0]["rules"].clone();
    rows.retain(|row| row["rules"] == first);
    rows.sort_by_key(|row| row["player"].clone());
    let told = values(&tips(&svg, "circle"));
    assert_eq!(told.len(), rows.len());
    for (row, told) in rows.iter().zip(told) {
        let sum = row["perfect_share"].parse::<f64>().unwrap() + told.parse::<f64>().unwrap();
        assert!((sum - 1.0).abs() < 2e-6, "{row:?} {told}");
    }
}

#[test]
fn a_file_that_was_written_is_drawn_as_the_analysis_itself() {
    for analysis in ["scores", "openings", "states"] {
        let folder = tempfile::tempdir().unwrap();
        out(&format!("analyze {analysis} --board 3x4 --quiet --out '{}'", folder.path().display()));
        let csv = folder.path().join(format!("{analysis}.csv"));
        let drawn = out(&format!("plot '{}'", csv.display()));
        assert_eq!(drawn, plotted(&format!("analyze {analysis} --board 3x4")), "{analysis}");
        // Without the manifest, the same chart has fewer texts.
        std::fs::remove_file(folder.path().join("datapackage.json")).unwrap();
        let guessed = out(&format!("plot '{}'", csv.display()));
        assert_eq!(tips(&guessed, "rect"), tips(&drawn, "rect"), "{analysis}");
        assert!(!guessed.contains("3x4 standard"));
    }
}

/// In games with points results are drawn by score, in others by winner or plies until the win.
#[test]
fn analyses_of_any_game_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (game, flags) in [("mnk", ""), ("dots", "--board 2x2"), ("rpsw", "--board 3x2 --pieces 1")]
    {
        for (analysis, element) in [
            ("positions", "circle"),
            ("playouts", "rect"),
            ("perft", "circle"),
            ("depths", "rect"),
            ("only-moves", "circle"),
        ] {
            if (game, analysis) == ("rpsw", "playouts") {
                continue; // endless
            }
            let path = folder.path().join(format!("{game}-{analysis}.svg"));
            let line = format!("{game} analyze {analysis} {flags}");
            let rows = table(&format!("{line} --plot '{}'", path.display())).len();
            let svg = std::fs::read_to_string(&path).unwrap();
            let marks = tips(&svg, element).len();
            assert!(marks >= rows.min(3), "{line}: {marks} marks of {rows} rows");
            let csv = folder.path().join(format!("{analysis}.csv"));
            std::fs::write(&csv, out(&format!("{line} --format csv"))).unwrap();
            let again = out(&format!("plot '{}'", csv.display()));
            assert_eq!(tips(&again, element), tips(&svg, element), "{line}");
        }
    }
    let openings = folder.path().join("openings.svg");
    run(&format!("mnk analyze openings --format csv --plot '{}'", openings.display()));
    let svg = std::fs::read_to_string(&openings).unwrap();
    assert_eq!(tips(&svg, "rect").len(), 9);
    assert!(svg.contains("wins after 0 of 9 first moves"), "{svg}");
}

#[test]
fn every_table_of_the_results_that_has_a_chart_is_drawn() {
    let mut drawn = Vec::new();
    for (name, element, count) in [
        ("playouts", "rect", 3),
        ("states", "rect", 32),
        ("terminals", "rect", 3),
        ("scores", "rect", 22),
        ("openings", "rect", 25), // the centre has no value
        ("boards", "rect", 104),
        ("growth", "rect", 104),
        ("blunders", "circle", 31),
        ("heuristics", "circle", 17),
        ("rpsw-iterations", "circle", 65),
        ("rpsw-material", "rect", 225),
        ("rpsw-arrangements-summary", "rect", 72),
        ("rpsw-draws", "rect", 106),
        ("rpsw-arrangements", "rect", 576),
        ("dots-boards", "rect", 76),
        ("dots-positions", "circle", 75),
        ("dots-rules", "rect", 9),
        ("dots-rules-by-line", "circle", 66),
        ("dots-rules-from-start", "rect", 6),
        ("mirror_by_turn", "rect", 40),
        ("heuristics_by_player", "circle", 34),
        ("heuristics_by_turn", "rect", 558),
        ("heuristics_from_start", "rect", 36),
        ("states_by_moves", "rect", 213),
        ("capacity", "circle", 42),
        ("match", "rect", 8),
        ("variants", "rect", 15),
        ("dots-openings", "line", 621),
    ] {
        drawn.push(name);
        let svg = out(&format!("plot results/{name}.csv"));
        assert_eq!(tips(&svg, element).len(), count, "{name}");
    }
    let mut with_chart = tables_with_charts();
    with_chart.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(drawn, with_chart);
}

/// The title of a picture without the rules.
fn title(svg: &str) -> String {
    let (_, rest) = svg.split_once("<title>").unwrap();
    let title = rest.split_once("</title>").unwrap().0;
    title.rsplit_once(" (").filter(|_| title.ends_with(')')).map_or(title, |it| it.0).to_string()
}

/// A number of a table.
fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

fn sum(rows: &[Row], column: &str) -> f64 {
    rows.iter().map(|row| number(row, column)).sum()
}

/// A number as a title has it: with separators, or in three digits and a word.
fn big(number: f64) -> String {
    let names = [(1e15, "quadrillion"), (1e12, "trillion"), (1e9, "billion"), (1e6, "million")];
    if let Some((unit, name)) = names.into_iter().find(|(unit, _)| number >= *unit) {
        let scaled = number / unit;
        let decimals = 2 - scaled.log10().floor() as usize;
        return format!("{scaled:.decimals$} {name}");
    }
    let digits = format!("{number}");
    let parts = digits.as_bytes().rchunks(3).rev();
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect::<Vec<_>>().join(",")
}

/// A share as a title has it.
fn percent(share: f64) -> String {
    // An empty sum is -0.
    let percent = 100.0 * share + 0.0;
    let decimals =
        if percent == 0.0 || percent >= 9.95 { 0 } else { 1 + usize::from(percent < 0.95) };
    format!("{percent:.decimals$}%")
}

/// The largest value of a column, or the smallest, with the words of another column for each row that
/// has it.
fn end(rows: &[Row], column: &str, is_largest: bool, named: &str) -> (f64, String) {
    let sign = if is_largest { 1.0 } else { -1.0 };
    let signed = rows.iter().map(|row| sign * number(row, column));
    let most = sign * signed.fold(f64::MIN, f64::max);
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| number(row, column) == most) {
        if !names.contains(&row[named].as_str()) {
            names.push(&row[named]);
        }
    }
    let names = match names.as_slice() {
        [first, _, _, _, ..] => format!("{first} and {} others", names.len() - 1),
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    };
    (most, names)
}

fn most(rows: &[Row], column: &str, named: &str) -> (f64, String) {
    end(rows, column, true, named)
}

fn least(rows: &[Row], column: &str, named: &str) -> (f64, String) {
    end(rows, column, false, named)
}

/// The rows with a new column.
fn with(rows: &[Row], name: &str, cell: impl Fn(&Row) -> String) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        let cell = cell(row);
        row.insert(name.to_string(), cell);
    }
    rows
}

fn without(rows: &[Row], column: &str, value: &str) -> Vec<Row> {
    rows.iter().filter(|row| row[column] != value).cloned().collect()
}

fn count(rows: &[Row], is: impl Fn(&Row) -> bool) -> usize {
    rows.iter().filter(|row| is(row)).count()
}

fn range(low: f64, high: f64) -> String {
    if low == high { big(low) } else { format!("{low} to {high}") }
}

/// The numbers of positive scores in a column, of negative ones, and of all.
fn winners(rows: &[Row], column: &str) -> [usize; 3] {
    let with = |sign: f64| count(rows, |row| number(row, column) * sign > 0.0);
    [with(1.0), with(-1.0), rows.len()]
}

/// Two players' parts of playouts or terminal states in one row.
fn parts(rows: &[Row], what: &str, words: &str) -> String {
    let of = |winner: &str| sum(rows, &format!("{what}_{winner}"));
    let total = of("first") + of("tie") + of("second");
    let [first, second] = ["first", "second"].map(|winner| percent(of(winner) / total));
    format!("The first player wins {first} of {} {words}, the second player {second}", big(total))
}

/// The leads at the end if either player follows something.
fn leads(rows: &[Row], column: &str, what: &str) -> String {
    let [first, second] = ["first", "second"].map(|player| {
        let of: Vec<Row> = rows.iter().filter(|row| row["player"] == player).cloned().collect();
        range(least(&of, column, "value").0, most(&of, column, "value").0)
    });
    let text = format!(
        "The first player's lead is {first} if the first player follows {what}, {second} if the second player does"
    );
    text.replace(" -", " −")
}

/// What the title of a chart must say of its table, computed from the rows in another way.
fn told(table: &str, rows: &[Row]) -> String {
    let against = |one: &str, other: &str| {
        with(rows, "pair", |row| format!("{} against {}", row[one], row[other]))
    };
    match table {
        "playouts" => parts(rows, "playouts", "playouts"),
        "terminals" => parts(rows, "terminals", "terminal states"),
        "states" => {
            let (states, turn) = most(rows, "states", "turn");
            let total = sum(rows, "states");
            let [share, states, total] = [percent(states / total), big(states), big(total)];
            format!("Turn {turn} has the most states: {states}, {share} of {total}")
        }
        "scores" => {
            let (playouts, score) = most(rows, "playouts", "score");
            let total = sum(rows, "playouts");
            let [share, total] = [percent(playouts / total), big(total)];
            format!("The most frequent final score is {score}, of {share} of {total} playouts")
        }
        "openings" => {
            let [first, _, all] = winners(rows, "value");
            let ends = [least(rows, "value", "tile").0, most(rows, "value", "tile").0];
            let range = range(ends[0], ends[1]);
            format!("The first player wins after {first} of {all} first moves; scores are {range}")
        }
        "variants" => {
            let (low, worst) = least(rows, "playouts_first_share", "rules");
            let (high, best) = most(rows, "playouts_first_share", "rules");
            let [low, high] = [low, high].map(percent);
            format!("The first player wins {low} ({worst}) to {high} ({best}) of the playouts")
        }
        "mirror_by_turn" => {
            let most = big(most(rows, "positions", "turn").0);
            format!("Mirror play leads to up to {most} positions at a turn")
        }
        "blunders" => {
            let rules = &rows[0]["rules"];
            let of_rules: Vec<Row> =
                rows.iter().filter(|row| row["rules"] == *rules).cloned().collect();
            let (perfect, turn) = least(&of_rules, "perfect_share", "turn");
            let most = percent(1.0 - perfect);
            format!("At turn {turn}, {most} of the legal moves are blunders, the most of all turns")
        }
        "heuristics" | "heuristics_by_player" => {
            let drawn = without(rows, "difficulty", "0");
            let (low, best) = least(&drawn, "fails_share", "heuristic");
            let (high, worst) = most(&drawn, "fails_share", "heuristic");
            let [low, high] = [low, high].map(percent);
            format!("Failures range from {low} of the decisions ({best}) to {high} ({worst})")
        }
        "heuristics_by_turn" => {
            let ends = [false, true].map(|is| end(rows, "fails_share", is, "turn").0).map(percent);
            format!("Of the decisions of a turn, heuristics fail at {}", ends.join(" to "))
        }
        "heuristics_from_start" => leads(&without(rows, "ties", "best"), "score", "a heuristic"),
        "dots-rules-from-start" => leads(rows, "guaranteed", "a rule"),
        "states_by_moves" => {
            let place = |row: &Row| format!("legal moves {}, turn {}", row["moves"], row["turn"]);
            let (states, at) = most(&with(rows, "place", place), "states", "place");
            let states = big(states);
            format!("At most {states} states of a turn have the same number of legal moves ({at})")
        }
        "capacity" => {
            let [all, merged] = ["positions", "states"].map(|column| big(sum(rows, column)));
            format!("Before a pass there are {all} positions, {merged} up to symmetry")
        }
        "match" => {
            let [a, b] = ["points_a", "points_b"]
                .map(|column| range(least(rows, column, "to").0, most(rows, column, "to").0));
            format!("A makes {a} points, B {b}")
        }
        "boards" => {
            let [first, second, all] = winners(&without(rows, "center_allowed", "true"), "value");
            format!(
                "The first player wins on {first} of {all} boards, the second player on {second}"
            )
        }
        "dots-boards" => {
            let [first, second, all] = winners(rows, "value");
            format!(
                "The first player wins on {first} of {all} boards, the second player on {second}"
            )
        }
        "dots-openings" => {
            let [first, second, all] = winners(&without(rows, "rows", "1"), "score");
            let all = big(all as f64);
            format!(
                "The first player wins after {first} of {all} first lines, the second player after {second}"
            )
        }
        "growth" => {
            let named = with(rows, "board", |row| format!("{}x{}", row["rows"], row["cols"]));
            let [(low, least), (high, most)] =
                [false, true].map(|is| end(&named, "states_root", is, "board"));
            format!(
                "The n-th root of the states on n cells ranges from {low:.3} ({least}) to {high:.3} ({most})"
            )
        }
        "dots-rules" => {
            let kinds = [
                ("take", "a box to take"),
                ("safe", "a line that gives nothing away"),
                ("give", "only lines that give boxes away"),
            ];
            let words = |row: &Row| {
                kinds
                    .iter()
                    .find(|kind| kind.0 == row["kind"])
                    .map_or("?", |kind| kind.1)
                    .to_string()
            };
            let named = with(rows, "words", words);
            let (share, kind) = most(&named, "fails_share", "words");
            let rules = most(rows, "fails_share", "rule").1;
            format!(
                "Rules of thumb allow a mistake in up to {} of the positions ({kind}: {rules})",
                percent(share)
            )
        }
        "dots-rules-by-line" => {
            let (share, lines) = most(&without(rows, "fails_share", ""), "fails_share", "drawn");
            format!(
                "Rules of thumb allow a mistake in up to {} of the positions (lines drawn: {lines})",
                percent(share)
            )
        }
        "dots-positions" => {
            let [all, classes, merged] =
                ["positions", "classes", "merged"].map(|column| big(sum(rows, column)));
            format!(
                "There are {all} positions, {classes} up to symmetry, {merged} with border lines merged"
            )
        }
        "rpsw-arrangements" => {
            let [won, lost] = ["won", "lost"].map(|it| count(rows, |row| row["result"] == it));
            format!(
                "The first player wins {won} of {} starts, the second player {lost}",
                rows.len()
            )
        }
        "rpsw-arrangements-summary" => {
            let range = range(least(rows, "won", "first").0, most(rows, "won", "first").0);
            format!(
                "Each arrangement of the first player wins against {range} of the second player's"
            )
        }
        "rpsw-draws" => {
            // Pairs in the order of the map.
            let (share, pairs) = most(&against("mover", "other"), "share", "pair");
            format!("Up to {} of the positions of a material are drawn: {pairs}", percent(share))
        }
        "rpsw-material" => {
            let (plies, pair) = most(&against("mover", "other"), "longest_win", "pair");
            format!("The longest win takes {plies} plies: {pair}")
        }
        "rpsw-iterations" => {
            let ((positions, plies), total) =
                (most(rows, "positions", "plies"), sum(rows, "positions"));
            let [share, total] = [percent(positions / total), big(total)];
            let last = most(rows, "plies", "plies").0;
            format!(
                "{share} of {total} decided positions end in {plies} ply, the last in {last} plies"
            )
        }
        other => panic!("no finding of {other} is computed here"),
    }
}

#[test]
fn titles_are_true_of_the_tables_that_are_drawn() {
    for name in tables_with_charts() {
        let path = format!("results/{name}.csv");
        let mut rows = rows(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(title(&out(&format!("plot {path}"))), told(name, &rows), "{name}");
        // In another table they are others.
        if name == "states" {
            rows.retain(|row| row["turn"] != "12");
            assert!(told(name, &rows).starts_with("Turn 11 has"));
        }
    }
}

#[test]
fn tests_and_searches_of_heuristics_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let choices = folder.path().join("choices.csv");
    std::fs::write(&choices, "position,move\n.../.../... X,b2\nX../.../... O,c3\n").unwrap();
    let choices = format!("mnk test-heuristic --choices '{}'", choices.display());
    let tests = [
        ("test-heuristic greedy --board 3x4", "greedy"),
        ("test-heuristic 'most own-free' --board 3x3 --failures FILE", "most own-free"),
        ("dots test-heuristic chain-rule --board 1x3", "chain-rule"),
        (choices.as_str(), "choices.csv"),
    ];
    for (line, heuristic) in tests {
        let failures = folder.path().join("failures.csv");
        let line = line.replace("FILE", &format!("'{}'", failures.display()));
        let rows = table(&line);
        let (share, turn) = most(&without(&rows, "fails_share", ""), "fails_share", "turn");
        let share = percent(share);
        let svg = plotted(&line);
        assert_eq!(
            title(&svg),
            format!(
                "{heuristic} may fail at up to {share} of the decisions of a turn (turn {turn})"
            )
        );
        assert_eq!(tips(&svg, "rect").len(), rows.len(), "{line}");
        // A file with the name of the table has the same chart.
        let file = folder.path().join("heuristic_any.csv");
        std::fs::write(&file, out(&format!("{line} --format csv"))).unwrap();
        assert!(out(&format!("plot '{}'", file.display())).contains(&title(&svg)));
    }
    let line = "test-heuristic greedy --from-start --board 3x4";
    let rows = without(&table(line), "ties", "best");
    assert_eq!(title(&plotted(line)), leads(&rows, "score", "a heuristic"));
    let line = "search-heuristic --board 3x4";
    let rows = table(line);
    let [(low, best), (high, worst)] =
        [false, true].map(|is| end(&rows, "fails_share", is, "rules"));
    let [low, high] = [low, high].map(percent);
    let svg = plotted(line);
    assert_eq!(
        title(&svg),
        format!("Failures fall from {high} of the decisions ({worst}) to {low} ({best})")
    );
    assert_eq!(tips(&svg, "circle").len(), rows.len());
}

#[test]
fn titles_are_true_in_any_game() {
    let share = |rows: &[Row], column: &str, player: &str| {
        let of: Vec<Row> = rows.iter().filter(|row| row["outcome"] == player).cloned().collect();
        percent(sum(&of, column) / sum(rows, column))
    };
    for game in ["mnk", "dots --board 2x2"] {
        let (game, flags) = game.split_once(' ').unwrap_or((game, ""));
        let drawn = |analysis: &str| {
            let line = format!("{game} analyze {analysis} {flags}");
            (title(&plotted(&line)), table(&line))
        };
        let (said, rows) = drawn("playouts");
        let total = big(sum(&rows, "playouts"));
        let [first, second] = ["first", "second"].map(|it| share(&rows, "playouts", it));
        let parts = format!("wins {first} of {total} playouts, the second player {second}");
        assert_eq!(said, format!("The first player {parts}"));
        let (said, rows) = drawn("positions");
        if game == "mnk" {
            let [all, merged] = ["positions", "canonical"].map(|column| big(sum(&rows, column)));
            assert_eq!(said, format!("There are {all} positions, {merged} up to symmetry"));
        }
        let (said, rows) = drawn("perft");
        let (sequences, depth) = most(&rows, "sequences", "depth");
        assert_eq!(said, format!("There are {} sequences of {depth} moves", big(sequences)));
        let (said, rows) = drawn("only-moves");
        let [only, won] = ["only", "won"].map(|column| big(sum(&rows, column)));
        assert_eq!(said, format!("In {only} of {won} won positions a single move wins"));
        let (said, rows) = drawn("openings");
        let first = count(&rows, |row| row["outcome"] == "first");
        let all = rows.len();
        assert!(
            said.starts_with(&format!("The first player wins after {first} of {all} first moves"))
        );
        let (said, rows) = drawn("depths");
        assert!(
            said.contains(&share(
                &without(&rows, "outcome", if game == "mnk" { "tie" } else { "" }),
                "positions",
                "first"
            )),
            "{said}"
        );
    }
    let rows = table("dots analyze endgame");
    let (score, boxes) = most(&rows, "score", "boxes");
    let kind = most(&rows, "score", "component").1;
    let said = format!("The best scores {score}: opening a {kind} of {boxes} boxes");
    assert_eq!(plain(&title(&plotted("dots analyze endgame"))), said);
    let line = "mnk analyze agents --first random --second perfect";
    let rows = table(line);
    let [first, second] = ["first", "second"].map(|it| share(&rows, "probability", it));
    let said = format!("The first player wins {first} of the games, the second player {second}");
    assert_eq!(title(&plotted(line)), said);
    let line = "mnk analyze agents";
    let ends = [false, true].map(|is| end(&table(line), "first_wins", is, "first").0).map(percent);
    let said = format!("The first player wins {} of the games of two agents", ends.join(" to "));
    assert_eq!(title(&plotted(line)), said);
    let (line, ply) = ("query 'best_moves = 1' --by ply --board 3x4", "ply");
    let (positions, at) = most(&table(line), "positions", ply);
    let said =
        format!("Positions where best_moves = 1, by ply; positions up to {positions} (ply {at})");
    assert_eq!(title(&plotted(line)), said);
}

#[test]
fn blank_cells_are_explained() {
    let svg = out("plot results/rpsw-draws.csv");
    assert!(svg.contains(">no drawn position<"), "{svg:.3000}");
    assert!(!out("plot results/rpsw-material.csv").contains(">no win<"), "no cell is blank");
    assert!(plotted("analyze openings --board 3x3").contains(">no legal first move<"));
    assert!(out("plot results/boards.csv").contains(">a turned board, or a larger one<"));
}

#[test]
fn tables_of_all_boards_say_so() {
    let svg = out("plot results/boards.csv");
    let about = ">score under perfect play; boards up to the size of 7x7 standard<";
    assert!(svg.contains(about), "{svg:.3000}");
    let about = " (boards up to the size of 3x3 standard)<";
    assert!(plotted("analyze growth --board 3x3").contains(about));
}

#[test]
fn games_between_agents_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |line: &str, element: &str| {
        let path = folder.path().join("agents.svg");
        out(&format!("{line} --plot '{}' -q", path.display()));
        tips(&std::fs::read_to_string(path).unwrap(), element)
    };
    let pair = drawn("analyze agents --board 3x4 --first greedy --second random", "rect");
    assert!(pair.iter().any(|tip| tip.contains("first player wins")), "{pair:?}");
    let pair = drawn("mnk analyze agents --first random --second random", "rect");
    assert_eq!(pair.len(), 3, "{pair:?}");
    let all = drawn("mnk analyze agents", "rect");
    assert_eq!(all.len(), 25, "{all:?}");
}

#[test]
fn heuristics_are_drawn_for_both_players_together() {
    let tips = tips(&out("plot results/heuristics.csv"), "circle");
    assert!(tips.iter().any(|tip| tip.starts_with("greedy, 1: 0.2267")), "{tips:?}");
}

#[test]
fn one_value_does_not_hide_another() {
    let csv = Csv::new("playouts.csv", "outcome,playouts\nfirst,1\nsecond,2\nfirst,3\n");
    csv.refused("", &["lines 2 and 4 both have a value for first player wins"]);
    let map = Csv::new("rpsw-draws.csv", "mover,other,share\nR,P,0.5\nR,P,0.6\n");
    map.refused("", &["lines 2 and 3", "P, R"]);
}

#[test]
fn a_logarithmic_axis_says_so_and_names_what_it_leaves_out() {
    let svg = out("plot results/heuristics.csv");
    assert!(svg.contains("1 value is left out (random): a logarithmic axis has no 0."), "{svg}");
    assert!(
        svg.contains(">difficulty: effort of a person for all its rules (logarithmic)<"),
        "{svg}"
    );
    assert!(out("plot results/capacity.csv").contains("(logarithmic)<"));
    assert!(!out("plot results/blunders.csv").contains("(logarithmic)<"));
}

#[test]
fn an_analysis_that_cannot_be_drawn_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let ran = run(&format!("analyze mirror --board 1x1 --plot '{}'", file.display()));
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("the result cannot be drawn: there is nothing to draw"),
        "{}",
        ran.err
    );
    assert_eq!(ran.out, out("analyze mirror --board 1x1 --format csv"));
    // The scale is linear if no value is above 0.
    let svg = plotted("analyze heuristics --board 2x2");
    assert!(!tips(&svg, "circle").is_empty() && svg.contains(">0%<"), "{svg}");
}

#[test]
fn maps_have_a_legend_of_their_colours() {
    let svg = out("plot results/boards.csv");
    for words in
        ["second player wins by up to 1", "first player wins by up to 2", "rows", "columns"]
    {
        assert!(svg.contains(&format!(">{words}<")), "{words}: {svg:.4000}");
    }
    let svg = out("plot results/rpsw-draws.csv");
    assert!(svg.contains("&lt;0.01%<") && svg.contains(">pieces of the player to move<"));
    let svg = out("plot results/rpsw-arrangements.csv");
    for words in ["first player wins", "draw", "second player wins"] {
        assert!(svg.contains(&format!(">{words}<")), "{words}");
    }
}

#[test]
fn no_text_of_a_picture_is_too_small() {
    for table in tables_with_charts() {
        let svg = out(&format!("plot results/{table}.csv"));
        for part in svg.split("font-size=\"").skip(1) {
            let size: u32 = part.split('"').next().unwrap().parse().unwrap();
            assert!(size >= 10, "{table}: {size}");
        }
    }
}

#[test]
fn a_table_is_recognised_by_its_columns() {
    let text = "score,playouts\n-1,20\n1,10\n";
    let csv = Csv::new("any.csv", text);
    assert_eq!(
        tips(&csv.svg(""), "rect"),
        ["−1, second player wins: 20", "1, first player wins: 10"]
    );
    let line = format!("plot - < '{}'", csv.path.display());
    let shell = std::process::Command::new("sh")
        .args(["-c", &format!("'{}' {line}", env!("CARGO_BIN_EXE_bsq"))])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(shell.stdout).unwrap(), csv.svg(""));
}

#[test]
fn words_are_words_whatever_is_in_them() {
    let text = "outcome,playouts\n<b>&amp;\"',1\n日本語\u{7},2\n";
    let svg = Csv::new("playouts.csv", text).svg("");
    assert!(svg.contains("&lt;b&gt;&amp;amp;"), "{svg}");
    assert!(svg.contains("日本語\u{fffd}"), "{svg}");
}

#[test]
fn the_same_bytes_every_time() {
    for name in ["states", "dots-boards"] {
        let line = format!("plot results/{name}.csv");
        assert_eq!(out(&line), out(&line));
    }
}

#[test]
fn dark_ground() {
    let svg = out("plot results/scores.csv --dark");
    assert!(!svg.contains("prefers-color-scheme") && svg.contains("fill=\"#14181e\""), "{svg}");
}

/// Width and height from the header of a PNG.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn a_png_has_its_size_and_is_not_blank() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let draw = |name: &str, flags: &str| {
        let line = format!("plot results/scores.csv --quiet -o '{}' {flags}", file(name).display());
        assert_eq!(out(&line), "");
        std::fs::read(file(name)).unwrap()
    };
    let svg = out("plot results/scores.csv");
    let [light, dark] = [draw("light.png", ""), draw("dark.png", "--dark")];
    let [width, height] = png_size(&light);
    assert!(svg.contains(&format!("viewBox=\"0 0 {} {}\"", width / 2, height / 2)), "{svg:.200}");
    assert_eq!(png_size(&dark), png_size(&light));
    assert_ne!(light, dark);
    // Pictures of a single colour, or without text, would be smaller.
    assert!(light.len() > 20_000, "{}", light.len());
    assert_eq!(draw("again.png", ""), light);
}

#[test]
fn tables_that_have_no_chart() {
    let csv = Csv::new("any.csv", "turn,moves\n1,1\n");
    csv.refused("", &["any.csv is not a table that has a chart", "scores", "dots-boards"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let line = format!("analyze list --plot '{}'", file.display());
    assert_eq!(run(&line).code, 0);
    for (line, says) in [
        ("analyze all --format json", "--plot draws one analysis"),
        ("dots analyze all --format json", "--plot draws one analysis"),
        ("dots analyze rules --board 9x9", "9x9"),
    ] {
        refused(&format!("{line} --plot '{}'", file.display()), &[says]);
    }
    refused("analyze scores --dark", &["--plot <FILE>"]);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn files_that_cannot_be_drawn() {
    for (text, says) in [
        (&b""[..], &["bad.csv is not a table that has a chart"][..]),
        (b"score,playouts\n", &["nothing to draw"]),
        (b"score,playouts\n1,2\n3\n", &["not a table", "line: 3", "1 fields"]),
        (b"score,playouts\n1,2\n3,four\n", &["line 3, column 'playouts': 'four' is not a number"]),
        (b"score,playouts\n1,\xff\n", &["not a table", "utf-8"]),
        (b"score,playouts\nall,1\n", &["line 2, column 'score': 'all' is not a number"]),
        (
            b"coordinate,value\nc2,1\n2c,1\n",
            &["line 3, column 'coordinate': '2c' is neither a cell"],
        ),
    ] {
        Csv::new("bad.csv", text).refused("", says);
    }
    let many: String = (0..401).map(|i| format!("{i},1\n")).collect();
    Csv::new("scores.csv", format!("score,playouts\n{many}")).refused("", &["401 bars", "400"]);
    let many: String = (0..5).map(|i| format!("r{i},1\n")).collect();
    Csv::new("playouts.csv", format!("outcome,playouts\n{many}")).refused("", &["5 series", "4"]);
    fails(1, "plot nowhere.csv", &["nowhere.csv"]);
    fails(1, "plot .", &["cannot read ."]);
}

#[test]
fn files_that_cannot_be_written() {
    let csv = Csv::new("scores.csv", "score,playouts\n1,2\n");
    let file = |name: &str| csv.folder.path().join(name).display().to_string();
    for (name, says) in [("a.pdf", ".pdf"), ("a", "no extension"), ("svg", "no extension")] {
        csv.refused(&format!("-o '{}'", file(name)), &[says, ".svg", ".png"]);
    }
    fails(1, &csv.line(&format!("-o '{}'", file("no/where.svg"))), &["cannot write"]);
    fails(
        1,
        &format!("analyze states --board 3x3 --plot '{}'", file("no/where.svg")),
        &["cannot write"],
    );
    // An existing file is not changed by a failed command.
    std::fs::write(csv.folder.path().join("old.svg"), "old").unwrap();
    refused(&format!("plot results/growth_by_turn.csv -o '{}'", file("old.svg")), &["no"]);
    assert_eq!(read(csv.folder.path(), "old.svg"), "old");
    assert_eq!(files(csv.folder.path()), ["old.svg", "scores.csv"]);
}

#[test]
fn a_manifest_that_is_none_is_left_alone() {
    for manifest in
        ["", "{", "[]", "{\"resources\": 3}", "{\"resources\": [{\"path\": \"other.csv\"}]}"]
    {
        let csv = Csv::new("scores.csv", "score,playouts\n0,2\n");
        std::fs::write(csv.folder.path().join("datapackage.json"), manifest).unwrap();
        assert_eq!(tips(&csv.svg(""), "rect"), ["0, tie: 2"], "{manifest}");
    }
}

#[test]
fn other_games_are_drawn_too() {
    let svg = plotted("dots analyze boards --lines 9");
    let boards = table("dots analyze boards --lines 9");
    assert_eq!(tips(&svg, "rect").len(), boards.len());
    let mut told = values(&tips(&svg, "rect"));
    let mut expected = column(&boards, "value");
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
}

#[test]
fn a_format_beside_a_picture_prints_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let line = "analyze scores --board 3x3 --format csv";
    let ran = run(&format!("{line} --plot '{}'", file.display()));
    assert_eq!((ran.code, ran.out), (0, out(line)));
    assert!(Path::exists(&file));
    let all = rows(&finish(bsq(line)).out);
    assert!(all.len() > 1);
}

/// Moves from cell to cell are arrows.
#[test]
fn openings_of_moves_from_cell_to_cell() {
    let moves = "move,outcome,plies,perfect\nb3b2,second,6,true\na3a2,second,4,false\n";
    let svg = Csv::new("openings.csv", moves).svg("");
    for place in ["b3b2", "a3a2"] {
        assert!(svg.contains(&format!("<title>{place}")), "{place}: {svg}");
    }
    Csv::new("openings.csv", "move,outcome\nb3b2c1,second\n").refused(
        "",
        &["is neither a cell such as c2, nor a line such as a1-b1, nor a move such as b3b2"],
    );
}
