//! `/myao brief`: what somebody missed, through the eyes of whoever asks.

use myao_core::recall::brief::BriefWish;
use myao_slack::{
    private_answer::{AnswerLine, PrivateAnswer},
    text::markup_as_notation,
};
use myao_store::StoreError;
use serde_json::json;

use super::context::{CommandAsker, Commands};
use crate::brief::{BriefOrder, make_brief, with_channels_by_name};

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    typed: &str,
) -> Result<PrivateAnswer, StoreError> {
    let typed = markup_as_notation(typed);
    let typed = match with_channels_by_name(with.store, &asker.visibility, &typed).await? {
        Ok(typed) => typed,
        Err(name) => {
            let values = json!({ "name": name });
            return Ok(PrivateAnswer::of_words(with.phrase_with("command-recall-no-channel", &values)));
        }
    };
    let now = with.clock.now();
    let told = match BriefWish::of_command(&typed, now, with.zone()) {
        Ok(told) => told,
        Err(words) => {
            let values = json!({ "words": words });
            return Ok(PrivateAnswer::of_words(with.phrase_with("brief-no-day", &values)));
        }
    };
    let order = BriefOrder {
        visibility: &asker.visibility,
        user: &asker.user,
        wish: &told,
        place: asker.channel.as_ref().map(|channel| &channel.id),
        now,
        zone: with.zone(),
        language: with.language,
    };
    let brief = make_brief(with.store, order).await?;
    let team_url = with.team_url().await?;
    let mut lines = vec![AnswerLine::of(brief.heading(&order))];
    for section in brief.sections(&order, team_url.as_deref()) {
        lines.push(AnswerLine { label: Some(section.heading), ..AnswerLine::default() });
        lines.extend(section.lines);
    }
    Ok(PrivateAnswer::of_lines(lines))
}
