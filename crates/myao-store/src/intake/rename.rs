//! Gives a channel its new id, which it gets for example when it is shared with another organisation: everything of the
//! channel is renamed in one transaction (design §2).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, ChannelKind, Event, MessageTs};

use super::arrive::{apply_within, delete_within};
use crate::{
    IntakeHandle, StoreError,
    archive::{
        self, EventGrounds, MissingIn, message_columns,
        rows::{MessageRow, message_as_stored},
    },
    db::{Tx, query_as},
    memos, recall,
};

/// Updates of columns that only hold a channel's id, in tables where the new id cannot occur yet.
const COLUMNS: [&str; 13] = [
    "UPDATE messages SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE chapters SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE model_calls SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE verdicts SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE words SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE memo_log SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE forgettings SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE forgetting_messages SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE message_secrets SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE deletions SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE refolds SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE reply_inputs SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE house_word_ends SET channel_id = $2 WHERE channel_id = $1",
];

/// A channel that opted out stays out, and one that a rule is for keeps it, whether it was named by id or by name.
const OPTED_OUT: [&str; 2] = [
    "INSERT INTO opted_out (kind, name, id) SELECT kind, name, $2 FROM opted_out
     WHERE kind IN ('channel', 'place') AND id = $1 ON CONFLICT DO NOTHING",
    "INSERT INTO opted_out (kind, name, id) VALUES ('channel', $1, $2), ('place', $1, $2) ON CONFLICT DO NOTHING",
];

/// A token that names the channel goes on to see it.
const TOKENS: &str =
    "UPDATE agent_tokens SET channels = replace(channels, '\"' || $1 || '\"', '\"' || $2 || '\"')
                      WHERE sees = 'channels'";

/// Renames memos; by then none that was made under the new id shares a name with one of the old channel.
const MEMOS: &str = "UPDATE memos SET channel_id = $2 WHERE channel_id = $1";

/// Of a thread that waits under both ids the row of the old one stays: it was noted first, and looks back farther.
const THREADS_TO_RECHECK: [&str; 2] = [
    "DELETE FROM threads_to_recheck WHERE channel_id = $2 AND EXISTS (
        SELECT 1 FROM threads_to_recheck o WHERE o.channel_id = $1 AND o.root = threads_to_recheck.root)",
    "UPDATE threads_to_recheck SET channel_id = $2 WHERE channel_id = $1",
];

/// The key of an unread event begins with its channel; if the new id has the same event already, that one stays.
const UNREAD: [&str; 2] = [
    "DELETE FROM unread_events WHERE substr(key, 1, length($1) + 1) = $1 || '/' AND EXISTS (
        SELECT 1 FROM unread_events n WHERE n.key = $2 || substr(unread_events.key, length($1) + 1))",
    "UPDATE unread_events SET key = $2 || substr(key, length($1) + 1)
     WHERE substr(key, 1, length($1) + 1) = $1 || '/'",
];

/// From now on revisions are those of the old channel, so every reply that wrote in a memo counts as having read
/// everything that is there.
const MEMOS_HAVE_READ_ALL: [&str; 2] = [
    "UPDATE memos SET read_revision = (SELECT revision FROM channels WHERE id = $2)
     WHERE channel_id = $2 AND channel_id <> $1 AND read_revision IS NOT NULL",
    "UPDATE memo_log SET read_revision = (SELECT revision FROM channels WHERE id = $2)
     WHERE channel_id = $2 AND channel_id <> $1 AND read_revision IS NOT NULL",
];

/// Journal and memories: a channel's scope id is its id; a thread's begins with it (`C1:1.000000`).
const SCOPES: [&str; 6] = [
    "UPDATE memory_steps SET scope_id = $2 WHERE scope = 'channel' AND scope_id = $1",
    "UPDATE memory_steps SET scope_id = $2 || substr(scope_id, length($1) + 1)
     WHERE scope = 'thread' AND substr(scope_id, 1, length($1) + 1) = $1 || ':'",
    "UPDATE memories SET scope_id = $2 WHERE scope = 'channel' AND scope_id = $1",
    "UPDATE memories SET scope_id = $2 || substr(scope_id, length($1) + 1), channel_id = $2
     WHERE scope = 'thread' AND channel_id = $1",
    "UPDATE corrections SET scope_id = $2 || substr(scope_id, length($1) + 1) WHERE channel_id = $1",
    "UPDATE corrections SET channel_id = $2 WHERE channel_id = $1",
];

