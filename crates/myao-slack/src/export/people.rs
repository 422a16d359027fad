//! Keeps who is known of an export's people, and who a message's author is.

use std::collections::{HashMap, HashSet};

use myao_core::chat::{HearsaySource, User, UserId};

use crate::message::{NameTold, SaidMessage};

/// The people and bots of an export, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct ExportedPeople {
    /// What those whom `users.json` has are called.
    listed: HashMap<UserId, String>,
    /// Everybody who was told, in whatever way.
    met: HashSet<UserId>,
    /// What messages said of people, as far as it was passed on.
    told: HashSet<(UserId, String)>,
    /// The user id of each bot id in `users.json`: messages name a bot by either.
    bots: HashMap<UserId, UserId>,
    /// What `integration_logs.json` calls apps, by the ids of app, bot and service.
    apps: HashMap<String, String>,
}

impl ExportedPeople {
    pub(super) fn new(users: &[User], bots: HashMap<UserId, UserId>, apps: HashMap<String, String>) -> Self {
        let listed: HashMap<_, _> = users.iter().map(|user| (user.id.clone(), user.name.clone())).collect();
        Self { met: listed.keys().cloned().collect(), listed, bots, apps, ..Self::default() }
    }

    /// A message whose author is one, whether it names a bot by its user or its bot id, and has the name that only
    /// another file tells.
    pub(super) fn settle(&self, mut said: SaidMessage) -> SaidMessage {
        let author = said.message.user.clone();
        if let Some(user) = self.bots.get(&author.account()) {
            let own_name = self.listed.get(user);
            let shown =
                said.people.first().map(|told| &told.user().name).filter(|_| author.through().is_some());
            if shown.is_none() || shown == own_name {
                said.people.retain(|told| told.user().id != author);
                said.message.user.clone_from(user);
            }
        }
        let author = &said.message.user;
        let is_named = self.listed.contains_key(author)
            || said
                .people
                .iter()
                .any(|told| told.user().id == *author && told.user().name != author.as_str());
        if !is_named && let Some(name) = self.name_of_app(author, said.app.as_deref()) {
            let user = User { id: author.clone(), name: name.clone(), is_bot: true };
            said.people.insert(0, NameTold::Hearsay(user, HearsaySource::App));
        }
        said
    }

    /// What the integrations' log calls the app behind an author of whom it is known that there is one.
    fn name_of_app(&self, author: &UserId, app: Option<&str>) -> Option<&String> {
        self.apps.get(author.as_str()).or_else(|| self.apps.get(app?))
    }

    /// Whether this tells something. Of those whom `users.json` has, only that an app posted for them (an older version may
    /// have called them by its name), and another name that they bore: by that one they may have opted out.
    pub(super) fn is_new(&mut self, told: &NameTold) -> bool {
        let user = told.user();
        let source = match told {
            NameTold::Only(_) => None,
            NameTold::Hearsay(_, source) => Some(*source),
        };
        let may_tell = match source {
            None => !self.met.contains(&user.id),
            Some(HearsaySource::App) => true,
            Some(HearsaySource::Label | HearsaySource::Profile) => {
                self.listed.get(&user.id).is_none_or(|listed| *listed != user.name)
            }
        };
        may_tell && self.told.insert((user.id.clone(), user.name.clone()))
    }

    /// Whether somebody is told for the first time.
    pub(super) fn meet(&mut self, told: &NameTold) -> bool {
        self.met.insert(told.user().id.clone())
    }
}
