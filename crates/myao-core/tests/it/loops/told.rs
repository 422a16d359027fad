//! Which questions wait for an answer, and which events take place.

use myao_core::loops::LoopKind;

use super::{in_thread_of, open_at, said, words_open};

const NEXT_DAY: &str = "2026-03-03T09:00";

/// What somebody has just understood, sums up, softens or offers, and half of a question, wait for no answer.
#[test]
fn remarks_and_halves_of_questions_wait_for_no_answer() {
    for (text, is_told) in [
        ("なるほど、窯を二つ使う手がありましたか。", false),
        ("なるほど、その電気窯は日曜日にはどこの工房で借りられますか。", true),
        ("なるほど、その電気窯は日曜日にも工房で借りられますか？", true),
        ("調べたら修理に三か月も掛かってましたか...", false),
        ("修理はどのくらい掛かってましたか...", true),
        ("会場が使えないということでしょうか？", false),
        ("難しいのは釉薬の温度が安定しない、という点でしょうか。", false),
        ("難しいのはどういう点でしょうか。", true),
        ("先に見取り図を描いておきますか。", false),
        ("それは温度計の故障なのでは？", false),
        ("or is there a bus to the harbour?", false),
        ("is there a bus to the harbour, or a boat?", true),
    ] {
        assert_eq!(!words_open(&[said("c", "10:00", "ann", text)], NEXT_DAY).is_empty(), is_told, "{text}");
    }
    let halves = [
        (
            "この壺は誰の作品かご存知ですか？（あるいは作者不明だったりしますか？）",
            "この壺は誰の作品かご存知ですか？",
        ),
        (
            "Does anyone know who made this jar? Or is the potter unknown?",
            "Does anyone know who made this jar?",
        ),
    ];
    for (text, whole) in halves {
        let open = words_open(&[said("c", "10:00", "ann", text)], NEXT_DAY);
        assert_eq!(open, [(LoopKind::Question, whole.to_owned())]);
    }
}

/// An event that is only named beside today is none that takes place; one of another day is told by its day.
#[test]
fn an_event_of_today_is_one_that_takes_place() {
    for (text, is_told) in [
        ("今日リリースした新しい壺の写真です。", false),
        ("今日は来週の勉強会に向けて予習します。", false),
        ("今日の勉強会はおしまいということで", false),
        ("今日は説明会で受付でした", false),
        ("今日は入学説明会で", false),
        ("本日の読書会に参加する安井です。", false),
        ("本日、陶芸のワークショップを開催します。", true),
        ("今日は説明会です。", true),
        ("締め切りは今日です", true),
        ("today we are busy with release-related stuff", false),
        ("I'm going over the notes of the workshop I was sent today", false),
        ("The workshop is today", true),
        ("the release is due today", true),
    ] {
        assert_eq!(
            !words_open(&[said("c", "10:00", "ann", text)], "2026-03-02T12:00").is_empty(),
            is_told,
            "{text}"
        );
    }
    let open = open_at(&[said("c", "10:00", "ann", "3/23 午後に小さな勉強会を開催します。")], NEXT_DAY);
    assert_eq!(open.iter().map(|one| one.by.expect("a day").to_string()).collect::<Vec<_>>(), ["2026-03-23"]);
}

/// What has begun is no date to come.
#[test]
fn an_event_is_to_come_until_its_time() {
    for (text, last, over) in [
        ("リマインダ：本日 20:30 より開催です。", "2026-03-02T20:29", "2026-03-02T20:30"),
        ("明日の読書会は13:00 ~ 18:00です。", "2026-03-03T17:59", "2026-03-03T18:00"),
        ("今夜の飲み会は19時30分からです。", "2026-03-02T19:29", "2026-03-02T19:31"),
        ("The workshop is today at 3 pm", "2026-03-02T14:59", "2026-03-02T15:00"),
        ("The rehearsal is tomorrow at 19:15 in the barn", "2026-03-03T19:00", "2026-03-03T19:15"),
        ("明日の午後3時から説明会があります。", "2026-03-03T14:59", "2026-03-03T15:00"),
        ("明日の夜7時半から飲み会です。", "2026-03-03T19:29", "2026-03-03T19:30"),
        ("明日の説明会は午前10時から午後5時5分までです。", "2026-03-03T17:04", "2026-03-03T17:05"),
        ("明日の説明会は10時からです。", "2026-03-03T09:59", "2026-03-03T10:00"),
        ("The rehearsal is tomorrow at 7:30 in the evening", "2026-03-03T19:29", "2026-03-03T19:30"),
        ("The workshop is tomorrow afternoon from 10:30 am to 3:00", "2026-03-03T14:59", "2026-03-03T15:00"),
        // A time that was over when it was said is another day's.
        ("The maintenance is tonight at 2 am", "2026-03-02T23:00", "2026-03-03T09:00"),
        // A span is no time.
        ("明日の読書会は2時間です。", "2026-03-03T23:00", "2026-03-04T09:00"),
    ] {
        let talk = [said("c", "10:00", "ann", text)];
        assert_eq!(open_at(&talk, last).len(), 1, "{text}");
        assert_eq!(open_at(&talk, over), Vec::new(), "{text}");
    }
}

/// Whoever moves an event may call it by another word, if they name the day on which it was to be.
#[test]
fn an_event_that_moves_from_its_day_is_told_once() {
    for (first, moved, day) in [
        ("3/5に窯の講習会があります。", "次回3/5からの開催を一週延期し、3/12開催とします。", "2026-03-12"),
        ("3/5に窯の講習会があります。", "次回3/5からの開催を一週延期し、3/12にしたいと思います。", ""),
        (
            "The glazing workshop is on March 5.",
            "We moved the meeting from March 5 to March 12.",
            "2026-03-12",
        ),
    ] {
        let talk = [said("c", "10:00", "ann", first), said("c", "11:00", "bob", moved)];
        let days: Vec<String> =
            open_at(&talk, NEXT_DAY).iter().map(|one| one.by.expect("a day").to_string()).collect();
        assert_eq!(days.join(" "), day, "{moved}");
    }
}

/// "Don't forget it" is no word that nothing is waited for any more.
#[test]
fn who_is_told_not_to_forget_still_owes() {
    let promised = said("c", "10:00", "ann", "I'll send the kiln plan by Friday");
    for (text, is_told) in [
        ("don't forget it please", true),
        ("do not forget about it!", true),
        ("forget about it, we have one", false),
    ] {
        let talk = [promised.clone(), in_thread_of(&promised, said("c", "10:20", "bob", text))];
        assert_eq!(!words_open(&talk, NEXT_DAY).is_empty(), is_told, "{text}");
    }
}
