//! Posts batches of spans to a collector, as protobuf over HTTP.
//!
//! This is the one way out, so that it holds here what spans may tell: attributes that are not listed are left out, and so
//! are events and the descriptions of errors. What a collector answers is not shown anywhere.

use std::{fmt, sync::Mutex, sync::PoisonError, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_companion::spans::SPAN_ATTRIBUTES;
use myao_config::TraceExport;
use myao_core::{chat::instant_after, ports::Clock as _};
use opentelemetry::{Array, KeyValue, StringValue, Value, trace::Status};
use opentelemetry_proto::{
    tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
    transform::{
        common::tonic::ResourceAttributesWithSchema, trace::tonic::group_spans_by_resource_and_scope,
    },
};
use opentelemetry_sdk::{
    Resource,
    error::{OTelSdkError, OTelSdkResult},
    trace::{SpanData, SpanEvents, SpanExporter},
};
use prost::Message as _;
use reqwest::{
    Client, Response, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use tokio::runtime::Handle;

use crate::{clock::SystemClock, failure::Failure};

/// A collector that does not answer is told of no more often than this.
const TOLD_EVERY: SignedDuration = SignedDuration::from_mins(10);
/// The most that is read of a collector's answer, which is a number and perhaps a sentence.
const LONGEST_ANSWER: usize = 64 << 10;
/// The attribute that is a list, which the fields of spans cannot hold.
const LIST: &str = "gen_ai.response.finish_reasons";

/// Where and how batches are posted. Its `Debug` shows nothing of the headers.
pub(super) struct SpanPost {
    client: Client,
    url: Url,
    headers: HeaderMap,
    timeout: Duration,
    resource: ResourceAttributesWithSchema,
    runtime: Handle,
    trouble: Mutex<CollectorTrouble>,
}

/// What is known of a collector that takes nothing.
#[derive(Debug, Default)]
struct CollectorTrouble {
    /// How many spans were dropped since it was told last.
    dropped: usize,
    /// When it was told last that it takes nothing, in steady time; `None` while it takes all.
    told: Option<Timestamp>,
    is_down: bool,
}

/// Why a batch was not taken.
#[derive(Debug, thiserror::Error)]
enum NotTaken {
    #[error("there is no answer within {} s", .0.as_secs_f64())]
    TooSlow(Duration),
    #[error("it cannot be reached")]
    Unreachable,
    #[error("it answers with status {0}")]
    Status(u16),
    #[error("it took all but {0} of the spans")]
    Rejected(i64),
    #[error("the program is stopping")]
    Stopping,
}

impl SpanPost {
    pub(super) fn new(export: &TraceExport, client: Client, resource: &Resource) -> Result<Self, Failure> {
        let wrong = |what: &str| Failure::usage(format!("traces cannot be sent: {what}"));
        let url = Url::parse(export.endpoint.expose())
            .map_err(|error| wrong(&format!("the collector's address: {error}")))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &export.headers {
            let header = HeaderName::try_from(name.as_str()).ok();
            let value = HeaderValue::try_from(value.expose()).ok();
            let (Some(header), Some(mut value)) = (header, value) else {
                return Err(wrong(
                    "a header of OTEL_EXPORTER_OTLP_HEADERS has a name or a value that none can have",
                ));
            };
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        Ok(Self {
            client,
            url,
            headers,
            timeout: export.timeout,
            resource: resource.into(),
            runtime: Handle::current(),
            trouble: Mutex::default(),
        })
    }

    /// The address without what may be a secret in it.
    pub(super) fn address(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{host}{port}{}", self.url.scheme(), self.url.path())
    }

    async fn send(&self, body: Vec<u8>) -> Result<(), NotTaken> {
        let call = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let call = call.timeout(self.timeout);
        let timeout = self.timeout;
        let posting = self.runtime.spawn(async move {
            let of_error = |error: reqwest::Error| {
                if error.is_timeout() { NotTaken::TooSlow(timeout) } else { NotTaken::Unreachable }
            };
            let answer = call.send().await.map_err(of_error)?;
            let status = answer.status();
            if !status.is_success() {
                return Err(NotTaken::Status(status.as_u16()));
            }
            match rejected_spans(answer).await {
                0 => Ok(()),
                rejected => Err(NotTaken::Rejected(rejected)),
            }
        });
        posting.await.unwrap_or(Err(NotTaken::Stopping))
    }

    /// Tells of a collector that takes nothing, now and then, and when it takes spans again.
    fn note_outcome(&self, spans: usize, sent: &Result<(), NotTaken>) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let Err(why) = sent else {
            if std::mem::take(&mut trouble.is_down) {
                tracing::info!("the collector of traces takes spans again");
            }
            return;
        };
        trouble.is_down = true;
        trouble.dropped = trouble.dropped.saturating_add(spans);
        let now = SystemClock.steady();
        if trouble.told.is_none_or(|told| instant_after(told, TOLD_EVERY) <= now) {
            trouble.told = Some(now);
            let dropped = std::mem::take(&mut trouble.dropped);
            tracing::warn!(%why, dropped, "the collector of traces takes no spans; everything else goes on");
        }
    }
}

impl SpanExporter for SpanPost {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let batch = batch.into_iter().map(without_words).collect();
        let resource_spans = group_spans_by_resource_and_scope(batch, &self.resource);
        let sent = self.send(ExportTraceServiceRequest { resource_spans }.encode_to_vec()).await;
        self.note_outcome(spans, &sent);
        sent.map_err(|why| OTelSdkError::InternalFailure(why.to_string()))
    }
}

impl fmt::Debug for SpanPost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpanPost").field("address", &self.address()).finish_non_exhaustive()
    }
}

/// A span with nothing in it but what is listed.
fn without_words(mut span: SpanData) -> SpanData {
    span.attributes.retain(|attribute| SPAN_ATTRIBUTES.contains(&attribute.key.as_str()));
    for attribute in &mut span.attributes {
        if attribute.key.as_str() == LIST {
            as_list(attribute);
        }
    }
    span.events = SpanEvents::default();
    if matches!(span.status, Status::Error { .. }) {
        span.status = Status::error("");
    }
    span
}

fn as_list(attribute: &mut KeyValue) {
    let only = StringValue::from(attribute.value.as_str().into_owned());
    attribute.value = Value::Array(Array::String(vec![only]));
}

/// How many spans a collector did not take. An answer that is none counts as none: it answered with success.
async fn rejected_spans(mut answer: Response) -> i64 {
    let mut body = Vec::new();
    while let Ok(Some(piece)) = answer.chunk().await {
        if body.len() + piece.len() > LONGEST_ANSWER {
            return 0;
        }
        body.extend_from_slice(&piece);
    }
    let answer = ExportTraceServiceResponse::decode(body.as_slice()).unwrap_or_default();
    answer.partial_success.map_or(0, |partial| partial.rejected_spans)
}
