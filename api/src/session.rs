//! Games under fixed rules, and games in progress.

use crate::agent::{AgentInfo, agents};
use crate::answer::{Answer, Class, Cost, MoveAnswer, RulesAnswer, facts_of};
use crate::puzzle::{self, Puzzle, Wanted};
use crate::values::{PositionValues, ValuesRequest};
use bsq_analyses::agent::Agent;
use bsq_engine::definition::{Definition, Heuristic};
use bsq_engine::error::{Error, Kind};
use bsq_engine::evaluate::{self, Detail, Evaluator, Learned, MoveEvaluation};
use bsq_engine::explore::seen_ahead;
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::proved::Proved;
use bsq_engine::random::Random;
use bsq_engine::record::{GameRecord, Recorded, values_of};
use bsq_engine::score::Score;
use bsq_engine::text::is_size;
use bsq_engine::view::{Facts, Label, View};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A game under fixed rules with its evaluator, which the sessions of many threads share.
pub trait Engine: Send + Sync {
    /// Starts a session from a position, or from the start of the game.
    ///
    /// # Errors
    ///
    /// If the position is invalid.
    fn session(self: Arc<Self>, position: Option<&str>) -> Result<Box<dyn Session>, Error>;

    /// Evaluates a position for a table of values. After the time of the request, what is proved by
    /// then is the value, and after the monitor has stopped the job as well.
    ///
    /// For many positions, this is faster than a session.
    fn values(&self, text: &str, request: &ValuesRequest, monitor: &Monitor) -> PositionValues;

    /// The agents, the weakest first.
    fn agents(&self) -> Vec<AgentInfo>;

    /// The size of the evaluator's tables, in bytes.
    fn bytes(&self) -> u64;
}

/// What an answer should contain besides the position and its legal moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Request {
    /// Which values to find. `None`, the default, evaluates nothing.
    pub detail: Option<Detail>,
    /// The maximum number of moves of the principal variation; 0 for none.
    pub line: usize,
    /// The time after which the answer is what is proved by then. `None` for no limit.
    pub time: Option<Duration>,
}

impl Request {
    /// Whether the answer needs an evaluation.
    pub fn needs_values(&self) -> bool {
        self.detail.is_some() || self.line > 0
    }
}

/// The move that an agent plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, as [`MoveAnswer::name`].
    pub mv: String,
    /// Whether the agent found it as it should. Otherwise the time was over, or the value of the position
    /// cannot be found, and it is the move that seems best.
    pub is_sure: bool,
}

/// A game in progress.
pub trait Session: Send + Sync {
    /// Plays moves, separated by spaces or commas, from the current position.
    ///
    /// If one of the moves is invalid, none is played. Moves after the current position are
    /// removed, unless they are the same.
    ///
    /// # Errors
    ///
    /// If a word is not a move, or a move is illegal.
    fn play(&mut self, moves: &str) -> Result<(), Error>;

    /// The rules.
    fn rules(&self) -> RulesAnswer;

    /// The current position, as [`Answer::position`].
    fn position(&self) -> String;

    /// The effort of an evaluation of the current position with every move.
    fn cost(&self) -> Cost;

    /// About how long a search for the value of the current position takes; `None` if nothing is known
    /// about it.
    fn estimate(&self) -> Option<Duration>;

    /// The moves of the game, including those after the current position.
    fn moves(&self) -> Vec<String>;

    /// The number of moves before the current position.
    fn at(&self) -> usize;

    /// Makes the position after `at` moves the current one, or the last if there are fewer.
    fn go_to(&mut self, at: usize);

    /// The number of occurrences of the current position so far, including this one.
    fn times(&self) -> usize;

    /// The record of the game, as text that can be [loaded](crate::Game::load).
    fn record(&self) -> String;

    /// Draws the current position as lines of text.
    ///
    /// `label` returns the label of a [place](bsq_engine::view::Place::name), if it has one.
    fn drawing(&self, label: &dyn Fn(&str) -> Option<Label>) -> String;

