//! Databases of any size, filled by SQL as if the talk had been imported and remembered long ago.

use std::path::Path;

use sqlx::{Connection as _, SqliteConnection};

/// Channels, messages of each (a multiple of a chapter's 25), people.
pub(super) type Size = (i64, i64, i64);

/// One statement each, over channels, messages of each and people ($1 to $3). A message comes every ten minutes, until the
/// 22nd of November 2026; each is about one of sixteen things.
const FILL: [&str; 8] = [
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $3 - 1)
     INSERT INTO users (id, name, called, is_bot) SELECT 'U' || i, name, name, 0 FROM (SELECT i,
        substr('AmberBasilCedarDianaEdgarFionaGrantHazelIngerJonasKarinLiselMarcoNaomiOlgasPetraQuinnRobinSofiaTanja',
            i % 20 * 5 + 1, 5) || ' ' || substr('AdamsBakerClarkDavisEvansFlynnGreenHayesIrwinJonesKerryLewisMasonNolan'
            || 'OwensPriceQuirkReeceSmithTylerUsherVossaWoodsXantaYoung', i / 20 * 5 + 1, 5) AS name FROM n)
     WHERE $1 > 0 AND $2 > 0",
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $1 * $2 - 1)
     INSERT INTO messages (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
     SELECT 'C' || (i / $2), 1795300000000000 - ($2 - i % $2) * 600000000 + (i / $2), 0, 'U' || (i * 7919 % $3),
        'talk', 'Number ' || i || ': the ' || CASE i % 16 WHEN 0 THEN 'release' WHEN 1 THEN 'budget' WHEN 2 THEN 'lunch'
            WHEN 3 THEN 'garden' WHEN 4 THEN 'roof' WHEN 5 THEN 'printer' WHEN 6 THEN 'visit' WHEN 7 THEN 'contract'
            WHEN 8 THEN 'camera' WHEN 9 THEN 'picture' WHEN 10 THEN 'survey' WHEN 11 THEN 'server' WHEN 12 THEN 'parcel'
            WHEN 13 THEN 'window' WHEN 14 THEN 'ladder' ELSE 'kettle' END
            || ' is put off until the ' || (i * 31 % 28 + 1) || 'th, since nobody had time to look at it', '[]', 0, 0, 1
     FROM n",
    "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until, memory_from, words_to,
        last_talk, talk_before)
     SELECT channel_id, 'c' || substr(channel_id, 2), 'c' || substr(channel_id, 2), 'public', 0, 0, 1, max(ts),
        min(ts) - 1, 9223372036854775807, max(ts), max(ts) - 86400000000
     FROM messages WHERE $1 + $2 + $3 > 0 GROUP BY channel_id",
    "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold,
        conversation_idle_seconds)
     SELECT m.channel_id, (m.ts - c.memory_from) / 600000000 / 25 + 1,
        CASE WHEN (m.ts - c.memory_from) / 600000000 < 25 THEN c.memory_from ELSE m.ts - 25 * 600000000 END, m.ts,
        'count', 25, 7200
     FROM messages m JOIN channels c ON c.id = m.channel_id
     WHERE (m.ts - c.memory_from) / 600000000 % 25 = 24 AND $1 + $2 + $3 > 0",
    "INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, from_ts, to_ts,
        read_revision, content, source_message_count, source_latest_message_ts, actor, reason, at)
     SELECT 'channel', k.channel_id, 'short_term', k.version, 'summary', 0, k.from_ts, k.to_ts, 1,
        (SELECT group_concat('- ' || date(m.ts / 1000000, 'unixepoch') || ' ' || u.name || ': ' || m.text,
            char(10)) FROM messages m JOIN users u ON u.id = m.user_id WHERE m.channel_id = k.channel_id AND m.ts > k.from_ts
            AND m.ts <= k.to_ts AND m.rowid % 6 = 0),
        25, k.to_ts, 'bench', '', k.to_ts
     FROM chapters k WHERE $1 + $2 + $3 > 0",
    "INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, from_ts, to_ts,
        read_revision, content, source_message_count, source_latest_message_ts, actor, reason, at)
     SELECT 'channel', c.id, 'long_term', 1, 'merge', $2 / 25, NULL, NULL, 0,
        (SELECT group_concat('- ' || date(m.ts / 1000000, 'unixepoch') || ' ' || u.name || ': ' || m.text,
            char(10)) FROM messages m JOIN users u ON u.id = m.user_id WHERE m.channel_id = c.id AND m.rowid % 50 = 1),
        $2, c.last_talk, 'bench', '', c.last_talk
     FROM channels c WHERE $1 + $3 > 0",
    "UPDATE memory_steps SET through_step = (SELECT s.id FROM memory_steps s WHERE s.scope = 'channel'
        AND s.scope_id = memory_steps.scope_id AND s.memory_type = 'short_term' AND s.version = memory_steps.through_version)
     WHERE memory_type = 'long_term' AND $1 + $2 + $3 > 0",
    "INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content, source_message_count,
        source_latest_message_ts, created_at, updated_at)
     SELECT scope, scope_id, memory_type, version, max(id), content, source_message_count, source_latest_message_ts, at,
        at
     FROM memory_steps WHERE $1 + $2 + $3 > 0 GROUP BY scope, scope_id, memory_type, version",
];

/// Fills a new database, and runs `more` statements of the same kind before the heads of memories are noted.
pub(super) async fn fill(database: &Path, (channels, each, people): Size, more: &[&'static str]) {
    let url = format!("sqlite://{}", database.display());
    let mut connection = SqliteConnection::connect(&url).await.expect("the database");
    let (heads, all) = FILL.split_last().expect("statements");
    for statement in all.iter().chain(more).chain([heads]) {
        let query = sqlx::query(*statement).bind(channels).bind(each).bind(people);
        query.execute(&mut connection).await.expect("filled");
    }
    connection.close().await.expect("closed");
}
