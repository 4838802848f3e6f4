//! Each check against Nim with one fault.

use super::*;
use crate::evaluate::{Evaluation, MoveEvaluation, best_moves};
use crate::explore::{Limits, explore};
use crate::game::{Outcome, Player};
use crate::monitor::SolveError;
use crate::nim::{Heaps, Nim, NimError, Take};
use crate::options::RuleOption;
use crate::record::RecordFormat;
use std::cmp::Reverse;
use std::sync::LazyLock;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    RepeatedMove,
    IdleMove,
    EarlyResult,
    MissingResult,
    DistantResult,
    OtherMeasure,
    OtherScore,
    OtherWinner,
    LastImageFirst,
    FewerImages,
    OneImageTwice,
    OtherOrbitSize,
    NewCanonical,
    NoCanonical,
    ImagesWithOtherPlayer,
    ImagesWithOtherHeaps,
    ReducedTwice,
    ReducedHeaps,
    ReducedScore,
    ReducedTurn,
    TwoLines,
    UnknownEntry,
    LostEntry,
    TrueEntry,
    OtherEntry,
    WrongDefault,
    LostPlayer,
    TwoLineMove,
    LostCount,
    WrongTypo,
    RepeatedUnmove,
    MissingUnmove,
    WrongUnmove,
    Refusal,
    Failure,
    OtherValue,
    DistantValue,
    MissingMove,
    OtherMove,
    Unsorted,
    Worse,
    UnknownMove,
    UnknownMoveAndWorse,
    NoResult,
    IllegalLine,
    LongLine,
}
use Fault::*;

/// Nim, with its symmetries and without the past; the player with the last object scores a point.
#[derive(Clone)]
struct Toy(Nim, Fault);

impl Toy {
    fn new(fault: Fault) -> Toy {
        Toy(Nim([2, 2, 2]), fault)
    }

    fn has(&self, fault: Fault) -> bool {
        self.1 == fault
    }
}

impl Game for Toy {
    type Position = Heaps;
    type Move = Take;

    fn start(&self) -> Heaps {
        self.0.start()
    }

    fn to_move(&self, heaps: &Heaps) -> Player {
        match self.1 {
            ReducedTurn if heaps.moves == 3 => Player::First,
            _ => Game::to_move(&self.0, heaps),
        }
    }

    fn moves(&self, heaps: &Heaps) -> Vec<Take> {
        let mut moves = self.0.moves(heaps);
        if self.has(RepeatedMove) {
            moves.extend(moves.last().copied());
        }
        moves
    }

    fn play(&self, heaps: &Heaps, mv: Take) -> Heaps {
        match self.1 {
            IdleMove if mv.1 == 2 => *heaps,
            _ => self.0.play(heaps, mv),
        }
    }

    fn score(&self, heaps: &Heaps) -> i32 {
        let score = self.0.score(heaps);
        if self.has(ReducedScore) { 2 * score.max(0) } else { score }
    }

    fn result(&self, heaps: &Heaps) -> Option<Value> {
        match (self.1, self.0.result(heaps)) {
            (ReducedScore, Some(_)) => Some(Value::of_score(self.score(heaps).into())),
            (MissingResult, _) => None,
            (EarlyResult, None) => Some(Value::DRAW),
            (DistantResult, Some(result)) => Some(Value { plies: Some(1), ..result }),
            (OtherScore, Some(result)) => Some(Value { score: Some(9.into()), ..result }),
            (OtherWinner, Some(result)) => Some(Value { outcome: Outcome::Draw, ..result }),
            (_, result) => result,
        }
    }

    fn measure(&self) -> Measure {
        if self.has(OtherMeasure) { Measure::Plies } else { self.0.measure() }
    }

