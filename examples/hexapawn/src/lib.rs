//! Hexapawn on 3x3 (Martin Gardner, Scientific American, March 1962).

use bsq_engine::definition::{Explorable, Info};
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::record::{RecordFormat, Recorded};
use bsq_engine::view::{Scene, View, coordinate};

/// The rules.
#[derive(Clone)]
pub struct Hexapawn;
/// The nine cells from the top left, and the player to move, whose pawns move up if it is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board([Option<Player>; 9], Player);

/// An invalid text, or an illegal move.
#[derive(Clone, Debug, thiserror::Error)]
#[error("'{0}' {1}")]
pub struct Invalid(String, &'static str);
const LETTERS: [&str; 2] = ["X", "O"];

fn arrived(Board(cells, _): &Board) -> Option<Player> {
    let row = |player| if player == Player::First { 0..3 } else { 6..9 };
    Player::BOTH.into_iter().find(|&player| cells[row(player)].contains(&Some(player)))
}

impl Game for Hexapawn {
    type Position = Board;
    type Move = (usize, usize);

    fn start(&self) -> Board {
        let row = |row| [Some(Player::Second), None, Some(Player::First)][row];
        Board(std::array::from_fn(|cell| row(cell / 3)), Player::First)
    }

    fn to_move(&self, board: &Board) -> Player {
        board.1
    }

    fn moves(&self, board @ &Board(cells, mover): &Board) -> Vec<(usize, usize)> {
        let is_move = |&(from, to): &(usize, usize)| {
            let forward = (from / 3) as i32 - (to / 3) as i32 == mover.sign();
            let side = (from % 3).abs_diff(to % 3);
            let fits = side < 2 && cells[to] == [None, Some(mover.other())][side];
            forward && fits && cells[from] == Some(mover) && arrived(board).is_none()
        };
        (0..81).map(|pair| (pair / 9, pair % 9)).filter(is_move).collect()
    }

    fn play(&self, &Board(mut cells, mover): &Board, (from, to): (usize, usize)) -> Board {
        (cells[from], cells[to]) = (None, Some(mover));
        Board(cells, mover.other())
    }

    fn result(&self, board: &Board) -> Option<Value> {
        let winner = arrived(board).unwrap_or(board.1.other());
        self.moves(board).is_empty().then(|| Value::win(winner, 0))
    }
}

impl Notation for Hexapawn {
    type Error = Invalid;

    fn format_position(&self, Board(cells, mover): &Board) -> String {
        let letter = |cell: &Option<Player>| cell.map_or(".", |player| LETTERS[player.index()]);
        let row = |row: usize| cells[3 * row..][..3].iter().map(letter).collect::<String>();
        format!("{}/{}/{} {}", row(0), row(1), row(2), LETTERS[mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<Board, Invalid> {
        let player = |letter| Some(Player::BOTH["XO".find(letter)?]);
        let mut cells: Vec<_> = text.replace(['/', ' '], "").chars().map(player).collect();
        let mover = cells.pop().flatten();
        let board = mover.and_then(|mover| Some(Board(cells.try_into().ok()?, mover)));
        let board = board.filter(|board| self.format_position(board) == text);
        board.ok_or_else(|| Invalid(text.into(), "is not a position such as 'OOO/.../XXX X'"))
    }

    fn format_move(&self, _: &Board, (from, to): (usize, usize)) -> String {
        coordinate(from / 3, from % 3) + &coordinate(to / 3, to % 3)
    }

    fn parse_move(&self, board: &Board, text: &str) -> Result<(usize, usize), Invalid> {
        let mv = (0..81).map(|it| (it / 9, it % 9)).find(|&mv| self.format_move(board, mv) == text);
        mv.ok_or_else(|| Invalid(text.into(), "is not a move such as a3a2"))
    }
}

impl Recorded for Hexapawn {
    type MoveError = Invalid;

    fn format(&self) -> &RecordFormat {
        static FORMAT: RecordFormat = RecordFormat::without_options("Hexapawn", "moves: a3a2");
        &FORMAT
    }

    fn illegal_move(&self, board: &Board, mv: (usize, usize)) -> Invalid {
        Invalid(self.format_move(board, mv), "is not legal here")
    }
}

impl View for Hexapawn {
    fn scene(&self, Board(cells, _): &Board) -> Scene {
        Scene::of_pieces(3, 3, LETTERS, |cell| cells[cell])
    }

    fn places(&self, _: &Board, (from, to): (usize, usize)) -> Vec<String> {
        [from, to].map(|cell| coordinate(cell / 3, cell % 3)).into()
    }
}

impl Explorable for Hexapawn {
    fn info(&self) -> &Info {
        static INFO: Info = Info::new(
            "hexapawn",
            "Hexapawn",
            "Three pawns each on a 3x3 board",
            "Pawns move as in chess. Reach the far row or leave no move to win.",
        );
        &INFO
    }
}
