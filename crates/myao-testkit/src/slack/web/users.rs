//! `users.info` and `users.list`.

use myao_core::chat::UserId;
use serde_json::{Value, json};

use super::{
    args::Args,
    page,
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{object, state::WorkspaceState};

pub(super) fn info_of_user(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let user = state.world.users.get(&UserId::new(args.required("user")?));
    let user = user.ok_or_else(|| MethodRefusal::new("user_not_found"))?;
    Ok(json!({"user": object::user_as_listed(user)}))
}

/// All users, unless a page is asked for.
pub(super) fn list_all_users(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let size = page::items_per_page(args, usize::MAX)?;
    let after = page::start_of_cursor(args, "users")?;
    let users = state.world.users.values().map(|user| (user.id.as_str(), user));
    let (page, next) = page::cut_to_size(users, "users", after.as_deref(), size);
    let shown: Vec<Value> = page.into_iter().map(object::user_as_listed).collect();
    let now = state.time.now().as_second();
    Ok(json!({"members": shown, "cache_ts": now, "response_metadata": page::response_metadata(next)}))
}
