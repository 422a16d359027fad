//! A friend in the room: when it speaks up, and when it keeps quiet (SPEC §4).

mod failing;
mod manners;
mod night;
mod random;
mod waiting;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao::{
    ask::Models,
    live::{Judging, Look},
};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, UserId},
    context::Place,
    ports::{Form, Model, Request},
    prompt::Templates,
};
use myao_store::{LedgerQuery, VerdictRecord};
use myao_testkit::ScriptedModel;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::replies::{World, attention, soon};

/// A room in which we listen: top level and threads of C1 and C2.
struct Room {
    world: World,
    judge: Arc<ScriptedModel>,
    began: Timestamp,
}

/// The words of a verdict.
fn verdict(speak: bool, confidence: f64, delay: Option<u32>) -> String {
    json!({"should_respond": speak, "reason": "because", "confidence": confidence, "delay_seconds": delay})
        .to_string()
}

/// A judge who always wants to speak up, and a talker who says `here`.
async fn forward() -> Room {
    Room::judged_by(|_| verdict(true, 0.9, None)).await
}

impl Room {
    async fn judged_by(judge: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self::with(Arc::new(ScriptedModel::answering(move |request| {
            assert!(matches!(request.form, Form::Data { name: "verdict", .. }), "{request:?}");
            judge(request)
        })))
        .await
    }

    async fn with(judge: Arc<ScriptedModel>) -> Self {
        let talker: Arc<dyn Model> = Arc::new(ScriptedModel::answering(|_| "here"));
        let models = Models {
            response: Arc::clone(&talker),
            judgment: Arc::clone(&judge) as Arc<dyn Model>,
            memory: talker,
        };
        let mut world = World::with(models).await;
        world.config.locale.timezone = TimeZone::UTC;
        // Exact times are what these tests are about.
        world.config.response.jitter_ratio = 0.0;
        world.config.response.max_message_age_seconds = 43_200;
        world.store.note_own(&attention().own).await.expect("noted");
        let now = MessageTs::from_timestamp(world.now());
        for channel in ["C1", "C2"] {
            world.store.join_channel(&ChannelId::new(channel), now).await.expect("joined");
        }
        for gap in world.store.gaps().await.expect("read") {
            assert!(world.store.close_gap(&gap).await.expect("asked"));
        }
        let began = world.now();
        Self { world, judge, began }
    }

    fn judging(&self) -> Judging {
        let language = self.world.config.locale.language;
        Judging {
            config: self.world.config.clone(),
            manners: self.world.config.manners(7),
            store: self.world.store.clone(),
            clock: Arc::new(self.world.clock.clone()),
            templates: Arc::new(Templates::new(language, &std::collections::BTreeMap::new()).expect("ours")),
            asker: self.world.asker(),
            stop: CancellationToken::new(),
        }
    }

    /// Somebody says something now, at top level or in a thread; no time passes.
    async fn say(&self, who: &str, place: (&str, Option<MessageTs>), text: &str) -> MessageTs {
        let (channel, thread_ts) = place;
        let message = Message { user: UserId::new(who), thread_ts, ..self.world.message(channel, text) };
        let ts = message.ts;
        self.world.hear(vec![Event::Message(message)]).await;
        ts
    }

    /// Lives on for so many seconds: looks whenever something is due, and answers what is wanted.
    async fn live(&self, seconds: i64) {
        let end = self.world.now() + SignedDuration::from_secs(seconds);
        loop {
            let look = self.look().await;
            self.world.settle().await;
            let now = self.world.now();
            let reply = self.world.store.next_reply_at(now).await.expect("read");
            // What opened a reply or judged something may have changed what is next.
            let next =
                if look.judged > 0 { Some(now) } else { [look.next, reply].into_iter().flatten().min() };
            match next {
                Some(next) if next <= end => self.world.clock.set(next.max(now)),
                Some(_) | None => break,
            }
        }
        self.world.clock.set(end.max(self.world.now()));
    }

    async fn look(&self) -> Look {
        soon(Box::pin(self.judging().look()))
            .await
            .expect("the database answers")
            .expect("nobody else judges")
    }

    /// What we posted: (seconds since the beginning, place), in order.
    fn spoke(&self) -> Vec<(i64, Place)> {
        let posts = self.world.chat.posts();
        posts.into_iter().map(|(post, ts)| (self.second(ts.to_timestamp()), post.place)).collect()
    }

    /// The seconds at which we posted.
    fn spoke_at(&self) -> Vec<i64> {
        self.spoke().into_iter().map(|(second, _)| second).collect()
    }

    fn second(&self, instant: Timestamp) -> i64 {
        instant.duration_since(self.began).as_secs()
    }

    /// The ledger, oldest first.
    async fn ledger(&self) -> Vec<VerdictRecord> {
        let all = LedgerQuery { channel: None, since: Timestamp::UNIX_EPOCH, limit: 1000 };
        let mut records = self.world.store.verdicts(&all).await.expect("read");
        records.reverse();
        records
    }

    /// The seconds at which a verdict was given.
    async fn judged_at(&self) -> Vec<i64> {
        self.ledger().await.into_iter().map(|record| self.second(record.at)).collect()
    }
}

fn top(channel: &str) -> (&str, Option<MessageTs>) {
    (channel, None)
}
