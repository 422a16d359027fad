//! Tells who of an export comes from outside the workspace. Slack's exports do not say which channels are shared with
//! another organisation, so it is read from the people: where somebody of another workspace takes part, or somebody
//! speaks whom the list of people does not have, the channel is external (specification §6), as it is when Slack tells.

use std::collections::{HashMap, HashSet};

use myao_core::chat::UserId;
use serde_json::Value;

use crate::{json, person};

/// Slack's own bot, which is of every workspace.
const SLACKBOT: &str = "USLACKBOT";

/// What the list of people says of one of them.
#[derive(Debug)]
pub(super) struct PersonOrigin {
    id: UserId,
    team: Option<String>,
    /// The organisation and its workspaces; empty for somebody of none.
    organisation: Vec<String>,
    is_guest: bool,
    has_left: bool,
}

/// Who belongs to the workspace, and who does not.
#[derive(Debug, Default)]
pub(super) struct Outsiders {
    /// The workspace, and in an organisation the others; empty if the list of people does not tell.
    home: HashSet<String>,
    /// Everybody in the list.
    listed: HashSet<UserId>,
    /// Those of other workspaces, who have not left.
    foreign: HashSet<UserId>,
    /// Guests, who have not left.
    guests: HashSet<UserId>,
}

impl PersonOrigin {
    /// Reads an element of `users.json`.
    pub(super) fn read(id: &UserId, raw: &Value) -> Self {
        let organisation = raw.get("enterprise_user").map_or_else(Vec::new, |user| {
            let own = [json::text_of_field(user, "enterprise_id"), json::text_of_field(user, "id")]
                .into_iter()
                .flatten();
            own.chain(json::list_of_field(user, "teams").iter().filter_map(Value::as_str))
                .map(str::to_owned)
                .collect()
        });
        Self {
            id: id.clone(),
            team: json::text_of_field(raw, "team_id").map(str::to_owned),
            organisation,
            is_guest: person::is_guest(raw),
            has_left: json::is_true(raw, "deleted"),
        }
    }
}

impl Outsiders {
    /// Of a list of people. The workspace is the one that most of them belong to; of as many, the one listed first.
    pub(super) fn of(people: &[PersonOrigin]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut own: Option<(&str, usize)> = None;
        for team in people.iter().filter_map(|person| person.team.as_deref()) {
            let count = counts.entry(team).or_default();
            *count += 1;
        }
        for team in people.iter().filter_map(|person| person.team.as_deref()) {
            let count = counts.get(team).copied().unwrap_or_default();
            if own.is_none_or(|(_, most)| count > most) {
                own = Some((team, count));
            }
        }
        let mut home: HashSet<String> = own.map(|(team, _)| team.to_owned()).into_iter().collect();
        home.extend(people.iter().flat_map(|person| person.organisation.iter().cloned()));
        let is_foreign = |person: &&PersonOrigin| {
            let away = person.team.as_ref().is_some_and(|team| !home.contains(team));
            away && person.organisation.is_empty() && !person.has_left && person.id.as_str() != SLACKBOT
        };
        Self {
            listed: people.iter().map(|person| person.id.clone()).collect(),
            foreign: people.iter().filter(is_foreign).map(|person| person.id.clone()).collect(),
            guests: people.iter().filter(|person| person.is_guest).map(|person| person.id.clone()).collect(),
            home,
        }
    }

    /// Whether a member of a channel comes from outside.
    pub(super) fn has(&self, member: &UserId) -> bool {
        self.foreign.contains(member) || self.guests.contains(member)
    }

    /// Whether somebody from outside speaks in a message, which is talk. A guest who is not a member any more does not
    /// count: guests stand in the lists of members, people of other workspaces need not.
    pub(super) fn speak_in(&self, raw: &Value) -> bool {
        let team = json::text_of_field(raw, "team");
        let other =
            |key| json::text_of_field(raw, key).filter(|own| Some(*own) != team && !self.home.contains(*own));
        if team.is_some() && ["user_team", "source_team"].into_iter().any(|key| other(key).is_some()) {
            return true;
        }
        let Some(author) = json::text_of_field(raw, "user").map(UserId::new) else { return false };
        self.foreign.contains(&author) || (self.is_stranger(&author) && !by_a_program(raw))
    }

    /// Whether nothing is known of a person, though there is a list of all people.
    fn is_stranger(&self, author: &UserId) -> bool {
        let is_person = author.as_str().starts_with(['U', 'W']) && author.as_str() != SLACKBOT;
        is_person && !self.listed.is_empty() && !self.listed.contains(author)
    }
}

/// Whether a program speaks: those of the workspace's own apps stand in no list of people.
fn by_a_program(raw: &Value) -> bool {
    json::text_of_field(raw, "subtype") == Some("bot_message")
        || ["bot_id", "bot_profile"].iter().any(|key| raw.get(*key).is_some_and(|value| !value.is_null()))
}
