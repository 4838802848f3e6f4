//! Removed commands and flags, which are answered with their replacements.

use std::ffi::OsString;

/// A form of the command that was removed.
struct Removed {
    /// The first words of the command line; `*` stands for any word that is not a flag.
    words: &'static [&'static str],
    /// The flag that was removed, or `None` if the words themselves were.
    flag: Option<&'static str>,
    /// What to write instead.
    instead: &'static str,
}

/// All removed forms. The first one that matches is answered.
const REMOVED: &[Removed] = &[
    Removed {
        words: &["rpsw", "solve"],
        flag: Some("--out"),
        instead: "write 'bsq rpsw tablebase build FILE'",
    },
    Removed {
        words: &["rpsw", "solve"],
        flag: Some("--tables"),
        instead: "write 'bsq rpsw tablebase build FILE --out DIR'",
    },
    Removed {
        words: &["rpsw", "solve"],
        flag: Some("--scratch"),
        instead: "write 'bsq rpsw tablebase build FILE --scratch DIR'",
    },
    Removed {
        words: &["rpsw", "probe"],
        flag: None,
        instead: "write 'bsq rpsw tablebase probe FILE POSITION'",
    },
    Removed {
        words: &["rpsw", "verify"],
        flag: None,
        instead: "write 'bsq rpsw tablebase verify FILE'",
    },
    Removed {
        words: &["rpsw", "analyze", "*", "*"],
        flag: None,
        instead: "write 'bsq rpsw analyze ANALYSIS --tablebase FILE'",
    },
    Removed {
        words: &["dots", "enumerate"],
        flag: None,
        instead: "write 'bsq dots tablebase build DIR --board RxC'",
    },
    Removed {
        words: &["dots", "probe"],
        flag: None,
        instead: "write 'bsq dots tablebase probe DIR POSITION'",
    },
    Removed {
        words: &["dots", "verify"],
        flag: None,
        instead: "write 'bsq dots tablebase verify DIR'",
    },
    Removed {
        words: &["dots", "solve"],
        flag: Some("--no-line"),
        instead: "leave it out: the principal variation is printed with --pv",
    },
    Removed {
        words: &["play"],
        flag: Some("--game"),
        instead: "name the game first, as in 'bsq dots play'",
    },
    Removed { words: &["play"], flag: Some("--db"), instead: "write --tablebase PATH" },
    Removed {
        words: &["play"],
        flag: Some("--lists"),
        instead: "give the decision list itself as the agent, as in --second 'most claim'",
    },
    Removed { words: &["play"], flag: Some("--table-size"), instead: "write --memory SIZE" },
    Removed {
        words: &["serve"],
        flag: Some("--db"),
        instead: "write --tablebase FILE, once for each tablebase",
    },
    Removed {
        words: &["serve"],
        flag: Some("--dots"),
        instead: "write --tablebase DIR, once for each tablebase",
    },
    Removed {
        words: &[],
        flag: Some("--resume"),
        instead: "leave it out: a command continues if there is something to continue",
    },
];

/// The message about a removed form, if the arguments after the name of the program have one.
pub fn message(args: &[OsString]) -> Option<String> {
    let given: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let removed = REMOVED.iter().find(|removed| removed.matches(&given))?;
    let form = match removed.flag {
        Some(flag) => flag.to_string(),
        None => {
            let words = removed.words.iter().filter(|word| **word != "*").copied();
            format!("'bsq {}' in this form", words.collect::<Vec<_>>().join(" "))
        }
    };
    Some(format!("{form} was removed; {}", removed.instead))
}

impl Removed {
    fn matches(&self, given: &[&str]) -> bool {
        let is_word = |(word, given): (&&str, &&str)| match *word {
            "*" => !given.starts_with('-'),
            word => word == *given,
        };
        let begins = given.len() >= self.words.len() && self.words.iter().zip(given).all(is_word);
        begins
            && self.flag.is_none_or(|flag| {
                let flags = given.iter().take_while(|word| **word != "--");
                flags.filter_map(|word| word.split('=').next()).any(|word| word == flag)
            })
    }
}
