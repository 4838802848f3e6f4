//! Checks of the properties that implementations of [`Game`] and of related traits must have.
//!
//! The checks visit the positions of pseudo-random playouts from the start, the same ones in every
//! run: 24 playouts, which are cut after 200 moves if the game has not ended. A check that succeeds
//! is not a proof. A method that panics makes the check panic.
//!
//! ```
//! use bsq_engine::conformance;
//! use bsq_engine::nim::Nim;
//!
//! let nim = Nim([3, 4, 5]);
//! conformance::check(&nim).unwrap();
//! ```

mod playouts;

use crate::evaluate::{Cost, Detail, Evaluator, MoveOf};
use crate::explore::Solution;
use crate::game::{Game, Measure, Notation, Reversible, Value};
use crate::monitor::Monitor;
use crate::options::OptionKind;
use crate::random::Random;
use crate::record::{Recorded, set_option};
use playouts::{playouts, positions};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

/// The number of texts, each with one wrong character, that are parsed at each position.
const TYPOS: usize = 4;
/// The limit on the length of principal variations.
const LINE: usize = 4;

/// A property that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
#[error("violated at {position}: {property}; found {found}")]
pub struct Violation {
    /// The property.
    pub property: &'static str,
    /// The position at which it does not hold.
    pub position: String,
    /// The values that contradict it.
    pub found: String,
}

/// The position at which properties are checked.
struct At<'a, P>(&'a P);

impl<P: Debug> At<'_, P> {
    fn ensure(
        &self,
        holds: bool,
        property: &'static str,
        found: &dyn Debug,
    ) -> Result<(), Violation> {
        let violation = || {
            let (position, found) = (format!("{:?}", self.0), format!("{found:?}"));
            Violation { property, position, found }
        };
        if holds { Ok(()) } else { Err(violation()) }
    }
}

/// Checks legal moves, results, symmetries, reduction and notation.
///
/// # Errors
///
/// The first property that does not hold.
pub fn check<G: Game + Notation>(game: &G) -> Result<(), Violation> {
    let mut random = Random(0);
    for position in positions(game) {
        check_moves(game, &position)?;
        check_result(game, &position)?;
        check_images(game, &position)?;
        check_reduced(game, &position)?;
        check_text(game, &position)?;
        check_typos(game, &position, &mut random)?;
    }
    Ok(())
}

/// Checks that the entries of the rules are options, and that setting them gives the same rules
/// again: for `default`, the rules with the default of every option, and for those with one option
/// set to its default, to a limit of its range, or to each of its values if they are listed. Of the
/// latter, different values must have different entries. Values that the game refuses are skipped,
/// except defaults.
///
/// # Errors
///
/// The first property that does not hold; instead of a position, it names the option and value.
///
/// ```
/// use bsq_engine::conformance::check_rules;
/// use bsq_engine::nim::Nim;
///
/// check_rules(&Nim([3, 4, 5])).unwrap();
/// ```
pub fn check_rules<G: Recorded>(default: &G) -> Result<(), Violation> {
    check_entries(default, default, "the default rules")?;
    for option in &default.format().options {
        let listed: Vec<String> = match &option.kind {
            OptionKind::Truth => ["no", "yes"].map(String::from).into(),
            OptionKind::Choice { values } => values.iter().map(|value| value.to_string()).collect(),
            _ => Vec::new(),
        };
        let limits = match option.kind {
            OptionKind::Integer { least, most } | OptionKind::Points { least, most } => {
                [least, most].map(|limit| limit.to_string()).into()
            }
            _ => Vec::new(),
        };
        let own = option.default.as_deref().map(str::to_string);
        let mut found: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for value in own.into_iter().chain(listed.iter().cloned()).chain(limits) {
            let at = format!("{} {value}", option.name);
            let (mut rules, is_default) =
                (default.clone(), option.default.as_deref() == Some(&*value));
            let set = set_option(&mut rules, &option.name, &value);
            let valid = set.is_ok() || !is_default;
            At(&at).ensure(valid, "the default of an option is valid", &set)?;
            if set.is_err() {
                continue;
            }
            check_entries(default, &rules, &at)?;
            let entries = rules.entries().into_iter();
            let entries: Vec<_> = entries.map(|(name, value)| (name.to_string(), value)).collect();
            if listed.contains(&value) {
                let equal =
                    found.iter().find(|(other, known)| *other != value && *known == entries);
                let property = "different values of an option have different entries";
                At(&at).ensure(equal.is_none(), property, &(&entries, equal))?;
                found.push((value, entries));
            }
        }
    }
    Ok(())
}

