//! One message object, read.

use myao_core::chat::{ChannelId, FileRef, Message, MessageKind, User, UserId};
use myao_slack::message::{Misread, Reading, read_message_object, unread_key};
use serde_json::{Value, json};

use crate::sample::{said, ts};

fn channel() -> ChannelId {
    ChannelId::new("C1")
}

fn message(raw: &Value) -> (Message, Option<User>) {
    match read_message_object(&channel(), raw).unwrap() {
        Reading::Said(said) => (said.message, said.people.first().map(|told| told.user().clone())),
        deleted @ Reading::Deleted { .. } => panic!("{deleted:?}"),
    }
}

fn text_of(raw: &Value) -> String {
    message(raw).0.text
}

fn misread(raw: &Value) -> String {
    read_message_object(&channel(), raw).unwrap_err().to_string()
}

/// A message of U1 with these fields besides.
fn with(fields: &Value) -> Value {
    let mut raw = said("1700000000.000100", "U1", "");
    raw.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    raw
}

#[test]
fn a_plain_message() {
    let (message, author) = message(&said("1508918687.000062", "U1", "1 &lt; 2, <@U2>"));
    let expected = Message {
        channel: channel(),
        ts: ts("1508918687.000062"),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: "1 < 2, <@U2>".into(),
        files: vec![],
        edited_at: None,
        deleted: false,
    };
    assert_eq!((message, author), (expected, None));
}

#[test]
fn threads_and_edits() {
    let (root, _) = message(&with(&json!({"text": "a", "thread_ts": "1700000000.000100"})));
    assert_eq!(root.thread_ts, None, "a root is at top level");
    let (reply, _) = message(&with(&json!({"text": "a", "thread_ts": "1690000000.000001"})));
    assert_eq!(reply.thread_ts, Some(ts("1690000000.000001")));
    let (edited, _) =
        message(&with(&json!({"text": "a", "edited": {"user": "U1", "ts": "1700000009.000000"}})));
    assert_eq!(edited.edited_at, Some(ts("1700000009.000000")));
    let (odd, _) = message(&with(&json!({"text": "a", "edited": {"ts": 5}, "thread_ts": null})));
    assert_eq!((odd.edited_at, odd.thread_ts), (None, None));
}

#[test]
fn talk_and_notices_are_told_apart() {
    let table = [
        (
            MessageKind::Talk,
            "bot_message thread_broadcast reply_broadcast me_message file_share slackbot_response",
        ),
        (MessageKind::Notice, "channel_join channel_leave channel_topic channel_purpose channel_name"),
        (
            MessageKind::Notice,
            "channel_archive channel_unarchive group_join group_leave group_topic group_purpose",
        ),
        (MessageKind::Notice, "group_name group_archive group_unarchive pinned_item unpinned_item bot_add"),
        (MessageKind::Notice, "bot_remove reminder_add huddle_thread channel_convert_to_private"),
    ];
    for (kind, subtypes) in table {
        for subtype in subtypes.split(' ') {
            assert_eq!(message(&with(&json!({"text": "a", "subtype": subtype}))).0.kind, kind, "{subtype}");
        }
    }
    assert_eq!(message(&with(&json!({"text": " \n"}))).0.kind, MessageKind::Notice, "nothing was said");
}

#[test]
fn deletions() {
    let deleted = |at| Ok(Reading::Deleted { channel: channel(), ts: ts(at) });
    let tombstone =
        with(&json!({"subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted."}));
    assert_eq!(read_message_object(&channel(), &tombstone), deleted("1700000000.000100"));
    let event =
        json!({"subtype": "message_deleted", "ts": "1700000005.000000", "deleted_ts": "1700000001.000000"});
    assert_eq!(read_message_object(&channel(), &event), deleted("1700000001.000000"));
    let logged = json!({"subtype": "message_deleted", "ts": "1700000005.000000",
        "original": {"ts": "1700000002.000000", "text": "gone"}});
    assert_eq!(read_message_object(&channel(), &logged), deleted("1700000002.000000"));
    let bare = json!({"subtype": "message_deleted", "ts": "1700000005.000000"});
    assert_eq!(read_message_object(&channel(), &bare), Err(Misread::NoTs("deleted_ts")));
}

