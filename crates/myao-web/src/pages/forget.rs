//! The pages of forgetting: first they show what would go; once that is confirmed, it is forgotten for good.

mod asked;
mod preview;

use std::sync::Arc;

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_companion::forgetting::{carry_out, clean};
use myao_core::forget::ForgetScope;
use myao_store::{BegunForgetting, ForgetPreview, ForgetStage, ForgetWork, Forgetting};

use self::asked::ForgetRequest;
use crate::{
    answer::{PageError, PageResult, go_to, page},
    layout::{Here, whole, whole_live},
    numbers::grouped,
    site::Site,
    visit::Visit,
};

/// How many past forgettings are listed.
const LISTED: u64 = 20;

/// `/forget`: shows what would go, by the fields of the form.
pub(super) async fn preview(visit: Visit) -> Result<Response, PageError> {
    form(&visit, None).await
}

async fn form(visit: &Visit, trouble: Option<&str>) -> Result<Response, PageError> {
    let title = visit.say("Forget", "忘れる");
    if visit.view.place.is_some() {
        let words = visit.say(
            "Only the owner’s view shows what would go.",
            "何が消えるかは、所有者として表示したときだけ見られます。",
        );
        let main = html! { header.head { h1 { (title) } p.lede { (words) } } };
        return Ok(page(whole(visit, title, &Here::At("/forget"), &main)));
    }
    let request =
        ForgetRequest::of(if visit.posted.is_set("confirm") { &visit.posted } else { &visit.query });
    let scope = if request.is_empty() { None } else { Some(request.scope(visit).await?) };
    let (found, unclear) = match scope {
        Some(Ok(scope)) => {
            let site = &visit.site;
            let is_new = !request.has_looked();
            let found = site.forget_counts.look(&site.store, &site.clock, scope, is_new).await?;
            (Some(found), None)
        }
        Some(Err(unclear)) => (None, Some(unclear)),
        None => (None, None),
    };
    let past = visit.site.store.forgettings(LISTED).await?;
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("Look first. Nothing goes until you say so at the end of this page.", "まず、何が消えるかを見ます。このページの最後で確かめるまで、何も消えません。")) }
        }
        div.stack {
            @if let Some(trouble) = trouble { p.note.needs role="alert" { (trouble) } }
            (request.form(visit))
            @if let Some((english, japanese)) = unclear { p.note.needs role="status" { (visit.say(english, japanese)) } }
            @if let Some((scope, found)) = &found {
                div.stack id=(preview::GOING) {
                    (preview::preview(visit, &request, scope, found).await?)
                    @if found.is_whole && !found.preview.is_empty() {
                        (confirmation(visit, &request, scope, &found.preview))
                    }
                }
            }
            (log(visit, &past))
        }
    };
    Ok(page(whole_live(visit, title, &Here::At("/forget"), &main)))
}

fn confirmation(
    visit: &Visit,
    request: &ForgetRequest,
    scope: &ForgetScope,
    preview: &ForgetPreview,
) -> Markup {
    html! {
        @if visit.may_change() {
            form.paper.stack method="post" action="/forget" aria-labelledby="sure" {
                h2 id="sure" { (visit.say("This can’t be taken back", "取り消しはできません")) }
                p {
                    @match visit.language {
                        myao_core::prompt::Language::En => { (visit.messages(preview.messages())) ", and every text made from them. The list below keeps that " (visit.visitor.name) " had something forgotten; not what." }
                        myao_core::prompt::Language::Ja => { (grouped(preview.messages())) "件の発言と、そこから作られた文章のすべて。下の一覧には、" (visit.visitor.name) "が忘れさせたことだけが残り、内容は残りません。" }
                    }
                }
                (visit.form_fields())
                (request.hidden(scope, preview))
                div.fields {
                    div.grow { label for="confirm" { (visit.say("Type: forget", "「忘れる」と入力")) } input id="confirm" name="confirm" autocomplete="off" required; }
                    button.harm type="submit" { (visit.say("Forget for good", "永久に忘れる")) }
                    a href="/forget" { (visit.say("Leave everything as it is", "そのままにする")) }
                }
            }
        } @else {
            p.note { (visit.say("You may look, and change nothing.", "見るだけで、何も変えられません。")) }
        }
    }
}

