//! Stories of one thing each: it is said, and what is said later closes it, moves it, or has nothing to do with it.

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Message, UserId},
    loops::{OpenLoop, open_loops},
};
use serde::Deserialize;
use serde_json::Value;

use super::{instant, names, said};

const NEXT_DAY: &str = "2026-03-03T09:00";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    name: String,
    held_out: bool,
    /// When, who, what, and to which saying in a thread.
    talk: Vec<Vec<Value>>,
    /// What kind, whose, by when, in which words.
    open: Vec<(String, Option<String>, Option<String>, String)>,
}

impl Story {
    fn messages(&self) -> Vec<Message> {
        let mut told: Vec<Message> = Vec::new();
        for saying in &self.talk {
            let [at, who, text] = [0, 1, 2].map(|nth| saying[nth].as_str().expect("a text"));
            let root = saying.get(3).and_then(Value::as_u64).and_then(|root| usize::try_from(root).ok());
            let message =
                Message { thread_ts: root.map(|root| told[root].ts), ..said("general", at, who, text) };
            told.push(message);
        }
        told
    }

    /// What is told that is not open, and what is open that is not told.
    fn faults(&self) -> Vec<String> {
        let told = open_loops(&self.messages(), &names(), &TimeZone::UTC, instant(NEXT_DAY));
        let is = |(kind, who, by, words): &(String, Option<String>, Option<String>, String),
                  open: &OpenLoop| {
            kind == open.kind.as_str()
                && who.as_ref().is_none_or(|who| open.who.as_ref() == Some(&UserId::new(who)))
                && by.as_ref().is_none_or(|by| open.by.is_some_and(|day| day.to_string() == *by))
                && open.words.contains(words)
        };
        let wrong = told.iter().filter(|open| !self.open.iter().any(|one| is(one, open)));
        let missed = self.open.iter().filter(|one| !told.iter().any(|open| is(one, open)));
        let wrong = wrong.map(|open| format!("{}: {} is not open", self.name, open.words));
        wrong.chain(missed.map(|one| format!("{}: {} was missed", self.name, one.3))).collect()
    }
}

fn stories(text: &str, held_out: bool) -> Vec<Story> {
    let stories: Vec<Story> = serde_json::from_str(text).expect("stories");
    stories.into_iter().filter(|story| story.held_out == held_out).collect()
}

fn faults(text: &str, held_out: bool) -> Vec<String> {
    let stories = stories(text, held_out);
    assert!(stories.len() >= 12, "{}", stories.len());
    stories.iter().flat_map(Story::faults).collect()
}

const ENGLISH: &str = include_str!("later_en.json");
const JAPANESE: &str = include_str!("later_ja.json");

#[test]
fn what_is_said_later_closes_only_what_it_may_be() {
    assert_eq!(faults(ENGLISH, false), Vec::<String>::new());
    assert_eq!(faults(JAPANESE, false), Vec::<String>::new());
}

/// The question of the one that is missed is too short to be told at all.
#[test]
fn stories_that_were_held_out_are_told_right() {
    assert_eq!(faults(ENGLISH, true), Vec::<String>::new());
    assert_eq!(faults(JAPANESE, true), ["別件: 不明: プロジェクター was missed"]);
}

/// Whether the first saying is still open after a reply in its thread, and after one beside it.
fn is_open_after(first: &str, who: &str, reply: &str, in_thread: bool) -> bool {
    let opened = said("general", "10:00", "ann", first);
    let reply = said("general", "15:00", who, reply);
    let thread_ts = in_thread.then_some(opened.ts);
    let talk = [opened.clone(), Message { thread_ts, ..reply }];
    open_loops(&talk, &names(), &TimeZone::UTC, instant(NEXT_DAY)).iter().any(|open| open.ts == opened.ts)
}

#[test]
fn what_may_be_that_a_promise_was_kept_closes_it() {
    for (promise, told) in [
        (
            "I'll upload the photos of the trip.",
            vec![
                "The album is online.",
                "Photos are up",
                "All in the shared folder now",
                "uploaded",
                "Just put them there",
            ],
        ),
        (
            "I'll prepare the cake for the fair by Friday.",
            vec![
                "Baked!",
                "I've made it.",
                "The cake is done",
                "I baked it this morning",
                "Sent the cake to the hall",
            ],
        ),
        (
            "I'll order the chairs by Friday.",
            vec!["Bought some.", "I rang the shop, they come on Monday", "Got them"],
        ),
        (
            "合唱の写真を上げておきます。",
            vec!["アルバムにあります", "上げました", "共有フォルダに入ってます", "全部入れた"],
        ),
        (
            "金曜までにケーキを用意します。",
            vec!["焼けました！", "焼いた", "取りに行ってきました", "ケーキは冷蔵庫に入れときました"],
        ),
    ] {
        for told in told {
            for in_thread in [false, true] {
                assert!(!is_open_after(promise, "ann", told, in_thread), "{promise} {told} {in_thread}");
            }
        }
    }
}

#[test]
fn what_may_be_of_a_promise_without_a_day_closes_it() {
    for (promise, told) in [
        (
            "I'll email the draft to you.",
            vec!["Did it arrive?", "What do you think of it?", "Could everybody look at the draft?"],
        ),
        ("I'll order the pizza.", vec!["6 margherita, 2 veggie", "comes at 12"]),
        ("I'll send the photos.", vec!["check your mail guys"]),
        ("資料まとめておきます！", vec!["notion見てください", "ドライブに上げてます", "届きましたか？"]),
        ("お店予約しておきますね", vec!["鳥貴族19時6名です"]),
    ] {
        for told in told {
            assert!(!is_open_after(promise, "ann", told, false), "{promise} {told}");
        }
    }
}

