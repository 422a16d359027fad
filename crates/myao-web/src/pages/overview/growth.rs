//! How the archive and its memory grew, month by month.

use std::collections::BTreeSet;

use jiff::civil::Date;
use maud::{Markup, html};
use myao_core::chat::ChannelId;
use myao_store::SpanGrowth;

use crate::{
    answer::PageError,
    numbers::digits_in_groups,
    show::{ChartColumn, chart_of_columns, is_worth_a_chart},
    visit::Visit,
};

/// Two charts, one of messages and one of chapters, with their table; only the table where there is a single month.
pub(super) async fn growth_over_months(visit: &Visit) -> Result<Markup, PageError> {
    let months = months_in_view(visit).await?;
    if months.is_empty() {
        return Ok(html! {});
    }
    let messages = columns_of_months(visit, &months, |span| ("k1", span.messages));
    let chapters = columns_of_months(visit, &months, |span| ("k3", span.chapters));
    let is_chart = is_worth_a_chart(&messages);
    let charts = [("overview-messages-a-month", messages), ("overview-chapters-a-month", chapters)];
    Ok(html! {
        section.stack aria-labelledby="growth" {
            h2 id="growth" { (visit.say("overview-how-it-grew")) }
            @if is_chart {
                div.two {
                    @for (key, columns) in &charts { (chart_with_ends(visit, visit.say(key), columns, &months)) }
                }
                details {
                    summary { (visit.say("common-as-a-table")) }
                    (table_of_months(visit, &months))
                }
            } @else { (table_of_months(visit, &months)) }
        }
    })
}

/// What came to the channels that are seen, from the first month in which anything did; empty if nothing did.
async fn months_in_view(visit: &Visit) -> Result<Vec<(Date, SpanGrowth)>, PageError> {
    let counted = visit.site.counted().await?;
    let seen: BTreeSet<&ChannelId> = visit.view.channels.iter().map(|channel| &channel.id).collect();
    let mut months: Vec<(Date, SpanGrowth)> =
        counted.growth.months.iter().map(|month| (*month, SpanGrowth::default())).collect();
    for (_, spans) in counted.growth.channels.iter().filter(|(channel, _)| seen.contains(channel)) {
        for ((_, sum), span) in months.iter_mut().zip(spans) {
            sum.messages += span.messages;
            sum.chapters += span.chapters;
        }
    }
    let begin = months.iter().position(|(_, sum)| *sum != SpanGrowth::default()).unwrap_or(months.len());
    Ok(months.split_off(begin))
}

fn columns_of_months(
    visit: &Visit,
    months: &[(Date, SpanGrowth)],
    part: fn(&SpanGrowth) -> (&'static str, u64),
) -> Vec<ChartColumn> {
    let column = |(month, span): &(Date, SpanGrowth)| {
        let part = part(span);
        let name = format!("{}: {}", name_of_month(visit, *month), digits_in_groups(part.1));
        ChartColumn { name, parts: vec![part] }
    };
    months.iter().map(column).collect()
}

fn name_of_month(visit: &Visit, month: Date) -> String {
    month.strftime(visit.say("overview-month")).to_string()
}

fn chart_with_ends(
    visit: &Visit,
    title: &str,
    columns: &[ChartColumn],
    months: &[(Date, SpanGrowth)],
) -> Markup {
    let busiest = columns.iter().max_by_key(|column| column.whole());
    let busiest = busiest.map(|column| column.name.as_str()).unwrap_or_default();
    let busiest = visit.say_with("cost-busiest", &[("day", busiest.into())]);
    let end = |month: Option<&(Date, SpanGrowth)>| {
        month.map(|(month, _)| name_of_month(visit, *month)).unwrap_or_default()
    };
    html! {
        figure {
            figcaption { (title) }
            (chart_of_columns(columns, &format!("{title}; {busiest}")))
            div.ends aria-hidden="true" {
                span { (end(months.first())) }
                span { (busiest) }
                span { (end(months.last())) }
            }
        }
    }
}

fn table_of_months(visit: &Visit, months: &[(Date, SpanGrowth)]) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (visit.say("overview-in-the-month")) }
                    th.num scope="col" { (visit.say("overview-messages-a-month")) }
                    th.num scope="col" { (visit.say("overview-chapters-a-month")) }
                }
            }
            tbody {
                @for (month, span) in months.iter().rev() {
                    tr {
                        th scope="row" { (name_of_month(visit, *month)) }
                        td.num { (digits_in_groups(span.messages)) }
                        td.num { (digits_in_groups(span.chapters)) }
                    }
                }
            }
        }
    }
}
