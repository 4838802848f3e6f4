//! What was found about a position, as tables and JSON.

use super::question::Question;
use crate::output::{Answer, Described};
use bsq_analyses::column::{integer, text, truth};
use bsq_analyses::{Cell, Column, Kind, Table};
use bsq_engine::game::Player;
use bsq_engine::score::Score;
use bsq_games::dots::Nimber;
use bsq_games::dots::search::{Choice, Loony, Step};
use bsq_games::dots::{NAME, Penalty, format_position, letter};
use serde_json::{Number, Value, json};

/// Decimals of a score that has no end.
const DECIMALS: usize = 6;

/// A position with its value, and with its moves and a line of best play if asked for.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The position.
    pub question: Question,
    /// Points still to come, the mover's minus the other player's.
    pub value: Score,
    /// First player's boxes minus the second player's so far, if that is known.
    pub lead: Option<i32>,
    /// Whether marks were asked for.
    pub marks: bool,
    /// Who must make the next loony move, if that is known.
    pub loony: Option<Loony>,
    /// The value in Nimstring, if asked for.
    pub nimber: Option<Nimber>,
    /// Every move, best first.
    pub moves: Option<Vec<Choice>>,
    /// A line of best play.
    pub line: Option<Vec<Step>>,
}

impl Solved {
    /// For CSV, files and manifests. The moves come first if there are any.
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

    /// First player's points minus the second player's at the end, if that is known.
    pub(super) fn final_score(&self) -> Option<Score> {
        let to_come = match self.question.position.to_move {
            Player::First => self.value,
            Player::Second => -self.value,
        };
        self.lead.map(|lead| to_come - -lead)
    }

    /// How scores are written in columns.
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

    /// Who must make the next loony move, `A` or `B`; none if nobody must, or that is not known.
    pub(super) fn loony_player(&self, loony: Option<Loony>) -> Option<char> {
        let mover = self.question.position.to_move;
        match loony? {
            Loony::Mover => Some(letter(mover)),
            Loony::Other => Some(letter(mover.other())),
            Loony::Nobody => None,
        }
    }

    /// The mark behind a score: `v` if A must make the next loony move, `^` if B must.
    pub(super) fn mark(&self, loony: Option<Loony>) -> &'static str {
        match self.loony_player(loony) {
            Some('A') => "v",
            Some(_) => "^",
            None => "",
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
            self.cell(self.value),
            self.lead.into(),
            self.final_score().map_or(Cell::Empty, |score| self.cell(score)),
        ]);
        table
    }

    fn moves_table(&self) -> Option<Table> {
        let moves = self.moves.as_ref()?;
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
        for choice in moves {
            let mut row = vec![
                self.question.board.line_name(choice.line).into(),
                self.cell(choice.score),
                (choice.score == self.value).into(),
                choice.taken.into(),
                choice.note.name().into(),
            ];
            if self.marks {
                let player = self.loony_player(choice.loony);
                row.push(player.map_or(Cell::Empty, |player| player.to_string().into()));
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
                step.note.name().into(),
            ]);
        }
        Some(table)
    }

    /// Everything, with `null` for what is not known or was not asked for.
    pub fn json(&self) -> Value {
        let name = |line: usize| self.question.board.line_name(line);
        let choice = |choice: &Choice| {
            json!({
                "move": name(choice.line),
                "score": number(choice.score),
                "best": choice.score == self.value,
                "takes": choice.taken,
                "note": choice.note.name(),
                "loony": self.loony_player(choice.loony),
            })
        };
        let step = |step: &Step| {
            json!({
                "player": letter(step.player).to_string(),
                "move": name(step.line),
                "takes": step.taken,
                "score": number(step.score),
                "note": step.note.name(),
            })
        };
        let moves = self.moves.as_ref().map(|moves| moves.iter().map(choice).collect::<Vec<_>>());
        let line = self.line.as_ref().map(|line| line.iter().map(step).collect::<Vec<_>>());
        json!({
            "rules": self.rules().fields,
            "board": self.question.board.to_string(),
            "position": self.position(),
            "penalty": penalty_json(self.question.penalty),
            "to_move": self.question.to_move().to_string(),
            "value": number(self.value),
            "value_exact": self.value.to_string(),
            "score_so_far": self.lead,
            "final_score": self.final_score().map(number),
            "loony": self.loony_player(self.loony),
            "nimstring": self.nimber.map(|nimber| match nimber {
                Nimber::Heap(size) => json!(size),
                Nimber::Loony => json!("loony"),
            }),
            "moves": moves,
            "line": line,
        })
    }
}

/// A score as a number: exactly, or, where it has no end, with six decimals.
fn number(score: Score) -> Value {
    let text = score.to_string();
    let number: Result<Number, _> = match text.contains('/') {
        true => format!("{:.DECIMALS$}", score.to_f64()).parse(),
        false => text.parse(),
    };
    number.map_or(Value::Null, Value::Number)
}

fn penalty_json(penalty: Penalty) -> Value {
    number(Score::new(penalty.numerator(), penalty.denominator()))
}
