//! Numbers by client.

use std::collections::HashMap;
use std::net::IpAddr;

/// How much of something each client has. Clients who have nothing take no memory.
#[derive(Default)]
pub struct Counts(HashMap<IpAddr, u64>);

impl Counts {
    /// What a client has.
    pub fn of(&self, client: IpAddr) -> u64 {
        self.0.get(&client).copied().unwrap_or(0)
    }

    /// Gives more to a client.
    pub fn add(&mut self, client: IpAddr, more: u64) {
        *self.0.entry(client).or_default() += more;
    }

    /// Takes back from a client what was given.
    pub fn subtract(&mut self, client: IpAddr, less: u64) {
        let left = self.of(client).saturating_sub(less);
        if left == 0 {
            self.0.remove(&client);
        } else {
            self.0.insert(client, left);
        }
    }

    /// Whether no client has anything.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
