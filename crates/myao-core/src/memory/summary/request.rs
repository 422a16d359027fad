//! Fills in a summary's request: the same content as text for a language model and as structured material.
//!
//! The text keeps to the budget: a memory that is too long for it is cut. The material holds memories whole: it is for
//! `builtin`, which reads them in this process, where length costs nothing.

use serde::Serialize;

use crate::{
    ports::{Material, MemoryEntry, Request, Role, TalkLine, Turn},
    text::{cut_to_tokens, estimate_tokens, text_under_heading, without_invisible_characters},
    wording::{TemplateError, Templates, lines_as_text},
};

/// How many tokens the blank lines and marks around a text have at most.
pub(super) const AROUND: usize = 24;

/// What a summary is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SummaryTask {
    Chapter,
    Thread,
    Merge,
    Workspace,
    JoinChapter,
    JoinThread,
}

impl SummaryTask {
    const fn file(self) -> &'static str {
        match self {
            Self::Chapter => "chapter.md",
            Self::Thread => "thread.md",
            Self::Merge => "merge.md",
            Self::Workspace => "workspace.md",
            Self::JoinChapter | Self::JoinThread => "join.md",
        }
    }

    const fn purpose(self) -> &'static str {
        match self {
            Self::Chapter | Self::JoinChapter => "chapter",
            Self::Thread | Self::JoinThread => "thread",
            Self::Merge => "merge",
            Self::Workspace => "workspace",
        }
    }
}

/// A memory that helps to understand what is summarised (specification §12.3, 参考情報).
#[derive(Clone, Copy, Debug)]
pub(super) enum Reference<'a> {
    Workspace(&'a str),
    LongTerm(&'a str),
    ShortTerm(&'a str),
}

impl<'a> Reference<'a> {
    pub(super) const fn text(self) -> &'a str {
        match self {
            Self::Workspace(text) | Self::LongTerm(text) | Self::ShortTerm(text) => text,
        }
    }

    pub(super) fn tokens(self) -> usize {
        estimate_tokens(&text_under_heading(self.text())) + AROUND
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Workspace(_) => "workspace",
            Self::LongTerm(_) => "long_term",
            Self::ShortTerm(_) => "short_term",
        }
    }
}

/// A memory to be folded in or joined.
#[derive(Clone, Debug)]
pub(super) struct FoldedMemory {
    /// `#channel` for a channel's memory; empty where all are of one channel.
    pub(super) label: String,
    /// When its first and last message were posted, in the prompt's form.
    pub(super) period: Option<(String, String)>,
    pub(super) text: String,
}

impl FoldedMemory {
    pub(super) fn tokens(&self) -> usize {
        estimate_tokens(&text_under_heading(&self.text)) + AROUND
    }

    fn material(&self) -> MemoryEntry {
        let day = |moment: &str| moment.split(' ').next().unwrap_or(moment).to_owned();
        let period = self.period.as_ref().map(|(from, to)| (day(from), day(to)));
        MemoryEntry {
            label: self.label.clone(),
            period,
            text: without_invisible_characters(&self.text).into_owned(),
        }
    }
}

/// Which part of talk that is summarised in parts a request holds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct TalkPart {
    pub(super) number: usize,
    pub(super) of: usize,
}

/// A request before its content is filled in.
#[derive(Clone)]
pub(super) struct RequestDraft<'a> {
    pub(super) templates: &'a Templates,
    pub(super) task: SummaryTask,
    /// The channel's name, without `#`.
    pub(super) channel: String,
    pub(super) target_tokens: u32,
    pub(super) existing: Option<&'a str>,
    /// Auxiliary texts, and how many tokens of each are shown.
    pub(super) references: Vec<(Reference<'a>, usize)>,
    pub(super) limits: TextLimits,
}

/// How many tokens of each stored text a request shows; what is longer is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLimits {
    pub(super) existing: usize,
    pub(super) entry: usize,
}

