//! Shows what was decided then, beside what would be decided with other settings.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use myao_companion::replay::{LabelledShare, Replayed, VoteLabels};
use myao_core::{
    chat::{ChannelId, MessageTs, Place, Visibility},
    judgment::ReplyState,
};
use myao_store::{LedgerQuery, VerdictKind, VerdictRecord};

use super::super::decisions::{excerpt_of_message, place_link, span_as_text, verdict_sign};
use crate::{
    answer::PageError,
    numbers::digits_in_groups,
    replays::{ReplayJudge, ReplayState},
    show::without_invisible,
    visit::Visit,
};

/// The most pauses that are shown: first those that differ, each group newest first.
const MOST_ROWS: usize = 60;
/// The most decisions that are read from the ledger, the newest.
const MOST_RECORDS: u64 = 5_000;

/// A pause, with what was decided about it and what would be decided now.
#[derive(Default)]
struct JudgedPause<'a> {
    was: Option<&'a VerdictRecord>,
    would_be: Option<&'a Replayed>,
}

impl JudgedPause<'_> {
    fn was_said(&self) -> bool {
        self.was.is_some_and(was_said)
    }

    fn would_be_said(&self) -> bool {
        self.would_be.is_some_and(|moment| moment.said_at.is_some())
    }

    /// Whether myao spoke then and would keep quiet now, or the other way round.
    fn differs(&self) -> bool {
        self.was_said() != self.would_be_said()
    }
}

fn was_said(record: &VerdictRecord) -> bool {
    record.reply.as_ref().is_some_and(|reply| reply.state == ReplyState::Done)
}

/// Both sides of a replay that is over.
pub(super) async fn both_sides(visit: &Visit, state: &ReplayState) -> Result<Markup, PageError> {
    let records = ledger_of_period(visit, state).await?;
    let moments: Vec<&Replayed> = state.outcomes.iter().flat_map(|outcome| &outcome.moments).collect();
    let mut pauses: BTreeMap<(MessageTs, &ChannelId, Option<MessageTs>), JudgedPause<'_>> = BTreeMap::new();
    // Of several decisions about one pause, the one that led to a reply counts, or else the last.
    for record in records.iter().rev() {
        let pause = pauses.entry((record.latest_ts, &record.place.channel, record.place.thread)).or_default();
        if !pause.was_said() {
            pause.was = Some(record);
        }
    }
    for moment in &moments {
        let pause = pauses.entry((moment.latest_ts, &moment.place.channel, moment.place.thread)).or_default();
        if !pause.would_be_said() {
            pause.would_be = Some(moment);
        }
    }
    let (differing, alike): (Vec<_>, Vec<_>) = pauses.iter().rev().partition(|(_, pause)| pause.differs());
    let differing_all = differing.len();
    let alike_all = alike.len();
    let mut rows = Vec::new();
    for ((ts, channel, thread), pause) in differing.into_iter().chain(alike).take(MOST_ROWS) {
        let at = Place { channel: (*channel).clone(), thread: *thread };
        rows.push((at.clone(), excerpt_of_message(visit, &at, *ts).await?, pause));
    }
    let left_out = (differing_all + alike_all).saturating_sub(rows.len());
    Ok(html! {
        (sums_of_sides(visit, state, &records, &moments))
        @if state.order.judge != ReplayJudge::Rules {
            p {
                (visit.markup_with("replay-pauses-differ", &[("number", html! { b.num { (differing_all) } }.into())]))
            }
        }
        @if !rows.is_empty() {
            div.scroll tabindex="0" role="region" aria-label=(visit.say("replay-then-and-with-these-settings")) {
                table.beside {
                    thead { tr {
                        th scope="col" { (visit.say("replay-then")) }
                        th scope="col" { (visit.say("replay-with-these-settings")) }
                    } }
                    @for (at, about, pause) in &rows { (rows_of(visit, at, about, pause)) }
                }
            }
        }
        @if left_out > 0 { p.quiet { (visit.say_with("common-and-others", &[("number", left_out.into())])) } }
    })
}

/// The decisions of the ledger from that time and these channels, newest first. What was decided this very moment is one
/// of them: the span ends now.
async fn ledger_of_period(visit: &Visit, state: &ReplayState) -> Result<Vec<VerdictRecord>, PageError> {
    let (from, until) = state.order.span;
    let channel = match &state.order.channels[..] {
        [one] => Some(one.id.clone()),
        _ => None,
    };
    let query = LedgerQuery { channel, since: from, limit: MOST_RECORDS };
    let mut records = visit.site.store.replies().list_verdicts(&Visibility::Owner, &query).await?;
    let is_meant = |id: &ChannelId| state.order.channels.iter().any(|channel| channel.id == *id);
    records.retain(|record| record.at <= until && is_meant(&record.place.channel));
    Ok(records)
}

