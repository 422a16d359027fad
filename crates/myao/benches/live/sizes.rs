//! What one message, one prompt, one quiet round and `myao status` cost in a small workspace and in large ones
//! (ADR 38).

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use myao::app::App;
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::{Config, Database};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageKind, MessageTs, Own, Place, UserId},
    judgment::Attention,
    prompt::Fragments,
    wording::PromptTask,
};
use myao_testkit::FakeSlack;

use super::{
    Home, Running,
    fill::{Size, fill},
    tell,
};

/// Channels, messages of each (a multiple of a chapter's 25), people.
pub(super) const SIZES: [Size; 3] = [(10, 100, 20), (1000, 1000, 5000), (10_000, 100, 50_000)];
/// Repetitions of which the one in the middle is told.
const TIMES: usize = 21;
const LIVE: RoundPolicy = RoundPolicy { start: Start::Window, retry_now: false, workspace_now: false };

/// Fills and measures one size.
pub(super) async fn size((channels, each, people): Size) {
    let slack = FakeSlack::setup().with_clock(myao::clock::SystemClock).start().await;
    let home = Home::new(&slack, None);
    open(&home).await.store.close().await;
    fill(&home.path("memory.db"), (channels, each, people), &[]).await;
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
    let mut config = Config::default();
    // A relative path is one of the working directory.
    config.database = Database::Sqlite(home.path("memory.db"));
    App::open(config).await.expect("opened")
}

/// Milliseconds that a message takes to be stored, while it is looked whether it wants an answer.
async fn store(app: &App) -> Duration {
    let own = Own { user: UserId::new("UMYAO"), bot: None };
    let attention =
        Attention { own, bots: BTreeSet::new(), max_message_age_seconds: 86_400, threads_of_own: false };
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
        app.store.intake().apply_live(vec![Event::Message(message)], &attention, now).await.expect("stored");
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
