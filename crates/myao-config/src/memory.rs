//! Reads `memory.*`: the database, and the settings of the memory engine.

use std::path::PathBuf;

use myao_core::memory::{HistorySettings, MemorySettings};

use super::{secret::Secret, section::Section};

/// The database in which everything is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// `memory.database_path`: one file. A relative path starts at the working directory, as in myao2.
    Sqlite(PathBuf),
    /// `memory.database_url`, `postgres://user:password@host/name`; wins over the path.
    Postgres(Secret),
}

/// The file when none is configured.
const DEFAULT_PATH: &str = "./data/memory.db";
/// The longest time span that is accepted, in seconds: ten years.
const TEN_YEARS: u64 = 315_360_000;

pub(super) fn read_memory_section(section: &mut Section<'_>) -> (Database, MemorySettings) {
    let default = MemorySettings::default();
    let database = read_database(section);
    let settings = MemorySettings {
        long_term_update_interval_seconds: section.whole(
            "long_term_update_interval_seconds",
            default.long_term_update_interval_seconds,
            0..=TEN_YEARS,
        ),
        short_term_window_hours: section.whole(
            "short_term_window_hours",
            default.short_term_window_hours,
            1..=87_600,
        ),
        long_term_summary_max_tokens: section.whole(
            "long_term_summary_max_tokens",
            default.long_term_summary_max_tokens,
            1..=100_000,
        ),
        short_term_summary_max_tokens: section.whole(
            "short_term_summary_max_tokens",
            default.short_term_summary_max_tokens,
            1..=100_000,
        ),
        auxiliary: section.flag("auxiliary", default.auxiliary),
        history: section.section("short_term_history", |section| read_history(section, &default.history)),
    };
    (database, settings)
}

fn read_history(section: &mut Section<'_>, default: &HistorySettings) -> HistorySettings {
    HistorySettings {
        enabled: section.flag("enabled", default.enabled),
        max_history_count: section.whole("max_history_count", default.max_history_count, 0..=1000),
        conversation_idle_seconds: section.whole(
            "conversation_idle_seconds",
            default.conversation_idle_seconds,
            1..=TEN_YEARS,
        ),
        message_threshold: section.whole("message_threshold", default.message_threshold, 1..=100_000),
        verbatim_small: section.flag("verbatim_small", default.verbatim_small),
    }
}

fn read_database(section: &mut Section<'_>) -> Database {
    let url = section.url("database_url", ["postgres", "postgresql"]);
    // A password stands before the host, behind a colon.
    let user = url.as_ref().and_then(|url| url.split_once("://")?.1.rsplit_once('@').map(|(user, _)| user));
    if user.is_some_and(|user| user.contains(':')) {
        section.secret_in("database_url");
    }
    let path = section.text("database_path");
    if section.is_silent_about("database_url") {
        section.require("database_path", "where the SQLite file is kept, as in ./data/memory.db");
    }
    match (url, path) {
        (Some(url), path) => {
            if path.is_some() {
                section.note("database_path", "not used, since database_url is set");
            }
            Database::Postgres(Secret::new(url))
        }
        (None, Some(path)) => Database::Sqlite(path.into()),
        (None, None) => {
            section.note_default("database_path");
            Database::Sqlite(DEFAULT_PATH.into())
        }
    }
}
