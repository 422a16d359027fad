//! Turns what the store gathered for a place into values of the core, with names in place of references.

use std::collections::BTreeMap;

use myao_config::Config;
use myao_core::{
    chat::{Message, Names, Place, Speaker},
    context::{ChannelMemory, ChannelMessages, Context, LineInForce, Memo, ShortTerm, ThreadMemory},
    memory::{MemoryType, lines_ended_within, mark_line_ends},
    prompt::AboutPerson,
    recall::{RecalledItem, RecalledWords, exchange_around_hit},
    text::Language,
};
use myao_store::{ChapterText, Gathered, PersonLine, Recalled, RecalledText};

/// The context of a place: everything that was gathered for it, with names in place of references.
pub(super) fn context_of_gathered(
    config: &Config,
    language: Language,
    gathered: Gathered,
    names: &Names,
    place: &Place,
) -> Context {
    let limit = config.memory.history.shown();
    let marked = |text: String| names.show(&mark_line_ends(&text, &lines_ended_within(&text), language));
    let mut long_term = gathered.long_term;
    let mut versions = gathered.versions;
    versions.insert(gathered.channel.channel.id.clone(), gathered.own_versions);
    let mut channel_memories = BTreeMap::new();
    for channel in gathered.ranking {
        let memory = ChannelMemory::new(channel.id.clone(), channel.name)
            .with_long_term(long_term.remove(&channel.id).map(marked))
            .with_history(short_terms(versions.remove(&channel.id), names, language), limit);
        channel_memories.insert(channel.id, memory);
    }
    let within = short_terms(Some(gathered.versions_in_conversation), names, language);
    if let Some(own) = channel_memories.remove(&place.channel) {
        let mut own = own.with_versions_in_conversation(within);
        let line = |line: LineInForce| LineInForce { words: names.show(&line.words), ..line };
        own.lines_in_force = gathered.lines_in_force.into_iter().map(line).collect();
        channel_memories.insert(place.channel.clone(), own);
    }
    let thread =
        |(thread_ts, content): (_, String)| ThreadMemory { thread_ts, content: names.show(&content) };
    let memo = |memo: Memo| Memo {
        content: names.show(&memo.content),
        detail: memo.detail.map(|detail| names.show(&detail)),
        ..memo
    };
    Context {
        persona: config.persona.clone(),
        conversation_history: ChannelMessages::new(gathered.channel.channel, gathered.messages)
            .with_waiting(gathered.unanswered)
            .with_unread(gathered.unread_messages),
        workspace_long_term_memory: gathered.workspace.map(marked),
        channel_memories,
        thread_memories: gathered.threads.into_iter().map(thread).collect(),
        target_thread_ts: place.thread,
        memos: gathered.memos.into_iter().map(|stored| memo(stored.memo)).collect(),
    }
}

/// What was found, without what programs and we said: their words are no people's, and ours repeat what people said.
pub(crate) fn recalled_from_people(found: Vec<Recalled>, names: &Names) -> Vec<RecalledItem> {
    let by_people = found.into_iter().filter(|found| match &found.text {
        RecalledText::Message(message) => names.speaker(&message.user) == Speaker::Person,
        RecalledText::Line(_) => true,
    });
    let item = |found: Recalled| RecalledItem {
        channel: found.text.channel().clone(),
        terms: found.terms,
        score: found.score,
        replaced_on: found.replaced_on,
        around: Vec::new(),
        text: match found.text {
            RecalledText::Message(message) => RecalledWords::Message(Box::new(message)),
            RecalledText::Line(line) => RecalledWords::Line {
                memory_type: line.memory_type,
                version: line.version,
                text: line.text,
                until: line.until,
                ended: line.ended,
            },
        },
    };
    by_people.map(item).collect()
}

/// Adds to what was found what stands around it, without what programs and we said.
pub(super) fn add_exchanges(
    found: Vec<RecalledItem>,
    around: &[Message],
    names: &Names,
) -> Vec<RecalledItem> {
    let by_people: Vec<&Message> =
        around.iter().filter(|message| names.speaker(&message.user) == Speaker::Person).collect();
    let with_exchange = |item: RecalledItem| match &item.text {
        RecalledWords::Message(message) => {
            let from = by_people.partition_point(|near| near.channel < message.channel);
            let of_channel = by_people.get(from..).unwrap_or_default();
            let to = of_channel.partition_point(|near| near.channel == message.channel);
            let around = exchange_around_hit(message, of_channel.get(..to).unwrap_or_default(), names);
            RecalledItem { around, ..item }
        }
        RecalledWords::Line { .. } => item,
    };
    found.into_iter().map(with_exchange).collect()
}

/// What memories say of people, without lines about programs or us.
pub(super) fn lines_about_people(lines: Vec<PersonLine>, names: &Names) -> Vec<AboutPerson> {
    let of_people = lines.into_iter().filter(|line| names.speaker(&line.person) == Speaker::Person);
    let line = |line: PersonLine| {
        let memory_type = MemoryType::ShortTerm;
        let version = line.version;
        let text =
            RecalledWords::Line { memory_type, version, text: line.words, until: line.until, ended: None };
        let item = RecalledItem {
            channel: line.channel,
            text,
            terms: Vec::new(),
            score: 0.0,
            replaced_on: None,
            around: Vec::new(),
        };
        AboutPerson { person: line.person, day: line.day, item }
    };
    of_people.map(line).collect()
}

fn short_terms(texts: Option<Vec<ChapterText>>, names: &Names, language: Language) -> Vec<ShortTerm> {
    let short_term = |text: ChapterText| ShortTerm {
        version: text.version,
        content: names.show(&mark_line_ends(&text.content, &text.ends, language)),
        period: text.period,
    };
    texts.unwrap_or_default().into_iter().map(short_term).collect()
}