/// Begins a forgetting, once it is confirmed, and leads to the page that shows how far it has come. The work goes on in
/// the background: first the words are removed from the database, then its files are cleaned.
pub(super) async fn forget(visit: Visit) -> PageResult {
    if !matches!(visit.posted.text("confirm").trim().to_lowercase().as_str(), "forget" | "忘れる") {
        let words = visit.say(
            "Nothing was forgotten: type “forget” to confirm.",
            "何も忘れていません。「忘れる」と入力してください。",
        );
        return form(&visit, Some(words)).await;
    }
    let request = ForgetRequest::of(&visit.posted);
    let scope = match request.scope(&visit).await? {
        Ok(scope) => scope,
        Err((english, japanese)) => return form(&visit, Some(visit.say(english, japanese))).await,
    };
    let store = &visit.site.store;
    let shown = request.shown();
    let by = &visit.visitor.name;
    let now = visit.site.now();
    let begun = if shown.is_empty() {
        BegunForgetting::Begun(store.begin_forgetting(&scope, by, now).await?)
    } else {
        store.begin_forgetting_as_shown((&scope, shown), by, now).await?
    };
    let begun = match begun {
        BegunForgetting::Begun(works) => works,
        BegunForgetting::Differs(_) => {
            visit.site.forget_counts.clear();
            let words = visit.say(
                "Nothing was forgotten: since you looked, what would go has changed. This is what would go now.",
                "何も忘れていません。見てから、消えるものが変わりました。いま消えるのは次のとおりです。",
            );
            return form(&visit, Some(words)).await;
        }
    };
    let first = begun.first().map(|work| work.id).ok_or(PageError::NotFound)?;
    visit.site.forget_counts.clear();
    tokio::spawn(finish(Arc::clone(&visit.site), begun));
    Ok(go_to(&format!("/forgotten/{first}")))
}

/// Carries out forgettings that were begun. If this is interrupted, the next run or `myao forget --resume` finishes it.
async fn finish(site: Arc<Site>, works: Vec<ForgetWork>) {
    for work in works {
        let id = work.id;
        if let Err(error) = carry_out(&site.store, &*site.clock, work, |_| {}).await {
            tracing::error!(%error, forgetting = id, "something is still to be forgotten; `myao forget --resume` goes on");
            return;
        }
    }
    match clean(&site.config, &site.store, &*site.clock).await {
        Ok(cleaned) if cleaned.is_held => {
            tracing::warn!(
                "somebody still reads an older state of the database; `myao forget --resume` cleans its files"
            );
        }
        Ok(_) => {}
        Err(error) => {
            tracing::error!(%error, "files may still hold forgotten words; `myao forget --resume` goes on");
        }
    }
}