fn check_entries<G: Recorded>(default: &G, rules: &G, at: &str) -> Result<(), Violation> {
    let (at, entries, options) = (At(&at), rules.entries(), &rules.format().options);
    let place = |name: &str| options.iter().position(|option| option.name == name);
    let places: Vec<_> = entries.iter().map(|(name, _)| place(name)).collect();
    let ordered = places.is_sorted_by(|one, other| one < other) && !places.contains(&None);
    at.ensure(ordered, "the entries are options, in their order", &entries)?;
    let mut again = default.clone();
    for (name, value) in &entries {
        let set = set_option(&mut again, name, value);
        at.ensure(set.is_ok(), "the value of an entry is valid", &(name, value, &set))?;
    }
    let (same, found) = (again.entries() == entries, (&entries, again.entries()));
    at.ensure(same, "rules set from the entries have the same entries", &found)
}

/// Checks the predecessors of positions.
///
/// # Errors
///
/// The first property that does not hold.
pub fn check_reversible<G: Game + Reversible>(game: &G) -> Result<(), Violation> {
    for playout in playouts(game) {
        let mut previous = None;
        for (position, _) in &playout {
            let (at, before) = (At(position), game.unmoves(position));
            at.ensure(are_distinct(&before), "predecessors are distinct", &before)?;
            if let Some(previous) = previous.replace(position) {
                let listed = before.contains(previous);
                at.ensure(listed, "every predecessor is listed", &(previous, &before))?;
            }
            for earlier in &before {
                let leads = moves_of(game, earlier).any(|(_, next)| next == *position);
                at.ensure(leads, "a predecessor has a move to the position", earlier)?;
            }
        }
    }
    Ok(())
}

/// Checks the evaluations of every position of some playouts, at most 24, and the first few moves
/// of the principal variations. Positions that the evaluator refuses are skipped, and unknown
/// values are not compared.
///
/// # Errors
///
/// The first property that does not hold.
pub fn check_evaluator<E: Evaluator>(evaluator: &E, count: usize) -> Result<(), Violation> {
    for playout in playouts(evaluator.game()).take(count) {
        let mut announced = None;
        for (position, mv) in playout {
            announced = check_evaluation(evaluator, &position, announced, mv)?;
        }
    }
    Ok(())
}

/// Compares an evaluator with the explorer, which knows only the rules, on every position of a
/// solution. Positions that the evaluator refuses are violations; values that depend on the past
/// are compared by the points to come.
///
/// # Errors
///
/// The first property that does not hold, in the order of positions as text.
///
/// ```
/// use bsq_engine::conformance::check_solution;
/// use bsq_engine::explore::{Explored, Limits, explore};
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
///
/// let (nim, monitor) = (Nim([2, 3, 4]), Monitor::default());
/// let own = Explored::new(nim.clone(), Limits::default(), &monitor).unwrap();
/// let solution = explore(nim, Limits::default(), &monitor).unwrap().solve(&monitor).unwrap();
/// check_solution(&own, &solution).unwrap();
/// ```
pub fn check_solution<E: Evaluator>(
    evaluator: &E,
    solution: &Solution<E::Game>,
) -> Result<(), Violation> {
    let violation = |_, position: &_| check_values(evaluator, solution, position).err();
    let found = solution.count_by(&Monitor::default(), violation);
    found.expect("nobody stops the count").into_keys().min().map_or(Ok(()), Err)
}

fn check_values<E: Evaluator>(
    evaluator: &E,
    solution: &Solution<E::Game>,
    position: &<E::Game as Game>::Position,
) -> Result<(), Violation> {
    let (at, game, monitor) = (At(position), evaluator.game(), Monitor::default());
    let evaluation = evaluator.evaluate(position, Detail::Moves, &monitor);
    let evaluation = evaluation.map_err(|error| Violation {
        property: "every position is evaluated",
        position: format!("{position:?}"),
        found: error.to_string(),
    })?;
    let own = solution.value(position);
    let to_come = own.and_then(|value| value.score).map(|score| score - game.score(position));
    let found = (evaluation.value, evaluation.to_come, own);
    let same = match (evaluation.value, evaluation.to_come) {
        _ if game.moves(position).is_empty() => evaluation.value.is_none_or(|v| Some(v) == own),
        (None, None) => false,
        (value, points) => {
            value.is_none_or(|v| Some(v) == own) && points.is_none_or(|p| Some(p) == to_come)
        }
    };
    at.ensure(same, "the value is that of the explorer", &found)?;
    let moves = solution.moves(position).unwrap_or_default();
    let evaluated = evaluation.moves.unwrap_or_default();
    for found in &evaluated {
        let own = moves.iter().find(|(mv, _)| *mv == found.mv).map(|&(_, value)| value);
        let same = own.is_some() && found.value.is_none_or(|value| Some(value) == own);
        let property = "the value of a move is that of the explorer";
        at.ensure(same, property, &(&found.mv, found.value, own))?;
    }
    let evaluated: Vec<_> = evaluated.into_iter().map(|found| found.mv).collect();
    let complete =
        evaluated.len() == moves.len() && moves.iter().all(|(legal, _)| evaluated.contains(legal));
    at.ensure(complete, "every legal move is evaluated once", &evaluated)?;
    Ok(())
}

