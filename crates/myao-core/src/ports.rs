//! The traits that the other crates implement for the core (`Clock`, `Model`, `Chat`), and the values that pass through
//! them.

mod image;
mod recording;
mod talk_line;
mod thought;

use std::pin::Pin;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use image::{Image, ImageFormat};
pub use recording::{ImageNote, RecordedOutcome, Recording};
pub use talk_line::{FoundIn, TalkLine};
pub use thought::Thought;

use crate::{
    chat::{ChannelId, FileRef, MessageTs},
    context::Place,
    prompt::Language,
};

/// A future that owns what it needs, or borrows it for `'a`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The clock behind every tick, backoff and spacing. Tests move it by hand.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> Timestamp;
    /// Returns once `now() >= instant`.
    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()>;
    /// An instant on a clock that nobody sets: it showed the same as [`Clock::now`] when the process began, and runs on
    /// evenly while the other is set. For waits that are kept as instants; it is stored nowhere and shown to nobody.
    fn steady(&self) -> Timestamp {
        self.now()
    }
    /// Returns once `steady() >= instant`.
    fn sleep_until_steady(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = instant.duration_since(self.steady());
        self.sleep_until(self.now().saturating_add(wait).unwrap_or(Timestamp::MAX))
    }
}

/// A language model: text in, text out.
pub trait Model: Send + Sync {
    /// The longest that one call may take; zero for one that takes no time to speak of.
    fn time_limit(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
    /// The `provider/model` it is recorded under; [`BUILTIN`] for the one that needs no provider.
    fn id(&self) -> &str;
    /// How many tokens the answer may have at most; they are reserved for it. It is twice the target
    /// (specification §2.2), unless the model's own settings say otherwise, plus what the request adds.
    fn output_limit(&self, request: &Request) -> u32 {
        request.target_tokens.saturating_mul(2).saturating_add(request.extra_tokens)
    }
    /// Makes one call, without trying again.
    ///
    /// # Errors
    /// Any [`ModelError`].
    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>>;
}

/// A chat platform, as far as replies go: where they are posted and found again (design §5).
pub trait Chat: Send + Sync {
    /// Turns a reply in Markdown into the platform's own text, cut at paragraphs into posts of a length it takes.
    /// Whatever the text holds, nobody is notified by it, and nothing becomes markup that was not meant as such.
    fn parts(&self, text: &str) -> Vec<String>;
    /// Posts one part, and returns the time stamp it got.
    fn post<'a>(&'a self, post: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>>;
    /// The post of ours in `place` that carries this mark and is no older than `since`; `None` if the place was read to
    /// its end and the post is not there.
    fn find<'a>(
        &'a self,
        place: &'a Place,
        mark: &'a PostMark,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>>;
    /// Deletes a post of ours. It may be gone already; that is no error.
    fn take_back<'a>(&'a self, channel: &'a ChannelId, ts: MessageTs)
    -> BoxFuture<'a, Result<(), PostError>>;
    /// The emoji of a reply that consists of one emoji, as the platform writes it in a post; `None` for any other
    /// reply.
    fn emoji(&self, text: &str) -> Option<String>;
    /// Adds a reaction to a message. Adding it again changes nothing, so that after a crash it is simply repeated.
    fn react<'a>(&'a self, reaction: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>>;
    /// A post that turned out to be too long, as shorter ones of at most so many characters each. A platform that takes
    /// what [`Chat::parts`] gives never asks for it.
    fn shorter(&self, post: &str, _most_chars: usize) -> Vec<String> {
        vec![post.to_owned()]
    }
    /// Fetches the whole of a shared image ([`FileRef::image_url`]).
    fn image<'a>(&'a self, file: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>>;
    /// Shows or stops showing that a reply is being written, where the platform can. Failures are ignored.
    fn show_typing<'a>(&'a self, place: &'a Place, shown: bool) -> BoxFuture<'a, ()>;
}

/// One part of a reply, ready to go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// Where it goes.
    pub place: Place,
    /// The platform's text ([`Chat::parts`]).
    pub text: String,
    /// The mark by which the post is found again.
    pub mark: PostMark,
}

/// An emoji to add to a message, instead of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Where the message is.
    pub channel: ChannelId,
    /// The message.
    pub to: MessageTs,
    /// The emoji, as [`Chat::emoji`] gives it: posted as a text it shows the same emoji.
    pub emoji: String,
}

/// The outcome of a reaction that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionOutcome {
    /// The message has the reaction, from now or from before.
    There,
    /// The message is gone.
    NoMessage,
}

/// What a post of ours carries besides its text, so that it can be found after a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostMark {
    /// The id of the reply's record.
    pub reply: i64,
    /// The number of the part, from 1.
    pub part: u32,
}