/// Both sides in numbers.
fn sums_of_sides(
    visit: &Visit,
    state: &ReplayState,
    records: &[VerdictRecord],
    moments: &[&Replayed],
) -> Markup {
    let number = |number: usize| digits_in_groups(u64::try_from(number).unwrap_or(u64::MAX));
    let people: u64 = state.outcomes.iter().map(|outcome| outcome.people).sum();
    let failed: u64 = state.outcomes.iter().map(|outcome| outcome.failed).sum();
    let said = moments.iter().filter(|moment| moment.said_at.is_some()).count();
    let is_judged = state.order.judge != ReplayJudge::Rules;
    let labelled = VoteLabels::of_verdicts(records).outcome(moments);
    let labelled = [("replay-liked", labelled.liked), ("replay-disliked", labelled.disliked)];
    html! {
        p.quiet { (visit.say_with("replay-people-said", &[("messages", visit.messages(people).into())])) }
        div.two role="status" {
            section.stack {
                h2 { (visit.say("replay-then")) }
                dl.facts {
                    dt { (visit.say("replay-considered")) } dd { (number(records.len())) }
                    dt { (visit.say("common-spoke")) } dd { (number(records.iter().filter(|record| was_said(record)).count())) }
                }
                @if records.is_empty() { p.quiet { (visit.say("replay-nothing-was-decided")) } }
            }
            section.stack {
                h2 { (visit.say("replay-with-these-settings")) }
                dl.facts {
                    dt { (visit.say("replay-considered")) } dd { (number(moments.len())) }
                    dt { (visit.say("common-spoke")) } dd { @if is_judged { (number(said)) } @else { (visit.say("replay-nobody-judged")) } }
                    @for (key, share) in labelled.iter().filter(|(_, share)| is_judged && share.all > 0) {
                        dt { (visit.say(key)) } dd { (share_in_words(visit, *share)) }
                    }
                    @if failed > 0 { dt { (visit.say("common-could-not-decide")) } dd { (digits_in_groups(failed)) } }
                }
            }
        }
    }
}

/// In how many of the pauses that people have an opinion about it is to speak.
fn share_in_words(visit: &Visit, share: LabelledShare) -> String {
    visit.say_with("replay-some-of", &[("some", share.to_speak.into()), ("all", share.all.into())])
}

/// A pause: the last message before it, and below that both sides, so that they have room on a phone as well.
fn rows_of(visit: &Visit, at: &Place, about: &str, pause: &JudgedPause<'_>) -> Markup {
    html! {
        tbody {
            tr { th scope="rowgroup" colspan="2" dir="auto" { (place_link(visit, at)) " · “" (about) "”" } }
            tr {
                td dir="auto" { @match pause.was { Some(record) => { (decided_then(visit, record)) } None => { span.quiet { (visit.say("replay-was-not-considered")) } } } }
                td dir="auto" { @match pause.would_be { Some(moment) => { (would_decide_now(visit, moment)) } None => { span.quiet { (visit.say("replay-would-not-be-considered")) } } } }
            }
        }
    }
}

fn decided_then(visit: &Visit, record: &VerdictRecord) -> Markup {
    let (sign, class, words) = verdict_sign(visit, record);
    let reason = if record.wiped { visit.say("common-its-words-were-removed") } else { &record.reason };
    let is_said = was_said(record) && record.kind == VerdictKind::Speak;
    html! {
        (decision_markup(visit, sign, class, words, reason, is_said))
        br; span.quiet { @match record.wait { Some(wait) => { (at_after(visit, record.at, wait)) } None => { (visit.times().instant(record.at)) } } }
    }
}

fn would_decide_now(visit: &Visit, moment: &Replayed) -> Markup {
    let (sign, class, words) = match (&moment.verdict, moment.said_at) {
        (_, Some(_)) => ('●', "spoke", visit.say("replay-speaks")),
        (Some(verdict), None) if verdict.should_respond => {
            ('◐', "late", visit.say("replay-wants-to-somebody-is-quicker"))
        }
        (Some(_), None) => ('○', "quiet", visit.say("replay-keeps-quiet")),
        (None, None) => ('○', "quiet", visit.say("replay-considers-it")),
    };
    let reason = moment.verdict.as_ref().map_or("", |verdict| verdict.reason.as_str());
    html! {
        (decision_markup(visit, sign, class, words, reason, moment.said_at.is_some()))
        br; span.quiet { (at_after(visit, moment.said_at.unwrap_or(moment.at), moment.wait)) }
    }
}

/// An instant, and how long after the silence began that was.
fn at_after(visit: &Visit, at: Timestamp, wait: SignedDuration) -> Markup {
    let arguments =
        [("at", visit.times().instant(at).into()), ("span", span_as_text(visit.language, wait).into())];
    visit.markup_with("replay-at-after", &arguments)
}

fn decision_markup(
    visit: &Visit,
    sign: char,
    class: &str,
    words: &str,
    reason: &str,
    is_said: bool,
) -> Markup {
    html! {
        span aria-hidden="true" class=(format!("sign {class}")) { (sign) } " "
        @if is_said { b { (words) } } @else { (words) }
        @if !reason.is_empty() { (visit.say("common-before-a-reason")) (without_invisible(&visit.view.names.show(reason))) }
    }
}
