//! Reads the people and channels of an export from its index files.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, User, UserId};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{ExportError, ExportLimits, elements, layout::Layout, maker, source::Source};
use crate::{json, person, text};

/// Channel lists with the kind of the channels in them. Where two name the same id or folder, the later one wins: it is
/// the more private one.
const CHANNEL_FILES: [(&str, ChannelKind); 4] = [
    ("channels.json", ChannelKind::Public),
    ("groups.json", ChannelKind::Private),
    ("mpims.json", ChannelKind::GroupDm),
    ("dms.json", ChannelKind::Dm),
];
const USER_FILES: [&str; 2] = ["users.json", "org_users.json"];

/// Channels and people.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) channels: Vec<Channel>,
    pub(super) users: Vec<User>,
    /// Elements that were not understood.
    pub(super) unread: Vec<Event>,
    /// A line about each of them, for people.
    pub(super) problems: Vec<String>,
    /// Indices of `channels` by id and by folder.
    ids: HashMap<ChannelId, usize>,
    folders: HashMap<String, usize>,
    /// Indices of `users` by id.
    known: HashMap<UserId, usize>,
    /// The user id of each bot id in `users.json`: messages name a bot by either.
    pub(super) bots: HashMap<UserId, UserId>,
    /// People from outside the workspace.
    guests: HashSet<String>,
    /// The first field of a channel that Slack's own exports do not have.
    pub(super) foreign_field: Option<&'static str>,
}

impl Index {
    /// Reads the index files that there are.
    pub(super) fn read(
        path: &Path,
        source: &mut Source,
        layout: &Layout,
        limits: ExportLimits,
    ) -> Result<Self, ExportError> {
        let mut index = Self::default();
        let mut each = |file: &str, take: &mut dyn FnMut(&Value) -> Result<(), &'static str>| {
            let Some(entry) = layout.index.get(file) else { return Ok(Vec::new()) };
            let broken =
                |reason: String| ExportError::Index { path: path.to_owned(), file: file.to_owned(), reason };
            let content = source.read(entry, limits.file_bytes).map_err(|error| broken(error.to_string()))?;
            let mut odd = Vec::new();
            elements::each(&content, |at, element| {
                if let Err(error) = take(&element) {
                    if odd.len() >= limits.unread_per_file {
                        return Err(format!("more than {} such elements: {error}", limits.unread_per_file));
                    }
                    odd.push((format!("{file}#{at}"), element.to_string(), error));
                }
                Ok(())
            })
            .map_err(|error| broken(error.to_string()))?;
            Ok(odd)
        };
        let mut odd = Vec::new();
        for file in USER_FILES {
            odd.extend(each(file, &mut |element| index.take_user(element))?);
        }
        for (file, kind) in CHANNEL_FILES {
            odd.extend(each(file, &mut |element| index.take_channel(element, kind))?);
        }
        for (key, raw, error) in odd {
            index.problems.push(format!("{key}: {error}"));
            index.unread.push(Event::Unread { key, raw, error: error.to_owned() });
        }
        Ok(index)
    }

    /// The index in `channels` of the channel with this folder. Adds a channel of unknown kind if no index file has one.
    pub(super) fn channel_of(&mut self, folder: &str) -> usize {
        let folder = composed(folder);
        let known = self.ids.get(&ChannelId::new(folder.clone())).or_else(|| self.folders.get(&folder));
        if let Some(at) = known {
            return *at;
        }
        let id = ChannelId::new(folder.clone());
        self.put(Channel { id, name: folder, kind: ChannelKind::Unknown, external: false })
    }

    fn take_user(&mut self, raw: &Value) -> Result<(), &'static str> {
        let user = person::user(raw).ok_or("a user without an id")?;
        if person::is_guest(raw) {
            self.guests.insert(user.id.to_string());
        }
        if self.known.contains_key(&user.id) {
            return Ok(());
        }
        self.known.insert(user.id.clone(), self.users.len());
        let bot = raw.get("profile").and_then(|profile| json::text(profile, "bot_id"));
        if let Some(bot) = bot.map(text::clean).filter(|bot| !bot.is_empty()) {
            self.bots.entry(UserId::new(bot)).or_insert_with(|| user.id.clone());
        }
        self.users.push(user);
        Ok(())
    }

    fn take_channel(&mut self, raw: &Value, listed: ChannelKind) -> Result<(), &'static str> {
        let id = json::text(raw, "id").map(text::clean).ok_or("a channel without an id")?;
        self.foreign_field = self.foreign_field.or_else(|| maker::field_of_the_api(raw));
        let kind = if listed == ChannelKind::Public { kind_by_flags(raw) } else { listed };
        let folder = json::text(raw, "name").map(composed);
        let members: Vec<&str> = json::list(raw, "members").iter().filter_map(Value::as_str).collect();
        let is_direct = matches!(kind, ChannelKind::Dm | ChannelKind::GroupDm);
        let name = if is_direct && !members.is_empty() {
            self.names(&members)
        } else {
            folder.clone().unwrap_or_else(|| id.to_string())
        };
        let connected = match raw.get("is_ext_shared").and_then(Value::as_bool) {
            Some(connected) => connected,
            None => json::flag(raw, "is_shared") && !json::flag(raw, "is_org_shared"),
        };
        let external = connected || members.iter().any(|member| self.guests.contains(*member));
        let at = self.put(Channel { id: ChannelId::new(id), name, kind, external });
        if let Some(folder) = folder {
            self.folders.insert(folder, at);
        }
        Ok(())
    }

    fn put(&mut self, channel: Channel) -> usize {
        let at = *self.ids.entry(channel.id.clone()).or_insert(self.channels.len());
        match self.channels.get_mut(at) {
            Some(known) => *known = channel,
            None => self.channels.push(channel),
        }
        at
    }

    /// The names of a direct message's members.
    fn names(&self, members: &[&str]) -> String {
        let called = |member: &&str| {
            let user = self.known.get(&UserId::new(*member)).and_then(|at| self.users.get(*at));
            user.map_or_else(|| text::clean(member).into_owned(), |user| user.name.clone())
        };
        members.iter().map(called).collect::<Vec<_>>().join(", ")
    }
}

/// The kind of a channel in `channels.json`: public unless it says otherwise, since other tools than Slack's own list
/// private channels there too.
fn kind_by_flags(raw: &Value) -> ChannelKind {
    let flags =
        [("is_im", ChannelKind::Dm), ("is_mpim", ChannelKind::GroupDm), ("is_private", ChannelKind::Private)];
    flags.into_iter().find(|(flag, _)| json::flag(raw, flag)).map_or(ChannelKind::Public, |(_, kind)| kind)
}

/// A name in the form in which names are compared (NFC): macOS writes file names decomposed, which makes other bytes of
/// the same Japanese name.
fn composed(name: &str) -> String {
    text::clean(name).nfc().collect()
}
