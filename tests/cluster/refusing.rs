//! Tests which processes are refused, and how connections of strangers are handled.

use super::peer::{LINE, MAGIC, accept, connect, frame, greeting, head, hello, version, with_peer};
use super::{Cluster, Ran, alone};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

#[test]
fn a_peer_of_another_version_is_refused_by_either_side() {
    let says = |cluster: &Cluster, from: usize, to: usize| {
        let (from, to) = (cluster.name(from), cluster.name(to));
        format!("{from} is bsq 9.9.9, {to} is bsq {}; run the same build", version())
    };
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let running = cluster.start(0, LINE);
    let mut socket = connect(&cluster.hosts[0]);
    socket.write_all(&hello(&cluster, 1, "9.9.9")).unwrap();
    let refused = greeting(&socket)["Refused"].as_str().unwrap().to_string();
    assert!(refused.starts_with(&says(&cluster, 1, 0)), "{refused}");
    let absent = format!("{} did not come within 2 seconds", cluster.name(1));
    running.end().says(1, &[&absent, "one that came was refused", &says(&cluster, 1, 0)]);

    let listener = TcpListener::bind(&cluster.hosts[0]).unwrap();
    let running = cluster.start(1, LINE);
    let mut socket = accept(&listener);
    assert!(greeting(&socket)["Hello"].is_object());
    socket.write_all(&hello(&cluster, 0, "9.9.9")).unwrap();
    running.end().says(2, &["these cannot count together: ", &says(&cluster, 0, 1)]);
}

/// Runs two incompatible processes: the second is refused, and both report the reason.
fn misfits(first: (&Cluster, &str), second: (&Cluster, &str), says: &str) {
    let running = first.0.start(0, first.1);
    second.0.start(1, second.1).end().says(2, &["refused by ", says]);
    running.end().says(1, &["did not come within 2 seconds", says]);
}

#[test]
fn a_peer_that_is_about_something_else_is_refused() {
    let cluster = Cluster { wait: 2, ..Cluster::new(2) };
    let rules = "counts british-square 4x4, process 0";
    misfits((&cluster, LINE), (&cluster, "analyze states --board 4x4"), rules);
    let threads = "give the same --threads everywhere";
    let three = Cluster { wait: 2, threads: 3, ..Cluster::of(cluster.hosts.clone()) };
    misfits((&cluster, LINE), (&three, LINE), threads);
    let mut hosts = cluster.hosts.clone();
    hosts.push("127.0.0.1:9".to_string());
    let more = Cluster { wait: 2, ..Cluster::of(hosts) };
    misfits((&cluster, LINE), (&more, LINE), "give all the same file");
}

