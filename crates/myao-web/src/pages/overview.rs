//! The overview: what is remembered, what needs a person, what it costs, and how myao is doing.

mod live;

use axum::response::Response;
use maud::{Markup, html};
use myao_config::{Database, ModelId};
use myao_core::{chat::ChannelId, context::Visibility, ports::Role};
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
            p.quiet { (visit.markup_with("counted", "Counted { $at }", "数えた時刻：{ $at }", &[("at", visit.times().instant(counted.at).into())])) }
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
                (visit.markup_with("last-said", "Last said: { $at }, in { $channel }.{\" \"}", "最後の発言：{ $at }、{ $channel }。",
                    &[("at", visit.times().instant(ts.to_timestamp()).into()), ("channel", html! { a href=(visit.channel_href(channel, "", &[])) { "#" (visit.view.names.channel(channel)) } }.into())]))
            }
            @if is_owners && last.is_some() {
                @if due == 0 { (visit.say("Memory has caught up.", "記憶は追いついています。")) }
                @else {
                    (visit.say_with("channels-due", "{ $due ->\n    [one] { $due } channel is waiting to be looked at.\n   *[other] { $due } channels are waiting to be looked at.\n}", "{ $due }チャンネルが、記憶の更新を待っています。", &[("due", due.into())]))
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
    if sums.messages == 0 {
        return visit.say("nothing-said", "Nothing was said yet that could be remembered.", "まだ、覚えることは何も話されていません。").to_owned();
    }
    let [messages, covered, pending, before, lost] =
        [sums.messages, sums.covered, sums.pending, sums.before_start, sums.uncovered].map(grouped);
    let remembered = [("covered", covered.into()), ("messages", messages.into())];
    let mut sentences = vec![visit.say_with("remembered-of", "{ $covered } of { $messages } messages are remembered.", "{ $messages }件の発言のうち、{ $covered }件を覚えています。", &remembered)];
    if sums.pending > 0 {
        let number = [("number", pending.into())];
        sentences.push(visit.say_with("waiting-for-end", "{ $number } wait for their chapter to end.", "{ $number }件は章が終わるのを待っています。", &number));
    }
    if sums.before_start > 0 {
        let number = [("number", before.into())];
        sentences.push(visit.say_with("older-than-memory", "{ $number } are older than the memory of their channel.", "{ $number }件は、記憶が始まるより前のものです。", &number));
    }
    sentences.push(if sums.uncovered == 0 {
        visit.say("none-lost", "None is lost.", "失われたものはありません。").to_owned()
    } else {
        let number = [("number", lost.into())];
        visit.say_with("some-lost", "{ $number } are in no memory. Some are lost: `myao memory verify` tells which.", "{ $number }件がどの記憶にもありません（`myao memory verify`）。", &number)
    });
    sentences.join(visit.say("common-between-sentences", " ", ""))
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
            p { (visit.markup_with("or-join-slack", "Or join Slack, and it remembers from then on: { $command }", "または、Slackに参加させると、そこから覚えます：{ $command }", &[("command", html! { code { "myao run" } }.into())])) }
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
        let words = visit.say("still-to-be-forgotten", "Something is still to be forgotten: `myao forget --resume`, or the next `myao run`, finishes it.", "忘れる途中のものがあります。`myao forget --resume`か、次の`myao run`が続けます。");
        needs.push((words.to_owned(), None));
    }
    let undecided =
        if visit.view.visibility == Visibility::Owner { store.undecided_memos().await? } else { 0 };
    if undecided > 0 {
        let words = visit.say_with("undecided-memos", "{ $number } memos from myao2 are in no prompt: say on their pages who sees them, or with `myao memo adopt`.",
            "myao2からのメモ{ $number }件は、どのプロンプトにも入っていません。だれに見せるかを各メモのページか`myao memo adopt`で決めてください。", &[("number", undecided.into())]);
        needs.push((words, Some(visit.href("/memos", &[]))));
    }
    if sums.uncovered > 0 {
        let words = visit.say("in-no-memory", "Messages are in no memory: `myao memory verify` tells which.", "どの記憶にもない発言があります（`myao memory verify`）。");
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
            visit.say_with("thread-of", "{ $channel }, thread of { $day }", "{ $channel }の{ $day }のスレッド", &[("channel", channel(id).into()), ("day", when.into())])
        }
        WorkSubject::ShortTerm(id, version) => {
            format!("{}, {}", channel(id), visit.say_with("common-chapter", "chapter { $number }", "章{ $number }", &[("number", version.into())]))
        }
        WorkSubject::LongTerm(id) => {
            visit.say_with("long-term-of", "{ $channel }, long-term memory", "{ $channel }の長期記憶", &[("channel", channel(id).into())])
        }
        WorkSubject::Workspace => visit.say("the workspace’s memory", "ワークスペースの記憶").to_owned(),
        WorkSubject::Entry(entry) => format!("{} {entry}", visit.say("entry-of-journal", "entry", "記録")),
        WorkSubject::Other(subject) => (*subject).to_owned(),
    }
}

fn told_needs(visit: &Visit, needs: &[(String, Option<String>)]) -> Markup {
    let more = needs.len().saturating_sub(MOST_NEEDS);
    html! {
        @if !needs.is_empty() {
            section.note.needs.stack aria-labelledby="needs" {
                h2 id="needs" {
                    (visit.say_with("needs", "{ $number ->\n    [one] { $number } thing needs a person\n   *[other] { $number } things need a person\n}", "人の手が必要なこと：{ $number }件", &[("number", needs.len().into())]))
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
    let (totals, index) = (counted.totals, site.store.index_progress().await?);
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
                dd { (visit.say_with("chapters-verbatim", "{ $chapters } (word for word: { $verbatim })", "{ $chapters } (そのまま：{ $verbatim })", &[("chapters", grouped(totals.chapters).into()), ("verbatim", grouped(totals.verbatim).into())])) }
                dt { (visit.say("Long-term", "長期記憶")) }
                dd {
                    (visit.say_with("common-channels", "{ $channels } channels", "{ $channels }チャンネル", &[("channels", grouped(totals.long_term).into())]))
                    @if totals.workspace { (visit.say(", and the workspace’s", "、ワークスペース全体")) }
                    @if totals.threads > 0 { (visit.say_with("and-threads", "; threads: { $number }", "。スレッド：{ $number }", &[("number", grouped(totals.threads).into())])) }
                }
                dt { (visit.say("Writes memories", "記憶を書く")) } dd { (model(Role::Memory)) }
                dt { (visit.say("Answers", "答える")) } dd { (model(Role::Response)) }
                dt { (visit.say("Judges", "判断する")) } dd { (model(Role::Judgment)) }
                dt { (visit.say("Search", "検索")) }
                dd {
                    @if index.finds_all { (visit.say("everything can be found", "すべて見つけられます")) }
                    @else { (visit.say_with("index-so-far", "{ $done } / { $all } channels so far", "{ $done } / { $all }チャンネルまで", &[("done", index.channels_done.into()), ("all", index.channels.into())])) }
                }
                dt { (visit.say("Archive", "保管")) }
                dd {
                    @match &site.config.database {
                        Database::Sqlite(_) => { (visit.say("one SQLite file", "SQLiteファイル")) }
                        Database::Postgres(_) => { "PostgreSQL" }
                    }
                    @if unread > 0 { (visit.say_with("and-unread", "; not understood, kept raw: { $number }", "。読み取れず、そのまま保管：{ $number }", &[("number", grouped(unread).into())])) }
                }
            }
        }
    })
}
