//! Hosts of their own for processes: network namespaces connected by a bridge.

use super::cluster::Cluster;
use super::processes::words;
use std::io::Write;
use std::process::{Command, Stdio};

/// Hosts connected by a bridge, removed when dropped.
pub struct Network {
    name: String,
    hosts: usize,
}

impl Network {
    /// Creates this number of hosts. `None` if the system does not permit it.
    pub fn new(test: &str, hosts: usize) -> Option<Network> {
        let network = Network { name: format!("bsq{test}{}", std::process::id()), hosts };
        if network.build().is_some() {
            return Some(network);
        }
        // Bypasses the capture of output by the test harness.
        let _ = writeln!(
            std::io::stderr(),
            "left out: {test} needs network namespaces, which take root's rights and iproute2"
        );
        None
    }

    fn hub(&self) -> String {
        format!("{}hub", self.name)
    }

    fn host(&self, host: usize) -> String {
        format!("{}h{host}", self.name)
    }

    fn address(host: usize) -> String {
        format!("10.77.0.{}", host + 1)
    }

    fn build(&self) -> Option<()> {
        let hub = self.hub();
        ip(&format!("netns add {hub}"))?;
        ip(&format!("-n {hub} link add bridge type bridge"))?;
        ip(&format!("-n {hub} link set bridge up"))?;
        for host in 0..self.hosts {
            let name = self.host(host);
            ip(&format!("netns add {name}"))?;
            ip(&format!("-n {hub} link add port{host} type veth peer name eth netns {name}"))?;
            ip(&format!("-n {hub} link set port{host} master bridge up"))?;
            ip(&format!("-n {name} addr add {}/24 dev eth", Network::address(host)))?;
            ip(&format!("-n {name} link set lo up"))?;
            ip(&format!("-n {name} link set eth up"))?;
        }
        Some(())
    }

    /// Disconnects a host, or reconnects it.
    pub fn set(&self, host: usize, state: &str) {
        ip(&format!("-n {} link set port{host} {state}", self.hub())).unwrap();
    }

    pub fn cluster(&self) -> Cluster {
        let hosts = (0..self.hosts).map(|host| format!("{}:4100", Network::address(host)));
        let namespaces = (0..self.hosts).map(|host| self.host(host)).collect();
        Cluster { namespaces, ..Cluster::of(hosts.collect()) }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for host in 0..self.hosts {
            ip(&format!("netns del {}", self.host(host)));
        }
        ip(&format!("netns del {}", self.hub()));
    }
}

fn ip(line: &str) -> Option<()> {
    let mut command = Command::new("ip");
    let status = command.args(words(line)).stderr(Stdio::null()).status().ok()?;
    status.success().then_some(())
}
