//! Refuses what was forgotten, whatever brings it: catch-up, an export, a redelivery, another process.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Own, User, UserId},
    text::key_of_term,
};
use serde_json::Value;

use crate::{
    StoreError,
    archive::team,
    db::{Tx, query_as, values::row},
};

/// What a batch of events must not bring back.
#[derive(Debug, Default)]
pub(crate) struct ForgetFences {
    covering: Vec<ForgetFence>,
    /// The numbers of forgotten people who have said nothing since.
    absent: BTreeSet<i64>,
    /// Who we are on the platform, which is read with them; `None` before we were first connected to it.
    pub(crate) own: Option<Own>,
    /// People who asked themselves never to be remembered.
    pub(crate) out_by_themselves: BTreeSet<String>,
    /// Forgotten people whose names were refused: by these they may have opted out.
    pub(crate) unnamed: Vec<RefusedName>,
}

/// A name of somebody who was forgotten, which is stored nowhere.
#[derive(Debug)]
pub(crate) struct RefusedName {
    pub(crate) user: User,
    /// Whether they said something since.
    pub(crate) has_returned: bool,
}

#[derive(Debug)]
struct ForgetFence {
    channel: Option<String>,
    person: Option<i64>,
    /// Whether everything of the person was forgotten, their name included.
    is_person: bool,
    from: i64,
    to: i64,
}

row! {
    /// What a fence covers, from the first to the last time; of a person who is absent, only who it is; or a person who
    /// asked never to be remembered. Each row tells who we are, and there is at least one.
    struct FenceRow {
        own: Option<String>,
        out: Option<String>,
        channel_id: Option<String>,
        person: Option<i64>,
        from_ts: Option<i64>,
        to_ts: Option<i64>,
        is_person: Option<i64>,
    }
}

impl ForgetFence {
    fn reaches(&self, channel: &ChannelId, ts: MessageTs) -> bool {
        (self.from..=self.to).contains(&ts.as_micros())
            && self.channel.as_ref().is_none_or(|only| only == channel.as_str())
    }
}

