//! Agents: players that choose their moves by a rule.

use bsq_engine::definition::{Definition, Heuristic, UnknownHeuristic};
use bsq_engine::error::Error;
use bsq_engine::game::{Game, Value};
use bsq_engine::text::nearest;

/// The name of random play.
const RANDOM: &str = "random";
/// The name of perfect play.
const PERFECT: &str = "perfect";
/// What the names of agents that make mistakes begin with. The share in percent follows.
const MISTAKES: &str = "mistakes-";
/// The shares of mistakes of the listed agents, in percent.
const SHARES: [u32; 3] = [50, 25, 10];

/// A player that chooses its moves by a rule, at random where the rule leaves a choice.
pub enum Agent<G: Game> {
    /// Any legal move.
    Random,
    /// One of the moves that a heuristic prefers.
    Heuristic(Heuristic<G>),
    /// A best move, except that this share of the moves, in percent, is random.
    Mistakes(u32),
    /// A best move.
    Perfect,
}

impl<G: Game> Agent<G> {
    /// The agents of a game, the weakest first: by the share of positions in which their move may not be
    /// best.
    pub fn all<D: Definition<Rules = G>>(definition: &D, rules: &G) -> Vec<Agent<G>> {
        let mut agents = vec![Agent::Random];
        agents.extend(definition.heuristics(rules).into_iter().map(Agent::Heuristic));
        agents.extend(SHARES.map(Agent::Mistakes));
        agents.push(Agent::Perfect);
        let mistakes = |agent: &Agent<G>| agent.mistakes().unwrap_or(100.0);
        agents.sort_by(|one, other| mistakes(other).total_cmp(&mistakes(one)));
        agents
    }

    /// The agent of a name, or of a heuristic given as text.
    ///
    /// # Errors
    ///
    /// If there is no such agent. The error lists the names.
    pub fn parse<D: Definition<Rules = G>>(
        definition: &D,
        rules: &G,
        text: &str,
    ) -> Result<Agent<G>, Error> {
        let share = text.strip_prefix(MISTAKES).and_then(|share| share.parse().ok());
        match (text, share) {
            (RANDOM, _) => Ok(Agent::Random),
            (PERFECT, _) => Ok(Agent::Perfect),
            (_, Some(share @ 0..=100)) => Ok(Agent::Mistakes(share)),
            _ => definition.parse_heuristic(rules, text).map(Agent::Heuristic).map_err(|error| {
                let names: Vec<String> =
                    Agent::all(definition, rules).iter().map(Agent::name).collect();
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

    /// The name; for a heuristic given as text, that text.
    pub fn name(&self) -> String {
        match self {
            Agent::Random => RANDOM.to_string(),
            Agent::Heuristic(heuristic) => heuristic.name.clone(),
            Agent::Mistakes(share) => format!("{MISTAKES}{share}"),
            Agent::Perfect => PERFECT.to_string(),
        }
    }

    /// How it chooses its moves.
    pub fn summary(&self) -> String {
        match self {
            Agent::Random => "any legal move".to_string(),
            Agent::Heuristic(heuristic) => heuristic.summary.clone(),
            Agent::Mistakes(share) => {
                format!("perfect play, but {share} % of the moves are random")
            }
            Agent::Perfect => "a best move, always".to_string(),
        }
    }

    /// The share of positions, in percent, in which its move may not be best; for a heuristic, as
    /// measured on the board of the default rules. `None` if it is not known.
    pub fn mistakes(&self) -> Option<f64> {
        match self {
            Agent::Random => None,
            Agent::Heuristic(heuristic) => heuristic.mistakes,
            Agent::Mistakes(share) => Some(f64::from(*share)),
            Agent::Perfect => Some(0.0),
        }
    }

    /// Whether it needs the values of moves to choose one.
    pub fn needs_values(&self) -> bool {
        matches!(self, Agent::Mistakes(_) | Agent::Perfect)
    }

    /// The moves that it may play in a position, each with its weight. `values` returns the legal moves
    /// with their values, and is called only if the agent [needs](Agent::needs_values) them.
    pub fn choices(
        &self,
        game: &G,
        position: &G::Position,
        values: impl Fn(&G::Position) -> Vec<(G::Move, Value)>,
    ) -> Vec<(G::Move, u32)> {
        let share = match self {
            Agent::Random => 100,
            Agent::Mistakes(share) => *share,
            Agent::Perfect => 0,
            Agent::Heuristic(heuristic) => {
                let mut liked = (heuristic.preferred)(position);
                if liked.is_empty() {
                    liked = game.moves(position);
                }
                return liked.into_iter().map(|mv| (mv, 1)).collect();
            }
        };
        if share == 100 {
            return game.moves(position).into_iter().map(|mv| (mv, 1)).collect();
        }
        let (moves, player) = (values(position), game.to_move(position));
        let rank = |value: &Value| value.rank(player);
        let best = moves.iter().map(|(_, value)| rank(value)).max();
        let is_best = |value: &Value| Some(rank(value)) == best;
        let perfect = moves.iter().filter(|(_, value)| is_best(value)).count() as u32;
        let legal = moves.len() as u32;
        // A move is random with the probability share / 100 and then any of the legal ones.
        let weighted = moves.iter().map(|(mv, value)| {
            let sure = if is_best(value) { (100 - share) * legal } else { 0 };
            (mv.clone(), sure + share * perfect)
        });
        weighted.filter(|(_, weight)| *weight > 0).collect()
    }
}
