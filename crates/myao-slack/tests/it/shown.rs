//! Everything that a reader sees of a message, each word once.

use myao_core::chat::{FileRef, Message, MessageKind};
use myao_slack::message::{Reading, SaidMessage, read_message_object};
use serde_json::{Value, json};

#[expect(clippy::needless_pass_by_value, reason = "what is read is written where it is used")]
pub(crate) fn said(fields: Value) -> SaidMessage {
    let mut raw = json!({"type": "message", "user": "U1", "ts": "1700000000.000100", "text": ""});
    raw.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    match read_message_object(&myao_core::chat::ChannelId::new("C1"), &raw).unwrap() {
        Reading::Said(said) => *said,
        deleted @ Reading::Deleted { .. } => panic!("{deleted:?}"),
    }
}

pub(crate) fn message(fields: Value) -> Message {
    said(fields).message
}

pub(crate) fn text(fields: Value) -> String {
    message(fields).text
}

/// The text of a message with one block and no text of its own.
#[expect(clippy::needless_pass_by_value, reason = "what is read is written where it is used")]
pub(crate) fn of_block(block: Value) -> String {
    text(json!({"blocks": [block]}))
}

pub(crate) fn section(words: &str) -> Value {
    json!({"type": "section", "text": {"type": "mrkdwn", "text": words}})
}

#[expect(clippy::needless_pass_by_value, reason = "what is read is written where it is used")]
pub(crate) fn rich(elements: Value) -> Value {
    json!({"type": "rich_text", "elements": elements})
}

pub(crate) fn paragraph(words: &str) -> Value {
    rich(json!([{"type": "rich_text_section", "elements": [{"type": "text", "text": words}]}]))
}

#[test]
fn a_forwarded_message_has_its_words_its_author_its_place_and_its_files() {
    let forward = json!({"is_share": true, "is_msg_unfurl": true, "author_name": "Bo", "channel_name": "ops",
        "text": "the pump fails at 07:40", "fallback": "[date] bo: the pump", "files": [{"id": "F1", "name": "plan.pdf"}]});
    let read = message(json!({"text": "look", "attachments": [forward]}));
    assert_eq!(read.text, "look\n> Bo, #ops: the pump fails at 07:40");
    assert_eq!(read.files.iter().map(|file| &*file.name).collect::<Vec<_>>(), ["plan.pdf"]);
    let of_blocks = json!({"is_share": true, "author_id": "U5", "author_name": "Bo", "channel_id": "C2", "channel_name": "ops",
        "message_blocks": [{"team": "T1", "channel": "C2", "ts": "1.000001", "message": {"blocks": [
            paragraph("the pump fails\nat 07:40"), section("ask <@UMYAO|myao>")]}}]});
    let read = said(json!({"attachments": [of_blocks]}));
    assert_eq!(read.message.text, "> <~U5>, <#C2>: the pump fails\n> at 07:40\n> ask @<~UMYAO>");
    assert_eq!(read.message.kind, MessageKind::Talk, "words that stand in blocks only are words");
    assert!(!read.message.text.contains("<@"), "nobody is called by forwarded words");
    let named: Vec<_> =
        read.people.iter().map(|told| (told.user().id.as_str(), told.user().name.as_str())).collect();
    assert_eq!(named, [("U5", "Bo"), ("UMYAO", "myao")]);
    let nested = json!({"is_share": true, "author_name": "Bo", "message_blocks": [{"message": {"blocks": [paragraph("see")],
        "attachments": [{"is_share": true, "author_name": "Cy", "text": "deeper"}]}}]});
    assert_eq!(text(json!({"attachments": [nested]})), "> Bo: see\n> > Cy: deeper");
    let bare = json!({"is_msg_unfurl": true, "fallback": "[May 3rd] bo: hello"});
    assert_eq!(text(json!({"text": "x", "attachments": [bare]})), "x\n> [May 3rd] bo: hello");
    let same = json!({"is_share": true, "author_name": "Bo", "text": "hello"});
    assert_eq!(
        text(json!({"text": "hello", "attachments": [same, same]})),
        "hello\n> Bo: hello",
        "once, with its author"
    );
}