/// Why a post was not made, or may not have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// Not posted: there were too many calls. It is to be tried again after this many seconds.
    #[error("the platform asks to wait {0} s")]
    Limited(u64),
    /// Not posted: the platform was not reached.
    #[error("the platform could not be reached: {0}")]
    Unreachable(String),
    /// Perhaps posted: the answer got lost, or was an error of the platform itself.
    #[error("nobody knows whether the platform took it: {0}")]
    Unknown(String),
    /// Not posted, since we may not post there for now: the channel is archived, we were removed from it, … This may
    /// change.
    #[error("the platform does not let us speak there: {0}")]
    Barred(String),
    /// Not posted: only replies in threads are let through there.
    #[error("the platform lets us speak only in threads there: {0}")]
    ThreadsOnly(String),
    /// Not posted: there are no threads there.
    #[error("the platform has no threads there: {0}")]
    NoThreads(String),
    /// Not posted, as it is too long; in pieces it may be.
    #[error("the platform finds it too long: {0}")]
    TooLong(String),
    /// Not posted, since somebody decided that we may not post there; waiting does not change that.
    #[error("somebody decided that we may not speak there: {0}")]
    Forbidden(String),
    /// Not posted, and trying again will not help: its thread is gone, the app lacks a scope, …
    #[error("the platform refused it: {0}")]
    Refused(String),
}

/// Why there is no image, in words that name neither its address nor the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoImage(pub String);

/// For which task a model is called: `agents.*` of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Writing answers.
    Response,
    /// Deciding whether to speak.
    Judgment,
    /// Writing memories.
    Memory,
}

impl Role {
    /// The name in configuration and storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Judgment => "judgment",
            Self::Memory => "memory",
        }
    }
}

/// The id of the model that needs no provider.
pub const BUILTIN: &str = "builtin";

/// The purpose of a reply that nobody asked for.
pub const UNASKED: &str = "unasked";

/// One request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The task it is made for.
    pub role: Role,
    /// What it is for, as storage names it: `chapter`, `merge`, `workspace`, `thread`, `reply`, [`UNASKED`],
    /// `judgment`, …
    pub purpose: &'static str,
    /// The system prompt.
    pub system: String,
    /// The dialogue so far, oldest first; at least one turn.
    pub turns: Vec<Turn>,
    /// Images for our first turn, for models that take images. The text names each of them, so that it is complete
    /// without them.
    pub images: Vec<Image>,
    /// The content of the text as values, for `builtin`. Memories that were cut in the text are whole here.
    pub material: Material,
    /// What we are called in the talk: a model likes to begin its words as our lines begin there. Empty where an answer may
    /// begin with a name.
    pub own_names: Vec<String>,
    /// The language the answer should be in.
    pub language: Language,
    /// The length that the answer is asked to keep to, in tokens; the provider's limit is twice that
    /// (specification §2.2).
    pub target_tokens: u32,
    /// How many tokens are added to the answer's limit, after an earlier answer used all of it for thoughts.
    pub extra_tokens: u32,
    /// Whether an earlier answer to the same words could not be used, so that a different one is wanted. A provider
    /// then asks for another temperature, if the model takes one.
    pub afresh: bool,
    /// Tools the model may call.
    pub tools: Vec<ToolSpec>,
    /// What the answer has to be.
    pub form: ResponseFormat,
}

/// What an answer has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseFormat {
    /// Words.
    Text,
    /// JSON that satisfies a schema.
    Data {
        /// What the data is, in one word: `verdict`, …
        name: &'static str,
        /// Its JSON schema.
        schema: Value,
        /// How the server is asked for it.
        means: DataMode,
    },
}

/// How a server is asked for data, the strictest way first. Not every server knows all of these ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataMode {
    /// The server enforces the schema.
    Schema,
    /// The server enforces JSON; the prompt describes which data.
    Object,
    /// The prompt asks for JSON and nothing else.
    Words,
}

/// One turn of a dialogue with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// What we say.
    User(String),
    /// What the model said.
    Assistant {
        /// Its words.
        text: String,
        /// The tools it called.
        calls: Vec<ToolCall>,
        /// What it thought before the calls, as its provider wants it back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thoughts: Vec<Thought>,
    },
    /// What a tool gave back.
    Tool {
        /// The call it answers.
        call: String,
        /// The result, as text.
        text: String,
    },
}

