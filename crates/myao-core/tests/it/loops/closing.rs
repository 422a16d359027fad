//! What opens nothing, and what later talk closes.

use myao_core::{
    chat::Message,
    loops::{LoopKind, OpenLoop},
};

use super::{in_thread_of, open_at, said, words_open};

const NEXT_DAY: &str = "2026-03-03T09:00";

fn is_silent(text: &str) {
    let open = words_open(&[said("c", "10:00", "ann", text)], NEXT_DAY);
    assert_eq!(open, Vec::new(), "{text}");
}

#[test]
fn hopes_refusals_hearsay_and_quotations_promise_nothing() {
    for text in [
        "I would send it tomorrow if I could.",
        "I won't send it by Friday.",
        "Bob said I'll send it by Friday.",
        "Bob said he'll send it by Friday.",
        "> I'll send it by Friday",
        "\"I'll send it by Friday\" is what he wrote",
        "```\nI'll send it by Friday\n```",
        "maybe I'll send it tomorrow",
        "I'll send you a pony by Friday lol",
        "I'll send you a pony by Friday 😂",
        "Shall I send it by Friday?",
        "I'll be there",
        "明日送ろうかな",
        "明日送ると思います",
        "明日送るかも",
        "明日は送りません",
        "「明日送ります」だって",
        "ボブさんが明日送ります",
        "金曜までに送りますｗ",
        "明日送りますか？",
        "このプログラムはメールを送ります",
    ] {
        is_silent(text);
    }
}

#[test]
fn programs_and_we_ourselves_promise_nothing() {
    for who in ["ci-bot", "myao"] {
        let talk = [said("c", "10:00", who, "I'll send it by Friday. Who needs it before the meeting?")];
        assert_eq!(words_open(&talk, NEXT_DAY), Vec::new());
    }
}

/// A question asked in case of something, a guess put as one, and one that only doubts wait for no answer.
#[test]
fn questions_in_case_of_something_guesses_and_doubts_wait_for_no_answer() {
    for (text, is_told) in [
        ("明日になっても荷物が届かなかったら教えてください。", false),
        ("名簿におかしなところあったら教えてください。", false),
        ("音が出ないようでしたら教えてください。", false),
        ("この設定がなかったらどうなりますか？", true),
        ("ご存知でしたら会場の場所を教えてください。", true),
        ("会場の場所がわかったら教えてください。", true),
        ("この列車は恐らく三番線から出ますでしょうか？", false),
        ("看板の色はおそらく緑でしょうか？", false),
        ("次の当番は多分リサさんでしょうか？", false),
        ("看板の色は緑でしょうか？", true),
        ("is there even a bus to the old harbour?", true),
        ("do you even need the key for the shed?", false),
        ("I guess the lock is broken, who can fix it?", true),
        ("恐らく鍵が壊れています、どこに頼めばいいでしょうか？", true),
        ("明日が難しいようでしたら、いつならよろしいでしょうか？", true),
        ("雨が止まないようなら早めにご連絡ください。", false),
        ("is it even possible to book the hall on Sundays?", true),
        ("is the kiln presumably cold by noon?", false),
        ("is the kiln cold by noon?", true),
    ] {
        assert_eq!(!words_open(&[said("c", "10:00", "ann", text)], NEXT_DAY).is_empty(), is_told, "{text}");
    }
}

#[test]
fn whoever_gives_up_asking_waits_for_no_answer() {
    let asked = said("c", "10:00", "ann", "how do I get the old kiln to hold its heat?");
    for (text, is_told) in [
        ("sod it, bricks it is", false),
        ("screw it, off to the shop", false),
        ("scratch that", false),
        ("the tea is ready", true),
    ] {
        let talk = [asked.clone(), said("c", "10:20", "ann", text)];
        assert_eq!(!words_open(&talk, NEXT_DAY).is_empty(), is_told, "{text}");
    }
}

/// What somebody is at until a time is not due then.
#[test]
fn what_goes_on_until_a_time_is_no_promise() {
    for (text, is_told) in [
        ("今日は14時から出かけるのでそれまではやります！", false),
        ("今日は17時までは対応します。", false),
        ("水曜までは受付をやります。", false),
        ("今日は17時まで対応します。", false),
        ("今日の17時までに対応します。", true),
        ("金曜までには対応します。", true),
        ("今日は夕方まで作成します。", false),
        ("金曜までは無理なので来週送ります。", true),
        ("I'll work on it until 5 tomorrow", false),
        ("I'll work on it tomorrow", true),
        ("昼までは会議なので、明日資料を送ります。", true),
    ] {
        assert_eq!(!words_open(&[said("c", "10:00", "ann", text)], NEXT_DAY).is_empty(), is_told, "{text}");
    }
}

