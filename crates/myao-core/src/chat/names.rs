//! Replaces the ids of people and channels by their names when text is shown, as far as a visibility allows.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    channel::{Channel, ChannelKind, Own, User},
    ids::{ChannelId, UserId},
    visibility::Visibility,
};
use crate::text::{Language, phrase, terms_of_text, without_invisible_characters};

/// How many characters of a channel's name are compared: platforms allow no longer names.
const NAME_LIMIT: usize = 80;

/// Who says something, as seen from us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A person, or somebody unknown.
    Person,
    /// A program other than us.
    Bot,
    /// We ourselves.
    Own,
}

/// What is written for a channel whose name is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unseen {
    /// The id itself: the owner of the database sees every channel, and this one has no name.
    Id,
    /// "a private channel", in this language.
    Private(Language),
    /// The reference as it stands (`<#ID>`), for every channel, seen or not.
    Reference,
}

/// The names of a workspace at one moment, as far as somebody may see them: a channel's name is shown where
/// what is said there may be shown (specification §6). People's names are the workspace's directory; everybody sees
/// them.
#[derive(Clone, Debug)]
pub struct Names {
    users: BTreeMap<UserId, String>,
    channels: BTreeMap<ChannelId, String>,
    /// Names of channels that are not seen, except those of direct messages, which are people's names.
    hidden: BTreeSet<String>,
    unseen: Unseen,
    bots: BTreeSet<UserId>,
    /// What people were called before, who bore which name.
    former: Vec<(UserId, String)>,
    /// Who has left.
    left: BTreeSet<UserId>,
    own: Option<Own>,
}

