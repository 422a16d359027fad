//! Reads the variables by which every program that sends traces is told where to (OpenTelemetry's `OTEL_…`), and makes
//! of them how this one sends its own (ADR 131).

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use super::{
    Config, Secret,
    error::{ConfigError, ConfigFault, Problem},
};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const EXPORTER: &str = "OTEL_TRACES_EXPORTER";
const DISABLED: &str = "OTEL_SDK_DISABLED";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
const RESOURCE: &str = "OTEL_RESOURCE_ATTRIBUTES";
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const SAMPLER_ARG: &str = "OTEL_TRACES_SAMPLER_ARG";
/// What is set for traces alone comes before what is set for all that is sent.
const HEADERS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"];
const PROTOCOL: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
const TIMEOUT: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
const COMPRESSION: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "OTEL_EXPORTER_OTLP_COMPRESSION"];
/// Certificates are those of the machine: a variable that names another one is not passed over in silence.
const CERTIFICATES: [&str; 6] = [
    "OTEL_EXPORTER_OTLP_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_CLIENT_KEY",
    "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY",
];
/// How long a collector has to take a batch unless a variable says otherwise, by OpenTelemetry's specification.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
const SERVICE: &str = "myao";

/// The `OTEL_…` variables that are read, as they were when the configuration was. Headers and addresses hold keys, so all
/// values are kept as secrets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceVariables(BTreeMap<&'static str, Secret>);

/// Where and how traces are sent.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceExport {
    /// The address to which batches are posted. It may hold a password.
    pub endpoint: Secret,
    /// Headers of each request: names and values.
    pub headers: Vec<(String, Secret)>,
    /// How long one request may take.
    pub timeout: Duration,
    /// What is told of this program: `service.name`, and what `OTEL_RESOURCE_ATTRIBUTES` adds.
    pub resource: BTreeMap<String, String>,
    /// The share of traces that is sent, from 0 to 1.
    pub ratio: f64,
}

impl TraceVariables {
    pub(super) fn read(env: impl Fn(&str) -> Option<String>) -> Self {
        let single =
            [ENDPOINT, TRACES_ENDPOINT, EXPORTER, DISABLED, SERVICE_NAME, RESOURCE, SAMPLER, SAMPLER_ARG];
        let names = single.into_iter().chain([HEADERS, PROTOCOL, TIMEOUT, COMPRESSION].into_iter().flatten());
        let found = |name| Some((name, Secret::new(env(name).filter(|value| !value.trim().is_empty())?)));
        Self(names.chain(CERTIFICATES).filter_map(found).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.expose().trim())
    }

