//! The page of what was asked of models, and what it cost.

use std::collections::BTreeMap;

use axum::response::Response;
use jiff::{Timestamp, ToSpan as _, civil::Date};
use maud::{Markup, html};
use myao_companion::cost::CostLine;
use myao_core::{chat::ChannelId, ports::BUILTIN, recall::start_of_last_days};
use myao_store::{CallGroup, CallSums};

use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::{ChartColumn, chart_of_columns, is_worth_a_chart, legend_entry},
    visit::Visit,
};

/// How many days are shown.
pub(super) const DAYS: i64 = 30;

/// `/cost`.
pub(super) async fn show_all_costs(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-what-30-days-cost");
    let mut tables = Vec::new();
    for (group, name) in [
        (CallGroup::Model, visit.say("cost-by-model")),
        (CallGroup::Role, visit.say("cost-by-role")),
        (CallGroup::Purpose, visit.say("cost-by-purpose")),
        (CallGroup::Channel, visit.say("cost-by-channel")),
    ] {
        let lines = lines_by_group(&visit, group).await?;
        tables.push((name, group, lines));
    }
    let main = html! {
        header.head { h1 { (title) } }
        div.stack {
            (chart_of_days(&visit).await?)
            div.two {
                @for (heading, group, lines) in &tables { section.stack { h2 { (heading) } (table_of_costs(&visit, *group, lines)) } }
            }
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/cost"), &main)))
}

fn start_of_period(visit: &Visit) -> Timestamp {
    start_of_last_days(DAYS, visit.site.now(), &visit.site.config.locale.timezone)
}

/// The sums that the visitor may see: of the channels they see. Sums that belong to no channel are only for the owner's
/// view.
async fn sums_for_visitor(visit: &Visit, group: CallGroup) -> Result<Vec<CallSums>, PageError> {
    let site = &visit.site;
    let mut sums = site.calls.sums(&site.store, group, start_of_period(visit), site.now()).await?;
    if visit.view.place.is_some() {
        if group != CallGroup::Channel {
            return Ok(Vec::new());
        }
        sums.retain(|sum| visit.channel(&sum.key).is_ok());
    }
    Ok(sums)
}

async fn lines_by_group(visit: &Visit, group: CallGroup) -> Result<Vec<CostLine>, PageError> {
    let mut lines: BTreeMap<String, CostLine> = BTreeMap::new();
    for sum in sums_for_visitor(visit, group).await? {
        let line = lines
            .entry(sum.key.clone())
            .or_insert_with_key(|key| CostLine { key: key.clone(), ..CostLine::default() });
        line.add(&sum, &visit.site.config.budget.prices);
    }
    let mut lines: Vec<CostLine> = lines.into_values().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.tokens_in.saturating_add(line.tokens_out)));
    lines.truncate(super::channels::ON_A_PAGE);
    Ok(lines)
}

