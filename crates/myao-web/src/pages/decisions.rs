//! The page of decisions: when myao spoke up unasked, when it kept quiet, and why.

mod stopped;
mod voted;

use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use myao_companion::live::{UpcomingJudgment, all_upcoming_judgments};
use myao_core::{
    chat::{MessageTs, Place},
    judgment::ReplyState,
    text::Language,
    wording::{TalkFormat, messages_as_lines},
};
use myao_store::{JudgedStatement, LedgerQuery, VerdictKind, VerdictRecord};

use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_page},
    messages::Catalogue,
    numbers::share_in_percent,
    show::{without_invisible, words_without_marks},
    visit::Visit,
};

/// How many statements a page lists that were judged.
const ON_A_PAGE: usize = 40;
/// The numbers of days among which one can choose.
const DAYS: [i64; 4] = [7, 30, 90, 3650];
/// How many characters are shown of the message that a decision is about.
const EXCERPT: usize = 160;

/// `/decisions`: `channel` is an id; `days` is how far back the list reaches.
pub(super) async fn show_verdicts(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-decisions");
    let channel = match visit.query.get("channel") {
        Some(id) => Some(visit.channel(id)?.id.clone()),
        None => None,
    };
    let days = visit.query.parsed::<i64>("days").filter(|days| DAYS.contains(days)).unwrap_or(30);
    let since =
        visit.site.now().saturating_sub(SignedDuration::from_hours(days * 24)).unwrap_or(Timestamp::MIN);
    let limit = u64::try_from(ON_A_PAGE + 1).unwrap_or(u64::MAX);
    let query = LedgerQuery { channel: channel.clone(), since, limit };
    let mut statements =
        visit.site.store.replies().list_judged_statements(&visit.view.visibility, &query).await?;
    let has_more = statements.len() > ON_A_PAGE;
    statements.truncate(ON_A_PAGE);
    let mut lines = Vec::with_capacity(statements.len());
    let mut deleted = 0_usize;
    for statement in &statements {
        match entry_of_statement(&visit, statement).await? {
            Some(entry) => lines.push(entry),
            None => deleted += 1,
        }
    }
    let stopped = stopped::stopped_in_view(&visit, &query).await?;
    let voted = voted::voted_in_view(&visit, &query).await?;
    let next = upcoming_in_view(&visit).await?;
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("decisions-where-nobody-answers-somebody")) }
        }
        div.stack {
            (filter_links(&visit, days))
            @if visit.view.place.is_none() {
                p { a href="/decisions/replay" { (visit.say("decisions-the-same-past-under-other")) } }
            }
            @if statements.is_empty() { p.note { (visit.say("decisions-nothing-was-decided")) } }
            ol.lines.ledger { @for line in &lines { (line) } }
            @if deleted > 0 { p.quiet { (visit.say_with("decisions-about-deleted", &[("number", deleted.into())])) } }
            @if has_more { p.quiet { (visit.say("decisions-the-newest-of-these-choose")) } }
            (stopped::list_of_stopped(&visit, &stopped))
            (voted::list_of_voted(&visit, &voted))
            (upcoming_list(&visit, &next))
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/decisions"), &main)))
}

fn filter_links(visit: &Visit, days: i64) -> Markup {
    html! {
        form.fields method="get" action="/decisions" {
            div.field {
                label for="days" { (visit.say("common-how-far-back")) }
                select id="days" name="days" {
                    @for choice in DAYS {
                        option value=(choice) selected[choice == days] {
                            @if choice > 1000 { (visit.say("decisions-everything")) } @else { (visit.say_with("common-number-of-days", &[("days", choice.into())])) }
                        }
                    }
                }
            }
            @if let Some(channel) = visit.query.get("channel") { input type="hidden" name="channel" value=(channel); }
            @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            button type="submit" { (visit.say("decisions-show")) }
            @if visit.query.is_set("channel") { a href=(visit.href("/decisions", &[])) { (visit.say("decisions-all-channels")) } }
        }
    }
}

pub(super) async fn excerpt_of_message(
    visit: &Visit,
    place: &Place,
    ts: MessageTs,
) -> Result<String, PageError> {
    let standing = standing_excerpt(visit, place, ts).await?;
    Ok(standing.unwrap_or_else(|| visit.say("decisions-deleted").to_owned()))
}