    /// The first of these that is set, with its name.
    fn first(&self, names: [&'static str; 2]) -> Option<(&'static str, &str)> {
        names.into_iter().find_map(|name| Some((name, self.get(name)?)))
    }

    /// Whether a variable asks for traces at all.
    fn ask_for_traces(&self) -> bool {
        let is_off = self.get(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || self.get(EXPORTER) == Some("none")
            || matches!(self.get(SAMPLER), Some("always_off" | "parentbased_always_off"));
        !is_off && (self.get(ENDPOINT).is_some() || self.get(TRACES_ENDPOINT).is_some())
    }

    fn export(&self, problems: &mut Problems) -> TraceExport {
        self.refuse_what_is_not_supported(problems);
        let endpoint = match (self.get(TRACES_ENDPOINT), self.get(ENDPOINT)) {
            (Some(whole), _) => (TRACES_ENDPOINT, whole.to_owned()),
            (None, base) => {
                (ENDPOINT, format!("{}/v1/traces", base.unwrap_or_default().trim_end_matches('/')))
            }
        };
        if !["http://", "https://"].iter().any(|scheme| endpoint.1.starts_with(scheme)) {
            problems.add(endpoint.0, "an address that begins with `http://` or `https://`");
        }
        let headers = self.first(HEADERS).map(|(name, text)| {
            pairs(text).unwrap_or_else(|| {
                problems.add(name, "pairs as in `api-key=…,tenant=…`, with `%2C` for a comma in a value");
                Vec::new()
            })
        });
        let mut resource = BTreeMap::from([("service.name".to_owned(), SERVICE.to_owned())]);
        match self.get(RESOURCE).map(pairs) {
            Some(Some(more)) => resource.extend(more),
            Some(None) => problems.add(RESOURCE, "pairs as in `deployment.environment.name=test,team=a`"),
            None => {}
        }
        if let Some(name) = self.get(SERVICE_NAME) {
            resource.insert("service.name".to_owned(), name.to_owned());
        }
        let timeout = self.first(TIMEOUT).and_then(|(name, text)| {
            let millis = text.parse().ok().filter(|millis| *millis > 0);
            if millis.is_none() {
                problems.add(name, "milliseconds, at least 1");
            }
            millis.map(Duration::from_millis)
        });
        TraceExport {
            endpoint: Secret::new(endpoint.1),
            headers: headers
                .unwrap_or_default()
                .into_iter()
                .map(|(name, value)| (name, Secret::new(value)))
                .collect(),
            timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
            resource,
            ratio: self.ratio(problems),
        }
    }

    /// Every trace begins here, so that a sampler that follows a parent is the one for what has no parent.
    fn ratio(&self, problems: &mut Problems) -> f64 {
        match self.get(SAMPLER) {
            None | Some("always_on" | "parentbased_always_on") => 1.0,
            Some("traceidratio" | "parentbased_traceidratio") => {
                let share = self.get(SAMPLER_ARG).map_or(Some(1.0), |share| share.parse().ok());
                share.filter(|share| (0.0..=1.0).contains(share)).unwrap_or_else(|| {
                    problems.add(SAMPLER_ARG, "a number from 0 to 1");
                    1.0
                })
            }
            Some(_) => {
                problems.add(
                    SAMPLER,
                    "`always_on`, `always_off` or `traceidratio`, or one of these with `parentbased_` before it",
                );
                1.0
            }
        }
    }

    fn refuse_what_is_not_supported(&self, problems: &mut Problems) {
        if !matches!(self.get(EXPORTER), None | Some("otlp")) {
            problems.add(EXPORTER, "`otlp` or `none`; nothing else is supported");
        }
        if let Some((name, value)) = self.first(PROTOCOL)
            && value != "http/protobuf"
        {
            problems
                .add(name, "`http/protobuf`; nothing else is supported (a collector hears it on port 4318)");
        }
        if let Some((name, value)) = self.first(COMPRESSION)
            && value != "none"
        {
            problems.add(name, "`none`; nothing else is supported");
        }
        for name in CERTIFICATES.into_iter().filter(|name| self.get(name).is_some()) {
            problems.add(name, "no value: certificates are those that this machine trusts");
        }
    }
}

impl Config {
    /// Where traces are sent; `None` if no variable asks for that.
    ///
    /// # Errors
    /// When a variable has a value that is wrong or not supported: all problems at once.
    pub fn trace_export(&self) -> Result<Option<TraceExport>, ConfigError> {
        if !self.traces.ask_for_traces() {
            return Ok(None);
        }
        let mut problems = Problems(Vec::new());
        let export = self.traces.export(&mut problems);
        if problems.0.is_empty() { Ok(Some(export)) } else { Err(ConfigError::Faulty(problems.0)) }
    }
}

/// What is wrong with variables.
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, variable: &str, expected: &str) {
        let found = "something else".to_owned();
        let fault = ConfigFault::Unexpected { expected: expected.to_owned(), found, suggestion: None };
        let file = PathBuf::from("environment or .env");
        self.0.push(Problem { file, line: None, key: Some(variable.to_owned()), fault });
    }
}

/// The pairs of a list as in `a=1,b=2`, in which values are percent-encoded; `None` if it is no such list.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| {
            let (name, value) = item.split_once('=')?;
            let name = name.trim();
            (!name.is_empty()).then(|| Some((name.to_owned(), percent_decoded(value.trim())?)))?
        })
        .collect()
}

/// A text in which `%2C` stands for a comma and so on; `None` if what stands there is no text.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        let value = digit()? * 16 + digit()?;
        bytes.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(bytes).ok()
}
