//! Games under fixed rules, and games in progress.

use crate::agent::{Agent, AgentInfo, agents};
use crate::answer::{
    Answer, BoundsAnswer, Class, Cost, MoveAnswer, RulesAnswer, ValueAnswer, facts_of,
};
use crate::puzzle::{self, Puzzle, Wanted};
use bsq_engine::definition::{Definition, Heuristic};
use bsq_engine::error::{Error, Kind};
use bsq_engine::evaluate::{self, Detail, Evaluator, Learned, MoveEvaluation};
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::proved::Proved;
use bsq_engine::random::Random;
use bsq_engine::record::{GameRecord, Recorded, values_of};
use bsq_engine::score::Score;
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

    /// Returns the value of the position after the given moves.
    ///
    /// For many positions, this is faster than a session. After the time, what is proved by then is
    /// the value.
    ///
    /// # Errors
    ///
    /// If the position or a move is invalid, or as for [`Session::answer`].
    fn value(
        &self,
        position: &str,
        moves: &str,
        time: Option<Duration>,
        monitor: &Monitor,
    ) -> Result<PositionValue, Error>;

    /// The agents, the weakest first.
    fn agents(&self) -> Vec<AgentInfo>;

    /// The size of the evaluator's tables, in bytes.
    fn bytes(&self) -> u64;
}

/// The value of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionValue {
    /// The position, as [`Answer::position`].
    pub position: String,
    /// The value, as [`Answer::value`].
    pub value: Option<ValueAnswer>,
    /// Bounds on the value, as [`Answer::bounds`].
    pub bounds: Option<BoundsAnswer>,
    /// The points to come, as [`Answer::to_come`].
    pub to_come: Option<Score>,
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
    /// Whether the agent found it as it should. Otherwise the time was over, and it is the move that
    /// seems best so far.
    pub is_sure: bool,
}

/// A game in progress.
pub trait Session: Send {
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

