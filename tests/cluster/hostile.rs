//! Peers that send what they may not, or too late, or that vanish: the count ends in time, with an
//! error that names them and what they sent.

use super::peer::{
    ALIVE, BYE, COMPLETE, DATA, DELIVERED, ENDED, Fate, LINE, between, complete, connect, data,
    frame, greeting, head, hello, messages, version, with_peer,
};
use super::{Cluster, Ran, alone};
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The time in which a count ends whose `--wait` is two seconds, with a margin for a loaded
/// machine.
const SOON: Duration = Duration::from_secs(12);

const RULES: &str = "breaks the rules of the count: it sent ";

/// Runs a process with a peer that sends bytes and then is silent, but for heartbeats.
fn sends(process: usize, bytes: &[u8]) -> Ran {
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let began = Instant::now();
    let ran = with_peer(&cluster, process, |mut socket| {
        socket.write_all(bytes).unwrap();
        beat(socket);
    });
    assert!(began.elapsed() < SOON, "{:?}: {}", began.elapsed(), ran.err);
    let name = cluster.name(process);
    assert!(ran.err.contains(&name), "{}", ran.err);
    ran
}

/// Sends heartbeats for as long as they are received.
fn beat(mut socket: &TcpStream) {
    let began = Instant::now();
    while began.elapsed() < 2 * SOON && socket.write_all(&frame(ALIVE, 0, b"")).is_ok() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_frame_is_sent_by_whom_and_when_it_may_be() {
    let empty = |kind| frame(kind, 0, b"");
    let then = |frames: &[Vec<u8>]| frames.concat();
    for (process, bytes, says) in [
        (1, empty(BYE), "Bye before Complete"),
        (0, empty(BYE), "Bye before Complete"),
        (1, empty(DELIVERED), "Delivered though only process 0 may"),
        (0, empty(DELIVERED), "Delivered before Complete"),
        (1, empty(COMPLETE), "Complete before the end of timely's messages"),
        (1, then(&[complete(), empty(COMPLETE)]), "Complete twice"),
        (1, then(&[complete(), data(b"more")]), "Data after Complete"),
        (1, data(&[head(0, 0, [0, 0], 0), vec![1]].concat()), "bytes after the last message"),
        (1, then(&[complete(), empty(BYE)]), "Bye before the result was delivered"),
        (0, then(&[complete(), empty(BYE)]), "Bye before Delivered"),
        (0, then(&[complete(), empty(DELIVERED), empty(DELIVERED)]), "Delivered twice"),
        // What a process sends when all is over, at the beginning.
        (1, complete(), "the end of its part before the end of the count"),
        (
            0,
            then(&[complete(), empty(DELIVERED), empty(BYE)]),
            "the end of its part before the end of the count",
        ),
    ] {
        sends(process, &bytes).says(1, &[RULES, says, "nothing was kept"]);
    }
}

/// A process that says goodbye and closes the connection was once taken for one that is done.
#[test]
fn an_early_goodbye_is_no_end() {
    let began = Instant::now();
    let ran = with_peer(&Cluster::new(2), 1, |mut socket| {
        socket.write_all(&frame(BYE, 0, b"")).unwrap();
        let _ = socket.shutdown(Shutdown::Both);
    });
    ran.says(1, &["process 1 (", RULES, "Bye before Complete"]);
    assert!(began.elapsed() < SOON);
}

#[test]
fn messages_of_timely_are_read_before_timely_reads_them() {
    let message = |channel, source, content: &[u8]| {
        data(&[head(channel, source, [0, 1], content.len() as u64), content.to_vec()].concat())
    };
    let words = |words: &[u64]| words.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    // The worker, the number of the message, the number of turns, the turn.
    let stamp = |from, turn| words(&[from, 0, 1, turn]);
    let batch = |from, to, more: &[u64]| {
        let head = [stamp(1, 1), words(&[1, from, to])].concat();
        // The width of the tallies has four bytes.
        let mut bytes = [head, 64u32.to_le_bytes().to_vec(), words(more)].concat();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    let progress = |source, changes: &[(u64, u32, u64, u32, i64)]| {
        let mut bytes = words(&[source, 0, changes.len() as u64]);
        for &(node, is_source, port, turn, difference) in changes {
            bytes.extend(node.to_le_bytes());
            bytes.extend(is_source.to_le_bytes());
            bytes.extend(port.to_le_bytes());
            bytes.extend(turn.to_le_bytes());
            bytes.extend(difference.to_le_bytes());
        }
        [bytes, words(&[0])].concat()
    };
    for (bytes, says) in [
        (message(3, 1, &[0; 8]), "a message without a turn"),
        (message(3, 1, &[0xff; 64]), "a message twice or out of order"),
        (message(3, 1, &[stamp(1, 200), words(&[0])].concat()), "a message with a wrong turn"),
        (
            message(3, 1, &[stamp(1, 1), words(&[1 << 60])].concat()),
            "a message that cannot be read",
        ),
        (message(3, 1, &[stamp(1, 1), vec![0xff; 80]].concat()), "a message that cannot be read"),
        (message(3, 1, &batch(0, 0, &[0])), "states in the name of another worker"),
        (message(3, 1, &batch(1, 1, &[0])), "states in the name of another worker"),
        (message(3, 0, &batch(0, 0, &[0])), "a message in the name of another process"),
        (message(3, 7, &batch(0, 0, &[0])), "a message in the name of another process"),
        (message(3, 1, &batch(1, 0, &[2, 0, 0])), "a state that the game does not have (worker 1"),
        (message(3, 1, &batch(1, 0, &[2, 1 << 44, 1])), "a state that the game does not have"),
        (message(3, 1, &batch(1, 0, &[2, 1 << 32 | 1, 1])), "a state that the game does not have"),
        (message(3, 1, &batch(1, 0, &[1, 0])), "a part of a state (worker 1, turn 1)"),
        (message(5, 1, &[0; 40]), "a message with a wrong turn"),
        (message(5, 1, &[stamp(1, 1), vec![0xff; 80]].concat()), "a message that cannot be read"),
        (message(4, 1, &[0; 8]), "a message on a channel that does not exist"),
        (message(8, 1, &[0xff; 64]), "a message twice or out of order"),
        (
            message(8, 1, &[words(&[1, 0]), vec![0xff; 64]].concat()),
            "a message that cannot be read",
        ),
        (message(3, 1, &words(&[1, 1, 1, 1, 0])), "a message twice or out of order"),
        (message(8, 1, &progress(0, &[])), "progress in the name of another worker"),
        (message(8, 1, &progress(1, &[(9, 0, 0, 1, 1), (2, 0, 0, 1, 1)])), "progress that cannot"),
        (message(8, 1, &progress(1, &[(2, 0, 3, 1, 1), (2, 0, 0, 1, 1)])), "progress that cannot"),
        (
            message(8, 1, &progress(1, &[(2, 0, 0, 1, 1), (2, 1, 0, 500, 1)])),
            "progress that cannot",
        ),
    ] {
        sends(1, &bytes).says(1, &[RULES, says]);
    }
}

/// Each byte arrives in time, but the frame does not.
#[test]
fn a_peer_that_sends_a_byte_a_second_is_lost() {
    for bytes in [frame(DATA, 1000, &[0; 1000]), frame(ENDED, 1000, &[b'a'; 1000])] {
        let cluster = Cluster { wait: 2, ..Cluster::new(2) };
        let began = Instant::now();
        let ran = with_peer(&cluster, 1, |mut socket| {
            for byte in bytes.chunks(1) {
                if began.elapsed() > 2 * SOON || socket.write_all(byte).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        assert!(began.elapsed() < SOON, "{:?}: {}", began.elapsed(), ran.err);
        let lost = format!("lost {}: nothing whole was heard from it for 2 ", cluster.name(1));
        ran.says(1, &[&lost, "nothing was kept"]);
    }
}

#[test]
fn a_peer_that_says_nothing_is_lost() {
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let began = Instant::now();
    let ran = with_peer(&cluster, 1, |_| std::thread::sleep(Duration::from_secs(4)));
    assert!(began.elapsed() < SOON, "{:?}: {}", began.elapsed(), ran.err);
    ran.says(1, &["lost process 1 (", "nothing whole was heard from it for 2 seconds"]);
}

/// A connection without a greeting, and one whose greeting does not end.
#[test]
fn a_greeting_does_not_take_longer_than_the_limit() {
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let began = Instant::now();
    let running = cluster.start(0, LINE);
    let (_silent, mut slow) = (connect(&cluster.hosts[0]), connect(&cluster.hosts[0]));
    for byte in hello(&cluster, 1, &version()).chunks(1) {
        if began.elapsed() > 2 * SOON || slow.write_all(byte).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    let absent = format!("{} did not come within 2 seconds", cluster.name(1));
    running.end().says(1, &[&absent]);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

/// Checks that a text has no control characters other than line breaks, and is short.
fn is_plain(text: &str) {
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}') && text.len() < 4000, "{text:?}");
}

#[test]
fn escapes_of_peers_do_not_reach_the_terminal_or_the_log() {
    let evil = "\x1b[31mred\x1b]0;title\x07\u{9b}2J\r\u{202e}\0";
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let log = cluster.folder.path().join("log");
    let line = format!("{LINE} --log {}", log.display());
    let log = || is_plain(&std::fs::read_to_string(&log).unwrap());
    // The reason why a peer ends.
    let running = cluster.start(0, &line);
    let mut socket = connect(&cluster.hosts[0]);
    socket.write_all(&hello(&cluster, 1, &version())).unwrap();
    greeting(&socket);
    let why = format!("{evil}{}", "long ".repeat(500));
    socket.write_all(&frame(ENDED, why.len() as u32, why.as_bytes())).unwrap();
    let ran = running.end();
    ran.says(1, &["process 1 (", ") ended: red"]);
    is_plain(&ran.err);
    log();
    // Its version.
    let running = cluster.start(0, &line);
    let mut socket = connect(&cluster.hosts[0]);
    socket.write_all(&hello(&cluster, 1, &format!("{evil}{}", "9".repeat(5000)))).unwrap();
    greeting(&socket);
    let ran = running.end();
    ran.says(1, &["refused a connection: process 1 (", " is bsq red"]);
    is_plain(&ran.err);
    log();
}

#[test]
fn nobody_waits_longer_than_the_limit_for_the_end() {
    let drops = |waits, sender, kinds: &[u8]| {
        let began = Instant::now();
        let (cluster, all) = between(waits, LINE, |from, kind, _| {
            let is_dropped = from == sender && kinds.contains(&kind);
            if is_dropped { Fate::IsDropped } else { Fate::Passes }
        });
        assert!(began.elapsed() < SOON, "{:?}: {all:?}", began.elapsed());
        (cluster, all)
    };
    // Process 1 has counted all, and does not receive the result from a process that only lives.
    let (_, [first, second]) = drops([6, 2], 0, &[DELIVERED]);
    assert_eq!((first.code, &*first.out), (Some(0), &*alone(LINE)), "{}", first.err);
    let late =
        "did not deliver the result within 2 seconds; --wait has the limit; the turns before";
    second.says(1, &["process 0 (", late]);
    // Process 0 does not learn that process 1 is done, and has delivered the result.
    let (_, [first, second]) = drops([2, 6], 1, &[BYE]);
    assert_eq!((first.code, &*first.out), (Some(0), &*alone(LINE)), "{}", first.err);
    assert_eq!(second.code, Some(0), "{}", second.err);
}

/// A frame that is repeated does not change the result: either it is harmless, or the count ends.
#[test]
fn a_frame_that_comes_twice_is_noticed() {
    for kind in [DATA, ALIVE, COMPLETE, DELIVERED, BYE] {
        let is_first = AtomicBool::new(true);
        let sender = if kind == DELIVERED { 0 } else { 1 };
        let (_, all) = between([2, 2], LINE, |from, its_kind, _| {
            let twice =
                (from, its_kind) == (sender, kind) && is_first.swap(false, Ordering::Relaxed);
            if twice { Fate::IsSentTwice } else { Fate::Passes }
        });
        let receiver = &all[1 - sender];
        match kind {
            ALIVE | BYE => assert_eq!(all[0].out, alone(LINE), "{kind}: {}", all[0].err),
            // The count may be over before the second one is read.
            COMPLETE | DELIVERED if receiver.code == Some(0) => {}
            COMPLETE => receiver.says(1, &[RULES, "Complete twice"]),
            DELIVERED => receiver.says(1, &[RULES, "Delivered twice"]),
            _ => receiver.says(1, &[RULES, "a message twice or out of order"]),
        }
        assert!(receiver.out.is_empty() || receiver.out == alone(LINE), "{kind}");
        assert!(!receiver.err.contains("panicked"), "{kind}: {}", receiver.err);
    }
}

/// A peer vanishes after each of its frames in turn.
#[test]
fn a_peer_that_vanishes_at_any_step_is_named() {
    let line = "analyze states --board 2x2 --format json";
    let expected = alone(line);
    for sender in [0, 1] {
        let mut step = 0;
        loop {
            let (seen, was_last) = (AtomicUsize::new(0), AtomicBool::new(true));
            let began = Instant::now();
            let (cluster, [first, second]) = between([2, 2], line, |from, kind, _| {
                if from != sender || kind == ALIVE {
                    return Fate::Passes;
                }
                match seen.fetch_add(1, Ordering::Relaxed) == step {
                    true => {
                        was_last.store(false, Ordering::Relaxed);
                        Fate::IsTheEnd
                    }
                    false => Fate::Passes,
                }
            });
            assert!(began.elapsed() < SOON, "step {step}: {:?}", began.elapsed());
            match first.code {
                Some(0) => assert_eq!(first.out, expected, "step {step}"),
                _ => first.says(1, &["lost ", &cluster.name(1)]),
            }
            match second.code {
                Some(0) => assert_eq!(second.out, ""),
                _ => second.says(1, &["lost process 0 ("]),
            }
            if was_last.load(Ordering::Relaxed) {
                assert_eq!([first.code, second.code], [Some(0); 2]);
                break;
            }
            step += 1;
        }
        assert!(step > 5, "{step}");
    }
}

/// Runs a count in which process 1 lies in its messages on a channel. Checks that process 0 is not
/// accused of it, and returns the result of process 0.
fn lies(channel: u64, lie: impl Fn(&mut [u8]) -> bool + Sync) -> Ran {
    let has_lied = AtomicBool::new(false);
    let (_, [ran, other]) = between([5, 5], LINE, |from, kind, bytes| {
        if (from, kind) == (1, DATA) {
            messages(bytes, |its, content| {
                if its == channel && !has_lied.load(Ordering::Relaxed) && lie(content) {
                    has_lied.store(true, Ordering::Relaxed);
                }
            });
        }
        Fate::Passes
    });
    assert!(has_lied.into_inner());
    let of_process_0 =
        other.err.split_once("process 0 (").and_then(|(_, says)| says.split_once(") "));
    assert!(!of_process_0.is_some_and(|(_, says)| says.starts_with(RULES)), "{}", other.err);
    ran
}

/// The positions of numbers in an answer with a report: after the stamp, the number of answers,
/// receiver and sender.
const WHAT: usize = 32 + 8 + 16;
const REPORTER: usize = WHAT + 4;
const LEVELS: usize = REPORTER + 8;
const FIRST_COUNT: usize = LEVELS + 16;

fn number(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
}

fn set(bytes: &mut [u8], at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

/// Whether an answer is a report of a turn whose states the worker has expanded.
fn is_report(bytes: &[u8]) -> bool {
    bytes[WHAT] == 1 && number(bytes, LEVELS) == 1 && number(bytes, LEVELS + 8) > 2
}

#[test]
fn counts_of_peers_are_checked() {
    let report = |change: fn(&mut [u8])| {
        lies(5, move |bytes| is_report(bytes).then(|| change(bytes)).is_some())
    };
    let violates = |ran: Ran, says: &str| ran.says(1, &["process 1 (", RULES, says]);
    let sums = "do not fit together, so nothing after it can be trusted";
    // Two states more than there were, with one move each.
    report(|bytes| set(bytes, FIRST_COUNT + 8, number(bytes, FIRST_COUNT + 8) + 2))
        .says(1, &[sums]);
    violates(
        report(|bytes| set(bytes, FIRST_COUNT, u64::MAX)),
        "a report whose counts contradict each other (worker 1, turn ",
    );
    violates(report(|bytes| set(bytes, REPORTER, 0)), "an answer in the name of another worker");
    // More states in acknowledgements than were sent.
    let taken = lies(5, |bytes| {
        let is_taken = bytes[WHAT] == 0;
        if is_taken {
            set(bytes, WHAT + 4, 1 << 40);
        }
        is_taken
    });
    violates(taken, "an acknowledgement of states that it was not sent (worker 1, turn ");
    // A turn that is not the present one.
    let early = |bytes: &mut [u8]| {
        bytes[24] += 1;
        true
    };
    violates(lies(3, early), "states of another turn (worker 1, turn ");
    // States: the stamp, the number of batches, sender, receiver, width, and the number of words.
    const WORDS: usize = 32 + 8 + 16 + 4 + 8;
    let without_paths = |bytes: &mut [u8]| {
        set(bytes, WORDS + 8, 0);
        true
    };
    violates(lies(3, without_paths), "a state that the game does not have");
}
