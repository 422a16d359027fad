//! What can be wrong, and what helps.

use myao_core::{chat::ChannelId, memory::StepId};

/// A sort of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The database file is damaged, by SQLite's own check.
    Damaged,
    /// Messages that stand in no chapter although later ones do.
    Uncovered,
    /// Messages that stand in two chapters.
    DoublyCovered,
    /// Chapters that do not continue one another; nothing was said in between.
    Gap,
    /// Chapters that overlap; nothing was said where they do.
    Overlap,
    /// Versions that do not count up by one.
    Numbering,
    /// A chapter that ends before it begins.
    Backwards,
    /// A memory that does not begin with its first chapter.
    Start,
    /// A version without a chapter: no message counts as covered by it.
    NoChapter,
    /// A memory whose journal entry does not exist.
    NoEntry,
    /// A memory that says something else than its journal entry.
    Differs,
    /// A chapter before the mark that was never merged.
    MergeMissing,
    /// A chapter that was merged twice.
    MergeDoubled,
    /// A mark that points at no chapter.
    Mark,
    /// Lineage that leads nowhere, or to where it can't come from.
    Orphan,
    /// A memory made from something that was removed.
    Stale,
    /// A memory made from what its readers may not see.
    Leak,
    /// A memory of a kind that does not exist.
    Invalid,
}

impl FaultKind {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Uncovered => "uncovered",
            Self::DoublyCovered => "doubly_covered",
            Self::Gap => "gap",
            Self::Overlap => "overlap",
            Self::Numbering => "numbering",
            Self::Backwards => "backwards",
            Self::Start => "start",
            Self::NoChapter => "no_chapter",
            Self::NoEntry => "no_entry",
            Self::Differs => "differs",
            Self::MergeMissing => "merge_missing",
            Self::MergeDoubled => "merge_doubled",
            Self::Mark => "mark",
            Self::Orphan => "orphan",
            Self::Stale => "stale",
            Self::Leak => "leak",
            Self::Invalid => "invalid",
        }
    }

    /// What puts it right.
    const fn cure(self) -> Remedy {
        match self {
            Self::Uncovered
            | Self::DoublyCovered
            | Self::Gap
            | Self::Overlap
            | Self::Numbering
            | Self::Backwards
            | Self::Start
            | Self::NoChapter => Remedy::CutAnew,
            Self::NoEntry
            | Self::Differs
            | Self::MergeMissing
            | Self::MergeDoubled
            | Self::Mark
            | Self::Orphan
            | Self::Stale
            | Self::Leak => Remedy::FoldAnew,
            Self::Invalid => Remedy::ByHand,
            Self::Damaged => Remedy::Restore,
        }
    }
}

enum Remedy {
    CutAnew,
    FoldAnew,
    ByHand,
    Restore,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where, as a person calls it: `#general, version 3`, `workspace`.
    pub place: String,
    /// Of what sort it is.
    pub kind: FaultKind,
    /// The channel; none for the workspace.
    pub channel: Option<ChannelId>,
    /// The journal entries it is about.
    pub entries: Vec<StepId>,
    /// What is wrong.
    pub what: String,
}

impl Fault {
    /// How to mend it.
    pub fn mend(&self) -> String {
        // The workspace's memory is made of all channels'.
        let whose = self.channel.as_ref().map_or("--all", ChannelId::as_str);
        match self.kind.cure() {
            Remedy::CutAnew => {
                format!("`myao memory rebuild {whose} --from-start` cuts it anew and folds it again")
            }
            Remedy::FoldAnew => format!("`myao memory rebuild {whose}` makes it again from what there is"),
            Remedy::ByHand => {
                "no command of ours writes such a row: see who else writes to this database; the row is not read"
                    .to_owned()
            }
            Remedy::Restore => {
                "restore a backup copy; `sqlite3 FILE .recover` saves what can still be read".to_owned()
            }
        }
    }
}
