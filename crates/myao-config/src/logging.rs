//! Reads `logging.*`.

use std::path::PathBuf;

use tracing::Level;

use super::{
    node::Value,
    section::{Section, most_similar_word},
};

/// `logging.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logging {
    /// The log level. Python's names are understood: `CRITICAL` is `ERROR`.
    pub level: Level,
    /// The format of a line.
    pub format: LogFormat,
    /// Other levels for parts of the program, by target.
    pub loggers: Vec<(String, Level)>,
    /// Whether requests to models and their answers are recorded.
    pub debug_llm_messages: bool,
    /// The file for recordings; `None`: a file next to the database.
    pub debug_llm_file: Option<PathBuf>,
}

/// `logging.format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Time, level, target, message.
    Full,
    /// Level and message, for systems whose journal adds the time.
    Compact,
    /// One JSON object per line.
    Json,
}

impl LogFormat {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::Json => "json",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Full, Self::Compact, Self::Json].into_iter().find(|format| format.as_str() == text)
    }

    /// The format that is nearest to one of Python's format strings, as in `%(asctime)s %(message)s`.
    fn from_python(text: &str) -> Option<Self> {
        if !text.contains("%(") {
            return None;
        }
        let is_json = text.trim_start().starts_with('{');
        let has_time = text.contains("%(asctime)") || text.contains("%(created)");
        Some(if is_json {
            Self::Json
        } else if has_time {
            Self::Full
        } else {
            Self::Compact
        })
    }
}

const LEVELS: [(&str, Level); 7] = [
    ("TRACE", Level::TRACE),
    ("DEBUG", Level::DEBUG),
    ("INFO", Level::INFO),
    ("WARNING", Level::WARN),
    ("WARN", Level::WARN),
    ("ERROR", Level::ERROR),
    ("CRITICAL", Level::ERROR),
];
const EXPECTED_LEVEL: &str = "TRACE, DEBUG, INFO, WARNING, ERROR or CRITICAL";

fn parse_level(text: &str) -> Option<Level> {
    LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, level)| *level)
}

pub(super) fn read_logging_section(section: &mut Section<'_>) -> Logging {
    Logging {
        level: section.word("level", EXPECTED_LEVEL, parse_level).unwrap_or(Level::INFO),
        format: read_format(section),
        loggers: read_loggers(section),
        debug_llm_messages: section.flag("debug_llm_messages", false),
        debug_llm_file: section.text("debug_llm_file").map(PathBuf::from),
    }
}

fn read_format(section: &mut Section<'_>) -> LogFormat {
    let mut mapped = None;
    let expected = "`full`, `compact`, `json` or a Python format string with %(…)s";
    let format = section.word("format", expected, |text| {
        mapped = LogFormat::from_python(text);
        mapped.or_else(|| LogFormat::parse(text))
    });
    if let Some(format) = mapped {
        let note = format!("a Python format string; `{}`, the nearest of ours, is used", format.as_str());
        section.note("format", &note);
    }
    format.unwrap_or(LogFormat::Full)
}

fn read_loggers(section: &mut Section<'_>) -> Vec<(String, Level)> {
    let mut loggers = Vec::new();
    for entry in section.map("loggers") {
        let value = &entry.node.value;
        match value.as_text().and_then(parse_level) {
            Some(level) => loggers.push((entry.key.clone(), level)),
            None if *value == Value::Faulty => {}
            None => {
                let names = LEVELS.iter().map(|(name, _)| *name);
                let near =
                    value.as_text().and_then(|text| most_similar_word(&text.to_uppercase(), names, 0.6));
                section.unexpected_in("loggers", entry, EXPECTED_LEVEL, near.map(ToOwned::to_owned));
            }
        }
    }
    loggers
}