/// Checks the evaluation of a position. `announced` is the value of the move that led to it.
/// Returns the value of the move that is played there.
fn check_evaluation<E: Evaluator>(
    evaluator: &E,
    position: &<E::Game as Game>::Position,
    announced: Option<Value>,
    played: Option<MoveOf<E>>,
) -> Result<Option<Value>, Violation> {
    let (at, game, monitor) = (At(position), evaluator.game(), Monitor::default());
    if let Cost::Refused(_) = evaluator.cost(position, Detail::Moves) {
        return Ok(None);
    }
    let fails = |error: E::Error| Violation {
        property: "a position that is not refused is evaluated",
        position: format!("{position:?}"),
        found: error.to_string(),
    };
    let value = evaluator.evaluate(position, Detail::Value, &monitor).map_err(fails)?.value;
    let evaluation = evaluator.evaluate(position, Detail::Moves, &monitor).map_err(fails)?;
    let (same, values) = (value == evaluation.value, (value, evaluation.value));
    at.ensure(same, "the value is the same with and without moves", &values)?;
    let earlier = value.map(Value::before);
    let agrees = announced.is_none() || value.is_none() || announced == earlier;
    let both = (announced, value);
    at.ensure(agrees, "the value of a move is that of the position after it", &both)?;

    let (player, legal) = (game.to_move(position), game.moves(position));
    let evaluated: Vec<_> =
        evaluation.moves.iter().flatten().map(|found| (&found.mv, found.value)).collect();
    let complete = legal.len() == evaluated.len()
        && legal.iter().all(|mv| evaluated.iter().any(|(other, _)| *other == mv));
    at.ensure(complete, "every legal move is evaluated once", &evaluated)?;
    let rank = |value: Option<Value>| value.map(|value| value.rank(player));
    let sorted = evaluated.iter().map(|&(_, value)| rank(value)).rev().is_sorted();
    at.ensure(sorted, "moves are sorted from the best to the worst", &evaluated)?;
    match evaluated.first() {
        None => {
            let (result, value) = (game.result(position), evaluation.value);
            let same = result == value;
            at.ensure(same, "the value of a terminal position is its result", &(result, value))?;
        }
        Some(&(_, best)) => {
            let known = evaluated.iter().all(|(_, value)| value.is_some());
            let agrees =
                if known { value == best } else { value.is_none() || rank(value) >= rank(best) };
            let found = (value, &evaluated);
            at.ensure(agrees, "the value is that of the best move", &found)?;
        }
    }

    let line = evaluator.principal_variation(position, LINE, &monitor).map_err(fails)?;
    let mut reached = Some(position.clone());
    for mv in &line {
        let legal = reached.filter(|reached| game.moves(reached).contains(mv));
        reached = legal.map(|reached| game.play(&reached, mv.clone()));
    }
    let legal = reached.is_some() && line.len() <= LINE;
    at.ensure(legal, "the principal variation is legal and within its limit", &line)?;
    let played = evaluated.into_iter().find(|&(mv, _)| Some(mv) == played.as_ref());
    Ok(played.and_then(|(_, value)| value))
}

fn check_moves<G: Game>(game: &G, position: &G::Position) -> Result<(), Violation> {
    let (at, moves) = (At(position), game.moves(position));
    let distinct = moves.iter().enumerate().all(|(i, mv)| !moves[..i].contains(mv));
    at.ensure(distinct, "legal moves are distinct", &moves)?;
    let idle = moves_of(game, position).find(|(_, next)| next == position);
    at.ensure(idle.is_none(), "a move changes the position", &idle)
}

fn check_result<G: Game>(game: &G, position: &G::Position) -> Result<(), Violation> {
    let (at, moves) = (At(position), game.moves(position));
    let Some(result) = game.result(position) else {
        let property = "a position without legal moves has a result";
        return at.ensure(!moves.is_empty(), property, &None::<Value>);
    };
    at.ensure(moves.is_empty(), "a position with legal moves has no result", &(result, &moves))?;
    let now = matches!(result.plies, None | Some(0));
    at.ensure(now, "a result is 0 plies away", &result)?;
    let measure = game.measure();
    let has_measure = match result.score {
        None => measure == Measure::Plies,
        Some(score) => {
            measure == Measure::Fractions
                || measure == Measure::Points && score.to_integer().is_some()
        }
    };
    at.ensure(has_measure, "a result has the measure of the game", &(result, measure))?;
    let Some(score) = result.score else { return Ok(()) };
    let of_position = game.score(position);
    let same = score == of_position.into();
    at.ensure(same, "the score of a result is that of the position", &(result, of_position))?;
    let wins = result.winner() == Value::of_score(score).winner();
    at.ensure(wins, "the winner of a result is the player with more points", &result)
}

