//! Tests with a separate host for each process: network namespaces connected by a bridge. The tests
//! are skipped with a message if the permissions are missing.

use super::{Cluster, alone};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Hosts connected by a bridge, removed when dropped.
struct Network {
    name: String,
    hosts: usize,
}

impl Network {
    /// Creates this number of hosts. `None` if the system does not permit it.
    fn new(test: &str, hosts: usize) -> Option<Network> {
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
    fn set(&self, host: usize, state: &str) {
        ip(&format!("-n {} link set port{host} {state}", self.hub())).unwrap();
    }

    fn cluster(&self) -> Cluster {
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
    let status = command.args(super::words(line)).stderr(Stdio::null()).status().ok()?;
    status.success().then_some(())
}

/// Compares the output of two and of three hosts with that of one process.
fn same(name: &str, board: &str) {
    for hosts in [2, 3] {
        let Some(network) = Network::new(name, hosts) else { return };
        let line = format!("analyze scores --board {board} --format json");
        assert_eq!(network.cluster().run(&line), alone(&line), "{hosts} hosts");
    }
}

#[test]
fn hosts_of_their_own_print_what_one_does() {
    same("same", "4x5");
}

#[test]
fn so_they_do_on_5x5() {
    same("large", "5x5");
}

#[test]
fn a_partition_that_lasts_ends_the_count_which_goes_on_later() {
    let Some(network) = Network::new("cut", 2) else { return };
    let line = "analyze scores --board 4x6 --format json";
    let cluster = Cluster { wait: 6, ..network.cluster() };
    let all = cluster.begin(line);
    cluster.wait_for(0, 6, &[]);
    network.set(1, "down");
    let began = Instant::now();
    for (running, other) in all.into_iter().zip([1, 0]) {
        let lost = format!("lost {}: nothing ", cluster.name(other));
        running.end().says(1, &[&lost, "are kept, the same command at all processes"]);
    }
    assert!(began.elapsed() < super::PROMPT, "{:?}", began.elapsed());
    network.set(1, "up");
    let cluster = Cluster { wait: 20, ..cluster };
    assert_eq!(cluster.run(line), alone(line));
}

/// A short interruption only delays the count.
#[test]
fn a_partition_that_passes_changes_nothing() {
    let Some(network) = Network::new("gap", 2) else { return };
    let line = "analyze scores --board 4x6 --format json";
    let cluster = network.cluster();
    let mut all = cluster.begin(line);
    cluster.wait_for(0, 6, &[]);
    network.set(1, "down");
    std::thread::sleep(Duration::from_secs(1));
    network.set(1, "up");
    assert_eq!(all.remove(1).end().code, Some(0));
    assert_eq!(all.remove(0).end().out, alone(line));
}
