//! The answer of `bsq dots solve` as text.

use super::answer::{EvaluatedMove, Solved};
use super::question::Question;
use crate::output::screen;
use bsq_engine::game::Player;
use bsq_engine::score::Score;
use bsq_games::dots::search::MoveKind;
use bsq_games::dots::{Penalty, letter};

/// The length of the longest label in a drawing.
const LONGEST_LABEL: usize = 5;

impl Solved {
    /// The answer for a terminal.
    pub fn text(&self) -> String {
        let Question { board, position, .. } = self.question;
        let mut text = format!("{}\n{}\n", self.heading(), self.drawing());
        if self.evaluation.moves.as_ref().is_some_and(|moves| !moves.is_empty()) {
            text += &format!("\n{}", self.grouped());
        }
        if let Some(table) = self.line_table().filter(|_| position.lines != board.all()) {
            text += &format!("\n{}:\n\n{}\n", table.title, screen::draw(&table));
        }
        text
    }

    fn heading(&self) -> String {
        let Question { board, position, .. } = self.question;
        let turn = match position.lines == board.all() {
            true => "the game is over".to_string(),
            false => format!("{} to move", self.question.to_move()),
        };
        let mut text = format!("Dots-and-Boxes {}: {turn}\n", self.rules().label);
        text += &textwrap::fill(&self.verdict(), screen::WIDTH);
        if let Some(player) = self.evaluation.facts.loony.map(letter) {
            text += &format!("\n{player} must make the next loony move.");
        }
        if let Some(nimber) = self.evaluation.facts.nimber {
            text += &format!("\nNimstring value {nimber}.");
        }
        if let Some(so_far) = self.so_far() {
            text += &format!("\n{}", textwrap::fill(&so_far, screen::WIDTH));
        }
        text + "\n"
    }

    /// The value in words.
    fn verdict(&self) -> String {
        let (mover, value) = (self.question.position.to_move, self.value());
        let [who, other] = match value.signum() {
            -1 => [mover.other(), mover],
            _ => [mover, mover.other()],
        }
        .map(letter);
        let (unit, included) = match self.question.penalty == Penalty::ZERO {
            true => ("box", ""),
            false => ("point", ", the penalty included"),
        };
        let meaning = match value.signum() {
            0 => format!("both make equally many {}", plural(unit)),
            _ => format!("{who} makes {} more than {other}", counted(value.abs(), unit)),
        };
        let mover = letter(mover);
        format!("Value {value} for {mover}: from here on, with best play, {meaning}{included}.")
    }

    /// The boxes so far and the final result, if a box is closed.
    fn so_far(&self) -> Option<String> {
        let Question { board, position, .. } = self.question;
        let closed = board.closed(position.lines).count_ones() as i32;
        if closed == 0 {
            return None;
        }
        let Some(end) = self.final_score() else {
            let boxes = if closed == 1 { "box" } else { "boxes" };
            return Some(format!(
                "Who took the closed {boxes} is not known, and so the final score is not."
            ));
        };
        let [first, second] = position.taken.map(|boxes| boxes.count_ones() as i32);
        let result = match end.signum() {
            0 => "a tie in the end".to_string(),
            1 => format!("A wins by {end}"),
            _ => format!("B wins by {}", end.abs()),
        };
        let first = counted(first.into(), "box");
        Some(format!("So far A has {first} and B {second}: {result}."))
    }

    /// The board, with the scores of the moves if they fit.
    fn drawing(&self) -> String {
        let Question { board, position, .. } = self.question;
        let moves = self.evaluation.moves.as_deref().unwrap_or_default();
        let narrow = moves.iter().all(|mv| self.marked_score(mv).len() <= LONGEST_LABEL);
        let label = |line: usize| {
            let mv = moves.iter().find(|mv| mv.mv == line)?;
            match narrow {
                true => Some(self.marked_score(mv)),
                false => (self.score_of(mv) == self.value()).then(|| "*".to_string()),
            }
        };
        let mut text = board.labelled(&position, label).trim_end().to_string();
        if let Some(best) = moves.first() {
            let best = self.score_of(best);
            let mover = self.question.to_move();
            text += &match narrow {
                true => format!("\n\nOn each open line its score for {mover}; the best is {best}."),
                false => "\n\nA star stands on each of the best lines.".to_string(),
            };
            if self.marks && narrow {
                text += "\nv: A must make the next loony move, ^: B must.";
            }
        }
        text
    }

    /// The score of a move with its mark: `v` if A must make the next loony move, `^` if B must.
    fn marked_score(&self, mv: &EvaluatedMove) -> String {
        let mark = match mv.facts.loony {
            Some(Player::First) => "v",
            Some(Player::Second) => "^",
            None => "",
        };
        format!("{}{mark}", self.score_of(mv))
    }

    /// The moves grouped by score and kind, in lines of the width of a screen.
    fn grouped(&self) -> String {
        let mut groups: Vec<Group> = Vec::new();
        for mv in self.evaluation.moves.iter().flatten() {
            let kind = match mv.facts.kind {
                MoveKind::Takes => format!("takes {}", mv.facts.taken),
                kind => kind.name().to_string(),
            };
            let (score, name) = (self.marked_score(mv), self.question.board.line_name(mv.mv));
            let same = |group: &&mut Group| group.0 == score && group.1 == kind;
            match groups.iter_mut().find(same) {
                Some((_, _, names)) => names.push(name),
                None => groups.push((score, kind, vec![name])),
            }
        }
        let scores = groups.iter().map(|group| group.0.len());
        let score = scores.max().unwrap_or(0).max("score".len());
        let note = groups.iter().map(|group| group.1.len()).max().unwrap_or(0).max("note".len());
        let mut text = format!(" {:>score$}  {:<note$}  moves\n", "score", "note");
        let indent = " ".repeat(score + note + 5);
        for (points, kind, names) in groups {
            let first = format!(" {points:>score$}  {kind:<note$}  ");
            let options = textwrap::Options::new(screen::WIDTH)
                .initial_indent(&first)
                .subsequent_indent(&indent)
                .word_splitter(textwrap::WordSplitter::NoHyphenation)
                .word_separator(textwrap::WordSeparator::AsciiSpace);
            text += &format!("{}\n", textwrap::fill(&names.join(" "), options));
        }
        text
    }
}

/// Score, kind and names of moves.
type Group = (String, String, Vec<String>);

/// `1 box`, `1.5 boxes`.
fn counted(count: Score, unit: &str) -> String {
    match count == Score::from(1) {
        true => format!("1 {unit}"),
        false => format!("{count} {}", plural(unit)),
    }
}

fn plural(unit: &str) -> String {
    format!("{unit}{}", if unit == "box" { "es" } else { "s" })
}
