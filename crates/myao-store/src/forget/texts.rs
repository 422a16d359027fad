//! Searches every text of the database besides messages: words of a forgotten message may be in them.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, MessageTs, Own, UserId},
    forget::SoughtWords,
    text::{key_of_term, terms_of_text},
};

use crate::{
    StoreError,
    archive::{rows::files_of_message, team},
    db::{Tx, query_as},
};

/// Rows read in one query.
const PAGE: i64 = 500;

/// What shows that a text was made from something forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct ForgottenMarks {
    /// Terms that nobody says any more, with the instants since which they were said.
    pub(super) terms: BTreeMap<i64, i64>,
    /// Words that were looked for.
    pub(super) words: Option<SoughtWords>,
    /// The names of a person of whom everything is forgotten.
    pub(super) names: Vec<SoughtWords>,
}

/// A text that may have been made from something forgotten.
#[derive(Clone, Debug)]
pub(super) struct SuspectedText {
    pub(super) place: TextPlace,
    /// By which a row of that kind is found.
    pub(super) key: String,
    /// When it was last written, in microseconds.
    pub(super) at: i64,
    /// The telling terms that it holds.
    pub(super) terms: Vec<i64>,
    /// Whether it holds the words that were looked for, or the name.
    pub(super) is_sure: bool,
}

/// The kinds of texts in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextPlace {
    /// The journal, by the number of the entry.
    Steps,
    /// The ledger's reasons, by the number of the verdict.
    Verdicts,
    /// Memos, by id.
    Memos,
    /// The memo log, by the number of the entry.
    MemoLog,
    /// The reasons why replies ended, by the number of the reply.
    Replies,
    /// Parts of replies that are not posted, by the number of the reply.
    ReplyParts,
    /// The reasons why work failed, by what it was.
    Setbacks,
    /// Raw copies of events that were not understood, by their keys.
    Raw,
    /// Our own posts, by `CHANNEL/MICROSECONDS`.
    Posts,
}

impl TextPlace {
    pub(super) const ALL: [Self; 9] = [
        Self::Steps,
        Self::Verdicts,
        Self::Memos,
        Self::MemoLog,
        Self::Replies,
        Self::ReplyParts,
        Self::Setbacks,
        Self::Raw,
        Self::Posts,
    ];

    /// The kind that is searched after this one.
    pub(super) fn next(self) -> Option<Self> {
        let mut rest = Self::ALL.into_iter().skip_while(|place| *place != self);
        rest.nth(1)
    }

    /// Whether a forgotten person's name alone is enough to remove a text of this kind. The owner's own notes stay for
    /// them to look at, and so do raw copies of what others said, and what was answered to others.
    fn heeds_names(self) -> bool {
        !matches!(self, Self::Memos | Self::Raw | Self::Posts)
    }
}

/// The key of one of our posts.
pub(super) fn key_of_post(channel: &ChannelId, ts: MessageTs) -> String {
    format!("{channel}/{}", ts.as_micros())
}

/// The post that a key names.
pub(super) fn post_of_key(key: &str) -> Option<(ChannelId, MessageTs)> {
    let (channel, ts) = key.rsplit_once('/')?;
    Some((ChannelId::new(channel), MessageTs::from_micros(ts.parse().ok()?)))
}

/// A text with where it stands.
#[derive(Clone, Debug)]
pub(super) struct FoundText {
    pub(super) key: String,
    pub(super) text: String,
    at: i64,
    pub(super) cursor: TextCursor,
}

/// Where a search among the texts of a kind goes on: behind this key and number.
pub(super) type TextCursor = (String, i64);

impl ForgottenMarks {
    /// Whether nothing can be found by these marks.
    pub(super) fn are_none(&self) -> bool {
        self.terms.is_empty() && self.words.is_none() && self.names.is_empty()
    }

    fn find_in_text(&self, text: FoundText, place: TextPlace) -> Option<SuspectedText> {
        let says = |words: &SoughtWords| words.stand_in(&text.text);
        let is_sure =
            self.words.as_ref().is_some_and(says) || (place.heeds_names() && self.names.iter().any(says));
        let held = if self.terms.is_empty() { BTreeSet::new() } else { terms_of_text(&text.text) };
        let keys = held.iter().map(|term| key_of_term(term));
        let terms: Vec<i64> = keys.filter(|key| self.terms.contains_key(key)).collect();
        (is_sure || !terms.is_empty()).then_some(SuspectedText {
            place,
            key: text.key,
            at: text.at,
            terms,
            is_sure,
        })
    }

    /// Searches the next texts of a kind.
    pub(super) async fn find_some(
        &self,
        tx: &mut Tx,
        place: TextPlace,
        after: Option<&TextCursor>,
    ) -> Result<SearchedPage, StoreError> {
        let page = next_found_texts(tx, place, after).await?;
        Ok(SearchedPage {
            read: page.len().try_into().unwrap_or(u64::MAX),
            last: page.last().map(|text| text.cursor.clone()),
            marked: page.into_iter().filter_map(|text| self.find_in_text(text, place)).collect(),
        })
    }

    /// Every marked text.
    pub(super) async fn find_all(&self, tx: &mut Tx) -> Result<Vec<SuspectedText>, StoreError> {
        let mut found = Vec::new();
        if self.are_none() {
            return Ok(found);
        }
        for place in TextPlace::ALL {
            let mut after = None;
            loop {
                let page = self.find_some(tx, place, after.as_ref()).await?;
                found.extend(page.marked);
                if page.last.is_none() {
                    break;
                }
                after = page.last;
            }
        }
        Ok(found)
    }
}

