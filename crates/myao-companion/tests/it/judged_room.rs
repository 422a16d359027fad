//! A room in which we listen, and a judge that says when we speak up.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::Models,
    live::{Judging, JudgingPass},
};
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Place, UserId, Visibility},
    ports::{Model, Request, ResponseFormat},
    wording::Templates,
};
use myao_store::{FirstSight, LedgerQuery, VerdictRecord};
use myao_testkit::ScriptedModel;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::reply_world::{World, attention, soon};

/// A room in which we listen: top level and threads of C1 and C2.
pub(crate) struct Room {
    pub(crate) world: World,
    pub(crate) judge: Arc<ScriptedModel>,
    pub(crate) began: Timestamp,
}

/// The words of a verdict.
pub(crate) fn verdict(speak: bool, confidence: f64, delay: Option<u32>) -> String {
    says(speak, "because", confidence, delay)
}

/// The same for a reason of its own.
pub(crate) fn says(speak: bool, reason: &str, confidence: f64, delay: Option<u32>) -> String {
    json!({"should_respond": speak, "reason": reason, "confidence": confidence, "delay_seconds": delay})
        .to_string()
}

/// A judge who always wants to speak up, and a talker who says `here`.
pub(crate) async fn forward() -> Room {
    Room::judged_by(|_| verdict(true, 0.9, None)).await
}

impl Room {
    pub(crate) async fn judged_by(judge: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self::with(Arc::new(ScriptedModel::answering(move |request| {
            assert!(matches!(request.form, ResponseFormat::Data { name: "verdict", .. }), "{request:?}");
            judge(request)
        })))
        .await
    }

    pub(crate) async fn with(judge: Arc<ScriptedModel>) -> Self {
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
        world.store.recall().note_own(&attention().own).await.expect("noted");
        let began = world.now();
        let room = Self { world, judge, began };
        room.listen(&["C1", "C2"]).await;
        room
    }

    /// Joins channels and misses nothing there from now on.
    pub(crate) async fn listen(&self, channels: &[&str]) {
        let now = MessageTs::from_timestamp(self.world.now());
        for channel in channels {
            self.world
                .store
                .hearing()
                .join_channel(&ChannelId::new(*channel), FirstSight::since(now))
                .await
                .expect("joined");
        }
        for gap in self.world.store.hearing().gaps().await.expect("read") {
            assert!(self.world.store.hearing().close_filled_gap(&gap).await.expect("asked"));
        }
    }

    pub(crate) fn judging(&self) -> Judging {
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
    pub(crate) async fn say(&self, who: &str, place: (&str, Option<MessageTs>), text: &str) -> MessageTs {
        let (channel, thread_ts) = place;
        let message = Message { user: UserId::new(who), thread_ts, ..self.world.message(channel, text) };
        let ts = message.ts;
        self.world.hear(vec![Event::Message(message)]).await;
        ts
    }

    /// Lives on for so many seconds: looks whenever something is due, and answers what is wanted.
    pub(crate) async fn live(&self, seconds: i64) {
        let end = self.world.now() + SignedDuration::from_secs(seconds);
        loop {
            let look = self.look().await;
            let was_due =
                !self.world.store.replies().list_wanted(self.world.now()).await.expect("read").is_empty();
            self.world.settle().await;
            let now = self.world.now();
            let reply = self.world.store.replies().to_act_on(now).await.expect("read").next;
            // What judged something, or gave a reply or skipped it, may have changed what is next.
            let next = if look.judged > 0 || was_due {
                Some(now)
            } else {
                [look.next, reply].into_iter().flatten().min()
            };
            match next {
                Some(next) if next <= end => self.world.clock.set(next.max(now)),
                Some(_) | None => break,
            }
        }
        self.world.clock.set(end.max(self.world.now()));
    }

    pub(crate) async fn look(&self) -> JudgingPass {
        soon(Box::pin(self.judging().look()))
            .await
            .expect("the database answers")
            .expect("nobody else judges")
    }

    /// What we posted: (seconds since the beginning, place), in order.
    pub(crate) fn spoke(&self) -> Vec<(i64, Place)> {
        let posts = self.world.chat.posts();
        posts.into_iter().map(|(post, ts)| (self.second(ts.to_timestamp()), post.place)).collect()
    }

    /// The seconds at which we posted.
    pub(crate) fn spoke_at(&self) -> Vec<i64> {
        self.spoke().into_iter().map(|(second, _)| second).collect()
    }

    pub(crate) fn second(&self, instant: Timestamp) -> i64 {
        instant.duration_since(self.began).as_secs()
    }

    /// The ledger, oldest first.
    pub(crate) async fn ledger(&self) -> Vec<VerdictRecord> {
        let all = LedgerQuery { channel: None, since: Timestamp::UNIX_EPOCH, limit: 1000 };
        let mut records =
            self.world.store.replies().list_verdicts(&Visibility::Owner, &all).await.expect("read");
        records.reverse();
        records
    }

    /// The seconds at which a verdict was given.
    pub(crate) async fn judged_at(&self) -> Vec<i64> {
        self.ledger().await.into_iter().map(|record| self.second(record.at)).collect()
    }
}

pub(crate) fn top(channel: &str) -> (&str, Option<MessageTs>) {
    (channel, None)
}
