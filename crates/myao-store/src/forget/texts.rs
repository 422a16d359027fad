//! Searches every text of the database besides messages: words of a forgotten message may be in them.

use std::collections::BTreeSet;

use myao_core::{
    forget::SoughtWords,
    memory::{term_key, terms},
};

use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// Rows read in one query.
const PAGE: i64 = 500;

/// What shows that a text was made from something forgotten.
#[derive(Debug, Default)]
pub(super) struct ForgottenMarks {
    /// Terms that nobody says any more.
    pub(super) terms: BTreeSet<i64>,
    /// Words that were looked for.
    pub(super) words: Option<SoughtWords>,
    /// The name of a person of whom everything is forgotten.
    pub(super) name: Option<SoughtWords>,
}

/// The kinds of texts in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextPlace {
    /// The journal.
    Steps,
    /// The ledger's reasons.
    Verdicts,
    /// Memos.
    Memos,
    /// The memo log.
    MemoLog,
    /// The reasons why replies ended.
    Replies,
    /// Parts of replies that are not posted.
    ReplyParts,
    /// The reasons why work failed.
    Setbacks,
    /// Raw copies of events that were not understood.
    Raw,
}

impl TextPlace {
    pub(super) const ALL: [Self; 8] = [
        Self::Steps,
        Self::Verdicts,
        Self::Memos,
        Self::MemoLog,
        Self::Replies,
        Self::ReplyParts,
        Self::Setbacks,
        Self::Raw,
    ];

    /// Whether a forgotten person's name alone is enough to remove a text of this kind. The owner's own notes stay for
    /// them to look at, and so do raw copies of what others said.
    fn heeds_names(self) -> bool {
        !matches!(self, Self::Memos | Self::Raw)
    }
}

impl ForgottenMarks {
    fn mark(&self, text: &str, place: TextPlace) -> bool {
        let says = |words: &Option<SoughtWords>| words.as_ref().is_some_and(|words| words.stand_in(text));
        let holds_term = || terms(text).iter().any(|term| self.terms.contains(&term_key(term)));
        says(&self.words)
            || (place.heeds_names() && says(&self.name))
            || (!self.terms.is_empty() && holds_term())
    }

    /// The keys of the marked texts of a kind.
    pub(super) async fn find(&self, tx: &mut Tx, place: TextPlace) -> Result<Vec<String>, StoreError> {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = page(tx, place, after.as_ref()).await?;
            let Some((last, number, _)) = page.last() else { return Ok(found) };
            after = Some((last.clone(), *number));
            let marked = page.into_iter().filter(|(_, _, text)| self.mark(text, place));
            found.extend(marked.map(|(key, ..)| key));
        }
    }
}

/// The next texts of a kind after `after`: key, number if rows have one, text.
async fn page(
    tx: &mut Tx,
    place: TextPlace,
    after: Option<&(String, i64)>,
) -> Result<Vec<(String, i64, String)>, StoreError> {
    let (key, number) = after.map_or(("", i64::MIN), |(key, number)| (key.as_str(), *number));
    Ok(match place {
        TextPlace::Steps => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, content FROM memory_steps t
             WHERE t.id > $1 AND content <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Verdicts => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, reason FROM verdicts t
             WHERE t.id > $1 AND reason <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::MemoLog => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id,
                    coalesce(name, '') || ' ' || coalesce(old_text, '') || ' ' || coalesce(new_text, '')
             FROM memo_log t WHERE t.id > $1 AND wiped_at IS NULL ORDER BY t.id LIMIT $2")
            .bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Replies => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, reason FROM replies t
             WHERE t.id > $1 AND reason <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::ReplyParts => on!(tx, c => query_as(
            "SELECT CAST(reply_id AS TEXT), reply_id * 1000 + part, text FROM reply_parts
             WHERE reply_id * 1000 + part > $1 AND text <> '' ORDER BY reply_id * 1000 + part LIMIT $2")
            .bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Memos => on!(tx, c => query_as(
            "SELECT id, CAST(0 AS BIGINT), name || ' ' || content || ' ' || tags || ' ' || coalesce(detail, '')
             FROM memos WHERE id > $1 ORDER BY id LIMIT $2").bind(key).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Setbacks => on!(tx, c => query_as(
            "SELECT subject, CAST(0 AS BIGINT), reason FROM setbacks
             WHERE subject > $1 AND reason <> '' ORDER BY subject LIMIT $2").bind(key).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Raw => on!(tx, c => query_as(
            "SELECT key, CAST(0 AS BIGINT), raw FROM unread_events WHERE key > $1 ORDER BY key LIMIT $2")
            .bind(key).bind(PAGE).fetch_all(c).await)?,
    })
}
