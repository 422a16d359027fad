//! Reads what a prompt is made from: one state of the database, and nothing that the place may not see
//! (specification §3, §6).
//!
//! The cost does not grow with the workspace: a fixed number of statements, each of which reads by an index, and no
//! more rows than a prompt may hold.

mod as_of;
mod conversation;
mod in_force;
mod left_out;
mod memories;
mod mentions;
mod open_talk;
mod own_texts;
mod passing;
mod people;
mod questioner;
mod relevant;
mod renamed;
mod request;
mod room;
mod talk;
mod threads;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{Channel, ChannelId, Message, MessageTs, Names, Visibility},
    context::LineInForce,
    memory::StepId,
    recall::RenamedPerson,
};

use self::{
    conversation::ConversationRows, left_out::LeftOutMessages, memories::ShownMemories, own_texts::OwnTexts,
    relevant::FoundForTalk, talk::TalkToAnswer,
};
use crate::{
    Store, StoreError,
    archive::{self, ChannelRow, names},
    db::Tx,
    hearing::{sight::Sight, visible::VisibilityBinds},
    memos::{self, StoredMemo},
    recall::{self, BearingHouseWord, PersonLine, Recalled},
    replies::inputs::{self, ReplyInput},
};
pub use open_talk::NewestTalkQuery;
pub use request::{ChapterText, GatherRequest};

/// What a prompt is made from.
///
/// [`Store::gather`] gives it.
#[derive(Debug)]
pub struct GatherHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What a prompt is made from.
    pub fn gather(&self) -> GatherHandle<'_> {
        GatherHandle { store: self }
    }
}

/// What the texts were read from that are shown in a prompt, to tell later whether they still stand (ADR 85).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GatheredInputs {
    /// The workspace's memory.
    pub workspace: Option<StepId>,
    /// Long-term memories.
    pub long_term: BTreeMap<ChannelId, StepId>,
    /// Memories of threads.
    pub threads: BTreeMap<MessageTs, StepId>,
    /// Lines of older versions of the own channel's memory.
    pub lines: BTreeSet<StepId>,
    /// Messages that were found, and those around them.
    pub found: Vec<ReplyInput>,
    /// Who had opted out.
    pub opt_outs: ReplyInput,
    /// Where the conversation starts: what lies before it was read for the place's thread, or waits for an answer.
    pub start: MessageTs,
}

impl GatheredInputs {
    async fn of(
        tx: &mut Tx,
        memories: &ShownMemories,
        own: &OwnTexts,
        found: &FoundForTalk,
        left_out: LeftOutMessages,
        start: MessageTs,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            workspace: memories.workspace.as_ref().map(|(_, step)| *step),
            long_term: memories.steps.clone(),
            threads: own.threads.iter().map(|(root, _, step)| (*root, *step)).collect(),
            lines: own.lines.clone(),
            found: inputs::of_messages(tx, found.hits().into_iter().chain(&found.around)).await?,
            opt_outs: left_out.opt_outs,
            start,
        })
    }
}

