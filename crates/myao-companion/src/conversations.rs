//! Stores the conversations of other programs, so that they get the same memory as a chat: what is said enters the archive
//! as it does from anywhere, and chapters, memories, recall and forgetting follow from the rows (ADR 119).
//!
//! Each conversation is a channel of kind `dm` that its agent and the owner see, and nobody else.

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{
        AgentToken, Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, User, UserId,
        Visibility, instant_after,
    },
    ports::Clock,
    recall::RecallFilter,
    text::{count_invisible_characters, with_secrets_masked},
};
use myao_store::{RecalledText, Store, StoreError};
use sha2::{Digest as _, Sha256};

/// The conversation of what is remembered outside of any.
pub const NOTES: &str = "notes";
/// The most characters of what is said at once.
pub const MOST_TURN_CHARS: usize = 8_000;
/// The most characters of a conversation's or a speaker's name.
pub const MOST_NAME_CHARS: usize = 80;
/// The most that is stored at once.
pub const MOST_TURNS: usize = 100;
/// How far ahead of ours the clock of another machine may be.
const AHEAD: SignedDuration = SignedDuration::from_mins(5);
/// How long one batch holds the conversation at most.
const HELD_FOR: SignedDuration = SignedDuration::from_secs(30);
/// The most that is said in one conversation at one instant: those are looked through one by one.
const MOST_AT_ONE_INSTANT: usize = 1_000;
/// How many bytes of a hash name a conversation or a speaker of one agent.
const KEY_BYTES: usize = 10;

/// Something that is said in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationTurn {
    /// Who says it; `None` for the agent itself.
    pub speaker: Option<String>,
    /// The words.
    pub text: String,
    /// When it was said; `None` for now.
    pub said_at: Option<Timestamp>,
}

/// Where something that was said is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredTurn {
    /// Its time stamp in the conversation's channel.
    pub ts: MessageTs,
    /// What became of it.
    pub state: TurnState,
}

/// What became of something that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnState {
    /// It was not stored before, and is now.
    New,
    /// It was stored before, in these words or in those that it was corrected to.
    AlreadyThere,
    /// It was stored before, and was deleted or forgotten since. It is not taken in again.
    Removed,
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    /// Nothing is said, or too much at once.
    #[error("give 1 to {MOST_TURNS} things that were said")]
    Count,
    /// A text that is empty or too long.
    #[error("what is said has 1 to {MOST_TURN_CHARS} characters")]
    Text,
    /// A name that is empty or too long.
    #[error("the name of a conversation or a speaker has 1 to {MOST_NAME_CHARS} characters on one line")]
    Name,
    /// A time that has not come.
    #[error("`said_at` lies in the future: leave it out for what is said now")]
    Future,
    /// A time that no message has.
    #[error("`said_at` has to be later than the beginning of 1970: leave it out for what is said now")]
    Past,
    /// Too much has the same time.
    #[error(
        "more than {MOST_AT_ONE_INSTANT} things were said at one instant: give each a `said_at` of its own"
    )]
    Crowded,
    /// Somebody else stores in the conversation at this moment.
    #[error("the conversation is being written at this moment: try again")]
    Busy,
    /// There is no such message in the agent's conversations.
    #[error("there is no such message in the conversations of this token")]
    NotThere,
    /// The words are what stands there.
    #[error("nothing changes: these are the words that stand there")]
    Unchanged,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The conversations of one agent.
#[derive(Clone, Copy)]
pub struct Conversations<'a> {
    /// The database.
    pub store: &'a Store,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Whose they are.
    pub agent: &'a AgentToken,
}

