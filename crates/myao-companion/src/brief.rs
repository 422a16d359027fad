//! A brief for somebody who was away: what was decided, what changed and what was asked of them since, through what they
//! may see (specification §5, ADR 140). Commands, talk and pages show the same.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Names, Speaker, UserId, Visibility},
    recall::{
        RecallFilter,
        brief::{BriefTalk, BriefWish, MOST_CHANGED, USUAL_DAYS, last_here},
        start_of_last_days,
    },
    text::{Language, clip_to_characters, one_line, phrase, phrase_with},
    wording::{TalkFormat, messages_as_lines},
    worth::WORTH,
};
use myao_slack::{permalink_of_message, private_answer::AnswerLine};
use myao_store::{LineChange, Recalled, Store, StoreError};
use serde_json::json;

use crate::tools::recall::source_of_line;

/// The most messages that are looked through, the newest: some weeks of a busy workspace.
const MOST_READ: usize = 3_000;
/// The most messages of somebody's own that are read to find when they were last here: a visit has fewer.
const MOST_OWN: usize = 200;
/// The most channels whose memories are looked through for what changed, those last spoken in.
const MOST_CHANNELS: usize = 50;
/// The most characters shown of one message or line.
const EXCERPT: usize = 160;

/// Who wants a brief, and of what.
#[derive(Clone, Copy, Debug)]
pub struct BriefOrder<'a> {
    /// What may be shown to them.
    pub visibility: &'a Visibility,
    /// Who was away.
    pub user: &'a UserId,
    /// Since when, and of which channels.
    pub wish: &'a BriefWish,
    /// Where they ask, for a wish that is about that place.
    pub place: Option<&'a ChannelId>,
    /// Now.
    pub now: Timestamp,
    /// `locale.timezone`
    pub zone: &'a TimeZone,
    /// In which language it is told.
    pub language: Language,
}

/// How it was found since when a brief tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BriefSince {
    /// They said so.
    Told,
    /// They said something then, and nothing for a while.
    LastHere,
    /// They said nothing that is known.
    Usual,
}

/// A statement that was replaced, and the one that holds instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BriefChange {
    /// What held.
    pub was: LineChange,
    /// What holds.
    pub is: LineChange,
    /// The message that says so, and its thread, if it was found.
    pub source: Option<(MessageTs, Option<MessageTs>)>,
}

/// What somebody missed.
#[derive(Clone, Debug)]
pub struct Brief {
    /// Since when, inclusive.
    pub since: MessageTs,
    /// Why since then.
    pub because: BriefSince,
    /// How many messages of other people there were since, and in how many channels.
    pub messages: usize,
    /// In how many channels.
    pub channels: usize,
    /// Whether there were more than are looked through.
    pub is_cut: bool,
    /// What was asked of them and not answered since, in the order of time.
    pub asked: Vec<Message>,
    /// What was decided.
    pub decided: Vec<Message>,
    /// What changed in what is remembered.
    pub changed: Vec<BriefChange>,
    /// How many more there were of each.
    pub more: [usize; 3],
    /// The names that may be shown.
    pub names: Names,
}

/// A part of a brief as it is shown: its heading, and its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BriefSection {
    /// Its heading.
    pub heading: String,
    /// Its lines, each with when, where and by whom, and a link.
    pub lines: Vec<AnswerLine>,
}