    /// The solvers that search positions of this game.
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
        record.map_err(|error| Error::invalid("position", error))
    }

    /// Evaluates a position. `None` if the time was over before.
    fn evaluate(
        &self,
        position: &PositionOf<D>,
        detail: Detail,
        until: Limits,
    ) -> Result<Option<EvaluationOf<D>>, Error> {
        until.unless_late(self.evaluator.evaluate(position, detail, &until.monitor))
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

    fn value(
        &self,
        position: &str,
        moves: &str,
        time: Option<Duration>,
        monitor: &Monitor,
    ) -> Result<PositionValue, Error> {
        let mut record = self.begun(position)?;
        record.play_all(moves).map_err(|error| Error::invalid("moves", error))?;
        let position = record.position();
        let found = self.evaluate(position, Detail::Value, Limits::new(time, monitor))?;
        let (value, to_come) = if let Some(found) = found {
            (found.value.map(Proved::exactly), found.to_come)
        } else {
            let known = self.evaluator.known(position);
            (known.value, known.to_come.and_then(|points| points.exact()))
        };
        Ok(PositionValue {
            position: self.rules.format_position(position),
            value: value.and_then(|value| value.exact()).map(Into::into),
            bounds: value.map(Into::into),
            to_come,
        })
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

/// The evaluation of a position by the evaluator of a game.
pub(crate) type EvaluationOf<D> = evaluate::EvaluationOf<<D as Definition>::Evaluator>;

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

    fn learned(&self) -> Vec<&dyn Learned> {
        self.game.evaluator.learned()
    }

    fn most_bytes(&self) -> u64 {
        self.game.evaluator.most_bytes()
    }

    fn answer(&self, request: Request, monitor: &Monitor) -> Result<Answer, Error> {
        let limits = Limits::new(request.time, monitor);
        let found = match request.detail {
            None => self.without_values(),
            Some(detail) => match self.evaluate(detail, limits)? {
                Some(found) => self.evaluated(&found),
                None => return Ok(self.so_far()),
            },
        };
        if request.line == 0 {
            return Ok(found);
        }
        let line = self.principal_variation(request.line, &limits.monitor);
        let principal_variation = limits.unless_late(line)?;
        Ok(Answer { is_complete: principal_variation.is_some(), principal_variation, ..found })
    }

    fn so_far(&self) -> Answer {
        let known = self.game.evaluator.known(self.record.position());
        let mover = self.record.rules().to_move(self.record.position());
        let best = known.value.and_then(|value| value.exact());
        let moves = known.moves.into_iter().map(|(mv, value)| {
            let value = value.and_then(|value| value.exact());
            let class = best.zip(value).map(|(best, value)| class(best, value, mover));
            MoveAnswer { value: value.map(Into::into), class, ..self.unknown_move(mv) }
        });
        let without = self.with_moves(moves.collect());
        let score = || Some(known.value?.least.score? - known.to_come?.least);
        let score = without.score.or_else(score);
        let so_far = Answer { score, is_complete: false, ..without }.with_to_come(known.to_come);
        match known.value {
            Some(value) => so_far.with(Some(value)),
            None => so_far,
        }
    }

    fn fork(&self) -> Box<dyn Session> {
        Arc::clone(&self.game).at(self.record.clone())
    }

    fn agents(&self) -> Vec<AgentInfo> {
        self.game.agents()
    }

    fn agent(&self, text: &str) -> Result<AgentInfo, Error> {
        Ok(Agent::parse(&*self.game.definition, self.record.rules(), text)?.info())
    }

    fn needs_values(&self, agent: &str) -> Result<bool, Error> {
        let agent = Agent::parse(&*self.game.definition, self.record.rules(), agent)?;
        Ok(matches!(agent, Agent::Mistakes(_) | Agent::Perfect))
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
            Agent::Mistakes(share) if random.below(100) < *share => Vec::new(),
            Agent::Heuristic(heuristic) => (heuristic.preferred)(position),
            Agent::Mistakes(_) | Agent::Perfect => {
                let (evaluator, limits) = (&self.game.evaluator, Limits::new(time, monitor));
                let found = limits.unless_late(evaluator.best_move(position, &limits.monitor))?;
                is_sure = found.is_some();
                let best = found.unwrap_or_else(|| {
                    evaluator.known(position).moves.into_iter().map(|(mv, _)| mv).next()
                });
                best.into_iter().collect()
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
        puzzle::find::<D>(rules, evaluator, self.record.position(), wanted, monitor)
    }
}

impl<D: Definition> InProgress<D> {
    /// The moves before the current position, as text.
    fn played(&self) -> Vec<String> {
        let mut moves = self.record.moves_as_text();
        moves.truncate(self.record.at());
        moves
    }

    /// Evaluates the position. `None` if the time was over before.
    fn evaluate(&self, detail: Detail, limits: Limits) -> Result<Option<EvaluationOf<D>>, Error> {
        self.game.evaluate(self.record.position(), detail, limits)
    }

    /// The answer without values.
    fn without_values(&self) -> Answer {
        let moves = self.record.rules().moves(self.record.position()).into_iter();
        self.with_moves(moves.map(|mv| self.unknown_move(mv)).collect())
    }

    /// The answer with some moves, and without a value, except for that of the end of a game, which
    /// needs no evaluation.
    // It exists once for each game, and its callers should not copy it.
    #[inline(never)]
    fn with_moves(&self, moves: Vec<MoveAnswer>) -> Answer {
        let (rules, position) = (self.record.rules(), self.record.position());
        let is_over = moves.is_empty();
        let answer = Answer {
            game: self.game.definition.info().name.clone(),
            rules: self.rules(),
            position: self.position(),
            played: self.played(),
            to_move: rules.to_move(position),
            is_over,
            is_reachable: rules.is_reachable(position),
            score: self.score_so_far(),
            value: None,
            bounds: None,
            score_min: None,
            score_max: None,
            proved: false,
            is_complete: true,
            to_come: None,
            to_come_min: None,
            to_come_max: None,
            moves,
            principal_variation: None,
            facts: BTreeMap::new(),
            scene: rules.scene(position),
            cost: self.cost(),
        };
        answer.with(rules.result(position).filter(|_| is_over).map(Proved::exactly))
    }

    /// The answer with the values that were found.
    fn evaluated(&self, found: &EvaluationOf<D>) -> Answer {
        let mover = self.record.rules().to_move(self.record.position());
        let without = match &found.moves {
            Some(moves) => {
                self.with_moves(moves.iter().map(|mv| self.move_answer(mv, moves, mover)).collect())
            }
            None => self.without_values(),
        };
        let score = || Some(found.value?.score? - found.to_come?);
        let (score, facts) = (without.score.or_else(score), facts_of(found.facts.facts()));
        let to_come = found.to_come.map(Proved::exactly);
        let answer = Answer { score, facts, ..without }.with_to_come(to_come);
        match found.value {
            Some(value) => answer.with(Some(Proved::exactly(value))),
            None => answer,
        }
    }

    fn principal_variation(&self, limit: usize, monitor: &Monitor) -> Result<Vec<String>, Error> {
        let (rules, position) = (self.record.rules(), self.record.position());
        let line = self.game.evaluator.principal_variation(position, limit, monitor)?;
        let mut line_record = GameRecord::from(rules.clone(), position.clone());
        for mv in line {
            line_record.play(mv).map_err(|error| Error::of(Kind::Failed, error))?;
        }
        Ok(line_record.moves_as_text())
    }

    /// The points at the end of a game.
    fn score_so_far(&self) -> Option<Score> {
        self.record.rules().result(self.record.position())?.score
    }

    fn unknown_move(&self, mv: <D::Rules as Game>::Move) -> MoveAnswer {
        let (rules, position) = (self.record.rules(), self.record.position());
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

    /// Describes an evaluated move. `all` lists the evaluated moves, the best first.
    fn move_answer<F: Facts>(
        &self,
        evaluated: &MoveEvaluation<<D::Rules as Game>::Move, F>,
        all: &[MoveEvaluation<<D::Rules as Game>::Move, F>],
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
            ..self.unknown_move(evaluated.mv.clone())
        }
    }
}

impl Answer {
    /// The answer with bounds on the value.
    #[inline(never)]
    fn with(self, value: Option<Proved<Value>>) -> Answer {
        let exact = value.and_then(|value| value.exact());
        let score = value.and_then(|value| value.score());
        Answer {
            value: exact.map(Into::into),
            bounds: value.map(Into::into),
            score_min: score.map(|score| score.least),
            score_max: score.map(|score| score.most),
            proved: exact.is_some(),
            ..self
        }
    }

    /// The answer with bounds on the points to come.
    fn with_to_come(self, to_come: Option<Proved<Score>>) -> Answer {
        let exact = to_come.and_then(|points| points.exact());
        Answer {
            to_come: exact,
            to_come_min: to_come.map(|points| points.least),
            to_come_max: to_come.map(|points| points.most),
            proved: exact.is_some(),
            ..self
        }
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
