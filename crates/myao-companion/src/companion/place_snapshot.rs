//! What a place was when it was read, and the prompts of any size that are composed from that; nothing is read here.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Names, UserId},
    context::Context,
    loops::LoopsAskedFor,
    mandate::{Mandate, Origins},
    ports::{ExplainedWord, FoundIn, TalkLine},
    prompt::{
        AboutPerson, ComposeError, Composer, Fragments, PeopleMaterial, Prompt, Recollections, ShownRecall,
        line_without_mark,
    },
    recall::{NamePair, RecalledItem, RecalledWords, RenamedPerson, bare_name, is_of_one_exchange},
    wording::{MESSAGE_LIMIT, PromptTask, TalkFormat, Templates},
};
use myao_store::{BearingHouseWord, ReplyInputs, Sight};

use crate::{shown_inputs::PlaceInputs, spans};

/// Everything a prompt of a place is made from, as of one reading of the database.
#[derive(Clone, Debug)]
pub struct PlaceSnapshot<'a> {
    pub(super) templates: &'a Templates,
    pub(super) zone: &'a TimeZone,
    pub(super) context: Context,
    pub(super) names: Names,
    /// The channels whose memories may be shown, the most recent talk first.
    pub(super) ranking: Vec<ChannelId>,
    /// The names of the memos that belong to the place's channel.
    pub(super) own_memos: BTreeSet<String>,
    pub(super) clean_posts: HashSet<MessageTs>,
    /// The messages and lines of memories that bear on what is to be answered.
    pub(super) recalled: Vec<RecalledItem>,
    /// What was found as well and is below the floor of what prompts show.
    pub(super) below_floor: Vec<RecalledItem>,
    /// Words of the house in what is to be answered, as messages explain them.
    pub(super) house_words: Vec<BearingHouseWord>,
    /// People whom the question names, or who speak, and who were called otherwise before.
    pub(super) renamed: Vec<RenamedPerson>,
    pub(super) recall_words: String,
    pub(super) recall_tokens: usize,
    pub(super) lines_tokens: usize,
    /// What memories say of those who speak.
    pub(super) person_lines: Vec<AboutPerson>,
    pub(super) people_tokens: usize,
    pub(super) inputs: PlaceInputs,
    /// The revision of the place's channel at the reading.
    pub revision: i64,
    /// An instant before the reading: the time that prompts tell.
    pub read_at: Timestamp,
    /// What the place saw at the reading.
    pub sight: Sight,
    /// Whether somebody who opted out of being remembered waits for an answer: then nothing is looked up or noted for
    /// it, and nothing of it is recorded.
    pub is_passing: bool,
    /// Whether every place of the workspace saw what is said in this one, as far as was known at the reading.
    pub is_open: bool,
}

/// A prompt, and what has to be known of it when its answer comes.
#[derive(Clone, Debug)]
pub struct ComposedPrompt {
    /// The prompt. What waits for an answer in its place is marked in it and listed beside it
    /// ([`Prompt::answers`]).
    pub prompt: Prompt,
    /// Which of the words that could be in it are the place's own.
    pub origins: Origins,
    /// What people said in the conversation, and which other words the model is shown.
    pub mandate: Mandate,
    /// Everything that it shows, to tell later whether it still stands.
    pub inputs: ReplyInputs,
}

