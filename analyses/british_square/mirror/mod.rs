//! Whether the second player holds a tie by mirroring, and where another reply is better.

use super::Asked;
use crate::chart::{Chart, Figure};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::definition::Definition as _;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::strong::Solved;
use bsq_engine::tabulate;
use bsq_games::british_square::{BritishSquare, Cells, Definition, Move, Position, Rules};
use dashmap::DashSet;

/// A dot for each opening and turn. Lines would need more colours than there are.
pub const BY_TURN_CHART: Chart = Chart {
    x: "turn",
    y: &["tile"],
    by: Some("positions"),
    x_label: "turn",
    y_label: "positions in which every move has been mirrored",
    rows_label: "tile of the first move",
    blank: "no such position",
    ..Chart::new(
        "mirror_by_turn",
        Figure::Map,
        "Mirror play leads to up to {most} positions at a turn",
    )
};

/// The analysis `mirror`. See the [module](self).
pub fn analysis() -> Analysis {
    super::solving(
        "mirror",
        "mirror play after the tied openings, and where leaving the mirror does better",
        [],
        |asked| Some(asked.visiting(5e6)),
        run,
    )
    .with_charts(&[&BY_TURN_CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let game = asked.game()?;
    let solved = super::solve(&game, monitor)?;
    let rules = &asked.rules;
    let board = &rules.board;
    // The bias is ignored: an opening ties if both players end with the same number of pieces.
    let level = Some(-rules.bias);
    let values = game.move_values(&solved, &rules.start());
    let tied = (0..board.cells()).filter(|&cell| values[cell] == level);
    let monitor = &monitor.holding(solved.bytes());
    let walks = tied.map(|cell| {
        monitor.begin("mirrored turns", board.cells() as u64);
        Ok((cell, Walk::from_opening(&game, &solved, cell, monitor)?))
    });
    let walks: Vec<(usize, Walk)> = walks.collect::<Result<_, SolveError>>()?;
    let title = "Mirroring the tied openings";
    let mut openings = tabulate!("mirror", title, for (cell, walk) in &walks => {
        let total = walk.total();
        let first_better = walk.turns.iter().find(|turn| turn.better > 0);
        let example = first_better.and_then(|turn| turn.example);
        "tile": integer key, "the opening: tile number, 1 at the top left, by rows"
            => board.tile(*cell);
        "coordinate": text, "the same as column letter and row number" => board.coordinate(*cell);
        "holds": truth, "whether the mirrored reply was legal against everything and every game \
            ended level in pieces" => walk.holds;
        "positions": integer,
            "different positions on the second player's turn, images not merged"
            => total.positions;
        "ends": integer, "different final positions of mirrored games" => walk.ends;
        "better": integer, "positions where another reply does better than the mirror, under \
            perfect play from there" => total.better;
        "gain_most": integer, "points that the best of these gains" => total.gain_most;
        "better_first_turn": integer,
            "the earliest turn with such a position; 0 if there is none"
            => first_better.map_or(0, |turn| turn.turn);
        "example": text, "the first such position on that turn; empty if there is none"
            => example.map(|position| rules.format_position(&position));
        "example_replies": text, "tiles of the best replies there; empty if there is no such position"
            => example.map(|position| best_replies(&game, &solved, &position));
    });
    openings.set_main_columns([
        "tile",
        "coordinate",
        "holds",
        "positions",
        "ends",
        "better",
        "gain_most",
        "better_first_turn",
    ]);
    openings.note = finding(rules, &walks);
    let rows =
        walks.iter().flat_map(|(cell, walk)| walk.turns.iter().map(move |turn| (cell, turn)));
    let title = "Mirroring, turn by turn";
    let turns = tabulate!("mirror_by_turn", title, for (cell, turn) in rows => {
        "tile": integer key, "the opening: tile number" => board.tile(*cell);
        "turn": integer key, "number of the turn on which the second player replies" => turn.turn;
        "positions": integer, "different positions on that turn" => turn.positions;
        "better": integer, "of these, where another reply does better" => turn.better;
        "gain_most": integer, "points that the best of these gains" => turn.gain_most;
    });
    Ok(vec![openings, turns])
}

/// What the walks say together.
fn finding(rules: &Rules, walks: &[(usize, Walk)]) -> Option<String> {
    if walks.is_empty() {
        return Some("No opening ties in pieces.".to_string());
    }
    let holds = walks.iter().all(|(_, walk)| walk.holds && walk.total().better == 0);
    let mut finding = holds.then(|| {
        "Mirroring holds the tie, and as long as all moves are mirrored no other reply does better."
            .to_string()
    })?;
    if *rules == Definition.rules() {
        finding += " So the first player makes no mistake that the second player could punish by \
                    leaving the mirror, which Wellons (2020) takes to be possible.";
    }
    Some(finding)
}

/// All games from one opening in which the second player mirrors, enumerated turn by turn.
struct Walk {
    holds: bool,
    ends: u64,
    turns: Vec<Turn>,
}

/// The positions of one turn of the second player.
#[derive(Clone, Copy, Default)]
struct Turn {
    turn: u32,
    positions: u64,
    better: u64,
    gain_most: i32,
    /// The least position, ordered by pieces, in which another reply is better.
    example: Option<Position>,
}

/// The number of positions in a task of a thread.
const CHUNK: usize = 1024;
/// About how many bytes a position of the next turn takes: in a set with spare room, and in a list.
const BYTES_OF_A_POSITION: u64 = 3 * size_of::<Position>() as u64;

impl Walk {
    fn from_opening(
        game: &BritishSquare,
        solved: &Solved,
        cell: usize,
        monitor: &Monitor,
    ) -> Result<Walk, SolveError> {
        let rules = game.rules();
        let mut walk = Walk { holds: true, ends: 0, turns: Vec::new() };
        let mut level = vec![rules.play(&rules.start(), Move::Place(cell))];
        while !level.is_empty() {
            monitor.check()?;
            walk.turns.push(turn_of(game, solved, &level));
            let ends = DashSet::new();
            let next = DashSet::new();
            let check = || {
                let found = (ends.len() + next.len()) as u64;
                let bytes = size_of_val(&level[..]) as u64 + BYTES_OF_A_POSITION * found;
                monitor.check()?;
                monitor.allow_for(bytes, found, "positions of a turn")
            };
            let holds = |position: &Position| {
                let Some(mirrored) = mirror(game, position) else { return false };
                let moves = rules.moves(&mirrored);
                if rules.is_terminal(&mirrored) {
                    ends.insert(mirrored);
                    return mirrored.lead() == 0;
                }
                for mv in moves {
                    next.insert(rules.play(&mirrored, mv));
                }
                true
            };
            // Every position is visited, also after one where mirroring fails.
            let held = parallel::try_map(level.chunks(CHUNK), |positions| {
                check()?;
                Ok::<_, SolveError>(positions.iter().map(holds).fold(true, |all, held| all & held))
            })?;
            check()?;
            walk.holds &= !held.contains(&false);
            walk.ends += ends.len() as u64;
            level = next.into_iter().collect();
            level.sort_unstable();
            monitor.advance(1);
        }
        Ok(walk)
    }

    /// The sum over all turns.
    fn total(&self) -> Turn {
        self.turns.iter().fold(Turn::default(), |total, turn| Turn {
            positions: total.positions + turn.positions,
            better: total.better + turn.better,
            gain_most: total.gain_most.max(turn.gain_most),
            ..total
        })
    }
}

/// Returns the position after the second player's point reflection of the last move; `None` if that
/// is illegal.
fn mirror(game: &BritishSquare, position: &Position) -> Option<Position> {
    let rules = game.rules();
    let answered = opposite(game, position.pieces[1]);
    let answer = opposite(game, position.pieces[0] & !answered);
    let legal = rules.legal(position, position.to_move);
    let single = answer.count_ones() == 1 && answer & !legal == 0;
    single.then(|| rules.play(position, Move::Place(answer.trailing_zeros() as usize)))
}

fn opposite(game: &BritishSquare, cells: Cells) -> Cells {
    let board = &game.rules().board;
    cells.reverse_bits() >> (Cells::BITS as usize - board.cells())
}

/// Compares the values of the positions of a turn with the score of 0 that mirroring gives.
fn turn_of(game: &BritishSquare, solved: &Solved, level: &[Position]) -> Turn {
    let judged = |position: &Position| {
        let value = solved.get(game.node(position).smallest()).expect("play reaches it");
        (-value, *position)
    };
    let gains = parallel::map(level.chunks(CHUNK), |positions| {
        let judged = positions.iter().map(judged);
        judged.filter(|(gain, _)| *gain > 0).collect::<Vec<(i32, Position)>>()
    });
    let gains = gains.concat();
    Turn {
        turn: level[0].turn,
        positions: level.len() as u64,
        better: gains.len() as u64,
        gain_most: gains.iter().map(|(gain, _)| *gain).max().unwrap_or(0),
        example: gains.iter().map(|(_, position)| *position).min(),
    }
}

/// Formats the second player's perfect moves as tile numbers.
fn best_replies(game: &BritishSquare, solved: &Solved, position: &Position) -> String {
    let values = game.move_values(solved, position);
    let best = values.iter().flatten().min().copied();
    let tiles = (1..).zip(&values).filter(|(_, value)| value.is_some() && **value == best);
    tiles.map(|(tile, _): (u32, _)| tile.to_string()).collect::<Vec<_>>().join(" ")
}
