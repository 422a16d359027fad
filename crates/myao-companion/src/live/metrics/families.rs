//! Everything that `/metrics` shows. Dashboards, rules and docs/operations.md name nothing else; a test compares them.

/// What kind of numbers a family holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// It goes up and down.
    Gauge,
    /// It only grows. It is counted from rows, so a restart does not begin anew.
    Counter,
    /// Durations by spans.
    Histogram,
}

/// Numbers of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name.
    pub name: &'static str,
    /// The kind.
    pub kind: FamilyKind,
    /// What it tells, in one line.
    pub help: &'static str,
}

const fn gauge(name: &'static str, help: &'static str) -> Family {
    Family { name, kind: FamilyKind::Gauge, help }
}

const fn counter(name: &'static str, help: &'static str) -> Family {
    Family { name, kind: FamilyKind::Counter, help }
}

const fn histogram(name: &'static str, help: &'static str) -> Family {
    Family { name, kind: FamilyKind::Histogram, help }
}

/// All of them: first what this process knows, then what the database counts.
pub const FAMILIES: [Family; 36] = [
    gauge("myao_build_info", "The version of the program; always 1."),
    gauge("myao_start_time_seconds", "When the run started, in seconds since 1970."),
    gauge("myao_slack_connected", "Whether a socket to Slack is connected."),
    gauge("myao_slack_silence_seconds", "How long nothing was heard of Slack."),
    gauge("myao_deliveries_waiting", "Deliveries that are not stored yet."),
    gauge("myao_deliveries_waiting_seconds", "How long the oldest of them has waited."),
    gauge("myao_channels_with_gap", "Channels whose missed messages are still to be fetched."),
    gauge("myao_database_up", "Whether the database could be read just now."),
    gauge("myao_database_probe_seconds", "How long that took."),
    gauge("myao_database_bytes", "The size of the SQLite file, and of its write-ahead log."),
    gauge("myao_resident_memory_bytes", "The memory that the process holds."),
    gauge("myao_rows_age_seconds", "How long ago the numbers below were read from the database."),
    gauge("myao_rows_read_seconds", "How long reading them took."),
    gauge("myao_messages", "Messages by where they stand; uncovered ones are a fault."),
    gauge("myao_memories", "Chapters and memories by kind."),
    counter(
        "myao_journal_entries_total",
        "Entries of the journal by scope and kind; a merge is one of kind merge.",
    ),
    counter("myao_texts_refused_total", "Texts of models that were not kept, by reason."),
    gauge("myao_model_calls_open", "Calls to models that are under way, or whose process died."),
    counter("myao_model_calls_total", "Calls to models that ended, by outcome; each attempt counts."),
    counter("myao_model_retries_total", "How many of the calls were not the first attempt."),
    counter("myao_model_tokens_total", "Tokens read, of these from the provider's cache, and written."),
    counter("myao_model_cost_total", "What the calls cost, by budget.prices, in budget.currency."),
    histogram("myao_model_call_seconds", "How long calls took that came to an end."),
    gauge("myao_budget_tokens", "Tokens of today's budget: the limit, used, reserved."),
    gauge("myao_replies_open", "Replies that are wanted or written, and not posted yet."),
    counter("myao_replies_total", "Replies that came to an end, by cause and outcome."),
    histogram(
        "myao_reply_seconds",
        "From the question to the answer's first words: whole, of the model, of ours.",
    ),
    counter("myao_verdicts_total", "Judgments whether to speak up, by verdict."),
    counter("myao_interactions_total", "Commands and buttons in Slack, by how they ended."),
    gauge("myao_setbacks", "Work that failed and is tried again, or waits for a person."),
    gauge("myao_processes", "Runs on this database that are alive, or were not seen for a while."),
    gauge("myao_processes_hearing", "Runs that hear Slack."),
    gauge("myao_claims", "Subjects that runs work on."),
    gauge("myao_index_channels", "Channels whose messages can all be searched, and those that wait."),
    gauge("myao_threads_to_recheck", "Threads still to be looked through for missed edits and deletions."),
    gauge("myao_forgettings_unfinished", "Forgettings that were begun and are not done."),
];