impl PlaceSnapshot<'_> {
    /// The messages that wait for an answer, oldest first.
    pub(crate) fn waiting_messages(&self) -> impl Iterator<Item = &Message> {
        let history = &self.context.conversation_history;
        history.get_all_messages().iter().filter(|message| history.waiting().contains(&message.ts))
    }

    /// What was said right before a message where it was said: in its thread, or else at top level.
    pub(crate) fn said_before(&self, message: &Message) -> Option<&Message> {
        let earlier = self.context.conversation_history.get_all_messages().iter();
        let is_beside = |other: &&Message| match message.thread_ts {
            Some(root) => other.thread() == root,
            None => other.thread_ts.is_none(),
        };
        earlier.filter(|other| other.ts < message.ts).rfind(is_beside)
    }

    /// What was said at a time in the place's conversation.
    pub(crate) fn said_at(&self, ts: MessageTs) -> Option<&Message> {
        self.context.conversation_history.get_all_messages().iter().find(|message| message.ts == ts)
    }

    /// What a message asks for of what is open, if it does.
    pub(crate) fn loops_asked_for(&self, message: &Message) -> Option<LoopsAskedFor> {
        LoopsAskedFor::of_message(&message.text, &message.user, &self.names)
    }

    /// What somebody is called in the place.
    pub(crate) fn name_of(&self, user: &UserId) -> String {
        self.names.user(user).to_owned()
    }

    /// Words of talk as the place reads them: with names, and without references.
    pub(crate) fn shown(&self, words: &str) -> String {
        self.names.resolve(words)
    }

    /// Whether messages wait for an answer.
    pub fn is_waited_for(&self) -> bool {
        !self.context.conversation_history.waiting().is_empty()
    }

    /// The prompt for `task`, of at most `max_tokens`: `prompt.max_tokens`, or fewer if the model takes no more.
    ///
    /// # Errors
    /// When the persona alone exceeds the budget, or an owner's template fails.
    pub fn compose(
        &self,
        task: PromptTask<'_>,
        fragments: Fragments<'_>,
        max_tokens: usize,
    ) -> Result<ComposedPrompt, ComposeError> {
        let _composing = spans::compose().entered();
        // A model wrote the reason, perhaps with names as references.
        let reason = task.reason().map(|reason| self.names.show(reason));
        let task = task.with_reason(reason.as_deref());
        let fragments = self.with_found(fragments);
        let Self { templates, names, zone, context, .. } = self;
        let composer = Composer { templates, names, zone, max_tokens };
        let prompt = composer.compose(context, &self.ranking, self.read_at, &task, fragments)?;
        let origins = self.origins_of(&prompt, &task);
        let mandate = Mandate::of(context, names, zone, &prompt.answers, &self.clean_posts);
        let inputs = self.inputs.of_prompt(&prompt);
        Ok(ComposedPrompt { prompt, origins, mandate, inputs })
    }

    /// The fragments of a prompt, with what was found for the place.
    fn with_found<'b>(&'b self, fragments: Fragments<'b>) -> Fragments<'b> {
        let recalled =
            Recollections { words: &self.recall_words, items: &self.recalled, tokens: self.recall_tokens };
        let people =
            PeopleMaterial { lines: &self.person_lines, renamed: &self.renamed, tokens: self.people_tokens };
        Fragments { recalled, lines_tokens: self.lines_tokens, people, ..fragments }
    }

    /// Which of the words that could be in a prompt are the place's own.
    fn origins_of(&self, prompt: &Prompt, task: &PromptTask<'_>) -> Origins {
        let Self { templates, names, context, .. } = self;
        let mut origins = Origins::of(context, names, |memo| self.own_memos.contains(&memo.name));
        origins.own.extend(templates.words(task));
        let own = &context.conversation_history.channel().id;
        for item in prompt.recalled.iter().map(|shown| &shown.item).chain(&prompt.people) {
            origins.add_recalled(item, item.channel == *own, names);
        }
        origins
    }
}

