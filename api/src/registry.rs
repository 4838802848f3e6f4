//! The games.

use crate::agent::{AgentInfo, agents};
use crate::answer::RulesAnswer;
use crate::session::{Engine, Evaluated, Session};
use crate::values::{ValuesRequest, ValuesSchema};
use bsq_analyses::agent::Agent;
use bsq_analyses::choices::Outside;
use bsq_analyses::source::Explorer;
use bsq_analyses::{Analysis, Table, any, query, sample};
use bsq_engine::definition::{
    BuildRequest, Definition, Info, OptionalFact, Resources, TablebaseInfo, Tablebases,
    Verification,
};
use bsq_engine::error::{Error, Kind};
use bsq_engine::game::{Game as _, Notation as _, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{
    GameRecord, Imported, Recorded, bare_position, begins_with_a_move, set_options, values_of,
};
use bsq_engine::view::{Mark, View};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A position and moves under the default rules, in the notation of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// A position.
    pub position: String,
    /// Moves from the start of the game to this position, separated by spaces.
    pub moves: String,
}

/// A registered game.
pub trait Game: Send + Sync {
    /// The name and description.
    fn info(&self) -> &Info;

    /// The options of the rules.
    fn options(&self) -> &[RuleOption];

    /// The facts that are found only on request, by [`Resources::facts`].
    fn optional_facts(&self) -> &'static [OptionalFact];

