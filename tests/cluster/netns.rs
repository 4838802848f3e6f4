//! Tests with a separate host for each process. The tests are skipped with a message if the
//! permissions are missing.

use super::cluster::{Cluster, alone};
use super::network::Network;
use std::time::{Duration, Instant};

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
        running.end().says(1, &[&lost, "are kept; the same command at all processes"]);
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
