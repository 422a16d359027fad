//! The addresses of the pages; one module for each page.

mod changes;
mod channel;
mod channels;
mod chapter;
mod cost;
mod decisions;
mod forget;
mod looks;
mod memo_forms;
mod memos;
mod overview;
mod people;
mod prompt;
mod rebuild;
mod recall;
mod replay;
mod sign_in;
mod threads;
mod why;
mod workspace;

use std::sync::Arc;

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{get, post},
};

use crate::{answer::PageError, assets::asset, gate::let_in, site::Site};

/// Every page, behind the gate. Whoever serves more pages adds their own routes with [`behind_gate`].
pub fn router(site: &Arc<Site>) -> Router {
    behind_gate(site, pages())
}

/// Routes that are served like the pages: by the same rules of access, with the same headers, and with [`Visit`] as
/// their extractor.
///
/// [`Visit`]: crate::visit::Visit
pub fn behind_gate(site: &Arc<Site>, routes: Router<Arc<Site>>) -> Router {
    let routes = routes.fallback(async || PageError::NotFound);
    routes.layer(from_fn_with_state(Arc::clone(site), let_in)).with_state(Arc::clone(site))
}

/// The routes of the pages.
pub fn pages() -> Router<Arc<Site>> {
    Router::new()
        .route("/", get(overview::overview))
        .route("/live", get(overview::live))
        .route("/assets/{name}", get(asset))
        .route("/sign-in", get(sign_in::form).post(sign_in::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/looks", get(looks::form).post(looks::keep))
        .route("/channels", get(channels::channels))
        .route("/cost", get(cost::cost))
        .route("/recall", get(recall::recall))
        .route("/people", get(people::people))
        .route("/people/{id}", get(people::person))
        .route("/decisions", get(decisions::decisions))
        .route("/decisions/replay", get(replay::form).post(replay::begin))
        .route("/decisions/replay/{id}", get(replay::replay))
        .route("/memos", get(memos::memos).post(memo_forms::add))
        .route("/memos/{id}", get(memos::memo).post(memo_forms::change))
        .route("/forget", get(forget::preview).post(forget::forget))
        .route("/forgotten/{id}", get(forget::forgotten))
        .route("/workspace", get(workspace::workspace))
        .route("/workspace/changes", get(changes::of_workspace).post(changes::change_workspace))
        .route("/workspace/why", get(why::of_workspace))
        .route("/channel/{id}", get(channel::channel))
        .route("/channel/{id}/chapter/{n}", get(chapter::chapter))
        .route("/channel/{id}/said/{ts}", get(chapter::said))
        .route("/channel/{id}/changes", get(changes::of_channel).post(changes::change_channel))
        .route("/channel/{id}/rebuild", get(rebuild::form).post(rebuild::rebuild))
        .route("/channel/{id}/rebuild/{from}", get(rebuild::progress))
        .route("/channel/{id}/why", get(why::of_channel))
        .route("/channel/{id}/source", get(people::source))
        .route("/channel/{id}/threads", get(threads::threads))
        .route("/channel/{id}/thread/{ts}", get(threads::thread))
        .route("/channel/{id}/prompt", get(prompt::of_channel))
}
