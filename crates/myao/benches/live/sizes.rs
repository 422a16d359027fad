//! What one message, one prompt, one quiet round and `myao status` cost in a small workspace and in large ones
//! (ADR 38). The database is filled by SQL, as if the talk had been imported and remembered long ago.

use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use myao::app::App;
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::{Config, Database};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageKind, MessageTs, Own, UserId},
    context::Place,
    judgment::Attention,
    prompt::{Fragments, PromptTask},
};
use myao_testkit::FakeSlack;
use sqlx::{Connection as _, SqliteConnection};

use super::{Home, Running, tell};

/// Channels, messages of each (a multiple of a chapter's 25), people.
pub(super) const SIZES: [(i64, i64, i64); 3] = [(10, 100, 20), (1000, 1000, 5000), (10_000, 100, 50_000)];
/// Repetitions of which the one in the middle is told.
const TIMES: usize = 21;
const LIVE: RoundPolicy = RoundPolicy { start: Start::Window, retry_now: false, workspace_now: false };

/// One statement each, over `:channels`, `:each` and `:people` ($1 to $3). A message comes every ten minutes, until the
/// 22nd of November 2026.
const FILL: [&str; 6] = [
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $3 - 1)
     INSERT INTO users (id, name, called, is_bot) SELECT 'U' || i, 'Person ' || i, 'Person ' || i, 0 FROM n
     WHERE $1 > 0 AND $2 > 0",
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $1 * $2 - 1)
     INSERT INTO messages (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
     SELECT 'C' || (i / $2), 1795300000000000 - ($2 - i % $2) * 600000000 + (i / $2), 0, 'U' || (i * 7919 % $3),
        'talk', 'message ' || i || ' about the release, the budget and lunch', '[]', 0, 0, 1 FROM n",
    "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until, memory_from, words_to,
        last_talk, talk_before)
     SELECT channel_id, 'c' || substr(channel_id, 2), 'c' || substr(channel_id, 2), 'public', 0, 0, 1, max(ts),
        min(ts) - 1, 9223372036854775807, max(ts), max(ts) - 86400000000
     FROM messages WHERE $1 + $2 + $3 > 0 GROUP BY channel_id",
    "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold,
        conversation_idle_seconds)
     SELECT m.channel_id, (m.ts - c.memory_from) / 600000000 / 25 + 1, m.ts - 24 * 600000000 - 1, m.ts, 'count', 25,
        7200
     FROM messages m JOIN channels c ON c.id = m.channel_id
     WHERE (m.ts - c.memory_from) / 600000000 % 25 = 24 AND $1 + $2 + $3 > 0",
    "INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, from_ts, to_ts,
        read_revision, content, source_message_count, source_latest_message_ts, actor, reason, at)
     SELECT 'channel', channel_id, 'short_term', version, 'summary', 0, from_ts, to_ts, 1,
        replace(hex(zeroblob(40)), '00', 'they spoke of it. '), 25, to_ts, 'bench', '', to_ts
     FROM chapters WHERE $1 + $2 + $3 > 0
     UNION ALL
     SELECT 'channel', channel_id, 'long_term', 1, 'merge', max(version), NULL, NULL, 0,
        replace(hex(zeroblob(100)), '00', 'they remember it. '), $2, max(to_ts), 'bench', '', max(to_ts)
     FROM chapters GROUP BY channel_id",
    "INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content, source_message_count,
        source_latest_message_ts, created_at, updated_at)
     SELECT scope, scope_id, memory_type, version, id, content, source_message_count, source_latest_message_ts, at, at
     FROM memory_steps WHERE $1 + $2 + $3 > 0",
];

/// Fills and measures one size.
pub(super) async fn size((channels, each, people): (i64, i64, i64)) {
    let slack = FakeSlack::setup().with_clock(myao::clock::SystemClock).start().await;
    let home = Home::new(&slack, None);
    open(&home).await.store.close().await;
    fill(&home.path("memory.db"), (channels, each, people)).await;
    let status = median(3, async || drop(home.run(&["status"]))).await;
    let prompt = median(3, async || drop(home.run(&["prompt", "#c7"]))).await;
    let app = open(&home).await;
    let composed = median(TIMES, async || {
        let place = Place { channel: ChannelId::new("C7"), thread: None };
        let place = app.companion().gather(place, 8000, None).await.expect("gathered");
        place.compose(PromptTask::REPLY, Fragments::default(), 8000).expect("composed");
    })
    .await;
    let stored = store(&app).await;
    let keeper = app.keeper().expect("a keeper");
    let began = Instant::now();
    keeper.round(LIVE, &|_| {}).await.expect("a round");
    let first = began.elapsed();
    let quiet = median(TIMES, async || {
        keeper.round(LIVE, &|_| {}).await.expect("a round");
    })
    .await;
    app.store.close().await;
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let rss = running.rss_mb();
    running.stop();
    tell(&format!(
        "sizes: {channels} channels, {} messages, {people} people: a message stored {}, a prompt composed {}, \
         `myao prompt` {}, first round {}, quiet round {}, `myao status` {}, RSS {rss} MB",
        channels * each,
        ms(stored),
        ms(composed),
        ms(prompt),
        ms(first),
        ms(quiet),
        ms(status)
    ));
}

async fn open(home: &Home) -> App {
    let mut config = Config::load_with(None, &home.path(""), |_| None).expect("ours").config;
    // A relative path is one of the working directory.
    config.database = Database::Sqlite(home.path("memory.db"));
    App::open(config).await.expect("opened")
}

async fn fill(database: &Path, (channels, each, people): (i64, i64, i64)) {
    let url = format!("sqlite://{}", database.display());
    let mut connection = SqliteConnection::connect(&url).await.expect("the database");
    for statement in FILL {
        let query = sqlx::query(statement).bind(channels).bind(each).bind(people);
        query.execute(&mut connection).await.expect("filled");
    }
    connection.close().await.expect("closed");
}

/// Milliseconds that a message takes to be stored, while it is looked whether it wants an answer.
async fn store(app: &App) -> Duration {
    let own = Own { user: UserId::new("UMYAO"), bot: None };
    let attention = Attention { own, bots: BTreeSet::new(), max_message_age_seconds: 86_400 };
    let now: Timestamp = app.clock.now();
    let mut second = 0;
    median(TIMES, async || {
        second += 1;
        let message = Message {
            channel: ChannelId::new("C7"),
            ts: MessageTs::from_timestamp(now).plus_seconds(second),
            thread_ts: None,
            user: UserId::new("U3"),
            kind: MessageKind::Talk,
            text: "does anybody know when the release is?".to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        app.store.apply_live(vec![Event::Message(message)], &attention, now).await.expect("stored");
    })
    .await
}

async fn median(times: usize, mut work: impl AsyncFnMut()) -> Duration {
    let mut took = Vec::new();
    for _ in 0..times {
        let began = Instant::now();
        work().await;
        took.push(began.elapsed());
    }
    took.sort();
    took[times / 2]
}

fn ms(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