/// `/forgotten/ID`: how far a forgetting has come.
pub(super) async fn forgotten(Path(id): Path<String>, visit: Visit) -> PageResult {
    let id: i64 = id.parse().map_err(|_no_number| PageError::NotFound)?;
    if visit.view.place.is_some() {
        return Err(PageError::NotFound);
    }
    let forgetting = visit.site.store.forgetting(id).await?.ok_or(PageError::NotFound)?;
    let is_done = forgetting.stage == ForgetStage::Done;
    let title = if is_done {
        visit.say("Forgotten", "忘れました")
    } else {
        visit.say("Being forgotten", "忘れているところ")
    };
    let main = html! {
        header.head {
            h1 { (title) }
            // Where scripts run, the page is fetched again until all is done.
            p.lede role="status" hx-get=[(!is_done).then_some(&visit.path)] hx-trigger="load delay:500ms" hx-target="#main" hx-select="#main" hx-swap="outerHTML" {
                @if is_done {
                    (visit.say("The words are gone from the archive, from every memory, from the journal and the index.", "言葉は、保管、すべての記憶、記録、索引から消えました。"))
                } @else {
                    (stage(&visit, forgetting.stage)) " " a href=(visit.path) { (visit.say("Look again", "もう一度見る")) }
                }
            }
        }
        div.two {
            section.stack {
                h2 { (visit.say("In the list", "一覧に残ること")) }
                dl.facts {
                    dt { (visit.say("Who", "だれが")) } dd { (forgetting.by) }
                    dt { (visit.say("When", "いつ")) } dd { (visit.times().instant(forgetting.at)) }
                    dt { (visit.say("How far", "範囲")) } dd { (reach(&visit, &forgetting)) }
                    dt { (visit.say("Gone", "消えたもの")) } dd { (gone(&visit, &forgetting)) }
                }
                p { (visit.say("Memories are written anew from what remains.", "残ったものから、記憶が書き直されます。")) }
            }
            (preview::out_of_reach(&visit))
        }
        p { a href="/forget" { (visit.say("Forget something else", "ほかのものを忘れる")) } }
    };
    Ok(page(whole_live(&visit, title, &Here::At("/forget"), &main)))
}

fn stage(visit: &Visit, stage: ForgetStage) -> &'static str {
    let (english, japanese) = match stage {
        ForgetStage::Wiping => ("Messages lose their words.", "発言の言葉を消しています。"),
        ForgetStage::Sweeping => ("Every other text is searched.", "ほかの文章をすべて調べています。"),
        ForgetStage::Cleaning => (
            "The files are cleaned; no page shows the words any more.",
            "ファイルを掃除しています。もうどのページにも出ません。",
        ),
        ForgetStage::Done => ("Done.", "終わりました。"),
    };
    match visit.language {
        myao_core::prompt::Language::En => english,
        myao_core::prompt::Language::Ja => japanese,
    }
}

fn reach(visit: &Visit, forgetting: &Forgetting) -> String {
    let mut limits = Vec::new();
    if let Some(id) = &forgetting.channel {
        limits.push(format!("#{}", visit.view.names.channel(id)));
    }
    if forgetting.of_person {
        limits.push(visit.say("one person", "ある人").to_owned());
    }
    if forgetting.by_words {
        limits.push(visit.say("by words", "言葉で").to_owned());
    }
    if limits.is_empty() { visit.say("a span of time", "ある期間").to_owned() } else { limits.join(", ") }
}

fn gone(visit: &Visit, forgetting: &Forgetting) -> String {
    let [messages, texts, memos] = [forgetting.messages, forgetting.texts, forgetting.memos].map(grouped);
    match visit.language {
        myao_core::prompt::Language::En => {
            format!("{messages} messages, {texts} texts made from them, {memos} memos")
        }
        myao_core::prompt::Language::Ja => {
            format!("発言{messages}件、そこから作られた文章{texts}件、メモ{memos}件")
        }
    }
}

fn log(visit: &Visit, past: &[Forgetting]) -> Markup {
    html! {
        @if !past.is_empty() {
            section.stack aria-labelledby="past" {
                h2 id="past" { (visit.say("Forgotten so far", "これまでに忘れたもの")) }
                ol.lines.ledger {
                    @for forgetting in past {
                        li {
                            span.m { (visit.times().instant(forgetting.at)) }
                            p { a href=(format!("/forgotten/{}", forgetting.id)) { (reach(visit, forgetting)) } " · " (forgetting.by) " · " span.quiet { (gone(visit, forgetting)) } @if forgetting.stage != ForgetStage::Done { " · " b { (stage(visit, forgetting.stage)) } } }
                        }
                    }
                }
            }
        }
    }
}