    /// The names of the methods of finding values, for [`Resources::method`], the default first.
    /// Empty if there is only one.
    fn methods(&self) -> &'static [&'static str];

    /// The rules given by option names and values, as [`Answer::rules`](crate::Answer::rules)
    /// contains them.
    ///
    /// # Errors
    ///
    /// If a name or value is invalid.
    fn rules(&self, given: &[(&str, &str)]) -> Result<RulesAnswer, Error> {
        self.rules_at(given, None, None)
    }

    /// The rules given as for [`rules`](Game::rules), with those that a position contains, such as
    /// the size of its board. Rules that are not given are those of the tablebase, if there is one.
    ///
    /// # Errors
    ///
    /// If a name or value, or the position, is invalid, or if there is no such tablebase.
    fn rules_at(
        &self,
        given: &[(&str, &str)],
        position: Option<&str>,
        tablebase: Option<&Path>,
    ) -> Result<RulesAnswer, Error>;

    /// The agents that play under rules given as for [`rules`](Game::rules), the weakest first.
    ///
    /// # Errors
    ///
    /// If a name or value is invalid.
    fn agents(&self, rules: &[(&str, &str)]) -> Result<Vec<AgentInfo>, Error>;

    /// A position a few moves after the start, to show the notation.
    fn example(&self) -> Example;

    /// What can stand at the places of a position, under the default rules.
    fn marks(&self) -> Vec<Mark>;

    /// The text of the position under rules given as for [`rules`](Game::rules) with those
    /// [marks](Game::marks) at the places of a name. The position may be invalid.
    ///
    /// # Errors
    ///
    /// If a rule is invalid, if there is no such place, or if the mark cannot stand there.
    fn set_up(
        &self,
        rules: &[(&str, &str)],
        places: &BTreeMap<String, String>,
        to_move: Player,
    ) -> Result<String, Error>;

    /// The game under rules given by option names and values; options that are not given have
    /// their defaults.
    ///
    /// # Errors
    ///
    /// If a name or value is invalid, or the resources do not suffice.
    fn engine(
        &self,
        rules: &[(&str, &str)],
        resources: &Resources,
    ) -> Result<Arc<dyn Engine>, Error>;

    /// The columns of a table of values that an [`engine`](Game::engine) finds.
    ///
    /// # Errors
    ///
    /// If a name or value is invalid.
    fn values_schema(
        &self,
        rules: &[(&str, &str)],
        resources: &Resources,
        request: &ValuesRequest,
    ) -> Result<ValuesSchema, Error>;

    /// A game in progress from a position, or from the start. A position that contains the size of
    /// its board changes that rule.
    ///
    /// # Errors
    ///
    /// As for [`engine`](Game::engine), and if the position is invalid.
    fn open(
        &self,
        rules: &[(&str, &str)],
        position: Option<&str>,
        resources: &Resources,
    ) -> Result<Box<dyn Session>, Error>;

    /// The analyses: the special ones, then those of any game that none of them replaces.
    fn analyses(&self) -> &[Analysis];

    /// The named heuristics under the default rules. Empty if there are none.
    fn heuristics(&self) -> Vec<AgentInfo>;

    /// The analysis of a heuristic against perfect play, in the same builds.
    fn heuristic_test(&self) -> Option<&Analysis>;

    /// The test of moves that somebody prefers outside the program, who is named, against perfect
    /// play, in builds with the feature `special`.
    fn outside_test(&self, name: &str, outside: &Outside) -> Option<Analysis>;

    /// The query over the positions of the game, in builds with the feature `special`.
    fn query(&self) -> Option<&Analysis>;

    /// The export of all positions, or moves, of the game, in the same builds.
    fn export(&self) -> Option<&Analysis>;

    /// Random positions of the game, in the same builds.
    fn sample(&self) -> Option<&Analysis>;

    /// The game with another special analysis, which replaces one of the same name.
    fn with_analysis(&self, analysis: Analysis) -> Arc<dyn Game>;

    /// The content of a file: the game of a record, at its last position, or a position, under the
    /// given rules, or that of a file in another format that is common for the game.
    ///
    /// # Errors
    ///
    /// If the text is invalid, if it contains rules although some are given, or if the resources do
    /// not suffice.
    fn load(
        &self,
        text: &str,
        given: &[(&str, &str)],
        resources: &Resources,
    ) -> Result<Box<dyn Session>, Error>;

    /// The rules and the last position of a file that [`load`](Game::load) reads, without an evaluator.
    /// Rules that are not given are those of the tablebase, if there is one.
    ///
    /// # Errors
    ///
    /// If the text is invalid, or if it contains rules although some are given.
    fn position_of(
        &self,
        text: &str,
        given: &[(&str, &str)],
        tablebase: Option<&Path>,
    ) -> Result<(RulesAnswer, String), Error>;

    /// The options of building and verifying tablebases, if the game has any.
    fn tablebases(&self) -> Option<TablebaseInfo>;

    /// Builds a tablebase of rules given as for [`engine`](Game::engine), or continues an
    /// unfinished one. Returns tables of what it contains. Says by [`Monitor::note`] whether it
    /// starts, continues, or is finished already.
    ///
    /// # Errors
    ///
    /// If a rule or an option is invalid, if the path holds something else or a tablebase of other
    /// rules, if the resources do not suffice, or if the monitor stops the job.
    fn build_tablebase(
        &self,
        rules: &[(&str, &str)],
        request: &BuildRequest,
        monitor: &Monitor,
    ) -> Result<Vec<Table>, Error>;

    /// Verifies a tablebase. Returns a table of what was compared.
    ///
    /// # Errors
    ///
    /// If there is no tablebase, if it is damaged or wrong, or if the monitor stops the job.
    fn verify_tablebase(
        &self,
        path: &Path,
        request: &Verification,
        monitor: &Monitor,
    ) -> Result<Table, Error>;

    /// The rules of a tablebase.
    ///
    /// # Errors
    ///
    /// If there is no tablebase.
    fn tablebase_rules(&self, path: &Path) -> Result<RulesAnswer, Error>;
}

/// The games that front ends offer, each with its own name.
#[derive(Clone)]
pub struct Registry {
    games: Vec<Arc<dyn Game>>,
}

impl Registry {
    /// A registry without games.
    pub fn empty() -> Registry {
        Registry { games: Vec::new() }
    }

    /// The games of [`bsq_games`].
    pub fn standard() -> Registry {
        struct Collect(Registry);
        impl bsq_games::Visitor for Collect {
            fn visit<D: Definition>(&mut self, game: D) {
                self.0.games.push(Arc::new(Registered::new(game)));
            }
        }
        let mut collect = Collect(Registry::empty());
        bsq_games::visit_all(&mut collect);
        collect.0
    }

