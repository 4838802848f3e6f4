//! Failures of a process, which does not start, is killed, is stopped or cannot deliver: all others
//! end with a message, and the count can be resumed from the last level that all have finished.

use super::{Cluster, PROMPT, alone};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const GOES_ON: &str = "are kept; the same command at all processes resumes from there";

/// Kills a process in the middle of the level after that of a turn. Returns the turn from which the
/// count can be resumed.
fn kill(cluster: &Cluster, line: &str, process: usize, turn: u32) -> u32 {
    let old = super::files(&cluster.scratch(process));
    let mut all = cluster.begin(line);
    cluster.wait_for(process, turn, &old);
    let killed = all.remove(process);
    killed.signal("-KILL");
    assert_eq!(killed.end().code, None);
    let lost = format!("lost {}: ", cluster.name(process));
    let began = Instant::now();
    let mut from = None;
    for running in all {
        let ran = running.end();
        // A process that is notified by another one reports so.
        let says = ["the turns before turn ", GOES_ON];
        ran.says(1, &says);
        assert!(ran.err.contains(&lost), "{}", ran.err);
        let number = ran.err.split("the turns before turn ").nth(1).unwrap().split(' ').next();
        from = number.and_then(|number| number.parse().ok()).max(from);
    }
    assert!(began.elapsed() < PROMPT, "{:?}", began.elapsed());
    from.unwrap()
}

#[test]
fn a_killed_process_ends_the_count_which_goes_on_with_as_many() {
    let line = "analyze scores --board 5x5 --format json";
    let expected = alone(line);
    // These levels take long enough for a process to be killed in the middle.
    for (turn, victim) in [(7, 1), (8, 0), (9, 1), (11, 0), (13, 1)] {
        let cluster = Cluster::new(2);
        let from = kill(&cluster, line, victim, turn);
        // The others may have been one level behind the victim.
        assert!(from + 1 >= turn, "{from} {turn}");
        let cluster = cluster.again(2);
        assert_eq!(cluster.run(line), expected, "killed after {turn}");
    }
}

#[test]
fn it_goes_on_with_another_number_of_processes() {
    let line = "analyze scores --board 4x5 --format json";
    let expected = alone(line);
    for (turn, before, after, shared) in
        [(4, 2, 3, false), (5, 3, 2, true), (6, 2, 1, true), (7, 1, 2, false), (8, 3, 4, true)]
    {
        let cluster = Cluster { shared, ..Cluster::new(before) };
        if before == 1 {
            let running = cluster.start(0, line);
            cluster.wait_for(0, turn, &[]);
            running.signal("-KILL");
            running.end();
        } else {
            kill(&cluster, line, before - 1, turn);
        }
        let cluster = Cluster { threads: 1 + turn as usize % 2, ..cluster.again(after) };
        let resumed = cluster.run(line);
        assert_eq!(resumed, expected, "killed after {turn}, {before} processes, then {after}");
    }
}

/// Kills processes repeatedly, also while levels are read back.
#[test]
fn it_goes_on_as_often_as_it_takes() {
    let line = "analyze scores --board 4x5 --format json";
    let mut cluster = Cluster::new(3);
    let mut from = kill(&cluster, line, 2, 3);
    for victim in [0, 1, 2] {
        cluster = cluster.again(3);
        let next = kill(&cluster, line, victim, from + 1);
        assert!(next >= from, "{next} {from}");
        from = next;
    }
    assert_eq!(cluster.again(3).run(line), alone(line));
}

#[test]
fn what_is_left_behind_is_not_overwritten_and_not_mistaken() {
    let line = "analyze scores --board 4x5 --format json";
    let cluster = Cluster::new(2);
    kill(&cluster, line, 1, 8);
    let mut cluster = cluster.again(2);
    let other = "analyze scores --board 4x4";
    cluster.start(1, other).end().says(2, &["is of british-square 4x5, not of british-square 4x4"]);
    // A shard is missing.
    cluster.wait = 5;
    let away = cluster.folder.path().join("away");
    std::fs::rename(cluster.scratch(1), &away).unwrap();
    let says =
        ["which 2 workers shared, the states of worker 1 are in no process's scratch folder"];
    for running in cluster.begin(line) {
        running.end().says(2, &says);
    }
    std::fs::remove_dir_all(cluster.scratch(1)).unwrap();
    std::fs::rename(&away, cluster.scratch(1)).unwrap();
    // A shard of the last turn that both processes have finished is damaged. There may be a later
    // turn, which is not read.
    let before = [0, 1].map(|process| super::files(&cluster.scratch(process)));
    let [has_first, has_second] = [0, 1].map(|process| {
        let manifests = before[process].iter().filter(|name| name.ends_with(".json"));
        manifests.map(|name| name.rsplit_once('-').unwrap().0).collect::<BTreeSet<_>>()
    });
    let last = has_first.intersection(&has_second).last().unwrap();
    let states = |name: &&String| name.starts_with(last) && !name.ends_with(".json");
    let states = cluster.scratch(1).join(before[1].iter().find(states).unwrap());
    let bytes = std::fs::read(&states).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    std::fs::write(&states, changed).unwrap();
    let all: Vec<_> = cluster.begin(line);
    let all: Vec<_> = all.into_iter().map(super::Running::end).collect();
    all[1].says(1, &["is damaged: a checksum is wrong; put it back as it was, or remove"]);
    all[0].says(1, &[&cluster.name(1), "ended: ", "is damaged: a checksum is wrong"]);
    for process in [0, 1] {
        let names = super::files(&cluster.scratch(process));
        // No process took the states before the damage for the whole turn.
        let mistaken = |name: &&String| !before[process].contains(name) && name.ends_with(".json");
        assert_eq!(names.iter().find(mistaken), None, "process {process}");
    }
    std::fs::write(&states, bytes).unwrap();
    assert_eq!(cluster.run(line), alone(line));
}

