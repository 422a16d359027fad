//! What a person is asked and told in their own language: the catalogues under `messages/` (ADR 106).

use std::collections::BTreeMap;

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use include_dir::{Dir, include_dir};
use myao_core::text::Language;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/messages");

/// The messages of one language.
pub(super) struct Words {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl Words {
    /// Reads the messages of a language.
    pub(super) fn of(language: Language) -> Self {
        let tag = language.as_str();
        let mut bundle = FluentBundle::new_concurrent(tag.parse().into_iter().collect());
        // Marks around arguments are for scripts of both directions; a terminal may show them.
        bundle.set_use_isolating(false);
        for file in FILES.get_dir(tag).map(Dir::files).into_iter().flatten() {
            let text = file.contents_utf8().unwrap_or_default();
            let (Ok(resource) | Err((resource, _))) = FluentResource::try_new(text.to_owned());
            if let Err(errors) = bundle.add_resource(resource) {
                tracing::error!(file = %file.path().display(), ?errors, "two messages have one key");
            }
        }
        Self { language, bundle }
    }

    /// The language.
    pub(super) const fn language(&self) -> Language {
        self.language
    }

    /// The message `key`, which has no arguments.
    pub(super) fn say(&self, key: &str) -> String {
        self.say_with(key, &[])
    }

    /// The message `key` with its arguments.
    pub(super) fn say_with(&self, key: &str, arguments: &[(&'static str, String)]) -> String {
        let arguments: BTreeMap<&str, FluentValue<'_>> =
            arguments.iter().map(|(name, value)| (*name, value.as_str().into())).collect();
        let arguments: FluentArgs<'_> = arguments.into_iter().collect();
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, "there is no such message");
            return key.to_owned();
        };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a message lacks an argument");
        }
        text
    }
}
