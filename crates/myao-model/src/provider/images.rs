//! Images, as providers take them: in base64, each behind its name, so that a model knows which is which.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use myao_core::{
    ports::{Image, Request},
    prompt::Language,
};

/// The images of a request, in order: what stands in front of each, its media type, its bytes.
pub(super) fn shown(request: &Request) -> impl Iterator<Item = (String, &'static str, String)> {
    let of = |image: &Image| (label(image, request.language), image.format.media_type(), base64(image));
    request.images.iter().map(of)
}

/// One image's bytes.
pub(super) fn base64(image: &Image) -> String {
    STANDARD.encode(&image.bytes)
}

/// Which image follows.
pub(super) fn label(image: &Image, language: Language) -> String {
    let name = myao_core::prompt::label(&image.name);
    match language {
        Language::Ja => format!("[画像: {name}]"),
        Language::En => format!("[image: {name}]"),
    }
}