#[test]
fn connections_that_do_not_open_as_they_should_change_nothing() {
    let cluster = Cluster { flags: "--format json".to_string(), ..Cluster::new(2) };
    let line = "analyze states --board 3x4";
    let running = cluster.start(0, line);
    let mut open = Vec::new();
    let huge = [MAGIC.as_slice(), &u32::MAX.to_le_bytes()].concat();
    let nonsense = [MAGIC.as_slice(), &3u32.to_le_bytes(), b"yes"].concat();
    for bytes in
        [b"GET / HTTP/1.1\r\n\r\n".as_slice(), &[0; 100_000], b"", b"bsq", &huge, &nonsense]
    {
        let mut socket = connect(&cluster.hosts[0]);
        let _ = socket.write_all(bytes);
        open.push(socket);
    }
    // Strangers receive no answer.
    let mut answer = Vec::new();
    let _ = open[0].read_to_end(&mut answer);
    assert_eq!(answer, b"");
    let other = cluster.start(1, line);
    assert_eq!(other.end().code, Some(0));
    let ran = running.end();
    assert_eq!(ran.out, alone(LINE), "{}", ran.err);
    for says in [
        "refused a connection: it does not open as a bsq process does (from 127.0.0.1:",
        "refused a connection: it opens with too much",
    ] {
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

/// A peer with a valid identity that violates the protocol.
fn impostor(sends: &[&[u8]]) -> Ran {
    with_peer(&Cluster::new(2), 1, |mut socket| {
        for bytes in sends {
            let _ = socket.write_all(bytes);
        }
        let _ = socket.shutdown(std::net::Shutdown::Write);
    })
}

#[test]
fn nobody_makes_a_process_allocate_what_it_likes() {
    let message = |channel, targets, length| frame(0, 48, &head(channel, 1, targets, length));
    let rules = "breaks the rules of the count: it sent ";
    let kept = "nothing was kept";
    let says = |sent: &str| format!("{rules}{sent}");
    let huge = says("Data with 4294967295 bytes, of which 65536 may be");
    impostor(&[&frame(0, u32::MAX, b"")]).says(1, &["process 1 (127.", &huge, kept]);
    impostor(&[&frame(4, 5000, b"")]).says(1, &[&says("Ended with 5000 bytes, of which 4096 ")]);
    impostor(&[&frame(1, 1, b" ")]).says(1, &[&says("Alive with 1 bytes, of which 0 may be")]);
    impostor(&[&frame(9, 0, b"")]).says(1, &[&says("a frame of the unknown kind 9")]);
    let long = says("a message of 1099511627776 bytes");
    impostor(&[&message(3, [0, 1], 1 << 40)]).says(1, &[&long]);
    let stray = says("a message that is not for this process");
    impostor(&[&message(3, [1, 2], 8)]).says(1, &[&stray]);
    impostor(&[&message(3, [0, u64::MAX], 8)]).says(1, &[&stray]);
    // A peer that closes the connection.
    impostor(&[]).says(1, &["lost process 1", "the connection was closed"]);
    impostor(&[&frame(4, 3, b"ill")]).says(1, &["process 1 (", ") ended: ill; "]);
}

#[test]
fn a_process_listens_on_its_own_address_only() {
    let cluster = Cluster::new(2);
    let (_, port) = cluster.hosts[0].rsplit_once(':').unwrap();
    let port = port.parse().unwrap();
    let running = cluster.start(0, LINE);
    connect(&cluster.hosts[0]);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    drop(running);
    // An address of another machine.
    let cluster = Cluster::of(vec!["192.0.2.1:4100".to_string(), "192.0.2.2:4100".to_string()]);
    let says = ["cannot listen on 192.0.2.1:4100, the address of --process 0: "];
    cluster.start(0, LINE).end().says(2, &says);
}

#[test]
fn files_of_hosts_that_are_none() {
    for (hosts, says) in [
        ("", "there are none; write a line host:port for each process"),
        ("# nobody\n\n", "there are none"),
        ("a:1\nb\n", "line 2, 'b', is not a host and port, such as node1:4100"),
        ("a:b:c", "line 1, 'a:b:c', is not a host and port"),
        (":12", "line 1"),
        ("a:0", "line 1"),
        ("a b:12", "line 1"),
        ("a:70000", "line 1"),
        ("a:1\na:1", "a:1 is there twice"),
        ("a:1", "there is no line for --process 1; they are for processes 0 to 0"),
    ] {
        let cluster = Cluster::new(2);
        std::fs::write(cluster.folder.path().join("hosts"), hosts).unwrap();
        cluster.start(1, LINE).end().says(2, &["error: the hosts in ", says]);
        std::fs::remove_file(cluster.folder.path().join("hosts")).unwrap();
        cluster.start(1, LINE).end().says(1, &["cannot read the hosts in "]);
    }
}

#[test]
fn flags_that_do_not_go_together() {
    let cluster = Cluster::new(2);
    cluster.start(0, "analyze openings --board 3x4").end().says(2, &["--scratch", "openings"]);
    cluster.start(0, "analyze playouts --method orders").end().says(2, &["takes no --scratch"]);
    cluster.start(0, &format!("{LINE} --memory 10MiB")).end().says(2, &["too small to begin"]);
    for flags in ["--process 1", "--wait 5", "--hosts x --scratch y", "--hosts x --process 0"] {
        let line = format!("{LINE} {flags}");
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = { output }.args(super::words(&line)).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
}
