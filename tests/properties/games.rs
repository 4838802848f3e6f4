//! Text about games: positions, moves, boards, records, options, decision lists, penalties.

use super::{choice, is_told, text};
use bsq_engine::conformance::check;
use bsq_engine::game::Notation;
use bsq_engine::record::{GameRecord, Recorded, set_option};
use bsq_games::british_square::heuristic::language;
use bsq_games::graph::Graph;
use bsq_games::{british_square, dots, mnk, rpsw};
use std::fmt::Debug;

/// A property of a text under the rules of any game.
trait Property {
    fn check<G: Recorded + Debug + PartialEq>(&self, rules: &G, text: &str);
}

/// Checks a text under rules that a byte selects: two bits the game, the others its rules.
fn under_rules(choice: u8, text: &str, property: &impl Property) {
    let variant = choice >> 2;
    match choice & 3 {
        0 => property.check(&british_rules(variant), text),
        1 => property.check(&dots_rules(variant), text),
        2 => property.check(&rpsw_rules(variant), text),
        _ => property.check(&mnk_rules(variant), text),
    }
}

fn british_rules(variant: u8) -> british_square::Rules {
    const BOARDS: [(usize, usize); 8] =
        [(5, 5), (3, 4), (1, 1), (1, 5), (5, 1), (4, 4), (1, 64), (8, 8)];
    let (rows, cols) = BOARDS[usize::from(variant & 7)];
    british_square::Rules {
        center_allowed: variant & 8 != 0,
        pieces: (variant & 16 != 0).then_some(u32::from(variant >> 5) + 2),
        ..british_square::Rules::standard(rows, cols).expect("a board")
    }
}

fn dots_rules(variant: u8) -> dots::Rules {
    const BOARDS: [(usize, usize); 8] =
        [(3, 3), (1, 1), (1, 3), (2, 2), (5, 5), (3, 4), (1, 21), (21, 1)];
    let (rows, cols) = BOARDS[usize::from(variant & 7)];
    let variants = dots::Variant::ALL;
    let variant = variants[usize::from(variant >> 3) % variants.len()];
    let board = dots::Board::new(rows, cols).expect("a board");
    dots::Rules { variant, ..dots::Rules::standard(board) }
}

fn rpsw_rules(variant: u8) -> rpsw::Rules {
    const SIZES: [[usize; 4]; 4] = [[4, 6, 4, 8], [3, 4, 2, 4], [1, 3, 1, 2], [2, 5, 3, 3]];
    let [cols, rows, pieces, total] = SIZES[usize::from(variant & 3)];
    let rules = rpsw::Rules::standard().on_board(cols, rows).and_then(|r| r.with_pieces(pieces));
    rules.and_then(|rules| rules.with_total(total)).expect("rules")
}

fn mnk_rules(variant: u8) -> mnk::Rules {
    const SIZES: [(usize, usize, usize); 4] = [(3, 3, 3), (4, 5, 4), (1, 25, 2), (2, 2, 1)];
    let (rows, cols, k) = SIZES[usize::from(variant & 3)];
    mnk::Rules::new(rows, cols, k).expect("rules")
}

/// A position that parses can be formatted and parsed to the same, by itself and as the start of a
/// record, which may change the rules. The first byte selects the rules.
pub fn position(input: &[u8]) {
    struct Position;
    impl Property for Position {
        fn check<G: Recorded + Debug + PartialEq>(&self, rules: &G, text: &str) {
            position_comes_back(rules, text);
            let mut own = rules.clone();
            match own.parse_start(text) {
                Ok(start) => {
                    let written = own.format_position(&start);
                    assert!(own.parse_start(&written).is_ok_and(|again| again == start), "{text}");
                    assert!(own.moves(&start).len() < 1 << 10);
                }
                Err(error) => is_told(error),
            }
        }
    }
    let (choice, rest) = choice(input);
    under_rules(choice, text(rest), &Position);
}

/// Checks a position under given rules.
pub fn position_comes_back<G: Notation>(rules: &G, text: &str) {
    match rules.parse_position(text) {
        Ok(position) => {
            let written = rules.format_position(&position);
            let again = rules.parse_position(&written);
            assert!(again.is_ok_and(|again| again == position), "{text}, written as {written}");
        }
        Err(error) => is_told(error),
    }
}

/// Moves from the initial position: a move that parses can be formatted and parsed to the same, and
/// a legal one leads to a position that parses. The first byte selects the rules.
pub fn moves(input: &[u8]) {
    struct Moves;
    impl Property for Moves {
        fn check<G: Recorded + Debug + PartialEq>(&self, rules: &G, text: &str) {
            let mut position = rules.start();
            for word in rules.words(text) {
                let Some(next) = move_comes_back(rules, &position, &word) else { continue };
                position_comes_back(rules, &rules.format_position(&next));
                position = next;
            }
        }
    }
    let (choice, rest) = choice(input);
    under_rules(choice, text(rest), &Moves);
}

