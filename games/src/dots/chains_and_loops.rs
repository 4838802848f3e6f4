//! Endgames that consist of independent chains and loops, of any number and length.
//!
//! Every move opens a component, so a position is determined by the number of components of each kind
//! and length that are left.
//!
//! References: Elwyn Berlekamp, *The Dots-and-Boxes Game* (2000), for the controlled value; Kevin
//! Buzzard and Michael Ciere, *Playing simple loony dots and boxes endgames optimally*
//! (arXiv:1305.2156), for the theorem about it.

use super::Component;
use std::collections::BTreeMap;

/// An endgame without other components. The player to move has to open one of them.
///
/// ```
/// use bsq_games::dots::ChainsAndLoops;
///
/// let endgame: ChainsAndLoops = "chains 5 6 loops 4".parse().unwrap();
/// assert_eq!((endgame.boxes(), endgame.controlled_value()), (15, Some(3)));
/// // The opponent declines the last boxes of two components, and wins by the controlled value.
/// assert_eq!(endgame.solve(0).value(), -3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainsAndLoops {
    /// Each component once, in order, with its number.
    components: Vec<(Component, u32)>,
}

/// Why a text is not an endgame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// There is no component.
    #[error("an endgame is written as the boxes of its chains and loops, as in {EXAMPLE}")]
    Empty,
    /// A word is not a number of boxes, or comes before `chains` and `loops`.
    #[error("'{0}' cannot stand here; an endgame is written as in {EXAMPLE}")]
    Word(String),
    /// No chain has that number of boxes.
    #[error("a chain has at least 1 box, not {0}")]
    Chain(u32),
    /// No loop has that number of boxes.
    #[error("a loop has an even number of boxes, at least 4, not {0}")]
    Loop(u32),
    /// There are more than 1000 boxes.
    #[error("the endgame has more than 1000 boxes")]
    TooManyBoxes,
    /// There are more than a million positions.
    #[error("the endgame has {0} positions; at most 1,000,000 are possible")]
    TooManyPositions(u64),
}

const EXAMPLE: &str = "'chains 3 4 5 loops 4 4'";
const MOST_BOXES: u32 = 1000;
const MOST_POSITIONS: u64 = 1_000_000;

impl std::str::FromStr for ChainsAndLoops {
    type Err = EndgameError;

    /// Parses the numbers of boxes, as in `chains 3 4 5 loops 4 4`.
    fn from_str(text: &str) -> Result<ChainsAndLoops, EndgameError> {
        let is_separator = |c: char| c.is_whitespace() || c == ',';
        let mut kind: Option<fn(u32) -> Result<Component, EndgameError>> = None;
        let mut numbers = BTreeMap::<Component, u32>::new();
        for word in text.split(is_separator).filter(|word| !word.is_empty()) {
            match word.trim_end_matches(':').to_ascii_lowercase().as_str() {
                "chain" | "chains" => kind = Some(chain),
                "loop" | "loops" => kind = Some(loop_of),
                number => {
                    let number = number.parse().ok().zip(kind);
                    let (boxes, kind) = number.ok_or(EndgameError::Word(word.to_string()))?;
                    *numbers.entry(kind(boxes)?).or_default() += 1;
                }
            }
        }
        let endgame = ChainsAndLoops { components: numbers.into_iter().collect() };
        let boxes = endgame.components.iter().try_fold(0_u32, |sum, (component, number)| {
            sum.checked_add(component.boxes().checked_mul(*number)?)
        });
        match (boxes, endgame.positions()) {
            (Some(0), _) => Err(EndgameError::Empty),
            (Some(..=MOST_BOXES), ..=MOST_POSITIONS) => Ok(endgame),
            (Some(..=MOST_BOXES), positions) => Err(EndgameError::TooManyPositions(positions)),
            _ => Err(EndgameError::TooManyBoxes),
        }
    }
}

