//! Tests positions, moves and rules as arguments.

use super::{bsq, finish, json, out, run, table};
use serde_json::{Value, json};

const MIDGAME: &str = "X.../..../...O X";

fn stdin(line: &str, typed: &str) -> String {
    let mut command = bsq(line);
    command.write_stdin(typed);
    let ran = finish(command);
    assert_eq!(ran.code, 0, "bsq {line} < {typed:?}\n{}", ran.err);
    ran.out
}

/// The position that the command parses from a text.
fn position(words: &str) -> String {
    json(&format!("solve --board 3x4 {words}"))["position"].as_str().unwrap().to_string()
}

#[test]
fn the_start_is_the_default_position() {
    assert_eq!(position(""), "..../..../.... X");
    assert_eq!(position("'..../..../.... X'"), "..../..../.... X");
    assert_eq!(position("'..../..../....'"), "..../..../.... X");
}

#[test]
fn a_position_may_be_written_in_many_ways() {
    for text in [
        "X.../..../...O X",
        "X... .... ...O X",
        "X...\n....\n...O\nX\n",
        "  X...\r\n  ....\r\n  ...O\r\nX\r\n",
        "x---/____/---o x",
        "X.../..../...O",
    ] {
        assert_eq!(position(&format!("'{text}'")), MIDGAME, "{text:?}");
    }
}

#[test]
fn a_dash_reads_positions_from_standard_input() {
    let header = "line,position,outcome,score,score_min,score_max,proved,plies,best,error\n";
    let typed = format!("\n{MIDGAME}\n  \nX... .... ...O\r\n");
    let known = format!("{MIDGAME},first,2,2,2,true,,7,\n");
    let expected = format!("{header}2,{known}4,{known}");
    assert_eq!(stdin("solve --board 3x4 -", &typed), expected);
    let moved = stdin("solve --board 3x4 - --moves 1 --format json", "..../..../....\n");
    let moved: Value = serde_json::from_str(&moved).unwrap();
    assert_eq!(moved["position"], json("solve --board 3x4 --moves 1")["position"]);
    assert_eq!(stdin("solve --board 3x4 -", ""), header);
}

#[test]
fn moves_are_tile_numbers_or_coordinates() {
    for moves in ["1 12", "a1 d3", "A1,D3", " 1 , d3 ", "1,12"] {
        assert_eq!(position(&format!("--moves '{moves}'")), MIDGAME, "{moves}");
    }
    assert_eq!(position("'X.../..../...O X' --moves 3"), "X.X./..../...O O");
    let five = json("solve --board 3x3 --moves '8'");
    assert_eq!(five["position"], json("solve --board 3x3 --moves 'b3'")["position"]);
}

#[test]
fn a_tile_is_counted_by_rows_and_c2_is_tile_8_on_five_by_five() {
    // A position near the end of the game, which is fast even without optimisation.
    let end = ".XXX./O...O/...../XX..O/..O.O X";
    let by_number = out(&format!("solve '{end}' --moves 8 --format json"));
    assert_eq!(by_number, out(&format!("solve '{end}' --moves c2 --format json")));
    let after: Value = serde_json::from_str(&by_number).unwrap();
    assert_eq!(after["position"], ".XXX./O.X.O/...../XX..O/..O.O O");
}

#[test]
fn a_printed_board_can_be_pasted_back() {
    assert_eq!(position("'X . X .\n. . . .\n. . . O O'"), "X.X./..../...O O");
    assert_eq!(position("'X . X .\n. . . .\n. . . O'"), "X.X./..../...O O");
    // On the smallest boards and those one cell wide, a word may be a row, a cell or a player.
    for (board, text, same) in [
        ("1x2", "X. O", "X. O"),
        ("1x2", "X . O", "X. O"),
        ("3x1", "X . . O", "X/./. O"),
        ("3x1", "X . .", "X/./. O"),
        ("1x1", ". X", ". X"),
    ] {
        let solved = json(&format!("solve --board {board} '{text}'"));
        assert_eq!(solved["position"], same, "{board} {text}");
    }
}

