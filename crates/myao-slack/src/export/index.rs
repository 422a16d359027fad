//! Reads the people and channels of an export from its index files.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, User, UserId};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{
    ExportError, ExportLimits, elements,
    layout::Layout,
    maker,
    outsiders::{Outsiders, PersonOrigin},
    source::{ExportFile, Source},
};
use crate::{json, person, text};

/// Channel lists with the kind of the channels in them. Where two name the same id or folder, the later one wins: it is
/// the more private one.
const CHANNEL_FILES: [(&str, ChannelKind); 5] = [
    ("channels.json", ChannelKind::Public),
    ("groups.json", ChannelKind::Private),
    // Comments on canvases and lists, in folders such as `FC:F0123ABCD:Plan`: by whom they may be read is not told.
    ("file_conversations.json", ChannelKind::Private),
    ("mpims.json", ChannelKind::GroupDm),
    ("dms.json", ChannelKind::Dm),
];
const USER_FILES: [&str; 2] = ["users.json", "org_users.json"];
/// What was installed when. Apps have names there, and nothing else of it matters.
const APPS_FILE: &str = "integration_logs.json";

/// Channels and people.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) channels: Vec<Channel>,
    pub(super) users: Vec<User>,
    /// Those of them who have left.
    pub(super) left: HashSet<UserId>,
    /// When their profiles were last changed, as far as that is told.
    pub(super) changed: HashMap<UserId, MessageTs>,
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
    /// What apps are called, by the ids of app, bot and service, newest first.
    pub(super) apps: HashMap<String, String>,
    /// The first field of a channel that Slack's own exports do not have.
    pub(super) foreign_field: Option<&'static str>,
    /// Whether an index file lists any channel: otherwise it is no wonder that folders stand in none.
    lists_channels: bool,
    /// Where people come from, as far as the list tells.
    origins: Vec<PersonOrigin>,
    /// Who belongs to the workspace, and who does not.
    pub(super) outsiders: Outsiders,
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
        let mut each = |file: &str,
                        entry: Option<&ExportFile>,
                        take: &mut dyn FnMut(&Value) -> Result<(), &'static str>| {
            let Some(entry) = entry else { return Ok(Vec::new()) };
            let broken =
                |reason: String| ExportError::Index { path: path.to_owned(), file: file.to_owned(), reason };
            let content = source.read(entry, limits.file_bytes).map_err(|error| broken(error.to_string()))?;
            let mut odd = Vec::new();
            elements::pass_each_element(&content, |at, element| {
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
            for entry in [layout.index.get(file), layout.shared.get(file)] {
                odd.extend(each(file, entry, &mut |element| index.take_user(element))?);
            }
        }
        index.outsiders = Outsiders::of(&index.origins);
        let apps = each(APPS_FILE, layout.index.get(APPS_FILE), &mut |element| {
            index.take_app(element);
            Ok(())
        });
        // Without it some apps have no names; whom people talk to does not depend on it.
        index.problems.extend(apps.err().map(|error| error.to_string()));
        for (file, kind) in CHANNEL_FILES {
            // Which workspaces of an organisation see a channel that it shares is not told.
            let of_all = if kind == ChannelKind::Public { ChannelKind::Unknown } else { kind };
            odd.extend(each(file, layout.shared.get(file), &mut |element| {
                index.take_channel(element, of_all)
            })?);
            odd.extend(each(file, layout.index.get(file), &mut |element| index.take_channel(element, kind))?);
        }
        for (key, raw, error) in odd {
            index.problems.push(format!("{key}: {error}"));
            index.unread.push(Event::Unread { key, raw, error: error.to_owned() });
        }
        Ok(index)
    }

    /// The index in `channels` of the channel with this folder, whose name may also be read as one of `others`. Adds a
    /// channel of unknown kind if no index file has one, and says so.
    pub(super) fn channel_of(&mut self, folder: &str, others: &[String]) -> usize {
        let folder = name_as_compared(folder);
        let known =
            |name: &str| self.ids.get(&ChannelId::new(name)).or_else(|| self.folders.get(name)).copied();
        if let Some(at) =
            known(&folder).or_else(|| others.iter().find_map(|other| known(&name_as_compared(other))))
        {
            return at;
        }
        if self.lists_channels {
            self.problems
                .push(format!("{folder}: no index file names this folder; it is kept as a private channel"));
        }
        let id = ChannelId::new(folder.clone());
        self.put(Channel { id, name: folder, kind: ChannelKind::Unknown, external: false })
    }

    fn take_user(&mut self, raw: &Value) -> Result<(), &'static str> {
        let user = person::user_of_object(raw).ok_or("a user without an id")?;
        if self.known.contains_key(&user.id) {
            return Ok(());
        }
        self.known.insert(user.id.clone(), self.users.len());
        self.origins.push(PersonOrigin::read(&user.id, raw));
        if person::has_left(raw) {
            self.left.insert(user.id.clone());
        }
        if let Some(changed) = person::changed_at(raw) {
            self.changed.insert(user.id.clone(), changed);
        }
        let bot = raw.get("profile").and_then(|profile| json::text_of_field(profile, "bot_id"));
        if let Some(bot) = bot.map(text::without_nul).filter(|bot| !bot.is_empty()) {
            self.bots.entry(UserId::new(bot)).or_insert_with(|| user.id.clone());
        }
        self.users.push(user);
        Ok(())
    }

    fn take_app(&mut self, raw: &Value) {
        let Some(name) = ["app_type", "service_type"].iter().find_map(|key| json::text_of_field(raw, key))
        else {
            return;
        };
        let ids = ["app_id", "bot_id", "service_id"].iter().filter_map(|key| raw.get(key));
        let ids = ids.filter_map(|id| match id {
            Value::String(id) => Some(id.clone()),
            Value::Number(id) => Some(id.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        });
        for id in ids {
            // The newest entry comes first.
            self.apps.entry(id).or_insert_with(|| text::without_nul(name).into_owned());
        }
    }

    fn take_channel(&mut self, raw: &Value, listed: ChannelKind) -> Result<(), &'static str> {
        let id = json::text_of_field(raw, "id").map(text::without_nul).ok_or("a channel without an id")?;
        self.foreign_field = self.foreign_field.or_else(|| maker::field_of_the_api(raw));
        let kind = if listed == ChannelKind::Public { kind_by_flags(raw) } else { listed };
        let folder = json::text_of_field(raw, "name").map(name_as_compared);
        let mut members: Vec<&str> =
            json::list_of_field(raw, "members").iter().filter_map(Value::as_str).collect();
        if members.is_empty() {
            // Slack's API, and tools that store what it says, name the other person of a direct message only.
            members.extend(json::text_of_field(raw, "user"));
        }
        let is_direct = matches!(kind, ChannelKind::Dm | ChannelKind::GroupDm);
        let name = if is_direct && !members.is_empty() {
            self.names_of_members(&members)
        } else {
            folder.clone().unwrap_or_else(|| id.to_string())
        };
        let connected = match raw.get("is_ext_shared").and_then(Value::as_bool) {
            Some(connected) => connected,
            None => json::is_true(raw, "is_shared") && !json::is_true(raw, "is_org_shared"),
        };
        let pending = json::is_true(raw, "is_pending_ext_shared")
            || !json::list_of_field(raw, "pending_connected_team_ids").is_empty();
        let external =
            connected || pending || members.iter().any(|member| self.outsiders.has(&UserId::new(*member)));
        self.lists_channels = true;
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
    fn names_of_members(&self, members: &[&str]) -> String {
        let called = |member: &&str| {
            let user = self.known.get(&UserId::new(*member)).and_then(|at| self.users.get(*at));
            user.map_or_else(|| text::without_nul(member).into_owned(), |user| user.name.clone())
        };
        members.iter().map(called).collect::<Vec<_>>().join(", ")
    }
}

/// The kind of a channel in `channels.json`: public unless it says otherwise, since other tools than Slack's own list
/// private channels there too.
fn kind_by_flags(raw: &Value) -> ChannelKind {
    let flags =
        [("is_im", ChannelKind::Dm), ("is_mpim", ChannelKind::GroupDm), ("is_private", ChannelKind::Private)];
    flags.into_iter().find(|(flag, _)| json::is_true(raw, flag)).map_or(ChannelKind::Public, |(_, kind)| kind)
}

/// A name in the form in which names are compared (NFC): macOS writes file names decomposed, which makes other bytes of
/// the same Japanese name.
fn name_as_compared(name: &str) -> String {
    text::without_nul(name).nfc().collect()
}
