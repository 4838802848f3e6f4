//! timely's messages between the workers of different processes: batches of states, answers to
//! them, and timely's own reports of progress.
//!
//! timely panics when it reads a malformed message, so messages are parsed before timely reads
//! them. A message is a [`Head`] and a content, whose type depends on the channel of the
//! [dataflow](super::worker). Numbers are bincode's: least significant byte first, lengths of 64
//! bits.

use super::frame::invalid;
use bsq_engine::levels::distributed::{LAST_TURN, Report};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Result;
use timely::progress::{Location, Port};

/// A batch of states in transit.
#[derive(Clone, Serialize, Deserialize)]
pub struct Sent {
    /// The worker that sends it.
    pub from: usize,
    /// The worker that owns the states.
    pub to: usize,
    /// The width of the tallies.
    pub tally_bits: u32,
    /// The stored states.
    pub words: Vec<u64>,
}

/// A message of a receiver.
#[derive(Clone, Serialize, Deserialize)]
pub struct Answer {
    /// The worker that it is for.
    pub to: usize,
    /// The worker that sends it.
    pub from: usize,
    /// The content.
    pub what: What,
}

/// The content of an answer.
#[derive(Clone, Serialize, Deserialize)]
pub enum What {
    /// An acknowledgement of the given number of words.
    Taken(usize),
    /// The report of a worker whose shard is on disk.
    Report(Report),
}

/// The channel of the dataflow for batches. timely numbers operators and channels in the order in
/// which they are made.
pub const BATCHES: u64 = 3;
/// The channel for answers.
pub const ANSWERS: u64 = 5;
/// The channel for timely's reports of progress.
pub const PROGRESS: u64 = 8;
/// The operators of the dataflow are numbered from 1; the first has no input.
const OPERATORS: usize = 4;

/// The least and the greatest number of states that a change of progress can be about.
const MAX_DIFFERENCE: u64 = 1 << 48;

/// The head of a message: six 64-bit numbers, most significant byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The channel.
    pub channel: u64,
    /// The worker that sends it.
    pub source: u64,
    /// The workers that receive it.
    pub targets: (u64, u64),
    /// The length of the content in bytes. The last message has none.
    pub length: u64,
}

impl Head {
    /// The bytes of a head.
    pub const BYTES: usize = 48;

    /// Parses a head.
    pub fn parse(bytes: &[u8; Head::BYTES]) -> Head {
        let number =
            |i: usize| bytes[8 * i..][..8].iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        Head {
            channel: number(0),
            source: number(1),
            targets: (number(2), number(3)),
            length: number(4),
        }
    }

    /// Checks a content: timely can read it, it is of the sender, and it is for the receiver.
    /// `number` is the number of earlier messages on this channel from the sender to the receiver.
    pub fn check(&self, content: &[u8], number: u64) -> Result<()> {
        // All messages begin with the sender and their number.
        let numbered = content.get(8..16).is_none_or(|bytes| *bytes == number.to_le_bytes());
        holds(numbered, "a message twice or out of order")?;
        match self.channel {
            BATCHES => {
                let batches: Vec<Sent> = stamped(self.source, content)?;
                let is_right = |sent: &Sent| self.is_from_to(sent.from, sent.to);
                holds(batches.iter().all(is_right), "states in the name of another worker")
            }
            ANSWERS => {
                let answers: Vec<Answer> = stamped(self.source, content)?;
                let is_right = |answer: &Answer| {
                    let reporter = match &answer.what {
                        What::Taken(_) => answer.from,
                        What::Report(report) => report.worker,
                    };
                    self.is_from_to(answer.from, answer.to) && reporter == answer.from
                };
                holds(answers.iter().all(is_right), "an answer in the name of another worker")
            }
            _ => self.check_progress(content),
        }
    }

    fn is_from_to(&self, from: usize, to: usize) -> bool {
        from as u64 == self.source && to as u64 == self.targets.0
    }

    fn check_progress(&self, content: &[u8]) -> Result<()> {
        type Changes = (Vec<((Location, u32), i64)>, usize);
        let (source, _, (changes, clean)): (u64, u64, Changes) = parse(content)?;
        let is_right = |((location, turn), difference): &((Location, u32), i64)| {
            let is_place = match location.port {
                Port::Target(0) => (2..=OPERATORS).contains(&location.node),
                Port::Source(0) => (1..=OPERATORS).contains(&location.node),
                _ => false,
            };
            is_place && *turn <= LAST_TURN + 1 && difference.unsigned_abs() <= MAX_DIFFERENCE
        };
        holds(source == self.source, "progress in the name of another worker")?;
        let are_right = clean <= changes.len() && changes.iter().all(is_right);
        holds(are_right, "progress that cannot be")
    }
}

/// Parses the records of a message that a worker sends on an exchange channel.
fn stamped<T: Serialize + DeserializeOwned>(source: u64, content: &[u8]) -> Result<Vec<T>> {
    const STAMP: usize = 32;
    let (stamp, records) =
        content.split_at_checked(STAMP).ok_or_else(|| invalid("a message without a turn"))?;
    // The worker, the number of the message, the number of turns, the turn, and no more.
    let (from, _, turns, turn, rest): (u64, u64, u64, u32, u32) = parse(stamp)?;
    let is_right = from == source && turns == 1 && turn <= LAST_TURN && rest == 0;
    holds(is_right, "a message with a wrong turn")?;
    parse(records)
}

/// Parses bytes, which are padded to a multiple of eight bytes.
fn parse<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let malformed = || invalid("a message that cannot be read");
    let value = bincode::deserialize(bytes).map_err(|_| malformed())?;
    let size = bincode::serialized_size(&value).map_err(|_| malformed())?;
    match size.next_multiple_of(8) == bytes.len() as u64 {
        true => Ok(value),
        false => Err(malformed()),
    }
}

fn holds(condition: bool, what: &str) -> Result<()> {
    if condition { Ok(()) } else { Err(invalid(what)) }
}
