//! Whether what was promised was handed over, though nobody says "done": where it is now, who got it, who has seen it.

use myao_core::chat::{Message, UserId};

use super::{in_thread_of, open_at, said};

const NOON: &str = "2026-03-03T12:00";
const EVENING: &str = "2026-03-03T20:00";

/// Whether Ann's promise of Monday at ten is open on Tuesday, after what was said: who, when, and what.
fn is_open_after(promise: &str, talk: &[(&str, &str, &str)]) -> bool {
    let opened = said("c", "10:00", "ann", promise);
    assert!(is_open(std::slice::from_ref(&opened), &opened), "{promise} opens nothing");
    let later = talk.iter().map(|(who, at, text)| match who.strip_suffix(" in the thread") {
        Some(who) => in_thread_of(&opened, said("c", at, who, text)),
        None => said("c", at, who, text),
    });
    let talk: Vec<Message> = [opened.clone()].into_iter().chain(later).collect();
    is_open(&talk, &opened)
}

fn is_open(talk: &[Message], opened: &Message) -> bool {
    open_at(talk, EVENING).iter().any(|open| open.ts == opened.ts && open.who == Some(UserId::new("ann")))
}

/// Asserts that each of these, said by `who` the next day, closes a promise or leaves it open.
fn assert_each(promise: &str, who: &str, is_open: bool, texts: &[&str]) {
    let wrong: Vec<&&str> =
        texts.iter().filter(|text| is_open_after(promise, &[(who, NOON, text)]) != is_open).collect();
    assert!(wrong.is_empty(), "{promise} is open: {}, after each of {wrong:?}", !is_open);
}

const SLIDES: &str = "I'll upload the slides by Friday.";
const BUG: &str = "I'll fix the login bug by Wednesday.";
const SURAIDO: &str = "金曜までにスライドを上げます。";
const FUGUAI: &str = "水曜までにログインの不具合を直します。";

#[test]
fn where_a_thing_is_tells_that_it_was_handed_over() {
    assert_each(
        SLIDES,
        "ann",
        false,
        &[
            "it's in the drive now",
            "they're in the drive",
            "slides are in <#C1|design>",
            "the deck's on the wiki",
            "In the shared folder now!",
            "You'll find them in the drive",
            "The slides can be found in the drive.",
            "they should be in your inbox",
            "files are in the drive",
            "here's the deck",
        ],
    );
    assert_each(
        BUG,
        "ann",
        false,
        &[
            "the patch is in main",
            "it's live",
            "login works again",
            "should be fixed now",
            "it's on staging now",
        ],
    );
    assert_each(
        SURAIDO,
        "ann",
        false,
        &[
            "ドライブに入れてあります",
            "スライド、ドライブに入ってます",
            "共有済みです",
            "上がってます",
            "資料はドライブにあります",
            "スライドはこちら",
            "フォルダ見てください",
        ],
    );
    assert_each(
        FUGUAI,
        "ann",
        false,
        &["PR出しました", "PR出てます", "本番に入ってます", "直っているはずです"],
    );
}

#[test]
fn what_is_asked_expected_or_not_yet_so_hands_nothing_over() {
    assert_each(
        SLIDES,
        "ann",
        true,
        &[
            "it's in the drive now?",
            "once it's in the drive I'll ping you",
            "it will be in the drive tomorrow",
            "it's not in the drive yet",
            "they're almost in the drive",
            "it should be in the drive by Friday",
            "it should be up soon",
            "if it's in the drive by noon I'm happy",
            "just checking",
        ],
    );
    assert_each(
        SLIDES,
        "bob",
        true,
        &[
            "it's in the drive now?",
            "slides are in the drive, right?",
            "when the slides are in the drive I can read them",
            "can you put the slides in the drive?",
            "the slides aren't in the drive",
        ],
    );
    assert_each(
        SURAIDO,
        "ann",
        true,
        &[
            "ドライブに入れたら連絡します",
            "まだ上がってません",
            "まだドライブに入っていません",
            "今スライド作ってます",
        ],
    );
    assert_each(
        SURAIDO,
        "bob",
        true,
        &[
            "ドライブに入ってますか？",
            "スライド上がってますか",
            "ドライブに入ったら見ます",
            "スライドが必要です",
        ],
    );
}

#[test]
fn who_or_what_is_elsewhere_is_another_thing() {
    assert_each(
        SLIDES,
        "ann",
        true,
        &[
            "I'm in the office today",
            "Bob is in the meeting",
            "the icons are in <#C1|design>",
            "the cake is in the kitchen",
            "it's at 3 today",
            "it's on my list",
            "it's in progress",
            "the slides are in my head, give me a day",
        ],
    );
    assert_each(SLIDES, "bob", true, &["the icons are in <#C1|design>", "my badge is on the desk"]);
    assert_each(
        BUG,
        "bob",
        true,
        &["the docs PR is up", "I fixed the coffee machine", "the login bug is back"],
    );
    assert_each(
        SURAIDO,
        "ann",
        true,
        &["会議に入ってます", "ケーキは冷蔵庫に入ってます", "いま外に出てます", "気分が上がってます"],
    );
    assert_each(SURAIDO, "bob", true, &["アイコンはドライブに入ってます", "ドキュメントのPR出しました"]);
}

