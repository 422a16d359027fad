//! A collector of traces on loopback, which reads what OTLP sends over HTTP (`POST /v1/traces`, protobuf).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::post,
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{AnyValue, KeyValue, any_value::Value},
    trace::v1::{Span, span::SpanKind, status::StatusCode as SpanStatus},
};
use prost::Message as _;
use tokio::{sync::watch, task::JoinHandle};

use crate::waiting::within_patience;

/// The most that one request may have, in bytes.
const LARGEST: usize = 64 << 20;

/// How a collector answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectorMood {
    /// Takes all spans.
    Takes,
    /// Reads them, and never answers.
    Hangs,
    /// Fails with status 500, and a page of HTML.
    Fails,
    /// Answers with success, and with bytes that are no answer.
    Garbage,
}

/// A span as it arrived.
#[derive(Clone, Debug)]
pub struct CollectedSpan {
    /// The trace's id, in hexadecimal digits.
    pub trace: String,
    /// Its id.
    pub id: String,
    /// The span that it belongs to; empty for the first of a trace.
    pub parent: String,
    /// Its name.
    pub name: String,
    /// `Internal`, `Client`, …
    pub kind: String,
    /// Its attributes.
    pub attributes: BTreeMap<String, String>,
    /// Whether it says that what it tells of failed.
    pub failed: bool,
    /// Whatever words it has beside that: the description of its status, names of events.
    pub words: String,
    /// When it began, in nanoseconds.
    pub began: u64,
    /// When it ended.
    pub ended: u64,
}

#[derive(Debug)]
struct Collector {
    mood: Mutex<CollectorMood>,
    seen: Mutex<CollectedTraces>,
    came: watch::Sender<usize>,
}

/// All that a collector was sent.
#[derive(Clone, Debug, Default)]
pub struct CollectedTraces {
    /// The spans, in the order in which they came.
    pub spans: Vec<CollectedSpan>,
    /// What was told of the program.
    pub resource: BTreeMap<String, String>,
    /// The bodies of all requests, one after the other.
    pub bytes: Vec<u8>,
    /// The header `api-key` of requests.
    pub keys: BTreeSet<String>,
    /// How many requests came.
    pub requests: usize,
}

/// A collector. It listens until it is dropped.
#[derive(Debug)]
pub struct FakeCollector {
    address: SocketAddr,
    collector: Arc<Collector>,
    task: JoinHandle<()>,
}

impl FakeCollector {
    /// Listens, and answers like this.
    ///
    /// # Panics
    /// When it cannot listen on loopback.
    pub async fn start(mood: CollectorMood) -> Self {
        let collector = Arc::new(Collector {
            mood: Mutex::new(mood),
            seen: Mutex::default(),
            came: watch::Sender::new(0),
        });
        let listener = match tokio::net::TcpListener::bind(("127.0.0.1", 0)).await {
            Ok(listener) => listener,
            Err(e) => panic!("a fake collector cannot listen: {e}"),
        };
        let address = match listener.local_addr() {
            Ok(address) => address,
            Err(e) => panic!("a fake collector has no address: {e}"),
        };
        let router = Router::new()
            .route("/v1/traces", post(take_spans))
            .layer(axum::extract::DefaultBodyLimit::max(LARGEST))
            .with_state(Arc::clone(&collector));
        let task = tokio::spawn(async move {
            // The server ends only with the task, so an error cannot be reported.
            drop(axum::serve(listener, router).await);
        });
        Self { address, collector, task }
    }

    /// What `OTEL_EXPORTER_OTLP_ENDPOINT` is set to.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets how it answers from now on.
    pub fn set_mood(&self, mood: CollectorMood) {
        *self.collector.mood.lock().unwrap_or_else(PoisonError::into_inner) = mood;
    }

    /// All that came so far.
    pub fn seen(&self) -> CollectedTraces {
        self.collector.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until what came is as it should be.
    ///
    /// # Panics
    /// If that takes longer than [`PATIENCE`](crate::waiting::PATIENCE).
    pub async fn wait_until(&self, reached: impl Fn(&CollectedTraces) -> bool) {
        let reaching = async {
            let mut came = self.collector.came.subscribe();
            while !reached(&self.seen()) {
                // The sender lives as long as this borrow, so the channel does not close.
                came.changed().await.ok();
            }
        };
        within_patience("spans that are not sent", reaching).await;
    }
}

impl Drop for FakeCollector {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl CollectedTraces {
    /// The traces that begin with a span of this name, each as a tree: names and attributes, without ids and times.
    pub fn trees(&self, root: &str) -> Vec<String> {
        let mut roots: Vec<&CollectedSpan> =
            self.spans.iter().filter(|span| span.parent.is_empty() && span.name == root).collect();
        roots.sort_by_key(|span| span.began);
        roots.into_iter().map(|root| self.tree_below(root)).collect()
    }