/// Checks a move. Returns the position after it, if it is legal.
pub fn move_comes_back<G: Recorded>(
    rules: &G,
    position: &G::Position,
    text: &str,
) -> Option<G::Position> {
    let mv = rules.parse_move(position, text).map_err(is_told).ok()?;
    let written = rules.format_move(position, mv.clone());
    assert!(
        rules.parse_move(position, &written).is_ok_and(|again| again == mv),
        "{text} as {written}"
    );
    let is_legal = rules.moves(position).contains(&mv);
    match rules.try_play(position, mv.clone()) {
        Ok(next) => {
            assert!(is_legal && next == rules.play(position, mv), "{text}");
            Some(next)
        }
        Err(error) => {
            assert!(!is_legal, "{text}: {error}");
            is_told(error);
            None
        }
    }
}

/// A game record that parses can be formatted and parsed to the same, and another is rejected with
/// the line. The first byte selects the usual rules.
pub fn record(input: &[u8]) {
    struct Record;
    impl Property for Record {
        fn check<G: Recorded + Debug + PartialEq>(&self, rules: &G, text: &str) {
            record_comes_back(rules, text);
            if let Some(Err(why)) = rules.import(text) {
                is_told(why);
            }
        }
    }
    let (choice, rest) = choice(input);
    under_rules(choice, text(rest), &Record);
}

/// Checks a game record under usual rules.
pub fn record_comes_back<G: Recorded + PartialEq>(rules: &G, text: &str) {
    match GameRecord::parse(text, rules) {
        Ok(record) => {
            let written = record.to_string();
            let again = GameRecord::parse(&written, rules);
            assert!(again.is_ok_and(|again| again == record), "{text}, written as {written}");
            assert_eq!(record.positions().len(), record.moves().len() + 1);
        }
        Err(error) => {
            let said = error.to_string();
            assert!(said.starts_with("line ") || said.starts_with("there is no game"), "{said}");
        }
    }
}

/// Options of the rules, such as the size of the board and `takes`, a line `name: value` each: what
/// is accepted leads to rules with the same entries. The first byte selects the game.
pub fn options(input: &[u8]) {
    struct Options;
    impl Property for Options {
        fn check<G: Recorded + Debug + PartialEq>(&self, rules: &G, text: &str) {
            let mut own = rules.clone();
            for line in text.lines() {
                let (name, value) = line.split_once(": ").unwrap_or((line, ""));
                if !rules.format().options.iter().any(|option| option.name == name) {
                    continue;
                }
                let before = own.clone();
                match set_option(&mut own, name, value) {
                    Ok(()) => options_come_back(&own),
                    Err(why) => {
                        is_told(why);
                        assert_eq!(own, before, "{line}");
                    }
                }
            }
        }
    }
    let (choice, rest) = choice(input);
    under_rules(choice & 3, text(rest), &Options);
}

/// Checks that the entries of rules lead to the same rules, and that their start can be played.
fn options_come_back<G: Recorded + Debug + PartialEq>(rules: &G) {
    let written = GameRecord::new(rules.clone()).to_string();
    let again = GameRecord::parse(&written, rules);
    assert!(again.is_ok_and(|again| again.rules() == rules), "{rules:?}, written as {written}");
    position_comes_back(rules, &rules.format_position(&rules.start()));
}

/// A board that parses can be formatted and parsed to the same, and all of its places have names.
pub fn board(input: &[u8]) {
    board_comes_back(text(input));
}

/// Checks a board of British Square and of Dots-and-Boxes.
pub fn board_comes_back(text: &str) {
    match british_square::Board::parse(text) {
        Ok(board) => {
            assert_eq!(british_square::Board::parse(&board.to_string()), Ok(board), "{text}");
            for cell in 0..board.cells() {
                assert_eq!(board.parse_cell(&board.coordinate(cell)), Ok(cell));
                assert_eq!(board.parse_cell(&board.tile(cell).to_string()), Ok(cell));
            }
        }
        Err(error) => is_told(error),
    }
    match dots::Board::parse(text) {
        Ok(board) => {
            assert_eq!(dots::Board::parse(&board.to_string()), Ok(board), "{text}");
            for line in 0..board.lines() {
                assert_eq!(board.parse_line(&board.line_name(line)), Ok(line), "{text}");
            }
        }
        Err(error) => is_told(error),
    }
}