impl PlaceSnapshot<'_> {
    /// Gives `builtin` all that was found, which costs it nothing, and not only what a prompt has room for and is above
    /// the floor: it judges by itself what answers, and tells rare words from common ones by all of it. Each message of
    /// the conversation gets a mark of its own, so that what it quotes is linked. Other models see the conversation
    /// without marks, and name none.
    pub fn show_all(&self, composed: &mut ComposedPrompt) {
        self.show_all_found(composed);
        let prompt = &mut composed.prompt;
        self.mark_conversation(prompt);
        for line in prompt.found.iter_mut().chain(&mut prompt.talk) {
            line.explains = self.explained_at(line.ts);
        }
        let former = self.former_names();
        for line in prompt.talk.iter_mut().filter(|line| prompt.answers.contains(&line.ts)) {
            line.explains.extend(former.iter().cloned());
        }
    }

    /// Adds what was found and is not shown, each to the exchange that it belongs to.
    fn show_all_found(&self, composed: &mut ComposedPrompt) {
        let ComposedPrompt { prompt, inputs, .. } = composed;
        let format = TalkFormat {
            names: &self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        };
        let here = &self.context.conversation_history.channel().id;
        for item in self.recalled.iter().chain(&self.below_floor) {
            let around = item.around.iter().map(|around| RecalledItem::beside(&around.message));
            let mut of_exchange: Vec<RecalledItem> = std::iter::once(item.clone()).chain(around).collect();
            of_exchange.sort_by_key(RecalledItem::said_at);
            let exchange = exchange_of(item, &prompt.recalled);
            of_exchange.retain(|item| !prompt.recalled.iter().any(|shown| shown.item.is_same(item)));
            for one in of_exchange {
                let Some(line) = line_without_mark(&one, &format) else { continue };
                let mark = next_mark(prompt);
                let is_memory = one.said_at().is_none();
                let is_here = one.channel == *here;
                let found = FoundIn { exchange, is_hit: one.is_same(item), is_memory, is_here };
                prompt.found.push(TalkLine { mark: Some(mark.clone()), found: Some(found), ..line });
                inputs.extend(self.inputs.of_found(&one));
                prompt.recalled.push(ShownRecall { mark, item: one, exchange, is_hit: found.is_hit });
            }
        }
        prompt.found.sort_by_key(|line| (line.found.map(|found| found.exchange), line.ts));
    }

    /// Gives each message of the conversation that waits for no answer a mark.
    fn mark_conversation(&self, prompt: &mut Prompt) {
        let history = &self.context.conversation_history;
        let messages: BTreeMap<MessageTs, &Message> =
            history.get_all_messages().iter().map(|message| (message.ts, message)).collect();
        for at in 0..prompt.talk.len() {
            let ts = prompt.talk.get(at).map_or(MessageTs::MIN, |line| line.ts);
            let Some(message) = messages.get(&ts).filter(|_| !prompt.answers.contains(&ts)) else { continue };
            let mark = next_mark(prompt);
            if let Some(line) = prompt.talk.get_mut(at) {
                line.mark = Some(mark.clone());
            }
            let text = RecalledWords::Message(Box::new((*message).clone()));
            let channel = message.channel.clone();
            let item = RecalledItem {
                channel,
                text,
                terms: Vec::new(),
                score: 0.0,
                replaced_on: None,
                around: Vec::new(),
            };
            prompt.recalled.push(ShownRecall { mark, item, exchange: 0, is_hit: false });
        }
    }

    /// What people were called before, with what they are called now where the talk shows them.
    fn former_names(&self) -> Vec<ExplainedWord> {
        let with_label = |person: &RenamedPerson| {
            let label = self.names.user(&person.user).to_owned();
            let pairs = person.pairs.clone().into_iter();
            let whole = bare_name(&person.name);
            // A part stands for the same part, and for whoever speaks under the whole name.
            pairs.flat_map(move |NamePair { former, name }| {
                let part = (name != whole).then_some(name);
                let meanings = part.into_iter().chain([label.clone()]);
                meanings.map(move |meaning| ExplainedWord { word: former.clone(), meaning, is_same: true })
            })
        };
        self.renamed.iter().flat_map(with_label).collect()
    }

    /// The words of the house that the message of this time explains.
    fn explained_at(&self, ts: MessageTs) -> Vec<ExplainedWord> {
        let explained = self.house_words.iter().filter(|one| one.ts == ts);
        let word = |one: &BearingHouseWord| ExplainedWord {
            word: one.word.word.clone(),
            meaning: one.word.meaning.clone(),
            is_same: one.is_asked_too,
        };
        explained.map(word).collect()
    }
}

/// The exchange that something belongs to, of what is shown, or a new one.
fn exchange_of(item: &RecalledItem, shown: &[ShownRecall]) -> usize {
    let belongs = |other: &&ShownRecall| match (&item.text, &other.item.text) {
        (RecalledWords::Message(one), RecalledWords::Message(other)) => is_of_one_exchange(one, other),
        _ => other.item.is_same(item),
    };
    shown.iter().find(belongs).map_or(shown.len() + 1, |shown| shown.exchange)
}

/// The mark of what is shown next.
fn next_mark(prompt: &Prompt) -> String {
    format!("r{}", prompt.recalled.len() + 1)
}