/// The folder contains files of a count with other rules that has finished no turn.
#[test]
fn traces_of_another_start_are_in_nobodys_way() {
    let line = "analyze states --board 3x4 --format json";
    let cluster = Cluster::new(2);
    kill(&cluster, "analyze states --board 4x5", 1, 5);
    let cluster = cluster.again(2);
    for process in [0, 1] {
        let scratch = cluster.scratch(process);
        for name in super::files(&scratch).iter().filter(|name| name.ends_with(".json")) {
            std::fs::remove_file(scratch.join(name)).unwrap();
        }
        assert_ne!(super::files(&scratch), [""; 0]);
    }
    assert_eq!(cluster.run(line), alone(line));
}

/// The original error at the end of a turn is reported, and not its consequences.
#[test]
fn a_scratch_folder_that_is_gone_is_what_all_speak_of() {
    let cluster = Cluster::new(2);
    let mut all = cluster.begin("analyze scores --board 5x5");
    cluster.wait_for(1, 7, &[]);
    std::fs::rename(cluster.scratch(1), cluster.folder.path().join("away")).unwrap();
    all.remove(1).end().says(1, &["cannot write ", GOES_ON.split(" at all").next().unwrap()]);
    let says = format!("{} ended: cannot write ", cluster.name(1));
    all.remove(0).end().says(1, &[&says, GOES_ON]);
}

/// A waiting process is restarted before all processes are connected.
#[test]
fn a_process_that_is_started_again_in_time_is_found() {
    let line = "analyze states --board 3x4 --format json";
    let cluster = Cluster::new(3);
    let early = [0, 1].map(|process| cluster.start(process, line));
    std::thread::sleep(Duration::from_secs(1));
    let [first, second] = early;
    first.signal("-KILL");
    first.end();
    let again = cluster.start(0, line);
    std::thread::sleep(Duration::from_millis(500));
    let third = cluster.start(2, line);
    assert_eq!(again.end().out, alone(line));
    assert_eq!([second, third].map(|running| running.end().code), [Some(0); 2]);
}

#[test]
fn ctrl_c_at_one_process_ends_all_in_order() {
    let line = "analyze scores --board 5x5 --format json";
    let cluster = Cluster::new(2);
    let mut all = cluster.begin(line);
    cluster.wait_for(1, 6, &[]);
    all[1].signal("-INT");
    let stopped = all.remove(1).end();
    stopped.says(130, &["stopped in turn ", "the same command resumes from there"]);
    all.remove(0).end().says(1, &[&cluster.name(1), " ended: stopped in turn ", GOES_ON]);
}

#[test]
fn a_result_that_cannot_be_delivered_is_not_lost() {
    let line = "analyze scores --board 3x4 --format json";
    let cluster = Cluster::new(2);
    let other = cluster.start(1, line);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(super::words(line)).stdout(Stdio::from(full)).stderr(Stdio::piped());
    command.args(["--process", "0", "--threads", "1", "--hosts"]);
    command.arg(cluster.folder.path().join("hosts")).arg("--scratch").arg(cluster.scratch(0));
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    other.end().says(1, &[&cluster.name(0), " ended: ", GOES_ON]);
    assert_eq!(cluster.again(2).run(line), alone(line));
}

#[test]
fn a_process_that_never_comes_is_named_after_the_limit() {
    let cluster = Cluster { wait: 1, ..Cluster::new(3) };
    let began = Instant::now();
    let absent = format!("{}, {} did not come within 1 seconds", cluster.name(1), cluster.name(2));
    cluster.start(0, "analyze states --board 3x4").end().says(1, &[&absent, "--wait"]);
    let absent = format!("{}, {} did not come within 1 seconds", cluster.name(0), cluster.name(1));
    let tried = "; process 0 was tried: Connection refused";
    cluster.start(2, "analyze states --board 3x4").end().says(1, &[&absent, tried]);
    assert!(began.elapsed() < PROMPT, "{:?}", began.elapsed());
}

#[test]
fn a_process_that_comes_early_waits() {
    let line = "analyze states --board 3x4 --format json";
    let cluster = Cluster::new(2);
    let early = cluster.start(0, line);
    std::thread::sleep(Duration::from_secs(1));
    let late = cluster.start(1, line);
    assert_eq!(late.end().code, Some(0));
    assert_eq!(early.end().out, alone(line));
}

/// A process hangs: its connections stay open, but it sends nothing.
#[test]
fn a_process_that_is_silent_for_the_limit_is_lost() {
    let line = "analyze scores --board 5x5 --format json";
    let cluster = Cluster { wait: 6, ..Cluster::new(2) };
    let mut all = cluster.begin(line);
    cluster.wait_for(1, 8, &[]);
    all[1].signal("-STOP");
    let began = Instant::now();
    let ran = all.remove(0).end();
    let lost = format!("lost {}: nothing ", cluster.name(1));
    ran.says(1, &[&lost, GOES_ON]);
    assert!(began.elapsed() < PROMPT);
}