#[test]
fn a_change_is_the_message_as_it_now_stands() {
    let inner = with(&json!({"text": "new", "edited": {"ts": "1700000009.000000"}}));
    let event = json!({"type": "message", "subtype": "message_changed", "ts": "1700000010.000000", "message": inner,
        "previous_message": {"ts": "1700000000.000100", "text": "old"}});
    let (changed, _) = message(&event);
    assert_eq!((changed.text.as_str(), changed.ts), ("new", ts("1700000000.000100")));
    let gone =
        json!({"subtype": "message_changed", "message": {"subtype": "tombstone", "ts": "1700000000.000100"}});
    assert!(matches!(read_message_object(&channel(), &gone), Ok(Reading::Deleted { .. })));
    let logged = with(&json!({"subtype": "message_changed", "text": "new", "original": {"text": "old"}}));
    assert_eq!(text_of(&logged), "new");
}

#[test]
fn authors() {
    let author = |fields: Value| {
        let raw = json!({"ts": "1700000000.000100", "text": "a"});
        let mut raw = raw.as_object().unwrap().clone();
        raw.extend(fields.as_object().unwrap().clone());
        let (message, author) = message(&Value::Object(raw));
        (message.user.to_string(), author.map(|user| (user.id.to_string(), user.name, user.is_bot)))
    };
    let named =
        |id: &str, name: &str, is_bot| (id.to_owned(), Some((id.to_owned(), name.to_owned(), is_bot)));
    assert_eq!(author(json!({"user": "U1"})), ("U1".to_owned(), None));
    assert_eq!(
        author(
            json!({"user": "U9", "user_profile": {"display_name": "", "real_name": "Eri &amp; Co", "name": "eri"}})
        ),
        named("U9", "Eri & Co", false)
    );
    assert_eq!(author(json!({"bot_id": "B1", "username": "ci"})), named("B1:ci", "ci", true));
    assert_eq!(author(json!({"bot_id": "B1"})), ("B1".to_owned(), None));
    assert_eq!(
        author(json!({"user": "U8", "bot_id": "B1", "bot_profile": {"name": "Builds"}})),
        named("U8", "Builds", true)
    );
    assert_eq!(author(json!({"user": "", "username": "web hook"})), named("bot:web hook", "web hook", true));
    assert_eq!(author(json!({"comment": {"user": "U1", "comment": "nice"}})), ("U1".to_owned(), None));
    assert_eq!(misread(&json!({"ts": "1700000000.000100", "text": "a"})), "nobody is named as its author");
}

