//! Names what can be wrong, and what repairs it.

use myao_core::{chat::ChannelId, memory::StepId};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The database file is damaged, as SQLite's own check says.
    Damaged,
    /// Messages that are in no chapter although later ones are.
    Uncovered,
    /// Messages that are in two chapters.
    DoublyCovered,
    /// Chapters that leave a gap between them; nothing was said in it.
    Gap,
    /// Chapters that overlap; nothing was said in the overlap.
    Overlap,
    /// Versions that do not count up by one.
    Numbering,
    /// A chapter that ends before it begins.
    Backwards,
    /// A memory that does not begin with its first chapter.
    Start,
    /// A version without a chapter: no message counts as covered by it.
    NoChapter,
    /// A memory whose step does not exist.
    NoEntry,
    /// A memory that says something other than its step.
    Differs,
    /// A chapter before the mark that was never merged.
    MergeMissing,
    /// A chapter that was merged twice.
    MergeDoubled,
    /// A mark that points at no chapter.
    Mark,
    /// Lineage that leads nowhere, or to where it cannot come from.
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

    /// What repairs it.
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
    /// Where it is, as a person would say: `#general, version 3`, `workspace`.
    pub place: String,
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// The channel; `None` for the workspace.
    pub channel: Option<ChannelId>,
    /// The steps it is about.
    pub entries: Vec<StepId>,
    /// What is wrong.
    pub what: String,
}

impl Fault {
    /// How to repair it.
    pub fn how_to_repair(&self) -> String {
        // The workspace's memory is made of all channels' memories.
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
