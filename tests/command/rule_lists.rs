//! Tests decision lists on the command line, in files, and found by a search.

use super::errors::{fails, refused};
use super::{bsq, finish, json, out, read, rows, run, table, words};
use bsq_games::british_square::heuristic::search;

fn totals(line: &str) -> [String; 3] {
    let total = &json(line)["tables"][0]["total"];
    ["decisions", "fails", "fails_badly"].map(|column| total[column].to_string())
}

/// Decisions with the same features differ in the number of liked free cells.
#[test]
fn a_list_that_likes_everything_costs_what_any_move_costs() {
    let all = "most own-moves, least own-moves, most own-moves";
    let cost = |list: &str| {
        let rows = table(&format!("test-heuristic '{list}' --board 4x4"));
        rows.iter().map(|row| row["cost_mean"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(cost(all), cost("any"));
}

/// Writes a file and runs the command with `FILE` in the line standing for it.
fn with_file(text: &str, line: &str) -> super::Ran {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    run(&line.replace("FILE", &format!("'{}'", file.path().display())))
}

#[test]
fn rules_can_be_typed() {
    let typed = totals("test-heuristic 'most claim' --board 3x4");
    assert_eq!(typed, totals("test-heuristic greedy --board 3x4"));
    let longer = "most claim, most free-difference, least opponent-best-claim";
    let [decisions, fails, _] = totals(&format!("test-heuristic '{longer}' --board 3x4"));
    assert_eq!(decisions, "964");
    assert!(fails.parse::<u32>().unwrap() < 110, "better than greedy");
    let rows = table(&format!("test-heuristic '{longer}' --board 3x4"));
    assert!(rows.iter().all(|row| row["rules"] == longer && row["heuristic"] == longer));
    totals("test-heuristic '3*claim + 2*safe-difference' --board 3x3");
    totals(
        "test-heuristic 'if contested = 0: most own-free, if turn > 2 and contested is odd: edge' --board 3x3",
    );
}

#[test]
fn conditions_are_those_of_queries() {
    let typed = "if contested = 0 or not own_free > opponent_free + 1/2: most claim";
    let rows = table(&format!("test-heuristic '{typed}' --board 3x4"));
    let rules = "if contested = 0: most claim, if 2*own-free - 2*opponent-free <= 1: most claim";
    assert_eq!(rows[0]["rules"], rules);
    let [typed, rules] = [typed, rules].map(|list| format!("test-heuristic '{list}' --board 3x4"));
    assert_eq!(totals(&typed), totals(&rules));
}

#[test]
fn rules_continue_lists_by_name() {
    let whole = totals("test-heuristic 'greedy, most own-free' --board 3x4");
    assert_eq!(whole, totals("test-heuristic 'most claim, most own-free' --board 3x4"));
}

#[test]
fn lists_are_read_from_files() {
    let file = "# mine\nshort = most claim\nlong = short,\n  most own-free # and more\n";
    let ran = with_file(file, "test-heuristic long --lists FILE --board 3x4 --format csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = rows(&ran.out);
    assert_eq!(found[0]["heuristic"], "long");
    assert_eq!(found[0]["rules"], "most claim, most own-free");
    let typed = table("test-heuristic 'most claim, most own-free' --board 3x4");
    assert_eq!(found.last().unwrap()["fails"], typed.last().unwrap()["fails"]);
    let listed = with_file(file, "test-heuristic list --lists FILE");
    assert!(listed.out.contains("long ") && listed.out.contains("greedy "), "{}", listed.out);
}

#[test]
fn errors_in_rules_point_at_the_word() {
    for (rules, says, marks) in [
        ("most claim, lest contested", "did you mean 'least'?", "              ^^^^"),
        ("most claim, contestd", "did you mean 'contested'?", "              ^^^^^^^^"),
        ("most turn", "'turn' is the same for every move", "       ^^^^"),
        ("if claim = 2: most own-free", "'claim' belongs to a move", "     ^^^^^"),
        ("if contested: most claim", "compare it, as in 'contested > 0'", "     ^^^^^^^^^"),
        ("if contested = 0 most claim", "expected 'and', 'or' or ':'", "                   ^^^^"),
        ("if turn = 1 or (edge = 0): any", "'edge' belongs to a move", "                  ^^^^"),
        ("if contested*turn > 2: any", "multiplies and divides by numbers", "     ^^^^^^^^^^^^^^"),
        ("if turn > 1001: most claim", "numbers go up to 1000", "     ^^^^^^^^^^^"),
        ("if 1 > 2: most claim", "this condition never holds", "     ^^^^^"),
        ("1.5*claim", "weights are whole", "  ^^^"),
        ("2 claim", "expected '*' and a feature", "    ^^^^^"),
        ("0*claim", "a weight of 0 does nothing", "  ^"),
        ("1001*claim", "numbers go up to 1000", "  ^^^^"),
        ("most claim most edge", "expected a comma", "             ^^^^"),
        ("any, most claim", "'any' likes every move and stands alone", ""),
        ("most claim!", "'!' has no meaning here", "            ^"),
        ("", "a list needs a rule", "  ^"),
    ] {
        let mut command = bsq("test-heuristic");
        command.args([rules, "--board", "3x3"]);
        let ran = finish(command);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{rules}");
        assert!(ran.err.contains(says), "{rules}\n{}", ran.err);
        let lines: Vec<&str> = ran.err.lines().collect();
        assert_eq!(lines[1], format!("  {rules}"));
        assert!(marks.is_empty() || lines[2] == marks, "{rules}\n{}", ran.err);
    }
    let long = vec!["contested"; 51].join(" + ");
    let ran = run(&format!("test-heuristic 'if {long} > 0: most claim'"));
    assert!(ran.code == 2 && ran.err.contains("at most 50"), "{}", ran.err);
    let many = vec!["most claim"; 51].join(", ");
    assert!(run(&format!("test-heuristic '{many}'")).err.contains("at most 50"));
}

#[test]
fn errors_in_files_name_the_line() {
    for (text, says) in [
        ("a = most claim\nb = most clam\n", "line 2: 'clam' is not a feature"),
        ("a = most claim,\n  least contestd\n", "line 2: 'contestd' is not a feature"),
        ("most claim\n", "line 1: an entry begins with a name"),
        ("  most claim\n", "line 1: an entry begins with a name"),
        ("greedy = most edge\n", "line 1: 'greedy' already means something"),
        ("claim = most edge\n", "line 1: 'claim' already means something"),
        ("a = edge\n\na = claim\n", "line 3: there is a list 'a' already"),
        ("a = \n", "line 1: a list needs a rule"),
    ] {
        let ran = with_file(text, "test-heuristic a --lists FILE --board 3x3");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{text}");
        assert!(ran.err.contains(says), "{text}\n{}", ran.err);
    }
    let ran = run("test-heuristic greedy --lists no-such-file");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("cannot read the lists in no-such-file"), "{}", ran.err);
}

#[test]
fn features_are_listed_with_a_sentence_each() {
    let listed = out("test-heuristic features");
    for feature in bsq_games::british_square::heuristic::features::all() {
        let line = listed.lines().find(|line| line.starts_with(&format!("{} ", feature.name)));
        assert!(line.is_some_and(|line| line.contains(feature.summary)), "{}", feature.name);
    }
}

#[test]
fn from_the_start_a_list_has_four_guarantees() {
    let rows = table("test-heuristic greedy --from-start --board 3x4");
    let cases: Vec<_> = rows.iter().map(|row| (&*row["player"], &*row["ties"])).collect();
    let wanted = [("first", "worst"), ("first", "best"), ("second", "worst"), ("second", "best")];
    assert_eq!(cases, wanted);
    for row in &rows {
        let number = |column: &str| row[column].parse::<i32>().unwrap();
        let lost = if row["player"] == "first" {
            number("value") - number("score")
        } else {
            number("score") - number("value")
        };
        assert!(lost >= 0);
        assert_eq!(row["keeps"], (lost == 0).to_string());
        assert_eq!(row["blunder_turn"] == "0", lost == 0);
    }
    assert!(run("test-heuristic greedy --from-start --failures x.csv").code == 2);
}

#[test]
fn a_search_reports_what_a_test_confirms() {
    for way in [
        "exhaustive --max-rules 2",
        "beam --width 8 --conditions contested,turn",
        "local --rounds 2 --steps 40",
    ] {
        let found = table(&format!("search-heuristic {way} --board 3x4"));
        assert!(found.len() > 1, "{way}");
        for row in &found {
            let tested = totals(&format!("test-heuristic '{}' --board 3x4", row["rules"]));
            let searched = ["decisions", "fails", "fails_badly"].map(|column| row[column].clone());
            assert_eq!(tested, searched, "{way}: {}", row["rules"]);
        }
        let difficulties: Vec<u32> =
            found.iter().map(|r| r["difficulty"].parse().unwrap()).collect();
        assert!(difficulties.is_sorted_by(|a, b| a < b), "{way}");
        let fails: Vec<u64> = found.iter().map(|r| r["fails"].parse().unwrap()).collect();
        assert!(fails.is_sorted_by(|a, b| a > b), "{way}");
    }
}

#[test]
fn a_search_is_the_same_for_any_number_of_threads_and_differs_by_seed() {
    let line = "search-heuristic local --rounds 2 --steps 60 --board 3x4 --format csv";
    let one = out(&format!("{line} --threads 1"));
    assert_eq!(one, out(&format!("{line} --threads 3")));
    assert_ne!(one, out(&format!("{line} --seed 2")));
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search");
    let line = |rounds: u32| {
        format!("search-heuristic local --rounds {rounds} --steps 40 --board 3x4 --format csv")
    };
    let kept = |rounds| format!("{} --checkpoint '{}'", line(rounds), file.display());
    out(&kept(1));
    let resumed = run(&kept(3));
    assert!(resumed.err.contains("continues the search after round 1"), "{}", resumed.err);
    assert_eq!(resumed.out, out(&line(3)));

    let other = run(&format!("{} --max-rules 2", kept(3)));
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert!(other.err.contains("another search"), "{}", other.err);
    // The checksums are right, but the content is not.
    let intact = read(folder.path(), "search");
    for (list, says) in [
        ("most edge", "'most edge' in it is not a list of this search"),
        ("most clam", "a list in it cannot be read"),
    ] {
        let foreign = intact.lines().nth(1).unwrap().replacen("\"any\"", &format!("\"{list}\""), 1);
        std::fs::write(&file, search::FORMAT.seal(&foreign)).unwrap();
        fails(1, &format!("{} --quiet", kept(3)), &[says, &file.display().to_string()]);
    }
    // A checkpoint of version 1 was JSON.
    std::fs::write(&file, "{\"version\": 1").unwrap();
    let says = ["is not a checkpoint of a search for heuristics", "remove this one to start again"];
    refused(&kept(3), &says);
    assert_eq!(read(folder.path(), "search"), "{\"version\": 1");
}

/// A signal arrives while a resumed search prepares.
#[cfg(target_os = "linux")]
#[test]
fn a_resumed_search_that_is_stopped_keeps_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.json");
    let line = |rounds: u32| {
        let file = file.display();
        format!(
            "search-heuristic local --rounds {rounds} --steps 1 --board 3x6 --checkpoint '{file}'"
        )
    };
    out(&line(1));
    let kept = read(folder.path(), "search.json");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(words(&line(1000))).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    super::streams::wait_until_it_listens(child.id());
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    let says = "continues the search after round 1\nerror: stopped before the end; the progress was saved; ";
    assert!(error.starts_with(says), "{error}");
    assert_eq!(read(folder.path(), "search.json"), kept);
}

#[test]
fn bad_searches_are_refused() {
    for (flags, says) in [
        ("--features clam", "did you mean 'claim'?"),
        ("--conditions contestd", "did you mean 'contested'?"),
        ("--conditions claim", "cannot stand in a condition"),
        ("--max-rules 0", "is not a number of at least 1"),
        ("--width 0", "is not a number of at least 1"),
        ("sideways", "invalid value 'sideways'"),
        ("--start 'most clam'", "did you mean 'claim'?"),
        ("--start greedy --features conflicts --board 3x3", "not a list of this search"),
        ("--features turn", "the same for every move"),
        ("--board 5x6", "takes boards of up to 25 cells"),
    ] {
        let ran = run(&format!("search-heuristic {flags}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags}");
        assert!(ran.err.contains(says), "{flags}\n{}", ran.err);
    }
}