/// A decision list that parses can be formatted and parsed to the same, alone and in a file of
/// lists; others are rejected with a message that marks the place.
pub fn rules(input: &[u8]) {
    rules_come_back(text(input));
}

/// Checks a decision list, and a file of lists.
pub fn rules_come_back(text: &str) {
    match language::parse(text, &[]) {
        Ok(list) => {
            assert!(list.size() <= language::MAX_SIZE, "{text}");
            assert_eq!(language::parse(&list.to_string(), &[]), Ok(list), "{text}");
        }
        Err(error) => {
            let message = error.to_string();
            let lines: Vec<&str> = message.lines().collect();
            assert_eq!(lines.len(), 3, "{lines:?}");
            let marks = lines[2].trim_start();
            assert!(!marks.is_empty() && marks.chars().all(|c| c == '^'), "{lines:?}");
            let width = |line: &str| line.chars().count();
            assert!(width(lines[2]) <= width(lines[1]) + 1, "{lines:?}");
        }
    }
    match language::parse_file(text) {
        Ok(lists) => {
            for heuristic in lists {
                let written = heuristic.list.to_string();
                assert_eq!(language::parse(&written, &[]), Ok(heuristic.list), "{text}");
            }
        }
        Err(error) => assert!(error.line.is_some_and(|line| line >= 1), "{text}"),
    }
}

/// A penalty of Dots-and-Boxes that parses can be formatted and parsed to the same, and lies
/// between its whole neighbours.
pub fn penalty(input: &[u8]) {
    penalty_comes_back(text(input));
}

/// Checks a penalty.
pub fn penalty_comes_back(text: &str) {
    match dots::Penalty::parse(text) {
        Ok(penalty) => {
            assert_eq!(dots::Penalty::parse(&penalty.to_string()), Ok(penalty), "{text}");
            let (above, below) = penalty.fraction();
            assert!((0..below).contains(&above) && (-1000..=1000).contains(&penalty.floor()));
            assert_eq!(i64::from(penalty.floor()) * below + above, penalty.numerator());
            assert_eq!(penalty.ceil() - penalty.floor(), i32::from(above > 0));
        }
        Err(error) => is_told(error),
    }
}

/// A file of Wilson's analyser that parses can be formatted and parsed to the same, and so can its
/// position in one line; others are rejected with a place in the file.
pub fn dots_file(input: &[u8]) {
    dots_file_comes_back(text(input));
}

/// Checks a file of Wilson's analyser.
pub fn dots_file_comes_back(text: &str) {
    match dots::BoardFile::parse(text) {
        Ok(file) => {
            let written = file.to_string();
            assert_eq!(dots::BoardFile::parse(&written), Ok(file), "{text}");
            let rules = dots::Rules::standard(file.board);
            dots_position_comes_back(&rules, &rules.format_position(&file.position));
        }
        Err(error) => {
            // An end that comes too early is named where the drawing would have gone on.
            let lines = text.split('\n').count();
            assert!((1..=lines + 2).contains(&error.line), "{error}");
            let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
        }
    }
}

/// A file of a graph that is read can be written and read to the same; others are rejected.
pub fn graph(input: &[u8]) {
    let written = |graph: &Graph| {
        let mut file = Vec::new();
        graph.write(&mut file).expect("it is written to memory");
        file
    };
    match Graph::read("FILE", input) {
        Ok(graph) => {
            // Positions are numbered in the order of their rows, which is that of the first one then.
            let once = written(&graph);
            let read = Graph::read("FILE", &*once).unwrap_or_else(|error| panic!("{error}"));
            let again = Graph::read("FILE", &*written(&read)).expect("it was read before");
            assert_eq!(again.content().positions.len(), graph.content().positions.len());
            assert_eq!(again.content().moves.len(), graph.content().moves.len());
            check(&graph).unwrap_or_else(|violation| panic!("{violation}"));
        }
        Err(error) => is_told(error),
    }
}

/// Checks a position of Dots-and-Boxes on a board of any size and on a given one, and its drawing.
pub fn dots_position_comes_back(rules: &dots::Rules, text: &str) {
    let read = dots::parse_position(text);
    let on_board = rules.parse_position(text).ok().map(|position| (rules.board, position));
    assert_eq!(on_board, read.clone().ok().filter(|(board, _)| *board == rules.board), "{text}");
    match read {
        Ok((board, position)) => {
            let written = dots::format_position(&board, &position);
            assert_eq!(dots::parse_position(&written), Ok((board, position)), "{text}");
            let drawn = board.labelled(&position, |line| Some(line.to_string()));
            assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{drawn}");
        }
        Err(error) => is_told(error),
    }
}
