//! The overview: what is remembered, what needs a person, what it costs, and how myao is doing.

mod live;

use axum::response::Response;
use maud::{Markup, html};
use myao_config::{Database, ModelId};
use myao_core::{chat::ChannelId, context::Visibility, ports::Role, prompt::Language};
use myao_store::{Coverage, Setback, WorkSubject};

use super::{channels, cost};
use crate::{
    answer::{PageError, page},
    layout::{Here, whole_live},
    numbers::grouped,
    show::key,
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
pub(super) async fn overview(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("Overview", "全体");
    let counted = visit.site.counted().await?;
    let is_empty = counted.coverage.is_empty() && visit.view.channels.is_empty();
    let [(_, told), (_, pulse), (_, needs), (_, cost), (_, health)] = parts(&visit).await?;
    let main = html! {
        header.head {
            h1.vh { (title) }
            (told)
            (pulse)
        }
        div.stack hx-sse:connect=(visit.href("/live", &[])) hx-swap="none" {
            (needs)
            @if is_empty { (beginning(&visit)) } @else {
                section.stack aria-labelledby="cov" {
                    div.row.spread {
                        h2 id="cov" { (visit.say("What is remembered", "記憶していること")) }
                        p.row.quiet { (legend(&visit)) }
                    }
                    (channels::listed(&visit).await?)
                    p.quiet { (visit.say("Every message is in exactly one column. “Uncovered” is counted to show that there is none.",
                        "どの発言も、どれか一つの列に入ります。「漏れ」は、ないことを示すために数えています。")) }
                }
            }
            div.two { (cost) (health) }
        }
    };
    Ok(page(whole_live(&visit, title, &Here::At("/"), &main)))
}

pub(super) use live::live;

/// The parts of the page that change while somebody looks at it, as they are now.
async fn parts(visit: &Visit) -> Result<OverviewParts, PageError> {
    let counted = visit.site.counted().await?;
    let sums = SeenSums::of(visit, &counted.coverage);
    let is_owners = visit.view.place.is_none();
    let needs = if is_owners { needs(visit, &sums).await? } else { Vec::new() };
    let told = html! {
        div id="told" {
            p.lede { (first_sentence(visit, &sums)) }
            p.quiet { (visit.say("Counted ", "数えた時刻：")) (visit.times().instant(counted.at)) }
        }
    };
    let cost = html! {
        section.stack id="spent" aria-labelledby="cost" {
            h2 id="cost" { (visit.say("What 30 days cost", "30日間の費用")) }
            (cost::chart(visit).await?)
            p { a href=(visit.href("/cost", &[])) { (visit.say("By model, role, purpose and channel", "モデル、役割、用途、チャンネルごとに")) } }
        }
    };
    let health = if is_owners {
        health(visit).await?
    } else {
        html! {}
    };
    Ok([
        ("told", told),
        ("pulse", pulse(visit, is_owners).await?),
        ("needed", html! { div id="needed" role="status" { (told_needs(visit, &needs)) } }),
        ("spent", cost),
        ("doing", html! { div id="doing" { (health) } }),
    ])
}

/// The line that says what was said last, and whether memory keeps up with it.
async fn pulse(visit: &Visit, is_owners: bool) -> Result<Markup, PageError> {
    let store = &visit.site.store;
    let last = store.last_said(&visit.view.visibility).await?;
    let due = if is_owners { store.channels_due(visit.site.now()).await?.len() } else { 0 };
    Ok(html! {
        p.quiet id="pulse" {
            @if let Some((channel, ts)) = &last {
                (visit.say("Last said: ", "最後の発言：")) (visit.times().instant(ts.to_timestamp()))
                (visit.say(", in ", "、"))
                a href=(visit.channel_href(channel, "", &[])) { "#" (visit.view.names.channel(channel)) } (visit.say(". ", "。"))
            }
            @if is_owners && last.is_some() {
                @match (due, visit.language) {
                    (0, Language::En) => { "Memory has caught up." }
                    (0, Language::Ja) => { "記憶は追いついています。" }
                    (1, Language::En) => { "1 channel is waiting to be looked at." }
                    (_, Language::En) => { (due) " channels are waiting to be looked at." }
                    (_, Language::Ja) => { (due) "チャンネルが、記憶の更新を待っています。" }
                }
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
    let [messages, covered, pending, before, lost] =
        [sums.messages, sums.covered, sums.pending, sums.before_start, sums.uncovered].map(grouped);
    match (visit.language, sums.messages) {
        (Language::En, 0) => "Nothing was said yet that could be remembered.".to_owned(),
        (Language::Ja, 0) => "まだ、覚えることは何も話されていません。".to_owned(),
        (Language::En, _) => {
            let none = if sums.uncovered == 0 {
                "None is lost."
            } else {
                "Some are lost: `myao memory verify` tells which."
            };
            let lost = if sums.uncovered == 0 { String::new() } else { format!(" {lost} are in no memory.") };
            let waiting = if sums.pending == 0 {
                String::new()
            } else {
                format!(" {pending} wait for their chapter to end.")
            };
            let older = if sums.before_start == 0 {
                String::new()
            } else {
                format!(" {before} are older than the memory of their channel.")
            };
            format!("{covered} of {messages} messages are remembered.{waiting}{older}{lost} {none}")
        }
        (Language::Ja, _) => {
            let lost = if sums.uncovered == 0 {
                "失われたものはありません。".to_owned()
            } else {
                format!("{lost}件がどの記憶にもありません（`myao memory verify`）。")
            };
            let waiting = if sums.pending == 0 {
                String::new()
            } else {
                format!("{pending}件は章が終わるのを待っています。")
            };
            let older = if sums.before_start == 0 {
                String::new()
            } else {
                format!("{before}件は、記憶が始まるより前のものです。")
            };
            format!("{messages}件の発言のうち、{covered}件を覚えています。{waiting}{older}{lost}")
        }
    }
}

fn legend(visit: &Visit) -> Markup {
    html! {
        (key("k1", visit.say("remembered", "記憶済み")))
        (key("k3", visit.say("waiting", "待ち")))
        (key("k0", visit.say("before start", "記憶の前")))
        (key("kx", visit.say("uncovered", "漏れ")))
    }
}

/// Says what to do where the archive is still empty.
fn beginning(visit: &Visit) -> Markup {
    html! {
        section.note.stack {
            h2 { (visit.say("How to begin", "はじめに")) }
            p { (visit.say("Take an export of your workspace in, and have it remembered:", "ワークスペースのエクスポートを取り込み、覚えさせます：")) }
            pre { "myao import slack export.zip\nmyao memory build" }
            p { (visit.say("Or join Slack, and it remembers from then on: ", "または、Slackに参加させると、そこから覚えます：")) code { "myao run" } }
        }
    }
}

/// The things that a person has to look at, each with the address of the page about it, if there is one.
async fn needs(visit: &Visit, sums: &SeenSums) -> Result<Vec<(String, Option<String>)>, PageError> {
    let store = &visit.site.store;
    let mut needs = Vec::new();
    for Setback { subject, reason, flagged, attempts, .. } in store.setbacks().await? {
        let about = WorkSubject::parse(&subject);
        let channel = about.channel().filter(|id| visit.channel(id.as_str()).is_ok());
        let times = if flagged { String::new() } else { format!(" ({attempts}×)") };
        needs.push((
            format!("{}: {reason}{times}", told_subject(visit, &about)),
            channel.map(|id| visit.channel_href(id, "", &[])),
        ));
    }
    if store.has_more_to_forget().await? {
        let words = "Something is still to be forgotten: `myao forget --resume`, or the next `myao run`, finishes it.";
        let japanese = "忘れる途中のものがあります。`myao forget --resume`か、次の`myao run`が続けます。";
        needs.push((visit.say(words, japanese).to_owned(), None));
    }
    let undecided =
        if visit.view.visibility == Visibility::Owner { store.undecided_memos().await? } else { 0 };
    if undecided > 0 {
        let words = match visit.language {
            Language::En => format!(
                "{undecided} memos from myao2 are in no prompt: say on their pages who sees them, or with `myao memo adopt`."
            ),
            Language::Ja => format!(
                "myao2からのメモ{undecided}件は、どのプロンプトにも入っていません。だれに見せるかを各メモのページか`myao memo adopt`で決めてください。"
            ),
        };
        needs.push((words, Some(visit.href("/memos", &[]))));
    }
    if sums.uncovered > 0 {
        let words = "Messages are in no memory: `myao memory verify` tells which.";
        needs.push((
            visit.say(words, "どの記憶にもない発言があります（`myao memory verify`）。").to_owned(),
            None,
        ));
    }
    Ok(needs)
}

fn told_subject(visit: &Visit, subject: &WorkSubject<'_>) -> String {
    let channel = |id| format!("#{}", visit.view.names.channel(id));
    match subject {
        WorkSubject::Channel(id) => channel(id),
        WorkSubject::Thread(id, root) => {
            let when = visit.times().date(visit.times().day_of(root.to_timestamp()));
            match visit.language {
                Language::En => format!("{}, thread of {when}", channel(id)),
                Language::Ja => format!("{}の{when}のスレッド", channel(id)),
            }
        }
        WorkSubject::ShortTerm(id, version) => {
            format!("{}, {}{version}", channel(id), visit.say("chapter ", "章"))
        }
        WorkSubject::LongTerm(id) => {
            format!("{}{}", channel(id), visit.say(", long-term memory", "の長期記憶"))
        }
        WorkSubject::Workspace => visit.say("the workspace’s memory", "ワークスペースの記憶").to_owned(),
        WorkSubject::Entry(entry) => format!("{} {entry}", visit.say("entry", "記録")),
        WorkSubject::Other(subject) => (*subject).to_owned(),
    }
}

fn told_needs(visit: &Visit, needs: &[(String, Option<String>)]) -> Markup {
    let more = needs.len().saturating_sub(MOST_NEEDS);
    html! {
        @if !needs.is_empty() {
            section.note.needs.stack aria-labelledby="needs" {
                h2 id="needs" {
                    @match visit.language {
                        Language::En => { (needs.len()) @if needs.len() == 1 { " thing needs a person" } @else { " things need a person" } }
                        Language::Ja => { "人の手が必要なこと：" (needs.len()) "件" }
                    }
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

async fn health(visit: &Visit) -> Result<Markup, PageError> {
    let site = &visit.site;
    let counted = site.counted().await?;
    let totals = counted.totals;
    let index = site.store.index_progress().await?;
    let unread = site.store.unread().await?;
    let model = |role: Role| match &site.config.agents.get(role).model_id {
        ModelId::Builtin => {
            visit.say("builtin: quotes, does not write", "builtin（引用するだけ）").to_owned()
        }
        ModelId::Provider { provider, model } => format!("{provider}/{model}"),
    };
    Ok(html! {
        section.stack aria-labelledby="health" {
            h2 id="health" { (visit.say("How it is doing", "いまの様子")) }
            dl.facts {
                dt { (visit.say("Chapters", "章")) }
                dd { (grouped(totals.chapters)) " (" (visit.say("word for word: ", "そのまま：")) (grouped(totals.verbatim)) ")" }
                dt { (visit.say("Long-term", "長期記憶")) }
                dd {
                    (grouped(totals.long_term)) (visit.say(" channels", "チャンネル"))
                    @if totals.workspace { (visit.say(", and the workspace’s", "、ワークスペース全体")) }
                    @if totals.threads > 0 { (visit.say("; threads: ", "。スレッド：")) (grouped(totals.threads)) }
                }
                dt { (visit.say("Writes memories", "記憶を書く")) } dd { (model(Role::Memory)) }
                dt { (visit.say("Answers", "答える")) } dd { (model(Role::Response)) }
                dt { (visit.say("Judges", "判断する")) } dd { (model(Role::Judgment)) }
                dt { (visit.say("Search", "検索")) }
                dd {
                    @if index.finds_all { (visit.say("everything can be found", "すべて見つけられます")) }
                    @else { (index.channels_done) " / " (index.channels) (visit.say(" channels so far", "チャンネルまで")) }
                }
                dt { (visit.say("Archive", "保管")) }
                dd {
                    @match &site.config.database {
                        Database::Sqlite(_) => { (visit.say("one SQLite file", "SQLiteファイル")) }
                        Database::Postgres(_) => { "PostgreSQL" }
                    }
                    @if unread > 0 { (visit.say("; not understood, kept raw: ", "。読み取れず、そのまま保管：")) (grouped(unread)) }
                }
            }
        }
    })
}
