//! Checks the images of requests, as every server does.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use myao_core::ports::ImageFormat;
use serde_json::Value;

/// The longest image in base64: Anthropic's limit, the lowest of all.
const MOST_CHARS: usize = 5 << 20;

/// Checks that this is an image in base64, of the declared media type.
pub(super) fn check_base64_data(data: Option<&Value>, media_type: Option<&str>) -> Result<(), String> {
    let data = data.and_then(Value::as_str).ok_or("an image without data")?;
    if data.len() > MOST_CHARS {
        return Err(format!("image exceeds 5 MB maximum: {} bytes", data.len()));
    }
    let bytes = STANDARD.decode(data).map_err(|e| format!("illegal base64 data: {e}"))?;
    let format = ImageFormat::of(&bytes).ok_or("could not process image: unknown format")?;
    match media_type {
        Some(told) if told != format.media_type() => {
            Err(format!("the image was said to be {told}, and is {}", format.media_type()))
        }
        _ => Ok(()),
    }
}

/// Checks a `data:` URL.
pub(super) fn check_url(url: Option<&Value>) -> Result<(), String> {
    let url = url.and_then(Value::as_str).ok_or("image_url without a url")?;
    let rest = url.strip_prefix("data:").ok_or("this server fetches no images")?;
    let (media_type, data) = rest.split_once(";base64,").ok_or("a data url that is not in base64")?;
    check_base64_data(Some(&Value::String(data.to_owned())), Some(media_type))
}
