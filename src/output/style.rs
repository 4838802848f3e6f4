//! Emphasis and colours of printed text, as escape sequences.

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Style};
use bsq_analyses::palette::{FIRST, SECOND, TIE};
use bsq_api::Player;

/// Text in bold.
pub fn bold(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}")
}

/// Text in bold and in the colour of the winner, or in that of ties.
pub fn won_by(winner: Option<Player>, text: &str) -> String {
    let color = match winner {
        Some(Player::First) => FIRST,
        Some(Player::Second) => SECOND,
        None => TIE,
    };
    let style = Style::new().bold().fg_color(Some(Ansi256Color(color.terminal()).into()));
    format!("{style}{text}{style:#}")
}

/// The text for standard output: without escape sequences unless this is a terminal, and the
/// environment (`NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`) does not ask for something else.
pub fn for_standard_output(text: &str) -> String {
    match AutoStream::choice(&std::io::stdout()) {
        ColorChoice::Never => plain(text),
        _ => text.to_string(),
    }
}

/// The text without escape sequences.
pub fn plain(text: &str) -> String {
    strip_str(text).to_string()
}
