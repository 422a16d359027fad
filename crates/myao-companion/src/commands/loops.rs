//! `/myao loops`: what is promised, asked and to come, through the eyes of whoever asks.

use myao_core::{
    loops::{LoopsAsked, LoopsAskedFor},
    text::{Lexicon, fold_for_comparison},
};
use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::StoreError;
use serde_json::json;

use super::context::{CommandAsker, Commands};
use crate::open_loops::{EVERYTHING_OPEN, OpenLoopsQuery, find_open_loops};

static MINE: Lexicon = Lexicon::of_all("commands.mine");

/// The most that is shown.
const MOST_SHOWN: usize = 20;

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    whose: &str,
) -> Result<PrivateAnswer, StoreError> {
    let Some(wanted) = asked_for(with, asker, whose).await? else {
        let words = with.phrase_with("command-recall-nobody", &json!({ "name": whose }));
        return Ok(PrivateAnswer::of_words(words));
    };
    let query = OpenLoopsQuery {
        visibility: &asker.visibility,
        channel: None,
        asked: &wanted,
        at: with.clock.now(),
        zone: with.zone(),
        language: with.language,
    };
    let found = find_open_loops(with.store, &query).await?;
    if found.open.is_empty() {
        return Ok(PrivateAnswer::of_words(with.phrase("loops-none")));
    }
    let mut lines: Vec<AnswerLine> = found
        .open
        .iter()
        .take(MOST_SHOWN)
        .map(|one| AnswerLine {
            label: Some(format!("#{} {}", found.names.channel(&one.channel), found.label(one))),
            address: found.permalink(one),
            text: found.words(one),
        })
        .collect();
    let more = found.open.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        lines.push(AnswerLine::of(with.phrase_with("loops-more", &json!({ "more": more }))));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

/// What is asked for; `None` if nobody, or several people, are called so.
async fn asked_for(
    with: &Commands<'_>,
    asker: &CommandAsker,
    whose: &str,
) -> Result<Option<LoopsAskedFor>, StoreError> {
    if whose.is_empty() {
        return Ok(Some(EVERYTHING_OPEN));
    }
    let folded = fold_for_comparison(whose);
    let of = |user| Some(LoopsAskedFor { what: LoopsAsked::All, of: Some(user) });
    if MINE.words().any(|word| word == folded) {
        return Ok(of(asker.user.clone()));
    }
    let people = with.store.recall().named_people().await?;
    Ok(match &people.with_name(whose)[..] {
        [one] => of(one.id.clone()),
        _ => None,
    })
}
