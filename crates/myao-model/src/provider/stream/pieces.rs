//! Takes the body of an answer in pieces apart: server-sent events, or a JSON object a line.

use std::pin::Pin;

use futures::{Stream, StreamExt as _};
use reqwest::Response;
use sse_stream::{Error as SseError, SseStream};

use crate::provider::failure::{CallFailure, RequestContext};

/// Most bytes of a body in pieces: each token comes with some hundred bytes around it.
const MOST_BYTES: usize = 32 << 20;
/// The last event of OpenAI's protocol.
const DONE: &str = "[DONE]";

/// The form of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PiecesForm {
    /// `text/event-stream`
    Events,
    /// A JSON object a line, as Ollama sends it.
    Lines,
}

impl PiecesForm {
    /// The form of a content type; `None` if that is no form of pieces.
    pub(super) fn of(kind: &str) -> Option<Self> {
        if kind.starts_with("text/event-stream") {
            Some(Self::Events)
        } else if kind.starts_with("application/x-ndjson") || kind.starts_with("application/jsonl") {
            Some(Self::Lines)
        } else {
            None
        }
    }
}

/// Whether a piece says that nothing follows.
pub(super) fn is_end(piece: &str) -> bool {
    piece.trim() == DONE
}

/// Why no further bytes are read.
#[derive(Debug, thiserror::Error)]
enum BodyEnd {
    #[error("it is longer than {} MiB", MOST_BYTES >> 20)]
    TooLong,
    #[error(transparent)]
    Transport(#[from] reqwest::Error),
}

type Bodies = Pin<Box<dyn Stream<Item = Result<String, SseError>> + Send>>;

/// The pieces of a body, in order.
pub(super) struct Pieces(Bodies);

impl Pieces {
    pub(super) fn new(answer: Response, form: PiecesForm) -> Self {
        let mut read = 0_usize;
        let bytes = answer.bytes_stream().map(move |chunk| {
            let chunk = chunk?;
            read = read.saturating_add(chunk.len());
            if read > MOST_BYTES { Err(BodyEnd::TooLong) } else { Ok(chunk) }
        });
        Self(match form {
            PiecesForm::Events => Box::pin(
                SseStream::from_bytes_stream(bytes)
                    .filter_map(async |event| event.map(|event| event.data).transpose()),
            ),
            PiecesForm::Lines => {
                let lines = bytes.map(|chunk| chunk.map_err(|end| SseError::Body(Box::new(end))));
                Box::pin(lines_of(lines))
            }
        })
    }

    /// The next piece; `None` at the end of the body.
    pub(super) async fn next(&mut self, asked: RequestContext<'_>) -> Result<Option<String>, CallFailure> {
        match self.0.next().await {
            None => Ok(None),
            Some(Ok(piece)) => Ok(Some(piece)),
            Some(Err(SseError::Body(error))) => Err(match error.downcast::<BodyEnd>() {
                Ok(end) => match *end {
                    BodyEnd::TooLong => asked.invalid(&BodyEnd::TooLong.to_string()),
                    BodyEnd::Transport(error) => asked.transport(&error),
                },
                Err(_other) => CallFailure::broken_off(),
            }),
            Some(Err(error)) => Err(asked.invalid(&format!("it is no stream of events: {error}"))),
        }
    }
}

/// The lines of a body that are not empty; the last one need not be closed.
fn lines_of(
    chunks: impl Stream<Item = Result<impl AsRef<[u8]> + Send, SseError>> + Send + 'static,
) -> impl Stream<Item = Result<String, SseError>> + Send {
    let state = (Box::pin(chunks), Vec::new(), false);
    futures::stream::unfold(state, async |(mut chunks, mut held, mut is_over)| {
        loop {
            let at = held.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            if let Some(end) = at.or((is_over && !held.is_empty()).then_some(held.len())) {
                let line: Vec<u8> = held.drain(..end).collect();
                let line = match str::from_utf8(&line) {
                    Ok(line) => line.trim().to_owned(),
                    Err(error) => return Some((Err(SseError::Utf8Parse(error)), (chunks, held, true))),
                };
                if !line.is_empty() {
                    return Some((Ok(line), (chunks, held, is_over)));
                }
                continue;
            }
            if is_over {
                return None;
            }
            match chunks.next().await {
                Some(Ok(chunk)) => held.extend_from_slice(chunk.as_ref()),
                Some(Err(error)) => return Some((Err(error), (chunks, Vec::new(), true))),
                None => is_over = true,
            }
        }
    })
}
