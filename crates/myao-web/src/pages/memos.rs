//! The pages of memos: notes that somebody wanted to be kept.

use axum::{extract::Path, response::Response};
use maud::{Markup, html};
use myao_config::ModelId;
use myao_core::{
    context::memo::{
        CONTENT_LIMIT, DETAIL_LIMIT, HIGHEST_PRIORITY, LOWEST_PRIORITY, NAME_LIMIT, USUAL_PRIORITY,
    },
    ports::Role,
};
use myao_store::{MOST_LISTED, MemoAudience, MemoMaker, MemoQuery, StoredMemo};

use crate::{
    answer::{PageError, PageResult, page_response},
    layout::{Here, whole_page},
    numbers::digits_in_groups,
    show::{TalkView, drawn_words, talk_with_days, without_invisible},
    visit::{Visit, escape_path_part},
};

/// `/memos`: `tag` is a tag; `from` is how many memos to skip.
pub(super) async fn show_memo_list(visit: Visit) -> Result<Response, PageError> {
    list_with_trouble(&visit, None).await
}

/// The page with the list of memos; `trouble` says why a new memo was not made.
pub(super) async fn list_with_trouble(visit: &Visit, trouble: Option<&str>) -> Result<Response, PageError> {
    let title = visit.say("common-memos");
    let tag = visit.query.get("tag").map(str::to_owned);
    let offset = visit.query.parsed::<u32>("from").map_or(0, u64::from);
    let query = MemoQuery { tag: tag.clone(), offset, limit: MOST_LISTED };
    let found = visit.site.store.memos().page(&visit.view.visibility, &query).await?;
    let tags = visit.site.store.memos().tags_with_counts(&visit.view.visibility).await?;
    let shown = offset.saturating_add(u64::try_from(found.memos.len()).unwrap_or(u64::MAX));
    let next =
        visit.href("/memos", &[("tag", tag.as_deref().unwrap_or_default()), ("from", &shown.to_string())]);
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("memos-what-somebody-asked")) }
        }
        div.stack {
            @if !tags.is_empty() {
                p.row {
                    span.quiet { (visit.say("memos-tags-to-choose")) }
                    @for (name, count) in &tags { a href=(visit.href("/memos", &[("tag", name)])) aria-current=[(tag.as_ref() == Some(name)).then_some("page")] { (name) " " small { (count) } } }
                    @if tag.is_some() { a href=(visit.href("/memos", &[])) { (visit.say("memos-all")) } }
                }
            }
            @if found.memos.is_empty() { p.note { (visit.say("memos-there-are-none")) (visit.say("common-between-sentences")) (how_to_make_one(visit)) } }
            ol.lines.ledger { @for memo in &found.memos { (line_about_memo(visit, memo)) } }
            @if shown < found.total { p { a href=(next) rel="next" { (visit.say("memos-more")) } " " span.quiet { (digits_in_groups(shown)) " / " (digits_in_groups(found.total)) } } }
            @if visit.may_change() { (new_memo_form(visit, trouble)) }
        }
    };
    Ok(page_response(whole_page(visit, title, &Here::At("/memos"), &main)))
}

/// What makes a memo here. `builtin` takes no tools, so asking it to remember something makes none.
fn how_to_make_one(visit: &Visit) -> &'static str {
    let takes_notes = visit.site.config.agents.get(Role::Response).model_id != ModelId::Builtin;
    visit.say(match (takes_notes, visit.may_change()) {
        (true, true) => "memos-say-remember-or-write",
        (true, false) => "memos-say-remember",
        (false, true) => "memos-write-one-here",
        (false, false) => "memos-write-in-terminal",
    })
}

/// The address of a memo.
pub(super) fn address_of_memo(visit: &Visit, memo: &StoredMemo) -> String {
    visit.href(&format!("/memos/{}", escape_path_part(memo.id.as_str())), &[])
}

fn line_about_memo(visit: &Visit, stored: &StoredMemo) -> Markup {
    let memo = &stored.memo;
    html! {
        li tabindex="-1" data-item {
            span.m { (visit.say_with("memos-priority-of", &[("priority", memo.priority.into())])) }
            div {
                p dir="auto" { a href=(address_of_memo(visit, stored)) { b { (without_invisible(&memo.name)) } } " " (drawn_words(&visit.view.names.show(&memo.content))) }
                p.quiet { (whose_in_words(visit, stored)) " · " (visit.times().instant(stored.updated_at)) @for tag in &memo.tags { " · " (tag) } }
            }
        }
    }
}