#[test]
fn a_position_may_begin_with_an_empty_cell_drawn_as_a_dash() {
    assert_eq!(position("'.---/-X--/---- O'"), "..../.X../.... O");
    assert_eq!(position("'----/-X--/---- O'"), "..../.X../.... O");
    let solved = out("solve --board 3x4 --format json -- '----/-X--/---- O'");
    assert_eq!(solved, out("solve --board 3x4 --format json '----/-X--/---- O'"));
}

#[test]
fn a_forced_pass_is_a_move() {
    assert_eq!(position("'O..X/.X../O.X. O' --moves pass"), "O..X/.X../O.X. X");
    let must_pass = json("solve --board 3x4 'O..X/.X../O.X. O'");
    assert_eq!(must_pass["is_over"], false);
    let pass = json!({
        "move": "pass", "places": [], "value": must_pass["value"], "to_come": null, "cost": 0,
        "class": "best", "facts": {},
    });
    assert_eq!(must_pass["moves"], json!([pass]));
    let over = json("solve --board 3x4 'XX.O/XX.O/XXX. O'");
    assert_eq!((&over["is_over"], &over["moves"]), (&json!(true), &json!([])));
    assert_eq!(over["value"]["score"], 5);
}

#[test]
fn the_value_is_that_of_the_best_move_for_whoever_moves() {
    for (words, sign) in [("", 1), ("--moves 1", -1), ("--moves '1 12'", 1)] {
        let solved = json(&format!("solve --board 3x4 {words}"));
        let score = |answer: &Value| answer["value"]["score"].as_i64().unwrap();
        let value = score(&solved);
        let moves = solved["moves"].as_array().unwrap();
        let best = moves.iter().map(|mv| sign * score(mv)).max();
        assert_eq!(best, Some(sign * value), "{words}");
        for mv in moves {
            let cost = sign * (value - score(mv));
            assert_eq!(mv["cost"], cost, "{words} {mv}");
            assert_eq!(mv["class"] == "best", cost == 0, "{words} {mv}");
            let changes = solved["value"]["outcome"] != mv["value"]["outcome"];
            assert_eq!(mv["class"] == "changes-outcome", changes, "{words} {mv}");
            let after = json(&format!("solve --board 3x4 {}", with_move(words, &mv["move"])));
            assert_eq!(after["value"], mv["value"], "{words} {mv}");
        }
        let tile = |mv: &Value| mv["move"].as_str().unwrap().parse::<u32>().unwrap();
        assert!(moves.is_sorted_by_key(|mv| (mv["cost"].as_i64(), tile(mv))));
    }
}

/// The arguments with another move.
fn with_move(words: &str, mv: &Value) -> String {
    let played = words.trim_start_matches("--moves").replace('\'', "");
    format!("--moves '{played} {}'", mv.as_str().unwrap())
}

#[test]
fn csv_and_json_of_a_solution_agree() {
    let line = format!("solve --board 3x4 '{MIDGAME}' --values");
    let moves = json(&line)["moves"].as_array().unwrap().clone();
    let rows = table(&line);
    assert_eq!(rows.len(), moves.len());
    for (row, mv) in rows.iter().zip(&moves) {
        for column in ["move", "cost"] {
            assert_eq!(row[column], plain(&mv[column]), "{column}");
        }
        for column in ["outcome", "score"] {
            assert_eq!(row[column], plain(&mv["value"][column]), "{column}");
        }
        assert_eq!(row["best"] == "true", mv["class"] == "best");
    }
}

