//! Keeps in which language people want to be answered in private.

use async_recursion::async_recursion as boxed;
use myao_core::{chat::UserId, text::Language};

use crate::{InteractionsHandle, StoreError, db::query_as};

impl InteractionsHandle<'_> {
    /// The language that somebody asked for; `None` if they asked for none.
    #[boxed]
    pub async fn preferred_language(&self, user: &UserId) -> Result<Option<Language>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let found: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT language FROM preferred_languages WHERE user_id = $1")
            .bind(user.as_str()).fetch_optional(c).await)?;
        // A newer version may know more of them.
        Ok(found.and_then(|(language,)| language.parse().ok()))
    }

    /// Notes the language that somebody asks for; `None` takes back what they asked for.
    #[boxed]
    pub async fn prefer_language(&self, user: &UserId, language: Option<Language>) -> Result<(), StoreError> {
        let store = self.store.clone();
        let user = user.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if let Some(language) = language {
                on!(&mut tx, c => sqlx::query(
                    "INSERT INTO preferred_languages (user_id, language) VALUES ($1, $2)
                     ON CONFLICT (user_id) DO UPDATE SET language = excluded.language")
                    .bind(user.as_str()).bind(language.as_str()).execute(c).await.map(drop))?;
            } else {
                on!(&mut tx, c => sqlx::query("DELETE FROM preferred_languages WHERE user_id = $1")
                    .bind(user.as_str()).execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }
}