/// Replies and their triggers, some of which may exist under the new id already: a message is answered once, and a
/// place has one wanted reply. An unasked reply becomes an asked one when one that was asked for joins it.
const REPLIES: [&str; 10] = [
    "UPDATE replies SET latest_ts = 0, not_before = 0,
            cause = (SELECT o.cause FROM replies o
                     WHERE o.channel_id = $1 AND o.thread_ts = replies.thread_ts AND o.state = 'wanted')
     WHERE channel_id = $2 AND state = 'wanted' AND cause = 'judgment' AND EXISTS (SELECT 1 FROM replies o
            WHERE o.channel_id = $1 AND o.thread_ts = replies.thread_ts AND o.state = 'wanted'
              AND o.cause <> 'judgment')",
    "DELETE FROM reply_triggers WHERE channel_id = $1 AND EXISTS (
        SELECT 1 FROM reply_triggers n WHERE n.channel_id = $2 AND n.ts = reply_triggers.ts)",
    "UPDATE reply_triggers SET reply_id = (SELECT n.id FROM replies o JOIN replies n
            ON n.channel_id = $2 AND n.thread_ts = o.thread_ts AND n.state = 'wanted'
            WHERE o.id = reply_triggers.reply_id)
     WHERE channel_id = $1 AND EXISTS (SELECT 1 FROM replies o JOIN replies n
            ON n.channel_id = $2 AND n.thread_ts = o.thread_ts AND n.state = 'wanted'
            WHERE o.id = reply_triggers.reply_id AND o.state = 'wanted')",
    "UPDATE replies SET state = 'skipped', reason = 'it joined the one under the channel''s new id'
     WHERE channel_id = $1 AND state = 'wanted' AND EXISTS (SELECT 1 FROM replies n
            WHERE n.channel_id = $2 AND n.thread_ts = replies.thread_ts AND n.state = 'wanted')",
    "UPDATE reply_triggers SET channel_id = $2 WHERE channel_id = $1",
    "UPDATE replies SET channel_id = $2 WHERE channel_id = $1",
    "DELETE FROM passing_messages WHERE channel_id = $1 AND EXISTS (
        SELECT 1 FROM passing_messages n WHERE n.channel_id = $2 AND n.ts = passing_messages.ts)",
    "UPDATE passing_messages SET channel_id = $2 WHERE channel_id = $1",
    "DELETE FROM reply_votes WHERE channel_id = $1 AND EXISTS (SELECT 1 FROM reply_votes n
        WHERE n.channel_id = $2 AND n.ts = reply_votes.ts AND n.user_id = reply_votes.user_id)",
    "UPDATE reply_votes SET channel_id = $2 WHERE channel_id = $1",
];

/// Setbacks of a channel that a person should see; those that wait for a retry are dropped, as the work is found anew.
const SETBACKS: [&str; 3] = [
    "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged)
     SELECT 'refused:channel:' || $2 || substr(subject, length('refused:channel:' || $1) + 1), attempts,
            retry_at, reason, flagged FROM setbacks
     WHERE substr(subject, 1, length('refused:channel:' || $1 || ':')) = 'refused:channel:' || $1 || ':'
     ON CONFLICT (subject) DO NOTHING",
    "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged)
     SELECT 'refused:thread:' || $2 || substr(subject, length('refused:thread:' || $1) + 1), attempts,
            retry_at, reason, flagged FROM setbacks
     WHERE substr(subject, 1, length('refused:thread:' || $1 || ':')) = 'refused:thread:' || $1 || ':'
     ON CONFLICT (subject) DO NOTHING",
    "DELETE FROM setbacks WHERE subject = 'channel:' || $1
        OR substr(subject, 1, length('refused:channel:' || $1 || ':')) = 'refused:channel:' || $1 || ':'
        OR substr(subject, 1, length('refused:thread:' || $1 || ':')) = 'refused:thread:' || $1 || ':'",
];

impl IntakeHandle<'_> {
    /// Gives a channel its new id in the archive, the chapters, the journal, the memories and everything else.
    /// Processes that work on it lose their claims. Messages that arrived earlier under the new id are taken in by the
    /// usual rules. `false` if no channel has the old id: it was renamed before.
    ///
    /// # Errors
    /// [`StoreError::TwoMemories`] if the new id has memories of its own already.
    #[boxed]
    pub async fn rename_channel_everywhere(
        &self,
        old: &ChannelId,
        new: &ChannelId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let old = old.clone();
        let new = new.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let renamed = old != new && rename_in_transaction(&mut tx, &old, &new, now).await?;
            tx.commit().await?;
            Ok(renamed)
        })
        .await
    }
}

