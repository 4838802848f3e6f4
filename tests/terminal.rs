//! Tests `bsq play` in a pseudo-terminal, with an emulation of the screen.

#![cfg(unix)]

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
        let size = PtySize { rows: ROWS.get(), cols: COLS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_bsq"));
        command.args(words);
        command.env("TERM", "xterm-256color");
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

    /// Waits for the end of the command. Returns its exit code.
    fn ends(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
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
    terminal.shows(&["perfect plays 7 (b2).", "Perfect: 3 9 10 11", "turn 2: O to move"]);
    assert!(terminal.seen.lock().unwrap().screen().alternate_screen());
    terminal.press("v"); // play with hidden values
    terminal.shows(&["Values are hidden"]);
    // Moves by typed name, by arrows and by hint; the machine answers each.
    terminal.press("e1\r");
    terminal.shows(&["5 (e1) costs 1 point", "turn 4: O to move"]);
    terminal.press("u");
    terminal.shows(&["turn 2: O to move"]);
    terminal.press("13\r");
    terminal.shows(&["Game: 7 13 15", "turn 4: O to move"]);
    for turn in (4..).step_by(2) {
        terminal.shows(&[&format!("turn {turn}: ")]);
        terminal.press("i");
        let tile = terminal.hint();
        terminal.press(if tile == "pass" { "0" } else { &tile });
        terminal.press("\r");
        let next = format!("turn {}: O", turn + 2);
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
    terminal.shows(&["The first player has won by 2 points", "Score so far +2"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
    terminal.shows(&["game: British Square", "moves: 7 13 15"]);
    assert!(!terminal.seen.lock().unwrap().screen().alternate_screen());
}

#[test]
fn a_whole_game_from_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.db");
    let path = path.to_str().unwrap();
    let mut solve = std::process::Command::new(env!("CARGO_BIN_EXE_bsq"));
    solve.args(["rpsw", "tablebase", "build", path, "--board", "4x3", "--pieces", "2", "--quiet"]);
    assert!(solve.output().unwrap().status.success());
    let mut terminal =
        Terminal::run(&["play", "--game", "rpsw", "--db", path, "--second", "perfect"]);
    terminal.shows(&["turn 1: the first player to move", "The first player wins in 5 plies"]);
    terminal.press("v");
    terminal.shows(&["Values are hidden"]);
    terminal.press("b1c1\r"); // the machine answers a mistake
    terminal.shows(&["b1c1 is a mistake: what was won in 5 is lost", "turn 3: "]);
    terminal.press("u");
    for turn in [1, 3, 5] {
        terminal.shows(&[&format!("turn {turn}: the first player")]);
        terminal.press("i");
        let mv = terminal.hint();
        terminal.press(&mv);
        terminal.press("\r");
    }
    terminal.shows(&["the game is over", "The first player has won: "]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
    terminal.shows(&["game: rock-paper-scissors-well", "moves: "]);
    assert!(!terminal.seen.lock().unwrap().screen().alternate_screen());
}

#[test]
fn the_mouse_plays() {
    let mut terminal = Terminal::run(&["play"]);
    terminal.shows(&["Perfect: 7 9 17 19"]);
    // A press of the left button in cell b2, as a terminal reports it: column 13, row 8.
    terminal.press("\x1b[<0;13;8M\x1b[<0;13;8m");
    terminal.shows(&["turn 2: O to move", "Game: 7"]);
    terminal.press("\x03");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_small_terminal_says_so() {
    let mut terminal = Terminal::run(&["play", "--board", "1x40"]);
    terminal.shows(&["too small for a 1x40 board", "--plain"]);
    terminal.press("q");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_signal_ends_it_and_gives_the_terminal_back() {
    for signal in ["-TERM", "-HUP"] {
        let mut terminal = Terminal::run(&["play"]);
        terminal.shows(&["Perfect: 7 9 17 19"]);
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
        terminal.shows(&["Perfect: 7 9 17 19"]);
        terminal.hang_up();
        terminal.ends();
    }
}
