//! Recognizes what the platform tells us about our own posts, and what is known from posting them.

use myao_core::chat::{Event, Own, User};

use super::{read, secrets};
use crate::{
    Store, StoreError,
    db::{Tx, query_as},
};

impl Store {
    /// Whether these events are about us and say nothing but what is stored. Nothing has to be written for them: a
    /// platform tells us everything that we post, and a transaction that writes costs as much as the reply's own.
    pub(super) async fn are_echoes(&self, events: &[Event], own: &Own) -> Result<bool, StoreError> {
        if events.is_empty() || !events.iter().all(|event| is_ours(event, own)) {
            return Ok(false);
        }
        let mut tx = self.db.snapshot().await?;
        for event in events {
            if !self.is_stored(&mut tx, event).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn is_stored(&self, tx: &mut Tx, event: &Event) -> Result<bool, StoreError> {
        match event {
            Event::Message(told) => {
                let told = if self.masks_archive { secrets::mask(told.clone()) } else { told.clone() };
                let standing = read::standing(tx, &told.channel, told.ts).await?;
                Ok(standing.is_some_and(|standing| standing == told))
            }
            Event::User(user) => is_described(tx, user).await,
            Event::Channel(_) | Event::Deleted { .. } | Event::HeardUntil { .. } | Event::Unread { .. } => {
                Ok(false)
            }
        }
    }
}

/// Whether an event is a post of ours, or says who we are.
fn is_ours(event: &Event, own: &Own) -> bool {
    match event {
        Event::Message(message) => !message.deleted && own.is(&message.user),
        Event::User(user) => own.is(&user.id),
        Event::Channel(_) | Event::Deleted { .. } | Event::HeardUntil { .. } | Event::Unread { .. } => false,
    }
}

async fn is_described(tx: &mut Tx, user: &User) -> Result<bool, StoreError> {
    let row: Option<(String, i64)> = on!(tx, c => query_as("SELECT name, is_bot FROM users WHERE id = $1")
        .bind(user.id.as_str()).fetch_optional(c).await)?;
    Ok(row.is_some_and(|(name, is_bot)| name == user.name && (is_bot != 0) == user.is_bot))
}
