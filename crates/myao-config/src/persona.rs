//! Reads `locale.*` and `persona.*`: the persona, its language, its quiet hours.

use jiff::{
    civil::Time,
    tz::{self, TimeZone},
};
use myao_core::{
    context::Persona,
    judgment::QuietHours,
    text::{Language, phrase},
};

use super::section::{Section, most_similar_word};

/// `locale.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    /// The language of prompts and memories. Default Japanese, as in myao2.
    pub language: Language,
    /// The zone of all times shown to people and models, and of days. Default UTC, so that the same database gives the
    /// same prompts on every machine.
    pub timezone: TimeZone,
}

/// Parses `22:00-07:30`.
/// How quiet hours are written.
pub(super) const QUIET_HOURS: &str = "two different times, as in \"22:00-07:30\"";

pub(super) fn parse_hours(text: &str) -> Option<QuietHours> {
    let (from, to) = text.split_once('-')?;
    let time = |text: &str| Time::strptime("%H:%M", text.trim()).ok();
    let from = time(from)?;
    let to = time(to)?;
    (from != to).then_some(QuietHours { from, to })
}

/// How similar a zone's name must be to be suggested; `Japan` is no suggestion for `Jupiter`.
const ALIKE_ZONE: f64 = 0.7;

/// Where the language, or the time zone, of a configuration comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocaleSource {
    /// The file, or the code that made the configuration.
    Given,
    /// The file says nothing about it: Japanese, or UTC.
    Default,
    /// There is no file: the environment and the machine.
    Machine,
}

/// Where both of [`Locale`] come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocaleSources {
    /// Where the language comes from.
    pub language: LocaleSource,
    /// Where the time zone comes from.
    pub timezone: LocaleSource,
}

impl LocaleSources {
    /// Both from the same source.
    pub const fn both(source: LocaleSource) -> Self {
        Self { language: source, timezone: source }
    }
}

/// What of the locale a file says.
pub(super) fn sources_of_locale(section: &Section<'_>) -> LocaleSources {
    let source = |key| if section.is_silent_about(key) { LocaleSource::Default } else { LocaleSource::Given };
    LocaleSources { language: source("language"), timezone: source("timezone") }
}

pub(super) fn read_locale(section: &mut Section<'_>) -> Locale {
    let language = section.word("language", "`ja` or `en`", |text| match text {
        "ja" => Some(Language::Ja),
        "en" => Some(Language::En),
        _ => None,
    });
    for key in ["language", "timezone"] {
        if section.is_silent_about(key) {
            section.note_default(key);
        }
    }
    Locale {
        language: language.unwrap_or(Language::Ja),
        timezone: read_timezone(section).unwrap_or(TimeZone::UTC),
    }
}

fn read_timezone(section: &mut Section<'_>) -> Option<TimeZone> {
    let value = section.given("timezone")?;
    let found = value.as_text().and_then(|text| TimeZone::get(text).ok());
    if found.is_none() {
        let names: Vec<_> = tz::db().available().map(|name| name.to_string()).collect();
        let near = value
            .as_text()
            .and_then(|text| most_similar_word(text, names.iter().map(String::as_str), ALIKE_ZONE));
        let near = near.map(ToOwned::to_owned);
        section.unexpected("timezone", "a zone of the tz database, as in Asia/Tokyo", value, near);
    }
    found
}

pub(super) fn read_persona_section(
    section: &mut Section<'_>,
    language: Language,
) -> (Persona, Option<QuietHours>) {
    if !section.is_present() {
        section.note_default("name");
    }
    section.require("name", "the name people call it by");
    section.require("system_prompt", "who it is, in your words");
    let default = persona_by_default(language);
    let persona = Persona {
        name: section.text("name").unwrap_or(default.name),
        system_prompt: section.text("system_prompt").unwrap_or(default.system_prompt),
    };
    let quiet = section.word("quiet_hours", QUIET_HOURS, parse_hours);
    (persona, quiet)
}

/// The persona that is used when none is configured.
pub(super) fn persona_by_default(language: Language) -> Persona {
    let system_prompt = phrase(language, "persona-by-default");
    Persona { name: "myao".to_owned(), system_prompt: system_prompt.to_owned() }
}
