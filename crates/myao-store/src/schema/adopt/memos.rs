//! Takes over memos and judgment caches.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, MessageTs},
    context::{
        Memo,
        memo::{HIGHEST_PRIORITY, LOWEST_PRIORITY, NAME_LIMIT, USUAL_PRIORITY},
    },
};
use serde_json::Value;

use super::{
    adoption::{Adopter, Adoption},
    tables::{self, OldRow},
    talk::{self, AdoptedTalk},
};
use crate::{StoreError, db::Tx, intake::arrive, memos::log};

/// Takes the memos over. The predecessor did not record where a memo was made: the owner has to say who sees it.
pub(super) async fn take_over_memos(
    tx: &mut Tx,
    adopter: Adopter,
    adoption: &mut Adoption,
) -> Result<(), StoreError> {
    let rows = tables::MEMOS.rows_put_aside(tx, None).await?;
    let wanted: Vec<&str> = rows.iter().map(wanted_name).collect();
    for (row, name) in rows.iter().zip(unique_memo_names(&wanted)) {
        let updated = row.instant("updated_at").unwrap_or(adopter.now);
        let created = row.instant("created_at").unwrap_or(updated);
        let priority = row.number("priority").unwrap_or(i64::from(USUAL_PRIORITY));
        let priority = priority.clamp(i64::from(LOWEST_PRIORITY), i64::from(HIGHEST_PRIORITY));
        let added = on!(tx, c => sqlx::query(
            "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, audience, created_at,
                                updated_at, made_by)
             VALUES ($1, $2, $3, $4, $5, $6, NULL, 'undecided', $7, $8, 'myao2') ON CONFLICT (id) DO NOTHING")
            .bind(row.text("id")).bind(&name).bind(row.text("content")).bind(priority)
            .bind(Value::from(parse_tags(row.text("tags"))).to_string()).bind(row.get("detail"))
            .bind(created.as_microsecond()).bind(updated.as_microsecond())
            .execute(c).await.map(|done| done.rows_affected()))?;
        if added == 0 {
            keep_raw(tx, row, "another memo has the same id", adopter, adoption).await?;
            continue;
        }
        let memo = Memo {
            name: name.clone(),
            content: row.text("content").to_owned(),
            priority: u8::try_from(priority).unwrap_or(USUAL_PRIORITY),
            tags: parse_tags(row.text("tags")),
            detail: row.get("detail").map(str::to_owned),
        };
        log::note_adopted_memo(tx, row.text("id"), &memo, adopter.now).await?;
        adoption.memos += 1;
        adoption.memos_renamed += u64::from(name != row.text("name"));
    }
    Ok(())
}

/// The name a memo should get. In databases of earlier versions the id is the name.
fn wanted_name(row: &OldRow) -> &str {
    let name = row.text("name").trim();
    if name.is_empty() { row.text("id") } else { name }
}

/// Unique names that are short enough; a wanted name that is both is kept.
fn unique_memo_names(wanted: &[&str]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let fits = |name: &str| name.chars().count() <= NAME_LIMIT;
    let kept: Vec<bool> = wanted.iter().map(|name| fits(name) && taken.insert((*name).to_owned())).collect();
    let free = |name: &str, taken: &mut BTreeSet<String>| {
        let mut candidate: String = name.chars().take(NAME_LIMIT).collect();
        let mut number = 2_u32;
        while !taken.insert(candidate.clone()) {
            let suffix = format!("-{number}");
            let room = NAME_LIMIT.saturating_sub(suffix.len());
            candidate = name.chars().take(room).chain(suffix.chars()).collect();
            number += 1;
        }
        candidate
    };
    wanted
        .iter()
        .zip(kept)
        .map(|(name, kept)| if kept { (*name).to_owned() } else { free(name, &mut taken) })
        .collect()
}

/// Parses a JSON list, or one that was encoded as text once more; anything else is one tag.
fn parse_tags(text: &str) -> Vec<String> {
    match serde_json::from_str(text) {
        Ok(Value::Array(tags)) => {
            tags.into_iter().map(|tag| tag.as_str().map_or_else(|| tag.to_string(), str::to_owned)).collect()
        }
        Ok(Value::String(inner)) if inner.trim_start().starts_with('[') => parse_tags(&inner),
        Ok(Value::Null) => Vec::new(),
        Ok(_) | Err(_) if text.trim().is_empty() => Vec::new(),
        Ok(_) | Err(_) => vec![text.to_owned()],
    }
}

/// Takes the judgment caches over as verdicts: each holds until its next check was due. None of them is acted upon any
/// more.
pub(super) async fn take_over_judgments(
    tx: &mut Tx,
    adopter: Adopter,
    known: &AdoptedTalk,
    adoption: &mut Adoption,
) -> Result<(), StoreError> {
    for row in tables::JUDGMENTS.rows_put_aside(tx, None).await? {
        let channel = ChannelId::new(row.text("channel_id"));
        let thread = row.get("thread_ts").filter(|id| !id.is_empty());
        let thread_ts = thread.map_or(Some(MessageTs::MIN), |id| known.time_stamp_of(&channel, id));
        let (Some(thread_ts), Some(latest)) =
            (thread_ts, known.time_stamp_of(&channel, row.text("latest_message_ts")))
        else {
            keep_raw(tx, &row, "it is about a message that is not there", adopter, adoption).await?;
            continue;
        };
        let at = row.instant("updated_at").or_else(|| row.instant("created_at")).unwrap_or(adopter.now);
        on!(tx, c => sqlx::query(
            "INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait,
                    hold_until, speak_at, call_id, at)
             VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, NULL, NULL, $8)")
            .bind(channel.as_str()).bind(thread_ts.as_micros()).bind(latest.as_micros())
            .bind(if row.flag("should_respond") { "speak" } else { "quiet" })
            .bind(share_in_thousandths(row.text("confidence"))).bind(row.text("reason"))
            .bind(row.instant("next_check_at").map(jiff::Timestamp::as_microsecond))
            .bind(at.as_microsecond())
            .execute(c).await.map(drop))?;
        adoption.judgments += 1;
    }
    Ok(())
}

/// `0.85` as 850; `None` if the text is not a number from 0 to 1.
fn share_in_thousandths(share: &str) -> Option<i64> {
    let share: f64 = share.trim().parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1000")]
    (0.0..=1.0).contains(&share).then_some((share * 1000.0).round() as i64)
}

async fn keep_raw(
    tx: &mut Tx,
    row: &OldRow,
    why: &str,
    adopter: Adopter,
    adoption: &mut Adoption,
) -> Result<(), StoreError> {
    adoption.unread += 1;
    arrive::apply_within(tx, vec![talk::unread_row_event(row, why)], false, adopter.now).await.map(drop)
}
