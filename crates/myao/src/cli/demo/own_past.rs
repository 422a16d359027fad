//! Somebody's own history, replayed in the demo from its first day on (`demo --import`).

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use myao_companion::live::local::LocalPast;
use myao_core::chat::{ChannelId, Event, MessageTs, instant_after};
use myao_slack::export::{Export, ImportReport};

use super::super::{Failure, output};
use crate::app::App;

/// An export, read completely. Its messages appear as the demo's clock moves on.
pub(super) struct OwnPast {
    /// Its channels and people, which are there from the beginning.
    known: Vec<Event>,
    messages: Vec<Event>,
    report: ImportReport,
    /// The first message.
    first: (MessageTs, ChannelId),
}

impl OwnPast {
    /// Reads an export: a zip file, or the folder it was unpacked to.
    pub(super) fn read(path: &Path, now: Timestamp) -> Result<Self, Failure> {
        let export = Export::open(path).map_err(|error| Failure::usage(error.to_string()))?;
        let bar =
            output::progress_bar(u64::try_from(export.day_files()).unwrap_or(0), "reading", "day files");
        let mut known = Vec::new();
        let mut messages = Vec::new();
        let mut report = ImportReport::default();
        let mut first: Option<(MessageTs, ChannelId)> = None;
        for step in export.steps(now) {
            for event in step.events {
                match event {
                    Event::Channel(_)
                    | Event::User(_)
                    | Event::Departed(_)
                    | Event::Dated(_)
                    | Event::Hearsay(_) => {
                        known.push(event);
                    }
                    Event::Message(_) | Event::Sighting(_) => {
                        let Some(message) = event.into_message() else { continue };
                        let this = (message.ts, message.channel.clone());
                        first = Some(first.map_or_else(|| this.clone(), |first| first.min(this.clone())));
                        messages.push(Event::Message(message));
                    }
                    // Up to when a channel is complete follows from the demo's clock. What was not understood is in the
                    // report.
                    Event::Deleted { .. }
                    | Event::HeardUntil { .. }
                    | Event::AnswerStopped(_)
                    | Event::Voted(_)
                    | Event::Unread { .. } => {}
                }
            }
            report += step.report;
            bar.inc(u64::from(step.file.is_some()));
        }
        bar.finish_and_clear();
        let first = first.ok_or_else(|| Failure::usage("there is no message in this export"))?;
        Ok(Self { known, messages, report, first })
    }

    /// The time at which the demo begins: the first message has just been said.
    pub(super) fn begins(&self) -> Timestamp {
        instant_after(self.first.0.to_timestamp(), SignedDuration::from_secs(1))
    }

    /// The first message's channel and time stamp.
    pub(super) fn first(&self) -> (&ChannelId, MessageTs) {
        (&self.first.1, self.first.0)
    }

    /// Brings channels and people into the workspace, and returns the messages that are to appear. In a demo that goes
    /// on, the messages up to `left_at` are there already.
    pub(super) async fn enter(self, app: &App, left_at: Option<Timestamp>) -> Result<LocalPast, Failure> {
        app.store.intake().apply(self.known, app.clock.now()).await?;
        let past = LocalPast::new(self.messages, left_at);
        output::print_line(&format!(
            "{} messages of {} people in {} channels appear as you let time pass, from {} on.",
            self.report.messages,
            self.report.users,
            self.report.channels,
            self.first.0.to_timestamp().to_zoned(app.config.locale.timezone.clone()).date()
        ));
        output::print_line("Nothing is posted anywhere: this is a copy, on this machine.");
        for problem in &self.report.problems {
            output::print_to_stderr(&format!("  {problem}"));
        }
        Ok(past)
    }
}
