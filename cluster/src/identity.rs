//! The greetings that processes exchange first, and the conditions of refusal.
//!
//! A connection begins with a magic number of sixteen bytes, the length of the rest (32 bits, least
//! significant byte first) and a [`Greeting`] in JSON. The answer has the same format.

use super::hosts::Hosts;
use bsq_engine::levels::distributed::Inventory;
use serde::{Deserialize, Serialize};
use std::io::{Error, ErrorKind, Read, Result, Write};

const MAGIC: &[u8; 16] = b"bsq cluster 1\r\n\0";
/// The maximum length of a greeting.
const MOST: u32 = 4 << 20;

/// The identity of a process and of its count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The version of the program.
    pub version: String,
    /// The rules as text.
    pub rules: String,
    /// `host:port` of each process.
    pub hosts: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// The number of threads of each process.
    pub threads: usize,
    /// The stored shards.
    pub inventory: Inventory,
    /// The start of the process, in seconds since 1970.
    pub began: u32,
}

/// The first message of a connection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Greeting {
    /// The identity of the sender.
    Hello(Box<Hello>),
    /// The reason for a refusal.
    Refused(String),
}

impl Greeting {
    /// Writes the greeting.
    pub fn write(&self, mut to: impl Write) -> Result<()> {
        let json = serde_json::to_vec(self)?;
        let length = u32::try_from(json.len()).ok().filter(|&length| length <= MOST);
        let length = length.ok_or(Error::new(ErrorKind::InvalidData, "too much to say"))?;
        to.write_all(&[MAGIC.as_slice(), &length.to_le_bytes(), &json].concat())?;
        to.flush()
    }

    fn is_sound(&self) -> bool {
        match self {
            Greeting::Hello(hello) => hello.inventory.is_sound() && hello.began < u32::MAX - 2,
            Greeting::Refused(_) => true,
        }
    }

    /// Reads a greeting. Other data are an error of the kind `InvalidData`. Memory is allocated for
    /// received bytes only.
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
    /// Describes why the other process cannot take part. `None` if it can.
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
        } else if self.process == other.process {
            Some(format!("it is {name}, and so is this one; give each its own --process"))
        } else {
            None
        }
    }
}
