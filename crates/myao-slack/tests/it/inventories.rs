//! What an export leaves out, and what may be concluded from that: never more than is true.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use myao_core::chat::{ExportTimes, HeldMessage, HeldState, Inventory, KnownBy, MessageTs, UserId};
use myao_slack::export::{Export, ExportInventory};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::sample::{OnDisk, Sample, now, said, ts};

/// The clocks of New York are changed on 8 March.
const ZONES: [&str; 4] = ["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"];
const START: i64 = 1_772_668_800;
const DAY: i64 = 86_400;

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn at(second: i64) -> MessageTs {
    ts(&format!("{}.000100", START + second))
}

/// The export of these messages, its files by days of `days`; without these files.
fn export(messages: &BTreeSet<i64>, days: &TimeZone, lost: &BTreeSet<usize>) -> OnDisk {
    let mut files = BTreeMap::<String, Vec<Value>>::new();
    for second in messages {
        let day = days.to_datetime(at(*second).to_timestamp()).date();
        let message = said(&at(*second).to_string(), "U1", "said");
        files.entry(format!("general/{day}.json")).or_default().push(message);
    }
    let kept = files.into_iter().enumerate().filter(|(n, _)| !lost.contains(n)).map(|(_, file)| file);
    kept.fold(Sample::new(), |sample, (file, day)| sample.with(&file, &Value::Array(day))).folder()
}

/// The messages of the archive that an export should hold and does not.
fn missing(
    channel: &Inventory,
    held: &[MessageTs],
    times: ExportTimes,
    known: KnownBy,
) -> BTreeSet<MessageTs> {
    let one = |ts: &MessageTs| HeldMessage {
        ts: *ts,
        author: UserId::new("U1"),
        is_by_bot: false,
        is_reply: false,
        has_files: false,
        is_edited: false,
        state: HeldState::Standing,
    };
    let compared = channel.compare(held.iter().map(one).collect(), times, known);
    compared.missing_messages().map(|message| message.ts).collect()
}

fn exported(export: &OnDisk, perhaps: &TimeZone) -> ExportInventory {
    let mut steps = Export::open(&export.path).unwrap().steps_in(now(), perhaps);
    steps.find_map(|step| step.exported).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever was deleted, lost on the way, said later or before the span of the export.
    #[test]
    fn nothing_that_was_not_deleted_is_absent(
        archived in prop::collection::btree_set(0..8 * DAY, 1..60),
        deleted in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        lost in prop::collection::btree_set(0..9_usize, 0..3),
        (from, to) in (0..4 * DAY, 4 * DAY..9 * DAY),
        (days, is_known, live) in (0..ZONES.len(), any::<bool>(), any::<bool>()),
    ) {
        let all: Vec<i64> = archived.iter().copied().collect();
        let deleted: BTreeSet<i64> = deleted.iter().map(|n| *n.get(&all)).collect();
        let held: Vec<MessageTs> = all.iter().map(|second| at(*second)).collect();
        let there = archived.difference(&deleted).copied().filter(|second| (from..to).contains(second)).collect();
        let days = if is_known { zone(ZONES[days]) } else { TimeZone::UTC };
        let export = export(&there, &days, &lost);
        let exported = exported(&export, &days);
        let known = KnownBy { heard_until: at(0), live };
        let mut absent = BTreeSet::new();
        for channel in &exported.channels {
            absent.extend(missing(channel, &held, exported.times, known));
        }
        let truly: BTreeSet<MessageTs> = deleted.iter().map(|second| at(*second)).collect();
        prop_assert!(absent.is_subset(&truly), "{:?}", absent.difference(&truly).collect::<Vec<_>>());
        // And where it is sure, it is found: between two that are there, in files of days in a row.
        if lost.is_empty() {
            let day = |second: i64| days.to_datetime(at(second).to_timestamp()).date();
            let files: BTreeSet<_> = there.iter().map(|second| day(*second)).collect();
            let within = |second: &&i64| {
                there.first().is_some_and(|first| first <= *second)
                    && there.last().is_some_and(|last| **second <= *last - if live { DAY } else { 0 })
                    && files.contains(&day(**second))
            };
            // A day of the zone may be two of UTC, of which one has no file.
            if days == TimeZone::UTC {
                let sure: BTreeSet<MessageTs> = deleted.iter().filter(within).map(|second| at(*second)).collect();
                prop_assert!(sure.is_subset(&absent), "{:?}", sure.difference(&absent).collect::<Vec<_>>());
            }
        }
    }
}

/// As some programs write them: a file holds whole threads, whenever their replies were posted.
#[test]
fn an_export_that_is_not_by_days_proves_nothing() {
    let day =
        json!([said(&at(0).to_string(), "U1", "root"), said(&at(3 * DAY).to_string(), "U2", "late reply")]);
    let export = Sample::new().with("general/2026-03-05.json", &day).folder();
    assert_eq!(exported(&export, &TimeZone::UTC).channels, []);
}

#[test]
fn what_cannot_be_read_may_be_any_message() {
    let damaged = json!([said(&at(0).to_string(), "U1", "a"), 42, said(&at(20).to_string(), "U1", "b")]);
    let export = Sample::new().with("general/2026-03-05.json", &damaged).folder();
    let exported = exported(&export, &TimeZone::UTC);
    let known = KnownBy { heard_until: at(0), live: false };
    assert_eq!(missing(&exported.channels[0], &[at(10)], exported.times, known), BTreeSet::new());
}