fn chain(boxes: u32) -> Result<Component, EndgameError> {
    if boxes == 0 { Err(EndgameError::Chain(boxes)) } else { Ok(Component::Chain(boxes)) }
}

fn loop_of(boxes: u32) -> Result<Component, EndgameError> {
    let is_loop = boxes >= 4 && boxes.is_multiple_of(2);
    if is_loop { Ok(Component::Loop(boxes)) } else { Err(EndgameError::Loop(boxes)) }
}

impl ChainsAndLoops {
    /// Each component once, chains first and short ones first, with its number.
    pub fn components(&self) -> &[(Component, u32)] {
        &self.components
    }

    /// The number of boxes.
    pub fn boxes(&self) -> u32 {
        self.components.iter().map(|(component, number)| component.boxes() * number).sum()
    }

    /// The number of positions that play leads to between two openings, the empty one included.
    pub fn positions(&self) -> u64 {
        let numbers = self.components.iter().map(|(_, number)| u64::from(*number) + 1);
        numbers.fold(1, u64::saturating_mul)
    }

    /// The score of the player who keeps control to the end: by leaving the last four boxes of each
    /// loop and the last two of each chain to the opponent, except those of the last component. `None`
    /// with chains of one or two boxes, which have no such move.
    ///
    /// If it is at least 2, it is what the player who does not move wins by, without a penalty.
    pub fn controlled_value(&self) -> Option<i32> {
        let mut value = 0;
        let (mut has_chain, mut has_loop, mut has_long) = (false, false, false);
        for &(component, number) in &self.components {
            let cost = component.control_cost()?;
            value += number as i32 * (component.boxes() as i32 - cost);
            match component {
                Component::Chain(boxes) => (has_chain, has_long) = (true, has_long | (boxes >= 4)),
                Component::Loop(_) => has_loop = true,
            }
        }
        // The cost of the last component is not paid.
        let bonus = match (has_chain, has_loop) {
            (false, _) => 8,
            (true, true) if !has_long => 6,
            (true, _) => 4,
        };
        Some(value + bonus)
    }

    /// Values every position, by plain recursion over all openings.
    ///
    /// The player who draws the last line gets `penalty` points.
    pub fn solve(&self, penalty: i32) -> SolvedEndgame<'_> {
        let mut strides = Vec::new();
        let mut positions = 1;
        for (_, number) in &self.components {
            strides.push(positions);
            positions *= *number as usize + 1;
        }
        let mut solved = SolvedEndgame { endgame: self, strides, values: vec![penalty] };
        for at in 1..positions {
            let scores = solved.scores(at);
            let best = scores.into_iter().map(|(_, score)| score).max();
            solved.values.push(best.expect("a component is left"));
        }
        solved
    }
}

/// The values of all positions of an endgame.
pub struct SolvedEndgame<'a> {
    endgame: &'a ChainsAndLoops,
    /// What one component more adds to the index of a position.
    strides: Vec<usize>,
    /// The net score of the player to move, by the index of the position.
    values: Vec<i32>,
}

impl SolvedEndgame<'_> {
    /// The net score of the player to move in the endgame.
    pub fn value(&self) -> i32 {
        self.values[self.values.len() - 1]
    }

    /// The net score of the player to move if that player opens each component.
    pub fn openings(&self) -> Vec<(Component, i32)> {
        self.scores(self.values.len() - 1)
    }

    fn scores(&self, at: usize) -> Vec<(Component, i32)> {
        let components = self.endgame.components.iter().zip(&self.strides);
        let left = components.filter(|((_, number), stride)| {
            let left = at / **stride % (*number as usize + 1);
            left > 0
        });
        left.map(|((component, _), stride)| {
            let (boxes, rest) = (component.boxes() as i32, self.values[at - stride]);
            let taken = boxes + rest;
            // The opponent takes all boxes and moves, or leaves the last ones and does not.
            let given =
                component.control_cost().map_or(taken, |cost| taken.max(boxes - cost - rest));
            (*component, -given)
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
