//! Stores in which language and time zone memories are written, so that no later run changes them unsaid.

use async_recursion::async_recursion as boxed;
use myao_core::text::Language;

use crate::{ArchiveHandle, StoreError, db::query_as};

/// The language and the time zone of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedLocale {
    /// The language of prompts and memories.
    pub language: Language,
    /// The name of the time zone in the tz database: `Europe/London`.
    pub timezone: String,
}

/// What a database knows of its language and time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLocale {
    /// What was noted; `None` if nothing was yet.
    pub noted: Option<NotedLocale>,
    /// Whether anything was ever remembered.
    pub has_memories: bool,
}

impl ArchiveHandle<'_> {
    /// What the database knows of its language and time zone. A note that this version does not understand counts as
    /// none.
    #[boxed]
    pub async fn known_locale(&self) -> Result<KnownLocale, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'locale'")
                .fetch_optional(c).await)?;
        let step: Option<(i64,)> = on!(&mut tx, c => query_as("SELECT id FROM memory_steps WHERE id > 0 LIMIT 1").fetch_optional(c).await)?;
        Ok(KnownLocale {
            noted: row.and_then(|(noted,)| locale_from_row(&noted)),
            has_memories: step.is_some(),
        })
    }

    /// Notes the language and the time zone, in place of what was noted before.
    #[boxed]
    pub async fn note_locale(&self, locale: &NotedLocale) -> Result<(), StoreError> {
        let store = self.store.clone();
        let value = format!("{} {}", locale.language.as_str(), locale.timezone);
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('locale', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE settings.value <> excluded.value")
                .bind(&value).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}

fn locale_from_row(noted: &str) -> Option<NotedLocale> {
    let (language, timezone) = noted.split_once(' ')?;
    Some(NotedLocale { language: language.parse().ok()?, timezone: timezone.to_owned() })
}