    /// The registry with another game. A game of the same name is replaced.
    pub fn with(self, game: impl Definition) -> Registry {
        self.with_game(Arc::new(Registered::new(game)))
    }

    /// The registry with another game that is a [`Game`] already. A game of the same name is
    /// replaced.
    pub fn with_game(self, game: Arc<dyn Game>) -> Registry {
        let mut changed = self.without(&game.info().name);
        changed.games.push(game);
        changed
    }

    /// The registry without the game of a name, if it has one.
    pub fn without(mut self, name: &str) -> Registry {
        self.games.retain(|known| known.info().name != name);
        self
    }

    /// The registry with another analysis of the game of a name.
    ///
    /// # Errors
    ///
    /// If there is no such game.
    ///
    /// ```
    /// use bsq_api::{Analysis, Described, Job, Registry, Table};
    ///
    /// let analysis = Analysis::new("nothing", "an empty table", [], |_| {
    ///     let described = Described { label: String::new(), fields: "m,n,k".into() };
    ///     Ok(Job::new(described, |_| Ok(vec![Table::new("nothing", "Nothing", &[])])))
    /// });
    /// let registry = Registry::standard().with_analysis("mnk", analysis).unwrap();
    /// assert_eq!(registry.get("mnk").unwrap().analyses()[0].name(), "nothing");
    /// ```
    pub fn with_analysis(mut self, game: &str, analysis: Analysis) -> Result<Registry, Error> {
        let changed = self.find(game)?.with_analysis(analysis);
        for known in &mut self.games {
            if known.info().name == game {
                *known = Arc::clone(&changed);
            }
        }
        Ok(self)
    }

    /// The games, in the order of their registration.
    pub fn games(&self) -> impl Iterator<Item = &dyn Game> {
        self.games.iter().map(|game| game.as_ref())
    }

    /// The game of that name.
    pub fn get(&self, name: &str) -> Option<&dyn Game> {
        self.games().find(|game| game.info().name == name)
    }

    /// The game of that name, or an error that lists the names.
    ///
    /// # Errors
    ///
    /// If there is no such game.
    pub fn find(&self, name: &str) -> Result<Arc<dyn Game>, Error> {
        let found = self.games.iter().find(|game| game.info().name == name);
        found.cloned().ok_or_else(|| {
            let names: Vec<&str> = self.games().map(|game| &*game.info().name).collect();
            let message = format!("unknown game '{name}'; there are {}", names.join(", "));
            Error::of(Kind::Usage, message)
        })
    }
}

struct Registered<D: Definition> {
    definition: Arc<D>,
    /// The rules with the default of every option.
    default: D::Rules,
    analyses: Vec<Analysis>,
    heuristic_test: Option<Analysis>,
    /// The query, the export and the sample.
    queries: Option<[Analysis; 3]>,
}

impl<D: Definition> Registered<D> {
    fn new(definition: D) -> Registered<D> {
        let definition = Arc::new(definition);
        let default = definition.rules();
        let name = &definition.info().name;
        let mut analyses =
            if cfg!(feature = "special") { bsq_analyses::of_game(name) } else { Vec::new() };
        // They may take long on the boards of games that have special ones.
        let has_special = !analyses.is_empty();
        for analysis in any::analyses(name, &default) {
            if analyses.iter().all(|special| special.name() != analysis.name()) {
                analyses.push(if has_special { analysis.only_by_name() } else { analysis });
            }
        }
        let has_agents = analyses.iter().any(|analysis| analysis.name() == any::agents::NAME);
        if cfg!(feature = "special") && !has_agents {
            let (solve, estimate) = (any::agents::explored, any::estimate);
            let agents = any::agents::analysis(&definition, &default, solve, estimate);
            analyses.push(agents.only_by_name());
        }
        let heuristic_test = if cfg!(feature = "special") {
            let special = bsq_analyses::heuristic_test_of(name);
            Some(special.unwrap_or_else(|| {
                any::heuristic::of_definition::<Explorer<D::Rules>, D>(&definition, &default)
            }))
        } else {
            None
        };
        let queries = if cfg!(feature = "special") {
            Some(bsq_analyses::queries_of(name).unwrap_or_else(|| {
                let columns = || {
                    let of_game = Arc::clone(&definition);
                    move |rules: &D::Rules| of_game.columns(rules)
                };
                let query = query::analysis::<Explorer<D::Rules>>(name, &default, columns());
                let export = query::export::<Explorer<D::Rules>>(name, &default, columns());
                [query, export, sample::analysis::<Explorer<D::Rules>>(name, &default)]
            }))
        } else {
            None
        };
        Registered { definition, default, analyses, heuristic_test, queries }
    }

