//! Who asks, and what they see. Both are found out anew at every request, so that a token that is revoked and a channel
//! that is closed count at once.

use http::request::Parts;
use myao_core::chat::{AgentSees, AgentToken, ChannelId, Visibility};
use myao_store::{MemoHand, Store, StoreError, StoredMemo};
use rmcp::{RoleServer, service::RequestContext};

use crate::failure::ToolFailure;

/// Where the token of a request is found.
#[derive(Clone, Debug)]
pub enum TokenSource {
    /// The transport put it into the request's extensions, once it was checked.
    Request,
    /// The process was started with a token, of which this is the hash.
    Hash(String),
    /// The process was started without one, by somebody who may use this machine.
    Nobody,
}

/// On whose behalf a request is answered.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) token: AgentToken,
    pub(crate) visibility: Visibility,
}

impl Caller {
    /// Who makes a request, and what they see now.
    pub(crate) async fn of_request(
        store: &Store,
        source: &TokenSource,
        context: &RequestContext<RoleServer>,
        now: jiff::Timestamp,
    ) -> Result<Self, ToolFailure> {
        let token = match source {
            TokenSource::Request => {
                context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<AgentToken>()).cloned()
            }
            TokenSource::Hash(hash) => store.local().agent_token_of(hash, now).await?,
            TokenSource::Nobody => Some(AgentToken::without_token()),
        };
        let token = token.ok_or_else(|| ToolFailure::told("the token is not valid, or not any more"))?;
        Ok(Self::new(store, token).await?)
    }

    /// Whoever holds this token.
    pub(crate) async fn new(store: &Store, token: AgentToken) -> Result<Self, StoreError> {
        let visibility = store.hearing().seen_by_agent(&token).await?;
        Ok(Self { token, visibility })
    }

    /// Whether they see everything.
    pub(crate) fn is_owner(&self) -> bool {
        self.visibility == Visibility::Owner
    }

    /// Whether a channel is one of their own conversations.
    pub(crate) fn owns(&self, channel: &ChannelId) -> bool {
        self.token.agent.holds(channel)
    }

    /// Whether the token names a channel of the chat, so that it may write there what others read.
    pub(crate) fn names(&self, channel: &ChannelId) -> bool {
        match &self.token.sees {
            AgentSees::Owner => true,
            AgentSees::Open => false,
            AgentSees::Channels(named) => named.contains(channel),
        }
    }

    /// The name under which the journal tells of what they changed.
    pub(crate) fn actor(&self) -> String {
        format!("mcp:{}", self.token.name)
    }

    /// The hand with which they change a memo that they may change.
    pub(crate) fn hand_on(&self, memo: &StoredMemo) -> MemoHand {
        MemoHand::Owner { name: self.actor(), audience: memo.audience.clone() }
    }

    /// # Errors
    /// When the token only reads.
    pub(crate) fn must_write(&self) -> Result<(), ToolFailure> {
        if self.token.may_write {
            return Ok(());
        }
        Err(ToolFailure::told(
            "this token only reads: whoever runs myao makes one that writes with `myao token add NAME --may write`",
        ))
    }
}
