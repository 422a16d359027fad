//! Notes that somebody wanted to be kept, and their bounds (specification §4).

use crate::text::{name_as_label, with_secrets_masked, without_invisible_characters};

/// The tool that adds a memo.
pub const ADD_MEMO: &str = "add_memo";
/// The most characters that a memo's name may have: a name is there to refer to the memo, and is no text.
pub const NAME_LIMIT: usize = 32;
/// The most characters that a memo's content may have. It is short, so that a prompt has room for many notes.
pub const CONTENT_LIMIT: usize = 500;
/// The most characters that a memo's detail may have: about a page, which is read on demand.
pub const DETAIL_LIMIT: usize = 4000;
/// The most tags that one memo may have.
pub const MOST_TAGS: usize = 3;
/// The most characters that a tag may have.
pub const TAG_LIMIT: usize = 32;
/// The priority of the least important memos.
pub const LOWEST_PRIORITY: u8 = 1;
/// The priority of a memo that was given none.
pub const USUAL_PRIORITY: u8 = 3;
/// The highest priority that a model may give of itself: only people decide what stands in every prompt. What somebody
/// asks it to remember always may get any (ADR 76).
pub const HIGHEST_OF_MODELS: u8 = USUAL_PRIORITY;
/// The priority from which on a memo stands in every prompt, as long as there is room.
pub const HIGH_PRIORITY: u8 = 4;
/// The priority of the most important memos.
pub const HIGHEST_PRIORITY: u8 = 5;

/// A note the bot or a person keeps (specification §4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memo {
    /// Its name, unique in what a place sees.
    pub name: String,
    /// What it says.
    pub content: String,
    /// 1 (least) to 5.
    pub priority: u8,
    /// At most three tags.
    pub tags: Vec<String>,
    /// A longer text, which is shown only on demand.
    pub detail: Option<String>,
}

/// A new memo, within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoDraft(Memo);

/// A change to a memo, within its bounds. What is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoChange {
    name: Option<String>,
    content: Option<String>,
    priority: Option<u8>,
    tags: Option<Vec<String>>,
    /// If this is empty, the memo's detail is removed.
    detail: Option<String>,
}

/// Why a memo is refused; worded for people and for models.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMemo {
    /// It is empty, or holds only blanks.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// It is too long.
    #[error("{what} has {length} characters; at most {limit} fit")]
    TooLong {
        /// The part of the memo.
        what: &'static str,
        /// Its length in characters.
        length: usize,
        /// The length allowed.
        limit: usize,
    },
    /// A name or tag that could be mistaken for what stands around it in a prompt.
    #[error("{0} has to be one line without `[`, `]` or a colon followed by a blank")]
    NoLabel(&'static str),
    /// The priority is not 1 to 5.
    #[error("the priority is {0}; it has to be {LOWEST_PRIORITY} (least important) to {HIGHEST_PRIORITY}")]
    Priority(i64),
    /// There are more than three tags.
    #[error("there are {0} tags; at most {MOST_TAGS} fit")]
    Tags(usize),
}

impl MemoDraft {
    /// A memo of usual priority, without tags and detail.
    ///
    /// # Errors
    /// When name or content are out of their bounds.
    pub fn new(name: &str, content: &str) -> Result<Self, InvalidMemo> {
        Ok(Self(Memo {
            name: checked_line("the name", name, NAME_LIMIT)?,
            content: checked_text("the content", content, CONTENT_LIMIT)?,
            priority: USUAL_PRIORITY,
            tags: Vec::new(),
            detail: None,
        }))
    }

    /// The same memo with `change` made.
    #[must_use]
    pub fn with(self, change: &MemoChange) -> Self {
        Self(change.apply(self.0))
    }

    /// The memo.
    pub fn memo(&self) -> &Memo {
        &self.0
    }
}

impl MemoChange {
    /// Sets another name.
    pub fn name(self, name: &str) -> Result<Self, InvalidMemo> {
        Ok(Self { name: Some(checked_line("the name", name, NAME_LIMIT)?), ..self })
    }

    /// Sets another content.
    pub fn content(self, content: &str) -> Result<Self, InvalidMemo> {
        Ok(Self { content: Some(checked_text("the content", content, CONTENT_LIMIT)?), ..self })
    }

    /// Sets another priority.
    pub fn priority(self, priority: i64) -> Result<Self, InvalidMemo> {
        let fits = u8::try_from(priority).ok().filter(|p| (LOWEST_PRIORITY..=HIGHEST_PRIORITY).contains(p));
        Ok(Self { priority: Some(fits.ok_or(InvalidMemo::Priority(priority))?), ..self })
    }

    /// Replaces all tags by these, each once.
    pub fn tags(self, tags: &[String]) -> Result<Self, InvalidMemo> {
        let mut each: Vec<String> = Vec::new();
        for tag in tags {
            let tag = checked_line("a tag", tag, TAG_LIMIT)?;
            if !each.contains(&tag) {
                each.push(tag);
            }
        }
        if each.len() > MOST_TAGS {
            return Err(InvalidMemo::Tags(each.len()));
        }
        Ok(Self { tags: Some(each), ..self })
    }

    /// Sets another detail; an empty one removes it.
    pub fn detail(self, detail: &str) -> Result<Self, InvalidMemo> {
        let detail = match checked_text("the detail", detail, DETAIL_LIMIT) {
            Err(InvalidMemo::Empty(_)) => String::new(),
            other => other?,
        };
        Ok(Self { detail: Some(detail), ..self })
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The memo's new name; `None` if the name does not change.
    pub fn new_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// `memo` with the change made.
    pub fn apply(&self, memo: Memo) -> Memo {
        let Self { name, content, priority, tags, detail } = self.clone();
        Memo {
            name: name.unwrap_or(memo.name),
            content: content.unwrap_or(memo.content),
            priority: priority.unwrap_or(memo.priority),
            tags: tags.unwrap_or(memo.tags),
            detail: detail.map_or(memo.detail, |detail| Some(detail).filter(|detail| !detail.is_empty())),
        }
    }
}

/// A text within its bounds, with secrets masked and without invisible and control characters: these mean nothing in
/// it, and PostgreSQL stores no NUL.
fn checked_text(what: &'static str, text: &str, limit: usize) -> Result<String, InvalidMemo> {
    let visible = without_invisible_characters(text);
    let visible = with_secrets_masked(&visible);
    let clean: String = visible.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let clean = clean.trim();
    let length = clean.chars().count();
    if length > limit {
        return Err(InvalidMemo::TooLong { what, length, limit });
    }
    if clean.is_empty() { Err(InvalidMemo::Empty(what)) } else { Ok(clean.to_owned()) }
}

/// A name or tag within its bounds. One that a prompt would have to change is refused, since a model asks for a memo by
/// the name that it was shown.
fn checked_line(what: &'static str, line: &str, limit: usize) -> Result<String, InvalidMemo> {
    let line = line.trim();
    let length = line.chars().count();
    if line.is_empty() {
        Err(InvalidMemo::Empty(what))
    } else if length > limit {
        Err(InvalidMemo::TooLong { what, length, limit })
    } else if name_as_label(line) != line {
        Err(InvalidMemo::NoLabel(what))
    } else {
        Ok(line.to_owned())
    }
}
