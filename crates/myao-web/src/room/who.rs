//! The person that a browser is in the workspace: one of its people, chosen with a form and kept in a cookie.

use std::sync::Arc;

use axum::{Extension, extract::FromRequestParts, http::request::Parts};
use myao_core::chat::{User, UserId};

use super::Room;
use crate::{answer::PageError, params::cookie_value, site::Site};

/// The cookie that holds the id of this person.
pub(super) const PERSON_COOKIE: &str = "myao_person";

/// A visitor, as one of the workspace's people.
pub(super) struct Guest {
    /// The person they are.
    pub(super) id: UserId,
    /// The people they can become.
    pub(super) people: Vec<User>,
}

impl Guest {
    /// The person with this id or name.
    pub(super) fn named(&self, wanted: &str) -> Option<&User> {
        let wanted = wanted.trim();
        let by_id = self.people.iter().find(|person| person.id.as_str() == wanted);
        by_id.or_else(|| self.people.iter().find(|person| person.name == wanted))
    }
}

impl FromRequestParts<Arc<Site>> for Guest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, PageError> {
        let Extension(room) = Extension::<Arc<Room>>::from_request_parts(parts, site)
            .await
            .map_err(|_none| PageError::NotFound)?;
        let own = room.workspace.own();
        let mut people = room.workspace.people().await?;
        people.retain(|person| !person.is_bot && person.id != *own);
        let chosen = cookie_value(&parts.headers, PERSON_COOKIE);
        let chosen = people.iter().find(|person| Some(person.id.as_str()) == chosen);
        let id = chosen.or(people.first()).map(|person| person.id.clone()).ok_or(PageError::NotFound)?;
        Ok(Self { id, people })
    }
}