    fn images(&self, heaps: &Heaps) -> Vec<Heaps> {
        let &Heaps { heaps: [a, b, c], moves } = heaps;
        let mut all = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].to_vec();
        match self.1 {
            LastImageFirst => all.reverse(),
            FewerImages => all.truncate(3),
            OneImageTwice => all.push([a, b, c]),
            ImagesWithOtherHeaps => all = vec![[a, b, c], [2 - a, b, c]],
            _ => {}
        }
        let mut images: Vec<_> = all.into_iter().map(|heaps| Heaps { heaps, moves }).collect();
        if self.has(ImagesWithOtherPlayer) {
            images = vec![*heaps, Heaps { moves: moves ^ 1, ..*heaps }];
        }
        images
    }

    fn orbit_size(&self, heaps: &Heaps) -> u64 {
        let distinct: HashSet<Heaps> = self.images(heaps).into_iter().collect();
        distinct.len() as u64 + u64::from(self.has(OtherOrbitSize))
    }

    fn canonical(&self, heaps: &Heaps) -> Heaps {
        match self.1 {
            NewCanonical => Heaps { heaps: [9, 9, 9], ..*heaps },
            NoCanonical => *heaps,
            _ => self
                .images(heaps)
                .into_iter()
                .min_by_key(|image| (image.heaps, image.moves))
                .unwrap(),
        }
    }

    fn reduced(&self, heaps: &Heaps) -> Heaps {
        match self.1 {
            ReducedTwice => Heaps { moves: 1 - heaps.moves.min(1), ..*heaps },
            ReducedHeaps => Heaps { heaps: [heaps.heaps[0], heaps.heaps[1], 0], moves: 0 },
            _ => Heaps { moves: 0, ..*heaps },
        }
    }
}

impl Notation for Toy {
    type Error = NimError;

    fn format_position(&self, heaps: &Heaps) -> String {
        self.0.format_position(heaps) + if self.has(TwoLines) { "\n" } else { "" }
    }

    fn parse_position(&self, text: &str) -> Result<Heaps, NimError> {
        let parsed = self.0.parse_position(text);
        match self.1 {
            LostPlayer => parsed.map(|heaps| Heaps { moves: 0, ..heaps }),
            WrongTypo => Ok(parsed.unwrap_or(Heaps { heaps: [9, 9, 9], moves: text.len() as u8 })),
            _ => parsed,
        }
    }

    fn format_move(&self, position: &Heaps, mv: Take) -> String {
        self.0
            .format_move(position, mv)
            .replace('b', if self.has(TwoLineMove) { "b\n" } else { "b" })
    }

    fn parse_move(&self, position: &Heaps, text: &str) -> Result<Take, NimError> {
        let parsed = self.0.parse_move(position, text);
        if self.has(LostCount) { parsed.map(|mv| Take(mv.0, 1)) } else { parsed }
    }
}

/// The first heap is short or not, and the last has some objects.
impl Recorded for Toy {
    type MoveError = NimError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let last = OptionKind::Integer { least: 1, most: 9 };
            let options = [
                RuleOption::new("short", OptionKind::Truth, Some("no"), ""),
                RuleOption::new("last", last, Some("2"), ""),
            ];
            RecordFormat::new("Nim", options, "moves: a1", 20)
        });
        &FORMAT
    }

    fn illegal_move(&self, position: &Heaps, mv: Take) -> NimError {
        NimError(self.format_move(position, mv))
    }

    fn entries(&self) -> Vec<(&str, String)> {
        let Nim([first, _, last]) = self.0;
        let mut entries = Vec::new();
        if first == 1 && !self.has(LostEntry) {
            let name = if self.has(UnknownEntry) { "brief" } else { "short" };
            entries.push((name, if self.has(TrueEntry) { "true" } else { "yes" }.to_string()));
        }
        if last != 2 {
            entries.push(("last", if self.has(OtherEntry) { 2 } else { last }.to_string()));
        }
        entries
    }

    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Nim(heaps) = &mut self.0;
        match (name, value) {
            ("short", value) => heaps[0] = if value == "yes" { 1 } else { 2 },
            (_, "9") => return Err("too many".to_string()),
            (_, "2") if self.1 == WrongDefault => return Err("too few".to_string()),
            (_, value) => heaps[2] = value.parse().map_err(|_| value.to_string())?,
        }
        Ok(())
    }
}