/// Everything a context is made from. Only [`GatherHandle::for_prompt`] makes one, through the place's visibility:
///
/// ```compile_fail,E0639
/// # fn beside_the_gate(channel: myao_store::ChannelRow, visibility: myao_core::chat::Visibility) {
/// let made_by_hand = myao_store::Gathered { channel, visibility };
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gathered {
    /// The place's channel.
    pub channel: ChannelRow,
    /// What the place may see.
    pub visibility: Visibility,
    /// The same as one word, for the record.
    pub sight: Sight,
    /// The channels that may be shown, its own included, by their last talk, newest first: at most
    /// [`GatherRequest::most_channels`] others, which it sees and in which somebody talked lately.
    pub ranking: Vec<Channel>,
    /// Names of the people and channels that the gathered texts mention, as far as the place may see them.
    pub names: Names,
    /// The workspace's long-term memory.
    pub workspace: Option<String>,
    /// Long-term memories of visible channels.
    pub long_term: BTreeMap<ChannelId, String>,
    /// The newest versions of visible channels, without the place's own.
    pub versions: BTreeMap<ChannelId, Vec<ChapterText>>,
    /// The versions of the place's own channel that are shown.
    pub own_versions: Vec<ChapterText>,
    /// The versions after those, whose messages all stand in the conversation; the oldest ones, if there are many.
    pub versions_in_conversation: Vec<ChapterText>,
    /// The best lines of older versions that no later line has replaced, best first.
    pub lines_in_force: Vec<LineInForce>,
    /// The best lines in force of any version about those who speak in the conversation, the latest speaker first.
    pub person_lines: Vec<PersonLine>,
    /// Thread memories of the place's channel.
    pub threads: Vec<(MessageTs, String)>,
    /// The memos that a prompt holds.
    pub memos: Vec<StoredMemo>,
    /// The conversation, and the messages that wait for an answer; oldest first.
    pub messages: Vec<Message>,
    /// Our posts in it that were made only from what people of the place said (ADR 34).
    pub clean_posts: HashSet<MessageTs>,
    /// The messages that a reply wanted in the place is to answer, oldest first.
    pub unanswered: Vec<MessageTs>,
    /// Whether one of them is by a person who opted out: then nothing of it or of the answer may stay anywhere.
    pub is_passing: bool,
    /// How many messages belong to the conversation but exceed `most_messages`.
    pub unread_messages: u64,
    /// The words that were used to look up what bears on the messages to answer.
    pub recall_words: String,
    /// What was found, best first, without the messages in `messages`.
    pub recalled: Vec<Recalled>,
    /// What was found as well and is below the floor of what a prompt shows, best first, without them, too. `builtin`
    /// reads it.
    pub below_floor: Vec<Recalled>,
    /// Words of the house in what was looked up, as messages explain them that stand.
    pub house_words: Vec<BearingHouseWord>,
    /// Those whom the question names, or a text that was gathered, and who were called otherwise before.
    pub renamed: Vec<RenamedPerson>,
    /// What was said before and after the messages among it, by channel, oldest first.
    pub around: Vec<Message>,
    /// What all of this was read from.
    pub inputs: GatheredInputs,
}

impl Gathered {
    /// Everything that was found, what is above the floor first.
    pub fn found(&self) -> impl Iterator<Item = &Recalled> {
        self.recalled.iter().chain(&self.below_floor)
    }
}

