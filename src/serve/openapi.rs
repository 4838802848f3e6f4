//! The description of the API as OpenAPI 3.1, derived from the registry and the types.

use super::parameters::{Batch, LONGEST_LINE, MOST_TEXT};
use super::reply::Refusal;
use super::routes::{Answers, Games, Loaded, MOST_POSITIONS, Record, Variation};
use bsq_api::{Answer, Game, OptionKind, Registry, RuleOption};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The document for the games of a registry.
pub fn document(registry: &Registry) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|it| it.definitions_path = "/components/schemas".into());
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    let games = of::<Games>(&mut schemas);
    let mut add = |path: String, item: Value| drop(paths.insert(path, item));
    add(
        "/api/games".into(),
        json!({ "get": operation("The games", &[], None, games, &mut schemas) }),
    );
    for game in registry.games() {
        let mut describe = |route: &str, item: Value| {
            add(format!("/api/{}/{route}", game.info().name), item);
        };
        let title = game.info().title;
        let answer = of::<Answer>(&mut schemas);
        let batch = of::<Answers>(&mut schemas);
        let questions = json!({ "application/json": { "schema": of::<Batch>(&mut schemas) } });
        describe(
            "position",
            json!({
                "get": operation(
                    &format!("{title}: a position with the values of its moves"),
                    &[rules(game), place(), values()].concat(), None, answer, &mut schemas,
                ),
                "post": operation(
                    &format!("{title}: at most {MOST_POSITIONS} positions under the same rules"),
                    &[], Some(questions), batch, &mut schemas,
                ),
            }),
        );
        let variation = of::<Variation>(&mut schemas);
        describe(
            "line",
            json!({ "get": operation(
            &format!("{title}: the principal variation of a position"),
            &[rules(game), place(), vec![number("limit", 100, "The most moves")]].concat(),
            None, variation, &mut schemas,
        ) }),
        );
        let (record, loaded) = (of::<Record>(&mut schemas), of::<Loaded>(&mut schemas));
        let text = json!({ "text/plain": { "schema": { "type": "string" } } });
        describe(
            "record",
            json!({
                "get": operation(
                    &format!("{title}: the record of a game"),
                    &[rules(game), place()].concat(), None, record, &mut schemas,
                ),
                "post": operation(
                    &format!("{title}: the rules and moves of a record"), &[], Some(text), loaded, &mut schemas,
                ),
            }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "bsq",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact values of positions of small two-player games. A score is the \
                first player's points minus the second player's.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "paths": paths,
        "components": { "schemas": schemas.take_definitions(true) },
    })
}

/// A reference to the schema of a type.
fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    schemas.subschema_for::<T>().to_value()
}

fn operation(
    summary: &str,
    parameters: &[Value],
    body: Option<Value>,
    answer: Value,
    schemas: &mut SchemaGenerator,
) -> Value {
    let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
    let refusal = content(&of::<Refusal>(schemas));
    let mut operation = json!({
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "The answer", "content": content(&answer) },
            "4XX": { "description": "The request is invalid, or beyond a limit", "content": refusal },
            "5XX": {
                "description": "No answer, with Retry-After if it was not found in time",
                "content": refusal,
            },
        },
    });
    if let Some(body) = body {
        operation["requestBody"] = json!({ "required": true, "content": body });
    }
    operation
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

fn values() -> Vec<Value> {
    let schema = json!({ "enum": ["yes", "value", "no"], "default": "yes" });
    vec![
        parameter("values", schema, "Values: of every move, of the position, or none"),
        number("line", 0, "The most moves of the principal variation; 0 for none"),
    ]
}

fn rules(game: &dyn Game) -> Vec<Value> {
    game.options()
        .iter()
        .map(|option| parameter(&option.parameter(), schema(option), option.help))
        .collect()
}

fn schema(option: &RuleOption) -> Value {
    let mut schema = match option.kind {
        OptionKind::Board => json!({ "type": "string", "pattern": "^[0-9]+[xX][0-9]+$" }),
        OptionKind::Truth => json!({ "enum": ["yes", "no"] }),
        OptionKind::Integer { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        OptionKind::Choice(words) => json!({ "enum": words }),
        OptionKind::Text(form) => json!({ "type": "string", "examples": [form] }),
    };
    if let Some(default) = option.default {
        let number = default.parse::<i64>().ok().filter(|_| schema["type"] == "integer");
        schema["default"] = number.map_or_else(|| default.into(), Value::from);
    }
    schema
}
