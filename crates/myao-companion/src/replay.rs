//! Judges the past of a channel again, to find out what would have been said unasked with these settings
//! (specification §4).
//!
//! The rules are those of the live run ([`Walk`]). The judge sees the messages that stood there at the moment, with their
//! current text. Memories are left out: today's would tell it what came later. What would have been said does not become
//! part of that past, since nobody answered it.

mod judge;
mod labels;
mod pace;

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_config::Config;
use myao_core::{
    chat::{Channel, Message, MessageTs, Names, Place, PlaceFacts, Speaker, Visibility, instant_after},
    judgment::{ChannelTalk, Decision, Manners, Moment, Pause, Utterance, Verdict, Walk},
    text::Language,
    wording::Templates,
};
use myao_store::{Range, Store, StoreError};

use tokio::task::yield_now;

pub use self::labels::{LabelledOutcome, LabelledShare, VoteLabels};
use self::{judge::KnownVerdicts, pace::UnderWay};
use crate::{
    ask::{AskError, Asker},
    live::enough_said,
};

/// The judge of a replay.
#[derive(Clone, Copy)]
pub enum Judge<'a> {
    /// Nobody: only the moments are listed, and each decision holds while nothing new is said.
    Nobody,
    /// `builtin`.
    Builtin,
    /// The configured model; its calls are recorded and count for the day's budget.
    Model(&'a Asker),
}

/// One moment at which a pause would have been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The place that paused.
    pub place: Place,
    /// The message that the pause follows.
    pub latest_ts: MessageTs,
    /// When it would have been judged.
    pub at: Timestamp,
    /// The wait that was drawn.
    pub wait: SignedDuration,
    /// The verdict; `None` without a judge, or when it failed.
    pub verdict: Option<Verdict>,
    /// When we would have spoken; `None` if we were to stay quiet, or somebody else was quicker.
    pub said_at: Option<Timestamp>,
}

impl Replayed {
    /// Whether the verdict is to speak.
    pub fn speaks(&self) -> bool {
        self.verdict.as_ref().is_some_and(|verdict| verdict.should_respond)
    }
}

/// A channel's past, as a judge is shown it.
pub struct Past {
    /// The channel.
    pub channel: Channel,
    /// What rules for places look at of it.
    pub facts: PlaceFacts,
    /// The names that the channel sees.
    pub names: Names,
    /// Who said something when, in the order of time.
    pub said: Vec<Utterance>,
    /// The same messages with their text.
    pub messages: BTreeMap<MessageTs, Message>,
}

impl Past {
    /// Reads what was said in a channel after `from` and up to `until`: `from` lies as far before the time that is judged
    /// as the rules look back ([`Manners::looks_back_to`]).
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn read(
        store: &Store,
        channel: Channel,
        from: MessageTs,
        until: Timestamp,
        language: Language,
    ) -> Result<Self, StoreError> {
        let to = MessageTs::from_timestamp(until);
        let said = store.replies().utterances_between(&channel.id, from, to).await?;
        let names = store.archive().names(&Visibility::of(&channel)).await?.in_language(language);
        let range = Range { channel: channel.id.clone(), from, to };
        let (_, messages) = store.archive().talk_in_range(&Visibility::Owner, &range).await?;
        let messages = messages.into_iter().map(|message| (message.ts, message)).collect();
        let facts = store.hearing().place_facts(&channel.id).await?;
        let facts = facts.unwrap_or_else(|| PlaceFacts::new(channel.clone()));
        Ok(Self { channel, facts, names, said, messages })
    }

    /// The utterances in `[from, until)`.
    fn between(&self, from: Timestamp, until: Timestamp) -> impl Iterator<Item = &Utterance> {
        let first = self.said.partition_point(|said| said.ts.to_timestamp() < from);
        self.said.iter().skip(first).take_while(move |said| said.ts.to_timestamp() < until)
    }
}

/// How the past is judged.
pub struct Replay<'a> {
    /// Persona, limits and locale.
    pub config: &'a Config,
    /// When and how often we speak up.
    pub manners: &'a Manners,
    /// The prompts.
    pub templates: &'a Templates,
    /// The judge.
    pub judge: Judge<'a>,
    /// The most judgments that are asked of a configured model. Those of `builtin` cost nothing and are not limited.
    pub most: u64,
}

/// The result for one channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayOutcome {
    /// The moments, in the order of time.
    pub moments: Vec<Replayed>,
    /// How many messages people wrote in that time.
    pub people: u64,
    /// Judgments that failed.
    pub failed: u64,
    /// Whether it ended early at [`Replay::most`].
    pub is_cut: bool,
    /// Why it ended early, if the model could not be asked at all, say because the budget is spent.
    pub stopped: Option<String>,
}

