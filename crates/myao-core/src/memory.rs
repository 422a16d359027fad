//! The memory engine's decisions: what a memory is, where chapters end, what to write next, what to ask a model.

mod as_of;
mod attribution;
mod chapter;
mod corrected;
mod correction;
mod diff;
mod ends;
mod entity;
mod former;
mod guard;
mod horizon;
mod line;
mod named;
mod plan;
mod replaced;
mod reworded;
mod said_right;
mod scope;
mod settings;
mod step;
mod summary;
mod telling;
mod values;
mod which_of_two;

pub use as_of::ChapterEnd;
pub use attribution::misattributed_lines;
pub use chapter::{ChapterPolicy, ClosedBy, Cut, cut_into_chapters, first_version, should_update};
pub use corrected::{CorrectedText, text_with_statement};
pub use correction::{
    Correction, ReplacedStatement, StatementKey, TextPutRight, correction_of_text, keys_of_text,
    replaced_statements, statements_of_text, statements_said, text_put_right,
};
pub use diff::{Change, DiffPiece, diff_of_words};
pub use ends::{lines_ended_within, mark_line_ends, mark_of_day};
pub use entity::{Memory, MemoryDraft, create_memory};
pub use guard::{
    Expectation, FactCounts, KeptFacts, Refusal, accept_cut, accept_response, facts_kept, grounded_lines,
    most_tokens,
};
pub use horizon::{Completeness, SETTLING_SECONDS, horizon_of_channel};
pub use line::{
    Days, Line, TextPart, after_head, leading_date, leading_days, lines_of_text, parse_when, parts_of_text,
};
pub use named::{people_in_line, possible_names};
pub use plan::{ChapterState, FoldMark, MergePlan, next_merge};
pub use replaced::{
    AnnouncedChanges, EarlierLine, Statements, announces_change, lines_denied_later, subjects_if_replaced,
    words_of_end,
};
pub use said_right::SaidRight;
pub(crate) use said_right::is_joke;
pub use scope::{
    InvalidCombination, MemoryScope, MemoryType, ScopeId, ScopeIdError, is_valid_memory_combination,
    make_thread_scope_id, parse_thread_scope_id,
};
pub use settings::{HistorySettings, MemorySettings};
pub use step::{Origin, StepId, StepKind};
pub use summary::{Draft, Summarizer, SummaryError, context_without_auxiliary, texts_beside_sources};
pub use telling::{Frequency, can_tell, is_telling};
pub use which_of_two::MeantStatement;
