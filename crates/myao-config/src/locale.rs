//! The language and the time zone of whoever is at the terminal: what holds until somebody configures them.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::text::Language;

use super::{Locale, environment_variable};

/// The variables that name a language, the strongest first.
const LANGUAGE_VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];
const SECONDS_OF_AN_HOUR: i32 = 3600;
/// 1 January and 1 July 2026, in seconds of Unix time: a zone with the same offset on both days has no summer time.
const WINTER: i64 = 1_767_225_600;
const SUMMER: i64 = 1_782_864_000;

/// The language of the terminal (`LC_ALL`, `LC_MESSAGES`, `LANG`): Japanese, or else English.
pub fn terminal_language() -> Language {
    language_of(&environment_variable).unwrap_or(Language::En)
}

/// Whether the terminal names a language at all. `C` and `POSIX` name none.
pub fn terminal_names_language() -> bool {
    language_of(&environment_variable).is_some()
}

/// The time zone of whoever is at the terminal: `TZ`, else the machine's (`/etc/localtime`). It always has a name of the
/// tz database, since it is stored by its name: UTC if the machine's has none.
pub fn terminal_zone() -> TimeZone {
    zone_of(&environment_variable)
}

/// The value of `TZ`, if [`terminal_zone`] is UTC in its place.
pub fn terminal_zone_left_out() -> Option<String> {
    zone_left_out(&environment_variable)
}

/// The locale that an environment and this machine have.
pub(super) fn locale_of_machine(env: &dyn Fn(&str) -> Option<String>) -> Locale {
    Locale { language: language_of(env).unwrap_or(Language::En), timezone: zone_of(env) }
}

/// The language that is named; English for one that myao does not speak.
fn language_of(env: &dyn Fn(&str) -> Option<String>) -> Option<Language> {
    let named = LANGUAGE_VARIABLES.into_iter().filter_map(env).find(|value| !value.is_empty())?;
    let tag = named.split(['_', '.', '@', '-']).next().unwrap_or_default().to_ascii_lowercase();
    match tag.as_str() {
        "c" | "posix" => None,
        "ja" => Some(Language::Ja),
        _ => Some(Language::En),
    }
}

fn zone_of(env: &dyn Fn(&str) -> Option<String>) -> TimeZone {
    let zone = match zone_variable(env) {
        Some(value) => zone_of_variable(&value),
        None => TimeZone::try_system().ok().and_then(zone_with_name),
    };
    zone.unwrap_or(TimeZone::UTC)
}

/// What `TZ` says, if anything.
fn zone_variable(env: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    env("TZ").filter(|value| !value.is_empty())
}

/// The zone that a value of `TZ` means; `None` if it has no name in the tz database.
fn zone_of_variable(value: &str) -> Option<TimeZone> {
    let value = value.strip_prefix(':').unwrap_or(value);
    // The path of a zone's file means the zone.
    let name = value.rsplit_once("/zoneinfo/").map_or(value, |(_, name)| name);
    let zone = TimeZone::get(name).or_else(|_e| TimeZone::posix(name)).ok()?;
    zone_with_name(zone)
}

/// The value of `TZ`, if UTC holds in its place: it is no zone, or one without a name in the tz database, as are those
/// with rules of their own for summer time.
pub(super) fn zone_left_out(env: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    zone_variable(env).filter(|value| zone_of_variable(value).is_none())
}

/// The zone, if its name is in the tz database. One of whole hours that never changes has a name there in any case.
fn zone_with_name(zone: TimeZone) -> Option<TimeZone> {
    if zone.iana_name().is_some_and(|name| TimeZone::get(name).is_ok()) {
        return Some(zone);
    }
    let offset = |second| Timestamp::from_second(second).ok().map(|when| zone.to_offset(when).seconds());
    let seconds = offset(WINTER)?;
    if seconds % SECONDS_OF_AN_HOUR != 0 || offset(SUMMER) != Some(seconds) {
        return None;
    }
    let hours = seconds / SECONDS_OF_AN_HOUR;
    // In these names the sign is the other way round.
    TimeZone::get(&format!("Etc/GMT{:+}", -hours)).ok()
}
