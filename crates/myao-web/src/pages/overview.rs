//! The overview: what is remembered, what needs a person, what it costs, and how myao is doing.

mod growth;
mod live;
mod model_needs;

use axum::response::Response;
use maud::{Markup, html};
use myao_config::{Database, ModelId};
use myao_core::{
    chat::{ChannelId, Visibility},
    ports::Role,
};
use myao_store::{Coverage, Setback, WorkSubject};

use super::{channels, cost};
use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_live},
    numbers::digits_in_groups,
    show::legend_entry,
    visit::Visit,
};

/// The most things that need a person which are listed one by one.
const MOST_NEEDS: usize = 20;

/// The sums over all channels that the visitor sees.
#[derive(Default)]
struct SeenSums {
    messages: u64,
    covered: u64,
    pending: u64,
    before_start: u64,
    uncovered: u64,
}

/// The parts of the page that change while somebody looks at it, each with its id.
type OverviewParts = [(&'static str, Markup); 5];

/// `/`: the overview.
pub(super) async fn show_first_page(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-overview");
    let counted = visit.site.counted().await?;
    let is_empty = counted.coverage.is_empty() && visit.view.channels.is_empty();
    let [(_, told), (_, pulse), (_, needs), (_, cost), (_, health)] = changing_parts(&visit).await?;
    let main = html! {
        header.head {
            h1.vh { (title) }
            (told)
            (pulse)
        }
        div.stack hx-sse:connect=(visit.href("/live", &[])) hx-swap="none" {
            (needs)
            @if is_empty { (how_to_begin(&visit)) } @else {
                section.stack aria-labelledby="cov" {
                    div.row.spread {
                        h2 id="cov" { (visit.say("overview-what-is-remembered")) }
                        p.row.quiet { (legend_of_coverage(&visit)) }
                    }
                    (channels::list_page_by_page(&visit).await?)
                    p.quiet { (visit.say("overview-every-message-is-in-exactly")) }
                }
            }
            (growth::growth_over_months(&visit).await?)
            div.two { (cost) (health) }
        }
    };
    Ok(page_response(whole_live(&visit, title, &Here::At("/"), &main)))
}

pub(super) use live::stream_changes;

/// The parts of the page that change while somebody looks at it, as they are now.
async fn changing_parts(visit: &Visit) -> Result<OverviewParts, PageError> {
    let counted = visit.site.counted().await?;
    let sums = SeenSums::of(visit, &counted.coverage);
    let is_owners = visit.view.place.is_none();
    let needs = if is_owners { what_needs_attention(visit, &sums).await? } else { Vec::new() };
    let told = html! {
        div id="told" {
            p.lede { (first_sentence(visit, &sums)) }
            p.quiet { (visit.markup_with("overview-counted", &[("at", visit.times().instant(counted.at).into())])) }
        }
    };
    let cost = html! {
        section.stack id="spent" aria-labelledby="cost" {
            h2 id="cost" { (visit.say("common-what-30-days-cost")) }
            (cost::chart_of_days(visit).await?)
            p { a href=(visit.href("/cost", &[])) { (visit.say("overview-by-model-role-purpose")) } }
        }
    };
    let health = if is_owners {
        health_line(visit).await?
    } else {
        html! {}
    };
    Ok([
        ("told", told),
        ("pulse", memory_pulse(visit, is_owners).await?),
        ("needed", html! { div id="needed" role="status" { (told_needs(visit, &needs)) } }),
        ("spent", cost),
        ("doing", html! { div id="doing" { (health) } }),
    ])
}

/// The line that says what was said last, and whether memory keeps up with it.
async fn memory_pulse(visit: &Visit, is_owners: bool) -> Result<Markup, PageError> {
    let store = &visit.site.store;
    let last = store.recall().last_said(&visit.view.visibility).await?;
    let due = if is_owners { store.memory().channels_due_at(visit.site.now()).await?.len() } else { 0 };
    let catching_up = if is_owners { store.hearing().catching_up().await? } else { None };
    let catching_up = catching_up.filter(|rest| rest.until > visit.site.now());
    Ok(html! {
        p.quiet id="pulse" {
            @if let Some((channel, ts)) = &last {
                @let place = html! { a href=(visit.channel_href(channel, "", &[])) { "#" (visit.view.names.channel(channel)) } };
                (visit.markup_with("overview-last-said", &[("at", visit.times().instant(ts.to_timestamp()).into()), ("channel", place.into())]))
            }
            @if is_owners && last.is_some() {
                @if due == 0 { (visit.say("overview-memory-has-caught-up")) }
                @else {
                    (visit.say_with("overview-channels-due", &[("due", due.into())]))
                }
            }
            @if let Some(rest) = catching_up {
                " " (visit.markup_with("overview-catching-up", &[
                    ("channels", digits_in_groups(rest.channels).into()), ("until", visit.times().instant(rest.until).into())
                ]))
            }
        }
    })
}

impl SeenSums {
    fn of(visit: &Visit, coverage: &[Coverage]) -> Self {
        let seen: std::collections::BTreeSet<&ChannelId> =
            visit.view.channels.iter().map(|channel| &channel.id).collect();
        coverage.iter().filter(|row| seen.contains(&row.channel)).fold(Self::default(), |sums, row| Self {
            messages: sums.messages + row.messages,
            covered: sums.covered + row.covered,
            pending: sums.pending + row.pending,
            before_start: sums.before_start + row.before_start,
            uncovered: sums.uncovered + row.uncovered,
        })
    }
}

fn first_sentence(visit: &Visit, sums: &SeenSums) -> String {
    if sums.messages == 0 {
        return visit.say("overview-nothing-said").to_owned();
    }
    let [messages, covered, pending, before, lost] =
        [sums.messages, sums.covered, sums.pending, sums.before_start, sums.uncovered].map(digits_in_groups);
    let remembered = [("covered", covered.into()), ("messages", messages.into())];
    let mut sentences = vec![visit.say_with("overview-remembered-of", &remembered)];
    if sums.pending > 0 {
        let number = [("number", pending.into())];
        sentences.push(visit.say_with("overview-waiting-for-end", &number));
    }
    if sums.before_start > 0 {
        let number = [("number", before.into())];
        sentences.push(visit.say_with("overview-older-than-memory", &number));
    }
    sentences.push(if sums.uncovered == 0 {
        visit.say("overview-none-is-lost").to_owned()
    } else {
        let number = [("number", lost.into())];
        visit.say_with("overview-some-lost", &number)
    });
    sentences.join(visit.say("common-between-sentences"))
}

fn legend_of_coverage(visit: &Visit) -> Markup {
    html! {
        (legend_entry("k1", visit.say("common-remembered")))
        (legend_entry("k3", visit.say("common-waiting")))
        (legend_entry("k0", visit.say("common-before-start")))
        (legend_entry("kx", visit.say("common-uncovered")))
    }
}

/// Says what to do where the archive is still empty.
fn how_to_begin(visit: &Visit) -> Markup {
    html! {
        section.note.stack {
            h2 { (visit.say("overview-how-to-begin")) }
            p { (visit.say("overview-take-an-export-of-your")) }
            pre { "myao import slack export.zip\nmyao memory build" }
            p { (visit.markup_with("overview-or-join-slack", &[("command", html! { code { "myao run" } }.into())])) }
        }
    }
}

/// The things that a person has to look at, each with the address of the page about it, if there is one.
async fn what_needs_attention(
    visit: &Visit,
    sums: &SeenSums,
) -> Result<Vec<(String, Option<String>)>, PageError> {
    let store = &visit.site.store;
    let mut needs = model_needs::models_that_need_a_person(visit).await?;
    for Setback { subject, reason, flagged, attempts, .. } in store.memory().list_open_setbacks().await? {
        let about = WorkSubject::parse(&subject);
        let channel = about.channel().filter(|id| visit.channel(id.as_str()).is_ok());
        let times = if flagged { String::new() } else { format!(" ({attempts}×)") };
        needs.push((
            format!("{}: {reason}{times}", told_subject(visit, &about)),
            channel.map(|id| visit.channel_href(id, "", &[])),
        ));
    }
    if store.forget().has_more().await? {
        let words = visit.say("overview-still-to-be-forgotten");
        needs.push((words.to_owned(), None));
    }
    let undecided =
        if visit.view.visibility == Visibility::Owner { store.memos().count_undecided().await? } else { 0 };
    if undecided > 0 {
        let words = visit.say_with("overview-undecided-memos", &[("number", undecided.into())]);
        needs.push((words, Some(visit.href("/memos", &[]))));
    }
    if sums.uncovered > 0 {
        let words = visit.say("overview-in-no-memory");
        needs.push((words.to_owned(), None));
    }
    Ok(needs)
}

fn told_subject(visit: &Visit, subject: &WorkSubject<'_>) -> String {
    let channel = |id| format!("#{}", visit.view.names.channel(id));
    match subject {
        WorkSubject::Channel(id) => channel(id),
        WorkSubject::Thread(id, root) => {
            let when = visit.times().date(visit.times().day_of(root.to_timestamp()));
            visit.say_with("overview-thread-of", &[("channel", channel(id).into()), ("day", when.into())])
        }
        WorkSubject::ShortTerm(id, version) => {
            format!("{}, {}", channel(id), visit.chapter(*version))
        }
        WorkSubject::LongTerm(id) => {
            visit.say_with("overview-long-term-of", &[("channel", channel(id).into())])
        }
        WorkSubject::Workspace => visit.say("common-the-workspace-memory").to_owned(),
        WorkSubject::Entry(entry) => format!("{} {entry}", visit.say("overview-entry-of-journal")),
        WorkSubject::Other(subject) => (*subject).to_owned(),
    }
}

fn told_needs(visit: &Visit, needs: &[(String, Option<String>)]) -> Markup {
    let more = needs.len().saturating_sub(MOST_NEEDS);
    html! {
        @if !needs.is_empty() {
            section.note.needs.stack aria-labelledby="needs" {
                h2 id="needs" {
                    (visit.say_with("overview-needs", &[("number", needs.len().into())]))
                }
                ul.tight {
                    @for (words, address) in needs.iter().take(MOST_NEEDS) {
                        li { @match address { Some(address) => { a href=(address) { (words) } } None => { (words) } } }
                    }
                }
                @if more > 0 { p.quiet { "… +" (more) } }
            }
        }
    }
}

async fn health_line(visit: &Visit) -> Result<Markup, PageError> {
    let site = &visit.site;
    let counted = site.counted().await?;
    let totals = counted.totals;
    let index = site.store.recall().index_progress().await?;
    let unread = site.store.archive().count_unread_events().await?;
    let model = |role: Role| match &site.config.agents.get(role).model_id {
        ModelId::Builtin => visit.say("overview-builtin-quotes-does-not-write").to_owned(),
        ModelId::Provider { provider, model } => format!("{provider}/{model}"),
    };
    Ok(html! {
        section.stack aria-labelledby="health" {
            h2 id="health" { (visit.say("overview-how-it-is-doing")) }
            dl.facts {
                dt { (visit.say("overview-chapters")) }
                dd { (visit.say_with("overview-chapters-verbatim", &[("chapters", digits_in_groups(totals.chapters).into()), ("verbatim", digits_in_groups(totals.verbatim).into())])) }
                dt { (visit.say("overview-long-term")) }
                dd {
                    (visit.say_with("common-number-of-channels", &[("channels", digits_in_groups(totals.long_term).into())]))
                    @if totals.workspace { (visit.say("overview-and-the-workspaces")) }
                    @if totals.threads > 0 { (visit.say_with("overview-and-threads", &[("number", digits_in_groups(totals.threads).into())])) }
                }
                dt { (visit.say("overview-writes-memories")) } dd { (model(Role::Memory)) }
                dt { (visit.say("overview-answers")) } dd { (model(Role::Response)) }
                dt { (visit.say("overview-judges")) } dd { (model(Role::Judgment)) }
                dt { (visit.say("overview-search")) }
                dd {
                    @if index.finds_all { (visit.say("overview-everything-can-be-found")) }
                    @else { (visit.say_with("overview-index-so-far", &[("done", index.channels_done.into()), ("all", index.channels.into())])) }
                }
                dt { (visit.say("overview-archive")) }
                dd {
                    @match &site.config.database {
                        Database::Sqlite(_) => { (visit.say("overview-one-sqlite-file")) }
                        Database::Postgres(_) => { "PostgreSQL" }
                    }
                    @if unread > 0 { (visit.say_with("overview-and-unread", &[("number", digits_in_groups(unread).into())])) }
                }
            }
        }
    })
}
