//! Who and where: ourselves, the people, and the channels we are in.

mod channels;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures::{Stream, TryStreamExt};
use myao_core::chat::{Channel, ChannelId, UserId};
use serde_json::Value;

use crate::{
    api::{ApiError, Client, Method},
    json,
    person::SlackPerson,
    text,
};

/// People on a page: Slack takes a thousand and recommends fewer.
const PEOPLE_PER_PAGE: usize = 500;
/// Channels or members on a page, as Slack recommends.
const PER_PAGE: usize = 200;
/// Beyond it, a page of everybody is cheaper than asking for each.
const MOST_ONE_BY_ONE: usize = 20;

/// Who we are in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotIdentity {
    /// The workspace's id.
    pub team: String,
    /// Its name.
    pub team_name: String,
    /// The id we are mentioned by.
    pub user: UserId,
    /// The id our posts bear besides, if we are a bot.
    pub bot: Option<UserId>,
    /// The name of our account.
    pub name: String,
}

impl BotIdentity {
    /// Whether this is us, under either id.
    pub fn is(&self, user: &UserId) -> bool {
        *user == self.user || Some(user) == self.bot.as_ref()
    }
}

/// The workspace at one moment, as far as we are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// Everybody.
    pub people: Vec<SlackPerson>,
    /// The channels, groups and direct messages that we are in.
    pub channels: Vec<Channel>,
}

/// What looks people and channels up. It remembers the people it met, since whether a channel is external
/// depends on everybody in it.
#[derive(Debug)]
pub struct Directory {
    client: Client,
    own: BotIdentity,
    met: Mutex<Met>,
}

/// People by id, as they were when last looked at.
type Met = BTreeMap<UserId, SlackPerson>;

impl Directory {
    /// Asks who we are, and so whether Slack takes the token.
    pub async fn open(client: Client) -> Result<Self, ApiError> {
        let answer = client.call(Method::AuthTest, &[]).await?;
        let told = |key| json::text(&answer, key).map(|text| text::clean(text).into_owned());
        let incomplete = || ApiError::Uncertain {
            method: Method::AuthTest,
            reason: "Slack does not say who we are".to_owned(),
        };
        let own = BotIdentity {
            team: told("team_id").ok_or_else(incomplete)?,
            team_name: told("team").unwrap_or_default(),
            user: told("user_id").map(UserId::new).ok_or_else(incomplete)?,
            bot: told("bot_id").map(UserId::new),
            name: told("user").unwrap_or_default(),
        };
        Ok(Self { client, own, met: Mutex::default() })
    }

    /// Who we are.
    pub fn own(&self) -> &BotIdentity {
        &self.own
    }

    /// Everybody, a page at a time: for a large workspace this takes minutes, at Slack's rate.
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

    /// One person as they are now; none when Slack knows nobody of this id, or does not show them to us.
    pub async fn person(&self, user: &UserId) -> Result<Option<SlackPerson>, ApiError> {
        let answer = match self.client.call(Method::UsersInfo, &[("user", user.to_string())]).await {
            Ok(answer) => answer,
            Err(error) if matches!(error.refusal(), Some("user_not_found" | "user_not_visible")) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let person = answer.get("user").and_then(|raw| SlackPerson::read(raw, &self.own.team));
        self.met().extend(person.iter().map(|person| (person.user.id.clone(), person.clone())));
        Ok(person)
    }

    /// Forgets whom it met: they may have become guests while nobody heard of it.
    pub fn forget_everybody(&self) {
        self.met().clear();
    }

    /// Forgets somebody, so that they are looked up when they matter.
    pub fn forget(&self, user: &UserId) {
        self.met().remove(user);
    }

    /// Whether somebody was found to be from outside when they were last looked at.
    pub fn is_outsider(&self, user: &UserId) -> bool {
        self.met().get(user).is_some_and(|person| person.outside)
    }

    /// Who is in a channel.
    pub async fn members(&self, channel: &ChannelId) -> Result<Vec<UserId>, ApiError> {
        let params = vec![("channel", channel.to_string()), ("limit", PER_PAGE.to_string())];
        let pages = self.client.pages(Method::ConversationsMembers, params, "members");
        let ids = pages.map_ok(|page| {
            page.items.iter().filter_map(Value::as_str).map(|id| UserId::new(text::clean(id))).collect()
        });
        ids.try_concat().await
    }

    /// Everybody and every channel we are in, each with the name and standing it has now.
    pub async fn workspace(&self) -> Result<Workspace, ApiError> {
        let people: Vec<SlackPerson> = self.people().try_concat().await?;
        let channels = self.channels().await?;
        Ok(Workspace { people, channels })
    }

    /// Meets those of `ids` who were not met yet: a few one by one, many by going through everybody.
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