    /// The rules of the given options. If there is a tablebase, options that are not given are
    /// those of the tablebase.
    fn rules_with(
        &self,
        given: &[(&str, &str)],
        tablebase: Option<&Path>,
    ) -> Result<D::Rules, Error> {
        let Some(path) = tablebase else { return self.parsed(given) };
        let found = (self.tablebase_jobs()?.rules)(path).map_err(of_tablebase)?;
        let own = found.entries();
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        let own = own.filter(|(name, _)| given.iter().all(|(other, _)| other != name));
        self.parsed(&own.chain(given.iter().copied()).collect::<Vec<_>>())
    }

    fn tablebase_jobs(&self) -> Result<Tablebases<D::Rules>, Error> {
        self.definition
            .tablebases()
            .ok_or_else(|| Error::invalid(TABLEBASE, "this game has no tablebases"))
    }

    fn parsed(&self, given: &[(&str, &str)]) -> Result<D::Rules, Error> {
        let options = self.options();
        if let Some((name, _)) = given.iter().find(|(name, _)| !has(options, name)) {
            let names: Vec<String> = options.iter().map(RuleOption::parameter).collect();
            let message = if names.is_empty() {
                "the rules of this game have no options".to_string()
            } else {
                format!("not an option of the rules; there are {}", names.join(", "))
            };
            return Err(Error::invalid(name, message));
        }
        set_options(self.default.clone(), given).map_err(|(name, why)| Error::invalid(&name, why))
    }

    /// The game of a record at its last position, or a game begun in a position.
    fn recorded(
        &self,
        text: &str,
        given: &[(&str, &str)],
        tablebase: Option<&Path>,
    ) -> Result<GameRecord<D::Rules>, Error> {
        let rules = self.rules_with(given, tablebase)?;
        let invalid = |why: &dyn std::fmt::Display| Error::invalid("record", why);
        let forms = || {
            let example = &rules.format().example;
            format!("a file contains a position, or a game such as '{example}'")
        };
        if let Some(other) = other_format(text) {
            return Err(invalid(&format!("{other}; {}", forms())));
        }
        let (record, has_rules) = if let Some(imported) = rules.import(text) {
            let Imported { rules, start, has_rules } = imported.map_err(|why| invalid(&why))?;
            (GameRecord::from(rules, start), has_rules)
        } else if let Some(position) = bare_position(text) {
            let record = self.begun(given, Some(&position), tablebase);
            let record = record.map_err(|error| invalid(&format!("{error}; {}", forms())))?;
            (record, false)
        } else {
            (GameRecord::parse(text, &rules).map_err(|error| invalid(&error))?, true)
        };
        if let Some(option) =
            self.options().iter().find(|option| has_rules && is_given(option, given))
        {
            let flag = option.flag();
            return Err(invalid(&format!("it contains the rules; leave --{flag} out")));
        }
        Ok(record)
    }

