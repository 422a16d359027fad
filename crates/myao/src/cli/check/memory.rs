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
    text::Language,
};

use super::{Finding, models::ModelTrial};

/// Who speaks in the talk, and what they say: long enough for a model to think about.
const ENGLISH: [(&str, &str); 10] = [
    ("ken", "The pump in hall two failed again this morning, at 07:40."),
    ("mika", "Was it the valve, as in March?"),
    ("ken", "No, the valve is new. The filter was full of sand."),
    ("mika", "Then let us change the filter every two weeks instead of every month."),
    ("taro", "Agreed. I put it into the maintenance plan."),
    ("ken", "Thanks. The spare filters are in the cupboard next to the door."),
    ("mika", "Only three are left. I order twenty today."),
    ("taro", "Please order from Sato again, they delivered within two days."),
    ("ken", "The hall is open again since 09:15."),
    ("mika", "Good. We look at the numbers together on Friday."),
];
const JAPANESE: [(&str, &str); 10] = [
    ("ken", "第二ホールのポンプが今朝7時40分にまた止まりました。"),
    ("mika", "3月のときと同じバルブですか？"),
    ("ken", "いいえ、バルブは新品です。フィルターに砂が詰まっていました。"),
    ("mika", "では、フィルターの交換を月1回から2週間に1回にしましょう。"),
    ("taro", "賛成です。保守計画に入れておきます。"),
    ("ken", "ありがとう。予備のフィルターはドア横の棚にあります。"),
    ("mika", "残り3個です。今日20個注文します。"),
    ("taro", "前回2日で届いたので、また佐藤さんの店に頼んでください。"),
    ("ken", "ホールは9時15分から再開しています。"),
    ("mika", "了解です。金曜日に一緒に数字を見ましょう。"),
];
/// When the talk began, in microseconds: 2 March 2026, 09:20 in UTC; and the time between two messages.
const BEGAN: i64 = 1_772_443_200_000_000;
const APART: i64 = 60_000_000;

impl ModelTrial<'_> {
    /// The request for the memory of the invented talk; `None` where the owner's template fails.
    pub(super) fn request_for_memory(&self) -> Option<Request> {
        let talk = if self.language == Language::Ja { JAPANESE } else { ENGLISH };
        let names: Vec<User> = ["ken", "mika", "taro"].map(invented_user).into();
        let channel = Channel {
            id: ChannelId::new("C0CHECK"),
            name: "check".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        };
        let context = Context {
            persona: Persona { name: String::new(), system_prompt: String::new() },
            conversation_history: ChannelMessages::new(
                channel.clone(),
                invented_messages(&channel.id, &talk),
            ),
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
