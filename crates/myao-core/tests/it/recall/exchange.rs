//! What is shown around a message that was found: what it answers, and what answered it.

use myao_core::{
    chat::{ChannelId, Message, MessageKind, MessageTs, Names, User, UserId, Visibility},
    recall::{RecalledItem, exchange_around_hit},
};

const HANA: &str = "U1";
const NOOR: &str = "U2";
const BEN: &str = "U3";

fn names() -> Names {
    let called = [(HANA, "Hana"), (NOOR, "Noor"), (BEN, "Ben"), ("U4", "Mio"), ("U5", "Ivo")];
    let users: Vec<User> = called
        .into_iter()
        .map(|(id, name)| User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
        .collect();
    Names::new(&users, &[], &Visibility::Owner)
}

fn said(second: i64, user: &str, text: &str) -> Message {
    Message {
        channel: ChannelId::new("C1"),
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

fn replied(root: i64, second: i64, user: &str, text: &str) -> Message {
    Message { thread_ts: Some(MessageTs::from_micros(root * 1_000_000)), ..said(second, user, text) }
}

/// What stands around the message of this time, each with whether it is needed.
fn around(talk: &[Message], second: i64) -> Vec<(String, bool)> {
    let at = MessageTs::from_micros(second * 1_000_000);
    let hit = talk.iter().find(|message| message.ts == at).expect("a message of this time");
    let near: Vec<&Message> = talk.iter().collect();
    let shown = exchange_around_hit(hit, &near, &names()).into_iter();
    shown.map(|around| (around.message.text, around.is_needed)).collect()
}

fn texts(talk: &[Message], second: i64) -> Vec<String> {
    around(talk, second).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn between_two_the_next_message_answers_a_question() {
    let talk = [
        said(10, HANA, "What do you drink in the evening?"),
        said(50, NOOR, "Plum wine, mostly."),
        said(90, HANA, "Same here."),
    ];
    assert_eq!(around(&talk, 10), [("Plum wine, mostly.".to_owned(), true)]);
    let asked = [("What do you drink in the evening?".to_owned(), false)];
    assert_eq!(around(&talk, 50), asked, "an answer is shown with its question");
    assert_eq!(texts(&talk, 90), Vec::<String>::new(), "what asks nothing needs no neighbours");
}

#[test]
fn among_three_an_answer_may_stand_a_little_later() {
    let talk = [
        said(10, HANA, "どんなお酒が好きですか？"),
        said(20, HANA, "わたしは日本酒です"),
        said(30, NOOR, "梅酒です"),
        said(40, HANA, "いいですね"),
        said(50, BEN, "焼酎かな"),
        said(60, BEN, "寒いし"),
    ];
    assert_eq!(texts(&talk, 10), ["梅酒です", "焼酎かな"]);
}

#[test]
fn whoever_is_asked_answers() {
    let talk = [
        said(10, HANA, "<@U3> where is the key of the mill?"),
        said(20, NOOR, "I like mills."),
        said(30, BEN, "On the shelf."),
        said(40, HANA, "Noor: and the lamp?"),
        said(50, BEN, "It is snowing."),
        said(60, NOOR, "In the shed."),
    ];
    assert_eq!(texts(&talk, 10).first().map(String::as_str), Some("On the shelf."));
    assert_eq!(texts(&talk, 40).last().map(String::as_str), Some("In the shed."));
}

#[test]
fn where_many_talk_only_what_is_addressed_belongs_together() {
    let talk = [
        said(10, "U4", "how do I mount a disk?"),
        said(15, "U5", "anybody seen the game?"),
        said(20, HANA, "Ivo: no, missed it"),
        said(25, NOOR, "Mio: see the manual of mount"),
        said(30, BEN, "it rains"),
        said(35, "U4", "Noor: thanks, that works"),
    ];
    assert_eq!(texts(&talk, 10), ["Mio: see the manual of mount"]);
    assert_eq!(texts(&talk, 25), ["how do I mount a disk?", "Noor: thanks, that works"]);
    assert_eq!(texts(&talk, 30), Vec::<String>::new(), "neighbours that say nothing to each other");
}

#[test]
fn a_thread_belongs_together_however_long_it_took() {
    let day = 86_400;
    let talk = [
        said(10, HANA, "Who feeds the cat in May?"),
        said(20, BEN, "It is snowing."),
        replied(10, day, NOOR, "I can, from the third on."),
        replied(10, 2 * day, BEN, "And I before."),
        replied(10, 3 * day, HANA, "Settled."),
    ];
    assert_eq!(texts(&talk, 10), ["I can, from the third on.", "And I before."]);
    assert_eq!(texts(&talk, 3 * day), ["Who feeds the cat in May?"], "a reply is shown with its root");
}

#[test]
fn what_was_said_much_later_is_no_answer() {
    let talk = [said(10, HANA, "Is anybody there?"), said(10 + 3600, NOOR, "Good morning.")];
    assert_eq!(texts(&talk, 10), Vec::<String>::new());
}

/// What is shown around the message of the first time, if those of the others were found below the floor.
fn around_above_floor(talk: &[Message], above: i64, below: &[i64]) -> Vec<String> {
    let found = |second: &i64| {
        let at = MessageTs::from_micros(second * 1_000_000);
        RecalledItem::beside(talk.iter().find(|message| message.ts == at).expect("a message of this time"))
    };
    let below: Vec<RecalledItem> = below.iter().map(found).collect();
    let shown = found(&above).with_exchange_below_floor(&below).around.into_iter();
    shown.map(|around| around.message.text).collect()
}

#[test]
fn what_was_found_below_the_floor_is_shown_around_what_it_belongs_to() {
    let talk = [
        said(-3600, BEN, "Kevin is attacking us."),
        said(10, "U4", "Kevin attacks, and the caretaker has the key."),
        said(15, "U5", "He has put a label on Kevin."),
        said(20, HANA, "He has unplugged Kevin."),
        replied(10, 25, NOOR, "Poor Kevin."),
        said(28, BEN, "Kevin!"),
    ];
    let nearest = ["He has put a label on Kevin.", "Kevin!"];
    assert_eq!(around_above_floor(&talk, 20, &[-3600, 10, 15, 25, 28]), nearest, "two, as they were said");
    assert_eq!(around_above_floor(&talk, 20, &[-3600, 25]), Vec::<String>::new(), "nothing of other talk");
}
