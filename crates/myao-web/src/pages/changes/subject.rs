//! The memory whose texts are compared and changed.

use myao_core::{chat::Channel, memory::MemoryType};
use myao_store::MemoryKey;

use crate::{answer::PageError, layout::Here, visit::Visit};

/// The memory whose texts are compared.
pub(super) struct Subject<'a> {
    pub(super) key: MemoryKey,
    pub(super) channel: Option<&'a Channel>,
    pub(super) title: String,
    /// The address of the page of changes.
    pub(super) path: String,
}

impl<'a> Subject<'a> {
    pub(super) fn of_channel(visit: &'a Visit, id: &str) -> Result<Self, PageError> {
        let channel = visit.channel(id)?;
        let long_term = MemoryKey::long_term(&channel.id);
        let name = format!("#{}", channel.name);
        let path = visit.path.clone();
        let version = visit.query.parsed::<u32>("version").or_else(|| visit.posted.parsed("version"));
        Ok(match version {
            Some(version) => {
                let key = MemoryKey { memory_type: MemoryType::ShortTerm, version, ..long_term };
                let chapter = visit.chapter(version);
                let title = format!("{name}, {chapter}");
                Self { key, channel: Some(channel), title, path }
            }
            None => Self {
                key: long_term,
                channel: Some(channel),
                title: visit.say_with("changes-rewritten", &[("channel", name.into())]),
                path,
            },
        })
    }

    pub(super) fn of_workspace(visit: &Visit) -> Self {
        let title = visit.say("changes-the-workspaces-memory-rewritten").to_owned();
        Self { key: MemoryKey::workspace(), channel: None, title, path: visit.path.clone() }
    }

    pub(super) fn here(&self) -> Here {
        self.channel.map_or(Here::At("/workspace"), |channel| Here::Channel(channel.id.clone()))
    }

    pub(super) fn version(&self) -> String {
        if self.key.memory_type == MemoryType::ShortTerm {
            self.key.version.to_string()
        } else {
            String::new()
        }
    }
}
