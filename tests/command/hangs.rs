//! Nothing hangs: on boards of every size, every game answers, or says why not, within the time that it
//! is given.

use super::{bsq, finish};
use bsq_api::{OptionKind, Registry};
use bsq_engine::random::Random;
use std::time::{Duration, Instant};

/// The time for an answer beyond that of a search, with a margin for a loaded machine.
const SOON: Duration = Duration::from_secs(4);
/// The longest side of a board.
const LONGEST: usize = 70;

/// The sizes of the smallest and of the largest boards, and of others chosen at random.
fn boards(count: usize) -> Vec<String> {
    let mut random = Random::of(49, "boards");
    let mut boards: Vec<String> =
        ["1x1", "8x8", "1x64", "64x1", "0x3", "70x70"].map(str::to_string).to_vec();
    while boards.len() < count + 6 {
        let rows = 1 + random.below(8);
        let longest = if random.below(9) == 0 { LONGEST } else { 64 / rows };
        let cols = 1 + random.below(longest);
        boards.push(format!("{rows}x{cols}"));
    }
    boards
}

/// Rules other than the board, chosen at random.
fn rules(game: &dyn bsq_api::Game, random: &mut Random) -> String {
    let mut flags = String::new();
    for option in game.options() {
        if random.below(3) > 0 {
            continue;
        }
        let flag = option.flag();
        flags += &match &option.kind {
            OptionKind::Truth => format!(" --{flag}"),
            OptionKind::Integer { least, most } => {
                let most = (*most).min(least + 9);
                format!(" --{flag}={}", least + random.below((most - least + 1) as usize) as i64)
            }
            OptionKind::Choice { values } => {
                format!(" --{flag} {}", values[random.below(values.len())])
            }
            _ => String::new(),
        };
    }
    flags
}

/// Runs every verb that values positions, with a second for a search.
fn answer_all(count: usize) {
    let registry = Registry::standard();
    for game in registry.games() {
        let mut random = Random::of(50, &game.info().name);
        for board in boards(count) {
            let subject = format!("--board {board}{}", rules(game, &mut random));
            let name = &game.info().name;
            for (verb, typed) in [
                ("solve --time 500ms", ""),
                ("solve --values --pv --time 500ms", ""),
                ("play --plain --second perfect --time 500ms", "hint\nmoves\nline\nquit\n"),
                ("play --plain --first perfect --time 500ms", "quit\n"),
            ] {
                let line = format!("{name} {verb} {subject} --memory 512MiB");
                let (verb, began) = (&line, Instant::now());
                let mut command = bsq(verb);
                command.write_stdin(typed).timeout(Duration::from_secs(60));
                let ran = finish(command);
                // A conversation values up to five positions.
                let searches = if typed.is_empty() { 1 } else { 5 };
                let most = SOON + searches * Duration::from_millis(500);
                assert!(began.elapsed() < most, "{line}: {:?}", began.elapsed());
                assert!([0, 1, 2].contains(&ran.code), "{line}: {}", ran.err);
                assert_eq!(ran.code != 0, ran.err.contains("error: "), "{line}: {}", ran.err);
            }
        }
    }
}

#[test]
fn every_game_answers_in_time_on_some_boards() {
    answer_all(3);
}

#[test]
#[ignore = "takes ten minutes: cargo test --release --features full --test command hangs -- --ignored"]
fn every_game_answers_in_time_on_fifty_boards() {
    answer_all(50);
}

/// Runs all analyses for a moment. Each ends, refuses the board, or has printed how far it is.
#[cfg(target_os = "linux")]
fn analyze_all(boards: &[String]) {
    use super::inputs::{ended, signal, start};
    use std::thread::sleep;
    let registry = Registry::standard();
    let mut silent = Vec::new();
    for game in registry.games() {
        for analysis in game.analyses() {
            for board in boards {
                let (name, analysis) = (&game.info().name, analysis.name());
                let line = format!("{name} analyze {analysis} --board {board} --memory 512MiB");
                let (mut child, began) = (start(&line), Instant::now());
                while child.try_wait().unwrap().is_none() && began.elapsed() < SOON {
                    sleep(Duration::from_millis(5));
                }
                if child.try_wait().unwrap().is_some() {
                    continue;
                }
                signal(&child, "-INT");
                let output = ended(child, &line);
                let error = String::from_utf8(output.stderr).unwrap();
                // It may have ended just before the signal.
                let is_stopped = output.status.code() == Some(130);
                if is_stopped && error.lines().count() < 2 {
                    silent.push(format!("{line}: {error:?}"));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[cfg(target_os = "linux")]
#[test]
fn every_analysis_of_the_largest_board_answers_or_reports() {
    analyze_all(&["8x8".to_string()]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes 25 minutes: cargo test --release --features full --test command hangs -- --ignored"]
fn every_analysis_of_fifty_boards_answers_or_reports() {
    analyze_all(&boards(50));
}
