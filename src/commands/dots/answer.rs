//! The answer of `bsq dots solve` as tables and JSON.

use super::question::Question;
use crate::output::{Answer, Described};
use bsq_analyses::column::{integer, text, truth};
use bsq_analyses::{Cell, Column, Kind, Table};
use bsq_engine::evaluate::MoveEvaluation;
use bsq_engine::game::Player;
use bsq_engine::score::Score;
use bsq_games::dots::evaluator::MoveFacts;
use bsq_games::dots::search::Step;
use bsq_games::dots::{Evaluation, NAME, Nimber, Penalty, format_position, letter};
use serde_json::{Number, Value, json};

/// The number of decimals of a score without a finite decimal form.
const DECIMALS: usize = 6;

/// A legal move with its value.
pub type EvaluatedMove = MoveEvaluation<usize, MoveFacts>;

/// A position with its value, and with its moves and its principal variation if requested.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The position.
    pub question: Question,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Whether loony marks were requested.
    pub marks: bool,
    /// The principal variation.
    pub line: Option<Vec<Step>>,
}

impl Solved {
    /// The tables for CSV, files and manifests. The moves come first if there are any.
    pub fn answer(&self) -> Answer {
        let tables = [self.moves_table(), Some(self.value_table()), self.line_table()];
        Answer {
            command: format!("dots solve '{}'", self.position()),
            rules: self.rules(),
            tables: tables.into_iter().flatten().collect(),
        }
    }

    fn position(&self) -> String {
        format_position(&self.question.board, &self.question.position)
    }

    pub(super) fn rules(&self) -> Described {
        let Question { board, variant, penalty, .. } = self.question;
        let variant = variant.map(|variant| variant.name());
        let mut label = board.to_string();
        if let Some(variant) = variant {
            label += &format!(" {variant}");
        }
        if penalty != Penalty::ZERO {
            label += &format!(", penalty {penalty}");
        }
        let fields = json!({
            "game": NAME,
            "board": board.to_string(),
            "variant": variant,
            "penalty": penalty_json(penalty),
        });
        Described { label, fields }
    }

    /// The first player's points minus the second player's at the end, if known.
    pub(super) fn final_score(&self) -> Option<Score> {
        self.evaluation.value?.score
    }

    /// The first player's boxes minus the second player's so far, if known.
    fn lead(&self) -> Option<i32> {
        self.question.position.lead(&self.question.board)
    }

    /// The net score of the mover: points still to come.
    pub(super) fn value(&self) -> Score {
        self.net_score(self.evaluation.to_come)
    }

    /// The net score of the mover after a move.
    pub(super) fn score_of(&self, mv: &EvaluatedMove) -> Score {
        self.net_score(mv.facts.to_come)
    }

    fn net_score(&self, to_come: Option<Score>) -> Score {
        let to_come = to_come.expect("searches value every position and move");
        match self.question.position.to_move {
            Player::First => to_come,
            Player::Second => -to_come,
        }
    }

    /// The type of columns of scores.
    fn kind(&self) -> Kind {
        let penalty = self.question.penalty.to_string();
        match (self.question.penalty.is_whole(), penalty.split_once('.')) {
            (true, _) => Kind::Integer,
            (false, Some((_, decimals))) => Kind::Real(decimals.len()),
            (false, None) => Kind::Real(DECIMALS),
        }
    }

    /// A column of scores.
    fn score(&self, name: &'static str, description: &'static str) -> Column {
        Column { name, kind: self.kind(), description }
    }

    fn cell(&self, score: Score) -> Cell {
        match self.kind() {
            Kind::Integer => (score.numerator() as i32).into(),
            _ => score.to_f64().into(),
        }
    }

    fn value_table(&self) -> Table {
        let mut table = Table::new(
            "dots-value",
            "Value of the position",
            &[
                text("position", "rows of the drawing from the top, and who is to move"),
                text("to_move", "A, the first player, or B"),
                self.score(
                    "value",
                    "points still to come with best play, the mover's minus the other's",
                ),
                integer("score_so_far", "boxes of A minus boxes of B, if that is known"),
                self.score(
                    "final_score",
                    "points of A minus points of B at the end, if that is known",
                ),
            ],
        );
        table.push(vec![
            self.position().into(),
            self.question.to_move().to_string().into(),
            self.cell(self.value()),
            self.lead().into(),
            self.final_score().map_or(Cell::Empty, |score| self.cell(score)),
        ]);
        table
    }

