//! Asks the model of memories for a memory of a small, invented talk, as the keeper would, and judges it by the same
//! guard.

use std::collections::BTreeMap;

use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Message, MessageKind, MessageTs, Names, User, UserId, Visibility,
    },
    context::{ChannelMessages, Context, Persona},
    memory::{Draft, Expectation, MemoryScope, MemoryType, Refusal, Summarizer, accept_response},
    ports::{Request, Response},
    text::{Language, Lexicon},
};

use super::{finding::Finding, models::ModelTrial};

static ENGLISH: Lexicon<(&'static str, &'static str)> = Lexicon::english("check.talk");
static JAPANESE: Lexicon<(&'static str, &'static str)> = Lexicon::japanese("check.talk");
/// When the talk began, in microseconds: 2 March 2026, 09:20 in UTC; and the time between two messages.
const BEGAN: i64 = 1_772_443_200_000_000;
const APART: i64 = 60_000_000;

impl ModelTrial<'_> {
    /// The request for the memory of the invented talk; `None` where the owner's template fails.
    pub(super) fn request_for_memory(&self) -> Option<Request> {
        let talk = match self.language {
            Language::Ja => &JAPANESE,
            Language::En => &ENGLISH,
        };
        let names: Vec<User> = ["ken", "mika", "taro"].map(invented_user).into();
        let channel = Channel {
            id: ChannelId::new("C0CHECK"),
            name: "check".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        };
        let context = Context {
            persona: Persona { name: String::new(), system_prompt: String::new() },
            conversation_history: ChannelMessages::new(channel.clone(), invented_messages(&channel.id, talk)),
            workspace_long_term_memory: None,
            channel_memories: BTreeMap::new(),
            thread_memories: Vec::new(),
            target_thread_ts: None,
            memos: Vec::new(),
        };
        let config = &self.app.config;
        let summarizer = Summarizer {
            templates: self.app.templates(),
            names: &Names::new(&names, [&channel], &Visibility::Owner),
            zone: &config.locale.timezone,
            settings: &config.memory,
            input_budget: usize::try_from(config.prompt.max_tokens).unwrap_or(usize::MAX),
        };
        match summarizer.draft(&context, MemoryScope::Channel, MemoryType::ShortTerm, None) {
            Ok(Draft::Ask(request)) => Some(Request { purpose: "check", ..*request }),
            Ok(Draft::Keep(_) | Draft::Parts(_)) | Err(_) => None,
        }
    }

    /// Notes why a memory of the talk would not be kept.
    pub(super) fn why_memory_refused(&self, request: &Request, response: &Response) -> Option<Finding> {
        let expectation = Expectation {
            language: Some(request.language),
            system: &request.system,
            existing: None,
            target_tokens: request.target_tokens,
            request: Some(request),
            check_collapse: false,
        };
        let refusal = match accept_response(response, &expectation) {
            Ok(_) | Err(Refusal::OnlyThoughts | Refusal::Empty | Refusal::Refused) => return None,
            Err(refusal) => refusal,
        };
        let advice =
            "builtin writes what is refused twice; myao memory try shows what it makes of your own talk";
        Some(Finding::noted(
            &self.subject,
            format!("its memory of a sample would not be kept: {refusal}"),
            advice,
        ))
    }
}

fn invented_user(name: &str) -> User {
    User { id: UserId::new(name), name: name.to_owned(), is_bot: false }
}

fn invented_messages(channel: &ChannelId, talk: &[(&str, &str)]) -> Vec<Message> {
    let message = |(minute, (name, text)): (i64, &(&str, &str))| Message {
        channel: channel.clone(),
        ts: MessageTs::from_micros(BEGAN + minute * APART),
        thread_ts: None,
        user: UserId::new(*name),
        kind: MessageKind::Talk,
        text: (*text).to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    };
    (0..).zip(talk).map(message).collect()
}
