//! Who plays the scenes.

use std::collections::BTreeMap;

use fastrand::Rng;
use myao_core::{
    chat::{User, UserId},
    text::Language,
};

/// The program that posts for people of another network.
pub(super) const RELAY: &str = "BRELAY";

/// The people of a workspace: those of one name, those of one first name, and the others.
pub(super) struct Cast {
    people: Vec<User>,
    alike: [User; 4],
    relay: User,
    nicks: &'static [&'static str],
    outside: &'static [&'static str],
}

/// Who plays which role.
pub(super) type Roles = BTreeMap<&'static str, User>;

const ENGLISH: [&str; 8] =
    ["Ada Quill", "Bram", "Cleo Marsh", "Dirk", "Elin Voss", "Fergus", "Gwen", "Hugo Tarn"];
const ENGLISH_ALIKE: [&str; 4] = ["Robin", "Robin", "Anna Berg", "Anna Holm"];
const ENGLISH_NICKS: [&str; 4] = ["tallow", "pinwheel", "oxbow7", "mire_"];
const ENGLISH_OUTSIDE: [&str; 2] = ["Zoe Lark", "Ynez Croft"];
const JAPANESE: [&str; 8] = ["有坂", "梶 美緒", "塚越", "鳴海", "柊", "三ツ谷 透", "八木沼", "芦原"];
const JAPANESE_ALIKE: [&str; 4] = ["木暮", "木暮", "早苗 北", "早苗 南"];
const JAPANESE_NICKS: [&str; 4] = ["yomogi", "tsukushi", "asunaro", "kikyou"];
const JAPANESE_OUTSIDE: [&str; 2] = ["増尾", "古閑"];

impl Cast {
    pub(super) fn of(language: Language) -> Self {
        let (people, alike, nicks, outside): (_, _, &'static [&str], &'static [&str]) = match language {
            Language::En => (ENGLISH, ENGLISH_ALIKE, &ENGLISH_NICKS, &ENGLISH_OUTSIDE),
            Language::Ja => (JAPANESE, JAPANESE_ALIKE, &JAPANESE_NICKS, &JAPANESE_OUTSIDE),
        };
        let user =
            |id: String, name: &str| User { id: UserId::new(id), name: name.to_owned(), is_bot: false };
        let mut number = 0..;
        let mut next = |name: &str| user(format!("UCAST{}", number.next().unwrap_or_default()), name);
        Self {
            people: people.map(&mut next).to_vec(),
            alike: alike.map(&mut next),
            relay: User { id: UserId::new(RELAY), name: "relay".to_owned(), is_bot: true },
            nicks,
            outside,
        }
    }

    /// Everybody whom the workspace knows.
    pub(super) fn users(&self) -> Vec<User> {
        let bridged = self.nicks.iter().map(|nick| bridged(nick));
        let known = self.people.iter().chain(&self.alike).chain([&self.relay]).cloned();
        known.chain(bridged).collect()
    }

    /// Draws who plays what.
    pub(super) fn roles(&self, rng: &mut Rng) -> Roles {
        let mut people: Vec<&User> = self.people.iter().collect();
        rng.shuffle(&mut people);
        let mut roles: Roles = ["a", "b", "c"].into_iter().zip(people.into_iter().cloned()).collect();
        roles.extend(["k", "l", "m", "n"].into_iter().zip(self.alike.iter().cloned()));
        let mut nicks = self.nicks.to_vec();
        rng.shuffle(&mut nicks);
        roles.extend(["x", "y", "u"].into_iter().zip(nicks.into_iter().map(bridged)));
        let outside = self.outside.get(rng.usize(..self.outside.len())).copied().unwrap_or_default();
        roles.insert("z", User { id: UserId::new("UOUTSIDE"), name: outside.to_owned(), is_bot: false });
        roles.insert("r", self.relay.clone());
        roles
    }
}

fn bridged(nick: &str) -> User {
    User { id: UserId::under_name(RELAY, nick), name: nick.to_owned(), is_bot: false }
}
