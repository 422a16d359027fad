//! Which of the planted facts are still there, and where.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use myao::app::App;
use myao_companion::companion::Companion;
use myao_core::{
    chat::{ChannelId, Message, MessageKind, MessageTs, Place, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId, StepId, mark_line_ends},
    prompt::{Fragments, Prompt},
    wording::PromptTask,
};
use myao_testkit::facts::{ChangeKept, PlantedFact, is_kept, kept_of_change};

use super::memory::BuiltMemory;

const DAY: i64 = 24 * 3600 * 1_000_000;
/// Stands between memories, so that the last line of one is no neighbour of the first line of the next.
const BETWEEN: &str = "\n----\n";

/// Where a fact may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeptIn {
    /// The chapters of its channel, all of them.
    Chapters,
    /// The long-term memory of its channel.
    LongTerm,
    /// The prompt of a reply in its channel, to whatever was said last.
    Unasked,
    /// The prompt of a reply to the question for it.
    Asked,
}

impl KeptIn {
    /// All of them, in the order of [`FactKept::stands`].
    pub(crate) const ALL: [Self; 4] = [Self::Chapters, Self::LongTerm, Self::Unasked, Self::Asked];

    /// A heading.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Chapters => "chapters",
            Self::LongTerm => "long-term",
            Self::Unasked => "unasked",
            Self::Asked => "asked",
        }
    }
}

/// What became of a fact.
#[derive(Clone, Debug)]
pub(crate) struct FactKept {
    /// The fact.
    pub planted: PlantedFact,
    /// Days since it was said, or changed.
    pub age: i64,
    /// Whether the chapter of its newest message has been written, or its talk is too new to be in one.
    pub is_reached: bool,
    /// Whether it stands in each of [`KeptIn::ALL`]; of a fact that changed, what holds now.
    pub stands: [bool; 4],
    /// What each of them says of a fact that changed.
    pub change: Option<[ChangeKept; 4]>,
}

/// The texts of a channel.
struct ChannelTexts {
    chapters: String,
    long_term: String,
    unasked: String,
    /// Where talk without a written chapter begins and where cut chapters end.
    unwritten: Option<(MessageTs, MessageTs)>,
}

/// Looks for every fact. The texts are written to `folder`, if there is one.
pub(crate) async fn measure(
    built: &BuiltMemory,
    companion: Companion<'_>,
    facts: &[PlantedFact],
    now: MessageTs,
    folder: Option<&Path>,
) -> Result<Vec<FactKept>, Box<dyn Error>> {
    let mut texts: BTreeMap<ChannelId, ChannelTexts> = BTreeMap::new();
    let mut kept = Vec::new();
    for (number, planted) in facts.iter().enumerate() {
        let channel = &planted.first.channel;
        if !texts.contains_key(channel) {
            let read = read_texts(&built.app, companion, channel).await?;
            let parts =
                [("chapters", &read.chapters), ("long-term", &read.long_term), ("prompt", &read.unasked)];
            for (name, text) in parts {
                write_text(folder, &format!("{channel}.{name}"), text)?;
            }
            texts.insert(channel.clone(), read);
        }
        let Some(texts) = texts.get(channel) else { continue };
        let asked = text(&prompt(companion, channel, Some(&planted.fact.question)).await?);
        write_text(folder, &format!("question-{number}"), &asked)?;
        let everywhere = [&texts.chapters, &texts.long_term, &texts.unasked, &asked];
        let newest = planted.newest().ts;
        let waits = texts.unwritten.is_some_and(|(from, to)| newest > from && newest <= to);
        kept.push(FactKept {
            planted: planted.clone(),
            age: now.micros_since(newest) / DAY,
            is_reached: !waits,
            stands: everywhere.map(|text| is_kept(text, &planted.fact)),
            change: planted
                .change
                .as_ref()
                .map(|_| everywhere.map(|text| kept_of_change(text, &planted.fact))),
        });
    }
    Ok(kept)
}

fn write_text(folder: Option<&Path>, name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder)?;
    Ok(fs::write(folder.join(format!("{name}.txt")), text)?)
}

async fn read_texts(
    app: &App,
    companion: Companion<'_>,
    channel: &ChannelId,
) -> Result<ChannelTexts, Box<dyn Error>> {
    let versions = app.store.memory().version_log(&Visibility::Owner, channel).await?;
    let steps: Vec<StepId> = versions.iter().map(|log| log.step).collect();
    let ended = app.store.recall().ended_lines_of(&Visibility::Owner, channel, &steps).await?;
    let language = app.config.locale.language;
    // As `myao memory show` and prompts show them: with the day up to which a replaced line held.
    let chapters = versions.iter().map(|log| {
        let own = ended.iter().filter(|line| line.step == log.step);
        let ends: Vec<_> = own.map(|line| (line.nth, line.end.day)).collect();
        mark_line_ends(log.memory.content(), &ends, language)
    });
    let chapters: Vec<String> = chapters.collect();
    let scope_id = ScopeId::channel(channel);
    let long_term = app
        .store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Channel, &scope_id, MemoryType::LongTerm)
        .await?;
    let waiting = app.store.memory().chapters_to_write(channel).await?;
    let from = waiting.iter().map(|work| work.range.from).min();
    Ok(ChannelTexts {
        chapters: chapters.join(BETWEEN),
        long_term: long_term.map(|memory| memory.content().to_owned()).unwrap_or_default(),
        unasked: text(&prompt(companion, channel, None).await?),
        unwritten: from.zip(waiting.iter().map(|work| work.range.to).max()),
    })
}

/// The prompt of a reply in a channel: to what was said last, or to a question that somebody asks now.
async fn prompt(
    companion: Companion<'_>,
    channel: &ChannelId,
    question: Option<&str>,
) -> Result<Prompt, Box<dyn Error>> {
    let max_tokens = usize::try_from(companion.config.prompt.max_tokens)?;
    let place = Place { channel: channel.clone(), thread: None };
    let gathered = match question {
        None => companion.gather(place, max_tokens, None).await?,
        Some(question) => {
            let message = Message {
                channel: channel.clone(),
                ts: MessageTs::from_timestamp(companion.clock.now()),
                thread_ts: None,
                user: UserId::new("somebody"),
                kind: MessageKind::Talk,
                text: question.to_owned(),
                files: Vec::new(),
                edited_at: None,
                deleted: false,
            };
            companion.gather_as_if_said(place, max_tokens, message).await?
        }
    };
    Ok(gathered.compose(PromptTask::REPLY, Fragments::default(), max_tokens)?.prompt)
}

fn text(prompt: &Prompt) -> String {
    [prompt.system.as_str(), prompt.user.as_str()].join(BETWEEN)
}
