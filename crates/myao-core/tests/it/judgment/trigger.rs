//! The rule of `Attention::wish`, case by case (specification §4).

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, ChannelKind, Message, MessageKind, MessageTs, Own, Place, UserId},
    judgment::{Attention, Cause, Wish},
    memory::{Completeness, horizon_of_channel},
};

const CHANNELS: [ChannelKind; 4] =
    [ChannelKind::Public, ChannelKind::Private, ChannelKind::GroupDm, ChannelKind::Unknown];

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + second).expect("a time")
}

fn attention() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: Some(UserId::new("BMYAO")) },
        bots: [UserId::new("UFRIEND")].into(),
        max_message_age_seconds: 600,
        threads_of_own: false,
    }
}

fn message(user: &str, text: &str) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts: MessageTs::from_timestamp(at(0)),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

fn wish(message: &Message, kind: ChannelKind) -> Wish {
    attention().wish(message, kind, false, at(10))
}

#[test]
fn in_a_channel_only_what_mentions_us_wants_an_answer() {
    for kind in CHANNELS {
        assert_eq!(wish(&message("U1", "ねえ <@UMYAO>、覚えてる?"), kind), Wish::Reply(Cause::Mention));
        for text in ["ねえ myao", "<@UMYAOX> hello", "<@U2> hello", "@UMYAO", ""] {
            assert_eq!(wish(&message("U1", text), kind), Wish::None, "{text} in {kind:?}");
        }
    }
}

#[test]
fn in_a_direct_message_everything_does() {
    assert_eq!(wish(&message("U1", "hello"), ChannelKind::Dm), Wish::Reply(Cause::Dm));
    let photo = Message { text: String::new(), ..message("U1", "") };
    assert_eq!(wish(&photo, ChannelKind::Dm), Wish::Reply(Cause::Dm));
}

#[test]
fn neither_our_own_words_nor_notices_nor_what_is_deleted_do() {
    for kind in [ChannelKind::Public, ChannelKind::Dm] {
        for own in ["UMYAO", "BMYAO"] {
            assert_eq!(wish(&message(own, "<@UMYAO> is me"), kind), Wish::None);
        }
        let notice = Message { kind: MessageKind::Notice, ..message("U1", "<@UMYAO> has joined") };
        assert_eq!(wish(&notice, kind), Wish::None);
        let gone = Message { deleted: true, ..message("U1", "<@UMYAO>") };
        assert_eq!(wish(&gone, kind), Wish::None);
    }
}

#[test]
fn a_bot_is_answered_only_when_it_is_listed() {
    for kind in [ChannelKind::Public, ChannelKind::Dm] {
        let of = |user: &str| attention().wish(&message(user, "<@UMYAO> hi"), kind, true, at(10));
        assert_eq!(of("UOTHER"), Wish::None);
        assert!(matches!(of("UFRIEND"), Wish::Reply(_)));
    }
}

/// Counted from the post: an edit does not make it younger.
#[test]
fn what_is_older_than_the_limit_comes_too_late() {
    let said = message("U1", "<@UMYAO> hi");
    let wish = |message: &Message, second| attention().wish(message, ChannelKind::Public, false, at(second));
    assert_eq!(wish(&said, 600), Wish::Reply(Cause::Mention));
    assert_eq!(wish(&said, 601), Wish::TooOld(Cause::Mention));
    let edited = Message { edited_at: Some(MessageTs::from_timestamp(at(600))), ..said };
    assert_eq!(wish(&edited, 601), Wish::TooOld(Cause::Mention));
    let forever = Attention { max_message_age_seconds: u64::MAX, ..attention() };
    assert_eq!(
        forever.wish(&edited, ChannelKind::Dm, false, Timestamp::MAX),
        Wish::Reply(Cause::Dm),
        "no limit overflows"
    );
}

#[test]
fn the_answer_goes_where_the_question_is() {
    let top = message("U1", "<@UMYAO>");
    let root = MessageTs::from_timestamp(at(-50));
    let reply = Message { thread_ts: Some(root), ..top.clone() };
    let at_top_level = Place { channel: ChannelId::new("C1"), thread: None };
    for cause in [Cause::Mention, Cause::Dm] {
        assert_eq!(attention().place(&top, cause), at_top_level);
        assert_eq!(attention().place(&reply, cause).thread, Some(root));
    }
    let agent = Attention { threads_of_own: true, ..attention() };
    assert_eq!(agent.place(&top, Cause::Dm).thread, Some(top.ts), "it is the root of its own");
    assert_eq!(agent.place(&top, Cause::Mention), at_top_level);
    assert_eq!(agent.place(&reply, Cause::Dm).thread, Some(root));
}

/// Nothing in a gap is looked at, its first instant included (design §2).
#[test]
fn the_horizon_lies_before_a_gap() {
    let gap = MessageTs::from_timestamp(at(100));
    let heard = Completeness { member: true, gap_from: Some(gap), until: MessageTs::MAX };
    assert!(horizon_of_channel(heard, at(1000)) < gap);
    let settled = MessageTs::from_timestamp(at(970));
    assert_eq!(horizon_of_channel(Completeness { gap_from: None, ..heard }, at(1000)), settled);
    let imported = Completeness { member: false, gap_from: None, until: gap };
    assert_eq!(horizon_of_channel(imported, at(1000)), gap);
}