impl GatherHandle<'_> {
    /// The words that [`GatherHandle::for_prompt`] will use to look up what bears on the messages to answer, for a
    /// caller that first asks a model for their meaning. They are the place's own words, and a model is asked only on
    /// the place's behalf.
    #[boxed]
    pub async fn words_to_recall(&self, request: &GatherRequest) -> Result<String, StoreError> {
        if request.most_recalled == 0 {
            return Ok(String::new());
        }
        let mut tx = self.store.db.snapshot().await?;
        let conversation = match request.as_of {
            None => conversation::read_newest_talk(&mut tx, request).await?,
            Some(instant) => as_of::read_talk(&mut tx, request, instant).await?,
        };
        let talk = TalkToAnswer::with_waiting(&mut tx, request, conversation).await?;
        Ok(relevant::words_to_look_up(request, &talk))
    }

    /// Gathers what a prompt in a place is made from. `None` if the place's channel is unknown.
    #[boxed]
    pub async fn for_prompt(&self, request: &GatherRequest) -> Result<Option<Gathered>, StoreError> {
        self.gather_for(request, false).await
    }

    /// Gathers for the reply that is wanted in the place, including messages of people who opted out that wait for it.
    /// If there are any of those, nothing is looked up by their words.
    #[boxed]
    pub async fn for_answer(&self, request: &GatherRequest) -> Result<Option<Gathered>, StoreError> {
        self.gather_for(request, true).await
    }

    /// What a search found; empty if the index is damaged, since a prompt can be made without it.
    async fn without_damage<T: Default>(&self, found: Result<T, StoreError>) -> Result<T, StoreError> {
        match found {
            Err(StoreError::Damaged(damage)) => {
                self.store.recall().index_is_damaged(damage).await?;
                Ok(T::default())
            }
            found => found,
        }
    }

    /// Reads all of it in one snapshot, in this order.
    async fn gather_for(
        &self,
        request: &GatherRequest,
        is_answered: bool,
    ) -> Result<Option<Gathered>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(channel) = archive::find_channel_row(&mut tx, &request.place.channel).await? else {
            return Ok(None);
        };
        let since = self.store.hearing.since();
        let (visibility, sight) = eyes_of_place(request, &channel, since);
        let seen = VisibilityBinds::new(&visibility, since);
        let (memories, own, conversation) = read_texts(&mut tx, &seen, request, &channel).await?;
        let memos = read_memos(&mut tx, &seen, request).await?;
        let mut talk = TalkToAnswer::with_waiting(&mut tx, request, conversation).await?;
        let left_out = LeftOutMessages::read(&mut tx).await?;
        talk.leave_out(request, &left_out);
        if is_answered {
            talk.add_passing(&mut tx, request).await?;
        }
        let found = self.find_what_bears_on(&mut tx, &seen, request, &talk, &left_out).await?;
        let messages = &talk.conversation.messages;
        let mut person_lines = people::lines_about_people(&mut tx, &seen, request, messages).await?;
        person_lines.retain(|line| request.may_show(&line.channel));
        let clean_posts = conversation::clean_posts(&mut tx, &request.place, messages).await?;
        let start = talk.conversation.start;
        let inputs = GatheredInputs::of(&mut tx, &memories, &own, &found, left_out, start).await?;
        let mut gathered = Gathered {
            clean_posts,
            unanswered: talk.unanswered,
            is_passing: talk.is_passing,
            channel,
            visibility,
            sight,
            ranking: memories.ranking,
            names: Names::default(),
            workspace: memories.workspace.map(|(text, _)| text),
            long_term: memories.long_term,
            versions: memories.versions,
            own_versions: talk.conversation.versions,
            versions_in_conversation: talk.conversation.versions_within,
            lines_in_force: own.lines_in_force,
            person_lines,
            threads: own.threads.into_iter().map(|(root, text, _)| (root, text)).collect(),
            memos,
            messages: talk.conversation.messages,
            unread_messages: talk.conversation.unread,
            recall_words: found.words,
            recalled: found.recalled,
            below_floor: found.below_floor,
            house_words: found.house_words,
            renamed: Vec::new(),
            around: found.around,
            inputs,
        };
        let mut mentions = gathered.mentions();
        gathered.renamed = renamed::renamed_in_texts(&mut tx, &gathered, &mentions, found.renamed).await?;
        mentions.users.extend(gathered.renamed.iter().map(|person| person.user.clone()));
        request.beside.iter().for_each(|text| mentions.add_memory(text));
        mentions.channels.retain(|channel| request.may_show(channel));
        gathered.names = names::names_of_mentions(&mut tx, &mentions, &gathered.visibility, since).await?;
        Ok(Some(gathered))
    }

    /// What bears on the messages to answer, and what stands around it. Nothing is looked up by the words of people who
    /// opted out, and nothing is found where the index is damaged.
    async fn find_what_bears_on(
        &self,
        tx: &mut Tx,
        seen: &VisibilityBinds,
        request: &GatherRequest,
        talk: &TalkToAnswer,
        left_out: &LeftOutMessages,
    ) -> Result<FoundForTalk, StoreError> {
        if talk.is_passing {
            return Ok(FoundForTalk::default());
        }
        let found = relevant::recall_for_talk(tx, seen, &self.store.vectors, request, talk, left_out).await;
        let mut found = self.without_damage(found).await?;
        for found in [&mut found.recalled, &mut found.below_floor] {
            found.retain(|found| request.may_show(found.text.channel()));
        }
        let question = request.as_if_said.as_ref();
        found.around = recall::surroundings_of_hits(tx, &found.hits(), question).await?;
        if let Some(instant) = found.as_of {
            found.around.retain(|message| message.ts <= instant);
        }
        left_out.remove_from_talk(request, &mut found.around, &[]);
        Ok(found)
    }
}

/// The memories, what is shown of the place's own channel, and the conversation: as they stand, or as of an instant.
async fn read_texts(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
    channel: &ChannelRow,
) -> Result<(ShownMemories, OwnTexts, ConversationRows), StoreError> {
    if let Some(instant) = request.as_of {
        return as_of::read_texts(tx, seen, request, channel, instant).await;
    }
    let mut memories = memories::read_visible_memories(tx, seen, request).await?;
    let (own, conversation) = OwnTexts::read(tx, request, channel, &mut memories).await?;
    Ok((memories, own, conversation))
}

/// The memos that a prompt holds; as of an instant, those of them that nobody has changed since.
async fn read_memos(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
) -> Result<Vec<StoredMemo>, StoreError> {
    let mut memos = memos::for_prompt(tx, seen).await?;
    if let Some(instant) = request.as_of {
        memos.retain(|memo| memo.updated_at <= instant.to_timestamp().max(request.now));
    }
    Ok(memos)
}

/// What a place sees of others, and how much the record of a reply says that it saw.
fn eyes_of_place(request: &GatherRequest, channel: &ChannelRow, since: i64) -> (Visibility, Sight) {
    if request.only_own {
        return (Visibility::only(&request.place.channel), channel.sight(since).max(Sight::Own));
    }
    (channel.visibility(since), channel.sight(since))
}
