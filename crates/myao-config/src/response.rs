//! Reads `response.*`: when to speak, and how much of the conversation to look at.

use super::section::Section;

/// The longest time span that is accepted anywhere, in seconds: ten years.
pub(super) const TEN_YEARS: u64 = 315_360_000;
/// The same in days.
const TEN_YEARS_IN_DAYS: u32 = 3650;

/// The default of `dynamic_wait.floor_wait_seconds`, unless `min_wait_seconds` is shorter.
const FLOOR_SECONDS: u64 = 60;

/// `response.*`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseSettings {
    /// The longest time in seconds until due judgments and memory work are looked for again.
    pub check_interval_seconds: u64,
    /// The silence before a judgment, in seconds.
    pub min_wait_seconds: u64,
    /// The largest share of the wait, 0 to 1, by which it is made longer or shorter at random.
    pub jitter_ratio: f64,
    /// How many messages of the conversation are shown, at least.
    pub message_limit: u32,
    /// How many messages of the place's whole channel are shown, at most, beside those that are in no memory yet.
    pub channel_messages_limit: u32,
    /// The age in seconds beyond which messages are neither judged nor answered.
    pub max_message_age_seconds: u64,
    /// The days without talk after which a channel is not judged.
    pub active_channel_days: u32,
    /// The days for which a thread's memory is shown.
    pub thread_memory_days: u32,
    /// Whether an answer that is one emoji is added as a reaction instead of being posted.
    pub reactions: bool,
    /// Whether answers in direct messages are shown while they are written.
    pub stream: bool,
    /// Beneath which answers people are asked by buttons what they think.
    pub feedback: Feedback,
    /// Whether prompts tell what those who speak owe, so that it may be brought up unasked.
    pub open_loops: bool,
    /// The time between answers that nobody asked for.
    pub response_interval: ResponseInterval,
    /// How long a verdict holds while nothing new is said.
    pub judgment_skip: JudgmentSkip,
    /// How much shorter the wait is the livelier a channel is.
    pub dynamic_wait: DynamicWait,
}

/// `response.feedback`: beneath which answers stand buttons by which people say what they think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// Beneath none, and the app asks for no reactions either.
    Never,
    /// Beneath answers in direct messages.
    #[default]
    Dm,
    /// Beneath all answers, and what is said unasked.
    Always,
}

impl Feedback {
    const ALL: [Self; 3] = [Self::Never, Self::Dm, Self::Always];

    /// The name in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Dm => "dm",
            Self::Always => "always",
        }
    }
}

/// `response.response_interval`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResponseInterval {
    /// The shortest interval.
    pub min: f64,
    /// The longest interval; not below `min`.
    pub max: f64,
}

/// `response.judgment_skip`.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgmentSkip {
    /// Whether the rest of this section counts; if not, a verdict holds only until the next check.
    pub enabled: bool,
    /// The thresholds, the highest confidence first.
    pub thresholds: Vec<SkipThreshold>,
    /// How many seconds a verdict holds that has a lower confidence than all of these.
    pub default_skip_seconds: u64,
}

/// How long a verdict with at least this confidence holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkipThreshold {
    /// The least confidence, 0 to 1.
    pub min_confidence: f64,
    /// How long the verdict holds, in seconds.
    pub skip_seconds: u64,
}

/// `response.dynamic_wait`.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicWait {
    /// Whether the rest of this section counts; if not, the wait is always `min_wait_seconds`.
    pub enabled: bool,
    /// In how many minutes up to now people's messages are counted.
    pub measurement_window_minutes: u32,
    /// The shortest wait in seconds, before jitter. The default is 60 s or `min_wait_seconds`, whichever is shorter, so
    /// that a file of the predecessor with a short wait keeps that.
    pub floor_wait_seconds: u64,
    /// The thresholds, the liveliest first.
    pub thresholds: Vec<WaitThreshold>,
    /// The share of the base wait in a channel that is quieter than all of these.
    pub default_multiplier: f64,
}

/// The share of the base wait in a channel that is at least this lively.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaitThreshold {
    /// The least number of people's messages per minute.
    pub min_score: f64,
    /// The share of the base wait.
    pub wait_multiplier: f64,
}

