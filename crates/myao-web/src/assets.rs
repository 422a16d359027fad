//! Serves style sheets, scripts and the icon, which are compiled in.

use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest as _, Sha256};

use crate::answer::PageError;

const STYLE: &str = include_str!("../assets/style.css");
const KEYS: &str = include_str!("../assets/keys.js");
const SEARCH: &str = include_str!("../assets/search.js");
/// The icon that a browser shows beside the title. Without one, each browser would ask for a file that does not exist.
const ICON: &str = include_str!("../assets/icon.svg");
const ROOM: &str = include_str!("../assets/room.css");
/// What Enter does where messages are written.
const COMPOSER: &str = include_str!("../assets/composer.js");
/// What keeps open what somebody opened.
const OPENED: &str = include_str!("../assets/opened.js");
/// htmx 4.0.1 and its extension for server-sent events, as the npm registry has them (`htmx.org`, 0BSD). They are one
/// file, because htmx sets up the page as soon as it has run: an extension that is loaded later comes too late for
/// that.
const HTMX: &str =
    concat!(include_str!("../assets/htmx.min.js"), "\n", include_str!("../assets/hx-sse.min.js"));
/// Browsers may keep an asset for a year, since its address changes with its contents.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The addresses of the assets that pages refer to.
#[derive(Clone, Debug)]
pub(crate) struct Assets {
    pub(crate) style: String,
    pub(crate) keys: String,
    pub(crate) search: String,
    pub(crate) icon: String,
    pub(crate) room: String,
    pub(crate) composer: String,
    pub(crate) opened: String,
    pub(crate) htmx: String,
}

impl Assets {
    pub(crate) fn new() -> Self {
        let address = |name: &str, contents: &str| {
            let digest = Sha256::digest(contents.as_bytes());
            let version = digest.iter().take(6).fold(0_u64, |version, byte| version << 8 | u64::from(*byte));
            format!("/assets/{name}?v={version:012x}")
        };
        Self {
            style: address("style.css", STYLE),
            keys: address("keys.js", KEYS),
            search: address("search.js", SEARCH),
            icon: address("icon.svg", ICON),
            room: address("room.css", ROOM),
            composer: address("composer.js", COMPOSER),
            opened: address("opened.js", OPENED),
            htmx: address("htmx.min.js", HTMX),
        }
    }
}

/// `/assets/NAME`: one of the files that are compiled in.
pub(crate) async fn serve_by_name(Path(name): Path<String>) -> Result<Response, PageError> {
    let (kind, contents) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", STYLE),
        "room.css" => ("text/css; charset=utf-8", ROOM),
        "icon.svg" => ("image/svg+xml", ICON),
        "keys.js" => ("text/javascript; charset=utf-8", KEYS),
        "search.js" => ("text/javascript; charset=utf-8", SEARCH),
        "composer.js" => ("text/javascript; charset=utf-8", COMPOSER),
        "opened.js" => ("text/javascript; charset=utf-8", OPENED),
        "htmx.min.js" => ("text/javascript; charset=utf-8", HTMX),
        _ => return Err(PageError::NotFound),
    };
    let kind = HeaderValue::from_static(kind);
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], contents).into_response())
}
