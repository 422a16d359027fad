//! Images, as providers take them: in base64, each behind its name, so that a model knows which is which.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use genai::chat::{Binary, ContentPart};
use myao_core::{
    ports::{Image, Request},
    prompt::Language,
};

/// The parts of a message that show the images of a request; none without.
pub(super) fn parts(request: &Request) -> impl Iterator<Item = ContentPart> {
    request.images.iter().flat_map(|image| {
        let media_type = image.format.media_type();
        let binary = Binary::from_base64(media_type, base64(image), None);
        [ContentPart::Text(label(image, request.language)), ContentPart::Binary(binary)]
    })
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