fn table_of_costs(visit: &Visit, group: CallGroup, lines: &[CostLine]) -> Markup {
    let name = |line: &CostLine| match group {
        CallGroup::Channel if line.key.is_empty() => visit.say("cost-the-workspace").to_owned(),
        CallGroup::Channel => format!("#{}", visit.view.names.channel(&ChannelId::new(&*line.key))),
        CallGroup::Role | CallGroup::Purpose => name_of_key(visit, &line.key).to_owned(),
        CallGroup::Model | CallGroup::Day | CallGroup::DayAndRole => line.key.clone(),
    };
    let money = |line: &CostLine| match (line.unpriced, line.cost) {
        (true, _) => "?".to_owned(),
        // What `builtin` does is free, so it is shown as `0`, and not as `0.0000`, which looks like a cost.
        (false, cost) if cost <= 0.0 => "0".to_owned(),
        (false, cost) => format!("{cost:.4}"),
    };
    html! {
        @if lines.is_empty() {
            p.quiet { (visit.say("cost-nothing-that-is-seen-from")) }
        } @else {
            div.scroll tabindex="0" role="region" aria-label=(visit.say("cost-calls")) {
                table {
                    thead {
                        tr {
                            th scope="col" {}
                            th.num scope="col" { (visit.say("cost-column-calls")) }
                            th.num scope="col" { (visit.say("cost-failed")) }
                            th.num scope="col" { (visit.say("cost-read")) }
                            th.num scope="col" { (visit.say("cost-written")) }
                            th.num scope="col" { (visit.say("cost-cost")) " " (visit.site.config.budget.currency) }
                        }
                    }
                    tbody {
                        @for line in lines {
                            tr {
                                th scope="row" { (name(line)) }
                                td.num { (digits_in_groups(line.calls)) }
                                td.num { @if line.failed > 0 { (digits_in_groups(line.failed)) } @else { "–" } }
                                td.num { (digits_in_groups(line.tokens_in)) }
                                td.num { (digits_in_groups(line.tokens_out)) }
                                td.num { (money(line)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A role or purpose of calls in the language of the page.
fn name_of_key<'a>(visit: &Visit, key: &'a str) -> &'a str {
    match key {
        "memory" => visit.say("cost-for-memory"),
        "response" => visit.say("cost-for-response"),
        "reply" => visit.say("cost-for-reply"),
        "judgment" => visit.say("cost-for-judgment"),
        "chapter" => visit.say("cost-for-chapter"),
        "merge" => visit.say("cost-for-merge"),
        "thread" => visit.say("cost-for-thread"),
        "workspace" => visit.say("cost-for-workspace"),
        "unasked" => visit.say("cost-for-unasked"),
        "embedding" => visit.say("cost-for-embedding"),
        "check" => visit.say("cost-for-check"),
        "trial" => visit.say("cost-for-trial"),
        _ => key,
    }
}

/// The roles in the chart of days, each with the class of its part; what has another name counts as the last.
const ROLES: [(&str, &str); 3] = [("memory", "k1"), ("response", "k3"), ("judgment", "k4")];

/// The tokens of a day, for each of [`ROLES`].
type TokensByRole = [u64; ROLES.len()];

/// A chart of the tokens of each day by role, and a sentence that says what they cost.
pub(super) async fn chart_of_days(visit: &Visit) -> Result<Markup, PageError> {
    if visit.view.place.is_some() {
        let words = visit.say("cost-days-are-summed-up");
        return Ok(html! { p.quiet { (words) } });
    }
    let mut all = CostLine::default();
    let mut by_day: BTreeMap<String, TokensByRole> = BTreeMap::new();
    let mut is_free = true;
    for sum in sums_for_visitor(visit, CallGroup::DayAndRole).await? {
        let (day, role) = sum.key.split_once(' ').unwrap_or((&sum.key, ""));
        let nth = ROLES.iter().position(|(name, _)| *name == role).unwrap_or(ROLES.len() - 1);
        if let Some(tokens) = by_day.entry(day.to_owned()).or_default().get_mut(nth) {
            *tokens = tokens.saturating_add(sum.tokens_in).saturating_add(sum.tokens_out);
        }
        is_free &= sum.model == BUILTIN;
        all.add(&sum, &visit.site.config.budget.prices);
    }
    let first = visit.times().day_of(start_of_period(visit));
    let days = (0..DAYS).filter_map(|nth| first.checked_add(nth.days()).ok());
    let columns: Vec<ChartColumn> =
        days.map(|day| column_of_day(visit, day, by_day.get(&day.to_string()).copied())).collect();
    let busiest = columns.iter().max_by_key(|column| column.whole()).filter(|column| column.whole() > 0);
    let busiest = busiest.map(|column| column.name.as_str()).unwrap_or_default();
    Ok(html! {
        figure {
            @if is_worth_a_chart(&columns) {
                (chart_of_columns(&columns, &visit.say_with("cost-tokens-a-day", &[("day", busiest.into())])))
                div.ends aria-hidden="true" {
                    span { (visit.times().date(first)) }
                    span { (visit.say_with("cost-busiest", &[("day", busiest.into())])) }
                    span { (visit.say("cost-today")) }
                }
                p.row { @for (role, class) in ROLES { (legend_entry(class, name_of_key(visit, role))) } }
            }
            figcaption.quiet { (sentence_about_total(visit, &all, is_free)) }
            (table_of_days(visit, &by_day))
        }
    })
}

fn column_of_day(visit: &Visit, day: Date, tokens: Option<TokensByRole>) -> ChartColumn {
    let tokens = tokens.unwrap_or_default();
    let parts = ROLES.iter().zip(tokens).map(|((_, class), number)| (*class, number)).collect();
    let whole = tokens.iter().fold(0, |sum: u64, number| sum.saturating_add(*number));
    ChartColumn { name: format!("{}: {}", visit.times().date(day), digits_in_groups(whole)), parts }
}

/// The numbers of the chart in a table, newest day first.
fn table_of_days(visit: &Visit, by_day: &BTreeMap<String, TokensByRole>) -> Markup {
    html! {
        @if !by_day.is_empty() {
            details {
                summary { (visit.say("common-as-a-table")) }
                table {
                    thead { tr { th scope="col" { (visit.say("common-day")) } @for (role, _) in ROLES { th.num scope="col" { (name_of_key(visit, role)) } } } }
                    tbody {
                        @for (day, tokens) in by_day.iter().rev() {
                            tr { th scope="row" { (day) } @for number in tokens { td.num { (digits_in_groups(*number)) } } }
                        }
                    }
                }
            }
        }
    }
}

fn sentence_about_total(visit: &Visit, all: &CostLine, is_free: bool) -> Markup {
    let calls = digits_in_groups(all.calls);
    let read = digits_in_groups(all.tokens_in);
    let written = digits_in_groups(all.tokens_out);
    let currency = &visit.site.config.budget.currency;
    html! {
        @if all.calls == 0 {
            (visit.say("cost-nothing-was-asked"))
        } @else {
            b {
                @if is_free { (visit.say("cost-nothing")) }
                @else if all.unpriced { (visit.say("cost-some-models-have-no-price")) }
                @else { (format!("{:.4} {currency}. ", all.cost)) }
            }
            (visit.say_with("cost-tokens-read-and-written", &[("read", read.into()), ("calls", calls.into()), ("written", written.into())]))
            @if is_free {
                " "
                (visit.say("cost-builtin-quotes-what-was-said"))
            }
        }
    }
}