impl Names {
    /// The names of `users` and `channels`, for somebody who sees what `visibility` sees. If two people have the same
    /// name, their ids are added to it (specification §3). If an id is given twice, the later name is used.
    pub fn new<'a>(
        users: impl IntoIterator<Item = &'a User>,
        channels: impl IntoIterator<Item = &'a Channel>,
        visibility: &Visibility,
    ) -> Self {
        let users: Vec<&User> = users.into_iter().collect();
        let bots = users.iter().filter(|user| user.is_bot).map(|user| user.id.clone()).collect();
        let mut users: BTreeMap<UserId, String> =
            users.into_iter().map(|user| (user.id.clone(), name_in_talk(&user.name))).collect();
        let (seen, unseen): (Vec<&Channel>, Vec<&Channel>) =
            channels.into_iter().partition(|channel| visibility.sees(channel));
        let mut channels: BTreeMap<ChannelId, String> =
            seen.into_iter().map(|channel| (channel.id.clone(), name_in_talk(&channel.name))).collect();
        let is_named = |channel: &&&Channel| !matches!(channel.kind, ChannelKind::Dm | ChannelKind::GroupDm);
        let hidden = unseen.iter().filter(is_named).map(|channel| name_in_talk(&channel.name));
        let hidden = hidden.filter(|name| !name.is_empty()).collect();
        users.retain(|_, name| !name.is_empty());
        channels.retain(|_, name| !name.is_empty());
        // A bot that posts under its own name is told by nobody from itself.
        let mut bearers: BTreeMap<&str, &UserId> = BTreeMap::new();
        let mut shared: BTreeSet<String> = BTreeSet::new();
        for (id, name) in &users {
            if !bearers.entry(name).or_insert(id).shares_account(id) {
                shared.insert(name.clone());
            }
        }
        for (id, name) in users.iter_mut().filter(|(_, name)| shared.contains(*name)) {
            *name = format!("{name} ({id})");
        }
        let unseen = match visibility {
            Visibility::Owner => Unseen::Id,
            Visibility::Place { .. } | Visibility::Agent { .. } | Visibility::Open => {
                Unseen::Private(Language::En)
            }
        };
        Self { users, channels, hidden, unseen, bots, former: Vec::new(), left: BTreeSet::new(), own: None }
    }

    /// The same names, with "a private channel" in `language`.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        if let Unseen::Private(spoken) = &mut self.unseen {
            *spoken = language;
        }
        self
    }

    /// The same names without those of channels: [`Names::resolve`] leaves references to channels as they stand.
    /// Memories are written this way, since a channel that everybody sees today may be private tomorrow;
    /// [`Names::show`] puts the names in.
    #[must_use]
    pub fn for_memories(mut self) -> Self {
        self.channels.clear();
        self.hidden.clear();
        self.unseen = Unseen::Reference;
        self
    }

    /// The same names with our own ids, if they are known. Posts under our bot id get our user's name.
    #[must_use]
    pub fn with_own(mut self, own: Option<Own>) -> Self {
        let name = own.as_ref().and_then(|own| self.users.get(&own.user)).cloned();
        if let (Some(bot), Some(name)) = (own.as_ref().and_then(|own| own.bot.clone()), name) {
            self.users.insert(bot, name);
        }
        self.own = own;
        self
    }

    /// The same names, with what people were called before, by whom each name was borne.
    #[must_use]
    pub fn with_former(mut self, former: impl IntoIterator<Item = (UserId, String)>) -> Self {
        self.former.extend(former.into_iter().map(|(user, name)| (user, name_in_talk(&name))));
        self
    }

    /// The same names, with who of them has left.
    #[must_use]
    pub fn with_left(mut self, left: impl IntoIterator<Item = UserId>) -> Self {
        self.left.extend(left);
        self
    }

    /// Whether somebody is known to have left ([`Names::with_left`]).
    pub fn has_left(&self, id: &UserId) -> bool {
        self.left.contains(id)
    }

    /// What people were called before, as far as it was given ([`Names::with_former`]).
    pub fn former(&self) -> impl Iterator<Item = (&UserId, &str)> {
        self.former.iter().map(|(id, name)| (id, name.as_str()))
    }

    /// What a person is called; the id itself for somebody unknown or nameless.
    pub fn user<'a>(&'a self, id: &'a UserId) -> &'a str {
        self.users.get(id).map_or(id.as_str(), String::as_str)
    }

    /// All users with a name, and what they are called.
    pub fn users(&self) -> impl Iterator<Item = (&UserId, &str)> {
        self.users.iter().map(|(id, name)| (id, name.as_str()))
    }

    /// Whether the user is known by name.
    pub fn knows(&self, id: &UserId) -> bool {
        self.users.contains_key(id)
    }

    /// Our name in the chat, which may differ from the persona's; `None` while our ids are unknown.
    pub fn own_name(&self) -> Option<&str> {
        self.own.as_ref().map(|own| self.user(&own.user))
    }

    /// Whether the user is a person, another bot, or us.
    pub fn speaker(&self, id: &UserId) -> Speaker {
        if self.own.as_ref().is_some_and(|own| own.is(id)) {
            Speaker::Own
        } else if self.bots.contains(id) {
            Speaker::Bot
        } else {
            Speaker::Person
        }
    }

    /// What a channel is called, without `#`; the id itself for one that is unknown, nameless or not seen.
    pub fn channel<'a>(&'a self, id: &'a ChannelId) -> &'a str {
        self.channels.get(id).map_or(id.as_str(), String::as_str)
    }

    /// The channels whose names are seen.
    pub fn seen_channels(&self) -> impl Iterator<Item = &ChannelId> {
        self.channels.keys()
    }

    /// A channel as text names it: `#name`, or "a private channel" where it is not seen. An unknown channel counts as
    /// one that is not seen.
    pub fn channel_reference(&self, id: &ChannelId) -> String {
        match (self.unseen, self.channels.get(id)) {
            (Unseen::Reference, _) => format!("<#{id}>"),
            (Unseen::Id | Unseen::Private(_), Some(name)) => format!("#{name}"),
            (Unseen::Id, None) => format!("#{id}"),
            (Unseen::Private(language), None) => a_private_channel(language).to_owned(),
        }
    }

    /// The terms of every name of a person or channel, without single letters of longer names, which identify nobody.
    pub fn terms(&self) -> BTreeSet<String> {
        let is_telling =
            |name: &str, term: &String| term.chars().nth(1).is_some() || name.chars().count() == 1;
        let names = self.users.values().chain(self.channels.values());
        names.flat_map(|name| terms_of_text(name).into_iter().filter(|term| is_telling(name, term))).collect()
    }

    /// Replaces the core's notation (`<@ID>`, `<~ID>`, `<#ID>`) by names, in one pass: a name that looks like the notation
    /// stays as it is. Takes time linear in the text.
    pub fn resolve(&self, text: &str) -> String {
        Self::replace_references(text, |tail| {
            self.user_at(tail).or_else(|| self.person_at(tail)).or_else(|| self.channel_at(tail))
        })
    }

    /// A memory or note as it may be shown: its references to channels become names. The name of a channel that is not
    /// seen is replaced too where it is written out behind a `#`: a model may have read the name while the channel was
    /// seen, and texts that earlier versions of myao wrote hold names. Takes time linear in the text.
    pub fn show(&self, text: &str) -> String {
        let shown = Self::replace_references(text, |tail| self.channel_at(tail));
        // To a reader, a name with invisible characters in it is the same name.
        let shown = without_invisible_characters(&shown).into_owned();
        if self.hidden.is_empty() || !shown.contains('#') {
            return shown;
        }
        let mut pieces = shown.split('#');
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match (self.hidden_at(piece), self.unseen) {
                (Some(rest), Unseen::Private(language)) => {
                    out.push_str(a_private_channel(language));
                    out.push_str(rest);
                }
                (Some(_), Unseen::Id | Unseen::Reference) | (None, _) => {
                    out.push('#');
                    out.push_str(piece);
                }
            }
        }
        out
    }

    /// Copies the text. `reference` gets what follows each `<`; where that is a reference, it gives the name that
    /// replaces it, and the text behind its `>`.
    fn replace_references<'t>(
        text: &'t str,
        reference: impl Fn(&'t str) -> Option<(String, &'t str)>,
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('<') {
            out.push_str(before);
            if let Some((name, after)) = reference(tail) {
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

    fn user_at<'t>(&self, tail: &'t str) -> Option<(String, &'t str)> {
        let (id, after) = id_and_rest(tail.strip_prefix('@')?)?;
        Some((format!("@{}", self.user(&UserId::new(id))), after))
    }

    /// Somebody who is named without being called.
    fn person_at<'t>(&self, tail: &'t str) -> Option<(String, &'t str)> {
        let (id, after) = id_and_rest(tail.strip_prefix('~')?)?;
        Some((self.user(&UserId::new(id)).to_owned(), after))
    }

    fn channel_at<'t>(&self, tail: &'t str) -> Option<(String, &'t str)> {
        let (id, after) = id_and_rest(tail.strip_prefix('#')?)?;
        Some((self.channel_reference(&ChannelId::new(id)), after))
    }

    /// If `text` begins with the name of a channel that is not seen: what follows the longest such name.
    fn hidden_at<'t>(&self, text: &'t str) -> Option<&'t str> {
        channel_names_at_start(text)
            .into_iter()
            .find_map(|(name, rest)| self.hidden.contains(name).then_some(rest))
    }
}

