//! Tests all parsers of what is read from outside: the properties of the fuzz targets, which are in
//! `tests/properties`, hold for all seeds in `fuzz/seeds` and for random texts.

mod replay;

use bsq_engine::game::{Game, Notation};
use bsq_engine::storage::checkpoint;
use bsq_games::british_square::{Board, GameRecord, Move, Position, Rules};
use bsq_games::{dots, rpsw};
use bsq_properties::files::search_solver;
use bsq_properties::games::{
    board_comes_back, dots_file_comes_back, dots_position_comes_back, move_comes_back,
    penalty_comes_back, position_comes_back, record_comes_back, rules_come_back,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::io::Cursor;

const BOARDS: [(usize, usize); 9] =
    [(5, 5), (3, 3), (3, 4), (4, 4), (1, 1), (1, 5), (5, 1), (1, 64), (8, 8)];

/// Words of conditions, some of them columns of some games.
const CONDITION_WORDS: [&str; 30] = [
    "ply",
    "plies",
    "score",
    "to_come",
    "player",
    "outcome",
    "best_moves",
    "legal_moves",
    "terminal",
    "orbit_size",
    "own_free",
    "loony",
    "first",
    "draw",
    "true",
    "false",
    "and",
    "or",
    "not",
    "is odd",
    "(",
    ")",
    "=",
    "!=",
    "<",
    ">=",
    "+",
    "/",
    "2",
    "0.5",
];

const WORDS: [&str; 30] = [
    "most",
    "least",
    "claim",
    "contested",
    "own-free",
    "turn",
    "greedy",
    "any",
    "if",
    "and",
    "is",
    "odd",
    "even",
    ":",
    ",",
    "\n",
    "\n ",
    "#",
    "=",
    "<=",
    "!=",
    ">",
    "+",
    "-",
    "*",
    "3",
    "1000",
    "1001",
    "mine",
    "clam",
];

/// Rules on one of a few boards.
fn rules() -> impl Strategy<Value = Rules> {
    let pieces = prop_oneof![3 => Just(None), 1 => (1u32..7).prop_map(Some)];
    (select(&BOARDS[..]), any::<bool>(), pieces).prop_map(
        |((rows, cols), center_allowed, pieces)| Rules {
            center_allowed,
            pieces,
            ..Rules::standard(rows, cols).unwrap()
        },
    )
}

/// The rules of records that do not name any.
fn usual() -> Rules {
    Rules::standard(5, 5).unwrap()
}

/// A position after random moves, one for each choice, or at the end of the game.
fn played(rules: &Rules, choices: &[Index]) -> Position {
    choices.iter().fold(rules.start(), |position, choice| match rules.moves(&position)[..] {
        [] => position,
        ref moves => rules.play(&position, *choice.get(moves)),
    })
}

/// A change of one character of a text: a replacement, an insertion or a deletion.
#[derive(Clone, Debug)]
enum Change {
    Put(Index, char),
    Insert(Index, char),
    Remove(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let common = select(vec!['X', 'O', '.', '-', '_', 'x', 'o', '/', ' ', '\n', '\r', '\t', '?']);
    let letter = || prop_oneof![9 => common.clone(), 1 => any::<char>()];
    prop_oneof![
        (any::<Index>(), letter()).prop_map(|(at, letter)| Change::Put(at, letter)),
        (any::<Index>(), letter()).prop_map(|(at, letter)| Change::Insert(at, letter)),
        any::<Index>().prop_map(Change::Remove),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for change in changes {
        match change {
            Change::Insert(at, letter) => {
                letters.insert(at.index(letters.len() + 1), *letter);
            }
            Change::Put(at, letter) if !letters.is_empty() => {
                let at = at.index(letters.len());
                letters[at] = *letter;
            }
            Change::Remove(at) if !letters.is_empty() => {
                letters.remove(at.index(letters.len()));
            }
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// Parts of game records.
const PARTS: [&str; 22] = [
    "game: British Square",
    "board: 5x5",
    "board: 3x4",
    "board: 9x9",
    "center allowed: yes",
    "center allowed:",
    "bias: 2",
    "bias: -65",
    "pieces: 3",
    "pieces: 0",
    "start: .../.../... X",
    "start: ..../..X./.... O",
    "moves: 7 9",
    "moves:",
    " 19 pass",
    " c2,d4",
    "1",
    ":",
    "#",
    "\n",
    "\n",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_as_a_game(text in any::<String>(), parts in vec(select(PARTS.to_vec()), 0..12)) {
        record_comes_back(&usual(), &text);
        record_comes_back(&usual(), &parts.concat());
        record_comes_back(&usual(), &parts.join("\n"));
    }

    #[test]
    fn games_come_back(rules in rules(), bias in -64..=64, start in vec(any::<Index>(), 0..9), choices in vec(any::<Index>(), 0..40), at in any::<Index>()) {
        let rules = Rules { bias, ..rules };
        let start = played(&rules, &start);
        let mut line = GameRecord::from(rules.clone(), start);
        for choice in choices {
            let moves = rules.moves(line.position());
            let Some(&mv) = moves.get(choice.index(moves.len().max(1))) else { break };
            line.play(mv).unwrap();
        }
        let last = *line.position();
        prop_assert_eq!(GameRecord::parse(&line.to_string(), &usual()), Ok(line.clone()), "{}", line);
        // Goes back, and continues with another move or the same one.
        line.go_to(at.index(line.moves().len() + 1));
        let (here, length) = (line.at(), line.moves().len());
        let moves = rules.moves(line.position());
        if let Some(&mv) = moves.get(at.index(moves.len().max(1))) {
            let known = line.moves().get(here) == Some(&mv);
            line.play(mv).unwrap();
            prop_assert_eq!(line.moves().len(), if known { length } else { here + 1 });
            prop_assert_eq!(line.positions()[here + 1], rules.play(&line.positions()[here], mv));
        }
        line.go_to(usize::MAX);
        prop_assert!(line.position() == &last || line.moves().len() == here + 1);
    }

    #[test]
    fn any_text_as_rules(text in any::<String>()) {
        rules_come_back(&text);
    }

    #[test]
    fn words_of_the_language_as_rules(words in vec(select(WORDS.to_vec()), 0..16)) {
        rules_come_back(&words.join(" "));
        rules_come_back(&words.concat());
    }

    #[test]
    fn words_of_the_language_as_conditions(game in 0..4u8, words in vec(select(CONDITION_WORDS.to_vec()), 0..12)) {
        for text in [words.join(" "), words.concat()] {
            bsq_properties::program::condition(&[&[game], text.as_bytes(), b"\nply"].concat());
        }
    }

    #[test]
    fn any_text_as_a_position(rules in rules(), text in any::<String>()) {
        position_comes_back(&rules, &text);
    }

    #[test]
    fn text_of_cells_and_breaks_as_a_position(rules in rules(), text in "[XOxo.\\-_/ \n]{0,80}") {
        position_comes_back(&rules, &text);
    }

    #[test]
    fn rows_of_the_right_size_as_a_position(rules in rules(), cells in vec("[XO.]", 64), mover in "|X|O") {
        let cols = rules.board.cols();
        let rows: Vec<String> = cells[..rules.board.cells()].chunks(cols).map(|row| row.concat()).collect();
        position_comes_back(&rules, &format!("{} {mover}", rows.join("/")));
    }

    #[test]
    fn positions_of_games_come_back(rules in rules(), choices in vec(any::<Index>(), 0..30)) {
        let position = played(&rules, &choices);
        let written = rules.format_position(&position);
        prop_assert_eq!(rules.parse_position(&written), Ok(position), "{}", written);
        let lines = written.replace('/', "\r\n").to_lowercase().replace('.', "-");
        prop_assert_eq!(rules.parse_position(&lines), Ok(position), "{}", lines);
    }

    #[test]
    fn positions_of_games_with_slips_of_the_pen(
        rules in rules(),
        choices in vec(any::<Index>(), 0..30),
        changes in vec(change(), 1..4),
    ) {
        let written = rules.format_position(&played(&rules, &choices));
        position_comes_back(&rules, &changed(&written, &changes));
    }

    #[test]
    fn any_text_as_a_move(rules in rules(), text in any::<String>()) {
        move_comes_back(&rules, &rules.start(), &text);
    }

    #[test]
    fn almost_tiles_as_moves(
        rules in rules(),
        choices in vec(any::<Index>(), 0..30),
        text in "pass|PASS| ?[0-9]{1,3} ?| ?[a-zA-Z]{1,3}[0-9]{1,2}|[0-9]{1,2} ?\\([a-h][1-9]\\)?",
    ) {
        move_comes_back(&rules, &played(&rules, &choices), &text);
    }

    #[test]
    fn every_move_of_a_position_comes_back(rules in rules(), choices in vec(any::<Index>(), 0..30)) {
        let position = played(&rules, &choices);
        let tiles = (0..rules.board.cells()).map(Move::Place);
        for mv in tiles.chain([Move::Pass]) {
            move_comes_back(&rules, &position, &rules.format_move(mv));
        }
    }

    #[test]
    fn any_text_as_a_board(text in any::<String>()) {
        board_comes_back(&text);
    }

    #[test]
    fn almost_boards(text in " ?[-+]?[0-9]{0,21} ?[xX*]{0,2} ?[-+]?[0-9]{0,21} ?") {
        board_comes_back(&text);
    }

    #[test]
    fn every_board_of_sensible_sides_comes_back(rows in 0usize..70, cols in 0usize..70) {
        let parsed = Board::parse(&format!("{rows}x{cols}"));
        prop_assert_eq!(parsed.is_ok(), (1..=64).contains(&(rows * cols)));
        board_comes_back(&format!(" {rows} X {cols} "));
    }
}

proptest! {
    /// An arbitrary checkpoint is rejected with a message or loaded completely.
    #[test]
    fn checkpoints_of_any_bytes_are_refused(
        head in select(vec![
            String::new(),
            "bsq search checkpoint 1\n4x5\n".to_string(),
            "bsq search checkpoint, version 2, crc32 00000000\n".to_string(),
            checkpoint::FORMAT.encode("0.1.0", &"4x5").unwrap(),
        ]),
        line in "nodes [0-9]{1,22} entries [0-9]{1,22}\n",
        bytes in vec(any::<u8>(), 0..200),
    ) {
        let text = [head.as_bytes(), line.as_bytes(), &bytes].concat();
        let solver = search_solver();
        let error = checkpoint::load(&[&solver], "4x5", &mut Cursor::new(&text)).unwrap_err();
        prop_assert!(!error.to_string().is_empty());
        prop_assert_eq!((solver.nodes(), solver.table().iter().count()), (0, 0));
    }
}

const RPSW_PARTS: [&str; 16] = [
    "game: ",
    "rock-paper-scissors-well",
    "board: ",
    "3x4",
    "pieces: ",
    "2",
    "total: ",
    "takes: ",
    "R:S,P:RW,S:P,W:RS",
    "start: ",
    ".r./..p/.../RP. first",
    "moves: ",
    "b1b2 ",
    "b4a3",
    "\n",
    "\n",
];

proptest! {
    #[test]
    fn any_text_as_a_game_of_rpsw(text in any::<String>(), parts in vec(select(RPSW_PARTS.to_vec()), 0..14)) {
        let rules = rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
        record_comes_back(&rules, &text);
        record_comes_back(&rules, &parts.concat());
        record_comes_back(&rules, &format!("moves: {text}"));
    }

    #[test]
    fn games_of_rpsw_come_back(
        sides in (1usize..=4, 3usize..=6, 1usize..=4, 2usize..=8),
        takes in any::<[u8; 4]>(),
        choices in vec(any::<Index>(), 0..60),
        tried in (0u8..30, 0u8..30),
    ) {
        let (cols, rows, pieces, total) = sides;
        let rules = rpsw::Rules::standard().on_board(cols, rows).unwrap();
        let rules = rules.with_pieces(pieces).unwrap().with_total(total).unwrap().with_takes(takes);
        let mut line = rpsw::GameRecord::new(rules.clone());
        for choice in choices {
            let moves = rules.moves(line.position());
            let Some(&mv) = moves.get(choice.index(moves.len().max(1))) else { break };
            line.play(mv).unwrap();
        }
        record_comes_back(&rules, &line.to_string());
        // A move is played or rejected with a reason.
        let mv = rpsw::Move { from: tried.0, to: tried.1 };
        let legal = rules.moves(line.position()).contains(&mv);
        match line.play(mv) {
            Ok(()) => prop_assert!(legal),
            Err(error) => prop_assert!(!legal && error.to_string().contains("is not legal here")),
        }
    }
}

/// A position of Dots-and-Boxes after random moves, on a board of any size, with some owners of
/// closed boxes unknown.
fn dots_position() -> impl Strategy<Value = (dots::Rules, dots::Position)> {
    let boards = select(vec![(1, 1), (1, 3), (2, 2), (3, 1), (3, 4), (5, 5), (1, 21), (21, 1)]);
    let variant = select(dots::Variant::ALL.to_vec());
    let choices = vec(any::<Index>(), 0..64);
    (boards, variant, choices, any::<u64>()).prop_map(|((rows, cols), variant, choices, known)| {
        let board = dots::Board::new(rows, cols).unwrap();
        let rules = dots::Rules { variant, ..dots::Rules::standard(board) };
        let mut position = rules.start();
        for choice in choices {
            let moves = rules.moves(&position);
            let Some(&line) = moves.get(choice.index(moves.len().max(1))) else { break };
            position = rules.play(&position, line);
        }
        position.taken = position.taken.map(|taken| taken & known);
        (rules, position)
    })
}

/// A file of Wilson's analyser with such a position, and a penalty of either sign with up to six
/// decimals.
fn dots_file() -> impl Strategy<Value = dots::BoardFile> {
    let penalty =
        (any::<bool>(), 0i64..=1_000_000_000, select(vec![1, 2, 10, 1000, 1_000_000, 3, 999_983]));
    let numbers = prop_oneof![
        Just((None, None)),
        any::<u32>().prop_map(|ram| (Some(ram), None)),
        any::<(u32, u32)>().prop_map(|(ram, disk)| (Some(ram), Some(disk))),
    ];
    (penalty, numbers, dots_position()).prop_map(
        |((negative, above, below), (ram_mb, disk_gb), (rules, position))| {
            let above = above % (1000 * below + 1);
            let penalty = dots::Penalty::new(if negative { -above } else { above }, below).unwrap();
            dots::BoardFile { penalty, ram_mb, disk_gb, position, board: rules.board }
        },
    )
}

/// A problem of Berlekamp as a file of Wilson's analyser.
const PROBLEM: &str = include_str!("../../../golden/dots/problem-12.15.txt");

#[test]
fn a_problem_of_berlekamp_comes_back() {
    let file = dots::BoardFile::parse(PROBLEM).unwrap();
    let position = "-.-../..|...|...|/.-..-/..|......../...-.\
        /......|..../--..-/......|..../-.---/........|../..-.. A";
    assert_eq!(dots::parse_position(position), Ok((file.board, file.position)));
    assert_eq!((file.board.rows(), file.board.cols()), (5, 5));
    assert_eq!(
        (file.penalty, file.ram_mb, file.disk_gb),
        (dots::Penalty::ZERO, Some(7000), Some(25))
    );
    assert_eq!(file.to_string(), PROBLEM);
    // Trailing blanks and the kind of line end do not matter.
    let trimmed: Vec<&str> = PROBLEM.lines().map(str::trim_end).collect();
    let texts = [trimmed.join("\n"), trimmed.join("\r\n"), trimmed.join("  \n") + "\r\n\r\n  \n"];
    for text in texts {
        assert_eq!(dots::BoardFile::parse(&text), Ok(file), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_as_a_file_of_dots(text in any::<String>(), drawn in "[-+|AB \t\r\n]{0,60}") {
        dots_file_comes_back(&text);
        dots_file_comes_back(&format!("0\n{text}"));
        dots_file_comes_back(&format!("0\n{drawn}"));
        dots_file_comes_back(&format!("0\n+ +\n{drawn}"));
        dots_file_comes_back(&format!("-1 {text}\n+ +\n\n+ +\n"));
    }

    #[test]
    fn files_of_dots_come_back(file in dots_file(), changes in vec(change(), 1..4)) {
        let written = file.to_string();
        prop_assert_eq!(dots::BoardFile::parse(&written), Ok(file), "{}", written);
        let trimmed: Vec<&str> = written.lines().map(str::trim_end).collect();
        prop_assert_eq!(dots::BoardFile::parse(&trimmed.join("\r\n")), Ok(file), "{}", written);
        dots_file_comes_back(&changed(&written, &changes));
        dots_file_comes_back(&changed(&trimmed.join("\n"), &changes));
    }

    #[test]
    fn any_text_as_a_position_of_dots(
        at in dots_position(),
        other in dots_position(),
        text in any::<String>(),
        drawn in "[-.|/AB?]{0,40}( [ABab])?",
    ) {
        dots_position_comes_back(&at.0, &text);
        dots_position_comes_back(&at.0, &drawn);
        dots_position_comes_back(&at.0, &other.0.format_position(&other.1));
        move_comes_back(&at.0, &at.1, &text);
        penalty_comes_back(&text);
    }

    #[test]
    fn positions_of_dots_come_back(at in dots_position(), changes in vec(change(), 1..4)) {
        let (rules, position) = at;
        let written = rules.format_position(&position);
        prop_assert_eq!(rules.parse_position(&written), Ok(position), "{}", written);
        dots_position_comes_back(&rules, &changed(&written, &changes));
    }

    #[test]
    fn almost_moves_and_penalties_of_dots(
        at in dots_position(),
        line in " ?[a-wA-W][0-9]{0,2}-?[a-wA-W]?[0-9]{0,2} ?",
        penalty in "-?[0-9]{0,5}[./]?[0-9]{0,8}",
    ) {
        move_comes_back(&at.0, &at.1, &line);
        penalty_comes_back(&penalty);
    }

    /// A drawing with any labels fits a terminal and has a line for each row of the board.
    #[test]
    fn drawings_of_dots_fit(at in dots_position(), labels in vec("[-+]?[0-9x]{0,4}", 64)) {
        let (board, position) = (at.0.board, at.1);
        let drawn = board.labelled(&position, |line| labels.get(line).cloned());
        prop_assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{}", drawn);
        prop_assert_eq!((drawn.lines().count() + 1) % (2 * board.rows() + 3), 0, "{}", drawn);
    }
}