impl ForgetFences {
    /// Reads the fences that may matter to some events: two index probes for what is said now.
    pub(crate) async fn read(tx: &mut Tx, events: &[Event]) -> Result<Self, StoreError> {
        let times = events.iter().filter_map(|event| match event {
            Event::Message(_) | Event::Sighting(_) => event.message().map(|message| message.ts),
            Event::Unread { key, .. } => message_of_key(key).map(|(_, ts)| ts),
            Event::Voted(vote) => Some(vote.at),
            Event::Dated(_) | Event::Hearsay(_) => told_until(event),
            Event::Channel(_)
            | Event::User(_)
            | Event::Departed(_)
            | Event::Deleted { .. }
            | Event::HeardUntil { .. }
            | Event::AnswerStopped(_) => None,
        });
        let rows: Vec<FenceRow> = on!(tx, c => query_as(
            "SELECT o.value AS own, f.out, f.channel_id, f.person, f.from_ts, f.to_ts, f.is_person
             FROM (SELECT 'own' AS key) AS k LEFT JOIN settings o ON o.key = k.key
             LEFT JOIN (SELECT NULL AS out, channel_id, person, from_ts, to_ts, is_person FROM forgettings
                WHERE by_words = 0 AND to_ts >= $1
                UNION ALL SELECT NULL, NULL, person, NULL, NULL, NULL FROM forgettings
                WHERE is_person = 1 AND returned = 0 AND person IS NOT NULL
                UNION ALL SELECT id, NULL, NULL, NULL, NULL, NULL FROM opted_out
                WHERE kind = 'user' AND name = '') AS f ON true")
            .bind(times.min().unwrap_or(MessageTs::MAX).as_micros()).fetch_all(c).await)?;
        let own = rows.first().and_then(|row| row.own.as_deref()).and_then(team::own_from_setting);
        let mut fences = Self { own, ..Self::default() };
        for row in rows {
            fences.out_by_themselves.extend(row.out);
            match row.from_ts.zip(row.to_ts) {
                Some((from, to)) => {
                    fences.covering.push(ForgetFence {
                        channel: row.channel_id,
                        person: row.person,
                        is_person: row.is_person == Some(1),
                        from,
                        to,
                    });
                }
                None => fences.absent.extend(row.person),
            }
        }
        Ok(fences)
    }

    /// Takes what may not come back out of a batch; returns the rest, and how many messages and raw events were
    /// refused. A forgotten person who speaks again counts as a new person.
    pub(crate) async fn hold_back(
        &mut self,
        tx: &mut Tx,
        events: Vec<Event>,
    ) -> Result<(Vec<Event>, u64), StoreError> {
        if self.covering.is_empty() && self.absent.is_empty() {
            return Ok((events, 0));
        }
        let mut passed = Vec::with_capacity(events.len());
        let mut refused = 0;
        for event in events {
            let is_refused = match &event {
                Event::Message(_) | Event::Sighting(_) => match event.message() {
                    Some(message) if self.covers(message) => true,
                    Some(message) => {
                        self.welcome_user(tx, &message.user).await?;
                        false
                    }
                    None => false,
                },
                Event::User(_) | Event::Departed(_) | Event::Dated(_) | Event::Hearsay(_) => {
                    match event.person().filter(|user| self.hides_name(user, told_until(&event))) {
                        Some(_) if matches!(&event, Event::Hearsay(hearsay) if !hearsay.is_their_name()) => {}
                        Some(user) => {
                            let has_returned = !self.absent.contains(&person_key(&user.id));
                            self.unnamed.push(RefusedName { user: user.clone(), has_returned });
                        }
                        None => passed.push(event),
                    }
                    continue;
                }
                Event::Unread { key, raw, .. } => self.covers_raw(key, raw),
                Event::Voted(vote) => self.covers_deed(&vote.channel, vote.at, &vote.by),
                Event::Channel(_)
                | Event::Deleted { .. }
                | Event::HeardUntil { .. }
                | Event::AnswerStopped(_) => false,
            };
            if is_refused {
                refused += 1;
            } else {
                passed.push(event);
            }
        }
        Ok((passed, refused))
    }

    /// Whether a message was forgotten.
    pub(crate) fn covers(&self, message: &Message) -> bool {
        self.covers_deed(&message.channel, message.ts, &message.user)
    }

    /// Whether a name was forgotten that a source tells as of a moment; `None`: as of now. Who is only named has said
    /// nothing since they were forgotten, so nothing shows that they came back. Of somebody who did, the name of today may
    /// be known, and what is of before the forgetting was forgotten with it.
    fn hides_name(&self, user: &User, told_until: Option<MessageTs>) -> bool {
        let person = person_key(&user.id);
        let forgot = |until: MessageTs| {
            let of_them = |fence: &&ForgetFence| fence.is_person && fence.person == Some(person);
            self.covering.iter().filter(of_them).any(|fence| until.as_micros() <= fence.to)
        };
        self.absent.contains(&person) || told_until.is_some_and(forgot)
    }

    /// Whether what somebody did in a channel at a moment was forgotten.
    fn covers_deed(&self, channel: &ChannelId, at: MessageTs, by: &UserId) -> bool {
        let person = person_key(by);
        self.covering
            .iter()
            .any(|fence| fence.reaches(channel, at) && fence.person.is_none_or(|only| only == person))
    }

    /// Whether a raw copy may be of something forgotten: by anybody who is named in it.
    fn covers_raw(&self, key: &str, raw: &str) -> bool {
        let Some((channel, ts)) = message_of_key(key) else { return false };
        let reaching: Vec<&ForgetFence> =
            self.covering.iter().filter(|fence| fence.reaches(&channel, ts)).collect();
        reaching.iter().any(|fence| fence.person.is_none())
            || (!reaching.is_empty() && {
                let named = people_in(raw);
                reaching.iter().any(|fence| fence.person.is_some_and(|person| named.contains(&person)))
            })
    }

    async fn welcome_user(&mut self, tx: &mut Tx, user: &UserId) -> Result<(), StoreError> {
        let person = person_key(user);
        if self.absent.remove(&person) {
            on!(tx, c => sqlx::query("UPDATE forgettings SET returned = 1 WHERE person = $1 AND is_person = 1")
                .bind(person).execute(c).await.map(drop))?;
        }
        Ok(())
    }
}

/// The last moment of which the source of a name tells, if that is not today: the earliest, if nobody knows it.
fn told_until(event: &Event) -> Option<MessageTs> {
    match event {
        Event::Dated(dated) => Some(dated.known_until().unwrap_or(MessageTs::MIN)),
        Event::Hearsay(hearsay) => Some(hearsay.said_at),
        Event::User(_)
        | Event::Departed(_)
        | Event::Channel(_)
        | Event::Message(_)
        | Event::Sighting(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => None,
    }
}

/// The message that the key of a raw copy names.
fn message_of_key(key: &str) -> Option<(ChannelId, MessageTs)> {
    let (channel, ts) = key.split_once('/')?;
    Some((ChannelId::new(channel), ts.parse().ok()?))
}

/// The numbers of all texts in a raw copy that may be a person's id.
fn people_in(raw: &str) -> BTreeSet<i64> {
    fn collect_numbers(value: &Value, found: &mut BTreeSet<i64>) {
        match value {
            Value::String(text) => {
                found.insert(person_key(&UserId::new(text.as_str())));
            }
            Value::Array(values) => values.iter().for_each(|value| collect_numbers(value, found)),
            Value::Object(fields) => fields.values().for_each(|value| collect_numbers(value, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = BTreeSet::new();
    if let Ok(value) = serde_json::from_str(raw) {
        collect_numbers(&value, &mut found);
    }
    found
}

/// What is kept of a forgotten person: a number that recognises them, and does not say who they are.
pub(crate) fn person_key(user: &UserId) -> i64 {
    key_of_term(user.as_str())
}
