//! Prints hits as text, for people.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _},
};

use jiff::tz::TimeZone;
use myao_companion::found::told_instead;
use myao_config::TerminalUser;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Names, UserId, Visibility},
    memory::{MemoryType, mark_of_day},
    recall::{Highlighter, SNIPPET_COLUMNS, Snippet},
    text::{Language, name_as_label},
    wording::{TalkFormat, messages_as_lines, moment_in_prompt},
};
use myao_store::{MemoryLine, RecalledText};

use super::{RecallHit, RecallSearch, TypedHits};
use crate::{
    app::App,
    cli::{Failure, output},
};

/// Formats names, times and references.
pub(super) struct RecallFormatter {
    names: Names,
    /// How many channels have each name.
    namesakes: BTreeMap<String, usize>,
    zone: TimeZone,
    language: Language,
    /// The address of the workspace. `None` before a run was ever connected to it.
    team_url: Option<String>,
}

impl RecallFormatter {
    pub(super) async fn new(app: &App, search: &RecallSearch) -> Result<Self, Failure> {
        let locale = &app.config.locale;
        let names = app.store.archive().names(&search.visibility).await?.in_language(locale.language);
        let mut namesakes: BTreeMap<String, usize> = BTreeMap::new();
        for row in app.store.archive().channels(&Visibility::Owner).await? {
            *namesakes.entry(row.channel.name).or_default() += 1;
        }
        let team_url = app.store.archive().team_url().await?;
        Ok(Self { names, namesakes, zone: locale.timezone.clone(), language: locale.language, team_url })
    }

    pub(super) fn channel<'a>(&'a self, id: &'a ChannelId) -> &'a str {
        self.names.channel(id)
    }

    pub(super) fn person(&self, id: &UserId) -> String {
        name_as_label(self.names.user(id))
    }

    /// A message's words and files, with names in place of references.
    pub(super) fn said(&self, message: &Message) -> String {
        let names = &self.names;
        let zone = &self.zone;
        let language = self.language;
        let format = TalkFormat { names, zone, language, limit: usize::MAX };
        messages_as_lines([message], &format).into_iter().next().map(|line| line.text).unwrap_or_default()
    }

    pub(super) fn remembered(&self, line: &MemoryLine) -> String {
        self.names.show(&line.text)
    }

    /// The mark of a line that a later one has replaced, or of a message that somebody put right; empty for other hits.
    fn end(&self, hit: &RecallHit) -> String {
        hit.ended_on().map(|day| mark_of_day(day, self.language)).unwrap_or_default()
    }

    /// The words of a hit.
    pub(super) fn words(&self, text: &RecalledText) -> String {
        match text {
            RecalledText::Message(message) => self.said(message),
            RecalledText::Line(line) => self.remembered(line),
        }
    }

    /// Writes a channel as `#general`, or as its id if several channels have that name.
    fn place(&self, channel: &ChannelId) -> String {
        let name = self.channel(channel);
        if self.namesakes.get(name) == Some(&1) { format!("#{name}") } else { channel.to_string() }
    }

    /// What to pass to another command: the place of a message for `myao prompt`, or the whole `myao memory show`
    /// command for a line.
    pub(super) fn reference(&self, text: &RecalledText) -> String {
        match text {
            RecalledText::Message(message) => format!("{}:{}", self.place(&message.channel), message.ts),
            RecalledText::Line(line) => {
                let version = match line.memory_type {
                    MemoryType::LongTerm => String::new(),
                    MemoryType::ShortTerm => format!(" --version {}", line.version),
                };
                format!("myao memory show '{}'{version}", self.place(&line.channel))
            }
        }
    }

    /// The address of a message in the chat. `None` while the address of the workspace is not known.
    pub(super) fn permalink(&self, message: &Message) -> Option<String> {
        let team_url = self.team_url.as_deref()?;
        myao_slack::permalink_of_message(team_url, &message.channel, message.ts, message.thread_ts)
    }

    /// Where a person can look up a hit: its address in the chat, or else a reference for our commands.
    fn source(&self, text: &RecalledText) -> String {
        let permalink = match text {
            RecalledText::Message(message) => self.permalink(message),
            RecalledText::Line(_) => None,
        };
        permalink.unwrap_or_else(|| self.reference(text))
    }

    pub(super) fn moment(&self, ts: MessageTs) -> String {
        moment_in_prompt(ts, &self.zone)
    }
}

pub(super) fn print_hits(search: &RecallSearch, found: &TypedHits, formatter: &RecallFormatter) {
    let highlighter = Highlighter::new(&found.words, &search.query.phrases);
    let is_plain = !io::stdout().is_terminal() || TerminalUser::at_the_terminal().plain;
    for word in &found.instead {
        output::print_line(&told_instead(word, Language::En));
    }
    for (nth, hit) in found.hits.iter().enumerate() {
        if nth > 0 || !found.instead.is_empty() {
            output::print_line("");
        }
        let snippet = highlighter.snippet(&formatter.words(&hit.text), SNIPPET_COLUMNS);
        output::print_line(&heading_of_hit(hit, formatter));
        let end = formatter.end(hit);
        output::say_marked(&format!(
            "  {}{end}",
            if is_plain { output::with_visible_controls(&snippet.text) } else { snippet_in_bold(&snippet) }
        ));
        let more = match hit.more {
            0 => String::new(),
            more => format!("  +{more} more in this thread"),
        };
        output::print_line(&format!("  {}{more}", formatter.source(&hit.text)));
    }
}

/// The first line of a hit: `2026-03-02 10:00  #general (thread)  Ada`, or
/// `memory of #general, up to 2026-03-02 10:00`.
fn heading_of_hit(hit: &RecallHit, formatter: &RecallFormatter) -> String {
    match &hit.text {
        RecalledText::Message(message) => {
            let thread = if message.thread_ts.is_some() { " (thread)" } else { "" };
            let when = formatter.moment(message.ts);
            let channel = formatter.channel(&message.channel);
            format!("{when}  #{channel}{thread}  {}", formatter.person(&message.user))
        }
        RecalledText::Line(line) => {
            let channel = formatter.channel(&line.channel);
            match (line.memory_type, line.until) {
                (MemoryType::LongTerm, _) => format!("long-term memory of #{channel}"),
                (MemoryType::ShortTerm, Some(until)) => {
                    format!("memory of #{channel}, up to {}", formatter.moment(until))
                }
                (MemoryType::ShortTerm, None) => format!("memory of #{channel}"),
            }
        }
    }
}

/// The snippet, with bold type for what was asked for.
fn snippet_in_bold(snippet: &Snippet) -> String {
    let piece = |from: usize, to: usize| {
        output::with_visible_controls(snippet.text.get(from..to).unwrap_or_default())
    };
    let mut out = String::new();
    let mut at = 0;
    for mark in &snippet.marks {
        out.push_str(&piece(at, mark.start));
        out.push_str("\u{1b}[1m");
        out.push_str(&piece(mark.start, mark.end));
        out.push_str("\u{1b}[0m");
        at = mark.end;
    }
    out.push_str(&piece(at, snippet.text.len()));
    out
}