    /// A game from a position, which contains the size of its board if neither the given rules nor a
    /// tablebase do, or from moves.
    fn begun(
        &self,
        given: &[(&str, &str)],
        position: Option<&str>,
        tablebase: Option<&Path>,
    ) -> Result<GameRecord<D::Rules>, Error> {
        let board = self.options().iter().find(|option| option.kind == OptionKind::Board);
        let open = board.filter(|board| tablebase.is_none() && !is_given(board, given));
        let size = position
            .filter(|_| open.is_some())
            .and_then(|text| size_of(text).filter(|_| !begins_with_a_move(&self.default, text)));
        let own = open.zip(size.as_deref()).map(|(board, size)| (&*board.name, size));
        let given: Vec<(&str, &str)> = given.iter().copied().chain(own).collect();
        let rules = self.rules_with(&given, tablebase);
        let Some(text) = position else { return Ok(GameRecord::new(rules?)) };
        let is_board = |name: &str| board.is_some_and(|board| board.name == name);
        // A board that is too large as a whole may be that of a position.
        let (rules, refused) = match rules {
            Err(error) if error.location.as_deref().is_some_and(is_board) => {
                let others: Vec<(&str, &str)> =
                    given.iter().copied().filter(|(name, _)| !is_board(name)).collect();
                (self.rules_with(&others, tablebase)?, Some(error))
            }
            rules => (rules?, None),
        };
        let record = GameRecord::begun(rules, text, Recorded::parse_start);
        let record = record.map_err(|error| match &refused {
            Some(refused) => refused.clone(),
            None => Error::invalid("position", error),
        })?;
        // Some positions contain their board, whatever the rules are.
        check_board(board, &given, values_of(record.rules()))
            .map_err(|error| refused.unwrap_or(error))?;
        Ok(record)
    }

    fn evaluated(
        &self,
        rules: D::Rules,
        resources: &Resources,
    ) -> Result<Arc<Evaluated<D>>, Error> {
        for name in &resources.facts {
            if !self.optional_facts().iter().any(|fact| fact.name == name) {
                let names = self.optional_facts().iter().map(|fact| fact.name).collect::<Vec<_>>();
                let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
                let why = format!("'{name}' is not an optional fact; those of this game: {known}");
                return Err(Error::invalid("facts", why));
            }
        }
        let evaluator = self.definition.evaluator(&rules, resources);
        let evaluator = evaluator.map_err(|error| match resources.tablebase {
            Some(_) => error.at(TABLEBASE),
            None => error,
        })?;
        Ok(Arc::new(Evaluated { definition: Arc::clone(&self.definition), rules, evaluator }))
    }
}

/// The size of the board of a position that begins with equally long rows, separated by `/` or blanks.
fn size_of(position: &str) -> Option<String> {
    let cells = |word: &&str| word.chars().filter(|mark| *mark != ',').count();
    let lengths = |words: &[&str]| words.iter().map(cells).collect();
    let words: Vec<&str> = position.split_whitespace().collect();
    let first = words.first()?;
    let rows: Vec<usize> = if first.contains('/') {
        lengths(&first.split('/').collect::<Vec<_>>())
    } else {
        // The player to move may come last.
        let (last, others) = words.split_last()?;
        let has_player = last.chars().count() != first.chars().count();
        lengths(if has_player { others } else { &words })
    };
    let least = if first.contains('/') { 1 } else { 2 }; // words of one character may be cells
    let is_board = rows.len() > 1 && rows[0] >= least && rows.iter().all(|cols| *cols == rows[0]);
    is_board.then(|| format!("{}x{}", rows.len(), rows[0]))
}

/// Returns an error if a position contains another board than the given one. `own` are its rules.
fn check_board(
    board: Option<&RuleOption>,
    given: &[(&str, &str)],
    own: RulesAnswer,
) -> Result<(), Error> {
    let Some(board) = board else { return Ok(()) };
    let asked = given.iter().find(|(name, _)| *name == board.name);
    let (Some(Some(own)), Some((_, asked))) = (own.get(&*board.parameter()), asked) else {
        return Ok(());
    };
    let asked = asked.replace(char::is_whitespace, "");
    // A colon comes before the part that is in play.
    let size = own.split(':').next().unwrap_or_default();
    if [own.as_str(), size].iter().any(|own| own.eq_ignore_ascii_case(&asked)) {
        return Ok(());
    }
    let message = format!(
        "this is a position on a board of {size}, and the board is {asked}; give {size}, or leave the board out"
    );
    Err(Error::invalid("position", message))
}