#[test]
fn another_deed_may_be_the_way_to_keep_a_promise() {
    for (promise, told) in [
        ("I'll fix the whiteboard by Friday.", "Ordered a replacement"),
        ("I'll cancel the gym tomorrow.", "Sent the letter"),
        ("I'll print the posters by Friday.", "Ordered 50 at the copy shop"),
        ("I'll schedule the interviews by Friday.", "Sent out the slots"),
        ("明日家賃払います", "ペイペイで送った"),
        ("明日サーバー再起動の手配します", "業者に頼みました"),
    ] {
        assert!(!is_open_after(promise, "ann", told, false), "{promise} {told}");
    }
}

/// What was done is rather the promise of that deed than one that shares a word with it.
#[test]
fn a_deed_closes_its_promise_though_another_is_of_the_same_thing() {
    for (budget, room, told) in [
        (
            "I'll send the budget for the offsite by Friday.",
            "I'll book a hotel tomorrow.",
            "Offsite: rooms at the Hilton are reserved",
        ),
        ("金曜までに合宿の予算を出します", "明日宿を予約します", "合宿は箱根の旅館で予約しました"),
    ] {
        let talk = [
            said("general", "10:00", "ann", budget),
            said("general", "10:01", "ann", room),
            said("general", "15:00", "ann", told),
        ];
        let open = open_loops(&talk, &names(), &TimeZone::UTC, instant(NEXT_DAY));
        assert!(open.iter().all(|open| open.ts != talk[1].ts), "{open:?}");
    }
}

#[test]
fn who_asked_finds_it_after_nobody_knew() {
    let talk = [
        said("general", "10:00", "ann", "<@bob> 9番の部屋の鍵はどこにありますか？"),
        said("general", "10:10", "bob", "わからないです"),
        said("general", "10:20", "ann", "ありました！"),
    ];
    assert_eq!(open_loops(&talk, &names(), &TimeZone::UTC, instant(NEXT_DAY)), Vec::new());
}

#[test]
fn what_stands_beside_courtesies_may_be_the_answer() {
    for (question, answers) in [
        (
            "<@bob> when can we restart the server of the shop?",
            vec!["later", "after lunch", "sorry, soon", "thanks `at noon`", "hi! https://example.com/plan"],
        ),
        ("<@bob> who is invited to the offsite?", vec!["everyone", "me", "all", "me!!"]),
        ("<@bob> could I borrow your charger for the meeting?", vec!["no worries", "Sorry!"]),
        (
            "<@bob> 経費の申請は終わりましたか？",
            vec!["まだです", "すみません、まだです", "今からです", "全然です"],
        ),
        ("<@bob> 次のリリースの担当はどなたですか？", vec!["<@cleo> さんです", "皆さん", "私も"]),
        ("<@bob> 一緒に参加してもらえますか？", vec!["よろしくお願いします！", "すみません"]),
    ] {
        for answer in answers {
            for in_thread in [false, true] {
                assert!(!is_open_after(question, "bob", answer, in_thread), "{question} {answer}");
            }
        }
    }
}

#[test]
fn what_has_nothing_to_do_with_a_promise_leaves_it_open() {
    for (promise, told) in [
        (
            "I'll order the chairs by Friday.",
            vec!["Thanks everyone!", "Good morning, all", "Where is the ladder of the depot?"],
        ),
        (
            "I'll upload the photos of the trip.",
            vec!["Thanks everyone!", "The tram is late again.", "Where is the ladder?"],
        ),
        (
            "I'll book the hall by Friday.",
            vec!["I printed the flyers for the fair.", "Repaired the fence of the yard."],
        ),
        (
            "合唱の写真を上げておきます。",
            vec!["ありがとうございます！", "今日は電車が遅いです", "会場の鍵はどこですか？"],
        ),
        (
            "金曜までに会場を予約します。",
            vec!["ありがとうございます！", "チラシを印刷しました", "おはようございます"],
        ),
    ] {
        for told in told {
            assert!(is_open_after(promise, "ann", told, false), "{promise} {told}");
        }
    }
}

#[test]
fn a_question_waits_for_what_may_be_an_answer() {
    for (question, answers, others) in [
        (
            "<@bob> which room do we have for the choir?",
            vec![
                "Room 4",
                "thanks, room 4",
                "Sorry! the blue one",
                "not sure, but maybe the blue one",
                "4",
                "yes, the hall",
            ],
            vec![
                "Thanks!",
                "Good morning all",
                "no idea, sorry",
                "Let me check",
                "<@cleo> any idea?",
                "Thanks, I'll look later",
            ],
        ),
        (
            "<@bob> 裏口の暗証番号は何番ですか？",
            vec![
                "すみません、4711です",
                "ありがとうございます。2番です",
                "はい、それです",
                "わからないけど、4711かも",
            ],
            vec![
                "おはようございます！",
                "すみません、わかりません",
                "確認します",
                "<@cleo> さん、わかりますか？",
            ],
        ),
    ] {
        for in_thread in [false, true] {
            for answer in &answers {
                assert!(!is_open_after(question, "bob", answer, in_thread), "{question} {answer}");
            }
            for other in &others {
                assert!(is_open_after(question, "bob", other, in_thread), "{question} {other}");
            }
        }
    }
}
