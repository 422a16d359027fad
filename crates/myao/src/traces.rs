//! Sends traces to a collector where `OTEL_EXPORTER_OTLP_ENDPOINT` names one (ADR 131). Without that, nothing here runs,
//! and no span is made anywhere.

mod export;

use std::time::Duration;

use myao_companion::spans::SPAN_TARGET;
use myao_config::TraceExport;
use opentelemetry::{
    KeyValue,
    trace::{TraceContextExt as _, TracerProvider as _},
};
use opentelemetry_sdk::{
    Resource,
    resource::TelemetryResourceDetector,
    trace::{BatchSpanProcessor, Sampler, SdkTracerProvider},
};
use tracing::{Span, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{Layer, Registry, filter::FilterFn};

use self::export::SpanPost;
use crate::failure::Failure;

/// What a subscriber of log lines and spans is built from.
pub(crate) type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Collects spans and sends them, in batches and by a thread of its own. What cannot be sent is dropped: at most 2,048
/// spans wait, and nothing waits for them.
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    address: String,
}

impl Traces {
    /// Begins to send. Within a runtime, which makes the requests.
    pub(crate) fn start(export: &TraceExport, client: reqwest::Client) -> Result<Self, Failure> {
        let attributes = export.resource.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let resource = Resource::builder_empty()
            .with_detector(Box::new(TelemetryResourceDetector))
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attributes(attributes)
            .build();
        let root =
            if export.ratio < 1.0 { Sampler::TraceIdRatioBased(export.ratio) } else { Sampler::AlwaysOn };
        let post = SpanPost::new(export, client, &resource)?;
        let address = post.address();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(post).build())
            .with_sampler(Sampler::ParentBased(Box::new(root)))
            .with_resource(resource)
            .build();
        Ok(Self { provider, address })
    }

    /// Where they are sent, without passwords.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What takes the spans. Log lines are no part of them: these tell names and words.
    pub(crate) fn layer(&self) -> BoxedLayer {
        let ours = FilterFn::new(|metadata| metadata.is_span() && metadata.target() == SPAN_TARGET);
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("myao"))
            .with_context_activation(false)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_error_fields_to_exceptions(false)
            .with_error_records_to_exceptions(false)
            .with_error_events_to_exceptions(false)
            .with_error_events_to_status(false)
            .with_filter(ours.with_max_level_hint(LevelFilter::INFO))
            .boxed()
    }

    /// Sends what still waits, as far as that is done within this time.
    pub(crate) async fn end(self, within: Duration) {
        // The thread that sends waits for the runtime, so that the runtime does not wait for it.
        let ended = tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(within)).await;
        if !matches!(ended, Ok(Ok(()))) {
            tracing::info!("the last spans of traces could not be sent in time");
        }
    }
}

/// The W3C header `traceparent` of what is being done; `None` where no trace is collected.
pub(crate) fn trace_parent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    let (trace, id, flags) = (span.trace_id(), span.span_id(), span.trace_flags().to_u8());
    span.is_valid().then(|| format!("00-{trace}-{id}-{flags:02x}"))
}
