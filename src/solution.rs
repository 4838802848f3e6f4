//! Positions with their values, in the form common to all commands.

use bsq_analyses::{rules_fields, rules_label};
use bsq_engine::game;
use bsq_engine::game::Player;
use bsq_games::british_square::{Cells, Evaluation, Move, Position, Rules, cells_of, symbol};
use serde_json::{Value, json};

/// Up to this number of cells, the values of all moves are computed by default, because that is
/// immediate.
pub const MAPPED_CELLS: usize = 25;

/// A position with its value and the values of its moves, if known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The rules.
    pub rules: Rules,
    /// The position.
    pub position: Position,
    /// The score under perfect play.
    pub value: Option<i32>,
    /// For each cell, the score after a move there. `None` for illegal moves.
    pub moves: Option<Vec<Option<i32>>>,
}

/// A legal move, or the pass, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The cell, or the pass.
    pub mv: Move,
    /// The score under perfect play after the move.
    pub value: i32,
    /// The points that the move loses compared with the best move.
    pub cost: i32,
}

impl Solution {
    /// A position without values.
    pub fn unknown(rules: Rules, position: Position) -> Solution {
        Solution { rules, position, value: None, moves: None }
    }

    /// Adds the values of an evaluation.
    pub fn with(self, evaluation: &Evaluation) -> Solution {
        let points = |value: Option<game::Value>| value.and_then(|value| value.points());
        let moves = evaluation.moves.as_ref().map(|moves| {
            let mut by_cell = vec![None; self.rules.board.cells()];
            for evaluated in moves {
                if let Move::Place(cell) = evaluated.mv {
                    by_cell[cell] = points(evaluated.value);
                }
            }
            by_cell
        });
        Solution { value: points(evaluation.value), moves, ..self }
    }

    /// The legal moves from best to worst, then by tile. Empty if the game is over or the values
    /// are unknown.
    pub fn choices(&self) -> Vec<Choice> {
        let Some(best) = self.value else { return Vec::new() };
        if self.must_pass() {
            return vec![Choice { mv: Move::Pass, value: best, cost: 0 }];
        }
        let sign = self.position.to_move.sign();
        let choice = |(cell, value): (usize, &Option<i32>)| {
            let mv = Move::Place(cell);
            value.map(|value| Choice { mv, value, cost: sign * (best - value) })
        };
        let moves = self.moves.iter().flatten().enumerate();
        let mut choices: Vec<Choice> = moves.filter_map(choice).collect();
        choices.sort_by_key(|choice| (choice.cost, choice.mv));
        choices
    }

    /// The perfect moves, sorted by tile.
    pub fn perfect(&self) -> Vec<Move> {
        let choices = self.choices();
        choices.iter().filter(|choice| choice.cost == 0).map(|choice| choice.mv).collect()
    }

    /// Whether the position is terminal.
    pub fn is_over(&self) -> bool {
        self.rules.is_terminal(&self.position)
    }

    /// Whether the player to move must pass.
    pub fn must_pass(&self) -> bool {
        self.rules.moves(&self.position) == [Move::Pass]
    }

    /// The empty cells adjacent to a player's pieces, on which the opponent may not play.
    pub fn claimed(&self, player: Player) -> Cells {
        let [own, opponent] = self.position.seen_by(player);
        self.rules.board.neighbours(own) & !(own | opponent)
    }

    fn coordinate(&self, mv: Move) -> Option<String> {
        match mv {
            Move::Place(cell) => Some(self.rules.board.coordinate(cell)),
            Move::Pass => None,
        }
    }

    /// A move as JSON: a tile number, or `"pass"`.
    pub fn move_json(&self, mv: Move) -> Value {
        match mv {
            Move::Place(cell) => self.rules.board.tile(cell).into(),
            Move::Pass => "pass".into(),
        }
    }

    /// Formats the solution as JSON, with `null` for unknown values.
    pub fn json(&self) -> Value {
        let moves = self.choices().into_iter().map(|choice| {
            json!({
                "move": self.move_json(choice.mv),
                "coordinate": self.coordinate(choice.mv),
                "value": choice.value,
                "cost": choice.cost,
                "perfect": choice.cost == 0,
            })
        });
        let legal = self.rules.moves(&self.position).into_iter().map(|mv| self.move_json(mv));
        let tiles = |player| -> Vec<usize> {
            cells_of(self.claimed(player)).map(|cell| self.rules.board.tile(cell)).collect()
        };
        json!({
            "rules": rules_fields(&self.rules),
            "position": self.rules.format_position(&self.position),
            "turn": self.position.turn,
            "to_move": self.position.to_move.name(),
            "game_over": self.is_over(),
            "score": self.rules.score(&self.position),
            "claimed": { "first": tiles(Player::First), "second": tiles(Player::Second) },
            "legal": legal.collect::<Vec<_>>(),
            "value": self.value,
            "moves": self.moves.as_ref().map(|_| moves.collect::<Vec<_>>()),
        })
    }

