//! Decides which messages want an answer of us (specification §4, design §5).

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::reply_cause::Cause;
use crate::chat::{ChannelKind, Message, MessageTs, Own, Place, UserId};

/// Whom we listen to, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Who we are.
    pub own: Own,
    /// Bots that are answered like people; other bots are never answered.
    pub bots: BTreeSet<UserId>,
    /// The age in seconds beyond which a message is not answered (`response.max_message_age_seconds`).
    pub max_message_age_seconds: u64,
    /// Whether what is said in a direct message at top level is answered in a thread of its own (ADR 128).
    pub threads_of_own: bool,
}

/// What a message wants of us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing.
    None,
    /// An answer, but the message is too old to be answered.
    TooOld(Cause),
    /// An answer.
    Reply(Cause),
}

impl Attention {
    /// What `message`, as it stands now, wants of us. In a direct message everything that is said to us wants an
    /// answer. Elsewhere, where several people talk or the kind of the channel is not known yet, only what mentions us
    /// does. The age of a message counts from when it was posted: an edit does not make an old message a new one.
    pub fn wish(&self, message: &Message, kind: ChannelKind, author_is_bot: bool, now: Timestamp) -> Wish {
        let is_heard = !author_is_bot || self.answers_bot(&message.user);
        if !message.is_talk() || self.own.is(&message.user) || !is_heard {
            return Wish::None;
        }
        let cause = match kind {
            ChannelKind::Dm => Cause::Dm,
            ChannelKind::Public | ChannelKind::Private | ChannelKind::GroupDm | ChannelKind::Unknown => {
                if !self.is_mentioned(&message.text) {
                    return Wish::None;
                }
                Cause::Mention
            }
        };
        if message.ts < self.oldest(now) { Wish::TooOld(cause) } else { Wish::Reply(cause) }
    }

    /// Whether `user` is a bot that is answered like a person, under whatever name it posts.
    pub fn answers_bot(&self, user: &UserId) -> bool {
        self.bots.contains(user) || user.through().is_some_and(|bot| self.bots.contains(&bot))
    }

    /// Whether a text, in the core's notation, mentions us.
    pub fn is_mentioned(&self, text: &str) -> bool {
        text.contains(&format!("<@{}>", self.own.user))
    }

    /// The oldest time stamp that is still answered.
    pub fn oldest(&self, now: Timestamp) -> MessageTs {
        let seconds = i64::try_from(self.max_message_age_seconds).unwrap_or(i64::MAX);
        MessageTs::from_timestamp(now).plus_seconds(seconds.saturating_neg())
    }

    /// Where a message is answered: in its thread, or at top level when it was said there (specification §4; the
    /// predecessor did the same). Where direct messages have threads of their own, each at top level is the root of one.
    pub fn place(&self, message: &Message, cause: Cause) -> Place {
        let own_root = (self.threads_of_own && cause == Cause::Dm).then_some(message.ts);
        Place { channel: message.channel.clone(), thread: message.thread_ts.or(own_root) }
    }
}
