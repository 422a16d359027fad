//! What the app answers to an interaction, by its response URL or in the acknowledgement of a command.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::Value;

use crate::slack::{
    block_limits::{self, LimitBreach, Surface},
    blocks,
    ephemeral::Ephemeral,
    identity,
    interactions::{AnswerEffect, AnsweredBy, InteractionAnswer, InteractionOrigin, InteractionRecord},
    message::{Author, FakeMessage},
    rules::Rule,
    state::WorkspaceState,
};

/// The parts of an answer's body.
struct AnswerBody<'a> {
    text: &'a str,
    blocks: Option<Value>,
    is_public: bool,
    replaces: bool,
    deletes: bool,
    thread_ts: Option<MessageTs>,
}

/// What is wrong with a body.
struct WrongBody {
    /// Slack's code for the refusal.
    code: &'static str,
    rule: Rule,
    what: String,
}

impl WrongBody {
    fn new(code: &'static str, what: impl Into<String>) -> Self {
        Self { code, rule: Rule::Arguments, what: what.into() }
    }
}

impl<'a> AnswerBody<'a> {
    fn read(body: &'a Value) -> Result<Self, WrongBody> {
        let flag = |key: &str| body.get(key).and_then(Value::as_bool).unwrap_or_default();
        let text = body.get("text").and_then(Value::as_str).unwrap_or_default();
        let blocks = body.get("blocks").filter(|blocks| !blocks.is_null());
        if let Some(blocks) = blocks.filter(|blocks| !blocks.is_array()) {
            return Err(WrongBody::new("invalid_blocks", format!("`blocks` are no list: {blocks}")));
        }
        let breaches = blocks.map(|blocks| block_limits::check_blocks(blocks, Surface::Message));
        if let Some(breaches) = breaches.filter(|breaches| !breaches.is_empty()) {
            let what: Vec<String> = breaches.iter().map(LimitBreach::to_string).collect();
            return Err(WrongBody { code: "invalid_blocks", rule: Rule::BlockLimits, what: what.join("; ") });
        }
        let blocks = blocks.filter(|blocks| blocks.as_array().is_some_and(|all| !all.is_empty()));
        let deletes = flag("delete_original");
        if text.trim().is_empty() && blocks.is_none() && !deletes {
            return Err(WrongBody::new("no_text", "an answer has neither text nor blocks"));
        }
        let is_public = match body.get("response_type").and_then(Value::as_str) {
            None | Some("ephemeral") => false,
            Some("in_channel") => true,
            Some(other) => {
                return Err(WrongBody::new("invalid_payload", format!("there is no response_type {other}")));
            }
        };
        let thread_ts = body.get("thread_ts").filter(|ts| !ts.is_null());
        let wrong_ts = || WrongBody::new("invalid_thread_ts", "`thread_ts` of an answer is no time stamp");
        let thread_ts = match thread_ts {
            Some(ts) => Some(ts.as_str().and_then(|ts| ts.parse().ok()).ok_or_else(wrong_ts)?),
            None => None,
        };
        let blocks = blocks.map(blocks::with_ids);
        Ok(Self { text, blocks, is_public, replaces: flag("replace_original"), deletes, thread_ts })
    }
}

impl WorkspaceState {
    /// Takes the answer to a command that its acknowledgement carries.
    pub(super) fn answer_in_acknowledgement(&mut self, index: usize, payload: &Value) {
        // What is wrong with it is noted, and Slack has nobody to tell it to.
        self.answer_interaction(index, payload, AnsweredBy::Acknowledgement).ok();
    }

    /// Takes an answer. `Err` holds the code of the refusal.
    pub(in crate::slack) fn answer_interaction(
        &mut self,
        index: usize,
        body: &Value,
        by: AnsweredBy,
    ) -> Result<(), &'static str> {
        let read = AnswerBody::read(body).map_err(|wrong| {
            self.rules.complain(wrong.rule, wrong.what);
            wrong.code
        })?;
        let Some(record) = self.interactions.get(index) else { return Ok(()) };
        let user = record.user.clone();
        let Some(channel) = record.channel.clone() else { return Ok(()) };
        let original = original_of(record);
        let effect = match original {
            Some(original) if read.deletes => {
                self.delete_original(&original);
                AnswerEffect::Deleted
            }
            None if read.deletes => AnswerEffect::Deleted,
            Some(original) if read.replaces => self.replace_original(&original, &read),
            _ if read.is_public => AnswerEffect::InChannel(self.post_answer(&channel, &read)),
            _ => AnswerEffect::Ephemeral(self.show_answer(channel, user, &read)),
        };
        let at = self.time.now();
        if let Some(record) = self.interactions.all.get_mut(index) {
            record.answers.push(InteractionAnswer { body: body.clone(), by, effect, at });
        }
        Ok(())
    }

    fn delete_original(&mut self, original: &InteractionOrigin) {
        match original {
            InteractionOrigin::Message(channel, ts) => self.delete(channel, *ts),
            InteractionOrigin::Ephemeral(ts) => self.ephemerals.remove(*ts),
        }
    }

    fn replace_original(&mut self, original: &InteractionOrigin, answer: &AnswerBody<'_>) -> AnswerEffect {
        match original {
            InteractionOrigin::Message(channel, ts) => {
                self.change(channel, *ts, |message| {
                    message.text = blocks::escape_as_stored(answer.text);
                    message.blocks.clone_from(&answer.blocks);
                });
                AnswerEffect::Replaced(*ts)
            }
            InteractionOrigin::Ephemeral(ts) => {
                self.ephemerals.replace(*ts, answer.text, answer.blocks.clone());
                AnswerEffect::Replaced(*ts)
            }
        }
    }

    fn post_answer(&mut self, channel: &ChannelId, answer: &AnswerBody<'_>) -> MessageTs {
        let author = Author::User(UserId::new(identity::BOT_USER));
        let ts = self.time.next_ts();
        let mut message = FakeMessage::new(ts, author, &blocks::escape_as_stored(answer.text));
        (message.thread_ts, message.blocks) = (answer.thread_ts, answer.blocks.clone());
        self.post_without_joining(channel, message)
    }

    fn show_answer(&mut self, channel: ChannelId, user: UserId, answer: &AnswerBody<'_>) -> MessageTs {
        let ts = self.time.next_ts();
        self.show_ephemeral(Ephemeral {
            channel,
            user,
            ts,
            thread_ts: answer.thread_ts,
            text: answer.text.to_owned(),
            blocks: answer.blocks.clone(),
            at: self.time.now(),
        });
        ts
    }
}

/// What `replace_original` and `delete_original` mean: where the interaction began, or what its command's URL showed
/// last. A person's own message, on which a shortcut was used, is never it.
fn original_of(record: &InteractionRecord) -> Option<InteractionOrigin> {
    if let Some(origin) = &record.origin {
        return (!record.is("message_action")).then(|| origin.clone());
    }
    let channel = record.channel.as_ref()?;
    record.answers.iter().rev().find_map(|answer| match answer.effect {
        AnswerEffect::Ephemeral(ts) => Some(InteractionOrigin::Ephemeral(ts)),
        AnswerEffect::InChannel(ts) => Some(InteractionOrigin::Message(channel.clone(), ts)),
        AnswerEffect::Replaced(_) | AnswerEffect::Deleted => None,
    })
}