impl Reversible for Toy {
    fn unmoves(&self, position: &Heaps) -> Vec<Heaps> {
        let &Heaps { heaps, moves } = position;
        let Some(moves) = moves.checked_sub(1) else { return Vec::new() };
        let mut before = Vec::new();
        for heap in 0..3 {
            for objects in heaps[heap] + 1..=2 {
                let mut heaps = heaps;
                heaps[heap] = objects;
                before.push(Heaps { heaps, moves });
            }
        }
        match self.1 {
            RepeatedUnmove => before.extend(before.last().copied()),
            MissingUnmove => before.truncate(1),
            WrongUnmove => before.push(Heaps { heaps: [9, 9, 9], moves }),
            _ => {}
        }
        before
    }
}

/// Evaluates by the theorem of Bouton.
impl Evaluator for Toy {
    type Game = Toy;
    type Facts = ();
    type MoveFacts = ();
    type Error = SolveError;

    fn game(&self) -> &Toy {
        self
    }

    fn cost(&self, _: &Heaps, _: Detail) -> Cost<SolveError> {
        if self.has(Refusal) { Cost::Refused(SolveError::Stopped) } else { Cost::LookUp }
    }

    fn evaluate(
        &self,
        heaps: &Heaps,
        detail: Detail,
        _: &Monitor,
    ) -> Result<Evaluation<Take, (), ()>, SolveError> {
        if self.has(Failure) || self.has(Refusal) {
            return Err(SolveError::Stopped);
        }
        let player = self.to_move(heaps);
        let plies = self.has(DistantValue).then_some(3);
        let value = |sum: u8, player: Player| {
            let winner = if sum == 0 { player.other() } else { player };
            Value { plies, ..Value::of_score(winner.sign().into()) }
        };
        let after = |mv| value(self.play(heaps, mv).nim_sum(), player.other());
        let moves = self.moves(heaps).into_iter();
        let moves = moves.map(|mv| MoveEvaluation { mv, value: Some(after(mv)), facts: () });
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_key(|mv| Reverse(mv.value.map(|value| value.rank(player))));
        let mut own = Some(value(heaps.nim_sum(), player));
        let opposite = Some(value(heaps.nim_sum(), player.other()));
        let last = moves.last_mut();
        match self.1 {
            OtherValue if detail == Detail::Value => own = opposite,
            MissingMove => drop(moves.pop()),
            OtherMove => last.into_iter().for_each(|last| last.mv = Take(0, 9)),
            Unsorted => moves.reverse(),
            Worse => own = opposite,
            UnknownMove => last.into_iter().for_each(|last| last.value = None),
            UnknownMoveAndWorse => {
                last.into_iter().for_each(|last| last.value = None);
                own = opposite;
            }
            NoResult if moves.is_empty() => own = None,
            _ => {}
        }
        Ok(Evaluation { value: own, to_come: None, moves: Some(moves), facts: () })
    }

    fn principal_variation(
        &self,
        heaps: &Heaps,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Take>, SolveError> {
        match self.1 {
            IllegalLine => Ok(vec![Take(0, 9)]),
            LongLine => best_moves(self, heaps, usize::MAX, monitor),
            _ => best_moves(self, heaps, limit, monitor),
        }
    }
}

/// The first property that a check reports.
fn reported(fault: Fault) -> Option<&'static str> {
    let toy = Toy::new(fault);
    let checks = check(&toy)
        .and_then(|()| check_rules(&toy))
        .and_then(|()| check_reversible(&toy))
        .and_then(|()| check_evaluator(&toy, 24));
    checks.err().map(|violation| violation.property)
}

#[test]
fn a_game_without_faults_passes() {
    for fault in [Nothing, Refusal, UnknownMove] {
        assert_eq!(reported(fault), None, "{fault:?}");
    }
}

