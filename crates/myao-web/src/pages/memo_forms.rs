//! Writing, changing and removing memos with forms.

use axum::{extract::Path, response::Response};
use myao_companion::tools::memo::MemoFields;
use myao_core::context::MemoDraft;
use myao_store::{MemoAudience, MemoError, MemoHand, MemoPlacement, StoredMemo};

use super::memos::{address_of_memo, find_visible, list_with_trouble, one_with_trouble};
use crate::{
    answer::{PageError, PageResult, go_to},
    visit::Visit,
};

/// The fields of a memo, as a form sent them.
fn sent_fields(visit: &Visit) -> MemoFields {
    let tags =
        visit.posted.text("tags").split([',', '、', '，']).map(str::trim).filter(|tag| !tag.is_empty());
    MemoFields {
        name: Some(visit.posted.text("name").to_owned()),
        content: Some(visit.posted.text("content").replace("\r\n", "\n")),
        priority: visit.posted.parsed("priority"),
        tags: Some(tags.map(str::to_owned).collect()),
        detail: Some(visit.posted.text("detail").replace("\r\n", "\n")),
    }
}

/// Who is to see a memo, as a form says it; `None` if it names a channel that does not exist.
fn sent_audience(visit: &Visit) -> Option<MemoAudience> {
    if visit.posted.text("audience") == MemoAudience::Everybody.as_str() {
        return Some(MemoAudience::Everybody);
    }
    let Some(name) = visit.posted.get("channel") else { return Some(MemoAudience::Owner) };
    let bare = name.strip_prefix(['#', '＃']).unwrap_or(name);
    let meant =
        visit.view.channels.iter().find(|channel| channel.name == bare || channel.id.as_str() == bare);
    meant.map(|channel| MemoAudience::Channel(channel.id.clone()))
}

fn no_channel(visit: &Visit) -> &'static str {
    visit.say("memos-there-is-no-such-channel")
}

/// Writes a memo.
pub(super) async fn add_from_form(visit: Visit) -> PageResult {
    let Some(audience) = sent_audience(&visit) else {
        return list_with_trouble(&visit, Some(no_channel(&visit))).await;
    };
    let fields = sent_fields(&visit);
    let draft = MemoDraft::new(visit.posted.text("name"), fields.content.as_deref().unwrap_or_default());
    let draft = match draft.and_then(|draft| Ok(draft.with(&fields.checked()?))) {
        Ok(draft) => draft,
        Err(error) => return list_with_trouble(&visit, Some(&error.to_string())).await,
    };
    let hand = MemoHand::Owner { name: visit.visitor.name.clone(), audience };
    match visit.site.store.memos().add(&hand, &draft, visit.site.now()).await {
        Ok(memo) => Ok(go_to(&address_of_memo(&visit, &memo))),
        Err(MemoError::Store(error)) => Err(error.into()),
        Err(error) => list_with_trouble(&visit, Some(&error.to_string())).await,
    }
}

/// Changes, moves or removes a memo.
pub(super) async fn change_from_form(Path(id): Path<String>, visit: Visit) -> PageResult {
    let stored = find_visible(&visit, &id).await?;
    if visit.posted.parsed::<i64>("seen") != Some(stored.updated_at.as_microsecond()) {
        let words = visit.say("memos-the-memo-changed-meanwhile-look");
        return one_with_trouble(&visit, &stored, Some(words)).await;
    }
    let hand = MemoHand::Owner { name: visit.visitor.name.clone(), audience: stored.audience.clone() };
    if visit.posted.is_set("remove") {
        return remove_and_redirect(&visit, &hand, &stored).await;
    }
    if visit.posted.is_set("move") {
        return move_to_audience(&visit, &stored).await;
    }
    let change = match sent_fields(&visit).checked() {
        Ok(change) => change,
        Err(error) => return one_with_trouble(&visit, &stored, Some(&error.to_string())).await,
    };
    match visit.site.store.memos().edit(&hand, &stored.memo.name, &change, visit.site.now()).await {
        Ok(memo) => Ok(go_to(&address_of_memo(&visit, &memo))),
        Err(MemoError::Store(error)) => Err(error.into()),
        Err(error) => one_with_trouble(&visit, &stored, Some(&error.to_string())).await,
    }
}

async fn move_to_audience(visit: &Visit, stored: &StoredMemo) -> Result<Response, PageError> {
    let Some(audience) = sent_audience(visit) else {
        return one_with_trouble(visit, stored, Some(no_channel(visit))).await;
    };
    let placement = MemoPlacement { memo: stored.id.clone(), audience, by: visit.visitor.name.clone() };
    match visit.site.store.memos().change_audience(&placement, visit.site.now()).await {
        Ok(memo) => Ok(go_to(&address_of_memo(visit, &memo))),
        Err(MemoError::Store(error)) => Err(error.into()),
        Err(error) => one_with_trouble(visit, stored, Some(&error.to_string())).await,
    }
}

async fn remove_and_redirect(
    visit: &Visit,
    hand: &MemoHand,
    stored: &StoredMemo,
) -> Result<Response, PageError> {
    match visit.site.store.memos().remove(hand, &stored.memo.name, visit.site.now()).await {
        Ok(_) => Ok(go_to(&visit.href("/memos", &[]))),
        Err(MemoError::Store(error)) => Err(error.into()),
        Err(error) => one_with_trouble(visit, stored, Some(&error.to_string())).await,
    }
}
