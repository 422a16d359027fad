//! The ids by which agents name what they were shown. They are addresses and no secrets: whatever one leads to is shown
//! only if the visibility of the request shows it.

use std::{fmt, str::FromStr};

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::StepId,
};

/// What an id names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemId {
    /// `message:CHANNEL:TS`
    Message { channel: ChannelId, ts: MessageTs },
    /// `line:STEP:NUMBER`: a line of the text that a memory got with this step, from 0.
    Line { step: StepId, nth: usize },
    /// `chapter:CHANNEL:VERSION`
    Chapter { channel: ChannelId, version: u32 },
    /// `long-term:CHANNEL`
    LongTerm { channel: ChannelId },
    /// `workspace`: the long-term memory of all open channels.
    Workspace,
    /// `memo:ID`
    Memo(String),
}

/// Why a text is no id.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no id: ids look like message:C123:1700000000.000100 and come from other tools' results")]
pub(crate) struct NoItemId(String);

/// Between the parts of an id.
const BETWEEN: char = ':';
/// The longest text that can be an id.
const MOST_CHARS: usize = 300;

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { channel, ts } => write!(f, "message:{channel}:{ts}"),
            Self::Line { step, nth } => write!(f, "line:{step}:{nth}"),
            Self::Chapter { channel, version } => write!(f, "chapter:{channel}:{version}"),
            Self::LongTerm { channel } => write!(f, "long-term:{channel}"),
            Self::Workspace => f.write_str("workspace"),
            Self::Memo(id) => write!(f, "memo:{id}"),
        }
    }
}

impl FromStr for ItemId {
    type Err = NoItemId;

    fn from_str(text: &str) -> Result<Self, NoItemId> {
        let text = text.trim();
        let shown = || NoItemId(text.chars().take(MOST_CHARS).collect());
        if text == "workspace" {
            return Ok(Self::Workspace);
        }
        let (kind, rest) = text.split_once(BETWEEN).ok_or_else(shown)?;
        let parts = rest.rsplit_once(BETWEEN);
        let item = match kind {
            "message" => parts.and_then(|(channel, ts)| {
                Some(Self::Message { channel: ChannelId::new(channel), ts: ts.parse().ok()? })
            }),
            "line" => parts.and_then(|(step, nth)| {
                Some(Self::Line { step: StepId(step.parse().ok()?), nth: nth.parse().ok()? })
            }),
            "chapter" => parts.and_then(|(channel, version)| {
                Some(Self::Chapter { channel: ChannelId::new(channel), version: version.parse().ok()? })
            }),
            "long-term" => Some(Self::LongTerm { channel: ChannelId::new(rest) }),
            "memo" => Some(Self::Memo(rest.to_owned())),
            _ => None,
        };
        item.filter(|_| text.chars().count() <= MOST_CHARS).ok_or_else(shown)
    }
}
