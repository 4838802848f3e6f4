use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

proptest! {
    /// Whatever the signatures, bounds are those of an equivalent key: one with the same remainder.
    #[test]
    fn bounds_are_those_of_the_class(
        puts in prop::collection::vec((0_u128..1000, -64_i32..=63, 0_i32..60), 1..200),
        classes in 1_u128..50,
        signatures in 1_u128..50,
        buckets in 1_usize..40,
        key_bits in 10_u32..=TAG_BITS,
    ) {
        let table = ClassTable::with_buckets(key_bits, buckets).unwrap();
        let signature = |key: u128| (key % classes % signatures) as u64;
        let equivalent = |key: u128| move |other: u128| key % classes == other % classes;
        let mut last = HashMap::new();
        for (key, lower, width) in puts {
            let bounds = Bounds { lower, upper: (lower + width).min(63) };
            let mut slot = table.locate(signature(key), key);
            if let Some(found) = table.get(&mut slot, equivalent(key)) {
                prop_assert_eq!(Some(&found), last.get(&(key % classes)));
            }
            table.put(&slot, bounds, 1 + (key % 40) as u32);
            last.insert(key % classes, bounds);
            let mut slot = table.locate(signature(key), key);
            prop_assert_eq!(table.get(&mut slot, equivalent(key)), Some(bounds));
            prop_assert!(table.glance(&slot).is_some());
        }
        let mut seen = HashMap::new();
        for entry in table.iter() {
            let class = entry.key() % classes;
            prop_assert_eq!(last.get(&class), Some(&entry.bounds));
            prop_assert_eq!(seen.insert(class, entry.key()), None, "one entry of each class");
        }
    }
}

#[test]
fn a_glance_sees_other_keys() {
    let table = ClassTable::with_buckets(TAG_BITS - 1, 1).unwrap();
    let known = Bounds { lower: -128, upper: 127 };
    let key = u128::MAX >> 22;
    // Signatures with the same lowest bit after hashing, and one with the other.
    let bit = |signature: &u64| hash(*signature) & 1;
    let alike = (1..).find(|signature| bit(signature) == bit(&0)).unwrap();
    let other = (1..).find(|signature| bit(signature) != bit(&0)).unwrap();
    table.put(&table.locate(0, key), known, 31);
    let mut slot = table.locate(alike, 5);
    assert_eq!(table.glance(&slot), Some(known), "one bit of the signature is stored");
    assert_eq!(table.get(&mut slot, |_| false), None);
    assert_eq!(table.glance(&table.locate(other, key)), None);
    let halves = table.iter().next().unwrap().pair;
    assert_eq!(halves, (key as u64, (key >> 64) as u64));
}
