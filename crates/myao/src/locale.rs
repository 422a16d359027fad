//! In which language and time zone an installation remembers: as configured, else as its database keeps it, else as the
//! machine has it.
//!
//! A database keeps what its memories were begun in, since a memory of two languages or two zones misleads. So an
//! environment that differs (a cron job, a container, another person's terminal) changes nothing.

use jiff::tz::TimeZone;
use myao_config::{Config, Locale, LocaleSource};
use myao_core::text::Language;
use myao_store::{KnownLocale, NotedLocale};

/// The name of [`TimeZone::UTC`].
const UTC: &str = "UTC";

/// What is new about the language and the zone of a database, and worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocaleNews {
    /// Nothing.
    None,
    /// They were settled just now, for the first time.
    Settled,
    /// The configuration says otherwise than the database, which has memories.
    Changed {
        /// What held until now.
        before: NotedLocale,
    },
}

/// The language and the zone that hold.
pub(crate) fn settle_locale(config: &Config, known: &KnownLocale) -> Locale {
    let noted = known.noted.as_ref();
    let sources = config.locale_sources;
    let language = match (sources.language, noted) {
        // Japanese and UTC were the defaults before databases kept any.
        (LocaleSource::Machine, None) if known.has_memories => Language::Ja,
        (LocaleSource::Given, _) | (LocaleSource::Default | LocaleSource::Machine, None) => {
            config.locale.language
        }
        (LocaleSource::Default | LocaleSource::Machine, Some(noted)) => noted.language,
    };
    let kept = noted.and_then(|noted| TimeZone::get(&noted.timezone).ok());
    let timezone = match (sources.timezone, kept) {
        (LocaleSource::Machine, None) if known.has_memories => TimeZone::UTC,
        (LocaleSource::Given, _) | (LocaleSource::Default | LocaleSource::Machine, None) => {
            config.locale.timezone.clone()
        }
        (LocaleSource::Default | LocaleSource::Machine, Some(kept)) => kept,
    };
    Locale { language, timezone }
}

/// What of the settled locale is new to the database.
pub(crate) fn news_of_locale(settled: &Locale, known: &KnownLocale) -> LocaleNews {
    match &known.noted {
        None => LocaleNews::Settled,
        Some(before) if *before != as_noted(settled) && known.has_memories => {
            LocaleNews::Changed { before: before.clone() }
        }
        Some(_) => LocaleNews::None,
    }
}

/// A locale as a database notes it.
pub(crate) fn as_noted(locale: &Locale) -> NotedLocale {
    let timezone = locale.timezone.iana_name().unwrap_or(UTC).to_owned();
    NotedLocale { language: locale.language, timezone }
}

/// A locale in words: `English, times of Europe/London`.
pub(crate) fn locale_in_words(locale: &NotedLocale) -> String {
    format!("{}, times of {}", language_in_words(locale.language), locale.timezone)
}

/// The name of a language, in English.
pub(crate) const fn language_in_words(language: Language) -> &'static str {
    match language {
        Language::Ja => "Japanese",
        Language::En => "English",
    }
}
