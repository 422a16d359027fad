//! The talk of a channel, as it is read.

use std::borrow::Borrow;

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Message, MessageKind, MessageTs, UserId},
    context::ChannelMessages,
};

fn channel() -> Channel {
    Channel {
        id: ChannelId::new("C1"),
        name: "general".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    }
}

fn at(seconds: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(seconds)
}

fn message(seconds: i64, thread: Option<i64>) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts: at(seconds),
        thread_ts: thread.map(at),
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: format!("said at {seconds}"),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

fn order(messages: &[impl Borrow<Message>]) -> Vec<i64> {
    messages.iter().map(|m| m.borrow().ts.as_micros() / 1_000_000).collect()
}

#[test]
fn top_level_and_threads_together_in_the_order_of_time() {
    let said = [message(30, None), message(20, Some(10)), message(10, None), message(40, Some(10))];
    let talk = ChannelMessages::new(channel(), said);
    assert_eq!(order(talk.get_all_messages()), [10, 20, 30, 40]);
    assert_eq!(talk.channel(), &channel());
}

#[test]
fn notices_and_what_was_taken_back_are_no_talk() {
    let joined = Message { kind: MessageKind::Notice, ..message(10, None) };
    let deleted = Message { deleted: true, text: String::new(), ..message(20, None) };
    let talk = ChannelMessages::new(channel(), [joined, deleted, message(30, None)]);
    assert_eq!(order(talk.get_all_messages()), [30]);
}

/// A read that forgot its condition must not carry a private channel's words into another place.
#[test]
fn what_was_said_elsewhere_is_left_out() {
    let elsewhere = Message { channel: ChannelId::new("G9"), ..message(10, None) };
    let talk = ChannelMessages::new(channel(), [elsewhere, message(20, None)]);
    assert_eq!(order(talk.get_all_messages()), [20]);
}

#[test]
fn a_message_read_twice_is_shown_once() {
    let talk = ChannelMessages::new(channel(), [message(10, None), message(20, None), message(10, None)]);
    assert_eq!(order(talk.get_all_messages()), [10, 20]);
}

#[test]
fn a_thread_is_its_root_and_its_replies() {
    let said = [message(10, None), message(15, None), message(20, Some(10)), message(30, Some(15))];
    let talk = ChannelMessages::new(channel(), said);
    assert_eq!(order(&talk.get_thread(at(10))), [10, 20]);
    assert_eq!(order(&talk.get_thread(at(15))), [15, 30]);
    assert!(talk.get_thread(at(99)).is_empty());
}

#[test]
fn a_thread_whose_root_is_gone_is_its_replies() {
    let talk = ChannelMessages::new(channel(), [message(20, Some(10)), message(30, Some(10))]);
    assert_eq!(order(&talk.get_thread(at(10))), [20, 30]);
}
