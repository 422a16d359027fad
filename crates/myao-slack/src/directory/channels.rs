//! Looks up the channels we are in: their names and kinds, and whether they are external.
//!
//! If Slack does not tell, the more careful answer is assumed: a channel that says nothing about sharing is external,
//! one of an unknown kind is private (specification §6, design §2).

use std::collections::BTreeSet;

use futures::{Stream, StreamExt, TryStreamExt, stream};
use myao_core::chat::{Channel, ChannelId, ChannelKind, UserId};
use serde_json::Value;

use super::{Directory, PER_PAGE};
use crate::{
    api::{ApiError, Method},
    json,
    person::SlackPerson,
    text,
};

/// The kinds of channel, in Slack's words.
const TYPES: [&str; 4] = ["public_channel", "private_channel", "mpim", "im"];
/// Members of a group message whose names make up its name.
const MOST_NAMED: usize = 9;

impl Directory {
    /// One channel as it is now; `None` when there is none with this id, or Slack does not show it to us.
    pub async fn channel(&self, id: &ChannelId) -> Result<Option<Channel>, ApiError> {
        let raw = match self.client.call(Method::ConversationsInfo, &[("channel", id.to_string())]).await {
            Ok(answer) => answer.get("channel").cloned().unwrap_or_default(),
            Err(error) if error.refusal() == Some("channel_not_found") => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(found) = ConversationObject::read(&raw) else { return Ok(None) };
        let members = if found.shared { Vec::new() } else { self.people_in(&found).await? };
        self.meet(&members).await?;
        Ok(Some(self.channel_with_members(found, &members)))
    }

    /// How many public and private channels we are in. Archived ones and direct messages do not count. Looks up no
    /// people.
    pub async fn count_joined_channels(&self) -> Result<usize, ApiError> {
        Ok(self.list_own_channels().await?.iter().filter(|found| !found.is_direct()).count())
    }

    /// The channels we are in, without archived ones, as they become known: those whose members have to be looked up take
    /// a call or several each. Everybody has to be listed first ([`Self::people`]): only then is it known whether there
    /// are guests to look for.
    pub async fn channels(
        &self,
    ) -> Result<impl Stream<Item = Result<Channel, ApiError>> + Send + '_, ApiError> {
        let any_guests = self.met().values().any(|person| person.outside);
        // Those that need no further call come first.
        let matters = move |found: &ConversationObject| !found.shared && (any_guests || found.is_direct());
        let mut listed = self.list_own_channels().await?;
        listed.sort_by_key(matters);
        Ok(stream::iter(listed).then(move |found| async move {
            // Without guests in the workspace there are none in its channels, and most members need no look-up.
            let members = if matters(&found) { self.people_in(&found).await? } else { Vec::new() };
            self.meet(&members).await?;
            Ok(self.channel_with_members(found, &members))
        }))
    }

    async fn people_in(&self, found: &ConversationObject) -> Result<Vec<UserId>, ApiError> {
        match &found.partner {
            Some(partner) => Ok(vec![partner.clone()]),
            None => self.members(&found.id).await,
        }
    }

    /// The channel with its `members`, which are empty if they make no difference.
    fn channel_with_members(&self, found: ConversationObject, members: &[UserId]) -> Channel {
        let met = self.met();
        let others = || members.iter().filter(|id| !self.own.is(id)).map(|id| (id, met.get(id)));
        // A member whom Slack does not show to us is from outside.
        let outside = others().any(|(_, person)| person.is_none_or(|person| person.outside));
        let called = |(id, person): (&UserId, Option<&SlackPerson>)| {
            person.map_or_else(|| id.to_string(), |person| person.user.name.clone())
        };
        let names: Vec<String> = others().take(MOST_NAMED).map(called).collect();
        let name = if found.is_direct() && !names.is_empty() { Some(names.join(", ")) } else { found.name };
        Channel {
            name: name.unwrap_or_else(|| found.id.to_string()),
            external: found.shared || outside,
            id: found.id,
            kind: found.kind,
        }
    }