#[test]
fn every_fault_is_reported() {
    let faults = [
        (RepeatedMove, "legal moves are distinct"),
        (IdleMove, "a move changes the position"),
        (EarlyResult, "a position with legal moves has no result"),
        (MissingResult, "a position without legal moves has a result"),
        (DistantResult, "a result is 0 plies away"),
        (OtherMeasure, "a result has the measure of the game"),
        (OtherScore, "the score of a result is that of the position"),
        (OtherWinner, "the winner of a result is the player with more points"),
        (LastImageFirst, "the first image is the position itself"),
        (FewerImages, "the images of an image are the same positions"),
        (OneImageTwice, "every image occurs equally often"),
        (OtherOrbitSize, "the size of the orbit is the number of distinct images"),
        (NewCanonical, "the canonical image is an image"),
        (NoCanonical, "images have the same canonical image"),
        (ImagesWithOtherPlayer, "images have the same player, score, result and moves"),
        (ImagesWithOtherHeaps, "images have the same player, score, result and moves"),
        (ReducedTwice, "a reduced position reduces to itself"),
        (ReducedHeaps, "moves of the reduced position lead to the same and score the same"),
        (ReducedScore, "moves of the reduced position lead to the same and score the same"),
        (ReducedTurn, "moves of the reduced position lead to the same and score the same"),
        (TwoLines, "the text of a position is one line"),
        (LostPlayer, "the text of a position is parsed to the position"),
        (TwoLineMove, "the text of a move is one line"),
        (LostCount, "the text of a move is parsed to the move"),
        (WrongTypo, "a text that is parsed gives a position whose text is parsed to it"),
        (UnknownEntry, "the entries are options, in their order"),
        (LostEntry, "different values of an option have different entries"),
        (TrueEntry, "the value of an entry is valid"),
        (OtherEntry, "rules set from the entries have the same entries"),
        (WrongDefault, "the default of an option is valid"),
        (RepeatedUnmove, "predecessors are distinct"),
        (MissingUnmove, "every predecessor is listed"),
        (WrongUnmove, "a predecessor has a move to the position"),
        (Failure, "a position that is not refused is evaluated"),
        (OtherValue, "the value is the same with and without moves"),
        (DistantValue, "the value of a move is that of the position after it"),
        (MissingMove, "every legal move is evaluated once"),
        (OtherMove, "every legal move is evaluated once"),
        (Unsorted, "moves are sorted from the best to the worst"),
        (Worse, "the value is that of the best move"),
        (UnknownMoveAndWorse, "the value is that of the best move"),
        (NoResult, "the value of a terminal position is its result"),
        (IllegalLine, "the principal variation is legal and within its limit"),
        (LongLine, "the principal variation is legal and within its limit"),
    ];
    for (fault, property) in faults {
        assert_eq!(reported(fault), Some(property), "{fault:?}");
    }
}

#[test]
fn evaluations_that_differ_from_those_of_the_explorer_are_reported() {
    let monitor = Monitor::default();
    let explored = explore(Toy::new(Nothing), Limits::default(), &monitor).unwrap();
    let solution = explored.solve(&monitor).unwrap();
    let property = |fault| check_solution(&Toy::new(fault), &solution).err().map(|v| v.property);
    assert_eq!(property(Nothing), None);
    assert_eq!(property(UnknownMove), None);
    assert_eq!(property(Failure), Some("every position is evaluated"));
    assert_eq!(property(MissingMove), Some("every legal move is evaluated once"));
    for fault in [Worse, DistantValue, UnknownMoveAndWorse] {
        assert_eq!(property(fault), Some("the value is that of the explorer"), "{fault:?}");
    }
    let of_move = Some("the value of a move is that of the explorer");
    assert_eq!(property(OtherMove), of_move);
}

#[test]
fn a_violation_says_what_was_found_where() {
    let violation = check_reversible(&Toy::new(RepeatedUnmove)).unwrap_err();
    let Violation { position, found, .. } = &violation;
    assert!(position.starts_with("Heaps { heaps: ["), "{position}");
    assert!(found.starts_with("[Heaps { heaps: ["), "{found}");
    let text = format!("violated at {position}: predecessors are distinct; found {found}");
    assert_eq!(violation.to_string(), text);
}
