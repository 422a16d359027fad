//! The estimate against o200k: never more than 10 % under on a chapter's worth of talk, and close (design §7).

use std::{collections::BTreeMap, fs::File, io::Read, path::PathBuf};

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Message, MessageTs, Names, User, UserId, Visibility},
    text::{Language, estimate_tokens},
    wording::{MESSAGE_LIMIT, TalkFormat, line_text, lines_as_text, messages_as_lines},
};
use proptest::prelude::*;
use serde_json::Value;
use tiktoken_rs::{CoreBPE, o200k_base};

use crate::prompt_sample::said;

/// Messages of a chapter.
const BLOCK: usize = 50;
/// Characters of a message that a bullet of a memory keeps.
const BULLET: usize = 80;

/// Estimate by truth.
fn ratio(tokenizer: &CoreBPE, text: &str) -> f64 {
    let truth = u32::try_from(tokenizer.encode_ordinary(text).len()).unwrap();
    f64::from(u32::try_from(estimate_tokens(text)).unwrap()) / f64::from(truth)
}

#[test]
fn own_samples() {
    let tokenizer = o200k_base().unwrap();
    for text in SAMPLES {
        let ratio = ratio(&tokenizer, text);
        assert!((0.9..1.35).contains(&ratio), "{ratio:.2} for {text}");
    }
}

#[test]
fn nothing_costs_nothing() {
    assert_eq!(estimate_tokens(""), 0);
}

proptest! {
    #[test]
    fn a_text_costs_no_more_than_its_pieces(a in any_text(), b in any_text()) {
        let whole = estimate_tokens(&[a.as_str(), b.as_str()].concat());
        prop_assert!(whole <= estimate_tokens(&a) + estimate_tokens(&b));
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,40}", "[ a-cA-C0-3.,\n]{0,40}", "[ あア漢。、（aA0\n]{0,40}"]
}

#[test]
fn corpora() {
    let tokenizer = o200k_base().unwrap();
    for corpus in ["haskell_jp", "irc_gold", "mrmp_ja"] {
        let Some(path) = corpus_path(corpus) else {
            println!("skipped: corpus {corpus} is not here (set MYAO_CORPORA to the folder that has it)");
            continue;
        };
        let blocks = blocks(&path);
        let talk: Vec<f64> = blocks.iter().map(|(talk, _)| ratio(&tokenizer, talk)).collect();
        let memories: Vec<f64> = blocks.iter().map(|(_, memory)| ratio(&tokenizer, memory)).collect();
        for (what, ratios) in [("talk", talk), ("memories", memories)] {
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = ratios.iter().sum::<f64>() / f64::from(u32::try_from(ratios.len()).unwrap());
            println!("{corpus}, {what}: least {least:.3}, mean {mean:.3} over {} blocks", ratios.len());
            assert!(least >= 0.9, "{corpus}, {what}: {least:.3}");
            assert!((1.0..1.2).contains(&mean), "{corpus}, {what}: {mean:.3}");
        }
    }
}

fn corpus_path(corpus: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("MYAO_CORPORA").map_or_else(beside, PathBuf::from);
    Some(folder.join(corpus).join("export.zip")).filter(|path| path.exists())
}

/// Blocks of consecutive messages of one channel: as talk, and as a memory that quotes their beginnings.
fn blocks(path: &PathBuf) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut files: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    files.sort();
    let mut read = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        serde_json::from_str::<Vec<Value>>(&text).unwrap()
    };
    let field = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let user = |value: &Value| User {
        id: UserId::new(field(value, "id")),
        name: field(value, "name"),
        is_bot: false,
    };
    let users: Vec<User> = read("users.json").iter().map(user).collect();
    let mut channels: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for name in files {
        let Some((channel, _)) = name.split_once('/').filter(|(_, day)| !day.is_empty()) else { continue };
        for value in read(&name) {
            let Ok(ts) = field(&value, "ts").parse::<MessageTs>() else { continue };
            let user = UserId::new(field(&value, "user"));
            let message = Message { ts, user, ..said(0, 1, &field(&value, "text")) };
            channels.entry(channel.to_owned()).or_default().push(message);
        }
    }
    let names = Names::new(&users, [], &Visibility::Owner);
    let zone = TimeZone::UTC;
    let format = TalkFormat { names: &names, zone: &zone, language: Language::Ja, limit: MESSAGE_LIMIT };
    let block = |messages: &[Message]| {
        let lines = messages_as_lines(messages, &format);
        let bullet = |line| format!("- {}", line_text(line).chars().take(BULLET).collect::<String>());
        (lines_as_text(&lines), lines.iter().map(bullet).collect::<Vec<_>>().join("\n"))
    };
    let whole = channels.values().flat_map(|messages| messages.chunks_exact(BLOCK));
    whole.map(block).collect()
}

const SAMPLES: [&str; 9] = [
    "[2026-03-02 09:00] 佐藤: おはようございます。今日の定例は15時からです。\n[2026-03-02 09:05] 鈴木: 了解です！資料はあとで共有しますね。\n[2026-03-02 09:07] 佐藤: ありがとうございます。移行の件もそこで決めたいです。",
    "[2026-03-02 09:00] Alice: Good morning, the weekly is at 3 pm today.\n[2026-03-02 09:05] Bob: Got it! I'll share the slides later.\n[2026-03-02 09:07] Alice: Thanks. I'd also like to settle the migration there.",
    "- 2026-03-02 佐藤さんが新機能の公開を3月10日に決めた（担当：田中さん）。\n- 認証サーバーのタイムアウトは未解決で、鈴木さんが調べている。\n- 負荷試験ではエラー率が2.4%だった。次の定例は水曜の15時。",
    "- 2026-03-02: Alice and Bob decided to ship the new login page on 10 March.\n- The timeout of the auth server is unresolved; Carol is looking into it.\n- Error rate in the load test was 2.4%. The next weekly is on Wednesday at 3 pm.",
    "わたしたちの猫は、朝になると窓辺にすわって、通りを行く人をずっと眺めている。雨の日はつまらなそうに丸くなって眠る。",
    "Our cat sits at the window every morning and watches the people go by. On rainy days she curls up, bored, and sleeps until somebody opens the fridge.",
    "`cargo test -p myao-core` が通りました。エラーは `E0308` で、`String` と `&str` を取り違えていました。",
    "```\nfn main() {\n    let total: u32 = (1..=10).sum();\n    println!(\"{total}\");\n}\n```",
    "https://example.com/blog/2026/03/02/how-we-moved-a-database?page=2#comments",
];
