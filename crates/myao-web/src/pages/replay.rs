//! The pages that judge the past again with other settings, and show this beside what was decided then.

mod asked;
mod comparison;
mod run;

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_config::ModelId;
use myao_core::ports::Role;

use self::asked::ReplayForm;
use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::{Here, whole_live, whole_page},
    numbers::digits_in_groups,
    replays::{ReplayJudge, ReplayState},
    show::bar_of_parts,
    visit::Visit,
};

/// `/decisions/replay`: the form that asks which past to judge, and with which settings.
pub(super) async fn show_form(visit: Visit) -> PageResult {
    form_below(&visit, &html! {})
}

/// The page with the form, below `above`. It is only for the owner's view, since it is about decisions in all channels.
fn form_below(visit: &Visit, above: &Markup) -> Result<Response, PageError> {
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    let title = title_of_page(visit);
    let request = ReplayForm::of(visit);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("replay-every-pause-is-judged-again")) }
        }
        div.stack {
            (above)
            @if let Some(id) = visit.site.replays.under_way() {
                p.note { (visit.markup_with("replay-one-under-way", &[("link", html! { a href=(format!("/decisions/replay/{id}")) { (visit.say("replay-look-at-it")) } }.into())])) }
            }
            (request.form(visit))
        }
    };
    Ok(page_response(whole_page(visit, title, &Here::At("/decisions"), &main)))
}

fn title_of_page(visit: &Visit) -> &'static str {
    visit.say("replay-the-same-past-other-settings")
}

/// Begins a replay. One that asks a model begins only after its price was shown and confirmed.
pub(super) async fn begin_from_form(visit: Visit) -> PageResult {
    let request = ReplayForm::of(&visit);
    let order = match request.order(&visit) {
        Ok(order) => order,
        Err(why) => {
            let why = html! { p.note.needs role="alert" { (visit.say(why)) } };
            return form_below(&visit, &why);
        }
    };
    if let ReplayJudge::Model { most } = order.judge {
        if !visit.may_change() || visit.site.judge.is_none() {
            return Err(PageError::Forbidden);
        }
        if !visit.posted.is_set("confirmed") {
            return form_below(&visit, &price_and_confirm(&visit, &request, most));
        }
    }
    let id = run::begin_or_find(&visit.site, order).await?.ok_or(PageError::NotFound)?;
    Ok(go_to(&format!("/decisions/replay/{id}")))
}

/// The name of the model that judges, unless that is `builtin`.
fn judging_model(visit: &Visit) -> Option<String> {
    match &visit.site.config.agents.get(Role::Judgment).model_id {
        ModelId::Provider { provider, model } if visit.site.judge.is_some() => {
            Some(format!("{provider}/{model}"))
        }
        ModelId::Provider { .. } | ModelId::Builtin => None,
    }
}

/// Says what it costs at most to ask a model `most` times, with the button that confirms it.
fn price_and_confirm(visit: &Visit, request: &ReplayForm, most: u64) -> Markup {
    let site = &visit.site;
    let name = judging_model(visit).unwrap_or_default();
    let tokens = most.saturating_mul(u64::from(site.config.prompt.max_tokens));
    let known = site.config.budget.prices.iter().find(|price| price.model == name);
    let cost = known
        .map(|price| format!("{:.2} {}", in_millions(tokens) * price.input, site.config.budget.currency));
    html! {
        form.note.needs.stack method="post" action="/decisions/replay" {
            p {
                (visit.markup_with("replay-would-be-asked", &[("model", html! { b { (name) } }.into()), ("most", digits_in_groups(most).into()), ("tokens", digits_in_groups(tokens).into())]))
                @match &cost {
                    Some(cost) => { (visit.markup_with("replay-and-costs", &[("cost", html! { b { (cost) } }.into())])) }
                    None => { (visit.say("replay-no-price")) }
                }
                (visit.say("common-between-sentences")) (visit.say("replay-counts-for-budget"))
            }
            (visit.form_fields())
            (request.hidden())
            input type="hidden" name="confirmed" value="1";
            p { button.go type="submit" { (visit.say("replay-ask-it")) } }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a replay stay far below 2^53")]
const fn in_millions(tokens: u64) -> f64 {
    tokens as f64 / 1_000_000.0
}

/// `/decisions/replay/N`: how far a replay has come, and what came of it.
pub(super) async fn show_one_replay(Path(id): Path<String>, visit: Visit) -> PageResult {
    let id: u64 = id.parse().map_err(|_no_number| PageError::NotFound)?;
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    visit.site.replays.wipe(visit.site.store.hearing().last_removal_id().await?);
    let state = visit.site.replays.find(id).ok_or(PageError::NotFound)?;
    let title = title_of_page(&visit);
    let found = if state.is_over { Some(comparison::both_sides(&visit, &state).await?) } else { None };
    let main = html! {
        header.head {
            h1 { (title) }
            p.quiet { (asked::order_in_words(&visit, &state.order)) }
        }
        // Where scripts run, this part is fetched again until all is judged.
        div.stack id="replay" hx-get=[(!state.is_over).then_some(&visit.path)] hx-trigger="load delay:1s" hx-target="#replay" hx-select="#replay" hx-swap="outerHTML" {
            (progress_bar(&visit, &state))
            @if let Some(found) = found { (found) }
            p { a href="/decisions/replay" { (visit.say("replay-try-other-settings")) } }
        }
    };
    Ok(page_response(whole_live(&visit, title, &Here::At("/decisions"), &main)))
}

fn progress_bar(visit: &Visit, state: &ReplayState) -> Markup {
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let done = number(state.outcomes.len());
    let all = number(state.order.channels.len());
    html! {
        @if !state.is_over {
            p role="status" {
                (visit.markup_with("replay-judged-so-far", &[("done", html! { b.num { (done) } }.into()), ("all", all.into()), ("again", html! { a href=(visit.path) { (visit.say("common-look-again")) } }.into())]))
            }
            (bar_of_parts(&[("k1", done)], all))
        }
        @if state.is_wiped {
            p.note { (visit.say("replay-words-were-removed-since")) }
        }
        @if let Some(why) = &state.stopped { p.note.needs { (visit.say_with("replay-ended-early", &[("why", why.into())])) } }
        @else if state.is_cut() {
            p.note { (visit.say("replay-there-were-more-pauses-than")) }
        }
    }
}
