//! What other processes of a distributed count send, and the file of hosts.

use super::{choice, is_told, text};
use bsq::parsers::{self, Checked, Conversation, Frame, Greeting};
use std::io::ErrorKind;
use std::sync::Arc;

/// Frames of a connection: each is one that process 1 may send at that time, with content within
/// the limits, and reasons are printable. Other bytes are rejected.
pub fn frames(mut input: &[u8]) {
    let check = Checked::new(1..2, 0..1);
    let mut conversation = Conversation::new((1, 0), check, Arc::default());
    loop {
        match conversation.next(&mut input) {
            Ok(Frame::Ended(why)) => assert!(!why.chars().any(char::is_control), "{why:?}"),
            Ok(_) => {}
            Err(error) => {
                let kinds = [ErrorKind::UnexpectedEof, ErrorKind::InvalidData];
                return assert!(kinds.contains(&error.kind()), "{error}");
            }
        }
    }
}

/// A greeting that is read can be written and read to the same. The input is the JSON; it gets its
/// head here.
pub fn greeting(input: &[u8]) {
    let _ = Greeting::read(input).map_err(is_told);
    let mut hello = Vec::new();
    Greeting::Refused(String::new()).write(&mut hello).expect("memory");
    let head = &hello[..16];
    let length = (input.len() as u32).to_le_bytes();
    match Greeting::read(&[head, &length, input].concat()[..]) {
        Ok(greeting) => {
            let written = |greeting: &Greeting| {
                let mut bytes = Vec::new();
                greeting.write(&mut bytes).map(|()| bytes)
            };
            let bytes = written(&greeting).expect("a greeting that was read");
            let again = Greeting::read(&bytes[..]).expect("a greeting that was written");
            assert_eq!(written(&again).expect("as before"), bytes);
        }
        Err(error) => is_told(error),
    }
}

/// A file of hosts that parses can be written and parsed to the same. The first byte is the number
/// of the process.
pub fn hosts(input: &[u8]) {
    let (process, rest) = choice(input);
    let process = usize::from(process & 7);
    match parsers::hosts(text(rest), process) {
        Ok(addresses) => {
            assert!(process < addresses.len());
            assert_eq!(parsers::hosts(&addresses.join("\n"), process), Ok(addresses));
        }
        Err(error) => is_told(error),
    }
}
