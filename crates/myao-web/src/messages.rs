//! What people read on the pages, by language: the catalogues under `messages/` (ADR 106).
//!
//! A folder for each language, named by its tag; in it a file for each page or topic, in Project Fluent's syntax. The
//! catalogues are embedded and read once.

use std::{collections::HashMap, sync::LazyLock};

use fluent_bundle::{FluentArgs, FluentError, FluentResource, FluentValue, concurrent::FluentBundle};
use include_dir::{Dir, include_dir};
use maud::{Markup, PreEscaped, Render as _};
use myao_core::text::Language;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/messages");
static CATALOGUES: LazyLock<Vec<Catalogue>> = LazyLock::new(|| {
    let mut catalogues: Vec<Catalogue> = FILES.dirs().map(Catalogue::read).collect();
    catalogues.sort_by_key(Catalogue::tag);
    catalogues
});
/// The catalogue of a language that has no folder: every message shows as its key.
static NOTHING: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(&NO_FOLDER));
static NO_FOLDER: Dir<'_> = Dir::new("", &[]);

/// The first of the characters that stand for the markup of a message until it is put in. No message holds one of these
/// characters: they are Unicode's noncharacters.
const FIRST_MARK: u32 = 0xFDD0;
/// How many such characters there are, and so the most pieces of markup in a message.
const MOST_MARKS: usize = 32;

/// The messages of one language.
pub(crate) struct Catalogue {
    /// The tag of the language: `en`.
    tag: &'static str,
    /// The messages without arguments.
    plain: HashMap<&'static str, String>,
    /// All messages.
    bundle: FluentBundle<FluentResource>,
}

/// What stands for an argument of a message that has markup in it.
pub(crate) enum Part {
    /// A number, shown without grouping; it may also choose between singular and plural.
    Number(u64),
    /// Markup, or text that is escaped already.
    Markup(Markup),
}

/// Reads the catalogues, so that nobody has to wait for that.
pub(crate) fn read_ahead() {
    LazyLock::force(&CATALOGUES);
}

impl Catalogue {
    /// The messages of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        let tag = language.as_str();
        CATALOGUES.iter().find(|catalogue| catalogue.tag == tag).unwrap_or_else(|| &NOTHING)
    }

    /// The messages of every language, by the language's tag.
    pub(crate) fn all() -> &'static [Self] {
        &CATALOGUES
    }

    fn read(folder: &'static Dir<'static>) -> Self {
        let tag = folder.path().to_str().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(tag.parse().into_iter().collect());
        // Marks around arguments are for scripts of both directions; ours would only be in the way of comparisons.
        bundle.set_use_isolating(false);
        let mut keys = Vec::new();
        for file in folder.files() {
            let text = file.contents_utf8().unwrap_or_default();
            keys.extend(text.lines().filter_map(key_of));
            // What was understood of a file is used; the tests refuse a file that is not understood as a whole.
            let (Ok(resource) | Err((resource, _))) = FluentResource::try_new(text.to_owned());
            if let Err(errors) = bundle.add_resource(resource) {
                tracing::error!(file = %file.path().display(), ?errors, "two messages have one key");
            }
        }
        let plain =
            keys.into_iter().filter_map(|key| Some((key, without_arguments(&bundle, key)?))).collect();
        Self { tag, plain, bundle }
    }

    /// The tag of the language: `en`.
    pub(crate) const fn tag(&self) -> &'static str {
        self.tag
    }

    /// The message `key`, which has no arguments.
    pub(crate) fn say(&'static self, key: &'static str) -> &'static str {
        if let Some(text) = self.plain.get(key) {
            return text;
        }
        tracing::error!(key, language = self.tag, "there is no such message without arguments");
        key
    }

    /// The message `key` with its arguments. A number among them may also choose between singular and plural.
    pub(crate) fn say_with(
        &self,
        key: &'static str,
        arguments: &[(&'static str, FluentValue<'_>)],
    ) -> String {
        let arguments: FluentArgs<'_> = arguments.iter().cloned().collect();
        self.formatted(key, &arguments)
    }

    /// The message `key` with its arguments, some of which are markup. The message itself is escaped.
    pub(crate) fn markup_with(&self, key: &'static str, arguments: &[(&'static str, Part)]) -> Markup {
        let mut marks = (FIRST_MARK..).filter_map(char::from_u32).take(MOST_MARKS);
        let mut put_in: Vec<(char, &str)> = Vec::new();
        let mut values = FluentArgs::new();
        for (name, part) in arguments {
            match part {
                Part::Number(number) => values.set(*name, *number),
                Part::Markup(PreEscaped(markup)) => {
                    let Some(mark) = marks.next() else { break };
                    put_in.push((mark, markup));
                    values.set(*name, mark.to_string());
                }
            }
        }
        let PreEscaped(escaped) = self.formatted(key, &values).render();
        let mut page = String::with_capacity(escaped.len());
        for letter in escaped.chars() {
            match put_in.iter().find(|(mark, _)| *mark == letter) {
                Some((_, markup)) => page.push_str(markup),
                None => page.push(letter),
            }
        }
        PreEscaped(page)
    }

    fn formatted(&self, key: &'static str, arguments: &FluentArgs<'_>) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, language = self.tag, "there is no such message");
            return key.to_owned();
        };
        let mut errors: Vec<FluentError> = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(arguments), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, language = self.tag, ?errors, "a message lacks an argument");
        }
        text
    }
}

/// The key that a line of a catalogue begins a message with.
fn key_of(line: &'static str) -> Option<&'static str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim_end();
    let is_key = key.starts_with(|first: char| first.is_ascii_lowercase());
    (is_key && !key.contains(' ')).then_some(key)
}

fn without_arguments(bundle: &FluentBundle<FluentResource>, key: &str) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, None, &mut errors).into_owned();
    errors.is_empty().then_some(text)
}

impl From<Markup> for Part {
    fn from(markup: Markup) -> Self {
        Self::Markup(markup)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::Markup(text.render())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Markup(text.render())
    }
}

impl From<u64> for Part {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Part {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Part {
    fn from(number: usize) -> Self {
        Self::Number(number.try_into().unwrap_or(u64::MAX))
    }
}
