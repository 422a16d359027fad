//! What holds of merges whatever they are given.

use myao_core::{ports::MemoryEntry, text::estimate_tokens};
use proptest::prelude::*;

use crate::asking::merge;

/// Words that meet the rules on all sides, and each other often.
const PHRASES: [&str; 16] = [
    "リリースは金曜に決まりました。",
    "エラーが出て動かないのですが、どうすればいいですか？",
    "おはようございます",
    "原因は設定ファイルでした",
    "We decided to postpone the release to May 4.",
    "does anyone know why the build fails?",
    "@ken the build fails because the cache is full",
    "lol",
    "うちの犬が3歳になりました！",
    "https://example.com/a/b?c=d",
    "`let x = 1;` を追加しました",
    "会議は15時からです（未回答）",
    "- 2026-01-02 x: y",
    "#general がにぎやかです",
    "2026-02-03 の予定を確認する必要があります",
    "**重要**: 鍵は受付にあります → ken: 了解",
];
const NAMES: [&str; 6] = ["hana", "ken", "Taro Y. (U1)", "deploy-bot", "#x: y", "2026-01-01"];
const DATES: [&str; 7] =
    ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-30", "2026-02-01", "2027-02-01", "0999-01-01"];

fn phrase() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(PHRASES.to_vec()).prop_map(str::to_owned),
        2 => prop::collection::vec(prop::sample::select(PHRASES.to_vec()), 2..9).prop_map(|all| all.concat()),
        1 => any::<String>(),
        1 => "[-*#• 0-9.:,()→@a-z。、？…\u{0}\n]{0,80}",
    ]
}

fn piece() -> impl Strategy<Value = String> {
    let date = prop::sample::select(DATES.to_vec());
    let name = prop::sample::select(NAMES.to_vec());
    (date, name, phrase(), 0..7_u8).prop_map(|(date, name, said, form)| match form {
        0 | 1 => format!("- {date} {name}: {said}"),
        2 | 3 => format!("[{date} 10:0{form}] {name}: {}", said.replace('\n', "\n  ")),
        4 => format!("- {date}, 2026-01-30 #dev {name}: {said}"),
        5 => format!("## {date}\n* {said}"),
        _ => said,
    })
}

fn memory() -> impl Strategy<Value = MemoryEntry> {
    let text = prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.join("\n"));
    let label = prop::sample::select(vec!["", "", "#dev", "#雑談", "# a b"]);
    let period =
        prop::option::of((prop::sample::select(DATES.to_vec()), prop::sample::select(DATES.to_vec())));
    (text, label, period).prop_map(|(text, label, period)| MemoryEntry {
        label: label.to_owned(),
        period: period.map(|(from, to)| (from.to_owned(), to.to_owned())),
        text,
    })
}

/// Memories, some of them more than once, and after which of them a batch ends.
fn batches() -> impl Strategy<Value = (Vec<MemoryEntry>, Vec<bool>)> {
    let pool = prop::collection::vec(memory(), 1..10);
    let picks = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..14);
    (pool, picks).prop_map(|(pool, picks)| {
        picks.into_iter().map(|(pick, ends)| (pick.get(&pool).clone(), ends)).unzip()
    })
}

fn folded(existing: &str, memories: &[MemoryEntry], ends: &[bool], target: u32) -> String {
    let mut memory = existing.to_owned();
    let mut batch = Vec::new();
    for (entry, ends) in memories.iter().zip(ends) {
        batch.push(entry.clone());
        if *ends {
            memory = merge(&memory, &batch, target);
            batch.clear();
        }
    }
    merge(&memory, &batch, target)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// design §3: how chapters were batched does not change the result.
    #[test]
    fn batches_do_not_matter((memories, ends) in batches(), target in 0..900_u32) {
        prop_assert_eq!(folded("", &memories, &ends, target), merge("", &memories, target));
    }

    /// The same on top of a text that somebody else wrote.
    #[test]
    fn batches_do_not_matter_on_top_of_a_text(
        existing in memory(), (memories, ends) in batches(), target in 0..900_u32,
    ) {
        let at_once = merge(&existing.text, &memories, target);
        prop_assert_eq!(folded(&existing.text, &memories, &ends, target), at_once);
    }

    /// A memory read and written again is the same memory; so is one that is given what it holds already.
    #[test]
    fn writing_again_changes_nothing((memories, _) in batches(), target in 0..900_u32) {
        let memory = merge("", &memories, target);
        prop_assert_eq!(&merge(&memory, &[], target), &memory);
        prop_assert_eq!(&merge(&memory, &memories, target), &memory);
    }

    /// Order among the waiting does not matter either.
    #[test]
    fn order_does_not_matter((memories, _) in batches(), target in 0..900_u32) {
        let backwards: Vec<MemoryEntry> = memories.iter().rev().cloned().collect();
        prop_assert_eq!(merge("", &backwards, target), merge("", &memories, target));
    }

    #[test]
    fn the_target_is_kept((memories, _) in batches(), target in 62..900_u32) {
        let memory = merge("", &memories, target);
        prop_assert!(estimate_tokens(&memory) <= usize::try_from(target).unwrap(), "{memory}");
    }

    /// Empty only where there is nothing to read.
    #[test]
    fn something_stays((memories, _) in batches(), target in 0..900_u32) {
        let readable = memories.iter().any(|m| m.text.contains("ました"));
        prop_assert!(!readable || !merge("", &memories, target).is_empty());
    }
}
