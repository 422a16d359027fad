//! Reads an answer that comes in pieces (ADR 125).
//!
//! The pieces are put together to the same JSON that the protocol has for a whole answer (`openai`, `anthropic`, `gemini`,
//! `ollama`), which is then read as such: what is no answer when it comes at once is none in pieces either. `pieces` takes
//! the body apart.

mod anthropic;
mod gemini;
mod ollama;
mod openai;
mod outcome;
mod pieces;

use std::time::Duration;

use myao_core::{
    answer::settled_beginning,
    ports::{ModelError, Request, ShowWords},
    text::parse_json,
};
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::{Value, json};

use super::{
    answer,
    body::{self, MOST_BYTES},
    catalog::{KnownProvider, Protocol},
    failure::{CallFailure, RequestContext},
};
use outcome::PieceOutcome;
use pieces::{Pieces, PiecesForm};

/// The longest pause between two pieces. What a server sends only to say that it is still there is no piece, and models
/// think for minutes between them; the time for the whole call bounds it as well.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// How much an answer has to grow until it is looked at again, in bytes: reading it takes time.
const LOOKED_AT_EVERY: usize = 24;

/// An answer as far as it has come.
enum Assembly {
    OpenAi(openai::OpenAiAssembly),
    Anthropic(anthropic::AnthropicAssembly),
    Gemini(gemini::GeminiAssembly),
    Ollama(ollama::OllamaAssembly),
}

impl Assembly {
    fn of(protocol: Protocol) -> Self {
        match protocol {
            Protocol::OpenAi | Protocol::Azure => Self::OpenAi(openai::OpenAiAssembly::default()),
            Protocol::Anthropic => Self::Anthropic(anthropic::AnthropicAssembly::default()),
            Protocol::Gemini => Self::Gemini(gemini::GeminiAssembly::default()),
            Protocol::Ollama => Self::Ollama(ollama::OllamaAssembly::default()),
        }
    }

    fn take(&mut self, piece: &Value) -> PieceOutcome {
        match self {
            Self::OpenAi(answer) => answer.take(piece),
            Self::Anthropic(answer) => answer.take(piece),
            Self::Gemini(answer) => answer.take(piece),
            Self::Ollama(answer) => answer.take(piece),
        }
    }

    /// The words so far, with everything that the model may have put around its answer.
    fn words(&self) -> &str {
        match self {
            Self::OpenAi(answer) => answer.words(),
            Self::Anthropic(answer) => answer.words(),
            Self::Gemini(answer) => answer.words(),
            Self::Ollama(answer) => answer.words(),
        }
    }

    /// The answer as it would have come at once; `None` if it was broken off.
    fn into_whole(self, is_done: bool) -> Option<Value> {
        match self {
            Self::OpenAi(answer) => answer.into_whole(is_done),
            Self::Anthropic(answer) => answer.into_whole(),
            Self::Gemini(answer) => answer.into_whole(),
            Self::Ollama(answer) => answer.into_whole(),
        }
    }
}

/// Tells what of an answer is certain, longer each time.
struct ToldWords<'a> {
    request: &'a Request,
    /// `None` once what was told turned out to be other than what follows, or if nothing may be told.
    show: Option<&'a ShowWords<'a>>,
    told: String,
    looked_at: usize,
}

impl ToldWords<'_> {
    fn look(&mut self, words: &str) {
        let Some(show) = self.show.filter(|_| words.len() >= self.looked_at + LOOKED_AT_EVERY) else {
            return;
        };
        self.looked_at = words.len();
        let settled = settled_beginning(words, self.request);
        if settled.len() > self.told.len() {
            if settled.starts_with(&self.told) {
                show(&settled);
                self.told = settled;
            } else {
                self.show = None;
            }
        }
    }
}

/// Has a body ask for an answer in pieces.
pub(super) fn ask_for_pieces(body: &mut Value, known: &KnownProvider) {
    let Some(fields) = body.as_object_mut() else { return };
    match known.protocol {
        // Its address says so.
        Protocol::Gemini => return,
        // Without this, they do not count. Mistral counts anyway, and refuses fields that it does not know.
        Protocol::OpenAi | Protocol::Azure if known.name != "mistral" => {
            fields.insert("stream_options".to_owned(), json!({"include_usage": true}));
        }
        Protocol::OpenAi | Protocol::Azure | Protocol::Anthropic | Protocol::Ollama => {}
    }
    fields.insert("stream".to_owned(), json!(true));
}

/// Reads the answer to a call that asked for pieces, as the JSON of a whole one. A server that sends it at once all the
/// same is read so. `show` is told what is certain; `None` if nothing may be told.
pub(super) async fn read_in_pieces(
    answer: Response,
    protocol: Protocol,
    asked: RequestContext<'_>,
    show: Option<&ShowWords<'_>>,
) -> Result<Value, CallFailure> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let Some(form) = PiecesForm::of(kind) else { return body::read_whole(answer, asked).await };
    let mut pieces = Pieces::new(answer, form);
    let mut assembly = Assembly::of(protocol);
    let mut shown = ToldWords { request: asked.request, show, told: String::new(), looked_at: 0 };
    let mut is_done = false;
    let mut longest = None;
    loop {
        let next = pieces.next(asked);
        // The first piece may take as long as the whole call: models think before they speak.
        let next = match longest {
            None => next.await,
            Some(pause) => match tokio::time::timeout(pause, next).await {
                Ok(next) => next,
                // A server that has said why it ended may forget to end.
                Err(_elapsed) => {
                    let timed_out = CallFailure::Error(ModelError::Timeout(pause.as_secs()));
                    return assembly.into_whole(is_done).ok_or(timed_out);
                }
            },
        };
        longest = Some(LONGEST_PAUSE);
        let Some(piece) = next? else { break };
        if pieces::is_end(&piece) {
            is_done = true;
            break;
        }
        let piece =
            parse_json(piece.as_bytes()).map_err(|e| asked.invalid(&format!("a piece is not JSON: {e}")))?;
        if !answer::holds_no_error(&piece) {
            return Err(answer::unreadable_answer_failure(&piece, "a piece holds an error", asked));
        }
        let outcome = assembly.take(&piece);
        if assembly.words().len() > MOST_BYTES {
            return Err(asked.invalid(&format!("it is longer than {} MiB", MOST_BYTES >> 20)));
        }
        shown.look(assembly.words());
        if outcome == PieceOutcome::Last {
            break;
        }
    }
    assembly.into_whole(is_done).ok_or_else(CallFailure::broken_off)
}
