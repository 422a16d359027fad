//! The page of decisions: when myao spoke up unasked, when it kept quiet, and why.

use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use myao_companion::live::{UpcomingJudgment, coming};
use myao_core::{
    context::Place,
    judgment::ReplyState,
    prompt::{Language, TalkFormat, talk_lines},
};
use myao_store::{LedgerQuery, VerdictKind, VerdictRecord};

use crate::{
    answer::{PageError, page},
    layout::{Here, whole},
    messages::Catalogue,
    numbers::percent,
    show::plain,
    visit::Visit,
};

/// How many decisions a page lists.
const ON_A_PAGE: usize = 40;
/// The numbers of days among which one can choose.
const DAYS: [i64; 4] = [7, 30, 90, 3650];
/// How many characters are shown of the message that a decision is about.
const EXCERPT: usize = 160;

/// `/decisions`: `channel` is an id; `days` is how far back the list reaches.
pub(super) async fn decisions(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("Decisions", "判断");
    let channel = match visit.query.get("channel") {
        Some(id) => Some(visit.channel(id)?.id.clone()),
        None => None,
    };
    let days = visit.query.parsed::<i64>("days").filter(|days| DAYS.contains(days)).unwrap_or(30);
    let since =
        visit.site.now().saturating_sub(SignedDuration::from_hours(days * 24)).unwrap_or(Timestamp::MIN);
    let limit = u64::try_from(ON_A_PAGE + 1).unwrap_or(u64::MAX);
    let query = LedgerQuery { channel: channel.clone(), since, limit };
    let mut records = visit.site.store.verdicts(&visit.view.visibility, &query).await?;
    let has_more = records.len() > ON_A_PAGE;
    records.truncate(ON_A_PAGE);
    let mut lines = Vec::with_capacity(records.len());
    for record in &records {
        lines.push(line(&visit, record).await?);
    }
    let next = next(&visit).await?;
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("Where nobody answers somebody for a while, it considers to speak up. Every such decision is here, silence included.",
                "しばらく誰も答えないとき、口を開くかどうかを考えます。黙っていたときも含めて、すべてここにあります。")) }
        }
        div.stack {
            (filters(&visit, days))
            @if visit.view.place.is_none() {
                p { a href="/decisions/replay" { (visit.say("The same past under other settings", "同じ過去を、別の設定で")) } }
            }
            @if lines.is_empty() { p.note { (visit.say("Nothing was decided in that time.", "この間の判断はありません。")) } }
            ol.lines.ledger { @for line in &lines { (line) } }
            @if has_more { p.quiet { (visit.say("The newest of these; choose a channel to see earlier ones.", "新しいものだけです。チャンネルを選ぶと、前のものも見られます。")) } }
            (upcoming(&visit, &next))
        }
    };
    Ok(page(whole(&visit, title, &Here::At("/decisions"), &main)))
}

fn filters(visit: &Visit, days: i64) -> Markup {
    html! {
        form.fields method="get" action="/decisions" {
            div.field {
                label for="days" { (visit.say("How far back", "どこまで")) }
                select id="days" name="days" {
                    @for choice in DAYS {
                        option value=(choice) selected[choice == days] {
                            @if choice > 1000 { (visit.say("everything", "すべて")) } @else { (visit.say_with("common-days", "{ $days } days", "{ $days }日", &[("days", choice.into())])) }
                        }
                    }
                }
            }
            @if let Some(channel) = visit.query.get("channel") { input type="hidden" name="channel" value=(channel); }
            @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            button type="submit" { (visit.say("Show", "表示")) }
            @if visit.query.is_set("channel") { a href=(visit.href("/decisions", &[])) { (visit.say("all channels", "すべてのチャンネル")) } }
        }
    }
}

pub(super) async fn excerpt(
    visit: &Visit,
    place: &Place,
    ts: myao_core::chat::MessageTs,
) -> Result<String, PageError> {
    let found = visit.site.store.message(&visit.view.visibility, &place.channel, ts).await?;
    let Some(message) = found.filter(|message| !message.deleted) else {
        return Ok(visit.say("(deleted)", "（削除されました）").to_owned());
    };
    let zone = &visit.site.config.locale.timezone;
    let format = TalkFormat { names: &visit.view.names, zone, language: visit.language, limit: EXCERPT };
    let line = talk_lines([message], &format).into_iter().next();
    Ok(line.map(|line| format!("{}: {}", line.name, plain(&line.text))).unwrap_or_default())
}

pub(super) fn place(visit: &Visit, place: &Place) -> Markup {
    let (path, name) = match place.thread {
        Some(root) => (format!("/thread/{root}"), visit.say(", in a thread", "のスレッド")),
        None => (String::new(), ""),
    };
    html! { a href=(visit.channel_href(&place.channel, &path, &[])) { "#" (visit.view.names.channel(&place.channel)) (name) } }
}