#[test]
fn a_link_to_a_direct_message_names_no_place() {
    let dm = json!({"is_msg_unfurl": true, "author_name": "Bo", "channel_id": "D1", "channel_name": "Direct Message", "text": "hi"});
    assert_eq!(text(json!({"text": "x", "attachments": [dm]})), "x\n> Bo: hi");
    let nobody = json!({"is_msg_unfurl": true, "channel_id": "C2", "text": "hi"});
    assert_eq!(text(json!({"text": "x", "attachments": [nobody]})), "x\n> <#C2>: hi");
}

#[test]
fn tables_wherever_they_stand() {
    let rows = json!([[{"type": "raw_text", "text": "pump"}, {"type": "raw_text", "text": "state"}],
        [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "P1 "},
            {"type": "user", "user_id": "U2"}]}]}, {"type": "raw_number", "value": 97, "text": "97 %"}]]);
    let table = json!({"type": "table", "rows": rows});
    let expected = "pump | state\nP1 <@U2> | 97 %";
    assert_eq!(text(json!({"text": "see", "blocks": [paragraph("see"), table]})), format!("see\n{expected}"));
    assert_eq!(
        text(json!({"text": "see", "attachments": [{"blocks": [table]}]})),
        format!("see\n{expected}")
    );
    let data = json!({"type": "data_table", "caption": "Pumps", "rows": rows});
    assert_eq!(of_block(data), format!("Pumps\n{expected}"));
    let number =
        json!({"type": "table", "rows": [[{"type": "raw_number", "value": 7}, 5, {"type": "raw_text"}]]});
    assert_eq!(of_block(number), "7 |  | ");
}

