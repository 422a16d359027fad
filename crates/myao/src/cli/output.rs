//! What reaches the terminal: results on stdout, everything else on stderr.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    sync::OnceLock,
};

use comfy_table::Table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use myao_config::{LogFormat, Logging};
use serde::Serialize;
use tracing_subscriber::EnvFilter;

use super::Failure;

/// Why a result did not reach stdout: a process has one, and what could not be said once is missing for good.
static UNSAID: OnceLock<io::Error> = OnceLock::new();

/// A line of a result. A closed pipe (`| head`) ends the program's interest in it, not the program; any other
/// failure is told at the end ([`unsaid`]).
pub(super) fn say(line: &str) {
    write_line(&visible(line));
}

/// A result with colours of ours in it: whoever calls made the text between them [`visible`].
pub(super) fn say_marked(text: &str) {
    write_line(text);
}

fn write_line(line: &str) {
    if let Err(error) = writeln!(io::stdout().lock(), "{line}")
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        UNSAID.get_or_init(|| error);
    }
}

/// Why some result is missing on stdout, say because the disk is full.
pub(super) fn unsaid() -> Option<&'static io::Error> {
    UNSAID.get()
}

/// A line that is no result.
pub(super) fn complain(line: &str) {
    drop(writeln!(io::stderr().lock(), "{}", visible(line)));
}

/// Text with what controls a terminal to be seen, not obeyed: what people write in a chat must not move the
/// cursor of whoever reads it here, colour their terminal, retitle its window, or make a line read backwards.
pub(super) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(u32::from(c) + 0x2400).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() || turns_text(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Whether a character orders others instead of being seen: the bidirectional controls of Unicode (UAX #9), by
/// which a line can show its end before its beginning, and the separators that end a line unseen.
fn turns_text(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// A result for scripts.
pub(super) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // JSON lets these stand as they are; some terminals obey them.
        if matches!(c, '\u{7f}'..='\u{9f}') || turns_text(c) {
            write!(safe, "\\u{:04x}", u32::from(c)).map_err(anyhow::Error::from)?;
        } else {
            safe.push(c);
        }
    }
    write_line(&safe);
    Ok(())
}

/// A table as a result, without the blanks that fill its last column.
pub(super) fn say_table(table: &Table) {
    table.lines().for_each(|line| say(line.trim_end()));
}

/// A table without frame, its columns under `head`.
pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table
}

/// A bar with the time that is left; silent where nobody watches.
pub(super) fn bar(length: u64, what: &str) -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let style = ProgressStyle::with_template("{msg:<28} {bar:30} {pos}/{len}  {elapsed} (about {eta} left)")
        .unwrap_or_else(|_e| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(what.to_owned());
    bar
}

/// Where lines of the log are written. Control characters of what is logged are escaped by the formatter, whose
/// colours pass; what would order the text is not.
struct Log<W>(W);

impl<W: io::Write> io::Write for Log<W> {
    /// Takes one line, whole.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let shown = |c| if turns_text(c) { char::REPLACEMENT_CHARACTER } else { c };
        self.0.write_all(text.chars().map(shown).collect::<String>().as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Logs to stderr as configured, coloured where somebody watches (and `NO_COLOR` does not forbid it).
pub(super) fn start_logging(logging: &Logging) {
    // The driver warns of slow statements in their whole length: of interest to us, not to an owner.
    // The libraries that carry calls to models and to Slack show whole bodies at TRACE, headers at DEBUG.
    let mut filter = format!(
        "{},sqlx=error,h2=info,hyper=info,hyper_util=info,reqwest=info,rustls=info,tungstenite=info",
        logging.level
    );
    for (logger, level) in &logging.loggers {
        write!(filter, ",{logger}={level}").ok();
    }
    let filter = EnvFilter::builder().parse_lossy(filter);
    let mut log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| Log(io::stderr()));
    if !io::stderr().is_terminal() {
        log = log.with_ansi(false);
    }
    // A second start in one process (tests) keeps the first.
    drop(match logging.format {
        LogFormat::Full => log.try_init(),
        LogFormat::Compact => log.without_time().with_target(false).compact().try_init(),
        LogFormat::Json => log.json().try_init(),
    });
}