/// What a text is that is in a format without games and positions.
fn other_format(text: &str) -> Option<&'static str> {
    let first = text.lines().next().unwrap_or_default();
    if text.trim_start().starts_with(['{', '[']) {
        Some("this is JSON")
    } else if first.split(',').any(|column| column == "position") {
        Some("this is a table; 'solve - < FILE' reads its column 'position'")
    } else {
        None
    }
}

fn is_given(option: &RuleOption, given: &[(&str, &str)]) -> bool {
    given.iter().any(|(name, _)| *name == option.name)
}

fn has(options: &[RuleOption], name: &str) -> bool {
    options.iter().any(|option| option.name == name)
}

impl<D: Definition> Game for Registered<D> {
    fn info(&self) -> &Info {
        self.definition.info()
    }

    fn options(&self) -> &[RuleOption] {
        &self.default.format().options
    }

    fn optional_facts(&self) -> &'static [OptionalFact] {
        self.definition.facts()
    }

    fn methods(&self) -> &'static [&'static str] {
        self.definition.methods()
    }

    fn rules_at(
        &self,
        given: &[(&str, &str)],
        position: Option<&str>,
        tablebase: Option<&Path>,
    ) -> Result<RulesAnswer, Error> {
        Ok(values_of(self.begun(given, position, tablebase)?.rules()))
    }

    fn agents(&self, rules: &[(&str, &str)]) -> Result<Vec<AgentInfo>, Error> {
        Ok(agents(&*self.definition, &self.parsed(rules)?))
    }

    fn example(&self) -> Example {
        let rules = &self.default;
        let (mut position, mut moves) = (rules.start(), Vec::new());
        for _ in 0..EXAMPLE_MOVES {
            let legal = rules.moves(&position);
            let Some(mv) = legal.get(legal.len() / 2) else { break };
            moves.push(rules.record_move(&position, mv.clone()));
            position = rules.play(&position, mv.clone());
        }
        Example { position: rules.format_position(&position), moves: moves.join(" ") }
    }

    fn marks(&self) -> Vec<Mark> {
        self.default.marks()
    }

    fn set_up(
        &self,
        rules: &[(&str, &str)],
        places: &BTreeMap<String, String>,
        to_move: Player,
    ) -> Result<String, Error> {
        let rules = self.parsed(rules)?;
        let (scene, marks) = (rules.scene(&rules.start()), rules.marks());
        let mut standing = BTreeMap::new();
        for (name, symbol) in places {
            let place = scene.places.iter().find(|place| place.name == *name);
            let place = place
                .ok_or_else(|| Error::invalid("places", format!("'{name}' is not a place")))?;
            let mut fitting = marks.iter().filter(|mark| mark.shape == place.shape);
            let found = fitting.clone().find(|mark| mark.symbol.to_string() == *symbol);
            let mark = found.ok_or_else(|| {
                let symbols: Vec<String> =
                    fitting.by_ref().map(|mark| mark.symbol.into()).collect();
                let valid = symbols.join(", ");
                Error::invalid(
                    "places",
                    format!("'{symbol}' cannot stand at {name}; valid: {valid}"),
                )
            })?;
            standing.insert(name.as_str(), mark.symbol);
        }
        Ok(rules.set_up(&|name| standing.get(name).copied(), to_move))
    }

    fn engine(
        &self,
        rules: &[(&str, &str)],
        resources: &Resources,
    ) -> Result<Arc<dyn Engine>, Error> {
        let rules = self.rules_with(rules, resources.tablebase.as_deref())?;
        Ok(self.evaluated(rules, resources)?)
    }

    fn values_schema(
        &self,
        rules: &[(&str, &str)],
        resources: &Resources,
        request: &ValuesRequest,
    ) -> Result<ValuesSchema, Error> {
        let rules = self.rules_with(rules, resources.tablebase.as_deref())?;
        let facts = self.optional_facts().iter();
        let facts = facts.filter(|fact| resources.facts.iter().any(|name| name == fact.name));
        let (measure, states_points) = (rules.measure(), rules.states_points());
        Ok(ValuesSchema::new(measure, states_points, facts.collect(), request))
    }

    fn open(
        &self,
        rules: &[(&str, &str)],
        position: Option<&str>,
        resources: &Resources,
    ) -> Result<Box<dyn Session>, Error> {
        let tablebase = resources.tablebase.as_deref();
        let record = self.begun(rules, position, tablebase)?;
        Ok(self.evaluated(record.rules().clone(), resources)?.at(record))
    }

    fn analyses(&self) -> &[Analysis] {
        &self.analyses
    }

    fn heuristics(&self) -> Vec<AgentInfo> {
        let named = self.definition.heuristics(&self.default).into_iter();
        named.map(|heuristic| AgentInfo::from(&Agent::Heuristic(heuristic))).collect()
    }

    fn heuristic_test(&self) -> Option<&Analysis> {
        self.heuristic_test.as_ref()
    }

    fn outside_test(&self, name: &str, outside: &Outside) -> Option<Analysis> {
        if cfg!(not(feature = "special")) {
            return None;
        }
        let game = &self.definition.info().name;
        let special = bsq_analyses::outside_test_of(game, name, outside);
        Some(special.unwrap_or_else(|| {
            let (definition, default) = (&self.definition, &self.default);
            any::heuristic::of_outside::<Explorer<D::Rules>, D>(definition, default, name, outside)
        }))
    }

    fn query(&self) -> Option<&Analysis> {
        self.queries.as_ref().map(|[query, ..]| query)
    }

    fn export(&self) -> Option<&Analysis> {
        self.queries.as_ref().map(|[_, export, _]| export)
    }

    fn sample(&self) -> Option<&Analysis> {
        self.queries.as_ref().map(|[.., sample]| sample)
    }

    fn with_analysis(&self, analysis: Analysis) -> Arc<dyn Game> {
        let mut analyses = self.analyses.clone();
        let same = analyses.iter().position(|known| known.name() == analysis.name());
        match same {
            Some(at) => analyses[at] = analysis,
            None => analyses.insert(0, analysis),
        }
        Arc::new(Registered {
            definition: Arc::clone(&self.definition),
            default: self.default.clone(),
            analyses,
            heuristic_test: self.heuristic_test.clone(),
            queries: self.queries.clone(),
        })
    }

    fn load(
        &self,
        text: &str,
        given: &[(&str, &str)],
        resources: &Resources,
    ) -> Result<Box<dyn Session>, Error> {
        let record = self.recorded(text, given, resources.tablebase.as_deref())?;
        Ok(self.evaluated(record.rules().clone(), resources)?.at(record))
    }

    fn position_of(
        &self,
        text: &str,
        given: &[(&str, &str)],
        tablebase: Option<&Path>,
    ) -> Result<(RulesAnswer, String), Error> {
        let record = self.recorded(text, given, tablebase)?;
        let (rules, position) = (record.rules(), record.position());
        Ok((values_of(rules), rules.format_position(position)))
    }

    fn tablebases(&self) -> Option<TablebaseInfo> {
        self.definition.tablebases().map(|tablebases| tablebases.info)
    }

    fn build_tablebase(
        &self,
        rules: &[(&str, &str)],
        request: &BuildRequest,
        monitor: &Monitor,
    ) -> Result<Vec<Table>, Error> {
        let (tablebases, rules) = (self.tablebase_jobs()?, self.parsed(rules)?);
        (tablebases.build)(&rules, request, monitor)
    }

    fn verify_tablebase(
        &self,
        path: &Path,
        request: &Verification,
        monitor: &Monitor,
    ) -> Result<Table, Error> {
        (self.tablebase_jobs()?.verify)(path, request, monitor).map_err(of_tablebase)
    }

    fn tablebase_rules(&self, path: &Path) -> Result<RulesAnswer, Error> {
        Ok(values_of(&self.rules_with(&[], Some(path))?))
    }
}

/// The number of moves of an example.
const EXAMPLE_MOVES: usize = 2;

/// The location of errors about a tablebase.
const TABLEBASE: &str = "tablebase";

/// The error of a tablebase that is read.
fn of_tablebase(error: Error) -> Error {
    error.at(TABLEBASE)
}