    fn moves_table(&self) -> Option<Table> {
        let moves = self.evaluation.moves.as_ref()?;
        let mut columns = vec![
            text("move", "the two dots that it joins, by column and row"),
            self.score(
                "score",
                "points still to come, the mover's minus the other's, the boxes of the move among them",
            ),
            truth("best", "whether no move has a higher score"),
            integer("takes", "boxes that it closes"),
            text("note", "what kind of a move it is"),
        ];
        if self.marks {
            columns.push(text("loony", "who must make the next loony move, if anybody"));
        }
        let mut table = Table::new("dots-moves", "Score of each move", &columns);
        for mv in moves {
            let score = self.score_of(mv);
            let mut row = vec![
                self.question.board.line_name(mv.mv).into(),
                self.cell(score),
                (score == self.value()).into(),
                mv.facts.taken.into(),
                mv.facts.kind.name().into(),
            ];
            if self.marks {
                row.push(mv.facts.loony.map(|player| letter(player).to_string()).into());
            }
            table.push(row);
        }
        Some(table)
    }

    pub(super) fn line_table(&self) -> Option<Table> {
        let line = self.line.as_ref()?;
        let mut table = Table::new(
            "dots-line",
            "A line of best play",
            &[
                integer("ply", "the number of the move"),
                text("player", "who draws, A or B"),
                text("move", "the two dots that it joins"),
                integer("takes", "boxes that it closes"),
                self.score(
                    "score",
                    "points still to come, the player's minus the other's, the boxes of the move among them",
                ),
                text("note", "what kind of a move it is"),
            ],
        );
        for (ply, step) in (1usize..).zip(line) {
            table.push(vec![
                ply.into(),
                letter(step.player).to_string().into(),
                self.question.board.line_name(step.line).into(),
                step.taken.into(),
                self.cell(step.score),
                step.kind.name().into(),
            ]);
        }
        Some(table)
    }

    /// The answer as JSON, with `null` for values that are unknown or were not requested.
    pub fn json(&self) -> Value {
        let name = |line: usize| self.question.board.line_name(line);
        let mv = |mv: &EvaluatedMove| {
            let score = self.score_of(mv);
            json!({
                "move": name(mv.mv),
                "score": number(score),
                "best": score == self.value(),
                "takes": mv.facts.taken,
                "note": mv.facts.kind.name(),
                "loony": mv.facts.loony.map(letter),
            })
        };
        let step = |step: &Step| {
            json!({
                "player": letter(step.player),
                "move": name(step.line),
                "takes": step.taken,
                "score": number(step.score),
                "note": step.kind.name(),
            })
        };
        let moves =
            self.evaluation.moves.as_ref().map(|moves| moves.iter().map(mv).collect::<Value>());
        let line = self.line.as_ref().map(|line| line.iter().map(step).collect::<Value>());
        let facts = self.evaluation.facts;
        json!({
            "rules": self.rules().fields,
            "board": self.question.board.to_string(),
            "position": self.position(),
            "penalty": penalty_json(self.question.penalty),
            "to_move": self.question.to_move().to_string(),
            "value": number(self.value()),
            "value_exact": self.value().to_string(),
            "score_so_far": self.lead(),
            "final_score": self.final_score().map(number),
            "loony": facts.loony.map(letter),
            "nimstring": facts.nimber.map(|nimber| match nimber {
                Nimber::Heap(size) => json!(size),
                Nimber::Loony => json!("loony"),
            }),
            "moves": moves,
            "line": line,
        })
    }
}

/// A score as a number: exact, or with six decimals if it has no finite decimal form.
fn number(score: Score) -> Value {
    let text = score.to_string();
    let number: Result<Number, _> = match text.contains('/') {
        true => format!("{:.DECIMALS$}", score.to_f64()).parse(),
        false => text.parse(),
    };
    number.map_or(Value::Null, Value::Number)
}

fn penalty_json(penalty: Penalty) -> Value {
    number(penalty.score())
}
