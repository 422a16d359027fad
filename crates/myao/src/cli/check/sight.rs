//! Tries whether the model of replies takes images, where `agents.response.vision` says so.

use std::sync::Arc;

use myao_companion::ask::{AskError, CallSubject};
use myao_core::{
    ports::{Image, ImageFormat, ModelError},
    text::Lexicon,
};

use super::{finding::Finding, models::ModelTrial};

/// An orange square of 64 by 64 pixels, as a PNG; some models refuse smaller images.
const ORANGE: [u8; 87] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x40, 0x01, 0x03, 0x00, 0x00, 0x00, 0x90, 0xa7, 0xe3, 0x9d, 0x00,
    0x00, 0x00, 0x03, 0x50, 0x4c, 0x54, 0x45, 0xff, 0x78, 0x00, 0xfe, 0x04, 0xfa, 0xc9, 0x00, 0x00, 0x00,
    0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x18, 0x05, 0xa3, 0x80, 0x7c, 0x00, 0x00, 0x02,
    0x40, 0x00, 0x01, 0xe0, 0x4d, 0x1d, 0x44, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42,
    0x60, 0x82,
];
static WORDS: Lexicon = Lexicon::of_all("check.orange");

impl ModelTrial<'_> {
    /// Shows the model a picture and asks for its colour, which the text does not tell.
    pub(super) async fn try_picture(&self) -> Finding {
        let mut request = self.text_request("Which colour is the square in the image? Answer with one word.");
        let name = "square.png".to_owned();
        let format = ImageFormat::Png;
        request.images = vec![Image { name, format, bytes: Arc::new(ORANGE) }];
        let advice = "use a model that sees, or leave agents.response.vision out";
        let began = self.clock.now();
        match self.asker.ask_as_it_is(&request, CallSubject::default()).await {
            Ok(answer) if WORDS.iter().any(|word| answer.response.text.to_lowercase().contains(word)) => {
                Finding::fine(&self.subject, format!("sees images, within {}", self.time_taken(began)))
            }
            Ok(_) => self.wrong("does not tell what is in an image", advice),
            Err(AskError::Model {
                error: ModelError::Unsupported(why) | ModelError::Rejected(why), ..
            }) => self.wrong(format!("takes no images: {why}"), advice),
            Err(error) => self.failed(&error),
        }
    }
}
