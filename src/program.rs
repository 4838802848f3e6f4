//! A program with games: its name, its version, and its help.

use crate::cli::args::{EXAMPLES, NOTES};
use bsq_api::{Game, Registry, command};
use bsq_games::graph::Graph;

/// A command-line program with some games and a name of its own.
///
/// The verbs of a single game are at the top level: `hexapawn solve` instead of
/// `hexapawn hexapawn solve`.
///
/// ```no_run
/// use bsq::{Program, Registry};
///
/// let games = Registry::empty().with(bsq_games::mnk::Rules::tic_tac_toe());
/// let program = Program::new("tictactoe", "1.0.0", games)
///     .with_about("Tic-tac-toe and its relatives")
///     .with_examples("  tictactoe solve 4x4 --k 3");
/// program.run(std::env::args_os());
/// ```
#[derive(Clone)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) about: String,
    pub(crate) examples: String,
    pub(crate) notes: String,
    pub(crate) commit: Option<String>,
    pub(crate) registry: Registry,
}

impl Program {
    /// A program with the games of a registry. Its users type `name` to run it.
    pub fn new(name: impl Into<String>, version: impl Into<String>, registry: Registry) -> Program {
        Program {
            name: name.into(),
            version: version.into(),
            about: "Exact analysis of small two-player games".to_string(),
            examples: String::new(),
            notes: String::new(),
            commit: None,
            registry,
        }
    }

    /// The program `bsq` with the games of a registry, and those that are given as [graphs](Graph) in
    /// files. `commit` is the commit that it was built
    /// from, if known. `--version` shows the commit, and tablebases and checkpoints contain it.
    pub fn bsq(registry: Registry, commit: Option<&str>) -> Program {
        let known = commit.unwrap_or("unknown");
        let features = if cfg!(feature = "full") { "full" } else { "none" };
        let version =
            format!("{} (commit {known}, features: {features})", env!("CARGO_PKG_VERSION"));
        let program = Program::new("bsq", version, registry.with(Graph::example()));
        Program {
            examples: EXAMPLES.to_string(),
            notes: NOTES.to_string(),
            commit: commit.map(str::to_string),
            ..program
        }
    }

    /// Sets the description of the program, a phrase without a full stop.
    pub fn with_about(self, about: impl Into<String>) -> Program {
        Program { about: about.into(), ..self }
    }

    /// Sets the examples in the help, one command per line.
    pub fn with_examples(self, examples: impl Into<String>) -> Program {
        Program { examples: examples.into(), ..self }
    }

    /// The game whose verbs are at the top level: the only one, or British Square.
    pub(crate) fn top_level(&self) -> Option<&dyn Game> {
        let mut games = self.registry.games();
        match (games.next(), games.next()) {
            (Some(only), None) => Some(only),
            _ => self.registry.get(bsq_games::british_square::NAME),
        }
    }

    /// Whether the program has British Square, and therefore the verbs of that game.
    pub(crate) fn has_british_square(&self) -> bool {
        self.registry.get(bsq_games::british_square::NAME).is_some()
    }

    /// Sets the name of the program in commands that are shown, and the commit in files.
    pub(crate) fn set_globals(&self) {
        if let Some(commit) = &self.commit {
            bsq_engine::storage::header::set_commit(commit);
        }
        let top_level = self.top_level().map(|game| game.info().name.to_string());
        command::set_program(command::Program { name: self.name.clone(), top_level });
    }
}
