//! Writes to the terminal: results to stdout, everything else to stderr.

use std::{
    fmt::Write as FmtWrite,
    io::{self, IsTerminal as _, Write as _},
    sync::OnceLock,
};

use comfy_table::Table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;
use serde_json::Value;

use super::Failure;

/// Below this rate, a fraction tells something.
const FEW: f64 = 10.0;
/// The first error of writing to stdout.
static UNSAID: OnceLock<io::Error> = OnceLock::new();

/// Prints a line of a result. A closed pipe (`| head`) is ignored; any other error is reported at the end ([`write_error`]).
pub(super) fn print_line(line: &str) {
    write_line(&with_visible_controls(line));
}

/// Prints a result that holds our own colour codes. The caller has made the rest of it [`with_visible_controls`].
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

/// The error, such as a full disk, because of which a part of the result is missing on stdout.
pub(super) fn write_error() -> Option<&'static io::Error> {
    UNSAID.get()
}

/// Prints a line that is not part of the result.
pub(super) fn print_to_stderr(line: &str) {
    drop(writeln!(io::stderr().lock(), "{}", with_visible_controls(line)));
}

/// Puts a text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first `most` characters of a text, with "…" if there are more.
pub(super) fn shorten_text(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Writes a count with its noun: `1 message`, `2 messages`, `2 memories`, `2 people`.
pub(super) fn count_with_noun(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    match (count, noun, noun.strip_suffix('y')) {
        (1, ..) => format!("1 {noun}"),
        (_, "person", _) => format!("{count} people"),
        (_, _, Some(stem)) => format!("{count} {stem}ies"),
        (..) => format!("{count} {noun}s"),
    }
}

/// A JSON object with the fields of both.
pub(super) fn merge_objects(mut value: Value, more: Value) -> Value {
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

/// Makes terminal control characters visible: what people write in a chat must not move the reader's cursor, colour
/// their terminal, retitle its window, or make a line read backwards.
pub(super) fn with_visible_controls(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(u32::from(c) + 0x2400).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() || turns_text(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Whether a character reorders text: the bidirectional controls of Unicode (UAX #9), by which a line can show its end
/// before its beginning, and the invisible line separators.
pub(super) fn turns_text(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Prints a result as JSON.
pub(super) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // JSON does not require these to be escaped, but some terminals obey them.
        if matches!(c, '\u{7f}'..='\u{9f}') || turns_text(c) {
            write!(safe, "\\u{:04x}", u32::from(c)).map_err(anyhow::Error::from)?;
        } else {
            safe.push(c);
        }
    }
    write_line(&safe);
    Ok(())
}

/// Prints a table, without the spaces at the end of its lines.
pub(super) fn say_table(table: &Table) {
    table.lines().for_each(|line| print_line(line.trim_end()));
}

/// A table without a frame, with the headings `head`.
pub(super) fn bare_table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table
}

/// A progress bar with how many units are done, how many a second, and the time that is left; hidden when stderr is no
/// terminal.
pub(super) fn progress_bar(length: u64, what: &str, units: &str) -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let template =
        format!("{{msg:<28}} {{bar:24}} {{pos}}/{{len}} {units}, {{rate}}  {{elapsed}} (about {{eta}} left)");
    let style = ProgressStyle::with_template(&template)
        .unwrap_or_else(|_e| ProgressStyle::default_bar())
        .with_key("rate", write_rate);
    bar.set_style(style);
    bar.set_message(what.to_owned());
    bar
}

/// How many units a second are done; a fraction only where they are few.
fn write_rate(state: &ProgressState, to: &mut dyn FmtWrite) {
    let rate = state.per_sec();
    let written = if rate < FEW { write!(to, "{rate:.1}/s") } else { write!(to, "{rate:.0}/s") };
    // A bar without its rate is better than none.
    written.ok();
}
