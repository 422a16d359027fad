//! What the templates of a place are given: the chosen memories, in the order in which they are shown.

use jiff::tz::TimeZone;
use serde::Serialize;

use super::{
    conversation::TalkExcerpt,
    repeated::workspace_beside,
    selection::{Item, Selection},
};
use crate::{
    chat::ChannelKind,
    context::{ChannelMemory, Context, Memo, ThreadMemory},
    text::{name_as_label, text_behind_mark, text_under_heading},
    wording::{Abilities, PromptTask, channel_label, moment_in_prompt},
};

/// Everything that `reply.md`, `judgment.md` and `memory.md` may use.
#[derive(Serialize)]
pub(crate) struct PromptView {
    pub(crate) persona: PersonaView,
    /// What we are called in the conversation.
    pub(crate) own_name: String,
    /// What the owner adds to the prompt of the role.
    pub(crate) instructions: String,
    /// The place's channel, without `#`.
    pub(crate) channel: String,
    /// Whether the place is a direct message, which has no `#name`.
    pub(crate) direct: bool,
    pub(crate) workspace: Option<String>,
    pub(crate) channels: Vec<ChannelView>,
    pub(crate) threads: Vec<ThreadView>,
    pub(crate) memos: Vec<String>,
    pub(crate) root: Option<String>,
    pub(crate) earlier: usize,
    pub(crate) talk: String,
    /// The pages that messages to be answered link to, as a section with a heading; empty when there are none.
    pub(crate) pages: String,
    /// The names of the images that are sent with the prompt.
    pub(crate) images: Vec<String>,
    /// What a search found, one line each.
    pub(crate) recalled: Vec<String>,
    /// Lines about those who speak in the conversation, oldest first.
    pub(crate) people: Vec<String>,
    pub(crate) in_thread: bool,
    /// Whether messages are marked as waiting for an answer.
    pub(crate) waiting: bool,
    /// The messages that wait for an answer, once more, one line each.
    pub(crate) asked: Vec<String>,
    /// How long ago the place was last spoken in, in words.
    pub(crate) silence: Option<String>,
    /// Why we speak though nobody asked, on one line.
    pub(crate) unasked: Option<String>,
    #[serde(flatten)]
    pub(crate) abilities: Abilities,
    pub(crate) now: String,
    pub(crate) zone: String,
}

#[derive(Serialize)]
pub(crate) struct PersonaView {
    pub(crate) name: String,
    pub(crate) system_prompt: String,
}

#[derive(Serialize)]
pub(crate) struct ChannelView {
    pub(crate) name: String,
    pub(crate) long_term: Option<String>,
    /// For the place's own channel: its lines in force, oldest first.
    pub(crate) lines: Vec<String>,
    pub(crate) memories: Vec<ShortView>,
}

#[derive(Serialize)]
pub(crate) struct ShortView {
    /// The version's own number; `None` for a memory without history.
    pub(crate) version: Option<u32>,
    /// Its number among the versions that are shown, 1 for the oldest; `None` for a memory without history.
    pub(crate) number: Option<usize>,
    pub(crate) period: Option<PeriodView>,
    pub(crate) text: String,
}

/// The times of the first and the last message, in the prompt's form.
#[derive(Serialize)]
pub(crate) struct PeriodView {
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Serialize)]
pub(crate) struct ThreadView {
    pub(crate) since: String,
    pub(crate) text: String,
}

