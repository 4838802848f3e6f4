//! Sentences about values and moves, and drawings of boards with values.

use crate::output::screen;
use bsq_api::{Answer, Class, Cost, Fact, Label, MoveAnswer, Player, Score, Session, ValueAnswer};
use bsq_engine::text::time_span;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The facts of answers.
type Facts = BTreeMap<String, Fact>;

/// What the evaluation of the current position of a session is going to do.
pub fn plan(session: &dyn Session) -> String {
    let plan = match (session.cost(), session.estimate()) {
        (Cost::LookUp, _) => "the value is looked up in a table",
        (Cost::Quick, _) => "the value is searched, which takes less than a second",
        (Cost::Search, Some(estimate)) => {
            let about = time_span(estimate.max(Duration::from_secs(1)));
            return format!("the value is searched, which takes about {about}");
        }
        (Cost::Search, None) => "the value is searched, which may take long",
        (Cost::Build, _) => "a table of all positions that may follow is built",
        (Cost::Refused { .. }, _) => "the value is not found",
    };
    plan.to_string()
}

fn counted(number: impl ToString, noun: &str, plural: &str) -> String {
    let number = number.to_string();
    let noun = if number == "1" { noun } else { plural };
    format!("{number} {noun}")
}

/// A value: `the first player wins by 2 points`, `the second player wins in 5 plies`, `a draw`.
pub fn value(value: &ValueAnswer) -> String {
    let Some(winner) = value.winner() else {
        return format!("a {}", value.outcome.name());
    };
    let mut text = format!("the {winner} player wins");
    if let Some(score) = value.score {
        text += &format!(" by {}", counted(score.abs(), "point", "points"));
    }
    if let Some(plies) = value.plies.filter(|&plies| plies > 0) {
        text += &format!(" in {}", counted(plies, "ply", "plies"));
    }
    text
}

/// The points to come: `the first player makes 2 points more from here on`.
fn to_come(score: Score) -> String {
    match score.signum() {
        0 => "both players make the same number of points from here on".to_string(),
        sign => {
            let player = if sign > 0 { "first" } else { "second" };
            let points = counted(score.abs(), "point", "points");
            format!("the {player} player makes {points} more from here on")
        }
    }
}

/// A text with a capital at its beginning.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// What is proved of a value that is not known: `the score is from -2 to 1`.
fn bounds(answer: &Answer) -> Option<String> {
    if let Some(bounds) = &answer.bounds {
        return Some(bounds.words.clone());
    }
    let (least, most) = (answer.to_come_min?, answer.to_come_max?);
    Some(format!("the score from here on is from {least} to {most}"))
}

/// The value of a position, as a sentence without a full stop.
pub fn verdict(answer: &Answer) -> String {
    match (&answer.value, &answer.to_come, answer.is_over) {
        (Some(known), _, true) => match known.winner() {
            Some(_) => sentence(&value(known).replace("wins", "has won")),
            None => format!("The game is {}", value(known)),
        },
        (Some(known), ..) if known.winner().is_some() => sentence(&value(known)),
        (Some(known), ..) => format!("Best play ends in {}", value(known)),
        (None, Some(points), _) => sentence(&to_come(*points)),
        (None, None, _) => match (bounds(answer), &answer.cost) {
            (Some(bounds), _) => format!("{}; more is not proved yet", sentence(&bounds)),
            (None, Cost::Refused { reason }) => format!("The value is not known: {reason}"),
            (None, _) if !answer.is_complete => "Nothing is proved yet".to_string(),
            (None, _) => "The value is not known".to_string(),
        },
    }
}

