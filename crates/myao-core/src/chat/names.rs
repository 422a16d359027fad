//! What people and channels are called when talk is shown.

use std::collections::{BTreeMap, BTreeSet};

use super::{Channel, ChannelId, Own, User, UserId};

/// What kind of voice says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A person, or somebody nothing is known of.
    Person,
    /// A program other than us.
    Bot,
    /// We ourselves.
    Own,
}

/// The names of a workspace at one moment.
#[derive(Clone, Debug, Default)]
pub struct Names {
    users: BTreeMap<UserId, String>,
    channels: BTreeMap<ChannelId, String>,
    bots: BTreeSet<UserId>,
    own: Option<Own>,
}

impl Names {
    /// From the people and channels there are. Two people of one name are told apart by their id (SPEC §3);
    /// of somebody given twice the later name holds.
    pub fn new<'a>(
        users: impl IntoIterator<Item = &'a User>,
        channels: impl IntoIterator<Item = &'a Channel>,
    ) -> Self {
        let users: Vec<&User> = users.into_iter().collect();
        let bots = users.iter().filter(|user| user.is_bot).map(|user| user.id.clone()).collect();
        let mut users: BTreeMap<UserId, String> =
            users.into_iter().map(|user| (user.id.clone(), one_line(&user.name))).collect();
        let mut channels: BTreeMap<ChannelId, String> =
            channels.into_iter().map(|channel| (channel.id.clone(), one_line(&channel.name))).collect();
        users.retain(|_, name| !name.is_empty());
        channels.retain(|_, name| !name.is_empty());
        let mut seen = BTreeSet::new();
        let shared: BTreeSet<String> =
            users.values().filter(|name| !seen.insert(name.as_str())).cloned().collect();
        for (id, name) in users.iter_mut().filter(|(_, name)| shared.contains(*name)) {
            *name = format!("{name} ({id})");
        }
        Self { users, channels, bots, own: None }
    }

    /// The same, of which this is us, if that is known. What we post under an id of its own bears our name too.
    #[must_use]
    pub fn with_own(mut self, own: Option<Own>) -> Self {
        let name = own.as_ref().and_then(|own| self.users.get(&own.user)).cloned();
        if let (Some(bot), Some(name)) = (own.as_ref().and_then(|own| own.bot.clone()), name) {
            self.users.insert(bot, name);
        }
        self.own = own;
        self
    }

    /// What a person is called; the id itself for somebody unknown or nameless.
    pub fn user<'a>(&'a self, id: &'a UserId) -> &'a str {
        self.users.get(id).map_or(id.as_str(), String::as_str)
    }

    /// What we are called in the chat, where it is known who we are: not always the persona's name.
    pub fn own_name(&self) -> Option<&str> {
        self.own.as_ref().map(|own| self.user(&own.user))
    }

    /// Who somebody is to us.
    pub fn speaker(&self, id: &UserId) -> Speaker {
        if self.own.as_ref().is_some_and(|own| own.is(id)) {
            Speaker::Own
        } else if self.bots.contains(id) {
            Speaker::Bot
        } else {
            Speaker::Person
        }
    }

    /// What a channel is called, without `#`; the id itself for an unknown or nameless one.
    pub fn channel<'a>(&'a self, id: &'a ChannelId) -> &'a str {
        self.channels.get(id).map_or(id.as_str(), String::as_str)
    }

    /// Replaces the core's notation (`<@ID>`, `<#ID>`) by names, once: a name that looks like the notation
    /// stays as it is. Takes time linear in the text, whatever the text.
    pub fn resolve(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('<') {
            out.push_str(before);
            if let Some((name, after)) = self.reference(tail) {
                out.push_str(&name);
                rest = after;
            } else {
                out.push('<');
                rest = tail;
            }
        }
        out.push_str(rest);
        out
    }

    /// `tail` begins right after a `<`: the name it refers to and what follows its `>`.
    fn reference<'t>(&self, tail: &'t str) -> Option<(String, &'t str)> {
        let id_and_rest = |id: &'t str| {
            let end = id.find(|c: char| !c.is_ascii_alphanumeric()).filter(|end| *end > 0)?;
            let (id, rest) = id.split_at_checked(end)?;
            Some((id, rest.strip_prefix('>')?))
        };
        if let Some(user) = tail.strip_prefix('@') {
            let (id, after) = id_and_rest(user)?;
            Some((format!("@{}", self.user(&UserId::new(id))), after))
        } else {
            let (id, after) = id_and_rest(tail.strip_prefix('#')?)?;
            Some((format!("#{}", self.channel(&ChannelId::new(id))), after))
        }
    }
}

/// A name as it may stand in a line of talk: nobody writes a second line, in another's name, through it.
fn one_line(name: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    name.replace(breaks, " ").trim().to_owned()
}
