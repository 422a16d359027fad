//! Prints the result of a replay, as text or JSON.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{Timestamp, tz::TimeZone};
use myao_companion::replay::{LabelledOutcome, LabelledShare, Past, ReplayOutcome, Replayed, VoteLabels};
use myao_core::{
    chat::{MessageTs, Names, Place},
    judgment::ReplyState,
    wording::{TalkFormat, messages_as_lines, moment_in_prompt},
};
use myao_store::{VerdictKind, VerdictRecord};
use serde_json::{Value, json};

use super::JudgeChoice;
use crate::{
    app::App,
    cli::{Done, Failure, output},
};

/// The most characters of a message in an example.
const EXCERPT: usize = 200;
/// How many messages an example shows.
const LINES: usize = 4;
/// The number of messages that a rate is given for.
const PER: f64 = 1000.0;

/// The moments at which something would be said, by place and message.
type SaidAbout<'m> = BTreeMap<(Place, MessageTs), &'m Replayed>;

/// The outcomes with one configuration, channel by channel.
pub(super) struct Side {
    pub(super) outcomes: Vec<ReplayOutcome>,
}

impl Side {
    fn moments(&self) -> impl Iterator<Item = &Replayed> {
        self.outcomes.iter().flat_map(|outcome| &outcome.moments)
    }

    fn to_speak(&self) -> usize {
        self.moments().filter(|moment| moment.speaks()).count()
    }

    fn said(&self) -> usize {
        self.moments().filter(|moment| moment.said_at.is_some()).count()
    }

    fn people(&self) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.people).sum()
    }

    fn failed(&self) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.failed).sum()
    }

    /// Why it ended before all channels were replayed.
    fn stopped(&self) -> Option<&str> {
        self.outcomes.iter().find_map(|outcome| outcome.stopped.as_deref())
    }

    fn is_cut(&self) -> bool {
        self.stopped().is_some() || self.outcomes.iter().any(|outcome| outcome.is_cut)
    }

    fn said_about(&self) -> SaidAbout<'_> {
        let said = self.moments().filter(|moment| moment.said_at.is_some());
        said.map(|moment| ((moment.place.clone(), moment.latest_ts), moment)).collect()
    }
}

/// Counts of the ledger's decisions in the replayed time.
#[derive(Clone, Copy)]
pub(super) struct LedgerCounts {
    pub(super) decided: usize,
    pub(super) to_speak: usize,
    /// How many of these were posted.
    pub(super) said: usize,
}

impl LedgerCounts {
    /// Counts some decisions of the ledger.
    pub(super) fn of(records: &[VerdictRecord]) -> Self {
        let was_said = |record: &&VerdictRecord| {
            record.reply.as_ref().is_some_and(|reply| reply.state == ReplyState::Done)
        };
        Self {
            decided: records.len(),
            to_speak: records.iter().filter(|record| record.kind == VerdictKind::Speak).count(),
            said: records.iter().filter(was_said).count(),
        }
    }
}

pub(super) struct ReplayReport<'a> {
    pub(super) app: &'a App,
    pub(super) pasts: &'a [Past],
    pub(super) names: &'a Names,
    pub(super) sides: Vec<Side>,
    pub(super) kept: LedgerCounts,
    /// What people think of what was said in that time.
    pub(super) labels: VoteLabels,
    pub(super) by: JudgeChoice,
    pub(super) examples: usize,
}

