//! Agents as opponents.

use bsq_analyses::agent::Agent;
use bsq_engine::definition::Definition;
use bsq_engine::game::Game;
use serde::Serialize;

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

impl<G: Game> From<&Agent<G>> for AgentInfo {
    fn from(agent: &Agent<G>) -> AgentInfo {
        AgentInfo { name: agent.name(), summary: agent.summary(), mistakes: agent.mistakes() }
    }
}

/// The agents of a game, the weakest first.
pub(crate) fn agents<D: Definition>(definition: &D, rules: &D::Rules) -> Vec<AgentInfo> {
    Agent::all(definition, rules).iter().map(AgentInfo::from).collect()
}