impl PromptView {
    /// The chosen items of `context`, and the own channel's lines in force. Channels stand in the order of their names,
    /// the place's own among them. So the text changes only where a memory changed, and providers find the rest in
    /// their caches.
    pub(crate) fn new(
        context: &Context,
        chosen: &Selection,
        lines: &[String],
        excerpt: &TalkExcerpt,
        zone: &TimeZone,
        task: &PromptTask<'_>,
    ) -> Self {
        let workspace = workspace_beside(context, chosen);
        let mut memories: Vec<&ChannelMemory> = context.channel_memories.values().collect();
        memories.sort_by_key(|m| (&m.channel_name, &m.channel_id));
        let channels = memories.into_iter().map(|m| {
            let lines = if m.channel_id == context.conversation_history.channel().id { lines } else { &[] };
            ChannelView { lines: lines.to_vec(), ..ChannelView::new(m, chosen, zone) }
        });
        let memos = sorted_memos(context).into_iter().filter(|m| chosen.has(&Item::Memo(m.name.clone())));
        let thread = |memory: &ThreadMemory| {
            let text =
                chosen.shown_text(&Item::Thread(memory.thread_ts), &text_under_heading(&memory.content))?;
            Some(ThreadView { since: moment_in_prompt(memory.thread_ts, zone), text })
        };
        let place = context.conversation_history.channel();
        Self {
            persona: PersonaView {
                name: name_as_label(&context.persona.name),
                system_prompt: context.persona.system_prompt.trim().to_owned(),
            },
            own_name: String::new(),
            instructions: String::new(),
            channel: channel_label(&place.name),
            direct: matches!(place.kind, ChannelKind::Dm | ChannelKind::GroupDm),
            workspace: workspace
                .and_then(|text| chosen.shown_text(&Item::Workspace, &text_under_heading(&text))),
            channels: channels.filter(ChannelView::says_something).collect(),
            threads: context.thread_memories.iter().filter_map(thread).collect(),
            memos: memos.map(memo_line).collect(),
            root: excerpt.root.clone(),
            earlier: excerpt.earlier,
            talk: excerpt.talk.clone(),
            pages: String::new(),
            images: Vec::new(),
            recalled: Vec::new(),
            people: Vec::new(),
            in_thread: context.target_thread_ts.is_some(),
            waiting: !excerpt.waiting.is_empty(),
            asked: Vec::new(),
            silence: None,
            unasked: task.unasked(),
            abilities: task.abilities(),
            now: String::new(),
            zone: zone.iana_name().unwrap_or("UTC").to_owned(),
        }
    }
}

impl ChannelView {
    fn new(memory: &ChannelMemory, chosen: &Selection, zone: &TimeZone) -> Self {
        let id = &memory.channel_id;
        let long_term = memory.long_term_memory.as_deref();
        let long_term = long_term
            .and_then(|text| chosen.shown_text(&Item::LongTerm(id.clone()), &text_under_heading(text)));
        let mut memories = short_terms(memory, zone);
        memories.retain_mut(|m| {
            let shown = chosen.shown_text(&Item::ShortTerm(id.clone(), m.version), &m.text);
            shown.map(|text| m.text = text).is_some()
        });
        for (memory, number) in memories.iter_mut().zip(1..) {
            memory.number = memory.version.map(|_| number);
        }
        Self { name: channel_label(&memory.channel_name), long_term, lines: Vec::new(), memories }
    }

    fn says_something(&self) -> bool {
        self.long_term.is_some() || !self.lines.is_empty() || !self.memories.is_empty()
    }
}

/// A channel's versions, oldest first; for a memory without history, its only text.
pub(crate) fn short_terms(memory: &ChannelMemory, zone: &TimeZone) -> Vec<ShortView> {
    let mut versions: Vec<_> = memory.versions().filter(|v| !v.content.is_empty()).collect();
    versions.sort_by_key(|v| v.version);
    let history = versions.into_iter().map(|version| ShortView {
        version: Some(version.version),
        number: None,
        period: version.period.map(|(from, to)| PeriodView {
            from: moment_in_prompt(from, zone),
            to: moment_in_prompt(to, zone),
        }),
        text: text_under_heading(&version.content),
    });
    let lone = memory.short_term_memory.as_deref().filter(|text| !text.is_empty());
    let lone = lone.filter(|_| memory.versions().next().is_none());
    let lone = lone.map(|text| ShortView {
        version: None,
        number: None,
        period: None,
        text: text_under_heading(text),
    });
    history.chain(lone).collect()
}

/// Most important first, by name among equals.
pub(crate) fn sorted_memos(context: &Context) -> Vec<&Memo> {
    let mut memos: Vec<&Memo> = context.memos.iter().collect();
    memos.sort_by_key(|m| (std::cmp::Reverse(m.priority), &m.name));
    memos
}

/// A note as a list entry. If it has a detail, the entry names the tool with which that is read.
pub(crate) fn memo_line(memo: &Memo) -> String {
    let tags = if memo.tags.is_empty() {
        String::new()
    } else {
        format!(" ({})", memo.tags.iter().map(|tag| name_as_label(tag)).collect::<Vec<_>>().join(", "))
    };
    let more = if memo.detail.is_some() { " … (get_memo)" } else { "" };
    format!("- {}{tags}: {}{more}", name_as_label(&memo.name), text_behind_mark(&memo.content))
}
