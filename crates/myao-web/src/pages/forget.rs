//! The pages of forgetting: first they show what would go; once that is confirmed, it is forgotten for good.

mod asked;
mod preview;

use std::sync::Arc;

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_companion::forgetting::{carry_out, clean_up_after};
use myao_core::forget::ForgetScope;
use myao_store::{BegunForgetting, ForgetPreview, ForgetStage, ForgetWork, Forgetting};

use self::asked::ForgetRequest;
use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_live, whole_page},
    messages::Catalogue,
    numbers::digits_in_groups,
    site::Site,
    visit::Visit,
};

/// How many past forgettings are listed.
const LISTED: u64 = 20;

/// `/forget`: shows what would go, by the fields of the form.
pub(super) async fn show_preview(visit: Visit) -> Result<Response, PageError> {
    show_form(&visit, None).await
}

async fn show_form(visit: &Visit, trouble: Option<&str>) -> Result<Response, PageError> {
    let title = visit.say("common-forget");
    if visit.view.place.is_some() {
        let words = visit.say("forget-only-the-owners-view-shows");
        let main = html! { header.head { h1 { (title) } p.lede { (words) } } };
        return Ok(page_response(whole_page(visit, title, &Here::At("/forget"), &main)));
    }
    let request =
        ForgetRequest::of(if visit.posted.is_set("confirm") { &visit.posted } else { &visit.query });
    let scope = if request.is_empty() { None } else { Some(request.scope(visit).await?) };
    let (found, unclear) = match scope {
        Some(Ok(scope)) => {
            let site = &visit.site;
            let is_new = !request.has_looked();
            let found = site.forget_counts.look(&site.store, &site.clock, scope, is_new).await?;
            (Some(found), None)
        }
        Some(Err(unclear)) => (None, Some(unclear)),
        None => (None, None),
    };
    let past = visit.site.store.forget().list_newest(LISTED).await?;
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("forget-look-first-nothing-goes-until")) }
        }
        div.stack {
            @if let Some(trouble) = trouble { p.note.needs role="alert" { (trouble) } }
            (request.form(visit))
            @if let Some(unclear) = unclear { p.note.needs role="status" { (visit.say(unclear)) } }
            @if let Some((scope, found)) = &found {
                div.stack id=(preview::GOING) {
                    (preview::preview_markup(visit, &request, scope, found).await?)
                    @if found.is_whole && !found.preview.is_empty() {
                        (confirmation_form(visit, &request, scope, &found.preview))
                    }
                }
            }
            (past_forgettings(visit, &past))
        }
    };
    Ok(page_response(whole_live(visit, title, &Here::At("/forget"), &main)))
}

fn confirmation_form(
    visit: &Visit,
    request: &ForgetRequest,
    scope: &ForgetScope,
    preview: &ForgetPreview,
) -> Markup {
    html! {
        @if visit.may_change() {
            form.paper.stack method="post" action="/forget" aria-labelledby="sure" {
                h2 id="sure" { (visit.say("forget-this-cant-be-taken-back")) }
                p {
                    (visit.say_with("forget-what-goes", &[("messages", visit.messages(preview.message_count()).into()), ("name", (&*visit.visitor.name).into())]))
                }
                (visit.form_fields())
                (request.hidden(scope, preview))
                div.fields {
                    div.grow { label for="confirm" { (visit.say("forget-type-forget")) } input id="confirm" name="confirm" autocomplete="off" required; }
                    button.harm type="submit" { (visit.say("forget-forget-for-good")) }
                    a href="/forget" { (visit.say("common-leave-everything-as-it-is")) }
                }
            }
        } @else {
            p.note { (visit.say("common-you-may-look-and-change")) }
        }
    }
}

/// Begins a forgetting, once it is confirmed, and leads to the page that shows how far it has come. The work goes on in
/// the background: first the words are removed from the database, then its files are cleaned.
pub(super) async fn begin_forgetting(visit: Visit) -> PageResult {
    let typed = visit.posted.text("confirm").trim().to_lowercase();
    // Whoever chose another language meanwhile may still type the word that the page asked for.
    if !Catalogue::all().iter().any(|messages| messages.say("forget-word-to-type") == typed) {
        let words = visit.say("forget-nothing-was-forgotten-type-forget");
        return show_form(&visit, Some(words)).await;
    }
    let request = ForgetRequest::of(&visit.posted);
    let scope = match request.scope(&visit).await? {
        Ok(scope) => scope,
        Err(unclear) => return show_form(&visit, Some(visit.say(unclear))).await,
    };
    let store = &visit.site.store;
    let shown = request.shown();
    let by = &visit.visitor.name;
    let now = visit.site.now();
    let begun = if shown.is_empty() {
        BegunForgetting::Begun(store.forget().begin(&scope, by, now).await?)
    } else {
        store.forget().begin_as_shown(&scope, shown, by, now).await?
    };
    let begun = match begun {
        BegunForgetting::Begun(works) => works,
        BegunForgetting::Differs(_) => {
            visit.site.forget_counts.clear();
            let words = visit.say("forget-nothing-was-forgotten-since-you");
            return show_form(&visit, Some(words)).await;
        }
    };
    let first = begun.first().map(|work| work.id).ok_or(PageError::NotFound)?;
    visit.site.forget_counts.clear();
    tokio::spawn(carry_out_forgettings(Arc::clone(&visit.site), begun));
    Ok(go_to(&format!("/forgotten/{first}")))
}

