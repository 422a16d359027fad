//! Folds memories into one, with the same result whatever batches they come in (DESIGN B).

use std::{collections::BTreeMap, sync::LazyLock};

use myao_core::{
    memory::{Days, announces_change, leading_date},
    ports::MemoryEntry,
    text,
    worth::{Level, WORTH, WordFinder, order},
};

use super::{
    bullet::{Bullet, LONGEST, render},
    read::bullets,
    reply::is_own_reply,
};

/// Points off for every further bullet of a group, so that all people, days, months and years are represented.
const SAME_SPEAKER_AND_DAY: i64 = 12;
const SAME_DAY: i64 = 14;
const SAME_TEN_DAYS: i64 = 4;
const SAME_MONTH: i64 = 5;
const SAME_QUARTER: i64 = 3;
const SAME_YEAR: i64 = 6;
/// More than any score, so that channels take turns.
const SAME_CHANNEL: i64 = 1_000;
/// Points in the workspace's memory for what concerns more than the channel that it was said in.
const CONCERNS_ALL: i64 = 24;
/// Points for what says that something changes and is worth a line by itself: what held before may be another line.
const CHANGE: i64 = 16;
const JAPANESE_ALL: &str = "全員, 全社, 全チーム, 社内, 会社, みんな, みなさん, 皆さん, 皆様, 各自, 全体";
const ENGLISH_ALL: &str = "everyone, everybody, all of us, all of you, all teams, every team, whole team, whole company, company, office, \
    workspace, all channels, other channels";

static ALL: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::new(JAPANESE_ALL, ENGLISH_ALL));

/// `existing` with `entries` folded in, at most `target` tokens.
///
/// Every text is taken apart by itself, and every bullet is scored by its own words and date. Of bullets that say the
/// same on one day the best stays, and of all bullets a fixed number. So folding entries in one by one, in any batches or
/// all at once gives the same text. Words said again on another day are written as a further date of the same line, but
/// count as a bullet of that day: otherwise the result would depend on the batches.
pub(super) fn fold(existing: &str, entries: &[MemoryEntry], target: usize) -> String {
    let most = (target / LONGEST).max(1);
    let mut all = bullets(existing, None, "");
    for entry in entries {
        let days = entry.period.as_ref().and_then(|(from, to)| period(from, to));
        all.extend(bullets(&entry.text, days, &entry.label));
    }
    all.sort_unstable();
    render(&best(all, most))
}

fn period(from: &str, to: &str) -> Option<Days> {
    let (from, _) = leading_date(from)?;
    let to = leading_date(to).map_or(from, |(to, _)| to);
    Some(Days { from, to: to.max(from) })
}

/// The best `most` of bullets in ascending order, in that order. A bullet not worth a line stays only if none is worth
/// one. Bullets of a channel's memory always count as worth it, since the channel chose them; our own replies never do.
fn best(mut sorted: Vec<Bullet>, most: usize) -> Vec<Bullet> {
    let is_worth = |bullet: &Bullet| {
        (bullet.score() >= WORTH || !bullet.label.is_empty()) && !is_own_reply(bullet.text())
    };
    if sorted.iter().any(is_worth) {
        sorted.retain(is_worth);
    }
    let scored = sorted.into_iter().map(|bullet| (points(&bullet), bullet)).collect();
    let scored = without_repetitions(scored);
    let points: Vec<i64> = scored.iter().map(|(points, _)| *points).collect();
    let mut chosen = order(&points, &levels(&scored));
    chosen.truncate(most);
    chosen.sort_unstable();
    let mut bullets: Vec<Option<Bullet>> = scored.into_iter().map(|(_, bullet)| Some(bullet)).collect();
    chosen.into_iter().filter_map(|i| bullets.get_mut(i).and_then(Option::take)).collect()
}

/// What a bullet is worth by its own words: more if it says that something changes. In the workspace's memory, a
/// channel's bullet is also worth more if it names another channel or speaks of everybody.
fn points(bullet: &Bullet) -> i64 {
    let concerns_all =
        !bullet.label.is_empty() && (bullet.body.contains("<#") || ALL.stands_in(&text::fold(bullet.text())));
    let lasting = bullet.lasting();
    let changes = lasting >= WORTH && announces_change(bullet.text()).is_some();
    let points = |yes: bool, points: i64| if yes { points } else { 0 };
    lasting + points(concerns_all, CONCERNS_ALL) + points(changes, CHANGE)
}

/// Keeps only the best of bullets with the same letters, day and channel, in their order.
fn without_repetitions(scored: Vec<(i64, Bullet)>) -> Vec<(i64, Bullet)> {
    let mut best: BTreeMap<_, (i64, Bullet)> = BTreeMap::new();
    for (score, bullet) in scored {
        let key = (bullet.days, bullet.label.clone(), bullet.key());
        match best.get(&key) {
            Some((other, _)) if *other >= score => {}
            _ => drop(best.insert(key, (score, bullet))),
        }
    }
    let mut kept: Vec<(i64, Bullet)> = best.into_values().collect();
    kept.sort_unstable_by(|(_, a), (_, b)| a.cmp(b));
    kept
}

/// The levels of groups. Each group consists of whole groups of the level before, so that batches do not matter.
fn levels(scored: &[(i64, Bullet)]) -> [Level; 7] {
    let bullets = || scored.iter().map(|(_, bullet)| bullet);
    let year = |b: &Bullet| b.days.map(|days| days.from.year());
    let quarter = |b: &Bullet| b.days.map(|days| (days.from.month() - 1) / 3);
    let month = |b: &Bullet| b.days.map(|days| days.from.month());
    let ten_days = |b: &Bullet| b.days.map(|days| ((days.from.day() - 1) / 10).min(2));
    [
        Level::new(bullets().map(|b| (&b.label, b.days, b.speaker())), SAME_SPEAKER_AND_DAY),
        Level::new(bullets().map(|b| (&b.label, b.days)), SAME_DAY),
        Level::new(bullets().map(|b| (&b.label, year(b), month(b), ten_days(b))), SAME_TEN_DAYS),
        Level::new(bullets().map(|b| (&b.label, year(b), month(b))), SAME_MONTH),
        Level::new(bullets().map(|b| (&b.label, year(b), quarter(b))), SAME_QUARTER),
        Level::new(bullets().map(|b| (&b.label, year(b))), SAME_YEAR),
        Level::new(bullets().map(|b| &b.label), SAME_CHANNEL),
    ]
}
