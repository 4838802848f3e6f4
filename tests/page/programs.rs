//! Starts and ends the programs that a test needs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A program that prints its address. It is killed when dropped.
pub struct Program {
    child: Child,
    /// The printed address.
    pub place: String,
}

impl Program {
    /// Starts a program, and reads the address after `marker` in its output.
    fn start(command: &mut Command, marker: &str, missing: &str) -> Program {
        let program = Program::try_start(command, marker, missing);
        program.unwrap_or_else(|| panic!("{command:?} ended without {marker:?}"))
    }

    /// Like [`Program::start`]. Returns `None` if the program ends without an address.
    fn try_start(command: &mut Command, marker: &str, missing: &str) -> Option<Program> {
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = started.spawn().unwrap_or_else(|error| panic!("{missing}: {error}"));
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut program = Program { child, place: String::new() };
        program.place = lines.map_while(Result::ok).find_map(|line| {
            line.split_once(marker).map(|(_, rest)| rest.trim_end_matches('.').to_string())
        })?;
        Some(program)
    }

    /// `bsq serve`, on a free port.
    pub fn server(arguments: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsq"));
        command.args(["serve", "--port", "0"]).args(arguments);
        Program::start(&mut command, "bsq is at ", "bsq does not run")
    }

    /// A web server for the static files of `web/build`, in a folder below its root.
    pub fn files() -> Program {
        let web = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
        assert!(std::fs::exists(format!("{web}/dist")).unwrap(), "run web/build first");
        Program::files_in(Path::new(web))
    }

    /// A web server for the files in `dist` in a folder.
    pub fn files_in(folder: &Path) -> Program {
        let mut command = Command::new("python3");
        command.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"]);
        command.arg(folder);
        let mut files = Program::start(&mut command, "(http://", "python3 does not run");
        let port = files.place.trim_end_matches(|c: char| !c.is_ascii_digit()).to_string();
        files.place = format!("http://{port}/dist");
        files
    }

    /// chromedriver, on a free port.
    ///
    /// chromedriver chooses a port for IPv4, and ends if another program has it for IPv6. It then
    /// gets another chance.
    pub fn driver() -> Program {
        let missing = "chromedriver does not run; install Chromium and its driver, on Debian with \
                       'apt-get install chromium chromium-driver'";
        let marker = "successfully on port ";
        let mut command = Command::new("chromedriver");
        command.arg("--port=0");
        let mut started = (0..5).filter_map(|_| Program::try_start(&mut command, marker, missing));
        let mut driver = started.next().expect("one of five chromedrivers starts");
        driver.place = format!("http://127.0.0.1:{}", driver.place);
        driver
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
