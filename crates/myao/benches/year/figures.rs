//! What is measured in the course of the year, and whether anything grows that the archive does not explain.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

/// Rows of a table, bytes of the file and the like may grow by so much more than messages do, between the middle of the
/// year and its end, in percent.
const TOLERANCE: u64 = 25;
/// In fewer days memories have not even begun everywhere, and nothing can be told.
const SHORTEST_YEAR: u32 = 90;
/// Tables with fewer rows tell nothing.
const FEWEST_ROWS: u64 = 200;
/// Tables that grow with another one until each of its rows has so many: what a reply was shown, until a prompt is full;
/// who works on what, once for each place that was answered (a thread is one) and twice for each channel.
const FILLING: [(&str, &str, u64); 2] = [("reply_inputs", "replies", 300), ("claims", "replies", 1)];
/// Tables that grow with what is taken back as well, of which a whole person is forgotten once: a row for each message that
/// is gone, and what chapters are made from that are written anew without it.
const REMOVALS: [&str; 2] = ["deletions", "step_inputs"];
/// What the program may hold more at the end of the year than in its second quarter, in bytes and percent.
const MORE_RSS: u64 = 24 << 20;
const MORE_RSS_PERCENT: u64 = 30;
/// Open sockets and files that a run may have at any time.
const MOST_SOCKETS: u64 = 40;
const MOST_FILES: u64 = 100;

/// What was seen at the end of a day.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) day: u32,
    /// Messages that people have said so far.
    pub(crate) said: u64,
    /// Messages of the archive, those of the bot among them, and notices.
    pub(crate) archived: u64,
    /// Messages that people took back or wanted forgotten so far.
    pub(crate) removed: u64,
    pub(crate) rss: u64,
    pub(crate) sockets: u64,
    pub(crate) files: u64,
    pub(crate) database_bytes: u64,
    pub(crate) log_bytes: u64,
    pub(crate) journal: u64,
    pub(crate) chapters: u64,
    pub(crate) calls: u64,
    pub(crate) tokens_in: u64,
    pub(crate) tokens_out: u64,
    /// Answers since the figures before, and how long they took, half of them and 99 % at most, in milliseconds.
    pub(crate) answers: u64,
    pub(crate) half_within: u64,
    pub(crate) most_within: u64,
    /// Processor time of the program so far, of all its runs that ended before it was killed and of this one.
    pub(crate) cpu: Duration,
    /// Since the year began, on the machine's clock.
    pub(crate) took: Duration,
    pub(crate) rows: BTreeMap<String, u64>,
}

/// Latencies in milliseconds: half within, 99 % within.
pub(crate) fn within(latencies: &mut [u64]) -> (u64, u64) {
    latencies.sort_unstable();
    let at = |percent: usize| latencies.get(latencies.len() * percent / 100).copied().unwrap_or_default();
    (at(50), at(99))
}

/// All figures as a table of comma-separated values.
pub(crate) fn csv(all: &[Figures]) -> String {
    let Some(last) = all.last() else { return String::new() };
    let tables: Vec<&String> = last.rows.keys().collect();
    let mut text = "day,said,archived,rss_bytes,sockets,files,database_bytes,log_bytes,journal,chapters,calls,tokens_in,\
                    tokens_out,answers,half_within_ms,most_within_ms,cpu_ms,took_ms"
        .to_owned();
    for table in &tables {
        write!(text, ",rows_{table}").expect("a text");
    }
    text.push('\n');
    for one in all {
        let numbers = [
            u64::from(one.day),
            one.said,
            one.archived,
            one.rss,
            one.sockets,
            one.files,
            one.database_bytes,
            one.log_bytes,
            one.journal,
            one.chapters,
            one.calls,
            one.tokens_in,
            one.tokens_out,
            one.answers,
            one.half_within,
            one.most_within,
            millis(one.cpu),
            millis(one.took),
        ];
        let rows = tables.iter().map(|table| one.rows.get(*table).copied().unwrap_or_default());
        let line: Vec<String> = numbers.into_iter().chain(rows).map(|number| number.to_string()).collect();
        text.push_str(&line.join(","));
        text.push('\n');
    }
    text
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What grew more than the archive explains, a line each. Nothing in a year that is too short to tell.
pub(crate) fn unexplained_growth(all: &[Figures]) -> Vec<String> {
    let (Some(middle), Some(end)) = (all.get(all.len() / 2), all.last()) else { return Vec::new() };
    if end.day < SHORTEST_YEAR {
        return Vec::new();
    }
    let mut told = Vec::new();
    for (table, by, most) in FILLING {
        let rows = |name: &str| end.rows.get(name).copied().unwrap_or_default();
        if rows(table) > rows(by) * most + FEWEST_ROWS {
            told.push(format!("rows of {table}: {} with {} of {by}", rows(table), rows(by)));
        }
    }
    let share_of = |of: fn(&Figures) -> u64, before: u64| before * of(end) / of(middle).max(1);
    let mut compare = |what: &str, before: u64, after: u64, with_removals: bool| {
        let by_messages = share_of(|one| one.archived, before);
        let by_removals = if with_removals { share_of(|one| one.removed, before) } else { 0 };
        let explained = by_messages.max(by_removals);
        if after > explained + explained * TOLERANCE / 100 {
            told.push(format!(
                "{what}: {before} with {} messages archived and {} gone, {after} with {} and {}",
                middle.archived, middle.removed, end.archived, end.removed
            ));
        }
    };
    let is_filling = |table: &str| FILLING.iter().any(|(filling, ..)| *filling == table);
    let by_messages = end.rows.iter().filter(|(table, rows)| **rows >= FEWEST_ROWS && !is_filling(table));
    for (table, after) in by_messages {
        let before = middle.rows.get(table).copied().unwrap_or_default();
        compare(&format!("rows of {table}"), before, *after, REMOVALS.contains(&table.as_str()));
    }
    compare("bytes of the database", middle.database_bytes, end.database_bytes, false);
    compare("tokens read by models", middle.tokens_in, end.tokens_in, false);
    let most = |part: &[Figures], of: fn(&Figures) -> u64| part.iter().map(of).max().unwrap_or_default();
    let quarter = all.len() / 4;
    let (second, last) = (&all[quarter..=all.len() / 2], &all[all.len() - quarter.max(1)..]);
    let before = most(second, |one| one.rss);
    let after = most(last, |one| one.rss);
    if after > before + (before * MORE_RSS_PERCENT / 100).max(MORE_RSS) {
        told.push(format!("resident memory: {before} bytes in the second quarter, {after} in the last"));
    }
    let log = (most(second, |one| one.log_bytes), most(last, |one| one.log_bytes));
    if log.1 > log.0 * 2 && log.1 > 64 << 20 {
        told.push(format!(
            "the write-ahead log: {} bytes in the second quarter, {} in the last",
            log.0, log.1
        ));
    }
    for (what, most_seen, bound) in [
        ("sockets", most(all, |one| one.sockets), MOST_SOCKETS),
        ("open files", most(all, |one| one.files), MOST_FILES),
    ] {
        if most_seen > bound {
            told.push(format!("{most_seen} {what} at once"));
        }
    }
    told
}
