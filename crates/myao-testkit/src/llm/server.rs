//! The HTTP side of a fake provider.

use std::{
    collections::VecDeque,
    convert::Infallible,
    fmt, io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::{
    dialect::{Dialect, ModelAnswer},
    echo,
    memory::ThoughtLog,
    reply::{MidStream, Reply, ReplyContent, Tokens},
    traffic::{ReceivedRequest, Traffic, lock_ignoring_poison},
};

/// The most bytes of a request. No prompt of ours is longer, even with images, and Anthropic accepts no more.
const MOST_BYTES: usize = 32 << 20;
const JSON: &str = "application/json";

#[derive(Debug)]
pub(super) enum Answers {
    Script(Mutex<VecDeque<Reply>>),
    Echo(Duration),
    Decided(Decider),
}

/// Chooses the reply to a request; `None` is an echo.
pub(super) struct Decider(Box<Decide>);

type Decide = dyn Fn(&ReceivedRequest) -> Option<Reply> + Send + Sync;

impl fmt::Debug for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decider")
    }
}

impl Answers {
    pub(super) fn decided(
        decide: impl Fn(&ReceivedRequest) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        Self::Decided(Decider(Box::new(decide)))
    }

    /// Whether a test looks at the requests afterwards.
    fn keeps_requests(&self) -> bool {
        !matches!(self, Self::Decided(_))
    }

    pub(super) fn scripted(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::Script(Mutex::new(replies.into_iter().collect()))
    }
}

#[derive(Debug)]
pub(super) struct Server {
    answers: Answers,
    key: Option<&'static str>,
    takes_any_key: AtomicBool,
    /// Whether it gives no answers in pieces.
    refuses_pieces: AtomicBool,
    /// Tokens that an echo thinks before each answer.
    thoughts: AtomicU64,
    pub(super) traffic: Traffic,
    complaints: Mutex<Vec<String>>,
    memory: Mutex<ThoughtLog>,
}

pub(super) fn routes_of_server(server: Arc<Server>) -> Router {
    Router::new().fallback(handle_request).with_state(server)
}

