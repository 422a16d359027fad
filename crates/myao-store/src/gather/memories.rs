//! Reads which channels a prompt may show, and the memories of these and of the workspace.

use std::collections::BTreeMap;

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId},
    memory::StepId,
};

use super::{
    request::{ChapterText, GatherRequest},
    room,
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, parse_column, row, signed_size, version_number},
    },
    hearing::visible::VisibilityBinds,
    memory::workspace::workspace_is_open,
};

/// Microseconds of a day. Days are those of UTC.
const DAY: i64 = 86_400_000_000;

/// The memories that a prompt may show, but for the versions of the place's own channel.
pub(super) struct ShownMemories {
    /// The channels, by their last talk, newest first.
    pub(super) ranking: Vec<Channel>,
    pub(super) long_term: BTreeMap<ChannelId, String>,
    /// The journal entries of the long-term memories.
    pub(super) steps: BTreeMap<ChannelId, StepId>,
    pub(super) workspace: Option<(String, StepId)>,
    pub(super) versions: BTreeMap<ChannelId, Vec<ChapterText>>,
}

/// Reads them, as far as a prompt could have room.
pub(super) async fn read_visible_memories(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
) -> Result<ShownMemories, StoreError> {
    let mut shown = Shown::new(seen, request);
    let mut ranking = rank_channels(tx, &shown).await?;
    let rows = long_term(tx, &shown).await?;
    let steps = rows.iter().map(|(id, (_, step))| (id.clone(), *step)).collect();
    let mut long_term = rows.into_iter().map(|(id, (text, _))| (id, text)).collect();
    let has_room = room::drop_channels_without_room(
        &shown.own,
        &mut ranking,
        &mut long_term,
        request.most_tokens,
        request.most_channels,
    );
    shown.most = signed_size(ranking.len().saturating_sub(1));
    let workspace = open_workspace_memory(tx, seen).await?;
    let most_versions = if has_room { request.versions } else { request.versions.min(1) };
    let versions = read_versions(tx, &shown, most_versions).await?;
    Ok(ShownMemories { ranking, long_term, steps, workspace, versions })
}

/// Which channels a prompt may hold something of.
struct Shown {
    own: String,
    /// Since when an open channel has to be known as open.
    open: i64,
    /// The beginning of the day, in microseconds.
    today: i64,
    /// The most other channels.
    most: i64,
    /// The longest silence of another channel, in microseconds.
    recent: i64,
}

impl Shown {
    fn new(seen: &VisibilityBinds, request: &GatherRequest) -> Self {
        let own = seen.own.clone();
        let open = seen.open;
        let recent = request.recent_seconds.saturating_mul(1_000_000);
        let most = signed_size(request.most_channels);
        Self { own, open, today: start_of_day(request.now), most, recent }
    }
}

/// The beginning of the day of an instant, in microseconds.
pub(super) fn start_of_day(now: Timestamp) -> i64 {
    let now = now.as_microsecond();
    now - now.rem_euclid(DAY)
}

/// Ids of the channels that are [`Shown`], and the instant of talk each is ranked by. $1 is the own channel; $2 is
/// since when others have to be known as open; $3 is the beginning of the day; $4 is how many others. What was said
/// today does not count yet: a channel that was spoken in today is ranked by its last talk before that
/// (`channels.talk_before`).
macro_rules! shown {
    () => {
        concat!(
            "(SELECT c.id, CASE WHEN c.last_talk < $3 THEN c.last_talk ELSE c.talk_before END AS at
              FROM channels c WHERE c.id = $1
              UNION ALL
              SELECT o.id, o.at FROM (SELECT e.id, e.at FROM (
                SELECT * FROM (SELECT c.id, c.last_talk AS at FROM channels c
                    WHERE c.last_talk < $3 AND ",
            other_open!(),
            " ORDER BY c.last_talk DESC, c.id LIMIT $4) AS a
                UNION ALL
                SELECT * FROM (SELECT c.id, c.talk_before AS at FROM channels c
                    WHERE c.last_talk / 86400000000 = $3 / 86400000000 AND ",
            other_open!(),
            "
                    ORDER BY c.talk_before DESC, c.id LIMIT $4) AS b) AS e
                ORDER BY e.at DESC, e.id LIMIT $4) AS o)"
        )
    };
}

/// The condition of `visible!` for channels `c` other than the own one.
macro_rules! other_open {
    () => {
        "c.id <> $1 AND $2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0 AND c.opted_out = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at"
    };
}