/// The channel that a memo belongs to, or who else sees it.
fn whose_in_words(visit: &Visit, stored: &StoredMemo) -> String {
    let words = match &stored.audience {
        MemoAudience::Channel(id) => return format!("#{}", visit.view.names.channel(id)),
        MemoAudience::Everybody => visit.say("memos-everybodys"),
        MemoAudience::Owner => visit.say("memos-the-owners-own"),
        MemoAudience::Undecided => visit.say("memos-from-myao2-nobody-has-said"),
    };
    words.to_owned()
}

/// The memo with this id, if the visitor sees it.
pub(super) async fn find_visible(visit: &Visit, id: &str) -> Result<StoredMemo, PageError> {
    let mut offset = 0;
    loop {
        let query = MemoQuery { tag: None, offset, limit: MOST_LISTED };
        let some = visit.site.store.memos().page(&visit.view.visibility, &query).await?;
        if let Some(memo) = some.memos.iter().find(|memo| memo.id.as_str() == id) {
            return Ok(memo.clone());
        }
        offset = offset.saturating_add(MOST_LISTED);
        if some.memos.is_empty() || offset >= some.total {
            return Err(PageError::NotFound);
        }
    }
}

/// `/memos/ID`: one memo.
pub(super) async fn show_one_memo(Path(id): Path<String>, visit: Visit) -> PageResult {
    let stored = find_visible(&visit, &id).await?;
    one_with_trouble(&visit, &stored, None).await
}

/// The page of one memo; `trouble` says why it was not changed.
pub(super) async fn one_with_trouble(
    visit: &Visit,
    stored: &StoredMemo,
    trouble: Option<&str>,
) -> Result<Response, PageError> {
    let sources = visit.site.store.memos().messages_behind(&visit.view.visibility, &stored.id).await?;
    let team_url = visit.site.store.archive().team_url().await?;
    let memo = &stored.memo;
    let by = match &stored.maker {
        MemoMaker::Person(name) => name.as_str(),
        MemoMaker::Reply => visit.say("memos-a-reply-because-somebody-asked"),
    };
    let title = without_invisible(&memo.name);
    let main = html! {
        header.head { h1 { (title) } p { a href=(visit.href("/memos", &[])) { (visit.say("memos-all-memos")) } } }
        div.two {
            section.stack {
                article.paper {
                    p.memory dir="auto" { (drawn_words(&visit.view.names.show(&memo.content))) }
                    @if let Some(detail) = &memo.detail { pre dir="auto" { (without_invisible(&visit.view.names.show(detail))) } }
                }
                dl.facts {
                    dt { (visit.say("memos-of")) } dd { (whose_in_words(visit, stored)) }
                    dt { (visit.say("memos-priority")) } dd { (memo.priority) }
                    @if !memo.tags.is_empty() { dt { (visit.say("memos-tags")) } dd { (memo.tags.join(", ")) } }
                    dt { (visit.say("memos-made")) } dd { (visit.times().instant(stored.created_at)) ", " (by) }
                    dt { (visit.say("memos-changed")) } dd { (visit.times().instant(stored.updated_at)) @if let Some(name) = &stored.changed_by { ", " (name) } }
                }
                @if !sources.is_empty() {
                    h2 { (visit.say("memos-because-of")) }
                    (talk_with_days(visit, &sources, &TalkView { team_url: team_url.as_deref(), ..TalkView::default() }))
                }
            }
            @if visit.may_change() { (edit_memo_form(visit, stored, trouble)) }
        }
    };
    Ok(page_response(whole_page(visit, &title, &Here::At("/memos"), &main)))
}

fn new_memo_form(visit: &Visit, trouble: Option<&str>) -> Markup {
    let posted = &visit.posted;
    html! {
        details open[trouble.is_some()] {
            summary { (visit.say("memos-write-a-memo")) }
            form.paper.stack method="post" action="/memos" {
                @if let Some(trouble) = trouble { p.note.needs role="alert" { (visit.say_with("common-not-saved", &[("why", trouble.into())])) } }
                (visit.form_fields())
                (form_fields(visit, posted.text("name"), posted.text("content"), posted.text("detail"), posted.parsed::<u8>("priority").unwrap_or(USUAL_PRIORITY), posted.text("tags")))
                (audience_fields(visit, posted.text("audience"), posted.text("channel")))
                p { button.go type="submit" { (visit.say("memos-keep-it")) } }
            }
        }
    }
}

