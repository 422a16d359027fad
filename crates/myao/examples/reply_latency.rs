//! How long a mention waits for its answer besides the model and the platform: from the moment it is to be stored
//! until the post is made, with both of them instant.
//!
//! `cargo run --release -p myao --example reply_latency -- [MENTIONS] [MESSAGES]`
//! prints the figures for so many mentions, one after the other, in a channel of so many messages.

#![expect(clippy::disallowed_methods, reason = "it measures real time")]

use std::{
    collections::BTreeMap,
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::tz::TimeZone;
use myao::clock::SystemClock;
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    live::{Answering, ArrivalSpans, RepliesAtWork, TypingOrder},
    tools::web::WebTools,
};
use myao_config::Config;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Own, UserId},
    judgment::Attention,
    ports::{Clock, Model},
    text::Language,
    wording::Templates,
};
use myao_store::{Store, Target};
use myao_testkit::{InstantChat, ScriptedModel};
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

fn own() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: [].into(),
        max_message_age_seconds: 3600,
        threads_of_own: false,
    }
}

fn said(user: &str, text: &str, ago_seconds: i64) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts: MessageTs::from_timestamp(SystemClock.now()).plus_seconds(-ago_seconds),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

async fn fill(store: &Store, messages: i64) -> Result<(), Box<dyn Error>> {
    let channel = Channel {
        id: ChannelId::new("C1"),
        name: "general".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    };
    let talk = (0..messages).map(|n| Event::Message(said("U1", "今日の定例は15時からです。", 86_400 + n)));
    let events: Vec<Event> = [Event::Channel(channel)].into_iter().chain(talk).collect();
    for batch in events.chunks(500) {
        store.intake().apply(batch.to_vec(), SystemClock.now()).await?;
    }
    Ok(())
}

fn answering(store: &Store, chat: InstantChat) -> Result<Answering, Box<dyn Error>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let model: Arc<dyn Model> = Arc::new(ScriptedModel::answering(|_| "はい、そうです。"));
    let asker = Asker::new(AskerParts {
        store: store.clone(),
        clock: Arc::clone(&clock),
        models: Models::all(&model),
        zone: TimeZone::UTC,
        daily_tokens: None,
        is_patient: true,
        recording: None,
    });
    Ok(Answering {
        config: Config::default(),
        store: store.clone(),
        clock,
        templates: Arc::new(Templates::new(Language::Ja, &BTreeMap::new())?),
        asker,
        chat: Arc::new(chat),
        lookups: None,
        in_view: Arc::default(),
        attention: own(),
        web: WebTools::new(&Config::default().tools, Language::Ja, Arc::new(SystemClock))?,
        more_tools: Vec::new(),
        typing: TypingOrder::default(),
        at_work: RepliesAtWork::default(),
        arrivals: ArrivalSpans::default(),
        stops: watch::channel(()).1,
        stop: CancellationToken::new(),
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mentions: usize = args.next().map_or(Ok(500), |n| n.parse())?;
    let messages: i64 = args.next().map_or(Ok(1000), |n| n.parse())?;
    let folder = tempfile::tempdir()?;
    let store = Store::open(&Target::Sqlite(folder.path().join("myao.db"))).await?;
    fill(&store, messages).await?;
    let (chat, mut posts) = mpsc::unbounded_channel();
    let chat = InstantChat::new(Arc::new(SystemClock), move || chat.send(Instant::now()).unwrap_or_default());
    let answering = Arc::new(answering(&store, chat)?);
    let stop = answering.stop.clone();
    let bell = Arc::new(Notify::new());
    let work = tokio::spawn({
        let bell = Arc::clone(&bell);
        async move { answering.run(&bell).await }
    });
    let mut took: Vec<Duration> = Vec::with_capacity(mentions);
    for n in 0..mentions {
        // Many people: nobody reaches the cap of an hour.
        let message = said(&format!("U{}", n / 20), "<@UMYAO> 今日の定例は何時？", 0);
        let began = Instant::now();
        store.intake().apply_live(vec![Event::Message(message)], &own(), SystemClock.now()).await?;
        bell.notify_one();
        let posted = posts.recv().await.ok_or("it ended")?;
        took.push(posted.duration_since(began));
        // People do not ask the moment they are answered: what follows the post is over by the next mention.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    work.await?;
    took.sort();
    for (name, percent) in [("p50", 50), ("p90", 90), ("p99", 99), ("most", 100)] {
        let at = (took.len() * percent).div_ceil(100).saturating_sub(1);
        let millis = took.get(at).map_or(0.0, |span| span.as_secs_f64() * 1000.0);
        say(&format!("{name}: {millis:.1} ms"));
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "figures for a person")]
fn say(line: &str) {
    println!("{line}");
}
