//! The seeds of the fuzz targets, as they are and with a few changed bytes.

use bsq_properties::{TARGETS, check};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// The bytes of all seeds that a clone of the repository may take.
const MOST_BYTES: u64 = 300_000;

fn fuzz(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder)
}

/// The names of the files of a folder, without endings.
fn names(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_string()).collect()
}

/// The seeds of a target, sorted by name.
fn seeds(name: &str) -> Vec<PathBuf> {
    let seeds = fs::read_dir(fuzz("seeds").join(name)).unwrap();
    let mut seeds: Vec<PathBuf> = seeds.map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{name}");
    seeds
}

#[test]
fn every_target_has_a_program_and_seeds() {
    let [programs, seeds] = [names(&fuzz("src/bin")), names(&fuzz("seeds"))];
    assert_eq!(programs, seeds);
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| name.to_string()).collect();
    assert!(targets.is_subset(&programs), "{targets:?}");
    // Without the features of this build there are fewer.
    if cfg!(feature = "full") {
        assert_eq!(targets, programs);
    }
}

#[test]
fn the_properties_hold_for_all_seeds() {
    let (mut failed, mut bytes) = (Vec::new(), 0);
    for (name, _) in TARGETS {
        for seed in seeds(name) {
            let input = fs::read(&seed).unwrap();
            bytes += input.len() as u64;
            if catch_unwind(|| check(name, &input)).is_err() {
                failed.push(seed);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(bytes <= MOST_BYTES, "{bytes} bytes of seeds");
}

/// A change of some bytes: a replacement, an insertion, a deletion, or the end of the input.
#[derive(Clone, Debug)]
enum Change {
    Put(Index, Vec<u8>),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    End(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let words =
        ["0", "-1", "18446744073709551615", "9", "1e999", ",", "\n", "\"", "[", "null", "/", " "];
    let words = select(words.map(|word| word.as_bytes().to_vec()).to_vec());
    let bytes = || prop_oneof![vec(any::<u8>(), 1..5), words.clone()];
    prop_oneof![
        4 => (any::<Index>(), bytes()).prop_map(|(at, bytes)| Change::Put(at, bytes)),
        3 => (any::<Index>(), bytes()).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (any::<Index>(), 1usize..9).prop_map(|(at, count)| Change::Remove(at, count)),
        1 => any::<Index>().prop_map(Change::End),
    ]
}

fn changed(mut input: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let at = |at: &Index| at.index(input.len() + 1);
        match change {
            Change::Put(place, bytes) => {
                let (from, to) = (at(place), (at(place) + bytes.len()).min(input.len()));
                input.splice(from..to, bytes.iter().copied());
            }
            Change::Insert(place, bytes) => {
                let at = at(place);
                input.splice(at..at, bytes.iter().copied());
            }
            Change::Remove(place, count) => {
                let (from, to) = (at(place), (at(place) + count).min(input.len()));
                input.drain(from..to);
            }
            Change::End(place) => input.truncate(at(place)),
        }
    }
    input
}

proptest! {
    /// Each case checks every target.
    #[test]
    fn the_properties_hold_for_changed_seeds(seed in any::<Index>(), changes in vec(change(), 1..4)) {
        for (name, _) in TARGETS {
            let input = changed(fs::read(seed.get(&seeds(name))).unwrap(), &changes);
            check(name, &input);
        }
    }
}