fn check_images<G: Game>(game: &G, position: &G::Position) -> Result<(), Violation> {
    let (at, images) = (At(position), game.images(position));
    let first = images.first() == Some(position);
    at.ensure(first, "the first image is the position itself", &images)?;
    let group: HashSet<_> = images.iter().collect();
    let canonical = game.canonical(position);
    let is_image = group.contains(&canonical);
    at.ensure(is_image, "the canonical image is an image", &(&canonical, &images))?;
    let seen = |image| {
        let after = counts(moves_of(game, image).map(|(_, next)| game.canonical(&next)));
        (game.to_move(image), game.score(image), game.result(image), after)
    };
    let own = seen(position);
    for image in &images {
        let others = game.images(image);
        let same = others.iter().collect::<HashSet<_>>() == group;
        at.ensure(same, "the images of an image are the same positions", &(image, &others))?;
        let other = game.canonical(image);
        let both = (&canonical, image, &other);
        at.ensure(other == canonical, "images have the same canonical image", &both)?;
        let (other, same) = (seen(image), "images have the same player, score, result and moves");
        at.ensure(other == own, same, &(image, &own, &other))?;
    }
    let times: HashSet<usize> = counts(images.iter()).into_values().collect();
    at.ensure(times.len() == 1, "every image occurs equally often", &images)?;
    let size = game.orbit_size(position);
    let same = size == group.len() as u64;
    at.ensure(same, "the size of the orbit is the number of distinct images", &(size, &images))
}

fn check_reduced<G: Game>(game: &G, position: &G::Position) -> Result<(), Violation> {
    let (at, reduced) = (At(position), game.reduced(position));
    let again = game.reduced(&reduced);
    at.ensure(again == reduced, "a reduced position reduces to itself", &(&reduced, &again))?;
    // The position after each move, the points of the player who moves, and whether that player
    // moves again.
    let moves = |position| {
        let (player, score) = (game.to_move(position), game.score(position));
        counts(moves_of(game, position).map(move |(_, next)| {
            let gained = (game.score(&next) - score) * player.sign();
            (game.canonical(&game.reduced(&next)), gained, game.to_move(&next) == player)
        }))
    };
    let (own, other) = (moves(position), moves(&reduced));
    let found = (&reduced, &own, &other);
    at.ensure(
        own == other,
        "moves of the reduced position lead to the same and score the same",
        &found,
    )
}

fn check_text<G: Notation>(game: &G, position: &G::Position) -> Result<(), Violation> {
    let (at, text) = (At(position), game.format_position(position));
    at.ensure(!text.contains(['\n', '\r']), "the text of a position is one line", &text)?;
    let found = game.parse_position(&text);
    let same = found.as_ref().is_ok_and(|found| found == position);
    at.ensure(same, "the text of a position is parsed to the position", &(&text, &found))?;
    for mv in game.moves(position) {
        let text = game.format_move(position, mv.clone());
        at.ensure(!text.contains(['\n', '\r']), "the text of a move is one line", &text)?;
        let found = game.parse_move(position, &text);
        let same = found.as_ref().is_ok_and(|found| *found == mv);
        at.ensure(same, "the text of a move is parsed to the move", &(mv, &text, &found))?;
    }
    Ok(())
}

fn check_typos<G: Notation>(
    game: &G,
    position: &G::Position,
    random: &mut Random,
) -> Result<(), Violation> {
    let text: Vec<char> = game.format_position(position).chars().collect();
    if text.is_empty() {
        return Ok(());
    }
    for _ in 0..TYPOS {
        let mut typed = text.clone();
        typed[random.below(text.len())] = random.character(&text);
        let typed = String::from_iter(typed);
        let Ok(parsed) = game.parse_position(&typed) else { continue };
        let again = game.parse_position(&game.format_position(&parsed));
        let same = again.as_ref().is_ok_and(|again| *again == parsed);
        let property = "a text that is parsed gives a position whose text is parsed to it";
        At(position).ensure(same, property, &(&typed, &parsed, &again))?;
    }
    Ok(())
}

/// The legal moves, each with the position after it.
fn moves_of<G: Game>(
    game: &G,
    position: &G::Position,
) -> impl Iterator<Item = (G::Move, G::Position)> {
    game.moves(position).into_iter().map(|mv| (mv.clone(), game.play(position, mv)))
}

/// The different items, each with the number of times it occurs.
fn counts<T: Hash + Eq>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}

fn are_distinct<T: Hash + Eq>(items: &[T]) -> bool {
    items.iter().collect::<HashSet<_>>().len() == items.len()
}

#[cfg(test)]
mod tests;
