//! What is read in talk without a model: what is open, what a word of the house means, what is put right, and questions for
//! a brief, for what is open and for a day. Whatever is read was said, in whatever order it is told.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{Channel, ChannelId, Message, MessageKind, MessageTs, Names, User, UserId, Visibility},
    loops::{LoopsAskedFor, open_loops},
    memory::SaidRight,
    recall::{NamedInQuestion, brief::BriefWish, house_words_in},
};

use super::{effort, material};

/// The most messages of a talk, and the seconds between two of them.
const MOST_MESSAGES: usize = 24;
const APART: i64 = 900;
/// When it begins, in seconds of the Unix epoch.
const BEGINS: i64 = 1_772_438_400;

pub(crate) fn run(data: &[u8]) {
    let text = material::text(data);
    let zone = TimeZone::UTC;
    let now = Timestamp::from_second(BEGINS + 24 * 3_600).unwrap_or_default();
    let talk = talk_of(&text);
    let names = names();
    let open = open_loops(&talk, &names, &zone, now);
    for one in &open {
        let source = one.asked_at.unwrap_or(one.ts);
        let said = talk.iter().find(|message| message.channel == one.channel && message.ts == source);
        assert!(said.is_some_and(|message| message.text.contains(&one.words)), "nobody said {one:?}");
    }
    let backwards: Vec<Message> = talk.iter().rev().cloned().collect();
    assert_eq!(open, open_loops(&backwards, &names, &zone, now), "in another order");
    for line in text.lines() {
        for word in house_words_in(line) {
            assert!(!word.word.trim().is_empty() && !word.meaning.trim().is_empty(), "{word:?}");
        }
        if let Some(right) = SaidRight::of_message(line) {
            let put = right.put_into(&text, line);
            assert!(put.is_none_or(|put| put.contains(right.value())), "{right:?}");
        }
        read_question(line, now, &zone, &names);
    }
    effort::grows_in_proportion("what is open", &text, |text| {
        drop(open_loops(&talk_of(text), &names, &zone, now));
    });
    effort::grows_in_proportion("words of the house", &text, |text| drop(house_words_in(text)));
    effort::grows_in_proportion("questions", &text, |text| read_question(text, now, &zone, &names));
}

fn read_question(text: &str, now: Timestamp, zone: &TimeZone, names: &Names) {
    drop(LoopsAskedFor::of_message(text, &UserId::new("ann"), names));
    let wish = BriefWish::of_talk(text, now, zone);
    let command = BriefWish::of_command(text, now, zone).ok();
    for since in [wish, command].into_iter().flatten().filter_map(|wish| wish.since) {
        assert!(since <= MessageTs::from_timestamp(now), "{text:?} tells of what is to come");
    }
    let _ = NamedInQuestion::as_of_question(text, now, zone);
}

fn names() -> Names {
    let people =
        ["ann", "bob"].map(|name| User { id: UserId::new(name), name: name.to_owned(), is_bot: false });
    Names::new(&people, &Vec::<Channel>::new(), &Visibility::Owner)
}

/// A text as talk: each line a message, by two people in turn, in two channels, every third in a thread of the first.
fn talk_of(text: &str) -> Vec<Message> {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(MOST_MESSAGES);
    let ts = |nth: usize| {
        let seconds = BEGINS + APART * i64::try_from(nth).unwrap_or_default();
        MessageTs::from_micros(seconds * 1_000_000)
    };
    lines
        .enumerate()
        .map(|(nth, line)| Message {
            channel: ChannelId::new(if nth % 5 == 4 { "d" } else { "c" }),
            ts: ts(nth),
            thread_ts: (nth % 3 == 2 && nth % 5 != 4).then(|| ts(0)),
            user: UserId::new(if nth % 2 == 0 { "ann" } else { "bob" }),
            kind: MessageKind::Talk,
            text: line.to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        })
        .collect()
}
