//! Who asks, and what they see. The transport looks the token up at every request, and what it sees is found out anew as
//! well, so that a token that is revoked and a channel that is closed count at once.

use myao_core::chat::{AgentSees, AgentToken, ChannelId, Visibility};
use myao_store::{MemoHand, Store, StoreError, StoredMemo};
use rmcp::{RoleServer, service::RequestContext};

use crate::{failure::ToolFailure, transport::token_of};

/// On whose behalf a request is answered.
#[derive(Clone, Debug)]
pub(crate) struct AgentCaller {
    pub(crate) token: AgentToken,
    pub(crate) visibility: Visibility,
}

impl AgentCaller {
    /// Who makes a request, and what they see now.
    pub(crate) async fn of_request(
        store: &Store,
        context: &RequestContext<RoleServer>,
    ) -> Result<Self, ToolFailure> {
        let token = token_of(&context.extensions).cloned();
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

    /// The name under which the journal tells of what they changed. A name may be given again to another token, so the
    /// agent's id stands behind.
    pub(crate) fn actor(&self) -> String {
        format!("mcp:{} ({})", self.token.name, self.token.agent)
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
