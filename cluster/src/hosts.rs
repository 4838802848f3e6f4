//! The hosts file: a line `host:port` for each process.

use super::error::ClusterError;
use bsq_engine::storage::files;
use std::path::Path;

/// The maximum length of the file, in bytes.
const LONGEST: u64 = 1 << 20;

/// The maximum number of processes.
const MOST: usize = 1000;

/// The addresses of all processes, and the number of this one.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// `host:port` of each process.
    pub addresses: Vec<String>,
    /// The number of this process.
    pub process: usize,
}

impl Hosts {
    /// Reads the file. Empty lines and text after `#` are ignored.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Unreadable`], or [`ClusterError::Hosts`] with the line that is wrong.
    pub fn read(path: &Path, process: usize) -> Result<Hosts, ClusterError> {
        let file = path.display().to_string();
        match files::read_text(path, LONGEST) {
            Ok(text) => {
                Hosts::parse(&text, process).map_err(|why| ClusterError::Hosts { path: file, why })
            }
            Err(source) => Err(ClusterError::Unreadable { path: file, source }),
        }
    }

    /// Parses the text of the file for the process of that number.
    ///
    /// # Errors
    ///
    /// A message that names the line or the process that is wrong, and says how to correct it.
    pub fn parse(text: &str, process: usize) -> Result<Hosts, String> {
        let mut addresses: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let port = line.rsplit_once(':').and_then(|(host, port)| {
                let plain = !host.is_empty() && !host.contains(char::is_whitespace);
                port.parse::<u16>().ok().filter(|&port| plain && port > 0)
            });
            if port.is_none() {
                return Err(format!(
                    "line {number}, '{line}', is not a host and port, such as node1:4100 or 10.0.0.1:4100"
                ));
            }
            if addresses.iter().any(|address| address == line) {
                return Err(format!("{line} is there twice; each process has its own line"));
            }
            addresses.push(line.to_string());
        }
        match addresses.len() {
            0 => Err("there are none; write a line host:port for each process".to_string()),
            count if count > MOST => Err(format!("{count} processes are more than {MOST}")),
            count if process >= count => Err(format!(
                "there is no line for --process {process}; they are for processes 0 to {}",
                count - 1
            )),
            _ => Ok(Hosts { addresses, process }),
        }
    }

    /// The number of processes.
    pub(crate) fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Formats the number and address of a process.
    pub(crate) fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process])
    }

    /// The numbers of the other processes.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> {
        let me = self.process;
        (0..self.len()).filter(move |&process| process != me)
    }
}