impl Conversations<'_> {
    /// The channel of the conversation with this name, whether or not anything was said in it.
    ///
    /// # Errors
    /// When it is no name.
    pub fn channel(&self, name: &str) -> Result<ChannelId, ConversationError> {
        Ok(self.agent.agent.conversation(&key_of(&checked_name(name)?)))
    }

    /// Stores what was said in a conversation, all of it or nothing, in this order. Something that was said at a given
    /// time is stored once, however often it is told, also if it was corrected or removed since; so is a note ([`NOTES`]) with the same words. Of what is said now,
    /// a batch with which the conversation already ends is taken for the same batch told again.
    ///
    /// # Errors
    /// See [`ConversationError`].
    #[boxed]
    pub async fn remember(
        &self,
        name: &str,
        turns: &[ConversationTurn],
    ) -> Result<Vec<StoredTurn>, ConversationError> {
        let channel = self.channel(name)?;
        let turns = self.checked_turns(turns)?;
        let now = self.clock.now();
        let subject = format!("conversation:{channel}");
        let claim = self.store.claim(&subject, now, instant_after(now, HELD_FOR)).await?;
        let claim = claim.ok_or(ConversationError::Busy)?;
        let stored = self.store_turns(&channel, &checked_name(name)?, &turns).await;
        self.store.release(&claim).await?;
        stored
    }

    /// Replaces the words of something that was said; what was made from the old ones follows. Returns the old words.
    ///
    /// # Errors
    /// See [`ConversationError`].
    #[boxed]
    pub async fn correct(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
        text: &str,
    ) -> Result<String, ConversationError> {
        let message = self.own_message(channel, ts).await?;
        let text = checked_text(text)?;
        if message.text == text {
            return Err(ConversationError::Unchanged);
        }
        let now = MessageTs::from_timestamp(self.clock.now());
        // The later of two edits wins, also within a microsecond.
        let edited_at =
            message.edited_at.map_or(now, |before| now.max(MessageTs::from_micros(before.as_micros() + 1)));
        let before = message.text.clone();
        let edited = Message { text, edited_at: Some(edited_at), ..message };
        self.store.intake().apply(vec![Event::Message(edited)], self.clock.now()).await?;
        Ok(before)
    }

    /// Deletes something that was said, with everything that was made from it.
    ///
    /// # Errors
    /// See [`ConversationError`].
    #[boxed]
    pub async fn delete(&self, channel: &ChannelId, ts: MessageTs) -> Result<(), ConversationError> {
        self.own_message(channel, ts).await?;
        let deleted = Event::Deleted { channel: channel.clone(), ts };
        self.store.intake().apply(vec![deleted], self.clock.now()).await?;
        Ok(())
    }

    /// A message of one of the agent's conversations.
    ///
    /// # Errors
    /// When there is none.
    #[boxed]
    pub async fn own_message(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Message, ConversationError> {
        if !self.agent.agent.holds(channel) {
            return Err(ConversationError::NotThere);
        }
        let message = self.store.archive().message(&Visibility::only(channel), channel, ts).await?;
        message.filter(Message::is_talk).ok_or(ConversationError::NotThere)
    }

    fn checked_turns(&self, turns: &[ConversationTurn]) -> Result<Vec<ConversationTurn>, ConversationError> {
        if turns.is_empty() || turns.len() > MOST_TURNS {
            return Err(ConversationError::Count);
        }
        let latest = instant_after(self.clock.now(), AHEAD);
        let checked = |turn: &ConversationTurn| {
            if turn.said_at.is_some_and(|at| at > latest) {
                return Err(ConversationError::Future);
            }
            // Everything that counts messages begins there; a missing time of a client is often exactly that.
            if turn.said_at.is_some_and(|at| at <= Timestamp::UNIX_EPOCH) {
                return Err(ConversationError::Past);
            }
            let speaker = turn.speaker.as_deref().map(checked_name).transpose()?;
            Ok(ConversationTurn { speaker, text: checked_text(&turn.text)?, said_at: turn.said_at })
        };
        turns.iter().map(checked).collect()
    }

    async fn store_turns(
        &self,
        channel: &ChannelId,
        name: &str,
        turns: &[ConversationTurn],
    ) -> Result<Vec<StoredTurn>, ConversationError> {
        if let Some(stored) = self.told_before(channel, name, turns).await? {
            return Ok(stored);
        }
        let mut next = self.next_ts(channel).await?;
        let mut events = vec![Event::Channel(Channel {
            id: channel.clone(),
            name: format!("{}/{name}", self.agent.name),
            kind: ChannelKind::Dm,
            external: false,
        })];
        let mut stored = Vec::new();
        let mut taken: Vec<Message> = Vec::new();
        // What has no time of its own was said right after what stands before it in the batch and has one.
        let mut right_after: Option<MessageTs> = None;
        for turn in turns {
            let speaker = self.speaker(turn.speaker.as_deref());
            let at = turn.said_at.map(MessageTs::from_timestamp).or(right_after);
            let placed = match at {
                Some(at) => self.place_of_past_turn(channel, at, turn, &taken).await?,
                None => StoredTurn { ts: next, state: TurnState::New },
            };
            right_after = at.map(|_| later(placed.ts));
            stored.push(placed);
            if placed.state == TurnState::New {
                let message = message_of_turn(channel, placed.ts, &speaker.id, &turn.text);
                next = next.max(later(placed.ts));
                taken.push(message.clone());
                events.extend([Event::User(speaker), Event::Message(message)]);
            }
        }
        if !taken.is_empty() {
            // Whoever says it tells it here, so nothing is ever on its way.
            events.push(Event::HeardUntil { channel: channel.clone(), until: MessageTs::MAX });
            self.store.intake().apply(events, self.clock.now()).await?;
        }
        Ok(stored)
    }

    /// Where these turns are stored, if they were told before.
    async fn told_before(
        &self,
        channel: &ChannelId,
        name: &str,
        turns: &[ConversationTurn],
    ) -> Result<Option<Vec<StoredTurn>>, StoreError> {
        if turns.iter().any(|turn| turn.said_at.is_some()) {
            return Ok(None);
        }
        if let (NOTES, [note]) = (name, turns) {
            let found = self.store.local().message_saying(channel, &note.text).await?;
            let speaker = self.speaker(note.speaker.as_deref()).id;
            let same = found.filter(|(_, user)| *user == speaker);
            return Ok(same.map(|(ts, _)| vec![already_at(ts)]));
        }
        let filter = RecallFilter { channels: vec![channel.clone()], ..RecallFilter::default() };
        let last =
            self.store.recall().newest_messages(&Visibility::only(channel), &filter, turns.len()).await?;
        let last: Vec<Message> = last
            .into_iter()
            .rev()
            .filter_map(|found| match found.text {
                RecalledText::Message(message) => Some(message),
                RecalledText::Line(_) => None,
            })
            .collect();
        let says = |(message, turn): (&Message, &ConversationTurn)| self.says(message, turn);
        let is_told = last.len() == turns.len() && last.iter().zip(turns).all(says);
        Ok(is_told.then(|| last.iter().map(|message| already_at(message.ts)).collect()))
    }

    /// Where something that was said at a given time is stored, or will be. Where something else was said at the same
    /// microsecond, the next one is taken; what was corrected or removed there since is taken for the same.
    async fn place_of_past_turn(
        &self,
        channel: &ChannelId,
        at: MessageTs,
        turn: &ConversationTurn,
        taken: &[Message],
    ) -> Result<StoredTurn, ConversationError> {
        let speaker = self.speaker(turn.speaker.as_deref()).id;
        let mut ts = at;
        let mut followed: Option<StoredTurn> = None;
        for _ in 0..MOST_AT_ONE_INSTANT {
            let batch = taken.iter().find(|message| message.ts == ts).cloned();
            let stored = match batch {
                Some(message) => Some(message),
                None => self.store.archive().message(&Visibility::only(channel), channel, ts).await?,
            };
            let Some(message) = stored else {
                return Ok(followed.unwrap_or(StoredTurn { ts, state: TurnState::New }));
            };
            if self.says(&message, turn) {
                return Ok(already_at(ts));
            }
            if message.deleted {
                followed = followed.or(Some(StoredTurn { ts, state: TurnState::Removed }));
            } else if message.edited_at.is_some() && message.user == speaker {
                followed = followed.or(Some(already_at(ts)));
            }
            ts = later(ts);
        }
        Err(ConversationError::Crowded)
    }

    /// Whether a stored message is this turn. A secret in it may have been masked when it was stored.
    fn says(&self, message: &Message, turn: &ConversationTurn) -> bool {
        let is_text = message.text == turn.text || message.text == with_secrets_masked(&turn.text);
        is_text && !message.deleted && message.user == self.speaker(turn.speaker.as_deref()).id
    }

    /// The time stamp of something that is said now: later than all others of the conversation.
    async fn next_ts(&self, channel: &ChannelId) -> Result<MessageTs, StoreError> {
        let newest = self.store.local().newest_time_stamp(channel).await?;
        let now = MessageTs::from_timestamp(self.clock.now());
        Ok(now.max(later(newest)))
    }

    /// A speaker as a person of the archive. The agent's name stands behind, so that nobody is taken for somebody of the
    /// chat who is called the same.
    fn speaker(&self, name: Option<&str>) -> User {
        let AgentToken { agent, name: of, .. } = self.agent;
        match name {
            None => {
                User { id: UserId::new(format!("{}self", agent.family())), name: of.clone(), is_bot: true }
            }
            Some(name) => User {
                id: UserId::new(format!("{}{}", agent.family(), key_of(name))),
                name: format!("{name} via {of}"),
                is_bot: false,
            },
        }
    }
}

