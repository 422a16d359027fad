//! The two sample workspaces.

use std::path::Path;

use include_dir::{Dir, include_dir};
use jiff::{Timestamp, tz::TimeZone};
use myao_config::{Config, Database};
use myao_core::text::{Language, phrase};

use crate::failure::Failure;

static SAMPLE_JA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/ja");
static SAMPLE_EN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/en");

/// What differs between the two samples.
pub(super) struct Sample {
    pub(super) language: Language,
    files: &'static Dir<'static>,
    zone: &'static str,
    now: &'static str,
    /// The channel that the demo shows.
    pub(super) channel: &'static str,
    /// A question that is worth asking there.
    pub(super) question: &'static str,
}

impl Sample {
    pub(super) fn of(language: Language) -> Self {
        match language {
            Language::Ja => Self {
                language,
                files: &SAMPLE_JA,
                zone: "Asia/Tokyo",
                now: "2026-03-23T08:30:00+09:00",
                channel: "#新茶2026",
                question: "@myao 発送はいつからですか？",
            },
            Language::En => Self {
                language,
                files: &SAMPLE_EN,
                zone: "Europe/London",
                now: "2026-03-23T08:30:00+00:00",
                channel: "#spring-count",
                question: "@myao when is the Spring Count now?",
            },
        }
    }

    /// The time at which the demo begins: some hours after the last message.
    pub(super) fn now(&self) -> Result<Timestamp, Failure> {
        Ok(self.now.parse::<Timestamp>().map_err(anyhow::Error::from)?)
    }

    /// Writes the sample as an export into a folder.
    pub(super) fn extract(&self, to: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(to).map_err(anyhow::Error::from)?;
        Ok(self.files.extract(to).map_err(anyhow::Error::from)?)
    }

    /// The configuration of the demo: the defaults, with the language, time zone and persona of the sample.
    pub(super) fn config(&self, database: &Path) -> Result<Config, Failure> {
        let mut config = Config::default();
        config.database = Database::Sqlite(database.to_owned());
        config.locale.language = self.language;
        config.locale.timezone = TimeZone::get(self.zone).map_err(anyhow::Error::from)?;
        phrase(self.language, "demo-persona").clone_into(&mut config.persona.system_prompt);
        Ok(config)
    }
}
