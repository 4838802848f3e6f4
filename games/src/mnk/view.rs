//! Drawings of positions as text.

use super::rules::{Position, Rules};
use bsq_engine::game::Notation;

impl Rules {
    /// Draws a position: letters above the columns, numbers left of the rows, and in a cell `X`
    /// (first player), `O` (second player) or `.` (empty). At most 52 characters wide.
    ///
    /// ```
    /// use bsq_engine::game::Notation;
    /// use bsq_games::mnk::Rules;
    ///
    /// let rules = Rules::new(2, 3, 2).unwrap();
    /// let position = rules.parse_position("X../.O.").unwrap();
    /// assert_eq!(rules.drawing(&position), "  a b c\n1 X . .\n2 . O .\n");
    /// ```
    pub fn drawing(&self, position: &Position) -> String {
        let margin = self.board().rows().to_string().len();
        let line = |label: &str, cells: &str| {
            let cells: String = cells.chars().flat_map(|cell| [' ', cell]).collect();
            format!("{label:>margin$}{cells}\n")
        };
        let letters: String = ('a'..='z').take(self.board().cols()).collect();
        let rows = self.format_position(position);
        let rows = rows.split('/').zip(1..).map(|(row, number)| line(&number.to_string(), row));
        line("", &letters) + &rows.collect::<String>()
    }
}