fn later(ts: MessageTs) -> MessageTs {
    MessageTs::from_micros(ts.as_micros().saturating_add(1))
}

fn already_at(ts: MessageTs) -> StoredTurn {
    StoredTurn { ts, state: TurnState::AlreadyThere }
}

fn message_of_turn(channel: &ChannelId, ts: MessageTs, user: &UserId, text: &str) -> Message {
    Message {
        channel: channel.clone(),
        ts,
        thread_ts: None,
        user: user.clone(),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

/// What names a conversation or a speaker in ids, which hold no blanks and no dots.
fn key_of(name: &str) -> String {
    let hash = Sha256::digest(name.as_bytes());
    let number = hash.iter().take(KEY_BYTES).fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
    format!("{number:020x}")
}

fn checked_name(name: &str) -> Result<String, ConversationError> {
    let name = without_references(name.trim());
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let is_name = !name.is_empty()
        && name.chars().count() <= MOST_NAME_CHARS
        && !name.chars().any(breaks)
        && count_invisible_characters(&name) == 0;
    if is_name { Ok(with_secrets_masked(&name).into_owned()) } else { Err(ConversationError::Name) }
}

/// What would be a reference to somebody or something of the chat is none here.
fn without_references(text: &str) -> String {
    ["@", "~", "#"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(&format!("<{sign}"), &format!("< {sign}")))
}

/// The words as they are stored.
fn checked_text(text: &str) -> Result<String, ConversationError> {
    let text = without_references(&text.replace("\r\n", "\n").replace('\0', ""));
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MOST_TURN_CHARS {
        return Err(ConversationError::Text);
    }
    Ok(text.to_owned())
}
