use super::*;
use proptest::prelude::*;

/// Opponent's set, mover's set, tally.
type Given = (u64, u64, Vec<u64>);

fn sorted<W: StateKey>(width: Width, given: &[Given]) -> Vec<u64> {
    let set = |set: u64| set >> (64 - W::SET_BITS);
    let mut states: Vec<_> =
        given.iter().map(|(a, b, tally)| (W::of(set(*a), set(*b)), tally)).collect();
    states.sort();
    let mut words = Vec::new();
    for (word, tally) in states {
        word.store(&mut words);
        match width {
            Width::Unbounded => {
                words.push(tally.len() as u64);
                words.extend(tally);
            }
            _ => words.extend((0..width.words()).map(|i| *tally.get(i).unwrap_or(&0))),
        }
    }
    words
}

/// Many of them in few rows.
fn any_states() -> impl Strategy<Value = Vec<Given>> {
    let tally = prop::collection::vec(any::<u64>(), 1..4);
    let opponent = prop_oneof![any::<u64>(), Just(0), Just(1 << 63)];
    prop::collection::vec((opponent, any::<u64>(), tally), 0..50)
}

fn comes_back<W: StateKey>(given: &[Given]) {
    for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
        let words = sorted::<W>(width, given);
        assert_eq!(each::<W>(width, &words).count(), given.len());
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        encode::<W>(width, &words, &mut bytes);
        assert_eq!(decode::<W>(width, &bytes, &mut back), Some(()));
        assert_eq!(back, words);
    }
}

fn is_refused_or_whole<W: StateKey>(bytes: &[u8]) {
    for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
        let mut words = Vec::new();
        if decode::<W>(width, bytes, &mut words).is_some() {
            assert_eq!(each::<W>(width, &words).flatten().count(), words.len());
        }
    }
}

proptest! {
    #[test]
    fn what_is_packed_comes_back(given in any_states()) {
        comes_back::<u64>(&given);
        comes_back::<u128>(&given);
    }

    #[test]
    fn bytes_that_are_no_states_are_refused_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..60)
    ) {
        is_refused_or_whole::<u64>(&bytes);
        is_refused_or_whole::<u128>(&bytes);
    }
}