/// Carries out forgettings that were begun. If this is interrupted, the next run or `myao forget --resume` finishes it.
async fn carry_out_forgettings(site: Arc<Site>, works: Vec<ForgetWork>) {
    for work in works {
        let id = work.id;
        if let Err(error) = carry_out(&site.store, &*site.clock, work, |_| {}).await {
            tracing::error!(%error, forgetting = id, "something is still to be forgotten; `myao forget --resume` goes on");
            return;
        }
    }
    match clean_up_after(&site.config, &site.store, &*site.clock).await {
        Ok(cleaned) if cleaned.is_held => {
            tracing::warn!(
                "somebody still reads an older state of the database; `myao forget --resume` cleans its files"
            );
        }
        Ok(_) => {}
        Err(error) => {
            tracing::error!(%error, "files may still hold forgotten words; `myao forget --resume` goes on");
        }
    }
}

/// `/forgotten/ID`: how far a forgetting has come.
pub(super) async fn show_progress(Path(id): Path<String>, visit: Visit) -> PageResult {
    let id: i64 = id.parse().map_err(|_no_number| PageError::NotFound)?;
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    let forgetting = visit.site.store.forget().find(id).await?.ok_or(PageError::NotFound)?;
    let is_done = forgetting.stage == ForgetStage::Done;
    let title = if is_done { visit.say("forget-forgotten") } else { visit.say("forget-being-forgotten") };
    let main = html! {
        header.head {
            h1 { (title) }
            // Where scripts run, the page is fetched again until all is done.
            p.lede role="status" hx-get=[(!is_done).then_some(&visit.path)] hx-trigger="load delay:500ms" hx-target="#main" hx-select="#main" hx-swap="outerHTML" {
                @if is_done {
                    (visit.say("forget-the-words-are-gone-from"))
                } @else {
                    (stage_in_words(&visit, forgetting.stage)) " " a href=(visit.path) { (visit.say("common-look-again")) }
                }
            }
        }
        div.two {
            section.stack {
                h2 { (visit.say("forget-in-the-list")) }
                dl.facts {
                    dt { (visit.say("common-who")) } dd { (forgetting.by) }
                    dt { (visit.say("common-when")) } dd { (visit.times().instant(forgetting.at)) }
                    dt { (visit.say("forget-how-far")) } dd { (reach_in_words(&visit, &forgetting)) }
                    dt { (visit.say("forget-gone")) } dd { (counts_in_words(&visit, &forgetting)) }
                }
                p { (visit.say("forget-memories-are-written-anew-from")) }
            }
            (preview::out_of_reach(&visit))
        }
        p { a href="/forget" { (visit.say("forget-forget-something-else")) } }
    };
    Ok(page_response(whole_live(&visit, title, &Here::At("/forget"), &main)))
}

fn stage_in_words(visit: &Visit, stage: ForgetStage) -> &'static str {
    match stage {
        ForgetStage::Wiping => visit.say("forget-stage-wiping"),
        ForgetStage::Sweeping => visit.say("forget-stage-sweeping"),
        ForgetStage::Cleaning => visit.say("forget-stage-cleaning"),
        ForgetStage::Done => visit.say("forget-stage-done"),
    }
}

fn reach_in_words(visit: &Visit, forgetting: &Forgetting) -> String {
    let mut limits = Vec::new();
    if let Some(id) = &forgetting.channel {
        limits.push(format!("#{}", visit.view.names.channel(id)));
    }
    if forgetting.of_person {
        limits.push(visit.say("forget-one-person").to_owned());
    }
    if forgetting.by_words {
        limits.push(visit.say("forget-by-words").to_owned());
    }
    if limits.is_empty() { visit.say("forget-a-span-of-time").to_owned() } else { limits.join(", ") }
}

fn counts_in_words(visit: &Visit, forgetting: &Forgetting) -> String {
    let [messages, texts, memos] =
        [forgetting.messages, forgetting.texts, forgetting.memos].map(digits_in_groups);
    visit.say_with(
        "forget-numbers-gone",
        &[("messages", messages.into()), ("texts", texts.into()), ("memos", memos.into())],
    )
}

fn past_forgettings(visit: &Visit, past: &[Forgetting]) -> Markup {
    html! {
        @if !past.is_empty() {
            section.stack aria-labelledby="past" {
                h2 id="past" { (visit.say("forget-forgotten-so-far")) }
                ol.lines.ledger {
                    @for forgetting in past {
                        li {
                            span.m { (visit.times().instant(forgetting.at)) }
                            p { a href=(format!("/forgotten/{}", forgetting.id)) { (reach_in_words(visit, forgetting)) } " · " (forgetting.by) " · " span.quiet { (counts_in_words(visit, forgetting)) } @if forgetting.stage != ForgetStage::Done { " · " b { (stage_in_words(visit, forgetting.stage)) } } }
                        }
                    }
                }
            }
        }
    }
}