/// The beginning of a message and who said it; `None` if it is deleted.
async fn standing_excerpt(visit: &Visit, place: &Place, ts: MessageTs) -> Result<Option<String>, PageError> {
    let found = visit.site.store.archive().message(&visit.view.visibility, &place.channel, ts).await?;
    let Some(message) = found.filter(|message| !message.deleted) else { return Ok(None) };
    let zone = &visit.site.config.locale.timezone;
    let format = TalkFormat { names: &visit.view.names, zone, language: visit.language, limit: EXCERPT };
    let line = messages_as_lines([message], &format).into_iter().next();
    let words = line.map(|line| format!("{}: {}", line.name, words_without_marks(&line.text)));
    Ok(Some(words.unwrap_or_default()))
}

pub(super) fn place_link(visit: &Visit, place: &Place) -> Markup {
    let (path, name) = match place.thread {
        Some(root) => (format!("/thread/{root}"), visit.say("decisions-in-a-thread")),
        None => (String::new(), ""),
    };
    html! { a href=(visit.channel_href(&place.channel, &path, &[])) { "#" (visit.view.names.channel(&place.channel)) (name) } }
}

/// A link to the prompt of an answer, composed again from its record.
fn link_to_prompt(visit: &Visit, place: &Place, posted: MessageTs) -> Markup {
    let ts = posted.to_string();
    html! {
        a href=(visit.channel_href(&place.channel, "/prompt", &[("reply", &ts)])) {
            (visit.say("decisions-what-it-was-made-from"))
        }
    }
}

/// A statement and what was decided about it; `None` if it was deleted and nothing was said about it, since then there
/// is nothing left to read.
async fn entry_of_statement(visit: &Visit, statement: &JudgedStatement) -> Result<Option<Markup>, PageError> {
    let Some((newest, earlier)) = statement.verdicts.split_first() else { return Ok(None) };
    let spoken = statement.verdicts.iter().find(|record| was_said(record));
    let about = standing_excerpt(visit, &newest.place, newest.latest_ts).await?;
    if about.is_none() && spoken.is_none() {
        return Ok(None);
    }
    let posted = spoken.and_then(|record| record.reply.as_ref()?.posted_ts);
    let answer = match posted {
        Some(posted) => standing_excerpt(visit, &newest.place, posted).await?,
        None => None,
    };
    let more = statement.judged.saturating_sub(1);
    Ok(Some(html! {
        li id=(format!("d{}", newest.id)) .unasked[spoken.is_some()] tabindex="-1" data-item {
            span.m { (visit.times().instant(newest.at)) }
            div {
                p.quiet dir="auto" {
                    (place_link(visit, &newest.place))
                    @match &about { Some(about) => { " · “" (about) "”" } None => { " " (visit.say("decisions-deleted")) } }
                }
                @if let Some(answer) = &answer { p.said dir="auto" { (answer) } }
                @if let Some(posted) = posted { p.quiet { (link_to_prompt(visit, &newest.place, posted)) } }
                (verdict_in_words(visit, newest))
                @if more > 0 { (earlier_verdicts(visit, earlier, more)) }
            }
        }
    }))
}

/// The verdicts before the newest one about the same statement; `more` is how many there are, some of them not shown.
fn earlier_verdicts(visit: &Visit, earlier: &[VerdictRecord], more: u64) -> Markup {
    let unshown = more.saturating_sub(u64::try_from(earlier.len()).unwrap_or(u64::MAX));
    html! {
        details {
            summary { (visit.say_with("decisions-judged-times", &[("number", more.saturating_add(1).into())])) }
            ol.lines {
                @for record in earlier {
                    li id=(format!("d{}", record.id)) {
                        span.m { (visit.times().instant(record.at)) }
                        div { (verdict_in_words(visit, record)) }
                    }
                }
            }
            @if unshown > 0 { p.quiet { "… +" (unshown) } }
        }
    }
}

/// Whether something was said unasked because of a verdict.
fn was_said(record: &VerdictRecord) -> bool {
    record.kind == VerdictKind::Speak
        && record.reply.as_ref().is_none_or(|reply| reply.state == ReplyState::Done)
}

fn verdict_in_words(visit: &Visit, record: &VerdictRecord) -> Markup {
    let (sign, class, verdict) = verdict_sign(visit, record);
    let reason = if record.wiped { visit.say("common-its-words-were-removed") } else { &record.reason };
    let details = verdict_details(visit, record);
    html! {
        p dir="auto" {
            span aria-hidden="true" class=(format!("sign {class}")) { (sign) } " "
            b { (verdict) } @if !reason.is_empty() { (visit.say("common-before-a-reason")) (without_invisible(&visit.view.names.show(reason))) }
        }
        @if !details.is_empty() { p.quiet.num { (details.join(" · ")) } }
    }
}

