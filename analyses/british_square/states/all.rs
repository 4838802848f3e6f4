//! The export of all states with their values and moves.

use crate::column::{integer, text, truth};
use crate::export::{Export, Rows};
use crate::{AnalysisError, Table, Texts, Values};
use bsq_engine::monitor::Monitor;
use bsq_engine::strong::{State, States};
use bsq_games::british_square::{BritishSquare, Cells, cells_of};
use std::ops::Range;

/// The export `states`.
pub const EXPORT: Export = Export {
    name: "states",
    summary: "every state: its pieces, its value, its legal and its perfect moves",
    table,
    begin,
};

fn table() -> Table {
    let mut table = Table::new(
        "all_states",
        "Every state with its value and its perfect moves",
        &[
            integer("turn", "number of the turn: moves and passes so far, plus one").key(),
            text("player", "who is to move: first or second"),
            integer(
                "first_cells",
                "cells with a piece of the first player, a bit each: 1 for tile 1, 2 for tile 2, 4 for tile 3, and so on",
            )
            .key(),
            integer("second_cells", "cells with a piece of the second player, likewise").key(),
            integer(
                "value",
                "score under perfect play: points of the first player minus those of the second",
            ),
            integer("moves", "number of legal moves; 0 for a pass and for the end of the game"),
            integer("move_cells", "cells of the legal moves, a bit each"),
            integer("perfect", "number of perfect moves: those that keep the value"),
            integer("perfect_cells", "cells of the perfect moves, a bit each"),
            truth("pass", "whether the player to move has to pass"),
            truth("over", "whether the game is over: neither player can move"),
            text(
                "position",
                "the position as text: rows from the top, X for the first player, O for the second, then who is to move",
            ),
        ],
    );
    table.note = Some(
        "A state is a position, its images under the board's symmetries taken as one, with the number of its turn. The image shown is the one with the smallest second_cells, and of several with these the one with the smallest first_cells. Rows are in order of turn, second_cells and first_cells."
            .to_string(),
    );
    table
}

fn begin(game: BritishSquare, monitor: &Monitor) -> Result<Box<dyn Rows>, AnalysisError> {
    let states = States::of(crate::british_square::solve(&game, monitor)?, monitor)?;
    Ok(Box::new(StateRows { game, states }))
}

struct StateRows {
    game: BritishSquare,
    states: States,
}

impl Rows for StateRows {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn batch(&self, rows: Range<usize>) -> Vec<Values> {
        let mut batch = Batch::default();
        self.states.show(&self.game, rows, |state| batch.push(&self.game, &state));
        batch.values()
    }
}

/// The columns of a batch of rows.
#[derive(Default)]
struct Batch {
    turn: Vec<i8>,
    player: Texts,
    pieces: [Vec<i32>; 2],
    value: Vec<i8>,
    moves: Vec<i8>,
    move_cells: Vec<i32>,
    perfect: Vec<i8>,
    perfect_cells: Vec<i32>,
    pass: Vec<bool>,
    over: Vec<bool>,
    position: Texts,
}

impl Batch {
    fn push(&mut self, game: &BritishSquare, state: &State) {
        let position = game.position(state.key);
        let perfect = perfect(state);
        self.turn.push(position.turn as i8);
        self.player.push(position.to_move.name());
        for (column, cells) in self.pieces.iter_mut().zip(position.pieces) {
            column.push(cells as i32);
        }
        self.value.push((state.value - game.rules().bias) as i8);
        self.moves.push(state.moves.count_ones() as i8);
        self.move_cells.push(state.moves as i32);
        self.perfect.push(perfect.count_ones() as i8);
        self.perfect_cells.push(perfect as i32);
        self.pass.push(state.moves == 0 && !state.values.is_empty());
        self.over.push(state.values.is_empty());
        self.position.push_with(|text| game.rules().push_position(&position, text));
    }

    /// The columns in the order of the table.
    fn values(self) -> Vec<Values> {
        let [first, second] = self.pieces;
        vec![
            Values::Tiny(self.turn),
            Values::Text(self.player),
            Values::Integer(first),
            Values::Integer(second),
            Values::Tiny(self.value),
            Values::Tiny(self.moves),
            Values::Integer(self.move_cells),
            Values::Tiny(self.perfect),
            Values::Integer(self.perfect_cells),
            Values::Truth(self.pass),
            Values::Truth(self.over),
            Values::Text(self.position),
        ]
    }
}

/// The cells of the moves that keep the value.
fn perfect(state: &State) -> Cells {
    let moves = cells_of(state.moves).zip(state.values);
    let keep = moves.filter(|(_, value)| i32::from(**value) == state.value);
    keep.fold(0, |cells, (cell, _)| cells | 1 << cell)
}
