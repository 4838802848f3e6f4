//! Tests `bsq play` in a pseudo-terminal, with an emulation of the screen.

#![cfg(all(unix, feature = "full"))]

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const ROWS: NonZero<u16> = NonZero::new(24).unwrap();
const COLS: NonZero<u16> = NonZero::new(80).unwrap();
/// The time limit of waits, with a margin for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command in a terminal.
struct Terminal {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    /// The master side of the pseudo-terminal, until it is closed.
    master: Option<(Box<dyn portable_pty::MasterPty + Send>, Box<dyn Write + Send>)>,
    seen: Arc<Mutex<vt100::Parser>>,
    /// Ends the reader at the next output once it is set.
    enough: Arc<AtomicBool>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Terminal {
    fn run(words: &[&str]) -> Terminal {
        Terminal::run_with(words, None)
    }

    /// Runs a command with another variable of the environment.
    fn run_with(words: &[&str], variable: Option<(&str, &str)>) -> Terminal {
        let size = PtySize { rows: ROWS.get(), cols: COLS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_bsq"));
        command.args(words);
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        if let Some((name, value)) = variable {
            command.env(name, value);
        }
        command.cwd(std::env::current_dir().unwrap());
        let child = pair.slave.spawn_command(command).unwrap();
        let seen = Arc::new(Mutex::new(vt100::Parser::new(ROWS, COLS, 0)));
        let mut output = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let enough = Arc::new(AtomicBool::new(false));
        let (parser, stop) = (Arc::clone(&seen), Arc::clone(&enough));
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                parser.lock().unwrap().process(&bytes[..length]);
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Terminal { child, master: Some((pair.master, keys)), seen, enough, reader: Some(reader) }
    }

    /// Closes the terminal like a window.
    fn hang_up(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        self.press("v"); // causes output for the reader
        self.reader.take().unwrap().join().unwrap();
        self.master = None;
    }

    fn screen(&self) -> String {
        self.seen.lock().unwrap().screen().contents()
    }

    fn press(&mut self, keys: &str) {
        let (_, writer) = self.master.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Waits until all texts are on the screen.
    fn shows(&self, texts: &[&str]) {
        let until = Instant::now() + PATIENCE;
        while !texts.iter().all(|text| self.screen().contains(text)) {
            assert!(Instant::now() < until, "waited for {texts:?}, saw\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for a hint, and returns the move.
    fn hint(&self) -> String {
        self.shows(&["Hint: "]);
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            let hint =
                screen.split("Hint: ").nth(1).and_then(|hint| hint.split_whitespace().next());
            match hint {
                Some(tile) if tile != "?" => return tile.to_string(),
                _ => assert!(Instant::now() < until, "no hint in\n{screen}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the command and of its output. Returns its exit code.
    fn ends(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                if let Some(reader) = self.reader.take() {
                    reader.join().unwrap();
                }
                return status.exit_code();
            }
            assert!(Instant::now() < until, "it goes on, with\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The command may have ended already.
        let _ = self.child.kill();
    }
}

#[test]
fn a_whole_game_against_perfect_play() {
    let mut terminal = Terminal::run(&["play", "--first", "perfect"]);
    terminal.shows(&["perfect plays 7.", "+2*   3 9 10 11", "turn 2: the second player to move"]);
    assert!(terminal.seen.lock().unwrap().screen().alternate_screen());
    terminal.press("v"); // play with hidden values
    terminal.shows(&["Values are hidden"]);
    // Moves by typed name and by hint; the agent answers each.
    terminal.press("e1\r");
    terminal.shows(&["5 costs 1 point", "turn 4: the second player"]);
    terminal.press("u");
    terminal.shows(&["turn 2: the second player"]);
    terminal.press("13\r");
    terminal.shows(&["1 7  13 15", "turn 4: the second player"]);
    for turn in (4..).step_by(2) {
        terminal.shows(&[&format!("turn {turn}: ")]);
        terminal.press("i");
        let tile = terminal.hint();
        terminal.press(":");
        terminal.press(&tile);
        terminal.press("\r");
        let next = format!("turn {}: the second", turn + 2);
        let until = Instant::now() + PATIENCE;
        while !terminal.screen().contains(&next) && !terminal.screen().contains("the game is over")
        {
            assert!(Instant::now() < until, "no answer in\n{}", terminal.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
        if terminal.screen().contains("the game is over") {
            break;
        }
    }
    terminal.shows(&["The first player has won by", "2 points", "Score so far +2"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
    terminal.shows(&["game: British Square", "moves: 7 13 15"]);
    assert!(!terminal.seen.lock().unwrap().screen().alternate_screen());
}

/// Two clicks move a piece, one draws a line.
#[test]
fn the_mouse_plays() {
    // A press of the left button, as a terminal reports it: the column and row from 1.
    let click = |terminal: &mut Terminal, column: u16, row: u16| {
        terminal.press(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    };
    let mut terminal = Terminal::run(&["play"]);
    terminal.shows(&["+2*   7 9 17 19"]);
    click(&mut terminal, 15, 8); // b2
    terminal.shows(&["turn 2: the second player", "1 7"]);
    terminal.press("\x03");
    assert_eq!(terminal.ends(), 0);
    let mut terminal = Terminal::run(&["rpsw", "play", "--board", "4x3", "--pieces", "2"]);
    terminal.shows(&["The first player wins in 5 plies"]);
    click(&mut terminal, 20, 17); // b1
    terminal.shows(&["b1: where to?"]);
    click(&mut terminal, 8, 13); // a2
    terminal.shows(&["turn 2: the second player", "1 b1a2"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_small_terminal_says_so() {
    let mut terminal = Terminal::run(&["play", "--board", "1x40"]);
    terminal.shows(&["too small for this board", "--plain"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
}

/// Without colours, emphasis remains: crossterm resets it where colours change.
#[test]
fn without_colours_the_cursor_and_the_emphasis_remain() {
    for color in [false, true] {
        let terminal = Terminal::run_with(&["play"], (!color).then_some(("NO_COLOR", "1")));
        terminal.shows(&["+2*   7 9 17 19"]);
        let parser = terminal.seen.lock().unwrap();
        let cells = (0..ROWS.get()).flat_map(|row| (0..COLS.get()).map(move |col| (row, col)));
        let cells: Vec<_> = cells.filter_map(|(row, col)| parser.screen().cell(row, col)).collect();
        let is_colored = |cell: &&vt100::Cell| cell.fgcolor() != vt100::Color::Default;
        assert_eq!(cells.iter().copied().any(|cell| is_colored(&cell)), color);
        let heavy = cells.iter().find(|cell| cell.contents() == "┏").expect("the cursor");
        assert!(heavy.bold());
    }
}

#[test]
fn a_signal_ends_it_and_gives_the_terminal_back() {
    for signal in ["-TERM", "-HUP"] {
        let mut terminal = Terminal::run(&["play"]);
        terminal.shows(&["+2*   7 9 17 19"]);
        let process = terminal.child.process_id().unwrap().to_string();
        let kill = std::process::Command::new("kill").args([signal, &process]).status();
        assert!(kill.unwrap().success());
        terminal.ends();
        assert!(!terminal.seen.lock().unwrap().screen().alternate_screen());
    }
}

#[test]
fn it_ends_with_its_terminal() {
    for _ in 0..4 {
        let mut terminal = Terminal::run(&["play"]);
        terminal.shows(&["+2*   7 9 17 19"]);
        terminal.hang_up();
        terminal.ends();
    }
}

/// Runs a command to its end, and returns what it printed and whether any of it was in bold.
fn printed(words: &[&str], variable: Option<(&str, &str)>) -> (String, bool) {
    let mut terminal = Terminal::run_with(words, variable);
    assert_eq!(terminal.ends(), 0);
    let seen = terminal.seen.lock().unwrap();
    let cells = (0..ROWS.get()).flat_map(|row| (0..COLS.get()).map(move |col| (row, col)));
    let mut cells = cells.filter_map(|(row, col)| seen.screen().cell(row, col));
    (seen.screen().contents(), cells.any(|cell| cell.bold()))
}

#[test]
fn results_have_emphasis_on_a_terminal_unless_the_environment_forbids_it() {
    for words in [&["solve", "3x3", "--values"][..], &["analyze", "terminals", "--board", "3x3"]] {
        let (styled, is_bold) = printed(words, None);
        assert!(is_bold, "{styled}");
        for variable in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            assert_eq!(printed(words, Some(variable)), (styled.clone(), false), "{variable:?}");
        }
    }
}
