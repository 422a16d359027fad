//! What the pages of a channel show as of a day: what was remembered then, what held, and what had been said (ADR 135).

use maud::{Markup, html};
use myao_core::{
    chat::{Channel, MessageTs},
    recall::{AsOfError, parse_as_of},
};
use myao_store::{AsOfQuery, ChannelAsOf, JournalEntry, RemovedSince, VersionAsOf};

use super::channel::how_it_came_about;
use crate::{
    answer::PageError,
    show::{SheetReading, TalkView, changed_lines, lines_in_order, sheet_of_lines, talk_with_days},
    visit::{VIEW, Visit},
};

/// The name of the parameter.
const AS_OF: &str = "as_of";
/// The most messages after the last chapter that are shown.
const MOST_TALK: usize = 200;

/// Which time a page is asked for.
pub(super) enum TimeAsked {
    /// Now.
    Now,
    /// An instant of talk.
    Then(MessageTs),
    /// None that can be shown; the sentence says why.
    Wrong(String),
}

/// The time as of which the page of a channel is asked for.
pub(super) async fn time_asked(visit: &Visit, channel: &Channel) -> Result<TimeAsked, PageError> {
    let Some(text) = visit.query.get(AS_OF) else { return Ok(TimeAsked::Now) };
    let given = [("given", text.into())];
    let instant = match parse_as_of(text, visit.site.now(), &visit.site.config.locale.timezone) {
        Ok(instant) => instant,
        Err(AsOfError::Unreadable(_)) => {
            return Ok(TimeAsked::Wrong(visit.say_with("channel-as-of-unreadable", &given)));
        }
        Err(AsOfError::Future(_)) => {
            return Ok(TimeAsked::Wrong(visit.say_with("channel-as-of-future", &given)));
        }
    };
    let first = visit.site.store.memory().first_said(&visit.view.visibility, Some(&channel.id)).await?;
    if first.is_none_or(|first| first > instant) {
        return Ok(TimeAsked::Wrong(visit.say_with("channel-as-of-before-everything", &given)));
    }
    visit.note_instants([instant.to_timestamp()]);
    Ok(TimeAsked::Then(instant))
}

/// The form that asks for a day. `kept` are further parameters of the page.
pub(super) fn form_for_day(visit: &Visit, kept: &[(&str, &str)]) -> Markup {
    html! {
        form.fields method="get" action=(visit.path) {
            div.field {
                label for="as_of" { (visit.say("channel-as-of")) }
                input id="as_of" name=(AS_OF) type="date" value=(visit.query.text(AS_OF));
            }
            @for (name, value) in kept.iter().filter(|(_, value)| !value.is_empty()) {
                input type="hidden" name=(name) value=(value);
            }
            @if let Some(place) = &visit.view.place { input type="hidden" name=(VIEW) value=(place.id.as_str()); }
            button type="submit" { (visit.say("decisions-show")) }
            @if visit.query.is_set(AS_OF) { a href=(visit.href(&visit.path, kept)) { (visit.say("channel-as-of-now-instead")) } }
        }
    }
}

/// What was remembered of a channel as of an instant, beside what had been said after its last chapter.
pub(super) async fn memory_as_of(
    visit: &Visit,
    channel: &Channel,
    instant: MessageTs,
) -> Result<Markup, PageError> {
    let store = &visit.site.store;
    let versions = visit.site.config.memory.history.shown().max(1);
    let query = AsOfQuery { instant, versions, most_talk: MOST_TALK };
    let stood = store.memory().channel_as_of(&visit.view.visibility, &channel.id, query).await?;
    let stood = stood.ok_or(PageError::NotFound)?;
    let team_url = store.archive().team_url().await?;
    let talk = talk_with_days(
        visit,
        &stood.talk,
        &TalkView { team_url: team_url.as_deref(), ..TalkView::default() },
    );
    Ok(html! {
        p.lede { (visit.markup_with("channel-as-of-shown", &[("at", visit.times().instant(instant.to_timestamp()).into())])) }
        (removed(visit, &stood.removed))
        div.two {
            (long_term(visit, stood.long_term.as_ref()))
            section.stack aria-labelledby="chs" {
                h2 id="chs" { (visit.say("channel-its-chapters")) }
                @if stood.versions.is_empty() { p.quiet { (visit.say("channel-none-ended-yet-a-chapter")) } }
                @for version in stood.versions.iter().rev() { (chapter(visit, channel, version)) }
                (said_after(visit, &stood, &talk))
            }
        }
    })
}

/// What of that time is not shown as it was.
pub(super) fn removed(visit: &Visit, removed: &RemovedSince) -> Markup {
    let sentence = |key: &'static str, number: u64| {
        html! { @if number > 0 { p.note { (visit.say_with(key, &[("number", number.into())])) } } }
    };
    html! {
        (sentence("channel-as-of-removed", removed.messages))
        (sentence("channel-as-of-unwritten", removed.chapters))
        (sentence("channel-as-of-edited", removed.edited))
        (sentence("channel-as-of-expired", removed.expired))
    }
}

fn long_term(visit: &Visit, entry: Option<&JournalEntry>) -> Markup {
    let Some(entry) = entry else {
        return html! {
            section.sheets aria-labelledby="lt" {
                article.paper.stack {
                    h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) }
                    p { (visit.say("channel-as-of-nothing-folded")) }
                }
            }
        };
    };
    let text = visit.view.names.show(entry.content.as_deref().unwrap_or_default());
    let lines = changed_lines(None, &lines_in_order(&text));
    html! {
        section.sheets aria-labelledby="lt" {
            article.paper {
                header {
                    h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) }
                    p.quiet { (visit.markup_with("channel-as-of-written", &[("at", visit.times().instant(entry.at).into())])) }
                }
                (sheet_of_lines(visit, &lines, &SheetReading { why: None, is_new: false }))
            }
        }
    }
}

fn chapter(visit: &Visit, channel: &Channel, version: &VersionAsOf) -> Markup {
    let number = version.version;
    let lines = changed_lines(None, &lines_in_order(&visit.view.names.show(&version.content)));
    html! {
        article.paper {
            header {
                h3 { a href=(visit.channel_href(&channel.id, &format!("/chapter/{number}"), &[])) { (visit.chapter_heading(number)) } }
                p.quiet {
                    @if let Some((from, to)) = version.period { (visit.times().period(from, to)) ". " }
                    (how_it_came_about(visit, version.kind)) ". "
                    (visit.markup_with("channel-as-of-written", &[("at", visit.times().instant(version.written_at).into())]))
                }
            }
            (sheet_of_lines(visit, &lines, &SheetReading { why: None, is_new: false }))
            @for line in &version.ended {
                p.quiet dir="auto" {
                    (visit.markup_with("channel-as-of-ended", &[("day", visit.times().day(line.end.day).into()), ("words", visit.view.names.show(&line.end.words).into())]))
                }
            }
        }
    }
}

fn said_after(visit: &Visit, stood: &ChannelAsOf, talk: &Markup) -> Markup {
    html! {
        @if !stood.talk.is_empty() {
            h2 { (visit.say("common-what-was-said")) }
            @if stood.earlier_talk > 0 { p.quiet { "… " (stood.earlier_talk) } }
            (talk)
        }
    }
}
