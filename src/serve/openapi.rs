//! The description of the API as OpenAPI 3.1, derived from the routes and the types.

use super::reply::Refusal;
use bsq_api::requests::{
    Body, MOST_TEXT, Post, Route, SchemaOf, Target, analysis_options, asked_for, routes,
};
use bsq_api::{Game, OptionKind, Registry, RuleOption, command};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The document for the games of a registry.
pub fn document(registry: &Registry) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    // All keys of an answer are present; those of a request may be left out.
    let mut requests = settings.clone().for_deserialize().into_generator();
    let mut schemas = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    let mut add = |path: String, item: Value| paths.insert(format!("/api/{path}"), item);
    for route in routes().iter().filter(|route| matches!(route.target, Target::Games)) {
        let get = get(route, sentence(route.summary), &route.options, &mut schemas);
        add(route.path.to_string(), json!({ "get": get }));
    }
    for game in registry.games() {
        let about = |text: &str| format!("{}: {text}", game.info().title);
        for route in routes() {
            let path = route.path.replace("{game}", &game.info().name);
            match route.target {
                Target::Games => {}
                Target::Analysis => {
                    for analysis in asked_for(game) {
                        let summary = about(&analysis.summary().replace(['{', '}'], ""));
                        let options = analysis_options(analysis);
                        let get = get(route, summary, &options, &mut schemas);
                        add(path.replace("{name}", analysis.name()), json!({ "get": get }));
                    }
                }
                Target::Analyses | Target::Position(_) => {
                    let options = [rules(route, game), &route.options].concat();
                    let summary = about(route.summary);
                    let mut item = json!({ "get": get(route, summary, &options, &mut schemas) });
                    if let Some(body) = &route.post {
                        item["post"] =
                            post(body, about(&body.summary), &mut requests, &mut schemas);
                    }
                    add(path, item);
                }
            }
        }
    }
    let mut definitions = schemas.take_definitions(true);
    definitions.extend(requests.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": command::program().name,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact values of positions of small two-player games. A score is the \
                first player's points minus the second player's.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": definitions },
    })
}

/// The options of the rules, where they are parameters.
fn rules<'a>(route: &Route, game: &'a dyn Game) -> &'a [RuleOption] {
    match route.target {
        Target::Position(_) => game.options(),
        Target::Games | Target::Analyses | Target::Analysis => &[],
    }
}

/// The text with a capital letter at the beginning.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// The GET operation of a route.
fn get(
    route: &Route,
    summary: String,
    options: &[RuleOption],
    schemas: &mut SchemaGenerator,
) -> Value {
    let mut operation = operation(route.reply, summary, schemas);
    operation["parameters"] = options.iter().map(parameter).collect();
    operation
}

/// The POST operation of a route.
fn post(
    post: &Post,
    summary: String,
    requests: &mut SchemaGenerator,
    schemas: &mut SchemaGenerator,
) -> Value {
    let media_type = match post.body {
        Body::Batch => "application/json",
        Body::Record => "text/plain",
    };
    let content = json!({ media_type: { "schema": (post.schema)(requests) } });
    let mut operation = operation(post.reply, summary, schemas);
    operation["requestBody"] = json!({ "required": true, "content": content });
    operation
}

fn operation(reply: SchemaOf, summary: String, schemas: &mut SchemaGenerator) -> Value {
    let answer = json!({ "application/json": { "schema": reply(schemas) } });
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

/// The parameter of an option.
fn parameter(option: &RuleOption) -> Value {
    json!({
        "name": option.parameter(),
        "in": "query",
        "description": option.help,
        "schema": schema(option),
    })
}

fn schema(option: &RuleOption) -> Value {
    let mut schema = match &option.kind {
        OptionKind::Board => json!({ "type": "string", "pattern": "^[0-9]+[xX][0-9]+(:.+)?$" }),
        OptionKind::Truth => json!({ "enum": ["yes", "no"] }),
        OptionKind::Integer { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        OptionKind::Seed => json!({ "type": "integer", "minimum": 0 }),
        OptionKind::Points { .. } => {
            json!({ "type": "string", "pattern": "^-?[0-9]+([./][0-9]+)?$" })
        }
        OptionKind::Choice { values } => json!({ "enum": values }),
        OptionKind::Position | OptionKind::Moves => {
            json!({ "type": "string", "maxLength": MOST_TEXT })
        }
        OptionKind::Size | OptionKind::Folder | OptionKind::Tablebase => {
            json!({ "type": "string" })
        }
        OptionKind::Text { form } => {
            json!({ "type": "string", "maxLength": MOST_TEXT, "examples": [form] })
        }
    };
    if let Some(default) = &option.default {
        let number = default.parse::<i64>().ok().filter(|_| schema["type"] == "integer");
        schema["default"] = number.map_or_else(|| default.as_ref().into(), Value::from);
    }
    schema
}