/// The ids and possible channel names that some texts mention: what to look up before showing them with [`Names`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// People, by reference or as authors.
    pub users: BTreeSet<UserId>,
    /// Channels, by reference.
    pub channels: BTreeSet<ChannelId>,
    /// What stands behind a `#` and may be the name of a channel, written out.
    pub names: BTreeSet<String>,
}

impl Mentions {
    /// Adds the people and channels that a text of the chat refers to, as [`Names::resolve`] reads it.
    pub fn add_talk(&mut self, text: &str) {
        for tail in text.split('<').skip(1) {
            let reference = |sign| id_and_rest(tail.strip_prefix(sign)?).map(|(id, _)| id);
            self.users.extend(reference('@').or_else(|| reference('~')).map(UserId::new));
            self.channels.extend(reference('#').map(ChannelId::new));
        }
    }

    /// Adds what a memory or a note mentions, as [`Names::show`] reads it: also channel names that are written out.
    /// Memories and notes are bounded in length, and at most one name is added for each of their characters.
    pub fn add_memory(&mut self, text: &str) {
        self.add_talk(text);
        for piece in without_invisible_characters(text).split('#').skip(1) {
            self.names.extend(channel_names_at_start(piece).into_iter().map(|(name, _)| name.to_owned()));
        }
    }
}

/// Every beginning of `text` that may be the name of a channel, with what follows it; the longest first. A name ends
/// only where no ASCII letter, digit, `-` or `_` follows. Where a letter of another script follows it may end, because
/// Japanese puts no space between a name and what follows it.
fn channel_names_at_start(text: &str) -> Vec<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let letters = text.chars().take(NAME_LIMIT).take_while(|c| is_part(*c)).count();
    let names = ends.take(letters).filter_map(|end| text.split_at_checked(end));
    let mut names: Vec<_> = names.filter(|(_, rest)| !rest.starts_with(goes_on)).collect();
    names.reverse();
    names
}

impl Default for Names {
    fn default() -> Self {
        Self::new([], [], &Visibility::Owner)
    }
}

/// What is written for a channel that is not seen, in the words that Slack itself uses.
fn a_private_channel(language: Language) -> &'static str {
    phrase(language, "talk-private-channel")
}

/// A text without its references to people and channels.
pub(crate) fn without_references(text: &str) -> String {
    Names::replace_references(text, |tail| {
        let (_, rest) = id_and_rest(tail.strip_prefix(['@', '~', '#'])?)?;
        Some((" ".to_owned(), rest))
    })
}

/// The id at the beginning of `text`, and what follows the `>` right behind it.
fn id_and_rest(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).filter(|end| *end > 0)?;
    let (id, rest) = text.split_at_checked(end)?;
    Some((id, rest.strip_prefix('>')?))
}

/// A name as it is shown in a line of talk: without line breaks, so that it cannot forge a second line in somebody
/// else's name, and without invisible characters, so that two names that look the same are the same.
pub fn name_in_talk(name: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    without_invisible_characters(name).replace(breaks, " ").trim().to_owned()
}
