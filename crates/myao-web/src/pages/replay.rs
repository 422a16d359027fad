//! The pages that judge the past again with other settings, and show this beside what was decided then.

mod asked;
mod comparison;
mod run;

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_config::ModelId;
use myao_core::{ports::Role, prompt::Language};

use self::asked::ReplayForm;
use crate::{
    answer::{PageError, PageResult, go_to, page},
    layout::{Here, whole, whole_live},
    numbers::grouped,
    replays::{ReplayJudge, ReplayState},
    show::bar,
    visit::Visit,
};

/// `/decisions/replay`: the form that asks which past to judge, and with which settings.
pub(super) async fn form(visit: Visit) -> PageResult {
    asked_page(&visit, &html! {})
}

/// The page with the form, below `above`. It is only for the owner's view, since it is about decisions in all channels.
fn asked_page(visit: &Visit, above: &Markup) -> Result<Response, PageError> {
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    let title = title(visit);
    let request = ReplayForm::of(visit);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("Every pause is judged again as it stood then, with other settings: what would have been said, beside what was decided.",
                "そのときの沈黙を、別の設定でもう一度判断します。言っていたはずのことを、実際の判断と並べて見られます。")) }
        }
        div.stack {
            (above)
            @if let Some(id) = visit.site.replays.under_way() {
                p.note { (visit.say("One is under way: ", "進行中のものがあります：")) a href=(format!("/decisions/replay/{id}")) { (visit.say("look at it", "見る")) } }
            }
            (request.form(visit))
        }
    };
    Ok(page(whole(visit, title, &Here::At("/decisions"), &main)))
}

fn title(visit: &Visit) -> &'static str {
    match visit.language {
        Language::En => "The same past, other settings",
        Language::Ja => "同じ過去を、別の設定で",
    }
}

/// Begins a replay. One that asks a model begins only after its price was shown and confirmed.
pub(super) async fn begin(visit: Visit) -> PageResult {
    let request = ReplayForm::of(&visit);
    let order = match request.order(&visit) {
        Ok(order) => order,
        Err((english, japanese)) => {
            let why = html! { p.note.needs role="alert" { (visit.say(english, japanese)) } };
            return asked_page(&visit, &why);
        }
    };
    if let ReplayJudge::Model { most } = order.judge {
        if !visit.may_change() || visit.site.judge.is_none() {
            return Err(PageError::Forbidden);
        }
        if !visit.posted.is_set("confirmed") {
            return asked_page(&visit, &price(&visit, &request, most));
        }
    }
    let id = run::begin(&visit.site, order).await?.ok_or(PageError::NotFound)?;
    Ok(go_to(&format!("/decisions/replay/{id}")))
}

/// The name of the model that judges, unless that is `builtin`.
fn model(visit: &Visit) -> Option<String> {
    match &visit.site.config.agents.get(Role::Judgment).model_id {
        ModelId::Provider { provider, model } if visit.site.judge.is_some() => {
            Some(format!("{provider}/{model}"))
        }
        ModelId::Provider { .. } | ModelId::Builtin => None,
    }
}

/// Says what it costs at most to ask a model `most` times, with the button that confirms it.
fn price(visit: &Visit, request: &ReplayForm, most: u64) -> Markup {
    let site = &visit.site;
    let name = model(visit).unwrap_or_default();
    let tokens = most.saturating_mul(u64::from(site.config.prompt.max_tokens));
    let known = site.config.budget.prices.iter().find(|price| price.model == name);
    let cost = known
        .map(|price| format!("{:.2} {}", in_millions(tokens) * price.input, site.config.budget.currency));
    html! {
        form.note.needs.stack method="post" action="/decisions/replay" {
            p {
                @match visit.language {
                    Language::En => { b { (name) } " would be asked " (grouped(most)) " times at most, and read " (grouped(tokens)) " tokens at most" }
                    Language::Ja => { b { (name) } "に多くて" (grouped(most)) "回たずね、多くて" (grouped(tokens)) "トークンを読ませます" }
                }
                @match &cost {
                    Some(cost) => { (visit.say(": ", "：")) b { (cost) } (visit.say(" at most, and a little for its short answers.", "まで（短い答えの分が少し加わります）。")) }
                    None => { (visit.say(". It has no price in budget.prices, so that nobody can say what that costs.", "。budget.pricesに値段がないので、費用は分かりません。")) }
                }
                (visit.say(" The tokens count for the day’s budget.", "トークンは1日の予算に数えます。"))
            }
            (visit.form_fields())
            (request.hidden())
            input type="hidden" name="confirmed" value="1";
            p { button.go type="submit" { (visit.say("Ask it", "たずねる")) } }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a replay stay far below 2^53")]
const fn in_millions(tokens: u64) -> f64 {
    tokens as f64 / 1_000_000.0
}

/// `/decisions/replay/N`: how far a replay has come, and what came of it.
pub(super) async fn replay(Path(id): Path<String>, visit: Visit) -> PageResult {
    let id: u64 = id.parse().map_err(|_no_number| PageError::NotFound)?;
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    visit.site.replays.wipe(visit.site.store.last_removal().await?);
    let state = visit.site.replays.find(id).ok_or(PageError::NotFound)?;
    let title = title(&visit);
    let found = if state.is_over { Some(comparison::beside(&visit, &state).await?) } else { None };
    let main = html! {
        header.head {
            h1 { (title) }
            p.quiet { (asked::told(&visit, &state.order)) }
        }
        // Where scripts run, this part is fetched again until all is judged.
        div.stack id="replay" hx-get=[(!state.is_over).then_some(&visit.path)] hx-trigger="load delay:1s" hx-target="#replay" hx-select="#replay" hx-swap="outerHTML" {
            (progress(&visit, &state))
            @if let Some(found) = found { (found) }
            p { a href="/decisions/replay" { (visit.say("Try other settings", "別の設定でためす")) } }
        }
    };
    Ok(page(whole_live(&visit, title, &Here::At("/decisions"), &main)))
}

fn progress(visit: &Visit, state: &ReplayState) -> Markup {
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let done = number(state.outcomes.len());
    let all = number(state.order.channels.len());
    html! {
        @if !state.is_over {
            p role="status" {
                @match visit.language {
                    Language::En => { b.num { (done) } " of " (all) " channels are judged again. " }
                    Language::Ja => { (all) "チャンネルのうち" b.num { (done) } "を判断し直しました。" }
                }
                a href=(visit.path) { (visit.say("Look again", "もう一度見る")) }
            }
            (bar(&[("k1", done)], all))
        }
        @if state.is_wiped {
            p.note { (visit.say("Words were removed since, so that the reasons of this replay are gone. Judge it again for new ones.",
                "その後に言葉が消されたので、この再生の理由は残っていません。もう一度判断すると、新しい理由が出ます。")) }
        }
        @if let Some(why) = &state.stopped { p.note.needs { (visit.say("It ended early: ", "途中で終わりました：")) (why) } }
        @else if state.is_cut() {
            p.note { (visit.say("There were more pauses than are judged in one go: what is below is not all of that time. Fewer days, or one channel, would be.",
                "一度に判断できる数を超えたので、下はこの期間のすべてではありません。日数を減らすか、チャンネルを一つにすると、すべて見られます。")) }
        }
    }
}
