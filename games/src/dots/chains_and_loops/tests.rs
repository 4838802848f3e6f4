use super::*;
use crate::dots::search::Encoding;
use crate::dots::search::endgame_table::EndgameTable;
use std::collections::HashMap;
use std::iter;

/// All endgames of components of at least `least` boxes, and of up to `most` boxes.
fn endgames(least: u32, most: u32) -> Vec<ChainsAndLoops> {
    let chains = (least..=most).map(Component::Chain);
    let kinds: Vec<Component> = chains.chain((4..=most).step_by(2).map(Component::Loop)).collect();
    let mut found = vec![Vec::<(Component, u32)>::new()];
    for kind in kinds {
        for at in 0..found.len() {
            let boxes: u32 = found[at].iter().map(|(it, number)| it.boxes() * number).sum();
            for number in 1..=(most - boxes) / kind.boxes() {
                let mut more = found[at].clone();
                more.push((kind, number));
                found.push(more);
            }
        }
    }
    found.remove(0);
    found.into_iter().map(|components| ChainsAndLoops { components }).collect()
}

/// Boxes as coins that strings hold: the strings of each coin, of all components.
fn coins(endgame: &ChainsAndLoops) -> Vec<u32> {
    let (mut coins, mut strings) = (Vec::new(), 0);
    for &(component, number) in endgame.components() {
        for _ in 0..number {
            let boxes = component.boxes();
            match component {
                Component::Chain(_) => {
                    coins.extend((0..boxes).map(|at| 0b11 << (strings + at)));
                    strings += boxes + 1;
                }
                Component::Loop(_) => {
                    let next = |at| (at + 1) % boxes;
                    coins.extend(
                        (0..boxes).map(|at| 1 << (strings + at) | 1 << (strings + next(at))),
                    );
                    strings += boxes;
                }
            }
        }
    }
    coins
}

/// The value of strings-and-coins, by plain recursion over strings.
fn plain(coins: &[u32], strings: u32, penalty: i32, known: &mut HashMap<u32, i32>) -> i32 {
    if strings == 0 {
        return penalty;
    }
    if let Some(&value) = known.get(&strings) {
        return value;
    }
    let mut best = i32::MIN;
    for at in (0..32).filter(|at| strings >> at & 1 == 1) {
        let rest = strings & !(1 << at);
        let is_taken = |coin: &&u32| **coin & strings != 0 && **coin & rest == 0;
        let taken = coins.iter().filter(is_taken).count() as i32;
        let value = plain(coins, rest, penalty, known);
        best = best.max(if taken > 0 { taken + value } else { -value });
    }
    known.insert(strings, best);
    best
}

#[test]
fn small_endgames_have_the_values_of_strings_and_coins() {
    let mut compared = 0;
    for endgame in endgames(1, 10) {
        let coins = coins(&endgame);
        let strings = coins.iter().fold(0, |all, coin| all | coin);
        if strings.count_ones() > 15 {
            continue;
        }
        for penalty in [0, -1, -20, 3] {
            let value = plain(&coins, strings, penalty, &mut HashMap::new());
            assert_eq!(endgame.solve(penalty).value(), value, "{endgame:?} {penalty}");
        }
        compared += 1;
    }
    assert_eq!(compared, 172);
}

/// The endgame table of the search tries the shortest components only.
#[test]
fn endgames_of_a_board_have_the_values_of_the_search() {
    for penalty in [0, -2, 1] {
        let table = EndgameTable::new(16, penalty, Encoding { marks: false });
        for endgame in endgames(1, 16) {
            let components = endgame.components().iter();
            let all = components.flat_map(|(it, number)| iter::repeat_n(*it, *number as usize));
            let listed = all.fold(0, |listed, component| table.with(listed, component).unwrap());
            assert_eq!(
                endgame.solve(penalty).value(),
                table.value(listed),
                "{endgame:?} {penalty}"
            );
        }
    }
}

/// The theorem of Buzzard and Ciere.
#[test]
fn a_controlled_value_of_at_least_two_is_the_value() {
    let (mut controlled, mut others) = (0, 0);
    for endgame in endgames(3, 30) {
        let controlled_value = endgame.controlled_value().unwrap();
        if controlled_value >= 2 {
            assert_eq!(endgame.solve(0).value(), -controlled_value, "{endgame:?}");
            controlled += 1;
        } else {
            // Of a chain the opponent gets at least one more than half, of a loop half.
            assert!(endgame.solve(0).value() <= 0, "{endgame:?}");
            others += 1;
        }
    }
    assert!(controlled > 100 && others > 100, "{controlled} {others}");
}

#[test]
fn texts_are_endgames_or_refused() {
    let parse = |text: &str| text.parse::<ChainsAndLoops>();
    let of = |chains: &[u32], loops: &[u32]| {
        let chains = chains.iter().map(|boxes| (Component::Chain(*boxes), 1));
        let components = chains.chain(loops.iter().map(|boxes| (Component::Loop(*boxes), 1)));
        Ok(ChainsAndLoops { components: components.collect() })
    };
    assert_eq!(parse("chains 3 4 loops 6"), of(&[3, 4], &[6]));
    assert_eq!(parse(" Loops: 6, Chain 4 3"), of(&[3, 4], &[6]));
    assert_eq!(parse("chains 1"), of(&[1], &[]));
    assert_eq!(parse("loops 4 4").unwrap().components(), [(Component::Loop(4), 2)]);
    let word = |word: &str| Err(EndgameError::Word(word.to_string()));
    for (text, why) in [
        ("", Err(EndgameError::Empty)),
        ("chains loops", Err(EndgameError::Empty)),
        ("3 4", word("3")),
        ("chains x", word("x")),
        ("chains -3", word("-3")),
        ("chains 99999999999", word("99999999999")),
        ("chains 0", Err(EndgameError::Chain(0))),
        ("loops 5", Err(EndgameError::Loop(5))),
        ("loops 2", Err(EndgameError::Loop(2))),
        ("chains 4000000000 4000000000", Err(EndgameError::TooManyBoxes)),
        ("chains 1001", Err(EndgameError::TooManyBoxes)),
    ] {
        assert_eq!(parse(text), why, "{text}");
    }
    let many: Vec<String> = (1..=24).map(|boxes| boxes.to_string()).collect();
    let many = parse(&format!("chains {}", many.join(" ")));
    assert_eq!(many, Err(EndgameError::TooManyPositions(1 << 24)));
}