/// A JSON value as CSV writes it.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn csv_and_json_of_every_analysis_agree_in_columns_and_values() {
    for analysis in super::analyses() {
        let line = format!("analyze {analysis} --board 3x4");
        let answer = json(&line);
        assert_eq!(answer["command"], line);
        let listed = answer["tables"][0]["rows"].as_array().unwrap();
        let rows = table(&line);
        assert!(!rows.is_empty(), "{analysis}");
        assert_eq!(rows.len(), listed.len(), "{analysis}");
        for (row, object) in rows.iter().zip(listed) {
            assert_eq!(row.len(), object.as_object().unwrap().len(), "{analysis}");
            for (column, value) in row {
                assert_eq!(*value, plain(&object[column]), "{analysis} {column}");
            }
        }
    }
}

#[test]
fn all_analyses_as_json_are_a_list_of_each() {
    let long = super::long_analyses();
    let each = super::analyses().into_iter().filter(|analysis| !long.contains(analysis));
    let each: Vec<Value> =
        each.map(|analysis| json(&format!("analyze {analysis} --board 3x3"))).collect();
    assert_eq!(json("analyze all --board 3x3"), Value::Array(each));
}

#[test]
fn every_analysis_answers_in_every_format_under_other_rules() {
    for analysis in super::analyses() {
        // The analysis `boards` does not support a limit on pieces.
        let limit = if analysis == "boards" { "" } else { " --pieces 1" };
        let biased = format!("--board 2x3 --bias -2{limit}");
        for rules in ["--board 1x1 --center-allowed", &biased] {
            for format in ["table", "csv", "json"] {
                let text = out(&format!("analyze {analysis} {rules} --format {format}"));
                assert!(text.ends_with('\n') && text.len() > 20, "{analysis} {rules}: {text}");
            }
        }
    }
}

#[test]
fn a_board_is_rows_by_columns() {
    let tall = json("analyze openings --board 4x3");
    assert_eq!(tall["rules"]["board"], "4x3");
    let rows = tall["tables"][0]["rows"].as_array().unwrap();
    assert_eq!(rows[3]["coordinate"], "a2");
    assert_eq!(rows[11]["coordinate"], "c4");
    assert_eq!(playouts("--board 4x3"), playouts("--board 3x4"));
}

#[test]
fn playouts_of_three_by_four_are_those_of_a_plain_enumeration() {
    // Computed by a separate program that enumerates all playouts.
    assert_eq!(playouts("--board 3x4"), ["43248", "15696", "8784", "67728"]);
}

/// The playouts that the first player wins, that the second wins, that tie, and all.
fn playouts(flags: &str) -> [String; 4] {
    let [row] = &table(&format!("analyze playouts {flags}"))[..] else { panic!("one row") };
    let columns = ["playouts_first", "playouts_second", "playouts_tie", "playouts"];
    columns.map(|column| row[column].clone())
}

#[test]
fn the_centre_is_an_opening_only_where_it_is_allowed() {
    let centre = |flags: &str| {
        let rows = table(&format!("analyze openings --board 3x3 {flags}"));
        rows.into_iter().find(|row| row["coordinate"] == "b2").map(|row| row["value"].clone())
    };
    assert_eq!(centre(""), None);
    assert_ne!(centre("--center-allowed"), None);
    assert_eq!(centre("--centre-allowed"), centre("--center-allowed"));
    assert_eq!(json("solve --board 3x3 --center-allowed --moves 5")["position"], ".../.X./... O");
}

#[test]
fn a_bias_is_taken_from_every_score() {
    let start = json("solve --board 3x4");
    for bias in [-64, -1, 2, 64] {
        let biased = json(&format!("solve --board 3x4 --bias {bias}"));
        assert_eq!(biased["rules"]["bias"], bias.to_string());
        let shifted = |value: &Value| value["score"].as_i64().unwrap() - bias;
        assert_eq!(biased["value"]["score"], shifted(&start["value"]));
        let pairs = start["moves"].as_array().unwrap().iter();
        for (plain, biased) in pairs.zip(biased["moves"].as_array().unwrap()) {
            assert_eq!(biased["move"], plain["move"]);
            assert_eq!(biased["value"]["score"], shifted(&plain["value"]));
            assert_eq!(biased["cost"], plain["cost"]);
        }
    }
    let won = |bias: i32| {
        let [_, second, ..] = playouts(&format!("--board 3x4 --bias {bias}"));
        second
    };
    assert_eq!((won(-64).as_str(), won(64).as_str()), ("0", "67728"));
}

