//! The scripted answers of a fake provider.

use std::time::Duration;

use serde_json::Value;

/// One answer of a script, independent of the dialect.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) content: ReplyContent,
    pub(super) tokens: Tokens,
    pub(super) thought: Option<String>,
    /// What happens to it if it is sent in pieces: after so many of them.
    pub(super) broken: Option<(usize, MidStream)>,
    /// It is not given before the calls are released.
    pub(super) is_held: bool,
    /// The pause before each piece, if it is sent in pieces.
    pub(super) pace: Duration,
    /// How long it is waited for.
    pub(super) delay: Duration,
}

/// A tool that the model wants to use.
#[derive(Clone, Debug)]
pub struct ToolUse {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}

impl ToolUse {
    /// The tool `name`, called with `id` (which Gemini and Ollama do not send).
    pub fn new(id: &str, name: &str, arguments: Value) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), arguments }
    }
}

/// What happens in the middle of an answer in pieces.
#[derive(Clone, Debug)]
pub(super) enum MidStream {
    /// The connection is cut.
    Cut,
    /// The body ends.
    Ends,
    /// An error comes.
    Error { code: u16, message: String },
    /// Something that is no piece comes.
    Garbage(String),
    /// Nothing comes until the calls are released; then the rest.
    Held,
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
        Self {
            content,
            tokens: Tokens::Told { input: 100, cached: 0, output: 10 },
            thought: None,
            broken: None,
            is_held: false,
            pace: Duration::ZERO,
            delay: Duration::ZERO,
        }
    }

    fn said(text: &str, wishes: Vec<ToolUse>, end: ReplyEnd) -> Self {
        Self::new(ReplyContent::Said { text: text.to_owned(), wishes, end })
    }

    /// A complete text, for 100 input tokens and 10 output tokens.
    pub fn text(text: &str) -> Self {
        Self::said(text, Vec::new(), ReplyEnd::Done)
    }

    /// Data, as JSON text.
    pub fn data(data: &Value) -> Self {
        Self::text(&data.to_string())
    }

    /// Calls of these tools, with a text.
    pub fn wishes(text: &str, wishes: impl IntoIterator<Item = ToolUse>) -> Self {
        Self::said(text, wishes.into_iter().collect(), ReplyEnd::Tools)
    }

    /// A text that ends at the output limit.
    pub fn cut_off(text: &str) -> Self {
        Self::said(text, Vec::new(), ReplyEnd::Length)
    }

    /// A refusal by the model, in these words.
    pub fn refusal(words: &str) -> Self {
        Self::new(ReplyContent::Refusal(words.to_owned()))
    }

    /// An empty answer that a filter stopped.
    pub fn filtered() -> Self {
        Self::said("", Vec::new(), ReplyEnd::Filter)
    }

    /// An answer without any choice.
    pub fn nothing() -> Self {
        Self::new(ReplyContent::Nothing)
    }

    /// Status 200 with an error in the body.
    pub fn error_within(code: u16, message: &str) -> Self {
        Self::new(ReplyContent::ErrorWithin { code, message: message.to_owned() })
    }

    /// An error in the dialect's form.
    pub fn error(status: u16, code: &str, message: &str) -> Self {
        let code = code.to_owned();
        let message = message.to_owned();
        Self::new(ReplyContent::Error { status, code, message, headers: Vec::new() })
    }

    /// Adds a header, if it is an error.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let ReplyContent::Error { headers, .. } = &mut self.content {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// An error which says that the key is wrong, and repeats it.
    pub fn echoed_key() -> Self {
        Self::new(ReplyContent::EchoedKey)
    }

    /// Status 200 with this body.
    pub fn body(content_type: &'static str, text: &str) -> Self {
        Self::new(ReplyContent::Body { content_type, text: text.to_owned() })
    }

    /// The first half of a proper answer, sent as if it were complete.
    pub fn truncated() -> Self {
        Self::new(ReplyContent::Truncated)
    }

    /// An answer that never ends, sent as fast as it is read.
    pub fn endless() -> Self {
        Self::new(ReplyContent::Endless)
    }

    /// The beginning of an answer, after which the connection is closed.
    pub fn cut() -> Self {
        Self::new(ReplyContent::Cut)
    }

    /// Adds a thought before the answer, which Anthropic and Gemini sign. If the answer calls tools, the thought has to
    /// come back with the calls ([`FakeProvider`](super::FakeProvider)).
    #[must_use]
    pub fn thinking(mut self, thought: &str) -> Self {
        self.thought = Some(thought.to_owned());
        self
    }

    /// Holds it back until [`release`](super::FakeProvider::release).
    #[must_use]
    pub fn held(mut self) -> Self {
        self.is_held = true;
        self
    }

    fn broken_after(mut self, pieces: usize, broken: MidStream) -> Self {
        self.broken = Some((pieces, broken));
        self
    }

    /// Cuts the connection after so many pieces.
    #[must_use]
    pub fn cut_after(self, pieces: usize) -> Self {
        self.broken_after(pieces, MidStream::Cut)
    }

    /// Ends the body properly after so many pieces, though the answer goes on.
    #[must_use]
    pub fn ending_after(self, pieces: usize) -> Self {
        self.broken_after(pieces, MidStream::Ends)
    }

    /// Sends an error after so many pieces.
    #[must_use]
    pub fn failing_after(self, pieces: usize, code: u16, message: &str) -> Self {
        self.broken_after(pieces, MidStream::Error { code, message: message.to_owned() })
    }

    /// Sends this after so many pieces, and nothing else.
    #[must_use]
    pub fn garbled_after(self, pieces: usize, text: &str) -> Self {
        self.broken_after(pieces, MidStream::Garbage(text.to_owned()))
    }

    /// Holds the rest back after so many pieces, until [`release`](super::FakeProvider::release).
    #[must_use]
    pub fn held_after(self, pieces: usize) -> Self {
        self.broken_after(pieces, MidStream::Held)
    }

    /// Sends it, if it is asked for in pieces, with a pause before each of them, as a model that takes its time.
    #[must_use]
    pub fn paced(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Has it be waited for, as a server that is busy.
    #[must_use]
    pub fn delayed(mut self, by: Duration) -> Self {
        self.delay = by;
        self
    }

    /// Sets the usage: input tokens, how many of these were cached, and output tokens.
    #[must_use]
    pub fn counted(mut self, input: u64, cached: u64, output: u64) -> Self {
        self.tokens = Tokens::Told { input, cached, output };
        self
    }

    /// Leaves the usage out.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.tokens = Tokens::Untold;
        self
    }
}
