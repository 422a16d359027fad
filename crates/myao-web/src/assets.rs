//! The style sheet and the script of the keys, as they are compiled in.

use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest as _, Sha256};

use crate::answer::PageError;

const STYLE: &str = include_str!("../assets/style.css");
const KEYS: &str = include_str!("../assets/keys.js");
/// Addresses change with their contents, so that browsers may keep them.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The addresses of what pages refer to.
#[derive(Clone, Debug)]
pub(crate) struct Assets {
    pub(crate) style: String,
    pub(crate) keys: String,
}

impl Assets {
    pub(crate) fn new() -> Self {
        let address = |name: &str, contents: &str| {
            let digest = Sha256::digest(contents.as_bytes());
            let version: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
            format!("/assets/{name}?v={version}")
        };
        Self { style: address("style.css", STYLE), keys: address("keys.js", KEYS) }
    }
}

/// `/assets/NAME`.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, PageError> {
    let (kind, contents) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", STYLE),
        "keys.js" => ("text/javascript; charset=utf-8", KEYS),
        _ => return Err(PageError::NotFound),
    };
    let kind = HeaderValue::from_static(kind);
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], contents).into_response())
}
