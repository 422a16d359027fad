//! What a channel's memory waits for: how far the chapter under way has come, and when it ends.

use jiff::SignedDuration;
use myao_core::{
    chat::{Channel, MessageTs, instant_after},
    memory::{Completeness, horizon_of_channel},
    wording::moment_in_prompt,
};

use super::{Failure, output};
use crate::app::App;

/// Says how far the chapter under way has come; `None` when nothing was said since the last one ended.
pub(super) async fn for_chapter(app: &App, channel: &Channel) -> Result<Option<String>, Failure> {
    let chapters = app.store.memory().chapters_in_channel(&channel.id).await?;
    let from = chapters.uncut_from().unwrap_or(MessageTs::MIN);
    let Some((row, talk)) = app.store.archive().talk_after(&channel.id, from).await? else { return Ok(None) };
    let Some(last) = talk.last() else { return Ok(None) };
    let zone = &app.config.locale.timezone;
    let history = &app.config.memory.history;
    if !history.enabled {
        return Ok(None);
    }
    let policy = history.policy();
    let said = output::count_with_noun(u64::try_from(talk.len()).unwrap_or(u64::MAX), "message");
    let silence =
        SignedDuration::from_secs(i64::try_from(policy.conversation_idle_seconds).unwrap_or(i64::MAX));
    let is_heard = row.member && row.gap_from.is_none();
    let when = if is_heard {
        let closes = MessageTs::from_timestamp(instant_after(last.to_timestamp(), silence));
        format!(", which would be at {}", moment_in_prompt(closes, zone))
    } else {
        let heard = Completeness { member: row.member, gap_from: row.gap_from, until: row.heard_until };
        format!(
            "; what was said is known up to {}",
            moment_in_prompt(horizon_of_channel(heard, app.clock.now()), zone)
        )
    };
    let number = chapters.next_version();
    let provisional = match chapters.provisional_from {
        Some(_) => format!(", and version {number} is provisional until it ends"),
        None => String::new(),
    };
    Ok(Some(format!(
        "chapter {number} is under way{provisional}: {said}; it ends with the {}th, or when nobody has spoken for \
         {silence:#}{when}",
        policy.message_threshold
    )))
}

/// Says why nothing is remembered of a channel.
pub(super) async fn why_nothing(app: &App, channel: &Channel) -> Result<String, Failure> {
    let name = &channel.name;
    let Some((row, talk)) = app.store.archive().talk_after(&channel.id, MessageTs::MIN).await? else {
        return Ok(format!("nothing was said in #{name} yet, so nothing is remembered of it"));
    };
    let heard = Completeness { member: row.member, gap_from: row.gap_from, until: row.heard_until };
    let horizon = horizon_of_channel(heard, app.clock.now());
    Ok(match talk.first() {
        None => format!("nothing was said in #{name} yet, so nothing is remembered of it"),
        Some(first) if *first > horizon => format!(
            "nothing is remembered of #{name} yet: what was said there is known up to {} only, and what came later may \
             have holes",
            moment_in_prompt(horizon, &app.config.locale.timezone)
        ),
        Some(_) => format!("nothing is remembered of #{name} yet; `myao memory build` builds it"),
    })
}