impl Replay<'_> {
    /// Judges the pauses of a channel that came due in `[from, until)`. `asked` counts the judgments over all channels.
    ///
    /// # Errors
    /// When the database fails. A judgment that fails is only counted.
    #[boxed]
    pub async fn channel(
        &self,
        past: &Past,
        (from, until): (Timestamp, Timestamp),
        asked: &mut u64,
    ) -> Result<ReplayOutcome, StoreError> {
        let manners = self.config.places.manners_in(&past.facts, self.manners);
        let people = past.between(from, until).filter(|said| said.speaker == Speaker::Person).count();
        let people = u64::try_from(people).unwrap_or(u64::MAX);
        let Some(manners) = &manners else { return Ok(ReplayOutcome { people, ..ReplayOutcome::default() }) };
        let there = Replay { manners, ..*self };
        let outcome = there.moments_of_channel(past, (from, until), asked).await?;
        Ok(ReplayOutcome { people, ..outcome })
    }

    /// The same by the manners that hold there; people's messages are not counted.
    async fn moments_of_channel(
        &self,
        past: &Past,
        (from, until): (Timestamp, Timestamp),
        asked: &mut u64,
    ) -> Result<ReplayOutcome, StoreError> {
        let mut outcome = ReplayOutcome::default();
        let mut walk = Walk::new(self.manners, past.channel.id.clone(), &past.said);
        let mut said: Vec<Timestamp> = Vec::new();
        let mut known = KnownVerdicts::new();
        let mut under_way: BTreeMap<Option<MessageTs>, UnderWay> = BTreeMap::new();
        while let Some(moment) = walk.next_moment(until) {
            // A year of pauses keeps a core busy for seconds: others get their turn in between.
            yield_now().await;
            if moment.at < from {
                continue;
            }
            let pending = under_way.get(&moment.pause.thread).and_then(|reply| reply.until(past, &moment));
            if let Some(until) = enough_said(&said, moment.at).max(pending) {
                walk.put_off(&moment, until);
                continue;
            }
            if matches!(self.judge, Judge::Model(_)) && *asked >= self.most {
                outcome.is_cut = true;
                break;
            }
            *asked += 1;
            let verdict = match self.verdict_at_moment(past, &moment, &mut known).await {
                Ok(verdict) => verdict,
                Err(AskError::Store(error)) => return Err(error),
                Err(error @ (AskError::Budget { .. } | AskError::Stopped | AskError::Model { .. })) => {
                    outcome.stopped = Some(error.to_string());
                    break;
                }
            };
            outcome.failed += u64::from(verdict.is_none() && !matches!(self.judge, Judge::Nobody));
            if let Some(quiet) = verdict.as_ref().filter(|verdict| !verdict.should_respond) {
                let until = instant_after(moment.at, self.manners.hold(quiet.confidence, moment.before));
                walk.decide(&moment, Decision::Hold(until));
            }
            let due = verdict.as_ref().and_then(|verdict| self.due(&moment, verdict));
            if let Some(due) = due {
                under_way.insert(moment.pause.thread, UnderWay { decided: moment.at, due });
            }
            let said_at = due.filter(|due| self.stands(past, &moment, *due));
            if let Some(at) = said_at {
                said.insert(said.partition_point(|other| *other <= at), at);
            }
            let place = Place { channel: past.channel.id.clone(), thread: moment.pause.thread };
            let Moment { pause, at, wait, .. } = moment;
            outcome.moments.push(Replayed { place, latest_ts: pause.latest_ts, at, wait, verdict, said_at });
        }
        Ok(outcome)
    }

    /// When we are to speak by a verdict; `None` if we are to stay quiet.
    fn due(&self, moment: &Moment, verdict: &Verdict) -> Option<Timestamp> {
        let delay = SignedDuration::try_from_secs_f64(verdict.delay_seconds.unwrap_or_default());
        let at = instant_after(moment.at, delay.unwrap_or_default());
        verdict.should_respond.then(|| self.manners.not_quiet(at))
    }

    /// Whether a moment's pause still stands when we are to speak: nobody was quicker, and it is not too late.
    fn stands(&self, past: &Past, moment: &Moment, due: Timestamp) -> bool {
        let Pause { thread, latest_ts, .. } = moment.pause;
        let mut talk = ChannelTalk::new(past.channel.id.clone());
        past.between(latest_ts.to_timestamp(), due).for_each(|said| talk.hear(said));
        let stands = talk.pause(thread).is_some_and(|pause| pause.latest_ts == latest_ts);
        stands && due.duration_since(latest_ts.to_timestamp()) <= self.manners.max_message_age
    }
}
