//! Sentences about scores, players and ends of games.

use crate::dots::{Scored, Scores};
use bsq_engine::game::{Game, Notation, Player};
use bsq_games::dots::{GameRecord, Position, Rules, letter};

/// The width of lists.
const WIDTH: usize = 80;

/// A player with the letter of the boxes: `first player (A)`.
pub fn named(player: Player) -> String {
    format!("{player} player ({})", letter(player))
}

/// The game and the player to move.
pub fn heading(line: &GameRecord) -> String {
    let Rules { board, penalty, .. } = line.rules();
    let penalty = match penalty.floor() {
        0 => String::new(),
        penalty => format!(" with {penalty} for the last line"),
    };
    let player = line.position().to_move;
    let turn = match line.position().lines == board.all() {
        true => "the game is over".to_string(),
        false => format!("move {}: the {} to move", line.at() + 1, named(player)),
    };
    format!("Dots-and-Boxes {board}{penalty}, {turn}")
}

/// The boxes so far.
pub fn tally(rules: &Rules, position: &Position) -> String {
    let [first, second] = position.taken.map(u64::count_ones);
    let unknown = rules.board.closed(position.lines).count_ones() - first - second;
    let unknown = match unknown {
        0 => String::new(),
        unknown => format!(", {unknown} nobody knows whose"),
    };
    format!("Boxes: A {first}, B {second}{unknown}")
}

/// The sentence about the value of a position.
pub fn sentence(rules: &Rules, position: &Position, value: i32) -> String {
    let mover = position.to_move;
    match position.lead(&rules.board) {
        Some(lead) => match lead + mover.sign() * value {
            0 => "A tie with best play".to_string(),
            total => format!("The {} wins by {} with best play", winner(total), total.abs()),
        },
        None => format!("From here on {} for the {} with best play", signed(value), named(mover)),
    }
}

/// A score with its sign, unless it is 0.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_string() } else { format!("{score:+}") }
}

/// The sentence about the end of the game, if it has ended.
pub fn ending(rules: &Rules, position: &Position) -> Option<String> {
    let over = position.lines == rules.board.all();
    over.then(|| match rules.score(position) {
        0 => "The game is a tie".to_string(),
        score => format!("The {} has won by {}", winner(score), score.abs()),
    })
}

fn winner(score: i32) -> String {
    named(if score > 0 { Player::First } else { Player::Second })
}

/// The sentence about the cost of a move, if it has one.
pub fn warning(rules: &Rules, scores: &Scores, line: usize) -> Option<String> {
    let cost = scores.value? - scores.of(line)?;
    let unit = if cost == 1 { "point" } else { "points" };
    (cost > 0).then(|| format!("{} costs {cost} {unit}", rules.format_move(line)))
}

/// The best moves.
pub fn suggestions(rules: &Rules, scores: &Scores) -> String {
    match names(rules, scores.best()) {
        best if best.is_empty() => "Suggestions: none\n".to_string(),
        best => listed("Suggestions: ", &best),
    }
}

/// All moves, grouped by score, best first.
pub fn moves(rules: &Rules, scores: &Scores) -> String {
    let groups = scores.moves.chunk_by(|one, other| one.score == other.score);
    let group = |group: &[Scored]| {
        let score = group[0].score.map_or("?".to_string(), signed);
        listed(&format!("{score:>4}  "), &names(rules, group.iter()))
    };
    let list: String = groups.map(group).collect();
    if list.is_empty() { "none\n".to_string() } else { list }
}

fn names<'a>(rules: &Rules, moves: impl Iterator<Item = &'a Scored>) -> String {
    let names: Vec<String> = moves.map(|scored| rules.format_move(scored.line)).collect();
    names.join(" ")
}

/// A title and words, wrapped to the width of lists.
fn listed(title: &str, words: &str) -> String {
    let indent = " ".repeat(title.len());
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(title)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace);
    textwrap::fill(words, options) + "\n"
}
