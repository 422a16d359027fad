//! Folds memories into one, with the same result whatever batches they come in (design §3).

use std::{collections::BTreeSet, sync::LazyLock};

use myao_core::{
    memory::{Days, leading_date},
    ports::MemoryEntry,
    text,
    worth::{Level, WORTH, WordFinder, best_first},
};

use super::{
    bullet::{Bullet, LONGEST, text_of_bullets},
    enduring::{points_if_enduring, spread_of_points},
    read::bullets_of_text,
    reply::is_own_reply,
    said::Said,
};

/// Most bullets of one chapter: a memory of a year is not to be that of its busiest evening.
const MOST_OF_A_CHAPTER: usize = 6;
/// More than any score, so that channels take turns.
const SAME_CHANNEL: i64 = 1_000_000;
/// How many parts a point has, so that equally good bullets are told apart by their days.
const FINE: i64 = 1_000;
/// Points in the workspace's memory for what concerns more than the channel that it was said in.
const CONCERNS_ALL: i64 = 24;

static ALL: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("merge.everybody"));

/// `existing` with `entries` folded in, at most `target` tokens.
///
/// Every text is taken apart by itself, of a chapter only the best bullets are considered, and every bullet is scored by
/// its own words and date. So folding entries in one by one, in any batches or all at once gives the same text: see
/// [`best_in_order`]. Words said again on another day are written as a further date of the same line, but count as a bullet of that
/// day: otherwise the result would depend on the batches.
pub(super) fn fold_entries_in(existing: &str, entries: &[MemoryEntry], target: usize) -> String {
    let mut all: BTreeSet<Bullet> = bullets_of_text(existing, None, "").into_iter().collect();
    for entry in entries {
        let days = entry.period.as_ref().and_then(|(from, to)| period_between(from, to));
        let own = bullets_of_text(&entry.text, days, &entry.label);
        all.extend(if entry.label.is_empty() { best_of_chapter(own) } else { own });
    }
    text_of_bullets(&best_in_order(all.into_iter().collect(), target))
}

fn period_between(from: &str, to: &str) -> Option<Days> {
    let (from, _) = leading_date(from)?;
    let to = leading_date(to).map_or(from, |(to, _)| to);
    Some(Days { from, to: to.max(from) })
}

/// The few bullets of a chapter that are worth most, without those that say the same as a better one.
fn best_of_chapter(mut own: Vec<Bullet>) -> Vec<Bullet> {
    if own.iter().any(is_worth) {
        own.retain(is_worth);
    }
    let mut ranked: Vec<(i64, Bullet)> =
        own.into_iter().map(|bullet| (-points_with_day(&bullet), bullet)).collect();
    ranked.sort_unstable();
    let mut told: Vec<(Said, Bullet)> = Vec::new();
    for (_, bullet) in ranked {
        let said = Said::of(bullet.text());
        if told.len() < MOST_OF_A_CHAPTER && !told.iter().any(|(other, _)| other.is_same(&said)) {
            told.push((said, bullet));
        }
    }
    told.into_iter().map(|(_, bullet)| bullet).collect()
}

/// The best of bullets in ascending order, in that order. A bullet not worth a line stays only if none is worth one.
/// Bullets of a channel's memory always count as worth it, since the channel chose them; our own replies never do.
///
/// Of a channel's own bullets those stay that are better than whatever fills the room. The last of them may not fit into it
/// whole, so the room is less than `target` by the longest bullet. What did not stay never comes back: what fills the room
/// without it does so ever after, since bullets only get more, and a bullet's place does not depend on the others. Bullets
/// of several channels take turns, which only bullets of one size could; there a fixed number stays. Where that is one, it
/// is one without channels, too: the one that stays may not tell that there were others.
fn best_in_order(mut sorted: Vec<Bullet>, target: usize) -> Vec<Bullet> {
    if sorted.iter().any(is_worth) {
        sorted.retain(is_worth);
    }
    let points: Vec<i64> = sorted.iter().map(points_with_day).collect();
    let mut chosen = best_first(&points, &[Level::new(sorted.iter().map(|b| &b.label), SAME_CHANNEL)]);
    if sorted.iter().all(|bullet| bullet.label.is_empty()) {
        let room = if target < 2 * LONGEST { 1 } else { target - LONGEST };
        let mut taken = 0;
        chosen.retain(|i| {
            let stays = taken < room;
            taken += sorted.get(*i).map_or(0, Bullet::cost);
            stays
        });
    } else {
        chosen.truncate((target / LONGEST).max(1));
    }
    chosen.sort_unstable();
    let mut bullets: Vec<Option<Bullet>> = sorted.into_iter().map(Some).collect();
    chosen.into_iter().filter_map(|i| bullets.get_mut(i).and_then(Option::take)).collect()
}

/// Whether a bullet is worth a line by its own words.
fn is_worth(bullet: &Bullet) -> bool {
    (bullet.score() >= WORTH || !bullet.label.is_empty()) && !is_own_reply(bullet.text())
}

/// What a bullet is worth by its own words and day. In the workspace's memory, a channel's bullet is also worth more if it
/// names another channel or speaks of everybody.
fn points_with_day(bullet: &Bullet) -> i64 {
    let concerns_all = !bullet.label.is_empty()
        && (bullet.body.contains("<#") || ALL.stands_in(&text::fold_for_comparison(bullet.text())));
    let points = |yes: bool, points: i64| if yes { points } else { 0 };
    (points_if_enduring(bullet) + points(concerns_all, CONCERNS_ALL)) * FINE - spread_of_points(bullet, FINE)
}