/// A paragraph for each value and each set of facts with its moves, the best first and emphasized.
pub fn moves(answer: &Answer, emphasized: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for group in answer.moves.chunk_by(|a, b| (a.value, a.to_come) == (b.value, b.to_come)) {
        let mut rest: Vec<&MoveAnswer> = group.iter().collect();
        while let Some(first) = rest.first().copied() {
            let (same, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|mv| mv.facts == first.facts);
            let names: Vec<String> = same.iter().map(|mv| mv.name.clone()).collect();
            let facts = facts(&first.facts).filter(|(_, fact)| fact != "0");
            let facts: Vec<String> = facts.map(|(name, fact)| format!("{name}: {fact}")).collect();
            let facts =
                if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
            let mut label = label(first, answer.is_complete);
            if first.class == Some(Class::Best) {
                label = emphasized(&label);
            }
            let _ = writeln!(text, "{}", wrapped(&format!("{label}{facts}: "), &names));
            rest = others;
        }
    }
    text
}

/// The facts that are known, with their names in words.
pub fn facts(facts: &Facts) -> impl Iterator<Item = (String, String)> {
    facts.iter().filter_map(|(name, known)| Some((name.replace('_', " "), known.text()?)))
}

/// A beginning followed by words, in lines of the width of a screen.
pub fn wrapped(beginning: &str, words: &[String]) -> String {
    let options = screen::wrapping(screen::WIDTH).subsequent_indent("  ").break_words(false);
    textwrap::fill(&format!("{beginning}{}", words.join(" ")), options)
}

/// The value of a move in words. `is_complete` is whether all values that were requested are known.
fn label(mv: &MoveAnswer, is_complete: bool) -> String {
    let effect = match (&mv.value, mv.to_come) {
        (Some(known), _) => value(known),
        (None, Some(points)) => to_come(points),
        (None, None) if !is_complete => return "Not known yet".to_string(),
        (None, None) => return "Legal moves".to_string(),
    };
    match mv.cost {
        Some(cost) if cost.signum() > 0 => {
            format!("Costs {}, {effect}", counted(cost, "point", "points"))
        }
        _ if mv.class == Some(Class::Best) => format!("Best, {effect}"),
        _ => sentence(&effect),
    }
}

/// What a move gives away, if it is known not to be one of the best.
pub fn warning(answer: &Answer, name: &str) -> Option<String> {
    // A better move than those that are known may come to light.
    let best = answer.moves.first().filter(|_| answer.is_complete)?.value?;
    let mv = answer.moves.iter().find(|mv| mv.name == name)?;
    let now = mv.value.filter(|now| *now != best)?;
    let cost = mv.cost.filter(|cost| cost.signum() > 0);
    let effect = match cost {
        Some(cost) => format!("costs {}", counted(cost, "point", "points")),
        None if now.winner() == best.winner() => "keeps the winner, but is not best".to_string(),
        None => "is a mistake".to_string(),
    };
    Some(format!("{name} {effect}: {} (best: {})", value(&now), value(&best)))
}

/// The board, with the values of the moves if each has one place.
pub fn drawing(session: &dyn Session, answer: &Answer) -> String {
    let is_drawn = answer.moves.iter().all(|mv| mv.places.len() == 1);
    let label = |place: &str| {
        let mv = answer.moves.iter().find(|mv| is_drawn && mv.places[0] == place)?;
        move_label(mv)
    };
    session.drawing(&label)
}

/// The value of a move for the board: its score or, in games without points, `+3` for a win of the
/// first player in 3 plies, `-4` for one of the second player, `=` for a draw.
fn move_label(mv: &MoveAnswer) -> Option<Label> {
    let value = mv.value.as_ref();
    let score = value.and_then(|value| value.score).or(mv.to_come);
    let text = match (score, value) {
        (Some(score), _) => score.to_string(),
        (None, Some(value)) => {
            let plies = value.plies.map_or(String::new(), |plies| plies.to_string());
            match value.winner() {
                None => "=".to_string(),
                Some(Player::First) => format!("+{plies}"),
                Some(Player::Second) => format!("-{plies}"),
            }
        }
        (None, None) => return None,
    };
    Some(Label { text, is_best: mv.class == Some(Class::Best) })
}