#[test]
fn whoever_waited_and_got_it_closes_a_promise_without_a_name_for_it() {
    assert_each(SLIDES, "bob", false, &["got it, thanks!", "received, thank you", "<@ann> got them"]);
    assert_each(
        SURAIDO,
        "bob",
        false,
        &["届きました、ありがとうございます", "受け取りました！", "いただいてます", "<@ann> 受領しました"],
    );
    for thanks in ["got it, thanks!", "got it", "thanks!", "great, thanks! looking forward to the slides"] {
        // Right behind the promise it was only understood.
        assert!(is_open_after(SLIDES, &[("bob", "10:02", thanks)]), "{thanks}");
        assert!(is_open_after(SLIDES, &[("bob in the thread", "10:02", thanks)]), "{thanks}");
    }
    for thanks in [
        "了解です、ありがとうございます",
        "ありがとうございます！",
        "スライドありがとうございます！楽しみです",
    ] {
        assert!(is_open_after(SURAIDO, &[("bob", "10:02", thanks)]), "{thanks}");
    }
}

#[test]
fn thanks_to_somebody_else_are_for_another_thing() {
    assert_each(
        SLIDES,
        "bob",
        true,
        &[
            "<@dan> got it, thanks!",
            "<@dan> thanks for the lunch!",
            "I got the flu",
            "I received my new badge",
            "thanks all!",
        ],
    );
    assert_each(
        SURAIDO,
        "bob",
        true,
        &["<@dan> さん、届きました", "名札が届きました", "お菓子ありがとうございました！"],
    );
    // It is said to whoever spoke right before.
    for (first, thanks) in
        [("the new badges arrived", "got it, thanks!"), ("the door code is 4711", "received, thank you")]
    {
        assert!(
            is_open_after(SLIDES, &[("dan", NOON, first), ("bob", "2026-03-03T12:05", thanks)]),
            "{first}"
        );
    }
    // To whom it was promised is known.
    let promise = "<@cleo> I'll send you the contract tomorrow.";
    assert!(is_open_after(promise, &[("bob", NOON, "received, thanks!")]));
    assert!(!is_open_after(promise, &[("cleo", NOON, "received, thanks!")]));
}

#[test]
fn whoever_has_seen_a_thing_tells_that_it_is_there() {
    assert_each(
        SLIDES,
        "bob",
        false,
        &[
            "great slides, Ann!",
            "I had a look at the slides, nice",
            "the slides look really good",
            "slide 3 has a typo",
            "the slides are in the drive",
        ],
    );
    assert_each(
        BUG,
        "bob",
        false,
        &["login works again, thanks", "I see the login fix landed", "the login bug is gone"],
    );
    assert_each(
        SURAIDO,
        "bob",
        false,
        &[
            "スライド拝見しました",
            "スライド良かったです！",
            "スライド、きれいですね！",
            "スライドの3枚目に誤字があります",
        ],
    );
    assert_each(
        SLIDES,
        "bob",
        true,
        &["can't wait for the slides", "I need the slides for the meeting", "has anybody seen the slides?"],
    );
    assert_each(BUG, "bob", true, &["login is still broken", "does login work again?"]);
    assert_each(SURAIDO, "bob", true, &["スライド楽しみにしています", "スライドまだかな"]);
}

#[test]
fn what_stands_in_another_clause_asks_and_doubts_for_itself() {
    assert_each(
        SLIDES,
        "ann",
        false,
        &[
            "Uploaded them, can you check?",
            "uploaded, let me know if you can't open them",
            "Slides are in the drive, could somebody have a look?",
            "uploaded it when I got home",
            "I uploaded the slides before lunch",
        ],
    );
    assert_each(BUG, "ann", false, &["PR's up: <https://x.example.com/a>, could someone review?"]);
    assert_each(
        SURAIDO,
        "ann",
        false,
        &["アップしました、ご確認いただけますか？", "アップしたので、もし不備があれば教えてください"],
    );
    assert_each("水曜までに予定表を送ります。", "ann", false, &["予定表を送りました"]);
}

#[test]
fn a_link_a_tick_and_the_text_itself_hand_over_what_they_are_about() {
    let notes = "I'll write the release notes by Thursday.";
    assert_each(
        notes,
        "ann",
        false,
        &[
            "release notes: <https://x.example.com/a>",
            "<https://x.example.com/a>",
            "Release notes 1.2:\n- faster start\n- fewer bugs",
            ":white_check_mark: release notes",
        ],
    );
    assert_each(
        notes,
        "ann",
        true,
        &["funny goats <https://x.example.com/goats>", ":white_check_mark: the tax forms"],
    );
    assert!(!is_open_after(notes, &[("ann in the thread", NOON, "✅")]));
    assert!(is_open_after(notes, &[("bob", NOON, "<https://x.example.com/a>")]));
}

#[test]
fn an_invitation_to_nobody_waits_for_no_answer() {
    for (text, is_told) in [
        ("土曜の合唱の見学は、どなたでもいかがでしょうか？", false),
        ("<@bob> さん、次の当番はいかがでしょうか？", true),
        ("部屋は広いほうが好みという感じでしょうか。", false),
    ] {
        assert_eq!(!open_at(&[said("c", "10:00", "ann", text)], EVENING).is_empty(), is_told, "{text}");
    }
}
