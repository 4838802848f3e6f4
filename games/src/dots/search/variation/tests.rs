use super::*;
use crate::dots::{Penalty, parse_position};

/// What each move of a position is.
fn notes(text: &str) -> Vec<(String, MoveKind)> {
    let (board, position) = parse_position(text).unwrap();
    let bitboard = Bitboard::new(board);
    let open = lines_of(board.all() & !position.lines);
    open.map(|line| (board.line_name(line), MoveKind::of(&bitboard, position.lines, line)))
        .collect()
}

/// A line of best play as text, its moves and their kinds, and its scores.
fn line(text: &str, penalty: &str) -> (Vec<String>, Vec<Score>) {
    let (board, position) = parse_position(text).unwrap();
    let analyst = Analyst::new(board, Penalty::parse(penalty).unwrap(), 1 << 22).unwrap();
    let steps = analyst.line(&position, &Monitor::default()).unwrap();
    let open = (board.all() & !position.lines).count_ones() as usize;
    assert_eq!(steps.len(), open, "it goes on to the end");
    // Every score follows from the next one, and at the end is the penalty.
    let rules = Rules::standard(board);
    let (mut now, mut rest) =
        (position, analyst.value(position.lines, &Monitor::default()).unwrap());
    for step in &steps {
        assert_eq!((step.player, step.score), (now.to_move, rest));
        let best = analyst.moves(now.lines, &Monitor::default()).unwrap()[0];
        assert_eq!((best.line, best.taken, best.note), (step.line, step.taken, step.note));
        now = rules.play(&now, step.line);
        rest = if step.taken > 0 { rest - step.taken } else { -rest };
    }
    let last = analyst.penalty();
    assert_eq!(rest, Score::new(last.numerator(), last.denominator()));
    let words = |step: &Step| format!("{} {}", board.line_name(step.line), step.note);
    (steps.iter().map(words).collect(), steps.iter().map(|step| step.score).collect())
}

#[test]
fn moves_are_of_some_kind() {
    use MoveKind::*;
    let elsewhere = [Sacrifice, Sacrifice, Takes, Sacrifice, Sacrifice, Sacrifice, Sacrifice];
    let cases: [(&str, &[MoveKind]); 11] = [
        ("../...../.. A", &[Safe; 7]),
        ("-/.../- A", &[Sacrifice; 2]),
        ("--/...../-- A", &[Loony, HardHearted, Loony]),
        ("./|.|/./|.|/. A", &[Loony, HardHearted, Loony]),
        ("---/......./--- A", &[Loony; 4]),
        // A loop, closed and opened.
        ("--/|...|/../|...|/-- A", &[Loony; 4]),
        ("--/|.|.|/../|...|/-- A", &[Takes, Takes, DoubleDealing]),
        // A chain that was opened, with two boxes, with three, and what two boxes become.
        ("--/|..../-- A", &[Takes, DoubleDealing]),
        ("---/|....../--- A", &[Takes, Sacrifice, Sacrifice]),
        ("--/|...|/-- A", &[Takes]),
        // A box that is left where it is.
        ("-../..|..../-.. A", &elsewhere),
    ];
    for (text, kinds) in cases {
        let notes = notes(text);
        let found: Vec<MoveKind> = notes.iter().map(|(_, note)| *note).collect();
        assert_eq!(found, kinds, "{text}: {notes:?}");
    }
}

#[test]
fn best_play_on_small_boards() {
    let (moves, scores) = line("../...../../...../.. A", "0");
    assert_eq!((moves.len(), scores[0]), (12, Score::from(2)));
    let (moves, scores) = line(".../......./.../......./.../......./... A", "0");
    assert_eq!((moves.len(), scores[0]), (24, Score::from(-3)));
    for (penalty, value) in [("-1/2", "1.5"), ("-4", "-2"), ("-5", "-3"), ("-6.5", "-4.5")] {
        let (_, scores) = line("../...../../...../.. A", penalty);
        assert_eq!(scores[0].to_string(), value, "{penalty}");
    }
}

#[test]
fn two_chains_and_who_has_the_last_word() {
    let (moves, scores) = line("---/......./---/......./--- A", "0");
    let expected = [
        "b1-b2 loony",
        "a1-a2 takes",
        "d1-d2 double-dealing",
        "c1-c2 takes",
        "b2-b3 loony",
        "c2-c3 takes",
        "a2-a3 takes",
        "d2-d3 takes",
    ];
    assert_eq!((moves, scores[0]), (expected.map(String::from).to_vec(), Score::from(-2)));
}

#[test]
fn a_loop_is_handed_over_or_left() {
    let (moves, scores) = line("--./|...|.|/.../|...|.|/--. A", "0");
    let expected = [
        "c2-d2 hard-hearted handout",
        "c1-d1 takes",
        "c3-d3 takes",
        "b2-c2 loony",
        "b1-b2 takes",
        "b2-b3 takes",
        "a2-b2 takes",
    ];
    assert_eq!((moves, scores[0]), (expected.map(String::from).to_vec(), Score::from(2)));
    // Where the last line costs more than the boxes are worth, nobody wants it.
    let (moves, scores) = line("--/|...|/../|...|/-- A", "-5");
    let expected = ["b1-b2 loony", "b2-b3 double-dealing", "a2-b2 takes", "b2-c2 takes"];
    assert_eq!((moves, scores[0]), (expected.map(String::from).to_vec(), Score::from(-1)));
}