    /// Makes tables of the search, if there is one, of at least so many bytes, or else the largest ones.
    /// A checkpoint is read into them, or with 0 bytes a search begins.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    fn grow(&self, bytes: u64) -> Result<(), Error>;

    /// The solvers that search positions of this game, once there are any. They change when their tables
    /// grow.
    ///
    /// A checkpoint stores their transposition tables.
    fn learned(&self) -> Vec<&dyn Learned>;

    /// The size in bytes that the tables of a search may grow to; 0 if it is not known.
    fn most_bytes(&self) -> u64;

    /// Describes the current position, with the values that are requested. After the time of the
    /// request it is the answer [so far](Session::so_far).
    ///
    /// # Errors
    ///
    /// If values were requested and cannot be found, or if the monitor stops the job.
    fn answer(&self, request: Request, monitor: &Monitor) -> Result<Answer, Error>;

    /// Describes the current position with what is known about its value without work: after an
    /// evaluation that was stopped, what that has proved.
    fn so_far(&self) -> Answer;

    /// The same game in progress, with the same evaluator, for another thread.
    fn fork(&self) -> Box<dyn Session>;

    /// The agents, the weakest first.
    fn agents(&self) -> Vec<AgentInfo>;

    /// The agent with a name.
    ///
    /// In a game with a language for heuristics, the text may also be a heuristic.
    ///
    /// # Errors
    ///
    /// If there is no such agent.
    fn agent(&self, text: &str) -> Result<AgentInfo, Error>;

    /// Whether an agent needs the values of moves to choose one.
    ///
    /// # Errors
    ///
    /// If the agent is unknown.
    fn needs_values(&self, agent: &str) -> Result<bool, Error>;

    /// Returns the move that an [agent](Session::agent) plays in the current position, after the time
    /// at the latest.
    ///
    /// The same seed gives the same move, unless the time is over.
    ///
    /// # Errors
    ///
    /// If the agent is unknown or the game is over, or if the agent needs values and they cannot be
    /// found.
    fn choose(
        &self,
        agent: &str,
        seed: u64,
        time: Option<Duration>,
        monitor: &Monitor,
    ) -> Result<Choice, Error>;

    /// The names of the heuristics that prefer a move to others.
    fn liked_by(&self, mv: &str) -> Vec<String>;

    /// Finds a puzzle after random moves from the current position.
    ///
    /// # Errors
    ///
    /// If none is found, or as for [`answer`](Session::answer).
    fn puzzle(&self, wanted: &Wanted, monitor: &Monitor) -> Result<Puzzle, Error>;
}

/// The limits of a job: those of its caller, and its time.
#[derive(Clone, Copy)]
struct Limits<'a> {
    monitor: Monitor<'a>,
    caller: &'a Monitor<'a>,
}

impl<'a> Limits<'a> {
    /// The limits of a job that begins now.
    fn new(time: Option<Duration>, caller: &'a Monitor<'a>) -> Limits<'a> {
        let monitor = time.map_or(*caller, |time| caller.for_at_most(time));
        Limits { monitor, caller }
    }

    /// What a job found. `None` if its time was over before.
    fn unless_late<T>(&self, found: Result<T, impl Into<Error>>) -> Result<Option<T>, Error> {
        match found.map_err(Into::into) {
            Err(error) if error.kind == Kind::Stopped && self.caller.check().is_ok() => Ok(None),
            found => found.map(Some),
        }
    }
}

/// A game under fixed rules.
pub(crate) struct Evaluated<D: Definition> {
    pub definition: Arc<D>,
    pub rules: D::Rules,
    pub evaluator: D::Evaluator,
}

impl<D: Definition> Evaluated<D> {
    /// A game from a position on the board of the rules, or from moves.
    fn begun(&self, text: &str) -> Result<GameRecord<D::Rules>, Error> {
        let parse = |rules: &mut D::Rules, text: &str| Ok(rules.parse_position(text)?);
        let record = GameRecord::begun(self.rules.clone(), text, parse);
        record.map_err(|error| {
            if is_size(text) {
                let message = format!(
                    "'{}' is a size and not a position; the board is set once, for all positions",
                    text.trim()
                );
                return Error::invalid("position", message);
            }
            Error::invalid("position", error)
        })
    }

