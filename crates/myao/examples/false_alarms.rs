//! How often the guard refuses good texts. Good by construction are those of builtin, which only quotes: they are made of
//! real talk, chapter by chapter, folded into long-term memories, and judged as if another model had written them.
//!
//! `cargo run --example false_alarms -- FOLDER` reads each `FOLDER/NAME/export.zip` and prints, for each, how
//! many texts of chapters and merges were judged and which were refused, with why. Then two lines of each chapter are put
//! into somebody else's mouth, as `name: words` and as a sentence, and it is counted how many of these are noticed.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::{collections::BTreeMap, error::Error, path::Path, process::ExitCode};

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{Channel, ChannelId, DatedUser, Event, Message, MessageTs, Names, User, Visibility},
    context::{ChannelMemory, ChannelMessages, Context, Persona, ShortTerm},
    memory::{
        Draft, Expectation, MemoryScope, MemorySettings, MemoryType, Refusal, Summarizer, accept_response,
        lines_of_text, misattributed_lines,
    },
    ports::{Material, Model as _, Request},
    text::Language,
    wording::Templates,
    worth::{ARROW, speaker_of},
};
use myao_model::Builtin;
use myao_slack::export::Export;

/// Messages of a chapter: half of the default, for more texts.
const CHAPTER: usize = 25;
/// Chapters that are folded in together.
const AT_ONCE: usize = 3;
/// What is looked at.
const CORPORA: [(&str, Language); 3] =
    [("haskell_jp", Language::Ja), ("mrmp_ja", Language::Ja), ("irc_gold", Language::En)];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        println!("usage: false_alarms FOLDER [NAME]");
        return ExitCode::FAILURE;
    };
    let only = arguments.next();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let measured = runtime.map_err(Box::from).and_then(|runtime| {
        CORPORA
            .iter()
            .filter(|(name, _)| only.as_ref().is_none_or(|only| only == name))
            .try_for_each(|(name, language)| runtime.block_on(measure(Path::new(&folder), name, *language)))
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What was judged.
#[derive(Default)]
struct Judged {
    texts: usize,
    refused: BTreeMap<String, usize>,
    swapped: Swapped,
}

/// Lines in somebody else's mouth: how many there are, and how many are noticed as `name: words` and as sentences.
#[derive(Default)]
struct Swapped {
    lines: usize,
    quoted: usize,
    told: usize,
}

impl Swapped {
    /// Puts the first and the last line of a chapter into the mouth of whoever spoke there first or last and is not named in it.
    fn add(&mut self, request: &Request, text: &str) {
        let Material::Talk { lines: talk, .. } = &request.material else { return };
        let lines = lines_of_text(text);
        let others = [talk.first(), talk.last()];
        for line in [lines.first(), lines.last()].into_iter().flatten() {
            let (speaker, words) = speaker_of(&line.words);
            let is_other = |name: &&String| *name != speaker && !words.contains(name.as_str());
            let other = others.into_iter().flatten().map(|line| &line.name).find(is_other);
            let Some(other) = other.filter(|_| !speaker.is_empty() && !words.contains(ARROW)) else {
                continue;
            };
            let told = match request.language {
                Language::En => format!("{other} said that {words}"),
                Language::Ja => format!("{other}さんは{words}と言った"),
            };
            let is_noticed = |line: String| usize::from(!misattributed_lines(&line, request).is_empty());
            self.lines += 1;
            self.quoted += is_noticed(format!("- {other}: {words}"));
            self.told += is_noticed(format!("- {told}"));
        }
    }
}

impl Judged {
    fn add(&mut self, request: &Request, text: &str, verdict: &Result<String, Refusal>) {
        self.texts += 1;
        self.swapped.add(request, text);
        if let Err(refusal) = verdict {
            *self.refused.entry(refusal.to_string()).or_default() += 1;
            println!("--- {} refused: {refusal}\n{text}\n", request.purpose);
        }
    }
}

/// What an export holds, as far as the guard sees it.
#[derive(Default)]
struct ExportedTalk {
    channels: Vec<Channel>,
    users: Vec<User>,
    said: BTreeMap<ChannelId, Vec<Message>>,
}

impl ExportedTalk {
    fn of(export: Export) -> Self {
        let mut talk = Self::default();
        for event in export.steps(Timestamp::MAX).flat_map(|step| step.events) {
            match event {
                Event::Channel(channel) => talk.channels.push(channel),
                Event::User(user) | Event::Departed(user) | Event::Dated(DatedUser { user, .. }) => {
                    talk.users.push(user);
                }
                Event::Message(_) | Event::Sighting(_) => {
                    if let Some(message) = event.into_message().filter(Message::is_talk) {
                        talk.said.entry(message.channel.clone()).or_default().push(message);
                    }
                }
                Event::Hearsay(_)
                | Event::Deleted { .. }
                | Event::HeardUntil { .. }
                | Event::AnswerStopped(_)
                | Event::Voted(_)
                | Event::Unread { .. } => {}
            }
        }
        talk
    }
}

async fn measure(data: &Path, name: &str, language: Language) -> Result<(), Box<dyn Error>> {
    let export = Export::open(data.join(name).join("export.zip"))?;
    let ExportedTalk { channels, users, mut said } = ExportedTalk::of(export);
    let names = Names::new(&users, &channels, &Visibility::Owner).for_memories();
    let templates = Templates::new(language, &BTreeMap::new())?;
    let settings = MemorySettings::default();
    let summarizer = Summarizer {
        templates: &templates,
        names: &names,
        zone: &TimeZone::UTC,
        settings: &settings,
        input_budget: 8000,
    };
    let mut chapters = Judged::default();
    let mut merges = Judged::default();
    for channel in &channels {
        let mut talk: Vec<Message> = said.remove(&channel.id).unwrap_or_default();
        talk.sort_by_key(|message| message.ts);
        let mut long_term = None;
        let mut waiting = Vec::new();
        for (version, chapter) in (1..).zip(talk.chunks(CHAPTER)) {
            let context = context(channel, chapter.to_vec());
            let Some(text) = write(&summarizer, &context, MemoryType::ShortTerm, None, &mut chapters).await?
            else {
                continue;
            };
            let ends = |message: Option<&Message>| message.map_or(MessageTs::MIN, |message| message.ts);
            let period = Some((ends(chapter.first()), ends(chapter.last())));
            waiting.push(ShortTerm { version, content: text, period });
            if waiting.len() < AT_ONCE {
                continue;
            }
            let context = context_to_merge(channel, std::mem::take(&mut waiting));
            let existing = long_term.take();
            long_term =
                write(&summarizer, &context, MemoryType::LongTerm, existing.as_deref(), &mut merges).await?;
        }
    }
    print_refused(name, "chapters", &chapters);
    print_refused(name, "merges", &merges);
    Ok(())
}

fn print_refused(name: &str, what: &str, judged: &Judged) {
    let refused: usize = judged.refused.values().sum();
    println!("{name}: {refused} of {} {what} refused: {:?}", judged.texts, judged.refused);
    let Swapped { lines, quoted, told } = judged.swapped;
    if lines > 0 {
        println!(
            "{name}: of {lines} lines in somebody else's mouth {quoted} noticed as quoted, {told} as told"
        );
    }
}

fn context_to_merge(channel: &Channel, waiting: Vec<ShortTerm>) -> Context {
    let mut context = context(channel, Vec::new());
    let mut memory = ChannelMemory::new(channel.id.clone(), channel.name.clone());
    memory.short_term_memory_history = waiting;
    context.channel_memories.insert(channel.id.clone(), memory);
    context
}

fn context(channel: &Channel, talk: Vec<Message>) -> Context {
    Context {
        persona: Persona { name: String::new(), system_prompt: String::new() },
        conversation_history: ChannelMessages::new(channel.clone(), talk),
        workspace_long_term_memory: None,
        channel_memories: BTreeMap::new(),
        thread_memories: Vec::new(),
        target_thread_ts: None,
        memos: Vec::new(),
    }
}

/// The text that builtin writes, judged as another model's; none where nothing has to be asked.
async fn write(
    summarizer: &Summarizer<'_>,
    context: &Context,
    memory_type: MemoryType,
    existing: Option<&str>,
    judged: &mut Judged,
) -> Result<Option<String>, Box<dyn Error>> {
    let requests = match summarizer.draft(context, MemoryScope::Channel, memory_type, existing)? {
        Draft::Keep(_) => Vec::new(),
        Draft::Ask(request) => vec![*request],
        Draft::Parts(requests) => requests,
    };
    let mut texts = Vec::new();
    for request in requests {
        let response = Builtin.ask(&request).await?;
        let expectation = Expectation {
            language: None,
            system: &request.system,
            existing: None,
            target_tokens: request.target_tokens,
            request: Some(&request),
            check_collapse: false,
        };
        if !response.text.trim().is_empty() {
            judged.add(&request, &response.text, &accept_response(&response, &expectation));
            texts.push(response.text);
        }
    }
    Ok((!texts.is_empty()).then(|| texts.join("\n")))
}