async fn handle_request(State(server): State<Arc<Server>>, request: Request) -> Result<Response, Infallible> {
    let (head, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let call = ReceivedRequest {
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: texts_of_headers(&head.headers),
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
    };
    let _in_progress = server.traffic.enter(call.clone());
    Ok(server.respond(&call).await)
}

fn texts_of_headers(headers: &HeaderMap) -> std::collections::BTreeMap<String, String> {
    let text = |value: &axum::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

impl Server {
    pub(super) fn new(answers: Answers, key: Option<&'static str>) -> Self {
        let traffic = Traffic::new(answers.keeps_requests());
        Self {
            answers,
            key,
            takes_any_key: AtomicBool::new(key.is_none()),
            refuses_pieces: AtomicBool::new(false),
            thoughts: AtomicU64::new(0),
            traffic,
            complaints: Mutex::default(),
            memory: Mutex::default(),
        }
    }

    pub(super) fn accept_any_key(&self) {
        self.takes_any_key.store(true, Ordering::Relaxed);
    }

    pub(super) fn refuse_pieces(&self) {
        self.refuses_pieces.store(true, Ordering::Relaxed);
    }

    pub(super) fn think(&self, tokens: u64) {
        self.thoughts.store(tokens, Ordering::Relaxed);
    }

    pub(super) fn demand_thoughts(&self) {
        lock_ignoring_poison(&self.memory).demands_thoughts = true;
    }

    pub(super) fn take_complaints(&self) -> Vec<String> {
        std::mem::take(&mut lock_ignoring_poison(&self.complaints))
    }

    fn complain(&self, call: &ReceivedRequest, complaint: &str) {
        lock_ignoring_poison(&self.complaints).push(format!("{}: {complaint}", call.path));
    }

    async fn respond(self: &Arc<Self>, call: &ReceivedRequest) -> Response {
        if let Some(list) = list_of_models(&call.path) {
            return answer_with_status(200, &list);
        }
        let Some(dialect) = Dialect::of(&call.path) else {
            return answer_with_status(404, &json!({"detail": "Not Found"}));
        };
        let key = dialect.key(call);
        if dialect.wants_key() && !self.takes_any_key.load(Ordering::Relaxed) {
            if key.is_none() {
                self.complain(call, "the key is missing, or not where it belongs");
            }
            if key != self.key {
                return answer_with_status(
                    401,
                    &dialect.error(401, "invalid_api_key", "The key is not valid."),
                );
            }
        }
        let checked = dialect.check(call);
        if let Err(complaint) =
            checked.and_then(|()| dialect.check_thoughts(&call.body, &lock_ignoring_poison(&self.memory)))
        {
            self.complain(call, &complaint);
            return answer_with_status(400, &dialect.error(400, "invalid_request_error", &complaint));
        }
        let echo = || echo::answer_from_prompt(dialect, &call.body, self.thoughts.load(Ordering::Relaxed));
        let reply = match &self.answers {
            Answers::Echo(latency) => Some(echo().delayed(*latency)),
            Answers::Decided(Decider(decide)) => Some(decide(call).unwrap_or_else(echo)),
            Answers::Script(replies) => lock_ignoring_poison(replies).pop_front(),
        };
        let Some(reply) = reply else {
            self.complain(call, "this call is not in the script");
            return answer_with_status(400, &dialect.error(400, "unscripted", "no answer is left"));
        };
        tokio::time::sleep(reply.delay).await;
        if dialect.wants_pieces(&call.path, &call.body) && self.refuses_pieces.load(Ordering::Relaxed) {
            let what = "`stream` is not supported by this server";
            return answer_with_status(400, &dialect.error(400, "invalid_request_error", what));
        }
        let counts =
            dialect != Dialect::OpenAi || call.body.pointer("/stream_options/include_usage").is_some();
        match self.pieces_of(dialect, call, &reply, counts) {
            Some(frames) => self.give_in_pieces(dialect, frames, reply).await,
            None => self.give(dialect, key.unwrap_or_default(), reply).await,
        }
    }

    /// The frames of a reply, if it is an answer, and is asked for in pieces.
    fn pieces_of(
        &self,
        dialect: Dialect,
        call: &ReceivedRequest,
        reply: &Reply,
        counts: bool,
    ) -> Option<Vec<String>> {
        if !dialect.wants_pieces(&call.path, &call.body) {
            return None;
        }
        let Reply { content, tokens, thought, .. } = reply;
        let thought = thought.as_deref();
        let whole = match content {
            ReplyContent::Said { text, wishes, end } => {
                if let Some(thought) = thought {
                    lock_ignoring_poison(&self.memory).give(thought, wishes);
                }
                dialect.said(&ModelAnswer { text, wishes, end: *end, tokens: *tokens, thought })
            }
            ReplyContent::Refusal(words) => dialect.refusal(words, *tokens),
            ReplyContent::Nothing => dialect.nothing(),
            ReplyContent::Cut => whole_answer(dialect),
            ReplyContent::ErrorWithin { code, message } => {
                return Some(vec![dialect.error_piece(*code, message)]);
            }
            ReplyContent::Error { .. }
            | ReplyContent::EchoedKey
            | ReplyContent::Body { .. }
            | ReplyContent::Truncated
            | ReplyContent::Endless => return None,
        };
        Some(dialect.pieces_of(&whole, counts))
    }

    /// Sends frames, up to where the reply is broken.
    async fn give_in_pieces(
        self: &Arc<Self>,
        dialect: Dialect,
        mut frames: Vec<String>,
        reply: Reply,
    ) -> Response {
        if reply.is_held {
            self.traffic.released().await;
        }
        let broken =
            if let ReplyContent::Cut = reply.content { Some((2, MidStream::Cut)) } else { reply.broken };
        let (rest, cut) = match &broken {
            None => (Vec::new(), false),
            Some((after, broken)) => {
                let rest = frames.split_off((*after).min(frames.len()));
                frames.extend(dialect.broken_piece(broken));
                let rest = if let MidStream::Held = broken { rest } else { Vec::new() };
                (rest, matches!(broken, MidStream::Cut))
            }
        };
        let server = Arc::clone(self);
        let pace = reply.pace;
        let begun = stream::iter(frames).then(move |frame| async move {
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            Ok(Bytes::from(frame))
        });
        let waits = !rest.is_empty();
        let held = stream::once(async move {
            if waits {
                server.traffic.released().await;
            }
            Ok(Bytes::from(rest.concat()))
        });
        let end = stream::iter(cut.then(|| Err(io::Error::other("cut"))));
        let body = Body::from_stream(begun.chain(held).chain(end));
        ([(CONTENT_TYPE, dialect.kind_of_pieces())], body).into_response()
    }

    async fn give(&self, dialect: Dialect, key: &str, reply: Reply) -> Response {
        let Reply { content, tokens, thought, is_held, .. } = reply;
        if is_held {
            self.traffic.released().await;
        }
        match content {
            ReplyContent::Said { text, wishes, end } => {
                let thought = thought.as_deref();
                if let Some(thought) = thought {
                    lock_ignoring_poison(&self.memory).give(thought, &wishes);
                }
                answer_with_status(
                    200,
                    &dialect.said(&ModelAnswer { text: &text, wishes: &wishes, end, tokens, thought }),
                )
            }
            ReplyContent::Refusal(words) => answer_with_status(200, &dialect.refusal(&words, tokens)),
            ReplyContent::Nothing => answer_with_status(200, &dialect.nothing()),
            ReplyContent::ErrorWithin { code, message } => {
                answer_with_status(200, &json!({"error": {"code": code, "message": message}}))
            }
            ReplyContent::Error { status, code, message, headers } => {
                let mut response = answer_with_status(status, &dialect.error(status, &code, &message));
                for (name, value) in headers {
                    if let (Ok(name), Ok(value)) =
                        (axum::http::HeaderName::try_from(name), axum::http::HeaderValue::try_from(value))
                    {
                        response.headers_mut().insert(name, value);
                    }
                }
                response
            }
            ReplyContent::EchoedKey => {
                let message = format!("Incorrect API key provided:\n  Bearer {key}, also {key:.20}…");
                answer_with_status(401, &dialect.error(401, "invalid_api_key", &message))
            }
            ReplyContent::Body { content_type, text } => {
                ([(CONTENT_TYPE, content_type)], text).into_response()
            }
            ReplyContent::Truncated => {
                let whole = whole_answer(dialect).to_string();
                let half: String = whole.chars().take(whole.chars().count() / 2).collect();
                ([(CONTENT_TYPE, JSON)], half).into_response()
            }
            ReplyContent::Endless => endless_body(),
            ReplyContent::Cut => cut_body(&whole_answer(dialect).to_string()),
        }
    }
}

/// The one model that every fake provider lists, in the form that the path asks for.
fn list_of_models(path: &str) -> Option<Value> {
    match path {
        "/v1/models" => Some(json!({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})),
        "/api/tags" => Some(json!({"models": [{"name": "fake-model:1b"}]})),
        _ => None,
    }
}

fn whole_answer(dialect: Dialect) -> Value {
    let end = super::reply::ReplyEnd::Done;
    let text = "half an answer is none";
    dialect.said(&ModelAnswer { text, wishes: &[], end, tokens: Tokens::Untold, thought: None })
}

/// A body that goes on for as long as it is read.
fn endless_body() -> Response {
    let begin = stream::once(async {
        Ok::<_, Infallible>(Bytes::from_static(br#"{"choices": [{"message": {"content": ""#))
    });
    let words = Bytes::from("and on and on ".repeat(1000));
    let body = Body::from_stream(begin.chain(stream::repeat_with(move || Ok(words.clone()))));
    ([(CONTENT_TYPE, JSON)], body).into_response()
}

/// A body that ends in the middle, together with its connection.
fn cut_body(text: &str) -> Response {
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    let chunks = [Ok(Bytes::from(half)), Err(io::Error::other("cut"))];
    ([(CONTENT_TYPE, JSON)], Body::from_stream(stream::iter(chunks))).into_response()
}

fn answer_with_status(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, JSON)], body.to_string()).into_response()
}
