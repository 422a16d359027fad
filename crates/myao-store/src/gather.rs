//! Reads what a prompt is made from: one state of the database, and nothing that the place may not see
//! (specification §3, §6).
//!
//! The cost does not grow with the workspace: a fixed number of statements, each of which reads by an index, and no
//! more rows than a prompt may hold.

mod conversation;
mod in_force;
mod left_out;
mod memories;
mod passing;
mod people;
mod relevant;
mod request;
mod room;
mod threads;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{Channel, ChannelId, Mentions, Message, MessageTs, Names, Visibility},
    context::LineInForce,
    memory::StepId,
};

use self::{left_out::LeftOutMessages, memories::ShownMemories};
use crate::{
    Store, StoreError,
    archive::{self, ChannelRow, names},
    db::Tx,
    hearing::{sight::Sight, visible::VisibilityBinds},
    memos::{self, StoredMemo},
    recall::{self, PersonLine, Recalled, RecalledText},
    replies::{
        self,
        inputs::{self, ReplyInput},
    },
};
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
        others: &ShownMemories,
        own: &OwnTexts,
        recalled: &[Recalled],
        around: &[Message],
        left_out: LeftOutMessages,
        start: MessageTs,
    ) -> Result<Self, StoreError> {
        let found = recalled.iter().filter_map(|found| found.text.as_message()).chain(around);
        Ok(Self {
            workspace: others.workspace.as_ref().map(|(_, step)| *step),
            long_term: others.steps.clone(),
            threads: own.threads.iter().map(|(root, _, step)| (*root, *step)).collect(),
            lines: own.lines.clone(),
            found: inputs::of_messages(tx, found).await?,
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
    /// What was said before and after the messages among it, by channel, oldest first.
    pub around: Vec<Message>,
    /// What all of this was read from.
    pub inputs: GatheredInputs,
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
        let conversation = conversation::read_newest_talk(&mut tx, request).await?;
        let (conversation, unanswered) = with_waiting(&mut tx, request, conversation).await?;
        Ok(relevant::words_to_look_up(request, &conversation.messages, &unanswered))
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
        let mut others = memories::read_visible_memories(&mut tx, &seen, request).await?;
        let (own, conversation) = OwnTexts::read(&mut tx, request, &channel, &mut others).await?;
        let memos = memos::for_prompt(&mut tx, &seen).await?;
        let (mut conversation, mut unanswered) = with_waiting(&mut tx, request, conversation).await?;
        let left_out = LeftOutMessages::read(&mut tx).await?;
        left_out.remove_from_talk(request, &mut conversation.messages, &unanswered);
        let is_passing = is_answered
            && passing::add_waiting_messages(&mut tx, request, &mut conversation, &mut unanswered).await?;
        let request = if is_passing { &passing::without_recall(request) } else { request };
        let said = &conversation.messages;
        let found =
            relevant::recall_for_messages(&mut tx, &seen, &self.store.vectors, request, said, &unanswered)
                .await;
        let (recall_words, mut recalled) = self.without_damage(found).await?;
        left_out.take_out_found(request, &mut recalled);
        let mut around =
            recall::surroundings_of_hits(&mut tx, &recalled, request.as_if_said.as_ref()).await?;
        left_out.remove_from_talk(request, &mut around, &[]);
        let person_lines =
            people::lines_about_people(&mut tx, &seen, request, &conversation.messages).await?;
        let start = conversation.start;
        let inputs = GatheredInputs::of(&mut tx, &others, &own, &recalled, &around, left_out, start).await?;
        let clean_posts = conversation::clean_posts(&mut tx, &request.place, &conversation.messages).await?;
        let mut gathered = Gathered {
            clean_posts,
            unanswered,
            is_passing,
            channel,
            visibility,
            sight,
            ranking: others.ranking,
            names: Names::default(),
            workspace: others.workspace.map(|(text, _)| text),
            long_term: others.long_term,
            versions: others.versions,
            own_versions: conversation.versions,
            versions_in_conversation: conversation.versions_within,
            lines_in_force: own.lines_in_force,
            person_lines,
            threads: own.threads.into_iter().map(|(root, text, _)| (root, text)).collect(),
            memos,
            messages: conversation.messages,
            unread_messages: conversation.unread,
            recall_words,
            recalled,
            around,
            inputs,
        };
        let mut mentions = gathered.mentions();
        request.beside.iter().for_each(|text| mentions.add_memory(text));
        gathered.names = names::names_of_mentions(&mut tx, &mentions, &gathered.visibility, since).await?;
        Ok(Some(gathered))
    }
}

/// What a place sees of others, and how much the record of a reply says that it saw.
fn eyes_of_place(request: &GatherRequest, channel: &ChannelRow, since: i64) -> (Visibility, Sight) {
    if request.only_own {
        return (Visibility::only(&request.place.channel), channel.sight(since).max(Sight::Own));
    }
    (channel.visibility(since), channel.sight(since))
}

/// What is read of the place's own channel besides its long-term memory.
struct OwnTexts {
    lines_in_force: Vec<LineInForce>,
    /// The journal entries of these.
    lines: BTreeSet<StepId>,
    threads: Vec<(MessageTs, String, StepId)>,
}

impl OwnTexts {
    /// Reads it and the conversation, and adds to all versions which of their lines ended. Of a channel that opted out nothing is shown.
    async fn read(
        tx: &mut Tx,
        request: &GatherRequest,
        channel: &ChannelRow,
        others: &mut ShownMemories,
    ) -> Result<(Self, conversation::ConversationRows), StoreError> {
        let mut conversation = conversation::read_newest_talk(tx, request).await?;
        if channel.opted_out {
            others.long_term.remove(&channel.channel.id);
            let (lines_in_force, lines, threads) = Default::default();
            return Ok((Self { lines_in_force, lines, threads }, conversation.without_anything()));
        }
        let texts = others.versions.values_mut().flatten().chain(&mut conversation.versions);
        in_force::add_ends(tx, texts.chain(&mut conversation.versions_within)).await?;
        let (lines_in_force, lines) = in_force::read_best_lines(tx, request, &conversation).await?;
        let threads = threads::read_active_threads(tx, request, channel).await?;
        Ok((Self { lines_in_force, lines, threads }, conversation))
    }
}

/// The conversation together with the messages that wait for an answer, and the time stamps of those.
async fn with_waiting(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: conversation::ConversationRows,
) -> Result<(conversation::ConversationRows, Vec<MessageTs>), StoreError> {
    let mut waiting = replies::unanswered_triggers(tx, &request.place).await?;
    waiting.extend(request.as_if_said.clone());
    let unanswered: Vec<MessageTs> = waiting.iter().map(|message| message.ts).collect();
    Ok((conversation.with_waiting(waiting, &request.place), unanswered))
}

impl Gathered {
    /// The people and channels that the gathered texts mention.
    fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::default();
        let versions = self.versions.values().flatten().chain(&self.own_versions);
        let versions = versions.chain(&self.versions_in_conversation);
        let memories = self.workspace.iter().chain(self.long_term.values());
        let memories = memories.chain(versions.map(|version| &version.content));
        let memories = memories.chain(self.threads.iter().map(|(_, text)| text));
        let memories = memories.chain(self.lines_in_force.iter().map(|line| &line.words));
        let memories = memories.chain(self.person_lines.iter().map(|line| &line.words));
        let notes = self.memos.iter().map(|stored| &stored.memo);
        let notes = notes.flat_map(|memo| [Some(&memo.content), memo.detail.as_ref()]).flatten();
        memories.chain(notes).for_each(|text| mentions.add_memory(text));
        let found = self.recalled.iter().filter_map(|found| match &found.text {
            RecalledText::Message(message) => Some(message),
            RecalledText::Line(_) => None,
        });
        for message in self.messages.iter().chain(found).chain(&self.around) {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        mentions.channels.extend(self.person_lines.iter().map(|line| line.channel.clone()));
        for found in &self.recalled {
            mentions.channels.insert(found.text.channel().clone());
            if let RecalledText::Line(line) = &found.text {
                mentions.add_memory(&line.text);
            }
        }
        mentions
    }
}
