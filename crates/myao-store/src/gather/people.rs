//! Reads lines of memories about those who speak in a conversation, through the same visibility and in the same
//! snapshot.

use myao_core::chat::{Message, UserId};

use super::request::GatherRequest;
use crate::{
    StoreError,
    db::Tx,
    hearing::visible::VisibilityBinds,
    recall::{PersonLine, best_lines, best_lines_as_of},
};

/// The most people who are looked up, the latest speakers first: a prompt has room for lines about a few.
const MOST_PEOPLE: usize = 8;

pub(super) async fn lines_about_people(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
    conversation: &[Message],
) -> Result<Vec<PersonLine>, StoreError> {
    if request.most_person_lines == 0 {
        return Ok(Vec::new());
    }
    let mut people: Vec<UserId> = Vec::new();
    for message in conversation.iter().rev() {
        if people.len() < MOST_PEOPLE && !people.contains(&message.user) {
            people.push(message.user.clone());
        }
    }
    match request.as_of {
        None => best_lines(tx, seen, &people, request.most_person_lines).await,
        Some(instant) => best_lines_as_of(tx, seen, &people, request.most_person_lines, instant).await,
    }
}
