//! Removed commands and flags, which are answered with their replacements.

use super::game::is_board;
use std::ffi::OsString;

/// The first words of a removed form, where `*` stands for any word that is not a flag; the flag that
/// was removed, empty if the words themselves were; and what to write instead.
type Removed = (&'static str, &'static str, &'static str);

/// All removed forms. The first one that matches is answered.
const REMOVED: &[Removed] = &[
    ("rpsw solve", "--out", "write 'bsq rpsw tablebase build FILE'"),
    ("rpsw solve", "--tables", "write 'bsq rpsw tablebase build FILE --out DIR'"),
    ("rpsw solve", "--scratch", "write 'bsq rpsw tablebase build FILE --scratch DIR'"),
    ("rpsw probe", "", "write 'bsq rpsw tablebase probe FILE POSITION'"),
    ("rpsw verify", "", "write 'bsq rpsw tablebase verify FILE'"),
    ("rpsw analyze * *", "", "write 'bsq rpsw analyze ANALYSIS --tablebase FILE'"),
    ("dots enumerate", "--from", "write 'bsq dots tablebase build DIR --from POSITION'"),
    ("dots enumerate", "", "write 'bsq dots tablebase build DIR --board RxC'"),
    ("dots probe", "", "write 'bsq dots tablebase probe DIR POSITION'"),
    ("dots verify", "", "write 'bsq dots tablebase verify DIR'"),
    ("dots solve", "--no-line", "leave it out: the principal variation is printed with --pv"),
    ("dots solve", "--moves", "write --values; '--moves MOVES' plays moves first"),
    ("play", "--game", "name the game first, as in 'bsq dots play'"),
    ("play", "--db", "write --tablebase PATH"),
    ("play", "--lists", "give the decision list itself as the agent, as in --second 'most claim'"),
    ("play", "--table-size", "write --memory SIZE"),
    ("serve", "--db", "write --tablebase FILE, once for each tablebase"),
    ("serve", "--dots", "write --tablebase DIR, once for each tablebase"),
    ("serve", "--table-size", "write --memory SIZE"),
    ("serve", "--max-cells", "write --memory SIZE, which limits all tables"),
    ("", "--resume", "leave it out: a command continues if there is something to continue"),
];

/// The message about a removed form, if the arguments after the name of the program have one.
pub fn message(args: &[OsString]) -> Option<String> {
    let given: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let (words, flag, instead) = REMOVED.iter().find(|removed| matches(removed, &given))?;
    let form = match *flag {
        "" => format!("'bsq {}' in this form", words.trim_end_matches(" *")),
        flag => flag.to_string(),
    };
    Some(format!("{form} was removed; {instead}"))
}

fn matches((words, flag, _): &Removed, given: &[&str]) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_word = |(word, given): (&&str, &&str)| match *word {
        "*" => !given.starts_with('-'),
        word => word == *given,
    };
    let has = |flag| {
        let flags = given.iter().take_while(|word| **word != "--");
        flags.filter_map(|word| word.split('=').next()).any(|word| word == flag)
    };
    // 'dots solve --moves' took no value. The board followed it, if not another flag.
    let moves = given.iter().position(|word| *word == "--moves");
    let is_switch = moves.is_some_and(|at| {
        given.get(at + 1).is_none_or(|next| next.starts_with("--") || is_board(next))
    });
    let begins = given.len() >= words.len() && words.iter().zip(given).all(is_word);
    // Without a tablebase 'rpsw solve' built one.
    let is_valid = match words[..] {
        ["rpsw", "solve"] => has("--tablebase"),
        ["dots", "solve"] => *flag == "--moves" && !is_switch,
        _ => false,
    };
    begins && (flag.is_empty() || has(flag)) && !is_valid
}