    async fn list_own_channels(&self) -> Result<Vec<ConversationObject>, ApiError> {
        self.list_channels_of(None).await
    }

    /// The channels that somebody is in, as far as Slack shows them to us: public ones, and those that we are in as well.
    /// Archived ones do not count.
    pub async fn channels_of_person(&self, user: &UserId) -> Result<BTreeSet<ChannelId>, ApiError> {
        Ok(self.list_channels_of(Some(user)).await?.into_iter().map(|found| found.id).collect())
    }

    async fn list_channels_of(&self, user: Option<&UserId>) -> Result<Vec<ConversationObject>, ApiError> {
        match self.listed_of(&TYPES.join(","), user).await {
            Err(ApiError::MissingScope { needed, .. }) => {
                tracing::warn!(%needed, "Slack does not show channels of every kind to us");
            }
            all => return all,
        }
        let mut found = Vec::new();
        for kind in TYPES {
            match self.listed_of(kind, user).await {
                Ok(of_kind) => found.extend(of_kind),
                Err(ApiError::MissingScope { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    async fn listed_of(
        &self,
        types: &str,
        user: Option<&UserId>,
    ) -> Result<Vec<ConversationObject>, ApiError> {
        let mut params = vec![
            ("types", types.to_owned()),
            ("exclude_archived", "true".to_owned()),
            ("limit", PER_PAGE.to_string()),
        ];
        params.extend(user.map(|user| ("user", user.to_string())));
        let pages = self.client.pages(Method::UsersConversations, params, "channels");
        pages
            .map_ok(|page| page.items.iter().filter_map(ConversationObject::read).collect())
            .try_concat()
            .await
    }
}

/// A channel, as read from Slack's JSON.
struct ConversationObject {
    id: ChannelId,
    kind: ChannelKind,
    name: Option<String>,
    /// The other person in a direct message.
    partner: Option<UserId>,
    /// Whether another organisation takes part, or may.
    shared: bool,
}

impl ConversationObject {
    fn read(raw: &Value) -> Option<Self> {
        let own = |key| json::text_of_field(raw, key).map(|text| text::without_nul(text).into_owned());
        let kind = kind_of_conversation(raw);
        let partner = own("user").filter(|_| kind == ChannelKind::Dm).map(UserId::new);
        let shared = is_shared_outside(raw, kind);
        Some(Self { id: ChannelId::new(own("id")?), kind, name: own("name"), partner, shared })
    }

    fn is_direct(&self) -> bool {
        matches!(self.kind, ChannelKind::Dm | ChannelKind::GroupDm)
    }
}

fn kind_of_conversation(raw: &Value) -> ChannelKind {
    let flags = [
        ("is_im", ChannelKind::Dm),
        ("is_mpim", ChannelKind::GroupDm),
        ("is_private", ChannelKind::Private),
        ("is_group", ChannelKind::Private),
    ];
    if let Some((_, kind)) = flags.into_iter().find(|(flag, _)| json::is_true(raw, flag)) {
        return kind;
    }
    let is_public = json::is_true(raw, "is_channel") && raw.get("is_private").is_some();
    if is_public { ChannelKind::Public } else { ChannelKind::Unknown }
}

/// Whether other organisations take part, or may. Direct messages need not say so: there it follows from the people.
fn is_shared_outside(raw: &Value, kind: ChannelKind) -> bool {
    let silent = raw.get("is_ext_shared").is_none() && raw.get("is_shared").is_none();
    shared_with_others(raw) || (silent && !matches!(kind, ChannelKind::Dm | ChannelKind::GroupDm))
}

/// Whether an object says that other organisations take part in a channel, or are invited to.
pub(crate) fn shared_with_others(raw: &Value) -> bool {
    ["is_ext_shared", "is_pending_ext_shared"].iter().any(|key| json::is_true(raw, key))
        || !json::list_of_field(raw, "pending_connected_team_ids").is_empty()
        || (json::is_true(raw, "is_shared") && !json::is_true(raw, "is_org_shared"))
}
