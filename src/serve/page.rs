//! The page, with the files that it loads, embedded in the program.

use super::Server;
use super::reply::{Refusal, tag_of};
use super::routes::{no_such_method, no_such_path};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::Embed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, LazyLock};

/// The folder of the page.
#[derive(Embed)]
#[folder = "web/page"]
#[exclude = "*.d.ts"]
struct Files;

/// The colours, which the page shares with charts and the terminal.
#[derive(Embed)]
#[folder = "analyses"]
#[include = "palette.css"]
struct Palette;

/// The definitions of terms.
#[derive(Embed)]
#[folder = "docs"]
#[include = "glossary.md"]
struct Glossary;

/// A file of the page.
struct PageFile {
    content: Bytes,
    /// The content compressed with gzip.
    packed: Bytes,
    kind: HeaderValue,
    tag: HeaderValue,
}

/// The files by their names, compressed once.
static FILES: LazyLock<HashMap<String, PageFile>> = LazyLock::new(|| {
    let all = Files::iter().chain(Palette::iter()).chain(Glossary::iter());
    let file = |name: Cow<'static, str>| {
        let file =
            Files::get(&name).or_else(|| Palette::get(&name)).or_else(|| Glossary::get(&name));
        let file = file.expect("it is listed");
        let kind = match file.metadata.mimetype() {
            text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
            other => other.to_string(),
        };
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&file.data).expect("memory");
        let file = PageFile {
            packed: packed.finish().expect("memory").into(),
            kind: HeaderValue::from_str(&kind).expect("a media type"),
            tag: tag_of(&file.metadata.sha256_hash()),
            content: file.data.into_owned().into(),
        };
        (name.into_owned(), file)
    };
    all.map(file).collect()
});

/// Compresses the files, so that no request waits for that.
pub fn prepare() {
    LazyLock::force(&FILES);
}

/// The page of the games, which is the same under the name of each game, or a file that it loads. A browser
/// gets the page for an unknown name as well, which says that there is no such game.
pub async fn file(
    State(server): State<Arc<Server>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if ![Method::GET, Method::HEAD, Method::POST].contains(&method) {
        let allowed = [(ALLOW, HeaderValue::from_static("GET,HEAD"))];
        return Ok((allowed, no_such_method().await).into_response());
    }
    let path = uri.path();
    let path = path.strip_prefix('/').unwrap_or(path);
    let is_page = path.is_empty() || server.answers.engines.registry.get(path).is_some();
    let path = if is_page { "index.html" } else { path };
    if method == Method::POST {
        return Err(no_such_path(uri).await);
    }
    let (status, file) = match FILES.get(path) {
        Some(file) => (StatusCode::OK, file),
        None if !path.contains(['/', '.']) && accepts_html(&headers) => {
            (StatusCode::NOT_FOUND, &FILES["index.html"])
        }
        None => return Err(no_such_path(uri).await),
    };
    let about = [
        (CONTENT_TYPE, file.kind.clone()),
        (ETAG, file.tag.clone()),
        (VARY, HeaderValue::from_static("accept-encoding")),
    ];
    Ok(if accepts_gzip(&headers) {
        let encoding = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        (status, about, encoding, file.packed.clone()).into_response()
    } else {
        (status, about, file.content.clone()).into_response()
    })
}

/// Whether a client asks for a page, as browsers do.
fn accepts_html(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT)
        .is_some_and(|kinds| kinds.to_str().is_ok_and(|kinds| kinds.contains("text/html")))
}

/// Whether a client accepts content that is compressed with gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = quality.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case("gzip") && quality.is_ok_and(|quality| quality > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_used_where_it_is_accepted() {
        for (accepted, is_gzip) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("deflate, gzip; q=1", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000", false),
            ("gzip;q=x", false),
            ("xgzip", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, accepted.parse().unwrap())]);
            assert_eq!(accepts_gzip(&headers), is_gzip, "{accepted}");
        }
    }
}
