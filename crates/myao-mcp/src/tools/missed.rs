//! `memory_missed`: what a person missed: what was asked of them, decided and changed since they were last there.

use myao_companion::brief::{Brief, BriefChange, BriefOrder, BriefSince, make_brief};
use myao_core::{
    chat::{Mentions, Message, name_in_talk},
    recall::brief::BriefWish,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::ToolFailure,
    items::{ItemWriter, MemoryItem, mentions_of_messages, shorten},
    resolve::{instant_of_text, person_of_name, places_of_names},
};

/// The most characters of one message or statement.
const MOST_CHARS: usize = 300;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MissedToolArgs {
    /// Who was away: a name as results show it, or an id.
    pub(crate) person: String,
    /// Since when: 2026-03-01, 7d, yesterday, or RFC 3339. Left out: since they last said something there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    /// Only these places, by name as in `#general` or by id. Left out: all that this token sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) places: Vec<String>,
}

/// What a person missed. What the token does not see is not in it, whatever they themselves may see.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MissedAnswer {
    /// The name, as results show it.
    pub(crate) person: String,
    /// The id.
    pub(crate) person_id: String,
    /// Since when, in RFC 3339.
    pub(crate) since: String,
    pub(crate) because: MissedSince,
    /// How many messages of other people there were since, and in how many places.
    pub(crate) messages: usize,
    pub(crate) places: usize,
    /// What was asked of them and not answered since, in the order of time.
    pub(crate) asked: Vec<MemoryItem>,
    /// What was decided.
    pub(crate) decided: Vec<MemoryItem>,
    /// What changed in what is remembered.
    pub(crate) changed: Vec<ChangedStatement>,
    /// How many more there were of each.
    pub(crate) more: MoreMissed,
    pub(crate) notes: Vec<String>,
}

/// Why since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MissedSince {
    /// It was asked for.
    Told,
    /// They said something then, and nothing for a while.
    LastHere,
    /// They said nothing that is known: the last seven days.
    Usual,
}

/// How many more there were than are shown.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct MoreMissed {
    pub(crate) asked: usize,
    pub(crate) decided: usize,
    pub(crate) changed: usize,
}

/// A statement that was replaced, and the one that holds instead.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ChangedStatement {
    /// What held.
    pub(crate) was: String,
    /// What holds.
    pub(crate) is: String,
    pub(crate) place: String,
    /// The day that it tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) day: Option<String>,
    /// The address of the message that says what holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permalink: Option<String>,
}

pub(crate) async fn missed(
    access: &MemoryAccess,
    caller: &AgentCaller,
    args: MissedToolArgs,
) -> Result<MissedAnswer, ToolFailure> {
    let store = access.store();
    let person = person_of_name(store, caller, &args.person).await?;
    let (now, zone) = (access.now(), access.zone());
    let since = args.since.as_deref().map(|text| instant_of_text(text, now, zone)).transpose()?;
    let channels = places_of_names(store, &caller.visibility, &args.places).await?;
    let wish = BriefWish { since, channels, is_here: false };
    let order = BriefOrder {
        visibility: &caller.visibility,
        user: &person.id,
        wish: &wish,
        place: None,
        now,
        zone,
        language: access.language(),
    };
    let turn = access.turn_to_search().await;
    let brief = make_brief(store, order).await?;
    drop(turn);
    let writer = access.writer(&caller.visibility, &mentions_of_brief(&brief)).await?;
    let item = |message: &Message| {
        let item = writer.message(message);
        MemoryItem { text: shorten(&item.text, MOST_CHARS), ..item }
    };
    let mut notes = Vec::new();
    if brief.is_empty() || brief.is_cut {
        notes.push(brief.heading(&order));
    }
    let [asked, decided, changed] = brief.more;
    Ok(MissedAnswer {
        person: name_in_talk(&person.name),
        person_id: person.id.to_string(),
        since: writer.moment(brief.since),
        because: match brief.because {
            BriefSince::Told => MissedSince::Told,
            BriefSince::LastHere => MissedSince::LastHere,
            BriefSince::Usual => MissedSince::Usual,
        },
        messages: brief.messages,
        places: brief.channels,
        asked: brief.asked.iter().map(item).collect(),
        decided: brief.decided.iter().map(item).collect(),
        changed: brief.changed.iter().map(|change| ChangedStatement::of(change, &writer)).collect(),
        more: MoreMissed { asked, decided, changed },
        notes,
    })
}

fn mentions_of_brief(brief: &Brief) -> Mentions {
    let mut mentions = mentions_of_messages(brief.asked.iter().chain(&brief.decided));
    for change in &brief.changed {
        mentions.channels.insert(change.is.channel.clone());
        mentions.add_memory(&change.was.words);
        mentions.add_memory(&change.is.words);
    }
    mentions
}

impl ChangedStatement {
    fn of(change: &BriefChange, writer: &ItemWriter) -> Self {
        let BriefChange { was, is, source } = change;
        Self {
            was: shorten(&writer.remembered(&was.words), MOST_CHARS),
            is: shorten(&writer.remembered(&is.words), MOST_CHARS),
            place: writer.place(&is.channel),
            day: is.day.map(|day| day.to_string()),
            permalink: source.and_then(|(ts, thread)| writer.address(&is.channel, ts, thread)),
        }
    }
}
