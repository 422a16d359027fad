//! Finds the people whom a name means: who bears it, or else who bore it before (ADR 147).

use std::collections::{BTreeMap, BTreeSet};

use super::named::{name_parts, plain_name, without_honorific};
use crate::chat::{User, UserId};

/// A name that somebody bore before another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerName {
    /// Who bore it.
    pub user: UserId,
    /// The name, as it was shown.
    pub name: String,
}

/// Everybody whose name is known, with what they were called before.
#[derive(Clone, Debug, Default)]
pub struct NamedPeople {
    /// Everybody.
    pub people: Vec<User>,
    /// Former names, of each person the latest first.
    pub former: Vec<FormerName>,
}

/// A way in which a name may fit a wanted one; both are plain.
type NameComparison = fn(&str, &str) -> bool;

impl NamedPeople {
    /// Everybody whom a name means. It is compared with ids; if that finds nobody, with whole names, then with the words of
    /// names and the names that are joined in one ([`name_parts`]), first of those that people bear, then of those that they
    /// bore; then with parts of names in the same order. If several people have the name, all of them are meant. Width, case, kana and a leading `@` make no difference, and if
    /// nobody is called so, neither does さん and the like behind it.
    pub fn with_name(&self, name: &str) -> Vec<&User> {
        let wanted = plain_name(name);
        let found = self.called(&wanted);
        match without_honorific(&wanted).filter(|_| found.is_empty()) {
            Some(bare) => self.called(bare),
            None => found,
        }
    }

    /// Everybody with this id, or who bears this whole name now. A former name is not enough for what cannot be undone: once
    /// its new bearer is forgotten, it would mean somebody else.
    pub fn with_whole_name(&self, name: &str) -> Vec<&User> {
        let wanted = plain_name(name);
        let is_meant = |user: &&User| user.id.as_str() == name || plain_name(&user.name) == wanted;
        self.people.iter().filter(is_meant).collect()
    }

    /// What somebody was called before, the latest first, without other ways to write the name that they bear or one that is
    /// told already.
    pub fn former_names_of(&self, user: &User) -> Vec<&str> {
        let own = self.former.iter().filter(|former| former.user == user.id);
        told_apart(&user.name, own.map(|former| former.name.as_str()))
    }

    /// The same of everybody who was called otherwise.
    pub fn former_names(&self) -> BTreeMap<&UserId, Vec<&str>> {
        let mut names: BTreeMap<&UserId, Vec<&str>> = BTreeMap::new();
        for former in &self.former {
            names.entry(&former.user).or_default().push(&former.name);
        }
        for user in &self.people {
            if let Some(own) = names.get_mut(&user.id) {
                *own = told_apart(&user.name, own.drain(..));
            }
        }
        names
    }

    fn called<'p>(&'p self, wanted: &str) -> Vec<&'p User> {
        if wanted.is_empty() {
            return Vec::new();
        }
        let tries: [&dyn Fn() -> Vec<&'p User>; 9] = [
            &|| self.with_id(wanted),
            &|| self.who_bears(wanted, is_whole),
            &|| self.who_bears(wanted, is_word),
            &|| self.who_bears(wanted, is_joined),
            &|| self.who_bore(wanted, is_whole),
            &|| self.who_bore(wanted, is_word),
            &|| self.who_bore(wanted, is_joined),
            &|| self.who_bears(wanted, is_part),
            &|| self.who_bore(wanted, is_part),
        ];
        tries.into_iter().map(|find| find()).find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn with_id(&self, wanted: &str) -> Vec<&User> {
        // People who have the same name are shown with their ids: `Noor (U1)`.
        let id = wanted.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map(|(_, id)| id);
        let is_id = |user: &&User| {
            let is = |id: &str| user.id.as_str().eq_ignore_ascii_case(id);
            is(wanted) || id.is_some_and(is)
        };
        self.people.iter().filter(is_id).collect()
    }

    fn who_bears(&self, wanted: &str, fits: NameComparison) -> Vec<&User> {
        self.people.iter().filter(|user| fits(&plain_name(&user.name), wanted)).collect()
    }

    fn who_bore(&self, wanted: &str, fits: NameComparison) -> Vec<&User> {
        let former = self.former.iter().filter(|former| fits(&plain_name(&former.name), wanted));
        let who: BTreeSet<&UserId> = former.map(|former| &former.user).collect();
        if who.is_empty() {
            return Vec::new();
        }
        self.people.iter().filter(|user| who.contains(&user.id)).collect()
    }
}

/// Names that are not another way to write the present one, or one before them.
fn told_apart<'n>(present: &str, former: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut told = vec![plain_name(present)];
    let mut names = Vec::new();
    for name in former {
        let plain = plain_name(name);
        if !told.contains(&plain) {
            told.push(plain);
            names.push(name);
        }
    }
    names
}

fn is_whole(name: &str, wanted: &str) -> bool {
    name == wanted
}

fn is_word(name: &str, wanted: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted)
}

/// Whether it is one of the names that a name joins: 山田 of 山田太郎.
fn is_joined(name: &str, wanted: &str) -> bool {
    name_parts(name).contains(wanted)
}

fn is_part(name: &str, wanted: &str) -> bool {
    name.contains(wanted)
}
