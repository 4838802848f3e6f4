//! A game in progress with its players.

use bsq_api::{Answer, Error, Monitor, Player, Request, Session};
use std::time::Duration;

/// The number of occurrences of a position at which two agents stop.
const OFTEN: usize = 3;

/// The side that chooses the moves of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person at the keyboard.
    You,
    /// An agent, by its name.
    Agent(String),
}

impl Side {
    /// The name of the person.
    pub const YOU: &str = "you";

    /// The name.
    #[cfg(feature = "full")]
    pub fn name(&self) -> &str {
        match self {
            Side::You => Side::YOU,
            Side::Agent(name) => name,
        }
    }
}

/// A game in progress with its players.
pub struct Contest {
    /// The game.
    pub session: Box<dyn Session>,
    /// The sides of the first and of the second player.
    pub sides: [Side; 2],
    /// The random seed of the agents.
    pub seed: u64,
    /// The time for the move of an agent, and for values.
    pub time: Duration,
    /// The positions of the game from the first to the last, without values.
    line: Vec<Answer>,
}

impl Contest {
    /// A game with its players.
    ///
    /// # Errors
    ///
    /// If the game cannot be answered.
    pub fn new(
        session: Box<dyn Session>,
        sides: [Side; 2],
        seed: u64,
        time: Duration,
    ) -> Result<Contest, Error> {
        let mut contest = Contest { session, sides, seed, time, line: Vec::new() };
        contest.update()?;
        Ok(contest)
    }

    /// Answers the positions of the game that are not answered yet, up to the last one.
    fn update(&mut self) -> Result<(), Error> {
        let (at, last) = (self.session.at(), self.session.moves().len());
        for position in self.line.len()..=last {
            self.session.go_to(position);
            self.line.push(self.session.answer(Request::default(), &Monitor::default())?);
        }
        self.session.go_to(at);
        Ok(())
    }

    /// Plays a move, or several.
    ///
    /// # Errors
    ///
    /// If one is invalid; then none is played.
    pub fn play(&mut self, moves: &str) -> Result<(), Error> {
        let before = self.session.moves();
        self.session.play(moves)?;
        let after = self.session.moves();
        let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
        self.line.truncate(same + 1);
        self.update()
    }

    /// The current position, without values.
    pub fn now(&self) -> &Answer {
        &self.line[self.session.at()]
    }

    /// The positions of the game, without values.
    #[cfg(feature = "full")]
    pub fn line(&self) -> &[Answer] {
        &self.line
    }

    /// The side to move; `None` if the game is over.
    pub fn mover(&self) -> Option<&Side> {
        let now = self.now();
        (!now.is_over).then(|| self.side(now.to_move))
    }

    /// The side of a player.
    pub fn side(&self, player: Player) -> &Side {
        &self.sides[player as usize]
    }

    /// The agent to move, if it is an agent's turn.
    pub fn agent(&self) -> Option<&str> {
        match self.mover() {
            Some(Side::Agent(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether two agents repeat positions, which they may do forever.
    pub fn repeats(&self) -> bool {
        !self.sides.contains(&Side::You) && self.session.times() >= OFTEN && !self.now().is_over
    }

    /// The number of moves before the last decision of a person, if there was one.
    pub fn last_decision(&self) -> Option<usize> {
        let before = &self.line[..self.session.at()];
        before.iter().rposition(|answer| *self.side(answer.to_move) == Side::You)
    }

    /// The last move, without its value.
    #[cfg(feature = "full")]
    pub fn last_move(&self) -> Option<&bsq_api::MoveAnswer> {
        let before = self.session.at().checked_sub(1)?;
        let played = self.now().played.last()?;
        self.line[before].moves.iter().find(|mv| mv.name == *played)
    }
}
