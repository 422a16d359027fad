//! The page of all channels, and how much of each is remembered.

use axum::response::Response;
use maud::{Markup, html};
use myao_core::chat::Channel;
use myao_store::{Coverage, SpanGrowth};

use crate::{
    answer::{PageError, page_response},
    layout::{Here, kind_in_words, whole_page},
    numbers::digits_in_groups,
    show::{bar_of_parts, chart_in_line},
    visit::Visit,
};

/// How many channels a page lists.
pub(super) const ON_A_PAGE: usize = 50;

/// The columns of numbers, each with its key of the catalogue, and the key of what it means.
const COLUMNS: [(&str, &str); 4] = [
    ("common-remembered", "channels-what-remembered-means"),
    ("common-waiting", "channels-what-waiting-means"),
    ("common-before-start", "channels-what-before-start-means"),
    ("common-uncovered", "channels-what-uncovered-means"),
];
/// What is not a column, but stands on other pages and in the terminal.
const EXPIRED: (&str, &str) = ("channels-expired", "channels-what-expired-means");

/// How many months the small chart of a channel shows.
const MONTHS_OF_A_YEAR: usize = 12;

/// `/channels`.
pub(super) async fn show_all_channels(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-channels");
    let main = html! {
        header.head { h1 { (title) } }
        div.stack { (list_page_by_page(&visit).await?) }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/channels"), &main)))
}

/// The channels that are seen, page by page, with a field to find one.
pub(super) async fn list_page_by_page(visit: &Visit) -> Result<Markup, PageError> {
    let counted = visit.site.counted().await?;
    let wanted = visit.query.get("channel").unwrap_or_default().to_lowercase();
    let seen = visit.view.channels.iter();
    let meant: Vec<&Channel> = seen.filter(|channel| channel.name.to_lowercase().contains(&wanted)).collect();
    let most = |coverage: &&Coverage| visit.view.channels.iter().any(|seen| seen.id == coverage.channel);
    let scale = counted.coverage.iter().filter(most).map(|row| row.messages).max().unwrap_or_default();
    let first =
        visit.query.parsed::<usize>("page").unwrap_or(1).clamp(1, 10_000).saturating_sub(1) * ON_A_PAGE;
    let here: Vec<&Channel> = meant.iter().copied().skip(first).take(ON_A_PAGE).collect();
    let of = |channel: &Channel| counted.coverage.iter().find(|row| row.channel == channel.id);
    let many = visit.view.channels.len() > ON_A_PAGE;
    Ok(html! {
        @if many { (find_field(visit)) }
        div.scroll tabindex="0" role="region" aria-label=(visit.say("channels-coverage-as-a-table")) {
            table {
                (table_head(visit))
                tbody { @for channel in &here { (table_row(visit, channel, of(channel), counted.growth.channels.get(&channel.id), scale)) } }
            }
        }
        details {
            summary { (visit.say("channels-what-columns-mean")) }
            dl.facts {
                @for (name, meaning) in COLUMNS.iter().chain([&EXPIRED]) { dt { (visit.say(name)) } dd { (visit.say(meaning)) } }
            }
        }
        @if here.is_empty() { p.quiet { (visit.say("common-no-channel-is-called-that")) } }
        @if many { (turn_links(visit, meant.len(), first)) }
    })
}

fn find_field(visit: &Visit) -> Markup {
    html! {
        form.fields method="get" action="/channels" {
            div.grow {
                label for="channel" { (visit.say("common-a-part-of-its-name")) }
                input type="search" id="channel" name="channel" value=(visit.query.text("channel"));
            }
            @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            button type="submit" { (visit.say("common-find")) }
        }
    }
}

fn table_head(visit: &Visit) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { (visit.say("channels-channel")) }
                th scope="col" { (visit.say("channels-messages-to-one-scale")) }
                th scope="col" { (visit.say("channels-a-year")) }
                @for (name, meaning) in COLUMNS { th.num scope="col" title=(visit.say(meaning)) { (visit.say(name)) } }
            }
        }
    }
}

fn table_row(
    visit: &Visit,
    channel: &Channel,
    coverage: Option<&Coverage>,
    growth: Option<&Vec<SpanGrowth>>,
    scale: u64,
) -> Markup {
    let number = |number: u64| if number == 0 { "–".to_owned() } else { digits_in_groups(number) };
    html! {
        tr {
            th scope="row" {
                a href=(visit.channel_href(&channel.id, "", &[])) { "#" (channel.name) }
                @if let Some(kind) = kind_in_words(visit, channel.kind) { " " span.quiet { (kind) } }
            }
            @if let Some(row) = coverage {
                td.wide {
                    (bar_of_parts(&[("k1", row.covered), ("k3", row.pending), ("k0 tall", row.before_start), ("kx", row.uncovered)], scale))
                }
                td { (messages_of_a_year(visit, growth)) }
                td.num { (number(row.covered)) }
                td.num { (number(row.pending)) }
                td.num { (number(row.before_start)) }
                td.num { (number(row.uncovered)) }
            } @else {
                td.quiet colspan="6" { (visit.say("channels-new-counted-in-a-moment")) }
            }
        }
    }
}

/// The messages of each of the last twelve months, up to the newest in the archive.
fn messages_of_a_year(visit: &Visit, growth: Option<&Vec<SpanGrowth>>) -> Markup {
    let all = growth.map(Vec::as_slice).unwrap_or_default();
    let year = all.get(all.len().saturating_sub(MONTHS_OF_A_YEAR)..).unwrap_or_default();
    let numbers: Vec<u64> = year.iter().map(|span| span.messages).collect();
    if numbers.iter().all(|number| *number == 0) {
        return html! {};
    }
    let said: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let label = visit.say_with("channels-messages-by-month", &[("numbers", said.join(" ").into())]);
    chart_in_line(&numbers, &label)
}

fn turn_links(visit: &Visit, all: usize, first: usize) -> Markup {
    let at = first / ON_A_PAGE + 1;
    let link = |to: usize| {
        let number = to.to_string();
        visit.href("/channels", &[("channel", visit.query.text("channel")), ("page", &number)])
    };
    html! {
        p.row {
            span.quiet {
                (visit.say_with("channels-span-of-all", &[("first", all.min(first + 1).into()), ("last", all.min(first + ON_A_PAGE).into()), ("all", all.into())]))
            }
            @if at > 1 { a href=(link(at - 1)) rel="prev" { (visit.say("channels-earlier")) } }
            @if first + ON_A_PAGE < all { a href=(link(at + 1)) rel="next" { (visit.say("channels-later")) } }
        }
    }
}
