//! The description of the API as OpenAPI 3.1, derived from the registry and the types.

use super::reply::Refusal;
use bsq_api::requests::{
    AnalysesAnswer, Answers, Batch, Chosen, DEFAULT_LINE, Games, LONGEST_LINE, Loaded,
    MOST_POSITIONS, MOST_TEXT, Record, TablesAnswer, Variation, analysis_options, asked_for,
};
use bsq_api::{Answer, Game, HARDEST, OptionKind, Puzzle, Registry, RuleOption};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The document for the games of a registry.
pub fn document(registry: &Registry) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    // All keys of an answer are present, those of a request may be left out.
    let mut requests = settings.clone().for_deserialize().into_generator();
    let mut schemas = settings.for_serialize().into_generator();
    let batch = requests.subschema_for::<Batch>();
    let mut paths = Map::new();
    let games = get::<Games>(&mut schemas, "The games", Vec::new());
    paths.insert("/api/games".to_string(), games);
    for game in registry.games() {
        let analyses = analyses(game, &mut schemas);
        for (route, item) in routes(game, &mut schemas, &batch).into_iter().chain(analyses) {
            paths.insert(format!("/api/{}/{route}", game.info().name), item);
        }
    }
    let mut definitions = schemas.take_definitions(true);
    definitions.extend(requests.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "bsq",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact values of positions of small two-player games. A score is the \
                first player's points minus the second player's.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": definitions },
    })
}

/// The routes of a game.
fn routes(game: &dyn Game, schemas: &mut SchemaGenerator, batch: &Schema) -> Vec<(String, Value)> {
    let title = game.info().title;
    let about = |text: &str| format!("{title}: {text}");
    let given = |own: &[Value]| [rules(game), place(), own.to_vec()].concat();
    let values = parameter(
        "values",
        json!({ "enum": ["yes", "value", "no"], "default": "yes" }),
        "Values: of every move, of the position, or none",
    );
    let line = number("line", 0, "The most moves of the principal variation; 0 for none");
    let mut position = get::<Answer>(
        schemas,
        &about("a position, with the values of its moves"),
        given(&[values, line]),
    );
    let many = about(&format!("at most {MOST_POSITIONS} positions under the same rules"));
    let questions = json!({ "application/json": { "schema": batch } });
    position["post"] = post::<Answers>(schemas, &many, questions);
    let limit = number("limit", DEFAULT_LINE, "The most moves");
    let line = get::<Variation>(schemas, &about("the principal variation"), given(&[limit]));
    let seed = json!({ "type": "integer", "minimum": 0, "default": 0 });
    let seed = parameter("seed", seed, "Random seed");
    let agent = [
        text("agent", "The name of an agent, or a heuristic as text; by default, perfect play"),
        seed.clone(),
    ];
    let chosen = get::<Chosen>(schemas, &about("the move of an agent"), given(&agent));
    let wanted = [
        parameter("task", json!({ "enum": ["win", "save"] }), "The task; by default any"),
        parameter(
            "level",
            json!({ "type": "integer", "minimum": 1, "maximum": HARDEST }),
            "The level; by default any",
        ),
        seed,
    ];
    let summary = about("a position after random moves in which only one move keeps the result");
    let puzzle = get::<Puzzle>(schemas, &summary, given(&wanted));
    let mut record = get::<Record>(schemas, &about("the record of a game"), given(&[]));
    let lines = json!({ "text/plain": { "schema": { "type": "string" } } });
    record["post"] = post::<Loaded>(schemas, &about("the rules and moves of a record"), lines);
    let routes = [
        ("position", position),
        ("line", line),
        ("move", chosen),
        ("puzzle", puzzle),
        ("record", record),
    ];
    routes.map(|(route, item)| (route.to_string(), item)).to_vec()
}

/// The analyses of a game.
fn analyses(game: &dyn Game, schemas: &mut SchemaGenerator) -> Vec<(String, Value)> {
    let title = game.info().title;
    let summary = format!("{title}: the analyses that can be asked for");
    let mut routes =
        vec![("analyses".to_string(), get::<AnalysesAnswer>(schemas, &summary, vec![]))];
    for analysis in asked_for(game) {
        let summary = format!("{title}: {}", analysis.summary().replace(['{', '}'], ""));
        let options = analysis_options(analysis);
        let parameters = options.iter().map(|option| rule(&option.option)).collect();
        let route = format!("analyses/{}", analysis.name());
        routes.push((route, get::<TablesAnswer>(schemas, &summary, parameters)));
    }
    routes
}

/// A path with the method GET.
fn get<T: JsonSchema>(
    schemas: &mut SchemaGenerator,
    summary: &str,
    parameters: Vec<Value>,
) -> Value {
    let mut operation = operation::<T>(schemas, summary);
    operation["parameters"] = parameters.into();
    json!({ "get": operation })
}

/// The method POST.
fn post<T: JsonSchema>(schemas: &mut SchemaGenerator, summary: &str, body: Value) -> Value {
    let mut operation = operation::<T>(schemas, summary);
    operation["requestBody"] = json!({ "required": true, "content": body });
    operation
}

fn operation<T: JsonSchema>(schemas: &mut SchemaGenerator, summary: &str) -> Value {
    let answer = json!({ "application/json": { "schema": schemas.subschema_for::<T>() } });
    let error = json!({ "application/json": { "schema": schemas.subschema_for::<Refusal>() } });
    json!({
        "summary": summary,
        "responses": {
            "200": { "description": "The answer", "content": answer },
            "4XX": { "description": "The request is invalid or beyond a limit", "content": error },
            "5XX": { "description": "No answer, with Retry-After if time was short", "content": error },
        },
    })
}

fn parameter(name: &str, schema: Value, description: &str) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn number(name: &str, default: usize, description: &str) -> Value {
    let schema =
        json!({ "type": "integer", "minimum": 0, "maximum": LONGEST_LINE, "default": default });
    parameter(name, schema, description)
}

fn text(name: &str, description: &str) -> Value {
    parameter(name, json!({ "type": "string", "maxLength": MOST_TEXT }), description)
}

fn place() -> Vec<Value> {
    vec![
        text("position", "The first position; by default, the start of the game"),
        text("moves", "Moves to play from there, separated by spaces or commas"),
    ]
}

fn rules(game: &dyn Game) -> Vec<Value> {
    game.options().iter().map(rule).collect()
}

/// The parameter of an option.
fn rule(option: &RuleOption) -> Value {
    parameter(&option.parameter(), schema(option), option.help)
}

fn schema(option: &RuleOption) -> Value {
    let mut schema = match option.kind {
        OptionKind::Board => json!({ "type": "string", "pattern": "^[0-9]+[xX][0-9]+$" }),
        OptionKind::Truth => json!({ "enum": ["yes", "no"] }),
        OptionKind::Integer { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        OptionKind::Points { .. } => {
            json!({ "type": "string", "pattern": "^-?[0-9]+([./][0-9]+)?$" })
        }
        OptionKind::Choice { values } => json!({ "enum": values }),
        OptionKind::Position | OptionKind::Size | OptionKind::Folder | OptionKind::Tablebase => {
            json!({ "type": "string" })
        }
        OptionKind::Text { form } => json!({ "type": "string", "examples": [form] }),
    };
    if let Some(default) = option.default {
        let number = default.parse::<i64>().ok().filter(|_| schema["type"] == "integer");
        schema["default"] = number.map_or_else(|| default.into(), Value::from);
    }
    schema
}
