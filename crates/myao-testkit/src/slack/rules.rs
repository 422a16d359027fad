//! Slack's rules, and what broke them.

use std::{collections::BTreeSet, fmt};

/// A rule of Slack that a client has to keep (docs.slack.dev). Each rule is checked on every call or frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A method that is called exists.
    KnownMethod,
    /// Bot methods take the bot token, `apps.connections.open` the app-level one.
    TokenKind,
    /// Methods that read take a query or a form, not JSON; a body that is said to be JSON is JSON.
    BodyForm,
    /// All arguments that a method requires are given, and numbers are numbers.
    Arguments,
    /// A page holds at most 999 items.
    PageSize,
    /// After a 429, a method is not called until the time of Retry-After has passed.
    RetryAfter,
    /// A text has at most 40,000 characters (4,000 when it replaces another). Metadata has at most 8,000 bytes.
    Length,
    /// A reply names the root of the thread, not another reply.
    ThreadRoot,
    /// An envelope is acknowledged within 3 s.
    AcknowledgeInTime,
    /// An envelope that is acknowledged was sent, and is acknowledged only once.
    AcknowledgeOnce,
    /// A frame from the client is JSON text with an `envelope_id`, and carries a payload only where the envelope allows
    /// one.
    FrameForm,
    /// Blocks and views keep Slack's limits ([`block_limits`](super::block_limits)).
    BlockLimits,
    /// What answers a submitted view in its acknowledgement is something that Slack can do with it.
    ViewResponse,
    /// A socket URL opens only one socket.
    TicketOnce,
    /// An app has at most 10 sockets.
    SocketCount,
}

/// One breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleBreach {
    /// The rule that was broken.
    pub rule: Rule,
    /// A description of what happened.
    pub what: String,
}

impl fmt::Display for RuleBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.what)
    }
}

/// The breaches so far, and the rules that this test ignores.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) broken: Vec<RuleBreach>,
    tolerated: BTreeSet<Rule>,
}

impl Rules {
    pub(super) fn complain(&mut self, rule: Rule, what: impl Into<String>) {
        if !self.tolerated.contains(&rule) {
            self.broken.push(RuleBreach { rule, what: what.into() });
        }
    }

    /// Ignores breaches of `rule`, past and future.
    pub(super) fn tolerate(&mut self, rule: Rule) {
        self.tolerated.insert(rule);
        self.broken.retain(|violation| violation.rule != rule);
    }

    /// All breaches in one text.
    pub(super) fn told(&self) -> String {
        self.broken.iter().map(RuleBreach::to_string).collect::<Vec<_>>().join("; ")
    }
}