/// The channels that are [`Shown`], by their last talk, newest first, without those that fell silent long before.
async fn rank_channels(tx: &mut Tx, shown: &Shown) -> Result<Vec<Channel>, StoreError> {
    let rows: Vec<(String, String, String, i64, i64)> = on!(tx, c => query_as(concat!(
        "SELECT c.id, c.name, c.kind, c.external, s.at FROM ", shown!(), " AS s JOIN channels c ON c.id = s.id
         ORDER BY s.at DESC, s.id"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).fetch_all(c).await)?;
    let newest = rows.first().map_or(0, |(.., at)| *at);
    let is_shown = |(id, .., at): &(String, String, String, i64, i64)| {
        *id == shown.own || *at >= newest.saturating_sub(shown.recent)
    };
    let channel = |(id, name, kind, external, _): (String, String, String, i64, i64)| {
        Ok(Channel {
            kind: parse_column(&kind, "channels.kind", &id)?,
            id: ChannelId::new(id),
            name,
            external: external != 0,
        })
    };
    rows.into_iter().filter(is_shown).map(channel).collect()
}

/// `CROSS JOIN`, here and below, makes SQLite begin with the few shown channels rather than with all memories.
async fn long_term(tx: &mut Tx, shown: &Shown) -> Result<BTreeMap<ChannelId, (String, StepId)>, StoreError> {
    let rows: Vec<(String, String, i64)> = on!(tx, c => query_as(concat!(
        "SELECT h.scope_id, h.content, h.step_id FROM ", shown!(), " AS s CROSS JOIN memories h
         WHERE h.scope = 'channel' AND h.scope_id = s.id AND h.memory_type = 'long_term'"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).fetch_all(c).await)?;
    let memory = |(id, content, step): (String, String, i64)| (ChannelId::new(id), (content, StepId(step)));
    Ok(rows.into_iter().map(memory).collect())
}

/// Whether the channel `o` has a long-term memory, which the workspace's may be made from.
macro_rules! remembered {
    () => {
        "EXISTS (SELECT 1 FROM memories l WHERE l.scope = 'channel' AND l.memory_type = 'long_term'
            AND l.scope_id = o.id)"
    };
}

/// The workspace's memory, made of open channels: visible to all who see those, as long as each of them is still known
/// to be open.
pub(super) async fn open_workspace_memory(
    tx: &mut Tx,
    seen: &VisibilityBinds,
) -> Result<Option<(String, StepId)>, StoreError> {
    let row: Option<(String, i64)> = on!(tx, c => query_as(
        concat!("SELECT content, step_id FROM memories
         WHERE scope = 'workspace' AND memory_type = 'long_term' AND $1 < 9223372036854775807
           AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.kind = 'public' AND o.external = 0 AND o.member = 1
                AND o.known_at < $1 AND ", remembered!(), ")
           AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.kind = 'public' AND o.external = 0
                AND o.known_at < o.doubted_at AND ", remembered!(), ")
           AND ", workspace_is_open!()))
        .bind(seen.open).fetch_optional(c).await)?;
    Ok(row.map(|(content, step)| (content, StepId(step))))
}

row! {
    /// A chapter's text, and when what it tells was said.
    pub(super) struct ShortTermRow {
        scope_id: String,
        version: i64,
        content: String,
        first_ts: Option<i64>,
        latest_ts: Option<i64>,
        step_id: i64,
    }
}

/// The columns of [`ShortTermRow`] for a version `h` and its chapter `k`.
macro_rules! version_columns {
    () => {
        "h.scope_id, h.version, h.content,
         (SELECT m.ts FROM messages m WHERE m.channel_id = h.scope_id AND m.ts > k.from_ts
             AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted <> 1 ORDER BY m.ts LIMIT 1) AS first_ts,
         h.source_latest_message_ts AS latest_ts, h.step_id"
    };
}
pub(super) use version_columns;

pub(super) fn chapter_text(row: ShortTermRow) -> (ChannelId, ChapterText) {
    let last = row.latest_ts.and_then(opt_ts);
    let first = row.first_ts.and_then(opt_ts).or(last);
    let text = ChapterText {
        version: version_number(row.version),
        content: row.content,
        period: first.zip(last),
        ends: Vec::new(),
        step: StepId(row.step_id),
    };
    (ChannelId::new(row.scope_id), text)
}

async fn read_versions(
    tx: &mut Tx,
    shown: &Shown,
    limit: usize,
) -> Result<BTreeMap<ChannelId, Vec<ChapterText>>, StoreError> {
    let before = signed_size(limit.saturating_sub(1));
    let rows: Vec<ShortTermRow> = on!(tx, c => query_as(concat!("SELECT ", version_columns!(), "
         FROM ", shown!(), " AS s CROSS JOIN memories h LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
         WHERE h.scope = 'channel' AND h.scope_id = s.id AND h.memory_type = 'short_term' AND h.content <> ''
            AND h.version >= coalesce((SELECT v.version FROM memories v
                WHERE v.scope = 'channel' AND v.scope_id = s.id AND v.memory_type = 'short_term'
                  AND v.content <> '' ORDER BY v.version DESC LIMIT 1 OFFSET $5), 0)
            AND s.id <> $1 AND $6 > 0 ORDER BY h.scope_id, h.version"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).bind(before)
        .bind(signed_size(limit)).fetch_all(c).await)?;
    let mut versions: BTreeMap<ChannelId, Vec<ChapterText>> = BTreeMap::new();
    for (id, text) in rows.into_iter().map(chapter_text) {
        versions.entry(id).or_default().push(text);
    }
    Ok(versions)
}
