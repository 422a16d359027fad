//! Encodes images for providers in base64, each behind a label with its name, by which the text refers to it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use myao_core::{
    ports::{Image, Request},
    text::{Language, name_as_label, phrase_with},
};
use serde_json::json;

/// The images of a request in order, each as its label, its media type and its content in base64.
pub(super) fn images_with_labels(request: &Request) -> impl Iterator<Item = (String, &'static str, String)> {
    let of = |image: &Image| {
        (label_in_front(image, request.language), image.format.media_type(), content_in_base64(image))
    };
    request.images.iter().map(of)
}

/// An image's content in base64.
pub(super) fn content_in_base64(image: &Image) -> String {
    STANDARD.encode(&image.bytes)
}

/// The label in front of an image.
pub(super) fn label_in_front(image: &Image, language: Language) -> String {
    let name = name_as_label(&image.name);
    phrase_with(language, "talk-image", &json!({ "name": name }))
}