impl TextLimits {
    /// Nothing is cut.
    pub(super) const UNLIMITED: Self = Self { existing: usize::MAX, entry: usize::MAX };
    /// Nothing is left of each text but the mark that says that it was cut.
    pub(super) const NONE: Self = Self { existing: 0, entry: 0 };
}

/// What the templates of summaries are given.
#[derive(Serialize)]
struct SummaryView {
    channel: String,
    target_tokens: u32,
    existing: Option<String>,
    talk: String,
    memories: Vec<EntryView>,
    references: Vec<ReferenceView>,
    part: Option<TalkPart>,
    /// Whether what is shown holds references to channels (`<#ID>`), which the model has to copy.
    marks: bool,
    /// What the owner adds to the prompt of this role.
    instructions: String,
}

#[derive(Serialize)]
struct EntryView {
    label: String,
    from: Option<String>,
    to: Option<String>,
    text: String,
}

#[derive(Serialize)]
struct ReferenceView {
    kind: &'static str,
    text: String,
}

impl RequestDraft<'_> {
    /// Asks about talk. The existing memory goes with the first part.
    pub(super) fn ask_about_talk(
        &self,
        lines: &[TalkLine],
        part: Option<TalkPart>,
    ) -> Result<Request, TemplateError> {
        let existing = self.existing.filter(|_| part.is_none_or(|p| p.number == 1));
        let view = SummaryView { talk: lines_as_text(lines), part, ..self.view(existing) };
        let existing = without_invisible_characters(existing.unwrap_or_default()).into_owned();
        self.request(view, Material::Talk { existing, lines: lines.to_vec() })
    }

    /// Asks about memories.
    pub(super) fn ask_about_memories(&self, entries: &[FoldedMemory]) -> Result<Request, TemplateError> {
        let memories = entries.iter().map(|entry| {
            let (from, to) = entry.period.clone().unzip();
            EntryView {
                label: entry.label.clone(),
                from,
                to,
                text: self.shown_within(&entry.text, self.limits.entry),
            }
        });
        let view = SummaryView { memories: memories.collect(), ..self.view(self.existing) };
        let existing = without_invisible_characters(self.existing.unwrap_or_default()).into_owned();
        self.request(
            view,
            Material::Memories { existing, entries: entries.iter().map(FoldedMemory::material).collect() },
        )
    }

    fn view(&self, existing: Option<&str>) -> SummaryView {
        let reference = |(r, room): &(Reference<'_>, usize)| ReferenceView {
            kind: r.kind(),
            text: self.shown_within(r.text(), *room),
        };
        SummaryView {
            channel: self.channel.clone(),
            target_tokens: self.target_tokens,
            existing: existing.map(|text| self.shown_within(text, self.limits.existing)),
            talk: String::new(),
            memories: Vec::new(),
            references: self.references.iter().map(reference).collect(),
            part: None,
            marks: false,
            instructions: self.templates.instructions(Role::Memory).to_owned(),
        }
    }

    fn shown_within(&self, text: &str, room: usize) -> String {
        cut_to_tokens(&text_under_heading(text), room, self.templates.language())
    }

    fn request(&self, view: SummaryView, material: Material) -> Result<Request, TemplateError> {
        let texts = view.memories.iter().map(|memory| &memory.text).chain(view.existing.as_ref());
        // A request without content only measures the prompt around it; it is measured in its longer variant.
        let is_frame = (view.talk.is_empty() && view.memories.is_empty()) || self.limits.entry == 0;
        let marks = is_frame || texts.chain([&view.talk]).any(|text| text.contains("<#"));
        let filled = self.templates.fill(self.task.file(), &SummaryView { marks, ..view })?;
        Ok(Request {
            system: filled.system,
            turns: vec![Turn::User(filled.user)],
            material,
            target_tokens: self.target_tokens,
            ..Request::new(Role::Memory, self.task.purpose(), self.templates.language())
        })
    }
}