    /// Finds what is requested about a position, with its moves if they are wanted.
    fn find(
        &self,
        position: &PositionOf<D>,
        request: Request,
        with_moves: bool,
        monitor: &Monitor,
    ) -> PositionValues {
        let (rules, limits) = (&self.rules, Limits::new(request.time, monitor));
        let found = match request.detail {
            None => None,
            Some(detail) => {
                let found = self.evaluator.evaluate(position, detail, &limits.monitor);
                match limits.unless_late(found) {
                    Ok(Some(found)) => Some(found),
                    Ok(None) => return self.known(position, with_moves),
                    Err(error) if error.kind == Kind::Stopped => {
                        let known = self.known(position, with_moves);
                        return PositionValues { error: Some(error), ..known };
                    }
                    Err(error) => {
                        let position = Some(rules.format_position(position));
                        return PositionValues {
                            position,
                            error: Some(error),
                            ..Default::default()
                        };
                    }
                }
            }
        };
        let found = found.as_ref();
        let evaluated = found.and_then(|found| found.moves.as_deref());
        let all = evaluated.unwrap_or_default();
        let best = all.first().filter(|mv| mv.value.is_some() || mv.facts.to_come().is_some());
        let line = match (request.line, best) {
            (0, _) => Ok(None),
            (1, Some(best)) => Ok(Some(vec![rules.record_move(position, best.mv.clone())])),
            (limit, _) => limits.unless_late(self.line(position, limit, &limits.monitor)),
        };
        let (line, error) = match line {
            Ok(line) => (line, None),
            Err(error) => (None, Some(error)),
        };
        let mover = rules.to_move(position);
        let moves = match evaluated {
            _ if !with_moves => Vec::new(),
            Some(moves) => {
                moves.iter().map(|mv| move_answer(rules, position, mv, all, mover)).collect()
            }
            None => {
                let moves = rules.moves(position).into_iter();
                moves.map(|mv| unknown_move(rules, position, mv)).collect()
            }
        };
        let value = found.and_then(|found| found.value).or_else(|| rules.result(position));
        PositionValues {
            position: Some(rules.format_position(position)),
            is_complete: request.line == 0 || line.is_some(),
            to_come: found.and_then(|found| found.to_come).map(Proved::exactly),
            moves,
            line,
            facts: found.map(|found| facts_of(found.facts.facts())).unwrap_or_default(),
            error,
            ..PositionValues::of(value.map(Proved::exactly))
        }
    }

    /// What is known about a position without a search.
    fn known(&self, position: &PositionOf<D>, with_moves: bool) -> PositionValues {
        let (rules, known) = (&self.rules, self.evaluator.known(position));
        let moves = if with_moves {
            known_moves(rules, position, known.value, known.moves)
        } else {
            Vec::new()
        };
        PositionValues {
            position: Some(rules.format_position(position)),
            to_come: known.to_come,
            moves,
            ..PositionValues::of(known.value)
        }
    }

    /// The principal variation from a position.
    fn line(
        &self,
        position: &PositionOf<D>,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<String>, Error> {
        let (rules, mut position) = (&self.rules, position.clone());
        let line = self.evaluator.principal_variation(&position, limit, monitor);
        let line = line.map_err(Into::<Error>::into)?;
        let mut names = Vec::new();
        for mv in line {
            let next = rules.play(&position, mv.clone());
            names.push(rules.record_move(&position, mv));
            position = next;
        }
        Ok(names)
    }

    /// Starts a session from a record.
    pub fn at(self: Arc<Self>, record: GameRecord<D::Rules>) -> Box<dyn Session> {
        Box::new(InProgress { game: self, record })
    }
}

impl<D: Definition> Engine for Evaluated<D> {
    fn session(self: Arc<Self>, position: Option<&str>) -> Result<Box<dyn Session>, Error> {
        let record = match position {
            Some(text) => self.begun(text)?,
            None => GameRecord::new(self.rules.clone()),
        };
        Ok(self.at(record))
    }

