//! Looks up our own ids, the people, and the channels we are in.

mod channels;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures::{Stream, TryStreamExt};
use myao_core::chat::{ChannelId, UserId};
use serde_json::Value;

use crate::{
    api::{ApiError, Client, Method},
    json,
    person::SlackPerson,
    text,
};

pub(crate) use channels::shared_with_others;

/// People on a page: Slack allows a thousand and recommends fewer.
const PEOPLE_PER_PAGE: usize = 500;
/// Channels or members on a page, as Slack recommends.
const PER_PAGE: usize = 200;
/// People looked up one by one; for more, listing everybody is cheaper.
const MOST_ONE_BY_ONE: usize = 20;
/// People whose names wait to be taken.
const MOST_UNTAKEN: usize = 1_000;

/// Our own ids and names in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotIdentity {
    /// The workspace's id.
    pub team: String,
    /// Its name.
    pub team_name: String,
    /// Its address (`https://team.slack.com/`); empty when Slack does not tell.
    pub team_url: String,
    /// The id we are mentioned by.
    pub user: UserId,
    /// The bot id that our posts carry as well, if we have one.
    pub bot: Option<UserId>,
    /// The name of our account.
    pub name: String,
}

impl BotIdentity {
    /// Whether `user` is one of our ids.
    pub fn is(&self, user: &UserId) -> bool {
        *user == self.user || Some(user) == self.bot.as_ref()
    }
}

/// Looks people and channels up. It caches people, since whether a channel is external depends on everybody in it.
#[derive(Debug)]
pub struct Directory {
    client: Client,
    own: BotIdentity,
    met: Mutex<Met>,
    /// People who were looked up one by one, and whose names nobody has taken yet ([`Self::take_asked`]).
    asked: Mutex<Vec<SlackPerson>>,
}

/// People by id, as they were when last looked up.
type Met = BTreeMap<UserId, SlackPerson>;

impl Directory {
    /// Asks Slack for our own ids, and thereby checks the token.
    pub async fn open(client: Client) -> Result<Self, ApiError> {
        let answer = client.call(Method::AuthTest, &[]).await?;
        let told = |key| json::text_of_field(&answer, key).map(|text| text::without_nul(text).into_owned());
        let incomplete = || ApiError::Uncertain {
            method: Method::AuthTest,
            reason: "Slack does not say who we are".to_owned(),
        };
        let own = BotIdentity {
            team: told("team_id").ok_or_else(incomplete)?,
            team_name: told("team").unwrap_or_default(),
            team_url: told("url").unwrap_or_default(),
            user: told("user_id").map(UserId::new).ok_or_else(incomplete)?,
            bot: told("bot_id").map(UserId::new),
            name: told("user").unwrap_or_default(),
        };
        Ok(Self { client, own, met: Mutex::default(), asked: Mutex::default() })
    }

    /// Our own ids.
    pub fn own(&self) -> &BotIdentity {
        &self.own
    }

    /// All people of the workspace, page by page. For a large workspace this takes minutes, at Slack's rate.
    pub fn people(&self) -> impl Stream<Item = Result<Vec<SlackPerson>, ApiError>> + Send + '_ {
        let params = vec![("limit", PEOPLE_PER_PAGE.to_string())];
        let pages = self.client.pages(Method::UsersList, params, "members");
        pages.map_ok(|page| {
            let people: Vec<SlackPerson> =
                page.items.iter().filter_map(|raw| SlackPerson::read(raw, &self.own.team)).collect();
            self.met().extend(people.iter().map(|person| (person.user.id.clone(), person.clone())));
            people
        })
    }

    /// One person as they are now; `None` when Slack knows nobody with this id, or does not show them to us. Nothing is
    /// asked about an id that is no account's.
    pub async fn person(&self, user: &UserId) -> Result<Option<SlackPerson>, ApiError> {
        if !is_account(user) {
            return Ok(None);
        }
        let answer = match self.client.call(Method::UsersInfo, &[("user", user.to_string())]).await {
            Ok(answer) => answer,
            Err(error) if matches!(error.refusal(), Some("user_not_found" | "user_not_visible")) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let person = answer.get("user").and_then(|raw| SlackPerson::read(raw, &self.own.team));
        self.met().extend(person.iter().map(|person| (person.user.id.clone(), person.clone())));
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < MOST_UNTAKEN {
            asked.extend(person.iter().cloned());
        }
        Ok(person)
    }

    /// The people who were looked up one by one since the last call, also on the way to something else: their names are
    /// known, however long listing everybody takes.
    pub fn take_asked(&self) -> Vec<SlackPerson> {
        std::mem::take(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Empties the cache of people: they may have become guests while we missed events.
    pub fn forget_everybody(&self) {
        self.met().clear();
    }

    /// Removes somebody from the cache, so that they are looked up again when needed.
    pub fn forget(&self, user: &UserId) {
        self.met().remove(user);
    }

    /// Whether somebody is in the cache as a person from outside.
    pub fn is_outsider(&self, user: &UserId) -> bool {
        self.met().get(user).is_some_and(|person| person.outside)
    }

    /// The members of a channel.
    pub async fn members(&self, channel: &ChannelId) -> Result<Vec<UserId>, ApiError> {
        let params = vec![("channel", channel.to_string()), ("limit", PER_PAGE.to_string())];
        let pages = self.client.pages(Method::ConversationsMembers, params, "members");
        let ids = pages.map_ok(|page| {
            page.items.iter().filter_map(Value::as_str).map(|id| UserId::new(text::without_nul(id))).collect()
        });
        ids.try_concat().await
    }

    /// Puts those of `ids` into the cache who are not in it: a few one by one, many by listing everybody.
    async fn meet(&self, ids: &[UserId]) -> Result<(), ApiError> {
        let unmet: Vec<&UserId> = {
            let met = self.met();
            ids.iter().filter(|id| !met.contains_key(id) && !self.own.is(id)).collect()
        };
        if unmet.len() > MOST_ONE_BY_ONE {
            return self.people().try_for_each(|_| std::future::ready(Ok(()))).await;
        }
        for id in unmet {
            self.person(id).await?;
        }
        Ok(())
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an id is that of an account, of which Slack's directory tells. Bot ids, and names under which bots post, are
/// none.
fn is_account(user: &UserId) -> bool {
    user.as_str().starts_with(['U', 'W']) && user.through().is_none()
}
