//! Agents: opponents that choose moves.

use bsq_engine::definition::{Definition, Heuristic, UnknownHeuristic};
use bsq_engine::error::Error;
use bsq_engine::game::Game;
use bsq_engine::text::nearest;
use serde::Serialize;

/// The name of random play.
const RANDOM: &str = "random";
/// The name of perfect play.
const PERFECT: &str = "perfect";
/// What the names of agents that make mistakes begin with. The share in percent follows.
const MISTAKES: &str = "mistakes-";
/// The shares of mistakes of the listed agents, in percent.
const SHARES: [usize; 3] = [50, 25, 10];

/// An opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentInfo {
    /// The name.
    pub name: String,
    /// How it chooses its moves.
    pub summary: String,
    /// The share of positions, in percent, in which its move may not be best; for a heuristic, as
    /// measured on the board of the default rules. Null if it is not known.
    pub mistakes: Option<f64>,
}

impl AgentInfo {
    /// A heuristic as an opponent.
    pub(crate) fn of<G: Game>(heuristic: &Heuristic<G>) -> AgentInfo {
        let Heuristic { name, summary, mistakes, .. } = heuristic;
        AgentInfo { name: name.clone(), summary: summary.clone(), mistakes: *mistakes }
    }
}

/// An agent that can choose a move.
pub(crate) enum Agent<D: Definition> {
    /// Any legal move.
    Random,
    /// One of the moves that a heuristic prefers.
    Heuristic(Heuristic<D::Rules>),
    /// A best move, except that this share of the moves, in percent, is random.
    Mistakes(usize),
    /// A best move.
    Perfect,
}

/// The agents of a game, the weakest first.
pub(crate) fn agents<D: Definition>(definition: &D, rules: &D::Rules) -> Vec<AgentInfo> {
    let named = definition.heuristics(rules).into_iter().map(Agent::<D>::Heuristic);
    let between = named.chain(SHARES.map(Agent::Mistakes)).map(|agent| agent.info()).collect();
    let mut agents = vec![Agent::<D>::Random.info()];
    agents.extend(by_mistakes(between));
    agents.push(Agent::<D>::Perfect.info());
    agents
}

/// Sorts agents by their share of mistakes, the largest first.
fn by_mistakes(mut agents: Vec<AgentInfo>) -> Vec<AgentInfo> {
    let share = |agent: &AgentInfo| agent.mistakes.unwrap_or(100.0);
    agents.sort_by(|one, other| share(other).total_cmp(&share(one)));
    agents
}

impl<D: Definition> Agent<D> {
    /// The name and description.
    pub fn info(&self) -> AgentInfo {
        let (name, summary, mistakes) = match self {
            Agent::Heuristic(heuristic) => return AgentInfo::of(heuristic),
            Agent::Random => (RANDOM.to_string(), "any legal move".to_string(), None),
            Agent::Mistakes(share) => (
                format!("{MISTAKES}{share}"),
                format!("perfect play, but {share} % of the moves are random"),
                Some(*share as f64),
            ),
            Agent::Perfect => (PERFECT.to_string(), "a best move, always".to_string(), Some(0.0)),
        };
        AgentInfo { name, summary, mistakes }
    }

    /// The agent of a name, or of a heuristic given as text.
    pub fn parse(definition: &D, rules: &D::Rules, text: &str) -> Result<Agent<D>, Error> {
        let share = text.strip_prefix(MISTAKES).and_then(|share| share.parse().ok());
        match (text, share) {
            (RANDOM, _) => Ok(Agent::Random),
            (PERFECT, _) => Ok(Agent::Perfect),
            (_, Some(share @ 0..=100)) => Ok(Agent::Mistakes(share)),
            _ => definition.parse_heuristic(rules, text).map(Agent::Heuristic).map_err(|error| {
                let names = agents(definition, rules).into_iter().map(|agent| agent.name);
                let names = names.collect::<Vec<String>>();
                let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '-');
                let why = match nearest(text, names.iter().map(String::as_str)) {
                    Some(near) if is_word => {
                        format!("unknown agent '{text}'; did you mean '{near}'?")
                    }
                    _ if error.is::<UnknownHeuristic>() => format!("unknown agent '{text}'"),
                    _ => error.to_string(),
                };
                let names = names.join(", ");
                Error::invalid("agent", format!("{why}\nagents: {names}"))
            }),
        }
    }
}
