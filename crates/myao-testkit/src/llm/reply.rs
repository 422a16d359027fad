//! What a fake provider answers.

use serde_json::Value;

/// One answer of a script, in no dialect yet.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) content: ReplyContent,
    pub(super) tokens: Tokens,
    pub(super) thought: Option<String>,
}

/// A tool the model wants to use.
#[derive(Clone, Debug)]
pub struct ToolUse {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}

impl ToolUse {
    /// The tool `name`, called under `id` (which Gemini and Ollama do not tell).
    pub fn new(id: &str, name: &str, arguments: Value) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), arguments }
    }
}

#[derive(Clone, Debug)]
pub(super) enum ReplyContent {
    Said { text: String, wishes: Vec<ToolUse>, end: ReplyEnd },
    Refusal(String),
    Nothing,
    ErrorWithin { code: u16, message: String },
    Error { status: u16, code: String, message: String, headers: Vec<(String, String)> },
    EchoedKey,
    Body { content_type: &'static str, text: String },
    Truncated,
    Endless,
    Hanging,
    Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyEnd {
    Done,
    Tools,
    Length,
    Filter,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tokens {
    Untold,
    Told { input: u64, cached: u64, output: u64 },
}

impl Reply {
    fn new(content: ReplyContent) -> Self {
        Self { content, tokens: Tokens::Told { input: 100, cached: 0, output: 10 }, thought: None }
    }

    fn said(text: &str, wishes: Vec<ToolUse>, end: ReplyEnd) -> Self {
        Self::new(ReplyContent::Said { text: text.to_owned(), wishes, end })
    }

    /// This text, complete, for 100 tokens read and 10 written.
    pub fn text(text: &str) -> Self {
        Self::said(text, Vec::new(), ReplyEnd::Done)
    }

    /// This data, as text.
    pub fn data(data: &Value) -> Self {
        Self::text(&data.to_string())
    }

    /// These tools to be used, with some words.
    pub fn wishes(text: &str, wishes: impl IntoIterator<Item = ToolUse>) -> Self {
        Self::said(text, wishes.into_iter().collect(), ReplyEnd::Tools)
    }

    /// This much of a text, then the limit.
    pub fn cut_off(text: &str) -> Self {
        Self::said(text, Vec::new(), ReplyEnd::Length)
    }

    /// The model refuses, in these words.
    pub fn refusal(words: &str) -> Self {
        Self::new(ReplyContent::Refusal(words.to_owned()))
    }

    /// A filter stopped it.
    pub fn filtered() -> Self {
        Self::said("", Vec::new(), ReplyEnd::Filter)
    }

    /// An answer in which no choice is.
    pub fn nothing() -> Self {
        Self::new(ReplyContent::Nothing)
    }

    /// Status 200, and an error inside.
    pub fn error_within(code: u16, message: &str) -> Self {
        Self::new(ReplyContent::ErrorWithin { code, message: message.to_owned() })
    }

    /// An error in the dialect's form.
    pub fn error(status: u16, code: &str, message: &str) -> Self {
        let (code, message) = (code.to_owned(), message.to_owned());
        Self::new(ReplyContent::Error { status, code, message, headers: Vec::new() })
    }

    /// With this header, where it is an error.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let ReplyContent::Error { headers, .. } = &mut self.content {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Says that the key is wrong, and repeats it.
    pub fn echoed_key() -> Self {
        Self::new(ReplyContent::EchoedKey)
    }

    /// Status 200 with this body.
    pub fn body(content_type: &'static str, text: &str) -> Self {
        Self::new(ReplyContent::Body { content_type, text: text.to_owned() })
    }

    /// The first half of a proper answer, as if it were all.
    pub fn truncated() -> Self {
        Self::new(ReplyContent::Truncated)
    }

    /// An answer that begins and never ends, as fast as it is read.
    pub fn endless() -> Self {
        Self::new(ReplyContent::Endless)
    }

    /// No answer, until it is released; then an empty one.
    pub fn hanging() -> Self {
        Self::new(ReplyContent::Hanging)
    }

    /// The beginning of an answer; then the connection is gone.
    pub fn cut() -> Self {
        Self::new(ReplyContent::Cut)
    }

    /// After this thought, which Anthropic and Gemini sign. Together with tools to be used, it has to come back
    /// with them ([`FakeProvider`](super::FakeProvider)).
    #[must_use]
    pub fn thinking(mut self, thought: &str) -> Self {
        self.thought = Some(thought.to_owned());
        self
    }

    /// For so many tokens read, of which so many came from a cache, and so many written.
    #[must_use]
    pub fn counted(mut self, input: u64, cached: u64, output: u64) -> Self {
        self.tokens = Tokens::Told { input, cached, output };
        self
    }

    /// Without a word on what it cost.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.tokens = Tokens::Untold;
        self
    }
}