#[test]
fn words_come_from_text_and_blocks_and_attachments() {
    let attachments = json!([
        {"fallback": "build &lt;12&gt; failed"},
        {"fallback": "[no preview available]", "title": "Log", "text": "<https://x.example|line 3>"},
        {"blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "for <@U2>"}}]},
        {"color": "red"},
    ]);
    let blocks = json!([{"type": "header", "text": {"type": "plain_text", "text": "Title"}}]);
    let all = json!({"text": "own", "attachments": attachments, "blocks": blocks});
    let added = "build <12> failed\nLog\nline 3 (https://x.example)\nfor <@U2>";
    assert_eq!(text_of(&with(&all)), format!("own\nTitle\n{added}"));
    let no_text = json!({"attachments": attachments, "blocks": blocks});
    assert_eq!(text_of(&with(&no_text)), format!("Title\n{added}"));
    assert_eq!(text_of(&with(&json!({"text": null, "blocks": blocks}))), "Title");
    let comment = json!({"subtype": "file_comment", "text": "<@U1> commented on <@U2>'s file: nice",
        "comment": {"user": "U1", "comment": "nice"}});
    assert_eq!(text_of(&with(&comment)), "nice");
}

#[test]
fn blocks_are_read_as_they_are_shown() {
    let rich = json!([
        {"type": "rich_text", "elements": [
            {"type": "rich_text_section", "elements": [
                {"type": "text", "text": "a < b & <@U9>, "}, {"type": "user", "user_id": "U1"},
                {"type": "text", "text": " in "}, {"type": "channel", "channel_id": "C1"},
                {"type": "emoji", "name": "tada"}, {"type": "broadcast", "range": "here"},
                {"type": "link", "url": "https://x.example", "text": "docs"}]},
            {"type": "rich_text_list", "style": "bullet", "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "let x;"}]}]},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "*Due*"}, {"type": "plain_text", "text": "&amp;"}]},
        {"type": "context", "elements": [{"type": "image", "alt_text": "a cat"}, {"type": "mrkdwn", "text": "by <@U2>"}]},
        {"type": "image", "title": {"type": "plain_text", "text": "Plan"}, "alt_text": "a plan"},
        {"type": "divider"},
        {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Press"}}]},
        {"type": "markdown", "text": "# Head"},
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}, {"type": "raw_text", "text": "y"}]]},
        {"type": "invented", "nothing": true},
        "no block at all",
    ]);
    insta::assert_snapshot!(text_of(&with(&json!({"blocks": rich}))).replace('\u{200B}', "·"), @r"
    a < b & <·@U9>, <@U1> in <#C1>:tada:@heredocs (https://x.example)
    • one
    • two
    let x;
    *Due*
    &
    a cat
    by <@U2>
    Plan
    a plan
    Press
    # Head
    x | y
    ");
}

#[test]
fn files_that_are_still_there() {
    let files = json!([
        {"name": "plan.pdf", "title": "Plan", "mimetype": "application/pdf", "permalink": "https://x.example/f"},
        {"title": "untitled\u{0}", "mode": "hosted"},
        {"id": "F3", "mode": "hidden_by_limit"},
        {"id": "F4", "mode": "tombstone"},
        "no file",
    ]);
    let (message, _) = message(&with(&json!({"files": files})));
    let file = |name: &str| FileRef { name: name.into(), ..FileRef::default() };
    let plan = FileRef {
        mimetype: Some("application/pdf".into()),
        permalink: Some("https://x.example/f".into()),
        ..file("Plan")
    };
    assert_eq!(message.files, [plan, file("untitled")]);
    assert_eq!((message.kind, message.text.as_str()), (MessageKind::Talk, ""));
    let old = with(&json!({"subtype": "file_share", "file": {"name": "old.txt"}}));
    assert_eq!(crate::messages::message(&old).0.files, [file("old.txt")]);
}

#[test]
fn what_cannot_be_read_says_why() {
    let table = [
        (json!("text"), "not a message: expected an object, found a text"),
        (json!(null), "not a message: expected an object, found null"),
        (with(&json!({"type": "reaction"})), "`reaction` is not a type of message"),
        (with(&json!({"subtype": "from_the_future"})), "unknown subtype `from_the_future`"),
        (json!({"user": "U1", "text": "a"}), "no `ts`"),
        (with(&json!({"ts": 1_700_000_000.5})), "`ts` is a number instead of a text"),
        (
            with(&json!({"ts": "yesterday"})),
            "`ts`: `yesterday` is not a message time stamp (expected seconds, a point and six digits, as in \
             1508918687.000062)",
        ),
        (with(&json!({"thread_ts": ["x"]})), "`thread_ts` is a list instead of a text"),
    ];
    for (raw, error) in table {
        assert_eq!(misread(&raw), error, "{raw}");
    }
}

#[test]
fn the_unread_are_named_by_time_where_they_have_one() {
    assert_eq!(unread_key(&channel(), &with(&json!({}))).as_deref(), Some("C1/1700000000.000100"));
    assert_eq!(unread_key(&channel(), &json!({"ts": "x"})), None);
    assert_eq!(unread_key(&channel(), &json!([1])), None);
}
