//! Log lines on stderr, and the spans of traces beside them.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _},
};

use myao_config::{LogFormat, Logging};
use myao_core::text::with_secrets_masked;
use tracing::Metadata;
use tracing_subscriber::{
    EnvFilter, Layer as _, Registry,
    filter::{FilterExt as _, LevelFilter, filter_fn},
    layer::SubscriberExt as _,
    reload,
    util::SubscriberInitExt as _,
};

use super::output::turns_text;
use crate::traces::{BoxedLayer, Traces};

/// Writes log lines. The formatter escapes control characters and adds colours. It does not escape characters that
/// reorder text, so they are replaced here, and secrets are masked.
struct Log<W>(W);

impl<W: io::Write> io::Write for Log<W> {
    /// Writes one complete line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = with_secrets_masked(&text);
        let shown = |c| if turns_text(c) { char::REPLACEMENT_CHARACTER } else { c };
        self.0.write_all(text.chars().map(shown).collect::<String>().as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Changes which lines are written.
pub(super) struct LogLevels(reload::Handle<EnvFilter, Registry>);

impl LogLevels {
    /// Writes from now on the lines that this configuration wants.
    pub(super) fn follow(&self, logging: &Logging) {
        if let Err(error) = self.0.reload(filter_of_lines(logging)) {
            tracing::warn!(%error, "the levels of log lines stay as they were");
        }
    }
}

/// Starts logging to stderr as configured, in colour on a terminal (unless `NO_COLOR` is set), and gives spans to
/// `traces`.
pub(super) fn start_logging(logging: &Logging, traces: Option<&Traces>) -> LogLevels {
    let (filter, levels) = reload::Layer::new(filter_of_lines(logging));
    let log = tracing_subscriber::fmt::layer().with_writer(|| Log(io::stderr()));
    let log = if io::stderr().is_terminal() { log } else { log.with_ansi(false) };
    // Spans are none of its business: without traces nobody wants them, and then they are not even made.
    // Without a level of its own it would let everything be looked at that is logged, statement by statement.
    let filter = filter.and(filter_fn(is_line).with_max_level_hint(LevelFilter::TRACE));
    let log: BoxedLayer = match logging.format {
        LogFormat::Full => log.with_filter(filter).boxed(),
        LogFormat::Compact => log.without_time().with_target(false).compact().with_filter(filter).boxed(),
        LogFormat::Json => log.json().with_filter(filter).boxed(),
    };
    let layers: Vec<BoxedLayer> = std::iter::once(log).chain(traces.map(Traces::layer)).collect();
    // It fails if logging was started before in this process (tests), and the first one stays.
    drop(tracing_subscriber::registry().with(layers).try_init());
    LogLevels(levels)
}

/// Whether it is a log line, and not a span.
fn is_line(metadata: &Metadata<'_>) -> bool {
    metadata.is_event()
}

fn filter_of_lines(logging: &Logging) -> EnvFilter {
    // sqlx warns of slow statements in full length, which is of no use to an owner. The HTTP and socket libraries log
    // whole bodies at TRACE and headers at DEBUG; that of agents repeats what they asked for, and calls it an error when
    // one goes away.
    let mut filter = format!(
        "{},sqlx=error,h2=info,hyper=info,hyper_util=info,reqwest=info,rmcp=off,rustls=info,tungstenite=info",
        logging.level
    );
    for (logger, level) in &logging.loggers {
        write!(filter, ",{logger}={level}").ok();
    }
    EnvFilter::builder().parse_lossy(filter)
}