/// The content of a request's text as values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Material {
    /// Talk to be summarised, oldest first, on top of an existing memory.
    Talk {
        /// The text it continues; empty when there is none.
        existing: String,
        /// What was said.
        lines: Vec<TalkLine>,
    },
    /// Memories to be folded into an existing one, in order.
    Memories {
        /// The text they are folded into; empty when there is none.
        existing: String,
        /// The memories.
        entries: Vec<MemoryEntry>,
    },
    /// A conversation to answer or to judge, oldest first. To be answered, it begins with the exchanges that a search
    /// found for it, best first; these lines have a [`TalkLine::mark`] and a [`TalkLine::found`].
    Conversation(Vec<TalkLine>),
}

/// One memory as a model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEntry {
    /// `#channel` for a channel's memory; empty where all are of one channel.
    pub label: String,
    /// The first and the last day that it is about, as `YYYY-MM-DD`, if known.
    pub period: Option<(String, String)>,
    /// Its text.
    pub text: String,
}

/// A tool, as described to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}

/// A model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The text, possibly empty.
    pub text: String,
    /// The tools it calls.
    pub calls: Vec<ToolCall>,
    /// What it thought before it called them, to be sent back with these calls; empty where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Thought>,
    /// Why it ended.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was done.
    End,
    /// It ran into the limit: the text is cut off.
    Length,
    /// It waits for the results of its tool calls.
    Tools,
    /// It, or a filter before it, refused.
    Refused,
}

/// How many tokens a call took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// How many tokens the model read.
    pub input: u64,
    /// How many of these came from the provider's cache.
    pub cached: u64,
    /// How many tokens the model wrote.
    pub output: u64,
    /// Whether these are our own estimates, since the provider gave no numbers.
    pub estimated: bool,
}

/// Why a call gave no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// No answer in time.
    #[error("no answer within {0} s")]
    Timeout(u64),
    /// There were too many calls or too many tokens within a short time.
    #[error("the provider limits the rate of calls{}", after_colon(said))]
    Limited {
        /// After how many seconds to try again, when the provider tells.
        seconds: Option<u64>,
        /// The provider's words; may be empty.
        said: String,
    },
    /// The provider could not be reached or failed; trying again may help.
    #[error("the provider failed: {0}")]
    Unavailable(String),
    /// The key is missing, wrong, or not allowed to do this.
    #[error("the provider does not accept the key: {0}")]
    Unauthorised(String),
    /// The key's budget, quota or balance is used up; unlike a rate limit, this does not pass within minutes.
    #[error("the key's budget or quota is spent: {0}")]
    Spent(String),
    /// The server at the address has no model API there.
    #[error("there is no model's interface at this address: {0}")]
    WrongAddress(String),
    /// There is no such model, or not for this key.
    #[error("the provider does not know the model: {0}")]
    NoSuchModel(String),
    /// The prompt and the limit of the answer together are more tokens than the model takes.
    #[error("the prompt is too long for the model: {0}")]
    TooLong(String),
    /// The server or the model does not know tools, or this way of asking for data.
    #[error("the model does not support what was asked for: {0}")]
    Unsupported(String),
    /// The provider will not take this request, however often it is tried.
    #[error("the provider refused the request: {0}")]
    Rejected(String),
    /// What came back makes no sense.
    #[error("the answer made no sense: {0}")]
    Invalid(String),
}

fn after_colon(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

impl ModelError {
    /// A rate limit about which the provider says nothing, except perhaps when to try again.
    pub const fn limited(seconds: Option<u64>) -> Self {
        Self::Limited { seconds, said: String::new() }
    }

    /// Whether only a person can fix it, so that the next call would fail in the same way.
    pub const fn wants_a_person(&self) -> bool {
        match self {
            Self::Unauthorised(_) | Self::Spent(_) | Self::WrongAddress(_) | Self::NoSuchModel(_) => true,
            Self::Timeout(_)
            | Self::Limited { .. }
            | Self::Unavailable(_)
            | Self::TooLong(_)
            | Self::Unsupported(_)
            | Self::Rejected(_)
            | Self::Invalid(_) => false,
        }
    }

    /// Whether it may pass by itself: a rate limit, a timeout, a provider that fails or is not reached. Any other error
    /// would come again.
    pub const fn is_passing(&self) -> bool {
        match self {
            Self::Timeout(_) | Self::Limited { .. } | Self::Unavailable(_) => true,
            Self::Unauthorised(_)
            | Self::Spent(_)
            | Self::WrongAddress(_)
            | Self::NoSuchModel(_)
            | Self::TooLong(_)
            | Self::Unsupported(_)
            | Self::Rejected(_)
            | Self::Invalid(_) => false,
        }
    }
}

/// What helps where a model's thoughts leave no room for its words, for the model that `path` configures.
pub fn less_thought(path: &str) -> String {
    format!(
        "set {path}.params.reasoning_effort to low or none, or switch its thinking off where its server does \
         (docs/models.md, Thinking)"
    )
}
