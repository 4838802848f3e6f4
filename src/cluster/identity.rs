//! What processes tell each other before anything else, and whom they refuse.
//!
//! A connection opens with sixteen bytes that nothing else begins with, the length of what follows
//! (32 bits, least byte first) and a [`Greeting`] in JSON; it is answered in the same way.

use super::hosts::Hosts;
use bsq_engine::levels::distributed::Inventory;
use serde::{Deserialize, Serialize};
use std::io::{Error, ErrorKind, Read, Result, Write};

const MAGIC: &[u8; 16] = b"bsq cluster 1\r\n\0";
/// No greeting is longer.
const MOST: u32 = 4 << 20;

/// Who a process is and what it is about to count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Of the program.
    pub version: String,
    /// In words.
    pub rules: String,
    /// `host:port` of each process.
    pub hosts: Vec<String>,
    /// Which of them this is.
    pub process: usize,
    /// Of each process.
    pub threads: usize,
    /// Whether to go on from what is kept.
    pub resume: bool,
    /// What is kept.
    pub inventory: Inventory,
    /// When it began, in seconds since 1970.
    pub began: u32,
}

/// What a connection opens with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Greeting {
    /// Who speaks.
    Hello(Box<Hello>),
    /// Why the other one is refused.
    Refused(String),
}

impl Greeting {
    /// Writes it.
    pub fn write(&self, mut to: impl Write) -> Result<()> {
        let json = serde_json::to_vec(self)?;
        let length = u32::try_from(json.len()).ok().filter(|&length| length <= MOST);
        let length = length.ok_or(Error::new(ErrorKind::InvalidData, "too much to say"))?;
        to.write_all(&[MAGIC.as_slice(), &length.to_le_bytes(), &json].concat())?;
        to.flush()
    }

    fn is_sound(&self) -> bool {
        match self {
            Greeting::Hello(hello) => hello.inventory.is_sound() && hello.began < u32::MAX - 1,
            Greeting::Refused(_) => true,
        }
    }

    /// Reads one. What does not open as one is an error of the kind `InvalidData`; memory is only
    /// taken for what has come.
    pub fn read(mut from: impl Read) -> Result<Greeting> {
        let wrong = |why| Error::new(ErrorKind::InvalidData, why);
        let mut magic = [0; 16];
        from.read_exact(&mut magic)?;
        if magic != *MAGIC {
            return Err(wrong("it does not open as a bsq process does"));
        }
        let mut length = [0; 4];
        from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MOST {
            return Err(wrong("it opens with too much"));
        }
        let mut json = Vec::new();
        from.take(length.into()).read_to_end(&mut json)?;
        if json.len() < length as usize {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let greeting = serde_json::from_slice(&json).ok().filter(Greeting::is_sound);
        greeting.ok_or_else(|| wrong("it opens with something else"))
    }
}

impl Hello {
    /// Why the other process cannot take part: what differs, on both sides. `None` if it can.
    pub fn differs(&self, other: &Hello, hosts: &Hosts) -> Option<String> {
        let Some(address) = hosts.addresses.get(other.process) else {
            return Some(format!(
                "it is process {}, and the hosts here are for processes 0 to {}; give all the same file",
                other.process,
                hosts.len() - 1
            ));
        };
        let name = format!("process {} ({address})", other.process);
        let me = hosts.name(self.process);
        let both = |says: &dyn Fn(&Hello) -> String, right: &str| {
            Some(format!("{name} {}, {me} {}; {right}", says(other), says(self)))
        };
        if self.version != other.version {
            both(
                &|hello| format!("is bsq {}", hello.version),
                "run the same build on every machine",
            )
        } else if self.rules != other.rules {
            let right = "give the same board and rules everywhere";
            both(&|hello| format!("counts {}", hello.rules), right)
        } else if self.hosts != other.hosts {
            both(&|hello| format!("has hosts {}", hello.hosts.join(" ")), "give all the same file")
        } else if self.threads != other.threads {
            let right = "give the same --threads everywhere";
            both(&|hello| format!("has {} threads", hello.threads), right)
        } else if self.resume != other.resume {
            let says = |hello: &Hello| if hello.resume { "goes on" } else { "begins" };
            both(&|hello| says(hello).to_string(), "give --resume to all or to none")
        } else if self.process == other.process {
            Some(format!("it is {name}, and so is this one; give each its own --process"))
        } else {
            None
        }
    }
}
