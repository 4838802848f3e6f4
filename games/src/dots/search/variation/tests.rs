use super::*;
use crate::dots::{Penalty, parse_position};

/// A principal variation as text, its moves and their kinds, and its scores.
fn line(text: &str, penalty: &str) -> (Vec<String>, Vec<Score>) {
    let (board, position) = parse_position(text).unwrap();
    let (penalty, monitor) = (Penalty::parse(penalty).unwrap(), Monitor::default());
    let solver = PenaltySolver::new(board, penalty, 1 << 22, false).unwrap();
    let steps = solver.principal_variation(&position, usize::MAX, &monitor).unwrap();
    let open = (board.all() & !position.lines).count_ones() as usize;
    assert_eq!(steps.len(), open, "it goes on to the end");
    // Every score follows from the next one, and the last is the penalty.
    let rules = Rules::standard(board);
    let values = |drawn| solver.values(drawn, &monitor).unwrap();
    let (mut now, mut rest) = (position, solver.score(&values(position.lines)));
    for step in &steps {
        assert_eq!((step.player, step.score), (now.to_move, rest));
        let best = solver.moves(now.lines, &values(now.lines), &monitor).unwrap()[0].line;
        let taken = rules.closes(now.lines, best).count_ones();
        let kind = MoveKind::of(solver.bitboard(), now.lines, best);
        assert_eq!((best, taken, kind), (step.line, step.taken, step.kind));
        now = rules.play(&now, step.line);
        rest = if step.taken > 0 { rest - step.taken as i32 } else { -rest };
    }
    assert_eq!(rest, penalty.score());
    let words = |step: &Step| format!("{} {}", board.line_name(step.line), step.kind.name());
    (steps.iter().map(words).collect(), steps.iter().map(|step| step.score).collect())
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
    // Both players avoid the last line if it costs more than the boxes are worth.
    let (moves, scores) = line("--/|...|/../|...|/-- A", "-5");
    let expected = ["b1-b2 loony", "b2-b3 double-dealing", "a2-b2 takes", "b2-c2 takes"];
    assert_eq!((moves, scores[0]), (expected.map(String::from).to_vec(), Score::from(-1)));
}
