//! A crash between any two of T1 to T4, and a second one: no part is posted twice, none is lost, given a platform
//! that tells the truth about what it has.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::chat::{MessageTs, Place, Visibility};
use myao_store::{
    Claim, PartBody, PartState, ReplyDraft, ReplyId, ReplyPart, Store, WantedReply, WrittenReply,
};

use crate::replies::talk::{arrive, channel_id, draft, in_thread, own, take, thread};
use crate::support::{World, at, on_both, ts};

/// The process is gone.
struct Crash;

/// A platform that keeps what it was given, with the mark it carried.
#[derive(Default)]
struct Platform {
    posts: Vec<(ReplyId, u32, MessageTs)>,
    /// The messages that an emoji of ours stands at.
    reactions: BTreeSet<MessageTs>,
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
        while let Some(reply) = self.store.replies().find_wanted(&self.place, self.now).await.expect("read") {
            self.step()?;
            let words = Self::three_parts(&reply);
            assert!(self.store.replies().write_parts(&claim, words, self.now).await.expect("asked"));
            self.step()?;
            for reply in self.unfinished().await {
                self.deliver(&claim, reply).await?;
            }
        }
        self.store.release(&claim).await.expect("released");
        Ok(())
    }

    /// A post, a reaction and a post.
    fn three_parts(reply: &WantedReply) -> ReplyDraft {
        let post = |text: &str| PartBody::Post(text.to_owned());
        let reaction = PartBody::Reaction { emoji: ":tada:".to_owned(), to: reply.triggers[0] };
        let parts = vec![post("one"), reaction, post("two")];
        ReplyDraft { parts, ..draft(reply.id, &reply.triggers, &[]) }
    }

    async fn unfinished(&self) -> Vec<WrittenReply> {
        let mut replies = self.store.replies().list_unfinished().await.expect("read");
        replies.retain(|reply| reply.place == self.place);
        replies
    }

    async fn deliver(&mut self, claim: &Claim, reply: WrittenReply) -> Result<(), Crash> {
        for ReplyPart { part, state } in reply.parts {
            let (body, may_be_there) = match state {
                PartState::Posted { .. } | PartState::Reacted { .. } | PartState::Withdrawing { .. } => {
                    continue;
                }
                PartState::Ready { body } => (body, false),
                PartState::Sending { body, .. } => (body, true),
            };
            match body {
                PartBody::Post(_) => self.bring_out(claim, reply.id, part, may_be_there).await?,
                PartBody::Reaction { to, .. } => self.react(claim, reply.id, part, to).await?,
            }
        }
        Ok(())
    }

    async fn bring_out(
        &mut self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        may_be_there: bool,
    ) -> Result<(), Crash> {
        let is_it = |(id, number, _): &&(ReplyId, u32, MessageTs)| (*id, *number) == (reply, part);
        let found = self.platform.posts.iter().find(is_it).filter(|_| may_be_there).map(|(.., ts)| *ts);
        let ts = match found {
            Some(ts) => ts,
            None => self.post(claim, reply, part).await?,
        };
        let message = myao_core::chat::Message { ts, thread_ts: self.place.thread, ..own(0, "words") };
        self.store.intake().note_part_posted(claim, reply, part, message, self.now).await.expect("noted");
        self.step()
    }

    /// Added once more, it is what it was.
    async fn react(&mut self, claim: &Claim, reply: ReplyId, part: u32, to: MessageTs) -> Result<(), Crash> {
        assert!(self.store.intake().mark_part_sending(claim, reply, part, self.now).await.expect("asked"));
        self.step()?;
        self.platform.reactions.insert(to);
        self.step()?;
        self.store.replies().note_part_reacted(claim, reply, part, self.now).await.expect("noted");
        self.step()
    }

    async fn post(&mut self, claim: &Claim, reply: ReplyId, part: u32) -> Result<MessageTs, Crash> {
        assert!(self.store.intake().mark_part_sending(claim, reply, part, self.now).await.expect("asked"));
        self.step()?;
        let ts = self.place.thread.expect("a thread").plus_seconds(100 + i64::from(part));
        self.platform.posts.push((reply, part, ts));
        self.step()?;
        Ok(ts)
    }
}

/// Steps of an undisturbed life: the model's answer, T2, and for each of three parts T3, the post and T4.
const STEPS: usize = 11;

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
                    let store = &world.store;
                    let place = thread(root);
                    let mut life = Life { store, platform: &mut platform, place, now, steps_left };
                    crashes += usize::from(life.live().await.is_err());
                }
                assert_eq!(crashes > 0, first < STEPS, "it crashed where it was meant to");
                let parts: Vec<u32> = platform.posts.iter().map(|(_, part, _)| *part).collect();
                assert_eq!(parts, [1, 3], "crashes after {first} and {second} steps");
                assert_eq!(platform.reactions, [ts(root + 1)].into());
                for part in [1, 3] {
                    let post = world.store.archive().message(&Visibility::Owner, &channel_id("C1"), ts(root + 100 + part)).await;
                    assert!(post.expect("read").is_some(), "part {part} is in the archive");
                }
            }
        }
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
        assert!(world.store.replies().list_wanted(Timestamp::MAX).await.expect("read").is_empty());
    };
}

async fn arrive_in(store: &Store, root: i64) {
    arrive(store, vec![in_thread(root, root + 1, "<@UMYAO> hi")]).await;
}