/// Makes a brief.
///
/// # Errors
/// When the database fails.
pub async fn make_brief(store: &Store, order: BriefOrder<'_>) -> Result<Brief, StoreError> {
    let BriefOrder { visibility, user, wish, .. } = order;
    let names = store.archive().names(visibility).await?.in_language(order.language);
    let mut channels = wish.channels.clone();
    channels.extend(order.place.filter(|_| wish.is_here && wish.channels.is_empty()).cloned());
    let filter = RecallFilter { channels, ..RecallFilter::default() };
    let (since, because) = match wish.since {
        Some(since) => (since, BriefSince::Told),
        None => since_last_here(store, order, &filter).await?,
    };
    let filter = RecallFilter { since: Some(since), ..filter };
    let found = store.recall().newest_messages(visibility, &filter, MOST_READ + 1).await?;
    let is_cut = found.len() > MOST_READ;
    let is_person = |message: &Message| names.speaker(&message.user) == Speaker::Person;
    let mut talk: Vec<Message> = messages_of(found).into_iter().take(MOST_READ).filter(is_person).collect();
    talk.reverse();
    let points = BriefTalk { me: user, name: names.user(user), messages: &talk }.points();
    let these = |numbers: &[usize]| numbers.iter().filter_map(|nth| talk.get(*nth)).cloned().collect();
    let (asked, decided): (Vec<Message>, Vec<Message>) = (these(&points.asked), these(&points.decided));
    let mut spoken = Vec::new();
    for message in talk.iter().rev().filter(|message| message.user != *user) {
        if !spoken.contains(&message.channel) {
            spoken.push(message.channel.clone());
        }
    }
    let (changed, more_changed) = changes_in(store, order, &spoken, since).await?;
    Ok(Brief {
        since,
        because,
        messages: talk.iter().filter(|message| message.user != *user).count(),
        channels: spoken.len(),
        is_cut,
        asked,
        decided,
        changed,
        more: [points.more_asked, points.more_decided, more_changed],
        names,
    })
}

fn messages_of(found: Vec<Recalled>) -> Vec<Message> {
    found.into_iter().filter_map(|found| found.text.as_message().cloned()).collect()
}

/// Since somebody was last here: what they said last in the places asked, before they were away.
async fn since_last_here(
    store: &Store,
    order: BriefOrder<'_>,
    filter: &RecallFilter,
) -> Result<(MessageTs, BriefSince), StoreError> {
    let own = RecallFilter { users: vec![order.user.clone()], ..filter.clone() };
    let own = store.recall().newest_messages(order.visibility, &own, MOST_OWN).await?;
    let own: Vec<MessageTs> = messages_of(own).into_iter().map(|message| message.ts).collect();
    if let Some(last) = last_here(&own, order.now) {
        return Ok((MessageTs::from_micros(last.as_micros().saturating_add(1)), BriefSince::LastHere));
    }
    let start = start_of_last_days(USUAL_DAYS, order.now, order.zone);
    Ok((MessageTs::from_timestamp(start), BriefSince::Usual))
}

/// What changed in what is remembered of these channels, in the order of time, and how many more changes there are.
async fn changes_in(
    store: &Store,
    order: BriefOrder<'_>,
    channels: &[ChannelId],
    since: MessageTs,
) -> Result<(Vec<BriefChange>, usize), StoreError> {
    let until = MessageTs::from_timestamp(order.now);
    let mut replaced = Vec::new();
    for channel in channels.iter().take(MOST_CHANNELS) {
        let changes = store.recall().lines_changed(order.visibility, channel, (since, until)).await?;
        // A line that itself was replaced since is no news.
        let over: BTreeSet<_> = changes.replaced.iter().map(|(was, _)| (was.step, was.nth)).collect();
        let holds = |is: &LineChange| is.worth >= WORTH && !over.contains(&(is.step, is.nth));
        replaced.extend(changes.replaced.into_iter().filter(|(_, is)| holds(is)));
    }
    replaced.sort_by_key(|(_, is)| std::cmp::Reverse(is.worth));
    let more = replaced.len().saturating_sub(MOST_CHANGED);
    replaced.truncate(MOST_CHANGED);
    replaced.sort_by_key(|(_, is)| (is.day, is.until, is.version, is.nth));
    let mut changed = Vec::new();
    for (was, is) in replaced {
        let source =
            source_of_line(store, order.visibility, &is.words, &is.channel, is.until, order.now).await?;
        changed.push(BriefChange { was, is, source });
    }
    Ok((changed, more))
}