    fn values(&self, text: &str, request: &ValuesRequest, monitor: &Monitor) -> PositionValues {
        let record = self.begun(text).and_then(|mut record| {
            let played = record.play_all(&request.moves);
            played.map_err(|error| Error::invalid("moves", error)).map(|()| record)
        });
        match record {
            Ok(record) => {
                let detail = if request.of_moves { Detail::Moves } else { Detail::Value };
                let line = request.line.max(1);
                let asked = Request { detail: Some(detail), line, time: request.time };
                self.find(record.position(), asked, request.of_moves, monitor)
            }
            Err(error) => PositionValues { error: Some(error), ..PositionValues::default() },
        }
    }

    fn agents(&self) -> Vec<AgentInfo> {
        agents(&*self.definition, &self.rules)
    }

    fn bytes(&self) -> u64 {
        self.evaluator.bytes()
    }
}

struct InProgress<D: Definition> {
    game: Arc<Evaluated<D>>,
    record: GameRecord<D::Rules>,
}

/// A position of a game.
type PositionOf<D> = <<D as Definition>::Rules as Game>::Position;

impl<D: Definition> Session for InProgress<D> {
    fn play(&mut self, moves: &str) -> Result<(), Error> {
        self.record.play_all(moves).map_err(|error| Error::invalid("moves", error))
    }

    fn rules(&self) -> RulesAnswer {
        values_of(self.record.rules())
    }

    fn position(&self) -> String {
        self.record.rules().format_position(self.record.position())
    }

    fn estimate(&self) -> Option<Duration> {
        self.game.evaluator.estimate(self.record.position())
    }

    fn cost(&self) -> Cost {
        match self.game.evaluator.cost(self.record.position(), Detail::Moves) {
            evaluate::Cost::LookUp => Cost::LookUp,
            evaluate::Cost::Quick => Cost::Quick,
            evaluate::Cost::Search => Cost::Search,
            evaluate::Cost::Build => Cost::Build,
            evaluate::Cost::Refused(reason) => Cost::Refused { reason: reason.to_string() },
        }
    }

    fn moves(&self) -> Vec<String> {
        self.record.moves_as_text()
    }

    fn at(&self) -> usize {
        self.record.at()
    }

    fn go_to(&mut self, at: usize) {
        self.record.go_to(at);
    }

    fn times(&self) -> usize {
        self.record.times()
    }

    fn record(&self) -> String {
        self.record.to_string()
    }

    fn drawing(&self, label: &dyn Fn(&str) -> Option<Label>) -> String {
        self.record.rules().drawing(self.record.position(), label)
    }

    fn grow(&self, bytes: u64) -> Result<(), Error> {
        self.game.evaluator.grow(bytes).map_err(Into::into)
    }

    fn learned(&self) -> Vec<&dyn Learned> {
        self.game.evaluator.learned()
    }

    fn most_bytes(&self) -> u64 {
        self.game.evaluator.most_bytes()
    }

    fn answer(&self, request: Request, monitor: &Monitor) -> Result<Answer, Error> {
        let found = self.game.find(self.record.position(), request, true, monitor);
        if let Some(error) = found.error { Err(error) } else { Ok(self.described(found)) }
    }

    fn so_far(&self) -> Answer {
        self.described(self.game.known(self.record.position(), true))
    }

    fn fork(&self) -> Box<dyn Session> {
        Arc::clone(&self.game).at(self.record.clone())
    }

    fn agents(&self) -> Vec<AgentInfo> {
        self.game.agents()
    }

    fn agent(&self, text: &str) -> Result<AgentInfo, Error> {
        Ok(AgentInfo::from(&Agent::parse(&*self.game.definition, self.record.rules(), text)?))
    }

    fn needs_values(&self, agent: &str) -> Result<bool, Error> {
        Ok(Agent::parse(&*self.game.definition, self.record.rules(), agent)?.needs_values())
    }

