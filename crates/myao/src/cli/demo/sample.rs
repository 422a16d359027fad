//! The two sample workspaces.

use std::path::Path;

use include_dir::{Dir, include_dir};
use jiff::{Timestamp, tz::TimeZone};
use myao_config::{Config, Database};
use myao_core::text::{Language, phrase};
use myao_web::room::{FirstSteps, OfferedQuestion};

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
    /// Questions that are worth asking there: what was decided anew, and what was said in other channels.
    pub(super) questions: [OfferedQuestion; 3],
    /// Something worth remembering, that anybody could say there.
    pub(super) sentence: &'static str,
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
                questions: [
                    OfferedQuestion { ask: "発送はいつからですか？", said_in: None },
                    OfferedQuestion {
                        ask: "久保田さんって何飲んでるんだっけ？", said_in: Some("#general")
                    },
                    OfferedQuestion {
                        ask: "3/10の障害、原因なんだったの？", said_in: Some("#web")
                    },
                ],
                sentence: "決定：新茶の試飲会は4/18(土)の13時から、駅前広場でやります。",
            },
            Language::En => Self {
                language,
                files: &SAMPLE_EN,
                zone: "Europe/London",
                now: "2026-03-23T08:30:00+00:00",
                channel: "#spring-count",
                questions: [
                    OfferedQuestion { ask: "when is the Spring Count now?", said_in: None },
                    OfferedQuestion { ask: "who unplugged Kevin?", said_in: Some("#dev") },
                    OfferedQuestion { ask: "how much is in the biscuit fund?", said_in: Some("#general") },
                ],
                sentence: "Decided: box 41 goes to the old mill on Friday 3 April.",
            },
        }
    }

    /// The strip of first steps, in a workspace that begins after this entry of its journal.
    pub(super) fn first_steps(&self, beginning: i64) -> FirstSteps {
        FirstSteps { questions: self.questions.to_vec(), sentence: Some(self.sentence), beginning }
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