async fn line(visit: &Visit, record: &VerdictRecord) -> Result<Markup, PageError> {
    let about = excerpt(visit, &record.place, record.latest_ts).await?;
    let (sign, class, verdict) = verdict(visit, record);
    let reason = if record.wiped {
        visit.say("its words were removed", "言葉は消されました")
    } else {
        &record.reason
    };
    let details = details(visit, record);
    Ok(html! {
        li id=(format!("d{}", record.id)) tabindex="-1" data-item {
            span.m { (visit.times().instant(record.at)) }
            div {
                p.quiet dir="auto" { (place(visit, &record.place)) " · “" (about) "”" }
                p dir="auto" {
                    span aria-hidden="true" class=(format!("sign {class}")) { (sign) } " "
                    b { (verdict) } @if !reason.is_empty() { (visit.say("common-before-a-reason", ": ", "：")) (plain(&visit.view.names.show(reason))) }
                }
                @if !details.is_empty() { p.quiet.num { (details.join(" · ")) } }
            }
        }
    })
}

/// What was decided and what came of it, as a sign, a CSS class and words.
pub(super) fn verdict(visit: &Visit, record: &VerdictRecord) -> (char, &'static str, &'static str) {
    let state = record.reply.as_ref().map(|reply| reply.state);
    match (record.kind, state) {
        (VerdictKind::Quiet, _) => ('○', "quiet", visit.say("Kept quiet", "黙っていた")),
        (VerdictKind::Failed, _) => ('×', "failed", visit.say("Could not decide", "判断できなかった")),
        (VerdictKind::Speak, Some(ReplyState::Skipped)) => {
            ('◐', "late", visit.say("Wanted to, was too late", "話そうとしたが間に合わなかった"))
        }
        (VerdictKind::Speak, Some(ReplyState::Failed)) => {
            ('×', "failed", visit.say("Wanted to, could not", "話そうとしてできなかった"))
        }
        (VerdictKind::Speak, Some(ReplyState::Wanted | ReplyState::Written)) => {
            ('●', "spoke", visit.say("Speaks soon", "まもなく話す"))
        }
        (VerdictKind::Speak, Some(ReplyState::Done) | None) => ('●', "spoke", visit.say("Spoke", "話した")),
    }
}

fn details(visit: &Visit, record: &VerdictRecord) -> Vec<String> {
    let mut details = Vec::new();
    if let Some(sure) = record.confidence {
        details.push(visit.say_with("how-sure", "{ $share } sure", "{ $share } 確か", &[("share", percent(sure).into())]));
    }
    if let Some(wait) = record.wait {
        details.push(visit.say_with("waited", "waited { $span }", "待った時間：{ $span }", &[("span", span(visit.language, wait).into())]));
    }
    if let Some(reply) = record.reply.as_ref().filter(|reply| !reply.reason.is_empty()) {
        details.push(reply.reason.clone());
    }
    if let Some(model) = &record.model {
        details.push(model.clone());
    }
    details
}

/// Writes a span of time: in seconds below two minutes, otherwise rounded to minutes or hours.
pub(super) fn span(language: Language, span: SignedDuration) -> String {
    let messages = Catalogue::of(language);
    match span.as_secs() {
        seconds @ ..120 => messages.say_with("span-in-seconds", "{ $number } s", "{ $number }秒", &[("number", seconds.into())]),
        seconds @ 120..7200 => messages.say_with("span-in-minutes", "{ $number } min", "{ $number }分", &[("number", ((seconds + 30) / 60).into())]),
        seconds => messages.say_with("span-in-hours", "{ $number } h", "{ $number }時間", &[("number", ((seconds + 1800) / 3600).into())]),
    }
}

/// The pauses that are judged next, of places that the visitor sees. There are none before the first run, which draws
/// the seed of the waits.
async fn next(visit: &Visit) -> Result<Vec<(UpcomingJudgment, String)>, PageError> {
    let site = &visit.site;
    let Some(seed) = site.store.known_judgment_seed().await? else { return Ok(Vec::new()) };
    let upcoming = coming(&site.store, &site.config.manners(seed), site.now()).await?;
    let mut judged = Vec::new();
    for coming in upcoming
        .into_iter()
        .filter(|coming| visit.channel(coming.place.channel.as_str()).is_ok())
        .take(ON_A_PAGE)
    {
        let about = excerpt(visit, &coming.place, coming.pause.latest_ts).await?;
        judged.push((coming, about));
    }
    Ok(judged)
}

fn upcoming(visit: &Visit, next: &[(UpcomingJudgment, String)]) -> Markup {
    html! {
        @if !next.is_empty() {
            section.stack aria-labelledby="next" {
                h2 id="next" { (visit.say("Next, if nobody says anything", "次（誰も話さなければ）")) }
                ol.lines.ledger {
                    @for (coming, about) in next {
                        li tabindex="-1" data-item {
                            span.m { (visit.times().instant(coming.at)) }
                            p.quiet dir="auto" { (place(visit, &coming.place)) " · “" (about) "”" }
                        }
                    }
                }
            }
        }
    }
}
