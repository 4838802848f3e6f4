//! A line of best play, and what kind of a move each of it is.

use super::answer::Analyst;
use super::captures::Captures;
use super::solver::Solver;
use crate::dots::{Bitboard, Lines, Position, Rules, lines_of};
use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::score::Score;

/// What kind of a move a line is. The first that fits counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// It closes a box or two.
    Takes,
    /// It leaves nothing to take.
    Safe,
    /// Instead of taking the last boxes of a chain it leaves them to the opponent: two, or four of
    /// a closed loop.
    DoubleDealing,
    /// It leaves the opponent a choice: to take all boxes, or to leave the last ones.
    Loony,
    /// It opens a chain of two boxes by the line between them, so that there is no choice.
    HardHearted,
    /// It leaves boxes to take, most often one, and no choice.
    Sacrifice,
}

impl MoveKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Takes => "takes",
            MoveKind::Safe => "safe",
            MoveKind::DoubleDealing => "double-dealing",
            MoveKind::Loony => "loony",
            MoveKind::HardHearted => "hard-hearted handout",
            MoveKind::Sacrifice => "sacrifice",
        }
    }

    /// What an open line is when those are drawn.
    pub fn of(bitboard: &Bitboard, drawn: Lines, line: usize) -> MoveKind {
        let (before, after) = (bitboard.open(drawn), bitboard.open(drawn | 1 << line));
        let to_take = bitboard.degrees(before).one;
        let one = bitboard.degrees(after).one;
        let beside = bitboard.boxes_at(before.without(after));
        if beside & to_take != 0 {
            return MoveKind::Takes;
        }
        let captures = Captures::new(bitboard, after);
        // The boxes that the line makes easy to take; those that one line takes with another one.
        let opened = beside & one;
        let paired = bitboard.boxes_at(bitboard.lines_at(after, one & !opened));
        if captures.boxes == 0 {
            MoveKind::Safe
        } else if to_take != 0 && opened != 0 && opened & !paired == 0 {
            MoveKind::DoubleDealing
        } else if captures.control_cost.is_some() {
            MoveKind::Loony
        } else if to_take == 0 && opened.count_ones() == 2 {
            MoveKind::HardHearted
        } else {
            MoveKind::Sacrifice
        }
    }
}

impl std::fmt::Display for MoveKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A move of a line of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who draws.
    pub player: Player,
    /// What.
    pub line: usize,
    /// Boxes that it closes.
    pub taken: i32,
    /// Points still to come, the player's minus the opponent's, these boxes among them.
    pub score: Score,
    /// What kind of a move it is.
    pub note: MoveKind,
}

impl Analyst {
    /// Best play from a position to the end. Of the best moves the first one is taken, those that
    /// take boxes before others, then from the middle of the board outwards.
    pub fn line(&self, position: &Position, monitor: &Monitor) -> Result<Vec<Step>, SolveError> {
        let rules = Rules::standard(*self.board());
        let mut values = self.values(position.lines, monitor)?;
        let mut position = *position;
        let mut steps = Vec::new();
        while let Some(line) = self.best_move(position.lines, &values, monitor)? {
            let taken = self.taken(position.lines, line);
            steps.push(Step {
                player: position.to_move,
                line,
                taken,
                score: self.score(&values),
                note: MoveKind::of(self.solvers()[0].bitboard(), position.lines, line),
            });
            let rest = |value: &i32| if taken > 0 { value - taken } else { -value };
            values = values.iter().map(rest).collect();
            position = rules.play(&position, line);
        }
        Ok(steps)
    }

    /// The first of the best moves where the position is worth that by each of the solvers.
    fn best_move(
        &self,
        drawn: Lines,
        values: &[i32],
        monitor: &Monitor,
    ) -> Result<Option<usize>, SolveError> {
        let mut moves: Vec<usize> = lines_of(self.board().all() & !drawn).collect();
        moves.sort_by_key(|&line| self.rank(self.taken(drawn, line), line));
        let Some((last, others)) = moves.split_last() else { return Ok(None) };
        for &line in others {
            monitor.check()?;
            let mut best = true;
            // Scores are straight lines between the solvers' penalties, and none is above the
            // best one: it is the best in between if it is at both ends.
            for (solver, &value) in self.solvers().iter().zip(values) {
                best = best && self.keeps(solver, drawn, line, value, monitor)?;
            }
            if best {
                return Ok(Some(line));
            }
        }
        Ok(Some(*last))
    }

    /// Whether a move is worth that.
    fn keeps(
        &self,
        solver: &Solver,
        drawn: Lines,
        line: usize,
        value: i32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let next = drawn | 1 << line;
        Ok(match self.taken(drawn, line) {
            0 => !solver.reaches(next, 1 - value, monitor)?,
            taken => solver.reaches(next, value - taken, monitor)?,
        })
    }
}

#[cfg(test)]
mod tests {
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
}