    /// Describes the result of the game, or that of perfect play.
    pub fn verdict(&self) -> String {
        match self.value {
            None if self.is_over() => {
                score_in_words(self.rules.score(&self.position), "has won", "A tie")
            }
            None => "The value is not known".to_string(),
            Some(value) if self.is_over() => score_in_words(value, "has won", "A tie"),
            Some(value) => score_in_words(value, "wins", "Perfect play ties"),
        }
    }

    /// Returns a legal move with its value, if known.
    pub fn choice(&self, mv: Move) -> Option<Choice> {
        self.choices().into_iter().find(|choice| choice.mv == mv)
    }

    /// Describes the cost of a move that is known not to be perfect.
    pub fn warning(&self, mv: Move) -> Option<String> {
        let (before, choice) = (self.value?, self.choice(mv)?);
        let after = match (before.signum(), choice.value.signum()) {
            (one, same) if one == same => format!("a win by {}", choice.value.abs()),
            _ => result(choice.value),
        };
        let (mv, cost) = (self.rules.format_move(mv), points(choice.cost));
        let warning = || format!("{mv} costs {cost}: {} becomes {after}", result(before));
        (choice.cost > 0).then(warning)
    }

    /// Formats the rules, the player to move and the value.
    pub fn heading(&self) -> String {
        let player = self.position.to_move;
        let mut text = format!("{}, turn {}: ", rules_label(&self.rules), self.position.turn);
        match self.is_over() {
            true => text += "the game is over\n",
            false => text += &format!("{} to move, the {player} player\n", symbol(player)),
        }
        match self.value {
            None if !self.is_over() => text,
            _ => text + &format!("{}\n", self.verdict()),
        }
    }

    /// Formats the board, with the values beside it if known.
    pub fn picture(&self) -> String {
        let mut text = String::new();
        let map = self.map();
        for (row, board) in self.rules.format_rows(&self.position).iter().enumerate() {
            let values = map.get(row).map_or("", String::as_str);
            text += format!("    {}    {values}", spaced(board)).trim_end();
            text += "\n";
        }
        text
    }

    /// Formats a line for each cost with its moves.
    pub fn costs(&self) -> String {
        let mut text = String::new();
        for group in self.choices().chunk_by(|a, b| a.cost == b.cost) {
            let label = match group[0].cost {
                0 => "Perfect moves".to_string(),
                cost => format!("Costs {}", points(cost)),
            };
            let tiles: Vec<String> =
                group.iter().map(|choice| self.rules.move_name(choice.mv)).collect();
            text += &format!("{label}: {}\n", tiles.join(" "));
        }
        text
    }

    /// Formats the values as a board. A star marks a perfect move, a dash an illegal one.
    fn map(&self) -> Vec<String> {
        let best = self.choices().first().map(|choice| choice.value);
        let cell = |value: &Option<i32>| match value {
            Some(value) if Some(*value) == best => format!("{value}*"),
            Some(value) => format!("{value} "),
            None => "- ".to_string(),
        };
        let cells: Vec<String> = self.moves.iter().flatten().map(cell).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(0);
        let row = |row: &[String]| {
            row.iter().map(|cell| format!("{cell:>width$}")).collect::<Vec<_>>().join(" ")
        };
        cells.chunks(self.rules.board.cols()).map(row).collect()
    }
}

/// `1 point`, `2 points`.
pub fn points(count: i32) -> String {
    format!("{count} point{}", if count == 1 { "" } else { "s" })
}

/// Formats a value as a noun.
fn result(value: i32) -> String {
    match value {
        0 => "a tie".to_string(),
        1.. => format!("the first player's win by {value}"),
        _ => format!("the second player's win by {}", -value),
    }
}

fn score_in_words(value: i32, wins: &str, tie: &str) -> String {
    match value {
        0 => tie.to_string(),
        1.. => format!("The first player {wins} by {}", points(value)),
        _ => format!("The second player {wins} by {}", points(-value)),
    }
}

fn spaced(row: &str) -> String {
    row.chars().map(String::from).collect::<Vec<_>>().join(" ")
}
