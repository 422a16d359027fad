//! What becomes of memories.

use insta::assert_snapshot;
use myao_core::{ports::MemoryEntry, text::estimate_tokens};

use crate::asking::{entry, merge};

fn entry_of(label: &str, period: (&str, &str), text: &str) -> MemoryEntry {
    let period = Some((period.0.to_owned(), period.1.to_owned()));
    MemoryEntry { label: label.to_owned(), period, text: text.to_owned() }
}

#[test]
fn chapters_of_every_form_are_read() {
    let own = "- 2026-03-02 hana: 合宿の宿は鎌倉の海の家に決まりました";
    let verbatim = "[2026-03-03 10:00] ken: 集合は3月14日の10時、鎌倉駅の東口です。
  遅れる人は私に電話してください。
  - 番号は名簿にあります
[2026-03-03 10:01] mio: 了解です！
[2026-03-03 18:00] hana: おつかれさまでした";
    let other_model = "## 2026-03-05
* **mio**は犬を連れて参加することになった
* 参加費は一万二千円

### 未解決の事項
1. 2026-03-06: 帰りの電車の切符は誰がまとめて買うのか未定

The group plans a second trip in autumn, probably to Nikko.";
    let entries = [entry(own), entry(verbatim), entry_of("", ("2026-03-05", "2026-03-07"), other_model)];
    assert_snapshot!(merge("", &entries, 600), @r"
    - 2026-03-02 hana: 合宿の宿は鎌倉の海の家に決まりました
    - 2026-03-03 ken: 集合は3月14日の10時、鎌倉駅の東口
    - 2026-03-05 mioは犬を連れて参加することになった
    - 2026-03-05 参加費は一万二千円
    - 2026-03-05..2026-03-07 The group plans a second trip in autumn, probably to Nikko.
    - 2026-03-06 帰りの電車の切符は誰がまとめて買うのか未定
    ");
}

#[test]
fn what_is_old_and_important_outlives_chatter() {
    let decision = "- 2019-04-01 ken: 会則が承認され、年会費は三千円に決定しました";
    let mut memory = merge("", &[entry(decision)], 500);
    for month in 1..=12 {
        for day in 1..=28 {
            let chatter = format!(
                "[2026-{month:02}-{day:02} 12:00] hana: 今日のお昼は{}番目の定食にしました\n\
                 [2026-{month:02}-{day:02} 12:01] mio: おいしそうですね",
                month * 28 + day
            );
            memory = merge(&memory, &[entry(&chatter)], 500);
        }
    }
    assert!(memory.starts_with(decision), "{memory}");
    assert!(memory.lines().count() >= 6, "{memory}");
    assert!(estimate_tokens(&memory) <= 500);
}

/// Of lines that are worth the same, those that stay are of all times: eleven of four hundred are of seven of the eight
/// years, not of the first one alone.
#[test]
fn of_equally_good_lines_those_of_all_times_stay() {
    let entries: Vec<MemoryEntry> = (0..400)
        .map(|i| {
            let year = 2018 + i / 50;
            let day = 1 + i % 28;
            entry(&format!(
                "- {year}-05-{day:02} ken: 第{i}回の勉強会は{year}年の秋に開催することに決定しました"
            ))
        })
        .collect();
    let memory = merge("", &entries, 500);
    let years: std::collections::BTreeSet<&str> =
        memory.lines().filter_map(|line| line.strip_prefix("- ")?.split('-').next()).collect();
    assert!(years.len() >= 7, "{memory}");
    assert!(memory.lines().count() > 8, "{memory}");
}

#[test]
fn the_workspace_hears_every_channel() {
    let busy: Vec<String> = (1..=28)
        .map(|day| {
            format!("- 2026-02-{day:02} ken: 第{day}版をリリースしました。不具合を3件修正しています。")
        })
        .collect();
    let entries = [
        entry_of("#dev", ("2026-02-01", "2026-02-28"), &busy.join("\n")),
        entry_of("#lunch", ("2026-02-01", "2026-02-28"), "- 2026-02-03 mio: 駅前の蕎麦屋がおいしいです"),
        entry_of("#random", ("2025-01-01", "2026-02-28"), "People like to talk about old cameras here."),
    ];
    let memory = merge("", &entries, 400);
    assert_snapshot!(memory, @r"
    - 2025-01-01..2026-02-28 #random People like to talk about old cameras here.
    - 2026-02-03 #lunch mio: 駅前の蕎麦屋がおいしいです
    - 2026-02-07 #dev ken: 第7版をリリースしました。不具合を3件修正しています。
    - 2026-02-13 #dev ken: 第13版をリリースしました。不具合を3件修正しています。
    - 2026-02-19 #dev ken: 第19版をリリースしました。不具合を3件修正しています。
    - 2026-02-26 #dev ken: 第26版をリリースしました。不具合を3件修正しています。
    ");
    let again = merge(&memory, &entries[..1], 400);
    assert_eq!(memory, again);
}

#[test]
fn what_is_said_again_is_written_once() {
    let weekly = "もくもく会は毎週日曜の14時からオンラインで開催します";
    let entries = [
        entry(&format!("- 2026-01-04 hana: {weekly}")),
        entry(&format!("- 2026-01-04 hana: {weekly}！")),
        entry(&format!("[2026-01-11 09:00] hana: {weekly}")),
    ];
    let memory = merge("", &entries, 500);
    assert_snapshot!(memory, @r"- 2026-01-04, 2026-01-11 hana: もくもく会は毎週日曜の14時からオンラインで開催します");
    assert_eq!(merge(&memory, &entries, 500), memory);
}

#[test]
fn an_open_question_is_not_called_open_for_ever() {
    let chapter = "- 2026-03-02 hana: 監視サーバーの古いログは消してもいいですか？（未回答）\n\
                   - 2026-03-02 bob: Who will take over the on-call duty in April? (unanswered)";
    let memory = merge("", &[entry(chapter)], 500);
    assert_snapshot!(memory, @r"
    - 2026-03-02 bob: Who will take over the on-call duty in April?
    - 2026-03-02 hana: 監視サーバーの古いログは消してもいいですか？
    ");
}

/// What concerns everybody, or another channel, comes before what matters in one channel alone.
#[test]
fn the_workspaces_memory_prefers_what_concerns_all() {
    let quarter = ("2026-01-01", "2026-03-31");
    let texts = [
        "- 2026-01-12 kim: The meter in the cellar was replaced by model 4411\n\
         - 2026-02-03 lee: Everyone gets a new badge on 5 June",
        "- 2026-01-20 ann: The oven is repaired on 3 May for 300 euros\n\
         - 2026-03-04 bo: Travel reports go to <#C0123ABC> from 1 May on",
        "- 2026-01-21 佐藤: 倉庫の鍵は4411番に決まった\n- 2026-02-05 田中: 4月1日から全社で名札を使うことに決まった",
    ];
    let entries: Vec<MemoryEntry> = ["#dev", "#cafe", "#store"]
        .iter()
        .zip(texts)
        .map(|(label, text)| entry_of(label, quarter, text))
        .collect();
    let text = merge("", &entries, 190);
    for said in ["new badge", "<#C0123ABC>", "名札"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(text.lines().count(), 3, "{text}");
}

/// What lasts comes before what its moment knew, the room is used, and what came first stands first.
#[test]
fn what_lasts_fills_the_room_of_a_long_term_memory() {
    let chapters: Vec<MemoryEntry> = (1..=28)
        .map(|day| {
            entry(&format!(
                "2026-03-{day:02}\n\
                 - ann: We'll make it through this and keep pushing each other\n\
                 - bob: The {day} o'clock job fails with an error now, I can't open the queue\n\
                 - cy: The Kettle Lane store gets delivery number {day} from Dunmore every Monday\n\
                 - dan: Which of the two queues is it today?"
            ))
        })
        .collect();
    let memory = merge("", &chapters, 500);
    assert!(memory.lines().all(|line| line.contains("Kettle Lane")), "{memory}");
    assert!((400..=500).contains(&estimate_tokens(&memory)), "{}: {memory}", estimate_tokens(&memory));
    assert!(memory.lines().is_sorted(), "{memory}");
}

/// Between two who talk, what happened to them outlasts what they say to each other.
#[test]
fn what_happened_to_people_outlasts_encouragement() {
    let pep: Vec<String> = (1..=28)
        .map(|day| format!("- 2026-04-{day:02} gina: You're doing great, I'm sure we'll rock floor {day}"))
        .collect();
    let life = [
        "- 2026-03-02 jon: I lost my job as a banker yesterday (1 March)",
        "- 2026-03-03 gina: I adopted a puppy from the shelter in Stanford last week",
        "- 2026-03-04 jon: ピーナッツアレルギーなので、ナッツは食べられない",
    ];
    let memory = merge("", &[entry(&life.join("\n")), entry(&pep.join("\n"))], 250);
    for line in life {
        assert!(memory.contains(line), "{line} is not in\n{memory}");
    }
}

/// A chapter gives a few lines, however many of them are good.
#[test]
fn no_chapter_fills_a_long_term_memory_alone() {
    let lines: Vec<String> = (1..=28)
        .map(|n| format!("- 2026-02-{n:02} ann: Decided: hall {n} of the Marlstone works opens on {n} May"))
        .collect();
    let busy = merge("", &[entry(&lines.join("\n"))], 500);
    assert_eq!(busy.lines().count(), 6, "{busy}");
    let spread: Vec<MemoryEntry> = lines.iter().map(|line| entry(line)).collect();
    assert!(merge("", &spread, 500).lines().count() > 10);
}