impl Brief {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.decided.is_empty() && self.changed.is_empty()
    }

    /// The first line: since when, and how much was said.
    pub fn heading(&self, order: &BriefOrder<'_>) -> String {
        let at = self.since.to_timestamp().to_zoned(order.zone.clone());
        let values = json!({
            "since": at.strftime("%Y-%m-%d %H:%M").to_string(), "messages": self.messages, "channels": self.channels,
        });
        let key = match (self.messages, self.because) {
            (0, _) => "brief-nothing-said",
            (_, BriefSince::Told) => "brief-since",
            (_, BriefSince::LastHere) => "brief-since-last-here",
            (_, BriefSince::Usual) => "brief-since-usual",
        };
        let mut heading = phrase_with(order.language, key, &values);
        if self.messages > 0 && self.is_empty() {
            heading.push(' ');
            heading.push_str(phrase(order.language, "brief-nothing"));
        }
        if self.is_cut {
            heading.push(' ');
            heading.push_str(&phrase_with(order.language, "brief-cut", &json!({ "most": MOST_READ })));
        }
        heading
    }

    /// Its parts that hold anything: what was asked, decided, changed.
    pub fn sections(&self, order: &BriefOrder<'_>, team_url: Option<&str>) -> Vec<BriefSection> {
        let of_messages = |messages: &[Message]| -> Vec<AnswerLine> {
            messages.iter().map(|message| self.line_of_message(message, order, team_url)).collect()
        };
        let changed =
            self.changed.iter().map(|change| self.line_of_change(change, order, team_url)).collect();
        let parts = [
            ("brief-asked", of_messages(&self.asked)),
            ("brief-decided", of_messages(&self.decided)),
            ("brief-changed", changed),
        ];
        let section = |((key, mut lines), more): ((&'static str, Vec<AnswerLine>), usize)| {
            if more > 0 {
                lines.push(AnswerLine::of(phrase_with(
                    order.language,
                    "brief-more",
                    &json!({ "more": more }),
                )));
            }
            BriefSection { heading: phrase(order.language, key).to_owned(), lines }
        };
        parts.into_iter().zip(self.more).filter(|((_, lines), _)| !lines.is_empty()).map(section).collect()
    }

    fn line_of_message(
        &self,
        message: &Message,
        order: &BriefOrder<'_>,
        team_url: Option<&str>,
    ) -> AnswerLine {
        let format =
            TalkFormat { names: &self.names, zone: order.zone, language: order.language, limit: EXCERPT };
        let talk = messages_as_lines([message], &format).into_iter().next();
        let channel = self.names.channel(&message.channel);
        let (label, text) = talk.map_or_else(Default::default, |line| {
            (format!("{} #{channel} {}", line.when, line.name), line.text)
        });
        let address = team_url
            .and_then(|url| permalink_of_message(url, &message.channel, message.ts, message.thread_ts));
        AnswerLine { label: Some(label), address, text: clip_to_characters(&one_line(&text), EXCERPT) }
    }

    fn line_of_change(
        &self,
        change: &BriefChange,
        order: &BriefOrder<'_>,
        team_url: Option<&str>,
    ) -> AnswerLine {
        let BriefChange { was, is, source } = change;
        let channel = self.names.channel(&is.channel);
        let label = is.day.map_or_else(|| format!("#{channel}"), |day| format!("{day} #{channel}"));
        let address =
            source.and_then(|(ts, thread)| permalink_of_message(team_url?, &is.channel, ts, thread));
        let excerpt = |words: &str| clip_to_characters(&self.names.show(words), EXCERPT);
        let values = json!({ "was": excerpt(&was.words), "is": excerpt(&is.words) });
        let text = phrase_with(order.language, "brief-change", &values);
        AnswerLine { label: Some(label), address, text: one_line(&text) }
    }
}

/// A text with references in place of the names of channels that are written out (`#general`), as far as `visibility`
/// sees them.
///
/// # Errors
/// When the database fails; inside, the first name that means no channel that is seen.
#[boxed]
pub async fn with_channels_by_name(
    store: &Store,
    visibility: &Visibility,
    text: &str,
) -> Result<Result<String, String>, StoreError> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let Some(name) = word.strip_prefix(['#', '＃']).filter(|name| !name.is_empty()) else {
            words.push(word.to_owned());
            continue;
        };
        let called = store.archive().channels_named(name).await?;
        let ids = called.into_iter().map(|channel| channel.id).collect();
        let seen = store.hearing().seen_among(visibility, ids).await?;
        if seen.is_empty() {
            return Ok(Err(name.to_owned()));
        }
        words.extend(seen.iter().map(|id| format!("<#{id}>")));
    }
    Ok(Ok(words.join(" ")))
}
