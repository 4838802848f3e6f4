//! Tests the output for people against snapshots.

use super::{bsq, finish, out, run};

/// Compares standard output with the snapshot of that name, which begins with the command.
fn shows(name: &str, line: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_description(format!("bsq {line}"));
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, out(line)));
}

#[test]
fn help_of_the_command() {
    shows("help", "--help");
    assert_eq!(out("help"), out("--help"));
    assert_eq!(out("-h"), out("--help"));
}

#[test]
fn help_of_every_subcommand() {
    let help = out("--help");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.map(|line| line.split_whitespace().next().unwrap());
    for name in names.filter(|name| *name != "help") {
        shows(&format!("help_{}", name.replace('-', "_")), &format!("{name} --help"));
        shows(&format!("help_{}_short", name.replace('-', "_")), &format!("{name} -h"));
    }
}

/// The help of a command and of all its subcommands, with the words that ask for it.
fn all_helps(words: &str) -> Vec<(String, String)> {
    let mut command = bsq(&format!("{words} --help"));
    command.env("COLUMNS", "80");
    let help = finish(command).out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with(' '));
    // The lines after the first of an entry have a wider margin.
    let names = listed.filter_map(|line| {
        let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        line.split_whitespace().next().filter(|name| *name != "help")
    });
    let below = names.flat_map(|name| all_helps(&format!("{words} {name}")));
    let below: Vec<_> = below.collect();
    [vec![(words.to_string(), help)], below].concat()
}

/// On a terminal of 80 columns no line of any help is longer, and no example is broken.
#[test]
fn every_help_fits_eighty_columns() {
    let helps = all_helps("");
    assert!(helps.len() > 30, "{}", helps.len());
    for (words, help) in helps {
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "bsq {words} --help: {line}");
        }
        let examples = help.lines().skip_while(|line| !line.starts_with("Examples")).skip(1);
        for line in examples.take_while(|line| !line.is_empty()) {
            let is_command = ["  bsq ", "  echo ", "  printf "].map(|it| line.starts_with(it));
            assert!(is_command.contains(&true), "bsq {words} --help: {line}");
        }
    }
}

#[test]
fn without_a_subcommand_the_help_is_an_error() {
    let ran = run("");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(ran.err, out("--help"));
}

#[test]
fn lists() {
    shows("list_of_analyses", "analyze list");
    shows("list_of_heuristics", "test-heuristic list");
}

#[test]
fn tables_of_every_analysis() {
    for analysis in super::analyses() {
        shows(
            &format!("table_{analysis}"),
            &format!("analyze {analysis} --board 3x4 --format table"),
        );
    }
}

#[test]
fn tables_where_nothing_or_much_is_to_show() {
    shows("table_mirror_3x3", "analyze mirror --board 3x3 --format table");
    shows("table_mirror_square", "analyze mirror --board 4x4 --format table");
    shows("table_openings_centre", "analyze openings --board 3x3 --format table");
    shows("table_openings_bias", "analyze openings --board 3x4 --bias 2 --format table");
    shows("table_no_opening_ties", "analyze mirror --board 2x3 --format table");
    shows(
        "table_variants_of_flags",
        "analyze variants --board 3x3 --center-allowed --pieces 2 --format table",
    );
}

#[test]
fn all_analyses_on_one_screen_are_each_of_them_in_turn() {
    let long = super::long_analyses();
    let screen = |analysis: &String| out(&format!("analyze {analysis} --board 3x3 --format table"));
    let short = super::analyses().into_iter().filter(|analysis| !long.contains(analysis));
    let each: Vec<String> = short.map(|analysis| screen(&analysis)).collect();
    assert_eq!(out("analyze all --board 3x3 --format table"), each.join("\n"));
}

#[test]
fn heuristic_against_perfect_play() {
    shows("table_greedy", "test-heuristic greedy --board 3x4 --format table");
    shows("table_dots_greedy", "dots test-heuristic greedy --board 2x2 --format table");
}

#[test]
fn solutions() {
    for (name, line) in [
        ("start", "solve --board 3x4"),
        ("midgame", "solve --board 3x4 'X.../..../...O X' --pv"),
        ("must_pass", "solve --board 3x4 'O..X/.X../O.X. O'"),
        ("game_over", "solve --board 3x4 'XX.O/XX.O/XXX. O'"),
        ("variant", "solve --board 3x3 --center-allowed --bias 2 --pieces 3"),
    ] {
        shows(&format!("solve_{name}_table"), &format!("{line} --format table"));
        shows(&format!("solve_{name}_csv"), &format!("{line} --values --format csv"));
    }
    shows("solve_midgame_json", "solve --board 3x4 'X.../..../...O X' --format json");
    shows("solve_midgame_value", "solve --board 3x4 'X.../..../...O X' --pv --format csv");
}

#[test]
fn one_table_in_each_format() {
    shows("playouts_csv", "analyze playouts --board 3x4 --format csv");
    shows("playouts_json", "analyze playouts --board 3x4 --format json");
    shows("openings_csv", "analyze openings --board 3x3 --format csv");
    shows("openings_json", "analyze openings --board 3x3 --format json");
}

#[test]
fn tables_have_no_blank_ends_and_fit_eighty_columns() {
    for analysis in super::analyses() {
        for line in out(&format!("analyze {analysis} --board 4x4 --format table")).lines() {
            assert_eq!(line, line.trim_end(), "{analysis}");
            assert!(line.chars().count() <= 80, "{analysis}: {line}");
        }
    }
}