/// Each of these, said by whoever promised, closes the promise; in a thread and at top level.
#[test]
fn what_is_kept_given_up_or_no_longer_needed_is_closed() {
    for (promise, ends) in [
        (
            "I'll send the budget by Friday.",
            ["Sent it.", "Done!", "The budget is uploaded.", "Here it is: https://files.example/budget"],
        ),
        (
            "I'll write up the minutes by Friday.",
            ["minutes are done", "I can't do the minutes after all", "Finished the minutes.", "done :)"],
        ),
        (
            "予算案は金曜までに送ります。",
            ["送りました", "完了です", "予算案、共有済みです", "すみません、間に合わないので無理そうです"],
        ),
    ] {
        for end in ends {
            let opened = said("c", "10:00", "ann", promise);
            assert_eq!(words_open(std::slice::from_ref(&opened), NEXT_DAY).len(), 1, "{promise}");
            let later = said("c", "15:00", "ann", end);
            let in_thread = [opened.clone(), in_thread_of(&opened, later.clone())];
            assert_eq!(words_open(&in_thread, NEXT_DAY), Vec::new(), "{promise} {end}");
            assert_eq!(words_open(&[opened, later], NEXT_DAY), Vec::new(), "{promise} {end}");
        }
    }
}

/// What is not done yet closes nothing, nor what somebody else says of something else.
#[test]
fn what_is_not_done_yet_stays_open() {
    let opened = said("c", "10:00", "ann", "I'll send the budget by Friday.");
    for (who, text) in [
        ("ann", "The budget is almost done."),
        ("ann", "I haven't sent the budget yet."),
        ("ann", "Did anybody see my keys?"),
        ("bob", "Thanks!"),
        ("bob", "The lamp is fixed."),
    ] {
        let later = in_thread_of(&opened, said("c", "15:00", who, text));
        let open = words_open(&[opened.clone(), later], NEXT_DAY);
        assert!(open.iter().any(|(kind, _)| *kind == LoopKind::Promise), "{text}");
    }
}

#[test]
fn the_receipt_of_another_closes_a_promise() {
    let opened = said("c", "10:00", "ann", "I'll send the budget by Friday.");
    for text in ["Received, thank you", "got the budget", "budget arrived", "no longer needed"] {
        let later = in_thread_of(&opened, said("c", "15:00", "bob", text));
        assert_eq!(words_open(&[opened.clone(), later], NEXT_DAY), Vec::new(), "{text}");
    }
}

#[test]
fn a_promise_that_moves_stands_alone_on_its_new_day() {
    let first = said("c", "10:00", "ann", "I'll send the budget tomorrow.");
    for (text, by) in [
        ("I'll send the budget on Thursday instead.", "2026-03-05"),
        ("The budget will be Thursday instead, sorry.", "2026-03-05"),
        ("I'll send the budget by 9 March.", "2026-03-09"),
    ] {
        let open = open_at(&[first.clone(), said("c", "12:00", "ann", text)], NEXT_DAY);
        let days: Vec<String> = open.iter().filter_map(|one| one.by).map(|day| day.to_string()).collect();
        assert_eq!(days, [by], "{text}: {open:?}");
    }
}

#[test]
fn a_promise_moves_in_the_channel_where_it_is_said_to_move() {
    let owed = |channel: &str, at: &str| said(channel, at, "ann", "I'll send the budget by Friday.");
    let moves = said("d", "12:00", "ann", "I'll send the budget on Monday instead.");
    let days = |talk: &[Message]| -> Vec<String> {
        let told = |one: OpenLoop| format!("{} {}", one.channel, one.by.expect("a day"));
        open_at(talk, NEXT_DAY).into_iter().map(told).collect()
    };
    let both = [owed("d", "10:00"), owed("c", "11:00"), moves.clone()];
    assert_eq!(days(&both), ["c 2026-03-06", "d 2026-03-09"]);
    // Said elsewhere, it moves what was said in the one other place.
    assert_eq!(days(&[owed("c", "11:00"), moves.clone()]), ["d 2026-03-09"]);
    // In the thread of another promise, what it speaks of moves.
    let other = said("d", "09:00", "ann", "I'll upload the floor plan tomorrow.");
    let beside = [other.clone(), owed("d", "10:00"), in_thread_of(&other, moves)];
    assert_eq!(days(&beside), ["d 2026-03-03", "d 2026-03-09"]);
}

#[test]
fn words_that_end_like_a_deed_are_no_promise() {
    for text in [
        "本日の皆様のご健闘をお祈り申し上げます",
        "今日から問題を解いて実装の速度を上げます。",
        "遅すぎるので後日出直します",
        "明日の朝までに思い出します",
        "I just need it for the concert after this Thursday.",
        "<@ann> set the channel topic: the concert is on 28 March",
    ] {
        is_silent(text);
    }
    for text in ["明日の朝までに出します", "後日書き直します", "金曜までに上げます"]
    {
        let open = open_at(&[said("c", "10:00", "ann", text)], NEXT_DAY);
        assert_eq!(open.len(), 1, "{text}: {open:?}");
    }
}