    fn choose(
        &self,
        agent: &str,
        seed: u64,
        time: Option<Duration>,
        monitor: &Monitor,
    ) -> Result<Choice, Error> {
        let (rules, position) = (self.record.rules(), self.record.position());
        let agent = Agent::parse(&*self.game.definition, rules, agent)?;
        let moves = rules.moves(position);
        if moves.is_empty() {
            return Err(Error::invalid("moves", "the game is over"));
        }
        let mut random = Random::of(seed, &rules.format_position(position));
        let mut is_sure = true;
        // Without candidates, any move is drawn.
        let candidates = match &agent {
            _ if moves.len() == 1 => moves.clone(),
            Agent::Random => Vec::new(),
            Agent::Mistakes(share) if random.below(100) < *share as usize => Vec::new(),
            Agent::Heuristic(heuristic) => (heuristic.preferred)(position),
            Agent::Mistakes(_) | Agent::Perfect => {
                let (evaluator, limits) = (&self.game.evaluator, Limits::new(time, monitor));
                let found = limits.unless_late(evaluator.best_move(position, &limits.monitor));
                is_sure = matches!(found, Ok(Some(_)));
                match found {
                    Ok(Some(best)) => best.into_iter().collect(),
                    Ok(None) => {
                        let known = evaluator.known(position).moves.into_iter();
                        known.map(|(mv, _)| mv).take(1).collect()
                    }
                    Err(error) if error.kind == Kind::Refused => {
                        best_ahead(rules, position, plies_ahead(moves.len()))
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        let candidates = if candidates.is_empty() { moves } else { candidates };
        let chosen = candidates[random.below(candidates.len())].clone();
        Ok(Choice { mv: rules.record_move(position, chosen), is_sure })
    }

    fn liked_by(&self, mv: &str) -> Vec<String> {
        let (rules, position) = (self.record.rules(), self.record.position());
        let legal = rules.moves(position).len();
        let likes = |heuristic: &Heuristic<D::Rules>| {
            let preferred = (heuristic.preferred)(position);
            let is_same =
                |liked: &<D::Rules as Game>::Move| rules.record_move(position, liked.clone()) == mv;
            preferred.len() < legal && preferred.iter().any(is_same)
        };
        let heuristics = self.game.definition.heuristics(rules);
        heuristics.into_iter().filter(likes).map(|heuristic| heuristic.name).collect()
    }

    fn puzzle(&self, wanted: &Wanted, monitor: &Monitor) -> Result<Puzzle, Error> {
        let Evaluated { rules, evaluator, .. } = &*self.game;
        let limits = Limits::new(wanted.time, monitor);
        let position = self.record.position();
        let found = puzzle::find::<D>(rules, evaluator, position, wanted, &limits.monitor);
        limits.unless_late(found)?.ok_or_else(|| wanted.not_found_in_time())
    }
}

impl<D: Definition> InProgress<D> {
    /// The moves before the current position, as text.
    fn played(&self) -> Vec<String> {
        let mut moves = self.record.moves_as_text();
        moves.truncate(self.record.at());
        moves
    }

    /// The position with what was found about it.
    fn described(&self, found: PositionValues) -> Answer {
        let (rules, position) = (self.record.rules(), self.record.position());
        let bounds = found.bounds.as_ref();
        let of_points = |points: fn(&Proved<Score>) -> Score| found.to_come.as_ref().map(points);
        let [score_min, score_max] = match bounds {
            Some(bounds) => [bounds.least.score, bounds.most.score],
            None => [None; 2],
        };
        // The points at the end of a game, or those that are left of the others.
        let score = rules.result(position).and_then(|result| result.score);
        let score = score.or_else(|| Some(score_min? - found.to_come?.least));
        let to_come = found.to_come.and_then(|points| points.exact());
        Answer {
            game: self.game.definition.info().name.clone(),
            rules: self.rules(),
            played: self.played(),
            to_move: rules.to_move(position),
            is_over: found.moves.is_empty(),
            is_reachable: rules.is_reachable(position),
            score,
            value: found.value,
            score_min,
            score_max,
            proved: found.value.is_some() || to_come.is_some(),
            is_complete: found.is_complete,
            to_come,
            to_come_min: of_points(|points| points.least),
            to_come_max: of_points(|points| points.most),
            scene: rules.scene(position),
            cost: self.cost(),
            search_seconds: self.estimate().map(|time| time.as_secs_f64().ceil() as u64),
            position: found.position.unwrap_or_default(),
            bounds: found.bounds,
            moves: found.moves,
            principal_variation: found.line,
            facts: found.facts,
        }
    }
}

/// The best moves by what is [seen](seen_ahead) some plies ahead. Among equally good moves, those whose
/// result comes sooner.
fn best_ahead<G: Game>(game: &G, position: &G::Position, plies: u32) -> Vec<G::Move> {
    (1..plies).rev().fold(seen_ahead(game, position, plies), |best, plies| {
        let mut sooner = seen_ahead(game, position, plies);
        sooner.retain(|mv| best.contains(mv));
        if sooner.is_empty() { best } else { sooner }
    })
}

/// The number of plies to look ahead where the values of moves cannot be found. A game that has so many
/// moves in each position has at most 20,000 positions after them, which takes some hundredths of a second.
fn plies_ahead(moves: usize) -> u32 {
    const POSITIONS: usize = 20_000;
    let fits = |&plies: &u32| moves.checked_pow(plies).is_some_and(|all| all <= POSITIONS);
    (1..=8).take_while(fits).last().unwrap_or(1)
}

/// A move without its value.
fn unknown_move<R: Recorded + View>(rules: &R, position: &R::Position, mv: R::Move) -> MoveAnswer {
    MoveAnswer {
        name: rules.record_move(position, mv.clone()),
        places: rules.places(position, mv),
        value: None,
        to_come: None,
        cost: None,
        class: None,
        facts: BTreeMap::new(),
    }
}

/// The moves with their values as far as these are known. `value` is what is known about that of the
/// position.
fn known_moves<R: Recorded + View>(
    rules: &R,
    position: &R::Position,
    value: Option<Proved<Value>>,
    moves: Vec<(R::Move, Option<Proved<Value>>)>,
) -> Vec<MoveAnswer> {
    let mover = rules.to_move(position);
    let best = value.and_then(|value| value.exact());
    let moves = moves.into_iter().map(|(mv, value)| {
        let value = value.and_then(|value| value.exact());
        let class = best.zip(value).map(|(best, value)| class(best, value, mover));
        MoveAnswer { value: value.map(Into::into), class, ..unknown_move(rules, position, mv) }
    });
    moves.collect()
}

/// An evaluated move. `all` lists the evaluated moves, the best first.
fn move_answer<R: Recorded + View, F: Facts>(
    rules: &R,
    position: &R::Position,
    evaluated: &MoveEvaluation<R::Move, F>,
    all: &[MoveEvaluation<R::Move, F>],
    mover: Player,
) -> MoveAnswer {
    let points = |mv: &MoveEvaluation<_, F>| {
        mv.value.and_then(|value| value.score).or_else(|| mv.facts.to_come())
    };
    let best = all.first();
    let cost = best.and_then(|best| {
        let lost: Score = points(best)? - points(evaluated)?;
        Some(if mover.sign() < 0 { -lost } else { lost })
    });
    let class = match (best.and_then(|best| best.value), evaluated.value) {
        (Some(best), Some(value)) => Some(class(best, value, mover)),
        _ => cost.filter(|cost| *cost == Score::ZERO).map(|_| Class::Best),
    };
    MoveAnswer {
        value: evaluated.value.map(Into::into),
        to_come: evaluated.facts.to_come(),
        cost,
        class,
        facts: facts_of(evaluated.facts.facts()),
        ..unknown_move(rules, position, evaluated.mv.clone())
    }
}

/// Classifies a move by its value and that of the best move.
fn class(best: Value, value: Value, mover: Player) -> Class {
    if best.rank(mover) == value.rank(mover) {
        Class::Best
    } else if best.winner() == value.winner() {
        Class::KeepsOutcome
    } else {
        Class::ChangesOutcome
    }
}