impl ReplayReport<'_> {
    pub(super) fn tell(&self, as_json: bool, (from, until): (Timestamp, Timestamp)) -> Result<Done, Failure> {
        let is_cut = self.sides.iter().any(Side::is_cut);
        if as_json {
            let sides: Vec<Value> = self.sides.iter().map(|side| side_json(side, &self.labels)).collect();
            let LedgerCounts { decided, to_speak, said } = self.kept;
            output::say_json(&json!({
                "since": from, "until": until, "judge": format!("{:?}", self.by).to_lowercase(),
                "ledger": {"decisions": decided, "to_speak": to_speak, "said": said}, "settings": sides,
            }))?;
        } else {
            self.tell_people();
        }
        for reason in self.sides.iter().filter_map(Side::stopped) {
            output::print_to_stderr(&format!("the replay ended early: {reason}"));
        }
        Ok(if is_cut { Done::Partly } else { Done::All })
    }

    fn tell_people(&self) {
        self.tell_numbers();
        self.tell_labels();
        for side in self.sides.iter().filter(|side| side.failed() > 0) {
            output::print_line(&format!("judgments that failed: {}", side.failed()));
        }
        if self.sides.iter().any(|side| side.outcomes.iter().any(|outcome| outcome.is_cut)) {
            output::print_line(
                "the model was not asked any more after --most judgments: the rates are too low",
            );
        }
        output::print_line("");
        match self.sides.as_slice() {
            [ours, other] => self.tell_differences(ours, other),
            [ours] => {
                let said: Vec<&Replayed> = ours.moments().filter(|moment| moment.said_at.is_some()).collect();
                self.tell_examples("would have been said", &said);
            }
            _ => {}
        }
    }

    fn tell_numbers(&self) {
        let mut table = output::bare_table(&[
            "",
            "messages of people",
            "judged",
            "per 1,000",
            "to speak",
            "said",
            "per 1,000",
        ]);
        let rate = |n: usize, of: u64| {
            if of == 0 {
                "–".to_owned()
            } else {
                format!("{:.1}", count_as_float(n) * PER / u64_as_float(of))
            }
        };
        let mut row = |name: &str, people: u64, judged: usize, spoken: Option<(usize, usize)>| {
            let of_spoken = |cell: &dyn Fn(usize, usize) -> String| {
                spoken.map_or_else(|| "–".to_owned(), |(to_speak, said)| cell(to_speak, said))
            };
            table.add_row([
                name.to_owned(),
                people.to_string(),
                judged.to_string(),
                rate(judged, people),
                of_spoken(&|to_speak, _| to_speak.to_string()),
                of_spoken(&|_, said| said.to_string()),
                of_spoken(&|_, said| rate(said, people)),
            ]);
        };
        let LedgerCounts { decided, to_speak, said } = self.kept;
        if decided > 0 {
            let people = self.sides.first().map_or(0, Side::people);
            row("in the ledger", people, decided, Some((to_speak, said)));
        }
        for (side, name) in self.sides.iter().zip(["these settings", "the other settings"]) {
            let spoken = (self.by != JudgeChoice::Rules).then(|| (side.to_speak(), side.said()));
            row(name, side.people(), side.moments().count(), spoken);
        }
        output::say_table(&table);
    }

    /// Tells in how many of the pauses it is to speak in which people liked, or did not like, what was said.
    fn tell_labels(&self) {
        if self.labels.is_empty() || self.by == JudgeChoice::Rules {
            return;
        }
        output::print_line("");
        let mut table = output::bare_table(&["", "people liked it, to speak", "disliked it, to speak"]);
        for (side, name) in self.sides.iter().zip(["these settings", "the other settings"]) {
            let LabelledOutcome { liked, disliked } =
                self.labels.outcome(&side.moments().collect::<Vec<_>>());
            let in_words = |LabelledShare { all, to_speak }| format!("{to_speak} of {all}");
            table.add_row([name.to_owned(), in_words(liked), in_words(disliked)]);
        }
        output::say_table(&table);
    }

    fn tell_differences(&self, ours: &Side, other: &Side) {
        if self.by == JudgeChoice::Rules {
            let keys = |side: &Side| -> BTreeSet<(Place, MessageTs)> {
                side.moments().map(|moment| (moment.place.clone(), moment.latest_ts)).collect()
            };
            let a = keys(ours);
            let b = keys(other);
            output::print_line(&format!(
                "judged with these settings only: {}; with the others only: {}; with both: {}",
                a.difference(&b).count(),
                b.difference(&a).count(),
                a.intersection(&b).count()
            ));
            return;
        }
        let a = ours.said_about();
        let b = other.said_about();
        output::print_line(&format!(
            "said with both: {}",
            a.keys().filter(|key| b.contains_key(*key)).count()
        ));
        self.tell_examples("with these settings only", &only_in_one(&a, &b));
        self.tell_examples("with the other settings only", &only_in_one(&b, &a));
    }

    /// Prints some of the moments, evenly chosen from all of them, each with the messages before it.
    fn tell_examples(&self, title: &str, all: &[&Replayed]) {
        if all.is_empty() || self.by == JudgeChoice::Rules {
            return;
        }
        output::print_line(&format!("{title}: {}", all.len()));
        let step = all.len().div_ceil(self.examples.max(1)).max(1);
        for moment in all.iter().step_by(step).take(self.examples) {
            output::print_line("");
            self.tell_example(moment);
        }
    }

    fn tell_example(&self, moment: &Replayed) {
        let zone = &self.app.config.locale.timezone;
        let Some(past) = self.pasts.iter().find(|past| past.channel.id == moment.place.channel) else {
            return;
        };
        let thread = if moment.place.thread.is_some() { ", in a thread" } else { "" };
        output::print_line(&format!("#{}{thread}, at {}:", past.channel.name, time_as_text(moment.at, zone)));
        for line in self.lines(past, moment) {
            output::print_line(&format!("  | {line}"));
        }
        if let Some(verdict) = &moment.verdict {
            let later = verdict.delay_seconds.map(|s| format!(", in {s:.0} s")).unwrap_or_default();
            output::print_line(&format!(
                "  → {} ({:.0} % sure{later})",
                verdict.reason,
                verdict.confidence * 100.0
            ));
        }
    }

    /// The last messages of the place, up to the one that the moment is about.
    fn lines(&self, past: &Past, moment: &Replayed) -> Vec<String> {
        let is_there = |m: &&myao_core::chat::Message| match moment.place.thread {
            Some(root) => m.thread() == root,
            None => m.thread_ts.is_none(),
        };
        let mut last: Vec<_> = past
            .messages
            .range(..=moment.latest_ts)
            .rev()
            .map(|(_, m)| m)
            .filter(is_there)
            .take(LINES)
            .collect();
        last.reverse();
        let format = TalkFormat {
            names: self.names,
            zone: &self.app.config.locale.timezone,
            language: self.app.config.locale.language,
            limit: EXCERPT,
        };
        let lines = messages_as_lines(last, &format).into_iter();
        lines.map(|line| format!("[{}] {}: {}", line.when, line.name, output::one_line(&line.text))).collect()
    }
}

