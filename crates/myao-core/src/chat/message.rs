//! A message, the unit of the archive.

use serde::{Deserialize, Serialize};

use super::{
    ids::{ChannelId, UserId},
    ts::MessageTs,
};

/// Whether a message is something somebody said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// Said by a person, by another bot or by us (specification §1).
    Talk,
    /// The platform's own remark: a join, a leave, a new topic, a pin. It is archived, but stands in no memory.
    Notice,
}

impl MessageKind {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Talk => "talk",
            Self::Notice => "notice",
        }
    }
}

/// A file somebody shared; its content stays with the platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// The file's name or title.
    pub name: String,
    /// Its media type, when the platform told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mimetype: Option<String>,
    /// Where people open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permalink: Option<String>,
    /// Its author's description of what it shows, for those who do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// The address of an image's content; reading it takes our token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// If it is no file, but a page that the message links to: the site. The page is a stranger's, and so is its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The words in it that the platform shows with it: of an e-mail, of a piece of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

impl FileRef {
    /// Whether everything that `before` said is still said: the name is the same, and so are the description and the
    /// excerpt if there were any. A description that was added, another type or another address removes nothing that was said.
    pub fn still_says(&self, before: &Self) -> bool {
        self.name == before.name
            && (before.alt.is_none() || before.alt == self.alt)
            && (before.excerpt.is_none() || before.excerpt == self.excerpt)
    }

    /// The words in it: its name, the description of what it shows, and what it says.
    pub fn words(&self) -> String {
        let mut words = self.name.clone();
        for more in [&self.alt, &self.excerpt].into_iter().flatten() {
            words.push(' ');
            words.push_str(more);
        }
        words
    }
}

/// One message as it stands now. `channel` and `ts` identify it.
///
/// `text` is plain text in the core's own notation: people are `<@ID>`, or `<~ID>` where they are named and not called,
/// channels `<#ID>`, everything else is as a reader would see it. Names are put in when the text is shown, so that a renamed person is called
/// by the new name everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Where it was said.
    pub channel: ChannelId,
    /// When it was said, and its identity within the channel.
    pub ts: MessageTs,
    /// The root of the thread it replies in; `None` at top level, and for a root itself.
    pub thread_ts: Option<MessageTs>,
    /// Who said it.
    pub user: UserId,
    /// Talk or notice.
    pub kind: MessageKind,
    /// What was said. Empty when only files were shared or when it is deleted.
    pub text: String,
    /// Files shared with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRef>,
    /// When it was last edited.
    pub edited_at: Option<MessageTs>,
    /// Whether it was deleted: its text is gone, and its row stays so that nothing brings the text back.
    pub deleted: bool,
}

impl Message {
    /// Whether it is part of the conversation that memories are made of.
    pub fn is_talk(&self) -> bool {
        self.kind == MessageKind::Talk && !self.deleted
    }

    /// The thread it belongs to: its root's time stamp, which for a message at top level is its own.
    pub fn thread(&self) -> MessageTs {
        self.thread_ts.unwrap_or(self.ts)
    }
}
