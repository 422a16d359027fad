//! Cuts a prompt into its fragments, by the headings of our templates.

use myao_core::{prompt::Prompt, text::Language};

/// A part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fragment {
    /// Persona and instructions.
    Instructions,
    /// The workspace's long-term memory.
    Workspace,
    /// The own channel's long-term memory.
    LongTerm,
    /// Lines of the own channel's older versions that still hold.
    Lines,
    /// The own channel's newest versions.
    Versions,
    /// Memories of other channels.
    Others,
    /// Memories of threads.
    Threads,
    /// Memos.
    Memos,
    /// Lines about those who speak.
    People,
    /// The conversation.
    Conversation,
    /// What a search found.
    Recall,
    /// What is to be done, and what is to be answered.
    Task,
}

impl Fragment {
    /// All of them, in the order in which prompts show them.
    pub(crate) const ALL: [Self; 12] = [
        Self::Instructions,
        Self::Workspace,
        Self::LongTerm,
        Self::Lines,
        Self::Versions,
        Self::Others,
        Self::Threads,
        Self::Memos,
        Self::People,
        Self::Conversation,
        Self::Recall,
        Self::Task,
    ];

    /// What it is called in tables.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Workspace => "workspace's memory",
            Self::LongTerm => "long-term memory",
            Self::Lines => "lines in force",
            Self::Versions => "versions",
            Self::Others => "other channels",
            Self::Threads => "threads",
            Self::Memos => "memos",
            Self::People => "people",
            Self::Conversation => "conversation",
            Self::Recall => "recall",
            Self::Task => "task",
        }
    }

    /// The beginning of its heading. Of those that stand below a channel's name, the heading below that.
    const fn heading(self, language: Language) -> Option<&'static str> {
        let (en, ja) = match self {
            Self::Instructions => ("# What you remember", "# 覚えていること"),
            Self::Workspace => ("## The whole workspace (", "## ワークスペース全体（"),
            Self::LongTerm => ("### History (", "### 歴史（"),
            Self::Lines => ("### What holds, ", "### 今も有効と思われること"),
            Self::Versions => ("### Recent events (", "### 最近の出来事（"),
            Self::Others => return None,
            Self::Threads => ("## Threads", "## スレッドの記憶"),
            Self::Memos => ("## Memos", "## メモ"),
            Self::People => ("# People in the conversation", "# 会話にいる人たち"),
            Self::Conversation => ("# Conversation (", "# 会話（"),
            Self::Recall => ("# What bears on this", "# 関係のありそうなこと"),
            Self::Task => ("# Task", "# すること"),
        };
        Some(match language {
            Language::En => en,
            Language::Ja => ja,
        })
    }

    /// Whether it stands below the name of the channel that it is about.
    const fn is_of_a_channel(self) -> bool {
        matches!(self, Self::LongTerm | Self::Lines | Self::Versions)
    }
}

/// The lines of a prompt, each with the fragment that it belongs to. `own` is the name of the place's channel.
pub(crate) fn lines<'p>(prompt: &'p Prompt, own: &str) -> Vec<(Fragment, &'p str)> {
    let own = format!("## #{own}");
    let mut current = Fragment::Instructions;
    let mut is_own = true;
    let mut lines = Vec::new();
    for line in prompt.system.lines().chain(prompt.user.lines()) {
        if line.starts_with("## #") {
            is_own = line == own;
            current = if is_own { Fragment::LongTerm } else { Fragment::Others };
        } else {
            let begins = |fragment: &Fragment| {
                fragment.heading(prompt.language).is_some_and(|heading| line.starts_with(heading))
            };
            if let Some(next) = Fragment::ALL.into_iter().find(begins) {
                current = if next.is_of_a_channel() && !is_own { Fragment::Others } else { next };
            }
        }
        lines.push((current, line));
    }
    lines
}
