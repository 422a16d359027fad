//! What the page of a channel is made from, read once for the whole page.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_companion::live::local::{LocalSay, LocalTalk, TimePassing};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, MessageTs, Names, Place, User, UserId},
    ports::Clock as _,
};
use myao_store::{JournalEntry, LocalAnswerCall, MemoryKey, VersionLog};

use super::{Guest, Room, address, refusal_response, walk::StepsSoFar};
use crate::{answer::PageError, visit::Visit};

/// How many messages outside threads a page shows.
const MOST_SAYS: u32 = 40;
/// The most chapters whose ends are marked in the talk.
const MOST_ENDS: usize = 30;
/// How many journal entries are read to find the last two texts among them.
const MOST_ENTRIES: usize = 16;

/// A channel, as one person sees it now.
pub(super) struct RoomPlace {
    pub(super) me: UserId,
    pub(super) own: UserId,
    pub(super) model: String,
    /// How far the first steps have come.
    pub(super) steps: StepsSoFar,
    /// The stretch of time that passes, or the last one that did.
    pub(super) passing: Option<TimePassing>,
    /// The root of the thread that alone is shown.
    pub(super) thread: Option<MessageTs>,
    pub(super) people: Vec<User>,
    pub(super) channels: Vec<Channel>,
    pub(super) channel: Channel,
    /// Who is in the channel, if it is not open to everybody.
    pub(super) members: BTreeSet<UserId>,
    pub(super) names: Names,
    pub(super) now: Timestamp,
    /// In a demo that replays an export: how many of its messages have come, how many there are, and when the next one
    /// comes.
    pub(super) past: Option<(usize, usize, Option<Timestamp>)>,
    pub(super) says: Vec<LocalSay>,
    pub(super) has_earlier: bool,
    /// Whether a reply of ours is being written here.
    pub(super) is_typing: bool,
    /// The chapters that ended, newest first.
    pub(super) chapters: Vec<VersionLog>,
    /// The number of the chapter under way, and where it begins.
    pub(super) under_way: (u32, Option<MessageTs>),
    /// The messages since the last chapter ended.
    pub(super) waiting: Vec<MessageTs>,
    /// The last two texts of the long-term memory, the newest first.
    pub(super) long_term: Vec<JournalEntry>,
    /// What the call for the last reply here cost.
    pub(super) answered: Option<LocalAnswerCall>,
}

impl RoomPlace {
    pub(super) async fn read(
        visit: &Visit,
        room: &Room,
        guest: &Guest,
        channel: &ChannelId,
    ) -> Result<Self, PageError> {
        let workspace = &room.workspace;
        let store = &visit.site.store;
        let before = visit.query.parsed::<MessageTs>("before").unwrap_or(MessageTs::MAX);
        let thread = visit.query.parsed("thread").or_else(|| visit.posted.parsed("thread"));
        let (thread, talk) = if let Some(alone) = read_thread(room, guest, channel, thread).await? {
            (thread, alone)
        } else {
            let talk = workspace.talk(&guest.id, channel, before, MOST_SAYS).await;
            (None, talk.map_err(refusal_response)?)
        };
        let found = store.archive().channel(channel).await?.ok_or(PageError::NotFound)?;
        let visibility = store.hearing().seen_from(channel).await?;
        let chapters = store.memory().chapters_in_channel(channel).await?;
        let key = MemoryKey::long_term(channel);
        let window = store.memory().journal_window_around(&visibility, &key, None, MOST_ENTRIES).await?;
        let texts = window
            .entries
            .into_iter()
            .filter(|entry| entry.content.as_ref().is_some_and(|text| !text.is_empty()));
        let texts: Vec<JournalEntry> = texts.collect();
        let current = texts.iter().position(|entry| entry.is_current).map_or(0, |at| at + 1);
        let waiting =
            store.archive().talk_after(channel, chapters.uncut_from().unwrap_or(MessageTs::MIN)).await?;
        let mut ended = store.memory().version_page(&visibility, channel, u32::MAX, MOST_ENDS).await?;
        ended.retain(|log| !log.is_provisional());
        Ok(Self {
            me: guest.id.clone(),
            own: workspace.own().clone(),
            model: room.model.clone(),
            steps: StepsSoFar::read(visit, room, channel).await?,
            passing: workspace.time_passing(),
            thread,
            people: guest.people.clone(),
            channels: workspace.channels_of(&guest.id).await?,
            channel: found,
            members: store.local().members_of_channel(channel).await?,
            names: talk.names.in_language(visit.language),
            now: workspace.clock().now(),
            past: workspace.past().await,
            says: talk.says,
            has_earlier: talk.has_earlier,
            is_typing: is_written_to(visit, room, channel, thread).await?,
            chapters: ended,
            under_way: (chapters.next_version(), chapters.uncut_from()),
            waiting: waiting.map(|(_, stamps)| stamps).unwrap_or_default(),
            long_term: texts.into_iter().take(current).rev().take(2).collect(),
            answered: store.local().last_answer(channel).await?,
        })
    }

    /// The address of this page: the channel, or the thread that alone is shown.
    pub(super) fn here(&self) -> String {
        let channel = address(&self.channel.id);
        self.thread.map_or_else(|| channel.clone(), |root| format!("{channel}?thread={root}"))
    }

    /// Whether time passes at the moment.
    pub(super) fn is_time_passing(&self) -> bool {
        self.passing.as_ref().is_some_and(TimePassing::is_under_way)
    }

    /// Whether the page will soon show something else without anybody doing anything.
    pub(super) fn is_changing(&self) -> bool {
        self.is_typing || self.is_time_passing()
    }

    /// The title of the page: `#general`, or who takes part.
    pub(super) fn title(&self, visit: &Visit) -> String {
        match self.channel.kind {
            ChannelKind::Dm => visit.say("room-you-and-myao").to_owned(),
            ChannelKind::GroupDm => self.channel.name.clone(),
            ChannelKind::Public | ChannelKind::Private | ChannelKind::Unknown => {
                format!("#{}", self.channel.name)
            }
        }
    }
}

/// The thread that is to be shown alone; `None` if there is none, or nothing of it stands.
async fn read_thread(
    room: &Room,
    guest: &Guest,
    channel: &ChannelId,
    thread: Option<MessageTs>,
) -> Result<Option<LocalTalk>, PageError> {
    let Some(thread) = thread else { return Ok(None) };
    room.workspace.talk_of_thread(&guest.id, channel, thread).await.map_err(refusal_response)
}

/// Whether a reply of ours is being written here, or is about to be: it is due.
async fn is_written_to(
    visit: &Visit,
    room: &Room,
    channel: &ChannelId,
    thread: Option<MessageTs>,
) -> Result<bool, PageError> {
    let is_here = |place: &Place| place.channel == *channel && (thread.is_none() || place.thread == thread);
    if room.workspace.typing().iter().any(is_here) {
        return Ok(true);
    }
    let at_hand = visit.site.store.replies().to_act_on(room.workspace.clock().now()).await?;
    Ok(at_hand.due.iter().any(is_here))
}
