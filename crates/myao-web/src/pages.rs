//! The addresses of the pages; one module for each page.

mod as_of;
mod brief;
mod changes;
mod channel;
mod channels;
mod chapter;
mod cost;
mod decisions;
mod forget;
mod looks;
mod loops;
mod memo_forms;
mod memos;
mod overview;
mod people;
mod prompt;
mod rebuild;
mod recall;
mod replay;
mod sign_in;
mod terms;
mod threads;
mod why;
mod workspace;

use std::sync::Arc;

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{get, post},
};

use crate::{answer::PageError, assets::serve_by_name, gate::let_in, site::Site};

/// Every page, behind the gate. Whoever serves more pages adds their own routes with [`behind_gate`].
pub fn pages_behind_gate(site: &Arc<Site>) -> Router {
    behind_gate(site, routes_of_pages())
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
pub fn routes_of_pages() -> Router<Arc<Site>> {
    Router::new()
        .route("/", get(overview::show_first_page))
        .route("/live", get(overview::stream_changes))
        .route("/assets/{name}", get(serve_by_name))
        .route("/sign-in", get(sign_in::show_form).post(sign_in::check_and_begin_session))
        .route("/sign-out", post(sign_in::end_session))
        .route("/looks", get(looks::show_form).post(looks::keep_choice))
        .route("/channels", get(channels::show_all_channels))
        .route("/cost", get(cost::show_all_costs))
        .route("/recall", get(recall::show_hits))
        .route("/recall/offers", get(recall::show_offers))
        .route("/loops", get(loops::show_open_loops))
        .route("/people", get(people::show_all_people))
        .route("/people/{id}", get(people::show_person))
        .route("/terms", get(terms::show_house_words).post(terms::end_from_form))
        .route("/people/{id}/brief", get(brief::show_brief))
        .route("/decisions", get(decisions::show_verdicts))
        .route("/decisions/replay", get(replay::show_form).post(replay::begin_from_form))
        .route("/decisions/replay/{id}", get(replay::show_one_replay))
        .route("/memos", get(memos::show_memo_list).post(memo_forms::add_from_form))
        .route("/memos/{id}", get(memos::show_one_memo).post(memo_forms::change_from_form))
        .route("/forget", get(forget::show_preview).post(forget::begin_forgetting))
        .route("/forgotten/{id}", get(forget::show_progress))
        .route("/workspace", get(workspace::show_workspace_memory))
        .route("/workspace/changes", get(changes::of_workspace).post(changes::change_workspace_memory))
        .route("/workspace/why", get(why::of_workspace))
        .route("/channel/{id}", get(channel::show_channel_memory))
        .route("/channel/{id}/chapter/{n}", get(chapter::show_one_chapter))
        .route("/channel/{id}/said/{ts}", get(chapter::show_talk_around))
        .route("/channel/{id}/changes", get(changes::of_channel).post(changes::change_channel_memory))
        .route("/channel/{id}/rebuild", get(rebuild::show_form).post(rebuild::begin_rebuilding))
        .route("/channel/{id}/rebuild/{from}", get(rebuild::show_how_far))
        .route("/channel/{id}/why", get(why::of_channel))
        .route("/channel/{id}/source", get(people::lead_to_source))
        .route("/channel/{id}/threads", get(threads::show_channel_threads))
        .route("/channel/{id}/thread/{ts}", get(threads::show_one_thread))
        .route("/channel/{id}/prompt", get(prompt::of_channel))
}
