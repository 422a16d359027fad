//! What is open, as somebody may see it: promises, questions that wait and dates to come, read from talk each time it is
//! asked for (ADR 138).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Names, UserId, Visibility},
    loops::{LoopKind, LoopsAsked, LoopsAskedFor, OpenLoop, open_loops},
    text::{Language, clip_to_characters, one_line, phrase_with},
};
use myao_slack::permalink_of_message;
use myao_store::{NewestTalkQuery, Store, StoreError};
use serde_json::json;

/// How many days of talk are looked through.
pub const DAYS_LOOKED_BACK: i64 = 90;
/// The most channels that are looked through, those last spoken in.
const MOST_CHANNELS: u64 = 200;
/// The most messages of a channel that are looked through, the newest.
const MOST_MESSAGES: u64 = 2_000;
/// Once so many messages are read, no further channel is: they are read anew each time.
const MOST_IN_ALL: usize = 20_000;
/// The most characters that are shown of the sentence that opened something.
const EXCERPT: usize = 200;
const SECONDS_PER_DAY: i64 = 86_400;

/// Who asks for what is open, and of what.
#[derive(Clone, Copy, Debug)]
pub struct OpenLoopsQuery<'a> {
    /// What may be seen.
    pub visibility: &'a Visibility,
    /// Only what was said in this channel.
    pub channel: Option<&'a ChannelId>,
    /// Which kinds, and whose.
    pub asked: &'a LoopsAskedFor,
    /// The instant as of which it is asked.
    pub at: Timestamp,
    /// Whose days count.
    pub zone: &'a TimeZone,
    /// The language of what is shown.
    pub language: Language,
}

/// Everything that is open, of everybody.
pub const EVERYTHING_OPEN: LoopsAskedFor = LoopsAskedFor { what: LoopsAsked::All, of: None };

/// What is open, with what it takes to show it.
#[derive(Clone, Debug)]
pub struct OpenLoopsFound {
    /// What is open: what is due first comes first.
    pub open: Vec<OpenLoop>,
    /// The messages from which it was read, those that asked for what was promised among them.
    pub sources: Vec<Message>,
    /// The names that may be seen.
    pub names: Names,
    /// Who has left.
    left: BTreeSet<UserId>,
    /// The address of the workspace, if it is known.
    pub team_url: Option<String>,
    language: Language,
}

/// Reads what is open.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn find_open_loops(
    store: &Store,
    query: &OpenLoopsQuery<'_>,
) -> Result<OpenLoopsFound, StoreError> {
    let until = MessageTs::from_timestamp(query.at);
    let newest = NewestTalkQuery {
        channel: query.channel.cloned(),
        after: until.plus_seconds(-DAYS_LOOKED_BACK * SECONDS_PER_DAY),
        until,
        most_channels: MOST_CHANNELS,
        most_messages: MOST_MESSAGES,
        most_in_all: MOST_IN_ALL,
    };
    let talk = store.gather().newest_talk(query.visibility, &newest).await?;
    let names = store.archive().names(query.visibility).await?.in_language(query.language);
    let (zone, at) = (query.zone.clone(), query.at);
    // Reading thousands of messages takes longer than a task may hold its thread (ADR 71).
    let read = tokio::task::spawn_blocking(move || {
        let open = open_loops(&talk, &names, &zone, at);
        (open, talk, names)
    });
    let (mut open, talk, names) = read.await.map_err(|error| StoreError::Interrupted(error.to_string()))?;
    open.retain(|one| query.asked.wants(one));
    let is_source = |message: &Message| {
        let said = |one: &OpenLoop| one.ts == message.ts || one.asked_at == Some(message.ts);
        open.iter().any(|one| one.channel == message.channel && said(one))
    };
    let sources = talk.into_iter().filter(|message| is_source(message)).collect();
    let team_url = store.archive().team_url().await?;
    let left = store.archive().people_who_left().await?;
    Ok(OpenLoopsFound { open, sources, names, left, team_url, language: query.language })
}

impl OpenLoopsFound {
    /// Who owes it, or asked, with the day: "Ann, by 2026-03-06". Of whoever has left it says so.
    pub fn label(&self, one: &OpenLoop) -> String {
        let name = |user: &Option<UserId>| user.as_ref().map(|user| self.name_of(user));
        let by = one.by.map(|by| by.to_string());
        match one.kind {
            LoopKind::Promise => {
                let values = json!({ "who": name(&one.who), "whom": name(&one.whom), "by": by });
                phrase_with(self.language, "loops-promise", &values)
            }
            LoopKind::Question => {
                let values = json!({ "who": name(&one.who), "whom": name(&one.whom) });
                phrase_with(self.language, "loops-question", &values)
            }
            LoopKind::Coming => phrase_with(self.language, "loops-coming", &json!({ "by": by })),
        }
    }

    fn name_of(&self, user: &UserId) -> String {
        let name = self.names.user(user);
        if self.left.contains(user) {
            return phrase_with(self.language, "loops-of-whoever-left", &json!({ "name": name }));
        }
        name.to_owned()
    }

    /// The sentence that opened it, on one line, with names in it.
    pub fn words(&self, one: &OpenLoop) -> String {
        clip_to_characters(&one_line(&self.names.resolve(&one.words)), EXCERPT)
    }

    /// The address of the message that opened it, if the workspace's is known.
    pub fn permalink(&self, one: &OpenLoop) -> Option<String> {
        permalink_of_message(self.team_url.as_ref()?, &one.channel, one.ts, one.thread_ts)
    }
}