/// The moments that are in one and not in the other.
fn only_in_one<'m>(one: &SaidAbout<'m>, other: &SaidAbout<'_>) -> Vec<&'m Replayed> {
    one.iter().filter(|(key, _)| !other.contains_key(*key)).map(|(_, moment)| *moment).collect()
}

fn side_json(side: &Side, labels: &VoteLabels) -> Value {
    let moments: Vec<Value> = side
        .moments()
        .map(|moment| {
            json!({
                "channel_id": moment.place.channel.as_str(), "thread_ts": moment.place.thread,
                "latest_ts": moment.latest_ts, "at": moment.at, "wait_seconds": moment.wait.as_secs_f64(),
                "verdict": moment.verdict, "said_at": moment.said_at,
            })
        })
        .collect();
    let LabelledOutcome { liked, disliked } = labels.outcome(&side.moments().collect::<Vec<_>>());
    let share_json = |share: LabelledShare| json!({ "all": share.all, "to_speak": share.to_speak });
    json!({
        "liked": share_json(liked), "disliked": share_json(disliked),
        "messages": side.people(), "judged": moments.len(), "to_speak": side.to_speak(), "said": side.said(),
        "failed": side.failed(), "complete": !side.is_cut(), "moments": moments,
    })
}

fn time_as_text(at: Timestamp, zone: &TimeZone) -> String {
    moment_in_prompt(MessageTs::from_timestamp(at), zone)
}

#[expect(clippy::cast_precision_loss, reason = "counts of messages stay far below 2^53")]
const fn count_as_float(n: usize) -> f64 {
    n as f64
}

#[expect(clippy::cast_precision_loss, reason = "counts of messages stay far below 2^53")]
const fn u64_as_float(n: u64) -> f64 {
    n as f64
}