fn edit_memo_form(visit: &Visit, stored: &StoredMemo, trouble: Option<&str>) -> Markup {
    let memo = &stored.memo;
    let tags = memo.tags.join(", ");
    let posted = &visit.posted;
    // A text that was written and refused is shown again, so that it is not lost.
    let kept = |name: &str, own: &str| {
        if posted.is_set("content") { posted.text(name).to_owned() } else { own.to_owned() }
    };
    let name = kept("name", &memo.name);
    let content = kept("content", &memo.content);
    let detail = kept("detail", memo.detail.as_deref().unwrap_or_default());
    let tags = kept("tags", &tags);
    html! {
        section.stack {
            form.paper.stack method="post" action=(visit.path) aria-labelledby="change" {
                h2 id="change" { (visit.say("memos-change-it")) }
                @if let Some(trouble) = trouble { p.note.needs role="alert" { (visit.say_with("common-not-saved", &[("why", trouble.into())])) } }
                (visit.form_fields())
                input type="hidden" name="seen" value=(stored.updated_at.as_microsecond());
                (form_fields(visit, &name, &content, &detail, memo.priority, &tags))
                p { button.go type="submit" { (visit.say("memos-save")) } }
            }
            // What a reply wrote is its channel's.
            @if matches!(stored.maker, MemoMaker::Person(_)) {
                form.paper.stack method="post" action=(visit.path) aria-labelledby="move" {
                    h2 id="move" { (visit.say("memos-who-sees-it")) }
                    (visit.form_fields())
                    input type="hidden" name="seen" value=(stored.updated_at.as_microsecond());
                    input type="hidden" name="move" value="1";
                    (audience_fields(visit, stored.audience.as_str(), stored.channel().map_or("", |id| visit.view.names.channel(id))))
                    p { button.go type="submit" { (visit.say("memos-move-it")) } }
                }
            }
            form.stack method="post" action=(visit.path) {
                (visit.form_fields())
                input type="hidden" name="seen" value=(stored.updated_at.as_microsecond());
                div.choice { input type="checkbox" id="sure" name="remove" value="1" required; label for="sure" { (visit.say("memos-remove-this-memo")) } }
                p { button.harm type="submit" { (visit.say("memos-remove")) } }
            }
        }
    }
}

/// Who sees a memo: everybody, a channel by its name, or the owner alone.
fn audience_fields(visit: &Visit, chosen: &str, channel: &str) -> Markup {
    let everybody = MemoAudience::Everybody.as_str();
    html! {
        div.field {
            label for="memo-channel" { (visit.say("memos-channel-by-name-empty-your")) }
            input id="memo-channel" name="channel" value=(channel);
        }
        div.choice {
            input type="checkbox" id="memo-everybody" name="audience" value=(everybody) checked[chosen == everybody];
            label for="memo-everybody" { (visit.say("memos-everybodys-seen-in-every-place")) }
        }
    }
}

fn form_fields(visit: &Visit, name: &str, content: &str, detail: &str, priority: u8, tags: &str) -> Markup {
    html! {
        div.field { label for="memo-name" { (visit.say("memos-name")) } input id="memo-name" name="name" maxlength=(NAME_LIMIT) required value=(name); }
        div.field { label for="memo-content" { (visit.say("memos-what-it-says")) } textarea id="memo-content" name="content" rows="3" maxlength=(CONTENT_LIMIT) required { (content) } }
        div.field { label for="memo-detail" { (visit.say("memos-more-read-on-demand")) } textarea id="memo-detail" name="detail" rows="4" maxlength=(DETAIL_LIMIT) { (detail) } }
        div.fields {
            div.field {
                label for="memo-priority" { (visit.say("memos-priority")) }
                select id="memo-priority" name="priority" { @for n in LOWEST_PRIORITY..=HIGHEST_PRIORITY { option value=(n) selected[n == priority] { (n) } } }
            }
            div.grow { label for="memo-tags" { (visit.say("memos-tags-at-most-three")) } input id="memo-tags" name="tags" value=(tags); }
        }
    }
}