/// What was decided and what came of it, as a sign, a CSS class and words.
pub(super) fn verdict_sign(visit: &Visit, record: &VerdictRecord) -> (char, &'static str, &'static str) {
    let state = record.reply.as_ref().map(|reply| reply.state);
    match (record.kind, state) {
        (VerdictKind::Quiet, _) => ('○', "quiet", visit.say("decisions-kept-quiet")),
        (VerdictKind::Failed, _) => ('×', "failed", visit.say("common-could-not-decide")),
        (VerdictKind::Speak, Some(_)) if record.reply.as_ref().is_some_and(|reply| reply.was_stopped) => {
            ('◐', "late", visit.say("decisions-wanted-to-was-stopped"))
        }
        (VerdictKind::Speak, Some(ReplyState::Skipped)) => {
            ('◐', "late", visit.say("decisions-wanted-to-was-too-late"))
        }
        (VerdictKind::Speak, Some(ReplyState::Failed)) => {
            ('×', "failed", visit.say("decisions-wanted-to-could-not"))
        }
        (VerdictKind::Speak, Some(ReplyState::Wanted | ReplyState::Written)) => {
            ('●', "spoke", visit.say("decisions-speaks-soon"))
        }
        (VerdictKind::Speak, Some(ReplyState::Done) | None) => ('●', "spoke", visit.say("common-spoke")),
    }
}

fn verdict_details(visit: &Visit, record: &VerdictRecord) -> Vec<String> {
    let mut details = Vec::new();
    if let Some(sure) = record.confidence {
        details.push(visit.say_with("decisions-how-sure", &[("share", share_in_percent(sure).into())]));
    }
    if let Some(wait) = record.wait {
        details
            .push(visit.say_with("decisions-waited", &[("span", span_as_text(visit.language, wait).into())]));
    }
    if let Some(reply) = record.reply.as_ref().filter(|reply| !reply.reason.is_empty()) {
        let reason = if reply.was_stopped {
            stopped::by_whom(visit, reply.stopped_by.as_ref())
        } else {
            reply.reason.clone()
        };
        details.push(reason);
    }
    if let Some(reply) = &record.reply {
        details.extend(voted::votes_in_words(visit, reply.votes));
    }
    if let Some(model) = &record.model {
        details.push(model.clone());
    }
    details
}

/// Writes a span of time: in seconds below two minutes, otherwise rounded to minutes or hours.
pub(super) fn span_as_text(language: Language, span: SignedDuration) -> String {
    let messages = Catalogue::of(language);
    match span.as_secs() {
        seconds @ ..120 => messages.say_with("decisions-span-in-seconds", &[("number", seconds.into())]),
        seconds @ 120..7200 => {
            messages.say_with("decisions-span-in-minutes", &[("number", ((seconds + 30) / 60).into())])
        }
        seconds => {
            messages.say_with("decisions-span-in-hours", &[("number", ((seconds + 1800) / 3600).into())])
        }
    }
}

/// The pauses that are judged next, of places that the visitor sees. There are none before the first run, which draws
/// the seed of the waits.
async fn upcoming_in_view(visit: &Visit) -> Result<Vec<(UpcomingJudgment, String)>, PageError> {
    let site = &visit.site;
    let Some(seed) = site.store.replies().known_judgment_seed().await? else { return Ok(Vec::new()) };
    let manners = site.config.manners(seed);
    let upcoming = all_upcoming_judgments(&site.store, &site.config.places, &manners, site.now()).await?;
    let mut judged = Vec::new();
    for coming in upcoming
        .into_iter()
        .filter(|coming| visit.channel(coming.place.channel.as_str()).is_ok())
        .take(ON_A_PAGE)
    {
        let about = excerpt_of_message(visit, &coming.place, coming.pause.latest_ts).await?;
        judged.push((coming, about));
    }
    Ok(judged)
}

fn upcoming_list(visit: &Visit, next: &[(UpcomingJudgment, String)]) -> Markup {
    html! {
        @if !next.is_empty() {
            section.stack aria-labelledby="next" {
                h2 id="next" { (visit.say("decisions-next-if-nobody-says-anything")) }
                ol.lines.ledger {
                    @for (coming, about) in next {
                        li tabindex="-1" data-item {
                            span.m { (visit.times().instant(coming.at)) }
                            p.quiet dir="auto" { (place_link(visit, &coming.place)) " · “" (about) "”" }
                        }
                    }
                }
            }
        }
    }
}
