//! Any number of processes gives the same bytes as one.

use super::{Cluster, alone};

#[test]
fn several_processes_print_what_one_does() {
    for pass in ["playouts", "states", "terminals", "scores"] {
        let rules = "--board 3x4 --format json";
        let line = format!("analyze {pass} {rules}");
        assert_eq!(Cluster::new(2).run(&line), alone(&line), "{line}");
    }
    for rules in ["3x3 --center-allowed --bias 2 --pieces 3", "1x1", "4x4"] {
        let line = format!("analyze scores --board {rules} --format csv");
        for processes in [1, 3] {
            assert_eq!(Cluster::new(processes).run(&line), alone(&line), "{line}");
        }
    }
}

#[test]
fn so_they_do_on_4x5() {
    let line = "analyze scores --board 4x5 --format json";
    let expected = alone(line);
    for (processes, threads) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        let cluster = Cluster { threads, ..Cluster::new(processes) };
        assert_eq!(cluster.run(line), expected, "{processes} processes of {threads} threads");
    }
    let line = "analyze playouts --board 4x5 --format json";
    let cluster = Cluster { shared: true, ..Cluster::new(3) };
    assert_eq!(cluster.run(line), alone(line));
}

/// More states than fit in memory: most of every large level is spilled to disk.
#[test]
fn so_they_do_in_little_memory() {
    let (large, small) = (peaks("4x6"), peaks("1x1"));
    // What the program itself takes does not count: it takes more without optimization.
    for (process, (large, small)) in std::iter::zip(large, small).enumerate() {
        let states = large - small;
        assert!(states < 11 << 10, "process {process} took {states} KiB for its states");
    }
}

/// Counts with two processes that have little memory, compares the result with that of one process, and returns the
/// peak memory of both in KiB.
fn peaks(board: &str) -> [u64; 2] {
    let line = format!("analyze states --board {board} --format json");
    let cluster = Cluster { flags: "--memory 25MiB".to_string(), ..Cluster::new(2) };
    let log = |process| cluster.folder.path().join(format!("log-{process}"));
    let start =
        |process| cluster.start(process, &format!("{line} --log {}", log(process).display()));
    let all = [start(0), start(1)].map(super::Running::end);
    assert_eq!(all[0].out, alone(&line), "{}", all[0].err);
    assert_eq!(all[1].code, Some(0), "{}", all[1].err);
    [0, 1].map(|process| {
        let log = std::fs::read_to_string(log(process)).unwrap();
        log.split("peak_kib=").nth(1).unwrap().trim().parse().unwrap()
    })
}

#[test]
fn so_they_do_on_5x5() {
    let line = "analyze scores --board 5x5 --format json";
    let expected = alone(line);
    for processes in [2, 3] {
        assert_eq!(Cluster::new(processes).run(line), expected, "{processes} processes");
    }
}

#[test]
fn results_are_written_to_a_folder_by_process_0_alone() {
    let cluster = Cluster::new(2);
    let line = "analyze states --board 3x4 --quiet --out";
    let one = cluster.folder.path().join("one");
    alone(&format!("{line} {}", one.display()));
    let all: Vec<_> = (0..2)
        .map(|process| {
            let out = cluster.folder.path().join(format!("out-{process}"));
            (cluster.start(process, &format!("{line} {}", out.display())), out)
        })
        .collect();
    let all: Vec<_> = all.into_iter().map(|(running, out)| (running.end(), out)).collect();
    assert!(all.iter().all(|(ran, _)| ran.code == Some(0)), "{all:?}");
    assert!(!all[1].1.exists());
    for name in super::files(&one) {
        let read = |folder: &std::path::Path| std::fs::read_to_string(folder.join(&name)).unwrap();
        assert_eq!(read(&one), read(&all[0].1), "{name}");
    }
}