    fn tree_below(&self, root: &CollectedSpan) -> String {
        let mut tree = String::new();
        self.write_tree(root, 0, &mut tree);
        tree
    }

    fn write_tree(&self, span: &CollectedSpan, depth: usize, tree: &mut String) {
        let indent = "  ".repeat(depth);
        let failed = if span.failed { " FAILED" } else { "" };
        writeln!(tree, "{indent}{} ({}){failed}", span.name, span.kind).ok();
        for (key, value) in &span.attributes {
            writeln!(tree, "{indent}    {key} = {value}").ok();
        }
        let mut children: Vec<&CollectedSpan> =
            self.spans.iter().filter(|child| child.parent == span.id).collect();
        children.sort_by_key(|child| child.began);
        for child in children {
            self.write_tree(child, depth + 1, tree);
        }
    }
}

async fn take_spans(State(collector): State<Arc<Collector>>, headers: HeaderMap, body: Bytes) -> Response {
    let mood = *collector.mood.lock().unwrap_or_else(PoisonError::into_inner);
    let is_protobuf = headers.get("content-type").is_some_and(|kind| kind == "application/x-protobuf");
    let Some(request) = ExportTraceServiceRequest::decode(body.clone()).ok().filter(|_| is_protobuf) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    {
        let mut seen = collector.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.requests += 1;
        seen.bytes.extend_from_slice(&body);
        let key = headers.get("api-key").and_then(|key| key.to_str().ok());
        seen.keys.extend(key.map(str::to_owned));
        // What it fails to keep it is sent in vain.
        if matches!(mood, CollectorMood::Takes | CollectorMood::Garbage) {
            for of_resource in request.resource_spans {
                seen.resource.extend(named(of_resource.resource.unwrap_or_default().attributes));
                let spans = of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
                seen.spans.extend(spans.map(collected));
            }
        }
    }
    collector.came.send_modify(|came| *came += 1);
    match mood {
        CollectorMood::Takes => StatusCode::OK.into_response(),
        CollectorMood::Hangs => std::future::pending().await,
        CollectorMood::Fails => {
            (StatusCode::INTERNAL_SERVER_ERROR, "<html>something is wrong</html>").into_response()
        }
        CollectorMood::Garbage => (StatusCode::OK, vec![0xff_u8; 1 << 20]).into_response(),
    }
}

fn collected(span: Span) -> CollectedSpan {
    let status = span.status.clone().unwrap_or_default();
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").ok();
            hex
        })
    };
    let events: Vec<String> = span.events.iter().map(|event| format!("{event:?}")).collect();
    CollectedSpan {
        trace: hex(&span.trace_id),
        id: hex(&span.span_id),
        parent: hex(&span.parent_span_id),
        kind: format!("{:?}", SpanKind::try_from(span.kind).unwrap_or_default()).to_lowercase(),
        name: span.name,
        failed: status.code == i32::from(SpanStatus::Error),
        words: format!("{}{}", status.message, events.concat()),
        began: span.start_time_unix_nano,
        ended: span.end_time_unix_nano,
        attributes: named(span.attributes).collect(),
    }
}

fn named(attributes: Vec<KeyValue>) -> impl Iterator<Item = (String, String)> {
    attributes
        .into_iter()
        .map(|attribute| (attribute.key, shown(attribute.value.and_then(|value| value.value))))
}

fn shown(value: Option<Value>) -> String {
    match value {
        Some(Value::StringValue(text)) => text,
        Some(Value::BoolValue(flag)) => flag.to_string(),
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::DoubleValue(number)) => number.to_string(),
        Some(Value::ArrayValue(list)) => {
            let of = |value: AnyValue| shown(value.value);
            format!("{:?}", list.values.into_iter().map(of).collect::<Vec<_>>())
        }
        other => format!("{other:?}"),
    }
}