#[test]
fn promises_are_read_behind_emoji_and_in_more_forms() {
    for text in [
        "ありがとうございます :bow: 明日の朝に追加します :+1:",
        "明日試してみます :muscle::skin-tone-2:",
        "takenobuさん、聞いてくれてありがとうございます :bow:\nsyocyさん、許可ありがとうございます :pray:\n今から追加します :+1:",
        "承知いたしました。明日すすめておきます",
        "今週中めどにやります",
        "明日かあさってイベントページに載せる予定です。",
        "水曜に確認してみます！",
        "I'll send the list by Friday :tada:",
    ] {
        let open = open_at(&[said("c", "10:00", "ann", text)], NEXT_DAY);
        assert_eq!(open.len(), 1, "{text}: {open:?}");
    }
    let asked = said("c", "10:00", "ann", "<@bob> would you mind emailing us the pictures?");
    let taken = said("c", "10:05", "bob", "@ann Sure, will do :+1:");
    let open = open_at(&[asked, taken], NEXT_DAY);
    assert_eq!(open.iter().map(|one| one.kind).collect::<Vec<_>>(), [LoopKind::Promise], "{open:?}");
}

#[test]
fn several_days_share_their_month() {
    for (text, by) in [
        ("カンファレンスは9月11〜12日に開催。", "2026-09-12"),
        ("「祭2026」を今年7月11日(土)、12日(日)に開催予定です", "2026-07-12"),
        ("The concert is on 11 and 12 July.", "2026-07-11"),
    ] {
        let open = open_at(&[said("c", "10:00", "ann", text)], NEXT_DAY);
        let days: Vec<String> = open.iter().filter_map(|one| one.by).map(|day| day.to_string()).collect();
        assert_eq!(days, [by], "{text}: {open:?}");
    }
}

#[test]
fn days_are_read_as_they_are_said() {
    for (text, by) in [
        ("I'll send it by Friday", "2026-03-06"),
        ("I'll send it next Friday", "2026-03-13"),
        ("I'll send it today", "2026-03-02"),
        ("I'll send it the day after tomorrow", "2026-03-04"),
        ("I'll send it by 5 March", "2026-03-05"),
        ("I'll send it by March 5th", "2026-03-05"),
        ("I'll send it in two weeks", "2026-03-16"),
        ("I'll send it by 2026-04-01", "2026-04-01"),
        ("I'll book it for Monday 13 April", "2026-04-13"),
        ("I'll send it by Friday, March 27th", "2026-03-27"),
        ("I'll send it by Friday the 27th of March", "2026-03-27"),
        ("月曜（4/13）までに送ります", "2026-04-13"),
        ("月曜日、4月13日までに送ります", "2026-04-13"),
        ("I'll send it between 11 and 13 March", "2026-03-11"),
        ("I'll send it on the 11th or 12th of March", "2026-03-11"),
        ("3月11〜12日に送ります", "2026-03-12"),
        ("3月11日(水)、12日(木)に送ります", "2026-03-12"),
        ("3月11日(水)、12日(木)は出張なので、4月2日までに送ります", "2026-04-02"),
        ("7月11日(土)、12日(日)の資料は10日までに送ります", "2026-03-10"),
        ("I'll send it by the end of the month", "2026-03-31"),
        ("I'll send it by Friday, the meeting is on Monday", "2026-03-06"),
        ("金曜までに送ります", "2026-03-06"),
        ("来週の火曜に送ります", "2026-03-10"),
        ("3月20日までに送ります", "2026-03-20"),
        ("3/20(金)までに送ります", "2026-03-20"),
        ("明後日送ります", "2026-03-04"),
        ("今月末までに送ります", "2026-03-31"),
        ("3日後に送ります", "2026-03-05"),
        ("20日に送ります", "2026-03-20"),
    ] {
        let open = open_at(&[said("c", "10:00", "ann", text)], "2026-03-02T12:00");
        let days: Vec<String> = open.iter().filter_map(|one| one.by).map(|day| day.to_string()).collect();
        assert_eq!(days, [by], "{text}: {open:?}");
    }
}

/// What nobody came back to for long is not held against anybody.
#[test]
fn what_is_old_is_not_held_open() {
    let talk = [
        said("c", "10:00", "ann", "I'll send the budget by Friday."),
        said("c", "10:01", "bob", "<@cleo> where did we put the ladder of the depot?"),
        said("c", "10:02", "dan", "The spring concert is on 14 March."),
    ];
    assert_eq!(words_open(&talk, "2026-03-03T09:00").len(), 3);
    assert_eq!(words_open(&talk, "2026-03-30T09:00").len(), 2, "the concert is over");
    assert_eq!(words_open(&talk, "2026-04-03T09:00").len(), 1, "the question is old");
    assert_eq!(words_open(&talk, "2026-04-20T09:00"), Vec::new());
}