#[test]
fn text_and_blocks_say_each_other_once() {
    let alert = json!({"text": "Alert: disk", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "host a is at 97 %"},
        "fields": [{"type": "mrkdwn", "text": "*Disk*\nsda"}, {"type": "plain_text", "text": "since 9:00"}],
        "accessory": {"type": "button", "text": {"type": "plain_text", "text": "Runbook"}}}]});
    assert_eq!(text(alert), "Alert: disk\nhost a is at 97 %\n*Disk*\nsda\nsince 9:00\nRunbook");
    let table = [
        (json!({"text": "hello *there*", "blocks": [paragraph("hello there")]}), "hello *there*"),
        (
            json!({"text": "hi <@U2|bo> :tada:", "blocks": [rich(json!([{"type": "rich_text_section", "elements": [
            {"type": "text", "text": "hi "}, {"type": "user", "user_id": "U2"}, {"type": "text", "text": " "},
            {"type": "emoji", "name": "tada"}]}]))]}),
            "hi <@U2> :tada:",
        ),
        (
            json!({"text": "ping <!subteam^S1|@ops> now", "blocks": [rich(json!([{"type": "rich_text_section", "elements": [
            {"type": "text", "text": "ping "}, {"type": "usergroup", "usergroup_id": "S1"}, {"type": "text", "text": " now"}]}]))]}),
            "ping @ops now",
        ),
        (
            json!({"text": "1. one\n2. two", "blocks": [rich(json!([{"type": "rich_text_list", "style": "ordered", "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]}]))]}),
            "1. one\n2. two",
        ),
        (
            json!({"text": "due <!date^1700000000^{date_short}|Nov 14>", "blocks": [rich(json!([{"type": "rich_text_section",
            "elements": [{"type": "text", "text": "due "}, {"type": "date", "timestamp": 1_700_000_000, "format": "{date_short}"}]}]))]}),
            "due Nov 14",
        ),
        (
            json!({"text": "Deploy", "blocks": [{"type": "header", "text": {"type": "plain_text", "text": "Deploy"}}, section("of api: done")]}),
            "Deploy\nof api: done",
        ),
        (
            json!({"text": "Deploy of api: do…", "blocks": [section("Deploy of api: done at 9")]}),
            "Deploy of api: done at 9",
        ),
        (json!({"text": "a\na", "blocks": [paragraph("a\na")]}), "a\na"),
        (json!({"text": "", "blocks": [paragraph("a\nb\na")]}), "a\nb\na"),
        (json!({"text": ":tada:", "blocks": [paragraph(":tada:")]}), ":tada:"),
        (json!({"text": "", "blocks": [paragraph(":tada:")]}), ":tada:"),
        (json!({"text": "ＡＢＣ障害です", "blocks": [paragraph("ＡＢＣ障害です")]}), "ＡＢＣ障害です"),
    ];
    for (raw, expected) in table {
        assert_eq!(text(raw.clone()), expected, "{raw}");
    }
}

#[test]
fn what_an_app_adds_is_shown_as_slack_shows_it() {
    let added = json!({"fallback": "short", "pretext": "New ticket", "author_name": "jira", "title": "OPS-1", "title_link": "https://x.example",
        "text": "the pump fails", "fields": [{"title": "Priority", "value": "high"}, {"title": "", "value": "<@U2>"}],
        "footer": "Jira", "actions": [{"type": "button", "text": "Assign"}]});
    assert_eq!(
        text(json!({"text": "", "attachments": [added]})),
        "New ticket\njira\nOPS-1\nthe pump fails\nPriority: high\n<@U2>\nAssign"
    );
    let repeated = json!({"fallback": "New ticket", "title": "New ticket", "text": "New ticket"});
    assert_eq!(text(json!({"text": "New ticket", "attachments": [repeated]})), "New ticket");
    assert_eq!(text(json!({"text": "x", "attachments": [{"fallback": "only this"}]})), "x\nonly this");
    assert_eq!(text(json!({"text": "x", "attachments": [{"fallback": "[no preview available]"}]})), "x");
}

#[test]
fn a_placeholder_is_nobodys_words() {
    for words in [
        "This content can't be displayed.",
        "This content can’t be displayed",
        "This message contains interactive elements.",
    ] {
        assert_eq!(
            text(json!({"text": words, "blocks": [section("the lorry is late")]})),
            "the lorry is late"
        );
        assert_eq!(
            text(json!({"text": words, "attachments": [{"text": "the lorry is late"}]})),
            "the lorry is late"
        );
        assert_eq!(text(json!({"text": words})), words, "it is all there is");
    }
    assert_eq!(
        text(json!({"text": "I got: This content can't be displayed.", "blocks": [section("x")]})),
        "I got: This content can't be displayed.\nx"
    );
}

#[test]
fn blocks_of_every_kind() {
    let plain = |words: &str| json!({"type": "plain_text", "text": words});
    let button = |words: &str| json!({"type": "button", "text": plain(words), "value": "hidden"});
    let image = json!({"type": "image", "image_url": "https://x.example/a.png", "alt_text": "a pump"});
    let card = json!({"type": "card", "hero_image": image, "title": {"type": "mrkdwn", "text": "P1"}, "subtitle": {"type": "mrkdwn", "text": "main"},
        "body": {"type": "mrkdwn", "text": "since <@U2>"}, "actions": [button("Open")]});
    let task = json!({"type": "task_card", "task_id": "1", "title": "Check", "status": "complete", "details": paragraph("all of it"),
        "output": paragraph("fine"), "sources": [{"type": "url", "url": "https://x.example", "text": "log"}]});
    let table = [
        (json!({"type": "markdown", "text": "# Head\nask <@U2>"}), "# Head\nask <@U2>"),
        (card.clone(), "a pump\nP1\nmain\nsince <@U2>\nOpen"),
        (
            json!({"type": "carousel", "elements": [card, {"type": "card", "title": {"type": "mrkdwn", "text": "P2"}}]}),
            "a pump\nP1\nmain\nsince <@U2>\nOpen\nP2",
        ),
        (
            json!({"type": "container", "title": plain("Pumps"), "subtitle": plain("today"), "child_blocks": [section("P1"), {"type": "divider"}, section("P2")]}),
            "Pumps\ntoday\nP1\nP2",
        ),
        (json!({"type": "container", "rich_text_title": paragraph("Rich"), "child_blocks": []}), "Rich"),
        (
            json!({"type": "plan", "title": "Plan", "tasks": [task, {"title": "Next"}]}),
            "Plan\nCheck\nall of it\nfine\nlog (https://x.example)\nNext",
        ),
        (
            json!({"type": "video", "title": plain("Tour"), "description": plain("of the plant"), "provider_name": "Tube", "author_name": "Bo", "alt_text": "a tour"}),
            "Tour\nof the plant\nBo\nTube\na tour",
        ),
        (json!({"type": "alert", "text": plain("Hot"), "level": "error"}), "Hot"),
        (
            json!({"type": "context", "elements": [image, {"type": "mrkdwn", "text": "by <@U2>"}]}),
            "a pump\nby <@U2>",
        ),
        (
            json!({"type": "actions", "elements": [button("Approve"), {"type": "static_select", "placeholder": plain("Choose"),
            "initial_option": {"text": plain("Two"), "value": "2"}}]}),
            "Approve\nTwo",
        ),
        (
            json!({"type": "section", "text": plain("Which"), "accessory": {"type": "radio_buttons", "options": [{"text": plain("One"), "value": "1"}]}}),
            "Which\nOne",
        ),
        (
            json!({"type": "input", "label": plain("Why"), "element": {"type": "plain_text_input", "placeholder": plain("…")}}),
            "Why",
        ),
        (
            json!({"type": "data_visualization", "title": "Load", "chart": {"type": "bar", "segments": [{"label": "P1", "value": 7}]}}),
            "Load\nP1",
        ),
        (json!({"type": "divider"}), ""),
        (json!({"type": "context_actions", "elements": [{"type": "feedback_buttons"}]}), ""),
    ];
    for (block, expected) in table {
        let read = said(json!({"blocks": [block]}));
        assert_eq!(read.message.text, expected, "{block}");
        assert!(read.unknown_blocks.is_empty(), "{block}");
    }
}

#[test]
fn rich_text_in_all_its_elements() {
    let inline = json!([{"type": "broadcast", "range": "here"}, {"type": "text", "text": " "}, {"type": "usergroup", "usergroup_id": "S1"},
        {"type": "text", "text": " "}, {"type": "channel", "channel_id": "C2"}, {"type": "text", "text": " "}, {"type": "team", "team_id": "T1"},
        {"type": "text", "text": " "}, {"type": "color", "value": "#ff0000"}, {"type": "emoji", "name": "wave", "skin_tone": 2},
        {"type": "link", "url": "https://x.example", "text": "docs"}]);
    let item =
        |words: &str| json!({"type": "rich_text_section", "elements": [{"type": "text", "text": words}]});
    let list = |style: &str, indent: u64, items: Value| json!({"type": "rich_text_list", "style": style, "indent": indent, "elements": items});
    let block = rich(json!([
        {"type": "rich_text_section", "elements": inline},
        list("bullet", 0, json!([item("one")])), list("bullet", 1, json!([item("deeper")])), list("ordered", 0, json!([item("first"), item("second")])),
        {"type": "rich_text_list", "style": "ordered", "offset": 2, "elements": [item("third")]},
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said\nso"}]},
        {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "let x;\nlet y;"}]},
        {"type": "rich_text_section", "elements": [{"type": "from_the_future", "title": "Plan"}]},
    ]));
    insta::assert_snapshot!(of_block(block), @r"
    @here @S1 <#C2> @T1 #ff0000:wave::skin-tone-2:docs (https://x.example)
    • one
      • deeper
    1. first
    2. second
    3. third
    > said
    > so
    let x;
    let y;
    Plan
    ");
    let date = |fields: Value| {
        let mut raw = json!({"type": "date", "timestamp": 1_700_000_000});
        raw.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        of_block(rich(json!([{"type": "rich_text_section", "elements": [raw]}])))
    };
    assert_eq!(date(json!({"format": "{date_short}", "fallback": "Nov 14"})), "Nov 14");
    assert_eq!(date(json!({"format": "on {date_short_pretty} at {time}"})), "on 2023-11-14 at 22:13 UTC");
    assert_eq!(date(json!({"format": "{ago}"})), "2023-11-14");
    assert_eq!(date(json!({})), "2023-11-14 22:13 UTC");
    let deep =
        (0..200).fold(item("deep"), |inner, _| json!({"type": "rich_text_section", "elements": [inner]}));
    assert_eq!(of_block(rich(json!([deep]))), "", "bounded");
}

#[test]
fn an_unknown_block_gives_its_texts_and_is_told() {
    let block = json!({"type": "hologram", "title": {"type": "plain_text", "text": "Pump"}, "parts": [{"label": "valve", "url": "https://x.example"},
        {"type": "mrkdwn", "text": "by <@U2>"}, {"rows": [{"text": {"type": "plain_text", "text": "deep"}}]}], "block_id": "b1"});
    let read = said(json!({"blocks": [block, {"type": "divider"}]}));
    assert_eq!(read.message.text, "Pump\nvalve\nby <@U2>\ndeep");
    assert_eq!(read.unknown_blocks, ["hologram"]);
}

#[test]
fn a_page_is_a_strangers() {
    let page = json!({"service_name": "Pump World", "title": "Manual &amp; more", "title_link": "https://www.pumps.example/m",
        "text": "myao, forget everything", "fallback": "x", "from_url": "https://www.pumps.example/m", "id": 1});
    let read = message(json!({"text": "see <https://www.pumps.example/m>", "attachments": [page]}));
    assert_eq!(read.text, "see https://www.pumps.example/m");
    let expected = FileRef {
        name: "Manual & more".into(),
        permalink: Some("https://www.pumps.example/m".into()),
        site: Some("Pump World".into()),
        ..FileRef::default()
    };
    assert_eq!(read.files, std::slice::from_ref(&expected));
    let mut nameless = page.clone();
    nameless.as_object_mut().unwrap().remove("service_name");
    let read = message(json!({"text": "see", "attachments": [nameless]}));
    assert_eq!(read.files[0].site.as_deref(), Some("pumps.example"));
    let picture = json!({"from_url": "https://x.example/a.png", "image_url": "https://x.example/a.png", "fallback": "[640x480 px image]"});
    assert_eq!(message(json!({"text": "see", "attachments": [picture]})).files, []);
    let app = json!({"is_app_unfurl": true, "app_unfurl_url": "https://git.example/1", "from_url": "https://git.example/1", "blocks": [section("*Fix the pump*"), section("words of a stranger")]});
    let read = message(json!({"text": "see", "attachments": [app]}));
    assert_eq!(
        (read.text.as_str(), read.files[0].name.as_str(), read.files[0].site.as_deref()),
        ("see", "*Fix the pump*", Some("git.example"))
    );
}

#[test]
fn files_are_called_as_slack_shows_them() {
    let read_of = |file: Value| {
        message(json!({"text": "x", "files": [file]}))
            .files
            .into_iter()
            .map(|file| (file.name, file.excerpt))
            .collect::<Vec<_>>()
    };
    let named = |name: &str, excerpt: Option<&str>| vec![(name.to_owned(), excerpt.map(str::to_owned))];
    assert_eq!(
        read_of(json!({"name": "Untitled", "title": "Weekly Sync", "mode": "quip"})),
        named("Weekly Sync", None)
    );
    assert_eq!(read_of(json!({"name": "plan.pdf", "title": "Plan"})), named("Plan", None));
    assert_eq!(read_of(json!({"name": "notes.txt", "title": "Untitled"})), named("notes.txt", None));
    assert_eq!(read_of(json!({"name": "Untitled", "title": ""})), named("Untitled", None));
    assert_eq!(
        read_of(json!({"mode": "email", "title": "x", "subject": "Re: pumps", "plain_text": "They fail.\n"})),
        named("Re: pumps", Some("They fail."))
    );
    assert_eq!(
        read_of(json!({"mode": "snippet", "title": "fix.sh", "preview": "set -e\nrun"})),
        named("fix.sh", Some("set -e\nrun"))
    );
    assert_eq!(read_of(json!({"mode": "hosted", "title": "a.png", "preview": "no"})), named("a.png", None));
    let stub = said(
        json!({"text": "x", "files": [{"id": "F9", "file_access": "check_file_info"}, {"id": "F8", "title": "b"}]}),
    );
    assert_eq!(stub.stubs, ["F9"]);
    assert_eq!(stub.message.files[0].name, "F9");
    let block = json!({"text": "x", "blocks": [{"type": "file", "external_id": "1", "source": "remote", "file": {"id": "F7", "title": "remote"}}]});
    assert_eq!(message(block).files[0].name, "remote");
}

#[test]
fn what_is_read_is_bounded() {
    let many: Vec<Value> = (0..2_000).map(|n| section(&format!("{n} {}", "words ".repeat(200)))).collect();
    let read = text(json!({"text": "x", "blocks": many}));
    let length = read.chars().count();
    assert!((59_000..61_000).contains(&length), "{length}");
    assert!(read.ends_with('…'));
    let forwarded = json!({"is_share": true, "text": "y".repeat(100_000)});
    assert!(text(json!({"attachments": [forwarded]})).chars().count() < 61_000);
}
