//! Verdicts, moves and ends of games in words.

use bsq_engine::game::{Game, Notation, Player};
use bsq_games::rpsw::{GameRecord, Move, Piece, Position, Rules, Verdict};

/// From how many times on a position is worth a word.
const OFTEN: usize = 3;

/// What a position, or a move, is worth to the player to move: `won in 13`.
pub fn short(verdict: Verdict) -> String {
    match verdict.plies() {
        Some(plies) => format!("{} in {plies}", verdict.result()),
        None => verdict.result().to_string(),
    }
}

/// What a position is worth, for readers who look on.
pub fn verdict(verdict: Verdict, to_move: Player) -> String {
    let wins = |player: Player, plies: u32| {
        let unit = if plies == 1 { "ply" } else { "plies" };
        format!("The {player} player wins in {plies} {unit}")
    };
    match verdict {
        Verdict::Won(plies) => wins(to_move, plies),
        Verdict::Lost(plies) => wins(to_move.other(), plies),
        Verdict::Drawn => "Drawn with best play".to_string(),
    }
}

/// How the game has ended, if it has.
pub fn ending(rules: &Rules, position: &Position) -> Option<String> {
    let Some(winner) = rules.winner(position) else {
        let player = position.to_move;
        let stuck = rules.moves(position).is_empty();
        return stuck.then(|| format!("The game is drawn: the {player} player cannot move"));
    };
    let [own, _] = position.seen_by(winner);
    let through = |kind: &Piece| {
        own[kind.index()].filter(|&square| usize::from(square) >= rules.open_squares())
    };
    let how = match Piece::ALL.into_iter().find_map(|kind| Some((kind, through(&kind)?))) {
        Some((kind, square)) => {
            let square = rules.square_name(rules.counted_by(winner, square));
            let verb = if kind == Piece::Scissors { "have" } else { "has" };
            format!("the {} {verb} reached {square}, on the other side", kind.name())
        }
        None => format!("the {} player has no piece left", winner.other()),
    };
    Some(format!("The {winner} player has won: {how}"))
}

/// What a move takes.
pub fn taken(rules: &Rules, position: &Position, mv: Move) -> Option<(Player, Piece)> {
    rules.piece_on(position, mv.to)
}

/// A move and what it takes: `b1b2, taking the rock`.
pub fn told(rules: &Rules, position: &Position, mv: Move) -> String {
    let name = rules.format_move(mv);
    match taken(rules, position, mv) {
        Some((_, kind)) => format!("{name}, taking the {}", kind.name()),
        None => name,
    }
}

/// What a move gives away, if it does.
pub fn warning(rules: &Rules, mv: Move, before: Verdict, now: Verdict) -> Option<String> {
    let mv = rules.format_move(mv);
    let [then, plies] = [before, now].map(|verdict| verdict.plies().unwrap_or(0));
    match (before, now) {
        _ if before == now => None,
        (Verdict::Won(_), Verdict::Won(_)) => Some(format!("{mv} wins in {plies}, not in {then}")),
        (Verdict::Lost(_), Verdict::Lost(_)) => {
            Some(format!("{mv} loses in {plies} already, not in {then}"))
        }
        _ => Some(format!("{mv} is a mistake: what was {} is {}", short(before), short(now))),
    }
}

/// Whether a move changes who wins.
pub fn is_mistake(before: Verdict, now: Verdict) -> bool {
    before.result() != now.result()
}

/// That a position comes up again and again.
pub fn repetition(line: &GameRecord) -> Option<String> {
    let times = line.times();
    let over = ending(line.rules(), line.position()).is_some();
    (times >= OFTEN && !over).then(|| format!("This position has come up {times} times"))
}

/// Moves one after another.
pub fn names(rules: &Rules, moves: impl Iterator<Item = Move>) -> String {
    let names: Vec<String> = moves.map(|mv| rules.format_move(mv)).collect();
    names.join(" ")
}

/// What each kind takes, a line each.
pub fn captures(rules: &Rules) -> Vec<String> {
    let taken_by = |kind: Piece| {
        let taken = Piece::ALL.into_iter().filter(|&other| rules.takes(kind, other));
        let taken: Vec<&str> = taken.map(Piece::name).collect();
        let taken = if taken.is_empty() { "nothing".to_string() } else { taken.join(" and ") };
        let verb = if kind == Piece::Scissors { "take" } else { "takes" };
        format!("{} {verb} {taken}", kind.name())
    };
    Piece::ALL.into_iter().map(taken_by).collect()
}
