//! A crash between any two of T1 to T4, and a second one: no part is posted twice, none is lost, given a platform
//! that tells the truth about what it has.

use jiff::Timestamp;
use myao_core::{chat::MessageTs, context::Place};
use myao_store::{Claim, PartState, ReplyId, Store, WrittenReply};

use super::talk::{arrive, channel_id, draft, in_thread, own, take, thread};
use crate::support::{World, at, on_both, ts};

/// The process is gone.
struct Crash;

/// A platform that keeps what it was given, with the mark it carried.
#[derive(Default)]
struct Platform {
    posts: Vec<(ReplyId, u32, MessageTs)>,
}

/// One life of a process that answers in a place, until it crashes at a given step.
struct Life<'a> {
    store: &'a Store,
    platform: &'a mut Platform,
    place: Place,
    now: Timestamp,
    steps_left: usize,
}

impl Life<'_> {
    fn step(&mut self) -> Result<(), Crash> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Crash)?;
        Ok(())
    }

    async fn live(&mut self) -> Result<(), Crash> {
        let claim = take(self.store, &self.place, self.now).await;
        for reply in self.unfinished().await {
            self.deliver(&claim, reply).await?;
        }
        while let Some(reply) = self.store.wanted_reply(&self.place, self.now).await.expect("read") {
            self.step()?;
            let words = draft(reply.id, &reply.triggers, &["one", "two"]);
            assert!(self.store.write_reply(&claim, words, self.now).await.expect("asked"));
            self.step()?;
            for reply in self.unfinished().await {
                self.deliver(&claim, reply).await?;
            }
        }
        self.store.release(&claim).await.expect("released");
        Ok(())
    }

    async fn unfinished(&self) -> Vec<WrittenReply> {
        let mut replies = self.store.unfinished_replies().await.expect("read");
        replies.retain(|reply| reply.place == self.place);
        replies
    }

    async fn deliver(&mut self, claim: &Claim, reply: WrittenReply) -> Result<(), Crash> {
        for part in reply.parts {
            let found = match part.state {
                PartState::Posted { .. } => continue,
                PartState::Ready { .. } => None,
                PartState::Sending { .. } => {
                    let mut posts = self.platform.posts.iter();
                    posts.find(|(id, number, _)| (*id, *number) == (reply.id, part.part)).map(|(.., ts)| *ts)
                }
            };
            let ts = match found {
                Some(ts) => ts,
                None => self.post(claim, reply.id, part.part).await?,
            };
            let message = myao_core::chat::Message { ts, thread_ts: self.place.thread, ..own(0, "words") };
            self.store.posted(claim, reply.id, part.part, message, self.now).await.expect("noted");
            self.step()?;
        }
        Ok(())
    }

    async fn post(&mut self, claim: &Claim, reply: ReplyId, part: u32) -> Result<MessageTs, Crash> {
        assert!(self.store.sending(claim, reply, part, self.now).await.expect("asked"));
        self.step()?;
        let ts = self.place.thread.expect("a thread").plus_seconds(100 + i64::from(part));
        self.platform.posts.push((reply, part, ts));
        self.step()?;
        Ok(ts)
    }
}

/// Steps of an undisturbed life: the model's answer, T2, and for each of two parts T3, the post and T4.
const STEPS: usize = 8;

on_both! {
    no_crash_posts_twice_or_loses_a_part => async |world: &World| {
        let mut root = 0;
        for first in 0..=STEPS {
            for second in 0..=STEPS {
                root += 1000;
                arrive_in(&world.store, root).await;
                let mut platform = Platform::default();
                let mut crashes = 0;
                // The third life is left in peace.
                for (life, steps_left) in (1_i64..).zip([first, second, usize::MAX]) {
                    let now = at(root + 100 * life);
                    let (store, place) = (&world.store, thread(root));
                    let mut life = Life { store, platform: &mut platform, place, now, steps_left };
                    crashes += usize::from(life.live().await.is_err());
                }
                assert_eq!(crashes > 0, first < STEPS, "it crashed where it was meant to");
                let parts: Vec<u32> = platform.posts.iter().map(|(_, part, _)| *part).collect();
                assert_eq!(parts, [1, 2], "crashes after {first} and {second} steps");
                for part in 1..=2 {
                    let post = world.store.message(&channel_id("C1"), ts(root + 100 + part)).await;
                    assert!(post.expect("read").is_some(), "part {part} is in the archive");
                }
            }
        }
        assert!(world.store.unfinished_replies().await.expect("read").is_empty());
        assert!(world.store.wanted_replies(Timestamp::MAX).await.expect("read").is_empty());
    };
}

async fn arrive_in(store: &Store, root: i64) {
    arrive(store, vec![in_thread(root, root + 1, "<@UMYAO> hi")]).await;
}