async fn rename_in_transaction(
    tx: &mut Tx,
    old: &ChannelId,
    new: &ChannelId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    // Claims are updated first, as in every commit.
    run_with_both_ids(
        tx,
        "UPDATE claims SET token = token + 1, until = 0
         WHERE subject = 'channel:' || $1 OR subject = 'channel:' || $2
            OR subject = 'place:' || $1 OR subject = 'place:' || $2
            OR substr(subject, 1, length('place:' || $1 || ':')) = 'place:' || $1 || ':'
            OR substr(subject, 1, length('place:' || $2 || ':')) = 'place:' || $2 || ':'",
        old,
        new,
    )
    .await?;
    let there = run_with_both_ids(
        tx,
        "UPDATE channels SET revision = revision + 1, look_at = 0 WHERE id = $1 OR id = $2",
        old,
        new,
    )
    .await?;
    let (stands,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM channels WHERE id = $1")
        .bind(old.as_str()).fetch_one(c).await)?;
    if stands == 0 {
        return Ok(false);
    }
    let early = if there == 2 { make_room(tx, old, new).await? } else { EarlyArrivals::default() };
    run_with_both_ids(
        tx,
        "UPDATE channels SET id = $2, name = CASE WHEN name = $1 THEN $2 ELSE name END,
            called = CASE WHEN name = $1 THEN $2 ELSE called END
         WHERE id = $1",
        old,
        new,
    )
    .await?;
    memos::rename_taken(tx, old, new, now).await?;
    for statement in COLUMNS
        .into_iter()
        .chain(UNREAD)
        .chain(THREADS_TO_RECHECK)
        .chain([MEMOS, TOKENS])
        .chain(SCOPES)
        .chain(REPLIES)
        .chain(SETBACKS)
        .chain(OPTED_OUT)
    {
        run_with_both_ids(tx, statement, old, new).await?;
    }
    apply_within(tx, early.events, false, now).await?;
    for (ts, missing) in early.concluded {
        delete_within(tx, [(new.clone(), ts)], EventGrounds::Missing(missing), now).await?;
    }
    for statement in MEMOS_HAVE_READ_ALL {
        run_with_both_ids(tx, statement, old, new).await?;
    }
    Ok(true)
}

/// What arrived under a channel's new id before the channel was renamed.
#[derive(Default)]
struct EarlyArrivals {
    events: Vec<Event>,
    /// Messages that were taken for deleted.
    concluded: BTreeMap<MessageTs, MissingIn>,
}

/// Takes out what arrived under the new id, so that it can be taken in again once the old channel has that id.
async fn make_room(tx: &mut Tx, old: &ChannelId, new: &ChannelId) -> Result<EarlyArrivals, StoreError> {
    let (memories,): (i64,) = on!(tx, c => query_as(
        "SELECT (SELECT count(*) FROM chapters WHERE channel_id = $1)
              + (SELECT count(*) FROM memory_steps WHERE scope = 'channel' AND scope_id = $1)")
        .bind(new.as_str()).fetch_one(c).await)?;
    if memories > 0 {
        return Err(StoreError::TwoMemories { old: old.to_string(), new: new.to_string() });
    }
    let mut events = Vec::new();
    if let Some(row) =
        archive::find_channel_row(tx, new).await?.filter(|row| row.channel.kind != ChannelKind::Unknown)
    {
        events.push(Event::Channel(row.channel));
    }
    let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 ORDER BY m.ts"))
        .bind(new.as_str()).fetch_all(c).await)?;
    let concluded = archive::concluded_of(tx, new).await?;
    for row in rows {
        let message = message_as_stored(row)?;
        if !concluded.contains_key(&message.ts) {
            events.push(Event::Message(message));
        }
    }
    run_with_both_ids(
        tx,
        "UPDATE channels SET member = 1, gaps_opened = gaps_opened + 1,
            gap_from = CASE WHEN heard_until > 0 THEN heard_until
                       ELSE (SELECT n.gap_from FROM channels n WHERE n.id = $2) END,
            memory_from = coalesce(memory_from, (SELECT n.memory_from FROM channels n WHERE n.id = $2))
         WHERE id = $1 AND member = 0 AND EXISTS (SELECT 1 FROM channels n WHERE n.id = $2 AND n.member = 1)",
        old,
        new,
    )
    .await?;
    recall::drop_channel(tx, new).await?;
    for statement in [
        "DELETE FROM messages WHERE channel_id = $2 AND channel_id <> $1",
        "DELETE FROM words WHERE channel_id = $2 AND channel_id <> $1",
        "DELETE FROM message_secrets WHERE channel_id = $2 AND channel_id <> $1",
        "DELETE FROM deletions WHERE channel_id = $2 AND channel_id <> $1",
        "DELETE FROM house_word_ends WHERE channel_id = $2 AND channel_id <> $1",
        "DELETE FROM channels WHERE id = $2 AND id <> $1",
    ] {
        run_with_both_ids(tx, statement, old, new).await?;
    }
    Ok(EarlyArrivals { events, concluded })
}

async fn run_with_both_ids(
    tx: &mut Tx,
    statement: &'static str,
    old: &ChannelId,
    new: &ChannelId,
) -> Result<u64, StoreError> {
    Ok(on!(tx, c => sqlx::query(statement).bind(old.as_str()).bind(new.as_str())
        .execute(c).await.map(|done| done.rows_affected()))?)
}