#[test]
fn who_has_placed_every_piece_passes() {
    // The ordered pairs of tiles that are not adjacent: 12 * 11 - 2 * 17.
    assert_eq!(playouts("--board 3x4 --pieces 1"), ["0", "0", "98", "98"]);
    let many = |pieces: &str| out(&format!("analyze states --board 3x4 {pieces} --format csv"));
    assert_eq!(many("--pieces 12"), many(""));
    let stuck = json("solve --board 3x4 --pieces 1 'X.../..../...O X'");
    assert_eq!(stuck["is_over"], true);
}

/// All methods give the same bytes.
#[test]
fn every_method_shows_the_same_counts() {
    for flags in ["--board 3x4", "--board 3x3 --center-allowed", "--board 1x7 --bias 1"] {
        for format in ["table", "csv", "json"] {
            let line = format!("analyze playouts {flags} --format {format}");
            let shown = out(&line);
            for method in ["closed-form", "explorer", "territory"] {
                assert_eq!(out(&format!("{line} --method {method}")), shown, "{flags} by {method}");
            }
        }
    }
    let limited = "analyze playouts --board 3x4 --pieces 3 --format csv";
    assert_eq!(out(&format!("{limited} --method explorer")), out(limited));
    for analysis in ["states", "terminals", "scores"] {
        for flags in ["--board 3x4", "--board 3x3", "--board 3x3 --center-allowed"] {
            let line = format!("analyze {analysis} {flags} --format json");
            for method in ["sets", "transfer-matrix", "explorer"] {
                assert_eq!(
                    out(&format!("{line} --method {method}")),
                    out(&line),
                    "{line} {method}"
                );
            }
        }
        let limited = format!("analyze {analysis} --board 3x3 --pieces 2");
        for method in ["sets", "explorer"] {
            assert_eq!(out(&format!("{limited} --method {method}")), out(&limited), "{analysis}");
        }
    }
}

#[test]
fn a_depth_first_search_reports_the_states() {
    for line in ["solve --board 3x4", "solve --board 3x4 --moves 6 --values"] {
        let visited = run(&format!("{line} --method depth-first"));
        assert!(visited.err.contains(" states by depth-first search"), "{}", visited.err);
        assert_eq!(visited.out, out(&format!("{line} --method territory")));
    }
    let all = run("solve --board 3x4 --method depth-first");
    assert_eq!(all.err, "visited 1,167 states by depth-first search\n");
}

#[test]
fn every_method_shows_the_same_decisions() {
    for decisions in ["analyze blunders", "analyze heuristics", "test-heuristic greedy"] {
        for rules in ["--board 3x4", "--board 3x3 --center-allowed"] {
            let line = format!("{decisions} {rules} --format csv");
            assert_eq!(out(&format!("{line} --method depth-first")), out(&line));
        }
    }
}

/// The depth-first search, and no other method, reports its table.
#[test]
fn decisions_are_visited_by_the_method() {
    for decisions in ["analyze blunders", "test-heuristic greedy"] {
        for (method, has_table) in [("", false), ("--method depth-first", true)] {
            let ran = run(&format!("-v {decisions} --board 3x3 {method}"));
            assert_eq!(
                ran.err.contains(" positions visited in "),
                has_table,
                "{decisions} {method}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn playouts_of_boards_too_large_for_states() {
    assert_eq!(playouts("--board 6x5")[3], "703428496687997798400");
    assert_eq!(playouts("--board 64x1"), playouts("--board 1x64"));
}
