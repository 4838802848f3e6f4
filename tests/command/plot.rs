//! Tests `bsq plot`, and `--plot` of analyses.

use super::errors::{fails, refused};
use super::{Row, analyses, bsq, files, finish, out, read, rows, run, table};
use std::path::{Path, PathBuf};

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

/// The tips of all elements of a kind.
fn tips(svg: &str, element: &str) -> Vec<String> {
    let begin = format!("<{element} ");
    let parts = svg.split(begin.as_str()).skip(1);
    let tip = |part: &str| {
        let inside = part.split_once('>')?.1;
        let tip = inside.trim_start().strip_prefix("<title>")?;
        Some(tip.split_once("</title>")?.0.to_string())
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

fn but_all(rows: Vec<Row>, name: &str) -> Vec<Row> {
    rows.into_iter().filter(|row| row[name] != "all").collect()
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
    let csv = Csv::new("small.csv", "who,points\nfirst,1200\nsecond,-300\nall,900\n");
    insta::assert_snapshot!("plot_small", csv.svg("--x who --y points"));
}

#[test]
fn scores_have_a_bar_for_each_row_with_its_number() {
    let svg = plotted("analyze scores --board 3x4");
    let scores = but_all(table("analyze scores --board 3x4"), "score");
    assert_eq!(values(&tips(&svg, "rect")), column(&scores, "playouts"));
    assert!(svg.contains(">Final scores<") && svg.contains(">3x4 standard<"), "{svg}");
    assert!(svg.contains("prefers-color-scheme:dark"));
}

#[test]
fn numbers_of_any_length_keep_their_digits() {
    let svg = plotted("analyze playouts --board 8x8");
    let playouts = but_all(table("analyze playouts --board 8x8"), "result");
    assert_eq!(values(&tips(&svg, "rect")), column(&playouts, "playouts"));
    assert!(column(&playouts, "playouts")[0].len() > 60);
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
                let told = ["rect", "circle", "polyline"].map(|shape| tips(&svg, shape).len());
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
    let tips = tips(&svg, "rect");
    assert_eq!(tips.len(), 9);
    for (row, tip) in openings.iter().zip(&tips) {
        let value = if row["value"].is_empty() { "no value" } else { &row["value"] };
        assert_eq!(plain(tip), format!("{}: {value}", row["coordinate"]));
    }
}

#[test]
fn blunders_are_what_is_not_perfect() {
    let svg = plotted("analyze blunders --board 3x4");
    let mut rows = but_all(table("analyze blunders --board 3x4"), "turn");
    let first = rows[0]["rules"].clone();
    rows.retain(|row| row["rules"] == first);
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

#[test]
fn every_table_of_the_results_that_has_a_chart_is_drawn() {
    let mut drawn = Vec::new();
    for (name, element, count) in [
        ("playouts", "rect", 3),
        ("states", "rect", 32),
        ("terminals", "rect", 3),
        ("scores", "rect", 22),
        ("openings", "rect", 25),
        ("boards", "rect", 104),
        ("blunders", "circle", 31),
        ("heuristics", "circle", 17),
        ("rpsw-iterations", "circle", 65),
        ("rpsw-distances", "circle", 4131),
        ("rpsw-arrangements-summary", "rect", 72),
        ("rpsw-draws", "rect", 106),
        ("rpsw-arrangements", "rect", 576),
        ("dots-boards", "rect", 76),
        ("dots-positions", "circle", 75),
        ("dots-rules", "rect", 9),
        ("dots-rules-by-line", "circle", 66),
        ("mirror_by_turn", "circle", 40),
        ("variants", "rect", 15),
        ("dots-openings", "polyline", 621),
    ] {
        drawn.push(name);
        let svg = out(&format!("plot results/{name}.csv"));
        assert_eq!(tips(&svg, element).len(), count, "{name}");
    }
    let mut with_chart: Vec<&str> = bsq_analyses::CHARTS.iter().map(|chart| chart.table).collect();
    with_chart.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(drawn, with_chart);
}

#[test]
fn columns_of_any_table() {
    let csv = Csv::new("any.csv", "x,y,z,c\n1,10,5,red\n2,20,,blue\n3,30,7,red\n");
    assert_eq!(tips(&csv.svg("--x x --y y"), "rect"), ["1: 10", "2: 20", "3: 30"]);
    let both = csv.svg("--x x --y y,z --kind lines");
    assert_eq!(tips(&both, "circle"), ["1, y: 10", "1, z: 5", "2, y: 20", "3, y: 30", "3, z: 7"]);
    let by = csv.svg("--x x --y y --by c --kind points --log");
    assert_eq!(tips(&by, "circle"), ["1, red: 10", "2, blue: 20", "3, red: 30"]);
    assert!(by.contains(">red<") && by.contains(">blue<"));
    let only = csv.svg("--x x --y y --only c=red --only x=3");
    assert_eq!(tips(&only, "rect"), ["3: 30"]);
    let map = csv.svg("--x x --y c --by y --kind map");
    assert_eq!(tips(&map, "rect"), ["c red, x 1: 10", "c blue, x 2: 20", "c red, x 3: 30"]);
}

#[test]
fn both_axes_say_their_units() {
    let svg = out("plot results/scores.csv --x playouts --y terminals --kind points");
    assert!(svg.contains(">playouts (trillions)<") && svg.contains(">terminals<"), "{svg}");
}

#[test]
fn totals_are_left_out_unless_they_are_asked_for() {
    let svg = out("plot results/scores.csv --x playouts --y terminals --kind points");
    assert_eq!(tips(&svg, "circle").len(), 22);
    let csv = Csv::new("any.csv", "turn,who,n\n1,a,1\n1,b,2\nall,a,3\nall,b,4\n");
    assert_eq!(tips(&csv.svg("--x who --y n"), "rect"), ["a: 1", "b: 2"]);
    assert_eq!(tips(&csv.svg("--x who --y n --only turn=all"), "rect"), ["a: 3", "b: 4"]);
}

#[test]
fn one_value_does_not_hide_another() {
    let csv = Csv::new("any.csv", "x,y,c\n\n1,10,red\n\n1,20,blue\n1,30,red\n");
    for kind in ["bars", "lines"] {
        csv.refused(
            &format!("--x x --y y --kind {kind}"),
            &["lines 3 and 5 are both about 1,", "--only COLUMN=VALUE", "--by COLUMN"],
        );
        let by = format!("--x x --y y --by c --kind {kind}");
        csv.refused(&by, &["lines 3 and 6 are both about 1, red"]);
    }
    assert_eq!(tips(&csv.svg("--x x --y y --by c --kind points"), "circle").len(), 3);
}

#[test]
fn rows_that_are_asked_for_replace_those_of_a_chart() {
    let usual = out("plot results/blunders.csv");
    assert!(usual.contains(">5x5 standard<"), "{usual}");
    let other = out("plot results/blunders.csv --only 'rules=5x5 bias 2'");
    assert!(other.contains(">5x5 bias 2<") && !other.contains("5x5 standard"), "{other}");
    let without = tips(&out("plot results/boards.csv"), "rect");
    assert_ne!(tips(&out("plot results/boards.csv --only center_allowed=true"), "rect"), without);
    let all = out("plot results/variants.csv");
    assert!(!all.contains("(5x5 standard)"), "{all}");
    assert!(out("plot results/heuristics.csv").contains("(5x5 standard)"));
}

#[test]
fn what_has_no_place_on_an_axis_of_ratios_is_counted() {
    let svg = out("plot results/heuristics.csv");
    assert!(svg.contains("1 value is left out: difficulty for a person is not above 0"), "{svg}");
    let csv = Csv::new("any.csv", "x,y\n1,0\n2,10\n3,1000\n");
    let svg = csv.svg("--x x --y y --log");
    assert!(svg.contains("1 value is left out: y is not above 0"), "{svg}");
    // The smallest value has a visible bar.
    let heights = svg.split("<rect ").skip(1).filter(|part| part.contains("<title>"));
    let height = |part: &str| -> f64 {
        part.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    assert!(heights.map(height).all(|height| height > 10.0), "{svg}");
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
fn a_map_without_room_for_numbers_has_their_colours() {
    let cells = (0..100).flat_map(|x| (0..20).map(move |y| format!("{x},{y},{}\n", x * y - 500)));
    let csv = Csv::new("map.csv", format!("x,y,v\n{}", cells.collect::<String>()));
    let svg = csv.svg("--kind map --x x --y y --by v");
    assert!(
        svg.contains(">−500<") && svg.contains(">1,381<") && svg.contains(">0<"),
        "{svg:.2000}"
    );
    assert!(svg.contains("v; from top to bottom: y"), "{svg:.2000}");
}

#[test]
fn standard_input_is_a_table_too() {
    let csv = Csv::new("any.csv", "x,y\n1,10\n");
    let line = format!("plot - --x x --y y < '{}'", csv.path.display());
    let shell = std::process::Command::new("sh")
        .args(["-c", &format!("'{}' {line}", env!("CARGO_BIN_EXE_bsq"))])
        .output()
        .unwrap();
    assert_eq!(tips(&String::from_utf8(shell.stdout).unwrap(), "rect"), ["1: 10"]);
}

#[test]
fn words_are_words_whatever_is_in_them() {
    let csv = Csv::new("odd.csv", "x,y\n<b>&amp;\"',1\n日本語\u{7},2\n");
    let svg = csv.svg("--x x --y y");
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

#[cfg(feature = "full")]
mod png {
    use super::*;

    /// Width and height from the header of a PNG.
    fn size(bytes: &[u8]) -> [u32; 2] {
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
    }

    #[test]
    fn a_png_has_its_size_and_is_not_blank() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let draw = |name: &str, flags: &str| {
            let line =
                format!("plot results/scores.csv --quiet --out '{}' {flags}", file(name).display());
            assert_eq!(out(&line), "");
            std::fs::read(file(name)).unwrap()
        };
        let svg = out("plot results/scores.csv");
        let [light, dark] = [draw("light.png", ""), draw("dark.png", "--dark")];
        let [width, height] = size(&light);
        assert!(
            svg.contains(&format!("viewBox=\"0 0 {} {}\"", width / 2, height / 2)),
            "{svg:.200}"
        );
        assert_eq!(size(&dark), size(&light));
        assert_ne!(light, dark);
        // Pictures of a single colour, or without text, would be smaller.
        assert!(light.len() > 20_000, "{}", light.len());
        assert_eq!(draw("again.png", ""), light);
    }
}

#[cfg(not(feature = "full"))]
#[test]
fn a_png_needs_a_full_build() {
    refused("plot results/scores.csv --out scores.png", &["no PNG", ".svg", "--features full"]);
}

#[test]
fn columns_that_there_are_not() {
    let csv = Csv::new("any.csv", "turn,states\n1,1\n");
    csv.refused(
        "--x trun --y states",
        &["no column 'trun' for --x", "did you mean 'turn'?", "turn, states"],
    );
    csv.refused("--x turn --y moves", &["no column 'moves' for --y", "there are turn, states"]);
    csv.refused("--x turn --y states --by turns", &["'turns' for --by", "did you mean 'turn'?"]);
    csv.refused("--x turn --y states --only a=b", &["'a' for --only"]);
    csv.refused("--x turn --y states --only turn", &["'turn' is no COLUMN=VALUE"]);
    csv.refused("--x turn", &["--y <COLUMNS>"]);
    csv.refused("--kind lines", &["--x <COLUMN>"]);
}

#[test]
fn tables_that_have_no_chart() {
    let csv = Csv::new("any.csv", "turn,states\n1,1\n");
    csv.refused(
        "",
        &[
            "no chart of a table 'any'",
            "--x COLUMN --y COLUMN",
            "turn, states",
            "scores",
            "dots-boards",
        ],
    );
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
    for (text, flags, says) in [
        (&b""[..], "--x a --y b", &["is empty", "first line"][..]),
        (b"\n\n", "--x a --y b", &["is empty"]),
        (b"a,b\n", "--x a --y b", &["no rows"]),
        (b"a,b\n1,2\n3\n", "--x a --y b", &["line 3", "1 values", "2 columns"]),
        (b"a,b\n1,2,3\n", "--x a --y b", &["line 2", "3 values", "2 columns"]),
        (b"a,a\n1,2\n", "--x a --y a", &["line 1", "two columns", "'a'"]),
        (b"a,b\n1,2\n3,four\n", "--x a --y b", &["line 3", "column 'b'", "'four' is no number"]),
        (b"a,b\n1,\xff\n", "--x a --y b", &["line 2", "UTF-8"]),
        (b"a,b\n1,0\n2,-1\n", "--x a --y b --log", &["above 0", "--log"]),
        (b"a,b\nall,1\n", "--x a --y b", &["nothing to draw", "'all'"]),
        (b"a,b\n1,1\n1,2\n", "--x a --y b --kind map", &["--by COLUMN"]),
        (b"a,b,c\n1,1,5\n1,1,6\n", "--x a --y b --by c --kind map", &["lines 2 and 3", "1, 1"]),
        (b"a,b,c\n1,1,5\n", "--x a --y b,c --by c --kind map", &["one column for --y"]),
    ] {
        Csv::new("bad.csv", text).refused(flags, says);
    }
    let many: String = (0..401).map(|i| format!("{i},1\n")).collect();
    let many = Csv::new("many.csv", format!("a,b\n{many}"));
    many.refused("--x a --y b", &["401 bars", "400 are the most", "--kind lines"]);
    many.refused("--x b --y a --by a", &["'a' makes 401 different colours", "at most 8"]);
    fails(1, "plot nowhere.csv --x a --y b", &["nowhere.csv"]);
    fails(1, "plot . --x a --y b", &["cannot read ."]);
}

#[test]
fn files_that_cannot_be_written() {
    let csv = Csv::new("a.csv", "a,b\n1,2\n");
    let file = |name: &str| csv.folder.path().join(name).display().to_string();
    for (name, says) in [("a.pdf", ".pdf"), ("a", "no ending"), ("svg", "no ending")] {
        csv.refused(&format!("--x a --y b --out '{}'", file(name)), &[says, ".svg", ".png"]);
    }
    fails(
        1,
        &csv.line(&format!("--x a --y b --out '{}'", file("no/where.svg"))),
        &["cannot write"],
    );
    fails(
        1,
        &format!("analyze states --board 3x3 --plot '{}'", file("no/where.svg")),
        &["cannot write"],
    );
    // An existing file is not changed by a failed command.
    std::fs::write(csv.folder.path().join("old.svg"), "old").unwrap();
    csv.refused(&format!("--x a --y c --out '{}'", file("old.svg")), &["'c'"]);
    assert_eq!(read(csv.folder.path(), "old.svg"), "old");
    assert_eq!(files(csv.folder.path()), ["a.csv", "old.svg"]);
}

#[test]
fn a_manifest_that_is_none_is_left_alone() {
    for manifest in
        ["", "{", "[]", "{\"resources\": 3}", "{\"resources\": [{\"path\": \"other.csv\"}]}"]
    {
        let csv = Csv::new("a.csv", "a,b\n1,2\n");
        std::fs::write(csv.folder.path().join("datapackage.json"), manifest).unwrap();
        assert_eq!(tips(&csv.svg("--x a --y b"), "rect"), ["1: 2"], "{manifest}");
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
