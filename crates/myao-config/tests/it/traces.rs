//! OpenTelemetry's variables.

use std::{collections::BTreeMap, time::Duration};

use insta::assert_snapshot;
use myao_config::TraceExport;

use crate::loaded::load;

const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318/");

fn export(variables: &[(&str, &str)]) -> Option<TraceExport> {
    load("prompt: {max_tokens: 8000}\n", variables).unwrap().config.trace_export().unwrap()
}

fn complaint(variables: &[(&str, &str)]) -> String {
    let variables = [&[ENDPOINT], variables].concat();
    load("prompt: {max_tokens: 8000}\n", &variables).unwrap().config.trace_export().unwrap_err().to_string()
}

#[test]
fn nothing_is_sent_unless_an_address_says_where_to() {
    assert_eq!(export(&[]), None);
    assert_eq!(export(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "  ")]), None);
    assert_eq!(export(&[("OTEL_EXPORTER_OTLP_HEADERS", "a=b"), ("OTEL_SERVICE_NAME", "x")]), None);
    for off in [
        ("OTEL_SDK_DISABLED", "TRUE"),
        ("OTEL_TRACES_EXPORTER", "none"),
        ("OTEL_TRACES_SAMPLER", "parentbased_always_off"),
    ] {
        assert_eq!(export(&[ENDPOINT, off]), None, "{off:?}");
    }
    let sent = export(&[ENDPOINT]).unwrap();
    assert_eq!(sent.endpoint.expose(), "http://localhost:4318/v1/traces");
    assert_eq!(sent.timeout, Duration::from_secs(10));
    assert_eq!(sent.resource, BTreeMap::from([("service.name".to_owned(), "myao".to_owned())]));
    assert!(sent.headers.is_empty());
}

#[test]
fn what_is_set_for_traces_comes_before_what_is_set_for_all() {
    let sent = export(&[
        ENDPOINT,
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://user:pass@collector/as/it/is"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "all=1"),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "api-key = a%2Cb%20c , tenant=d=e,"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "1"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "250"),
        ("OTEL_RESOURCE_ATTRIBUTES", "service.name=other,team=blue"),
        ("OTEL_SERVICE_NAME", "mia"),
        ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
        ("OTEL_TRACES_SAMPLER_ARG", "0.25"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf"),
    ])
    .unwrap();
    assert_eq!(sent.endpoint.expose(), "https://user:pass@collector/as/it/is");
    let headers: Vec<_> = sent.headers.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
    assert_eq!(headers, [("api-key", "a,b c"), ("tenant", "d=e")]);
    assert_eq!(sent.timeout, Duration::from_millis(250));
    assert_eq!(sent.resource["service.name"], "mia");
    assert_eq!(sent.resource["team"], "blue");
    assert!((sent.ratio - 0.25).abs() < f64::EPSILON);
    assert!(!format!("{sent:?}").contains("pass"), "{sent:?}");
}

#[test]
fn what_cannot_be_followed_is_an_error_without_its_value() {
    assert_snapshot!(complaint(&[
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "0"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=%zz"),
        ("OTEL_RESOURCE_ATTRIBUTES", "=b"),
        ("OTEL_TRACES_SAMPLER", "traceidratio"),
        ("OTEL_TRACES_SAMPLER_ARG", "2"),
        ("OTEL_EXPORTER_OTLP_CLIENT_KEY", "/key"),
    ]));
}