pub(super) fn read_response_section(section: &mut Section<'_>) -> ResponseSettings {
    let check_interval_seconds = section.whole("check_interval_seconds", 60, 1..=86_400);
    let min_wait_seconds = section.whole("min_wait_seconds", 300, 0..=TEN_YEARS);
    let message_limit = section.whole("message_limit", 20, 1..=10_000);
    let channel_messages_limit = section.whole("channel_messages_limit", 50, 0..=10_000);
    if channel_messages_limit < message_limit {
        let overruled = format!(
            "overrules response.message_limit ({message_limit}): of what memory holds, at most {channel_messages_limit} \
             messages are shown"
        );
        section.note("channel_messages_limit", &overruled);
    }
    ResponseSettings {
        check_interval_seconds,
        min_wait_seconds,
        jitter_ratio: section.number("jitter_ratio", 0.3, 0.0..=1.0),
        message_limit,
        channel_messages_limit,
        max_message_age_seconds: section.whole("max_message_age_seconds", 43_200, 1..=TEN_YEARS),
        active_channel_days: section.whole("active_channel_days", 7, 1..=TEN_YEARS_IN_DAYS),
        thread_memory_days: section.whole("thread_memory_days", 7, 0..=TEN_YEARS_IN_DAYS),
        reactions: section.flag("reactions", false),
        stream: section.flag("stream", true),
        feedback: section
            .word("feedback", "`dm`, `always` or `never`", |text| {
                Feedback::ALL.into_iter().find(|feedback| feedback.as_str() == text)
            })
            .unwrap_or_default(),
        open_loops: section.flag("open_loops", false),
        response_interval: section.section("response_interval", read_interval),
        judgment_skip: section.section("judgment_skip", read_skip),
        dynamic_wait: section.section("dynamic_wait", |section| read_wait(section, min_wait_seconds)),
    }
}

fn read_interval(section: &mut Section<'_>) -> ResponseInterval {
    let min = section.number("min", 3.0, 0.0..=86_400.0);
    let max = section.number("max", 10.0, 0.0..=86_400.0);
    if min > max {
        let key = if section.is_silent_about("max") { "min" } else { "max" };
        section.contradiction(key, &format!("expected min ≤ max, found {min} and {max}"));
    }
    ResponseInterval { min, max }
}

fn read_skip(section: &mut Section<'_>) -> JudgmentSkip {
    let default = [(0.9, 43_200), (0.7, 3600)]
        .map(|(min_confidence, skip_seconds)| SkipThreshold { min_confidence, skip_seconds });
    let mut thresholds = section.items("thresholds", default.to_vec(), |item| {
        item.require("min_confidence", "a number from 0 to 1");
        item.require("skip_seconds", "a number of seconds");
        let min_confidence = item.number_or("min_confidence", 0.0..=1.0);
        let skip_seconds = item.whole_or("skip_seconds", 0..=TEN_YEARS);
        Some(SkipThreshold { min_confidence: min_confidence?, skip_seconds: skip_seconds? })
    });
    thresholds.sort_by(|a, b| b.min_confidence.total_cmp(&a.min_confidence));
    JudgmentSkip {
        enabled: section.flag("enabled", true),
        thresholds,
        default_skip_seconds: section.whole("default_skip_seconds", 600, 0..=TEN_YEARS),
    }
}

fn read_wait(section: &mut Section<'_>, min_wait_seconds: u64) -> DynamicWait {
    let default = [(1.0, 0.2), (0.5, 0.4), (0.1, 0.7)]
        .map(|(min_score, wait_multiplier)| WaitThreshold { min_score, wait_multiplier });
    let mut thresholds = section.items("thresholds", default.to_vec(), |item| {
        item.require("min_score", "people's messages a minute");
        item.require("wait_multiplier", "a share of the wait");
        let min_score = item.number_or("min_score", 0.0..=10_000.0);
        let wait_multiplier = item.number_or("wait_multiplier", 0.0..=100.0);
        Some(WaitThreshold { min_score: min_score?, wait_multiplier: wait_multiplier? })
    });
    thresholds.sort_by(|a, b| b.min_score.total_cmp(&a.min_score));
    let enabled = section.flag("enabled", true);
    let floor_wait_seconds =
        section.whole("floor_wait_seconds", FLOOR_SECONDS.min(min_wait_seconds), 0..=TEN_YEARS);
    if enabled && floor_wait_seconds > min_wait_seconds {
        let overruled = format!(
            "overrules response.min_wait_seconds ({min_wait_seconds}): no wait is shorter than {floor_wait_seconds} s"
        );
        section.note("floor_wait_seconds", &overruled);
    }
    DynamicWait {
        enabled,
        measurement_window_minutes: section.whole("measurement_window_minutes", 30, 1..=10_080),
        floor_wait_seconds,
        thresholds,
        default_multiplier: section.number("default_multiplier", 1.0, 0.0..=100.0),
    }
}