/// What came of searching some texts of a kind.
#[derive(Debug)]
pub(super) struct SearchedPage {
    pub(super) marked: Vec<SuspectedText>,
    /// Where the search goes on; `None` when the kind is done.
    pub(super) last: Option<TextCursor>,
    /// How many texts were read.
    pub(super) read: u64,
}

/// Key, number if rows have one, text, when it was written.
type TextRow = (String, i64, String, i64);

/// The next texts of a kind after `after`.
pub(super) async fn next_found_texts(
    tx: &mut Tx,
    place: TextPlace,
    after: Option<&TextCursor>,
) -> Result<Vec<FoundText>, StoreError> {
    let (key, number) = after.map_or(("", i64::MIN), |(key, number)| (key.as_str(), *number));
    let rows: Vec<TextRow> = match place {
        TextPlace::Steps => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, content, t.at FROM memory_steps t
             WHERE t.id > $1 AND content <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Verdicts => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, reason, t.at FROM verdicts t
             WHERE t.id > $1 AND reason <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::MemoLog => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id,
                    coalesce(name, '') || ' ' || coalesce(old_text, '') || ' ' || coalesce(new_text, ''), t.at
             FROM memo_log t WHERE t.id > $1 AND wiped_at IS NULL ORDER BY t.id LIMIT $2")
            .bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Replies => on!(tx, c => query_as(
            "SELECT CAST(t.id AS TEXT), t.id, reason, t.changed_at FROM replies t
             WHERE t.id > $1 AND reason <> '' ORDER BY t.id LIMIT $2").bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::ReplyParts => on!(tx, c => query_as(
            "SELECT CAST(p.reply_id AS TEXT), p.reply_id * 1000 + p.part, p.text, r.changed_at
             FROM reply_parts p JOIN replies r ON r.id = p.reply_id
             WHERE p.reply_id * 1000 + p.part > $1 AND p.text <> '' ORDER BY p.reply_id * 1000 + p.part LIMIT $2")
            .bind(number).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Memos => on!(tx, c => query_as(
            "SELECT id, CAST(0 AS BIGINT), name || ' ' || content || ' ' || tags || ' ' || coalesce(detail, ''),
                    updated_at
             FROM memos WHERE id > $1 ORDER BY id LIMIT $2").bind(key).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Setbacks => on!(tx, c => query_as(
            "SELECT subject, CAST(0 AS BIGINT), reason, CAST($3 AS BIGINT) FROM setbacks
             WHERE subject > $1 AND reason <> '' ORDER BY subject LIMIT $2")
            .bind(key).bind(PAGE).bind(unknown_time()).fetch_all(c).await)?,
        TextPlace::Raw => on!(tx, c => query_as(
            "SELECT key, CAST(0 AS BIGINT), raw, received_at FROM unread_events WHERE key > $1 ORDER BY key LIMIT $2")
            .bind(key).bind(PAGE).fetch_all(c).await)?,
        TextPlace::Posts => return own_posts(tx, key, number).await,
    };
    let found = |(key, number, text, at): TextRow| FoundText { cursor: (key.clone(), number), key, text, at };
    Ok(rows.into_iter().map(found).collect())
}

/// Our next own posts after a channel's instant.
async fn own_posts(tx: &mut Tx, channel: &str, ts: i64) -> Result<Vec<FoundText>, StoreError> {
    let Some(Own { user, bot }) = team::own_identity(&mut *tx).await? else { return Ok(Vec::new()) };
    let bot = bot.unwrap_or_else(|| user.clone());
    let rows: Vec<(String, i64, String, String, i64)> = on!(tx, c => query_as(
        "SELECT m.channel_id, m.ts, m.text, m.files, m.edited_ts FROM messages m
         WHERE (m.channel_id, m.ts) > ($1, $2) AND m.user_id IN ($3, $4) AND m.deleted = 0
         ORDER BY m.channel_id, m.ts LIMIT $5")
        .bind(channel).bind(ts).bind(UserId::as_str(&user)).bind(bot.as_str()).bind(PAGE).fetch_all(c).await)?;
    let post = |(channel, ts, text, attached, edited): (String, i64, String, String, i64)| {
        let mut text = text;
        for file in files_of_message(&attached, &channel, ts)? {
            text.push('\n');
            text.push_str(&file.words());
        }
        let key = key_of_post(&ChannelId::new(channel.as_str()), MessageTs::from_micros(ts));
        Ok(FoundText { key, text, at: ts.max(edited), cursor: (channel, ts) })
    };
    rows.into_iter().map(post).collect()
}

/// The raw copies that [`next_found_texts`] gives after `after`, each with its key.
pub(super) async fn raw_copies(
    tx: &mut Tx,
    after: Option<&TextCursor>,
) -> Result<Vec<(String, String)>, StoreError> {
    let page = next_found_texts(tx, TextPlace::Raw, after).await?;
    Ok(page.into_iter().map(|text| (text.key, text.text)).collect())
}

/// When a text was written of which that is unknown: after everything.
pub(super) const fn unknown_time() -> i64 {
    MessageTs::MAX.as_micros()
}
