//! How many messages a second arrive in an SQLite file, as they do live: small ones in batches over several
//! channels, now and then one that mentions us. Each batch is on the disk before the next one begins.
//!
//! `cargo run --release -p myao-store --example arrival [FOLDER]`: in that folder, else in a temporary one.

#![expect(clippy::disallowed_methods, reason = "it runs in real time")]

use std::{path::PathBuf, time::Instant};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageKind, MessageTs, Own, UserId},
    judgment::Attention,
};
use myao_store::{Store, StoreError, Target};

const MESSAGES: u32 = 20_000;
const CHANNELS: u32 = 20;
/// One in so many mentions us.
const MENTION_EVERY: u32 = 50;

fn message(n: u32) -> Event {
    let words = if n.is_multiple_of(MENTION_EVERY) {
        "<@UMYAO> 明日の準備"
    } else {
        "了解です。あとで見ておきます"
    };
    Event::Message(Message {
        channel: ChannelId::new(format!("C{}", n % CHANNELS)),
        ts: MessageTs::from_timestamp(Timestamp::UNIX_EPOCH).plus_seconds(i64::from(n) + 1),
        thread_ts: None,
        user: UserId::new(format!("U{}", n % 7)),
        kind: MessageKind::Talk,
        text: format!("{words} {n}"),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    })
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
async fn main() -> Result<(), StoreError> {
    let scratch =
        tempfile::tempdir().map_err(|source| StoreError::Path { path: "a folder".into(), source })?;
    let folder = std::env::args().nth(1).map_or_else(|| scratch.path().to_owned(), PathBuf::from);
    let attention = Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: [].into(),
        max_message_age_seconds: u64::MAX,
        threads_of_own: false,
    };
    for size in [1_u32, 10, 100, 400] {
        let store = Store::open(&Target::Sqlite(folder.join(format!("arrival-{size}.db")))).await?;
        // A batch of one is a write to the disk for each: fewer of them tell as much.
        let messages = MESSAGES.min(size * 500);
        let begun = Instant::now();
        let mut next = 0;
        let mut places = 0;
        while next < messages {
            let batch = (next..messages.min(next + size)).map(message).collect();
            places += store.intake().apply_live(batch, &attention, Timestamp::UNIX_EPOCH).await?.places.len();
            next += size;
        }
        let took = begun.elapsed();
        println!(
            "batches of {size:>3}: {messages:>6} messages, {places:>3} places woken, {:>7.0} messages/s",
            f64::from(messages) / took.as_secs_f64()
        );
        store.close().await;
    }
    Ok(())
}
