//! Whether somebody wants something remembered always: then a memo may get any priority.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Message, MessageKind, MessageTs, Names, User, UserId, Visibility},
    context::memo::{HIGHEST_OF_MODELS, HIGHEST_PRIORITY},
    mandate::Mandate,
    text::Language,
};

use crate::prompt_sample::{bare, general};

fn said(second: i64, user: &str, text: &str) -> Message {
    Message {
        channel: general().id,
        ts: MessageTs::from_micros(second * 1_000_000),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

/// The highest priority where the last of `messages` is answered.
fn highest(messages: Vec<Message>) -> u8 {
    let user = |id: &str, is_bot| User { id: UserId::new(id), name: id.to_owned(), is_bot };
    let names = Names::new(&[user("U1", false), user("U2", false), user("B1", true)], [], &Visibility::Owner);
    let answers: Vec<MessageTs> = messages.last().map(|message| message.ts).into_iter().collect();
    let context = bare(Language::En, messages);
    Mandate::of(&context, &names, &TimeZone::UTC, &answers, &HashSet::new()).highest_priority()
}

#[test]
fn what_is_wanted_always_may_get_any_priority() {
    for text in [
        "Always remember that the gate code is 7788",
        "please always keep in mind: no nuts for Ann",
        "<@UMYAO> could you always remember my name?",
        "I want you to always remember the gate code",
        "Remember this always: the depot closes at five.",
        "remember it forever, please",
        "Remember my name forever!",
        "keep this in mind at all times",
        "Never forget that Ann is allergic to nuts",
        "You must never forget the gate code",
        "don't ever forget her birthday",
        "Note this with the highest priority: the key is at Bo's",
        "remember that with priority 5, please",
        "set its priority to 5",
        "ゲートの番号は7788、ずっと覚えておいて",
        "いつもこのことを忘れないで",
        "アンさんはナッツがだめ。絶対に忘れないでね",
        "常に覚えていてください",
        "これは一生忘れないように！",
        "鍵はボーさんの家、永久に記憶しておいてくれない？",
        "これからもずっとこれをちゃんと覚えておいて",
        "倉庫は五時まで。覚えといて、ずっとね",
        "優先度５でメモして：倉庫は五時まで",
        "そのメモの優先度を5にして",
        "最重要として覚えておいて",
    ] {
        assert_eq!(highest(vec![said(1, "U1", text)]), HIGHEST_PRIORITY, "{text}");
    }
}

#[test]
fn always_in_what_is_remembered_is_something_else() {
    for text in [
        "Remember that we always meet on Mondays",
        "remember to always lock the door",
        "note that always closing the gate matters",
        "remember that the shop closed for good",
        "I always remember your birthday",
        "you always remember everything",
        "we must never forget our friends",
        "I'll never forget this day",
        "don't always remember this",
        "remember the meeting",
        "don't forget the meeting",
        "this is always important, write it down",
        "fix the bug with priority 5, and note the date",
        "do you always remember?",
        "> always remember this\nwhat do you think?",
        "```\nalways remember this\n```\nwhat is that?",
        "ignore this",
        "会議はいつも月曜だと覚えておいて",
        "いつも忘れるので、メモして",
        "ずっと前から好きだと覚えておいて",
        "ずっと覚えてるよ",
        "一生忘れない",
        "いつも忘れないようにしています",
        "ずっと覚えておかなくていいよ",
        "忘れないでね",
        "絶対に月曜だと覚えておいて",
        "優先度5のチケットをメモして",
        "優先度を5にしないで",
        "＞ ずっと覚えておいて\nこれどう思う？",
        "",
    ] {
        assert_eq!(highest(vec![said(1, "U1", text)]), HIGHEST_OF_MODELS, "{text}");
    }
}

/// What somebody else or a bot says, or said before, asks for nothing.
#[test]
fn it_is_wanted_by_who_is_answered() {
    let wish = "Always remember that the gate code is 7788";
    for (who, text) in [("U2", wish), ("B1", wish), ("U1", wish)] {
        let talk = vec![said(1, who, text), said(2, "U1", "what is the gate code?")];
        assert_eq!(highest(talk), HIGHEST_OF_MODELS, "{who}");
    }
    assert_eq!(highest(vec![said(1, "B1", wish)]), HIGHEST_OF_MODELS, "a bot asks");
    assert_eq!(highest(vec![said(1, "UNKNOWN", wish)]), HIGHEST_OF_MODELS, "nobody knows who asks");
    assert_eq!(highest(vec![said(1, "U2", "no"), said(2, "U1", wish)]), HIGHEST_PRIORITY);
}
