//! What a reader sees of messages of the kinds that Slack, its client and its apps wrote in 2026.

use myao_core::chat::MessageKind;
use serde_json::{Value, json};

use crate::shown::{message, of_block, paragraph, rich, said, section, text};

fn plain(words: &str) -> Value {
    json!({"type": "plain_text", "text": words})
}

#[expect(clippy::needless_pass_by_value, reason = "what is read is written where it is used")]
fn sectioned(elements: Value) -> Value {
    rich(json!([{"type": "rich_text_section", "elements": elements}]))
}

fn file_names(fields: Value) -> Vec<String> {
    message(fields).files.into_iter().map(|file| file.name).collect()
}

#[test]
fn a_forwarded_message_of_an_app_has_what_the_app_added() {
    let table = json!({"type": "table", "rows": [[{"type": "raw_text", "text": "pump"}, {"type": "raw_text", "text": "P1"}]]});
    let inner = |message: Value| json!({"is_share": true, "author_name": "Bo", "channel_name": "ops", "message_blocks": [{"message": message}]});
    let pasted = inner(json!({"blocks": [paragraph("see")], "attachments": [{"blocks": [table]}]}));
    assert_eq!(text(json!({"attachments": [pasted]})), "> Bo, #ops: see\n> pump | P1");
    let alert = inner(
        json!({"blocks": [], "attachments": [{"fallback": "short", "pretext": "Alert", "title": "Disk", "text": "host a is full",
        "fields": [{"title": "Free", "value": "3 %"}], "footer": "Watch"}]}),
    );
    assert_eq!(
        text(json!({"text": "who?", "attachments": [alert]})),
        "who?\n> Bo, #ops: Alert\n> Disk\n> host a is full\n> Free: 3 %\n> Watch"
    );
    let with_files =
        inner(json!({"blocks": [paragraph("the plan")], "files": [{"id": "F1", "name": "plan.pdf"}]}));
    assert_eq!(file_names(json!({"attachments": [with_files]})), ["plan.pdf"]);
    let page = inner(
        json!({"blocks": [paragraph("see https://x.example")], "attachments": [{"from_url": "https://x.example",
        "title": "X", "text": "a stranger's words"}]}),
    );
    let read = message(json!({"attachments": [page]}));
    assert_eq!(read.text, "> Bo, #ops: see https://x.example");
    assert_eq!(read.files.iter().map(|file| &*file.name).collect::<Vec<_>>(), ["X"]);
}

#[test]
fn a_forwarded_message_says_what_its_own_attachment_says_and_no_more() {
    let titled = json!({"is_msg_unfurl": true, "author_name": "Watch", "channel_name": "ops", "title": "Disk", "text": "host a is full",
        "fields": [{"title": "Free", "value": "3 %"}], "fallback": "[May 3rd] watch: Disk"});
    assert_eq!(
        text(json!({"text": "x", "attachments": [titled]})),
        "x\n> Watch, #ops: Disk\n> host a is full\n> Free: 3 %"
    );
    let picture = json!({"is_share": true, "author_name": "Bo", "channel_name": "ops", "text": "", "fallback": "[May 3rd, 2026 5:01 AM] bo: ",
        "files": [{"id": "F1", "title": "pump.jpg"}]});
    let read = message(json!({"attachments": [picture]}));
    assert_eq!(read.text, "> Bo, #ops: ", "the file says the rest");
    assert_eq!((read.files[0].name.as_str(), read.kind), ("pump.jpg", MessageKind::Talk));
    let repeated = json!({"is_share": true, "author_name": "Bo", "text": "the pump fails", "message_blocks": [{"message": {"blocks": [paragraph("the pump fails")]}}]});
    assert_eq!(text(json!({"attachments": [repeated]})), "> Bo: the pump fails");
    let reply = json!({"is_msg_unfurl": true, "is_reply_unfurl": true, "author_id": "U5", "channel_id": "C2", "text": "call <!channel> and <@UMYAO>"});
    assert_eq!(
        text(json!({"text": "see", "attachments": [reply]})),
        "see\n> <~U5>, <#C2>: call @channel and @<~UMYAO>"
    );
}

#[test]
fn tables_with_cells_of_every_kind() {
    let list = rich(json!([{"type": "rich_text_list", "style": "bullet", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]}]));
    let link = sectioned(json!([{"type": "link", "url": "https://x.example/1", "text": "T-1"}]));
    let rows = json!([[{"type": "raw_text", "text": "what"}, {"type": "raw_text", "text": "who & why"}],
        [list, sectioned(json!([{"type": "user", "user_id": "U2"}]))],
        [link, {"type": "mrkdwn", "text": "by <@U3>"}],
        [{"type": "raw_number", "value": 0}, {"type": "action", "element": {"type": "button", "text": plain("Open")}}]]);
    let expected = "what | who & why\n• one • two | <@U2>\nT-1 (https://x.example/1) | by <@U3>\n0 | Open";
    assert_eq!(of_block(json!({"type": "table", "rows": rows})), expected);
    let read = message(
        json!({"text": "what | who &amp; why\none two | <@U2>\n<https://x.example/1|T-1> | by <@U3>\n0 | Open", "blocks": [{"type": "table", "rows": rows}]}),
    );
    assert_eq!(read.text.matches("who & why").count(), 1, "{}", read.text);
    assert_eq!(read.text.matches("<@U2>").count(), 1, "{}", read.text);
    let in_container = json!({"type": "container", "title": plain("Pumps"), "child_blocks": [{"type": "data_table", "caption": "All", "rows": rows}]});
    assert_eq!(of_block(in_container), format!("Pumps\nAll\n{expected}"));
}

#[test]
fn words_of_apps_stand_once_wherever_they_repeat_themselves() {
    let blocks = json!([{"type": "header", "text": plain("Alert: disk")}, section("*host a* is at 97 %"),
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "since 9:00"}]}]);
    let expected = "Alert: disk\n*host a* is at 97 %\nsince 9:00";
    for own in ["", "Alert: disk", "Alert: disk *host a* is at 97 % since 9:00", "host a is at 97 %"] {
        let read = text(json!({"text": own, "attachments": [{"fallback": "Alert: disk", "blocks": blocks}]}));
        let words: Vec<&str> = read.split_whitespace().collect();
        assert_eq!(words.iter().filter(|word| **word == "97").count(), 1, "{own}: {read}");
        assert_eq!(read.matches("since 9:00").count(), 1, "{own}: {read}");
        assert_eq!(text(json!({"text": own, "blocks": blocks})).matches("97 %").count(), 1, "{own}");
    }
    assert_eq!(text(json!({"text": "Alert: disk", "blocks": blocks})), expected);
    let summary = json!({"text": "Your report is ready", "blocks": [section("12 pumps, 3 faults")]});
    assert_eq!(text(summary), "Your report is ready\n12 pumps, 3 faults");
    let fields = json!({"blocks": [{"type": "section", "fields": [{"type": "mrkdwn", "text": "*a*\n1"}, {"type": "mrkdwn", "text": "*b*\n1"}]}]});
    assert_eq!(text(fields), "*a*\n1\n*b*\n1");
    let poll = json!({"text": "Poll", "blocks": [section("*When?*"),
        {"type": "section", "text": {"type": "mrkdwn", "text": "Monday `2`\n<@U2>, <@U3>"}, "accessory": {"type": "button", "text": plain("Vote")}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "Tuesday `0`"}, "accessory": {"type": "button", "text": plain("Vote")}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "by <@U4>"}, "accessory": {"type": "overflow", "options": [{"text": plain("Close"), "value": "c"}]}}]});
    assert_eq!(
        text(poll),
        "Poll\n*When?*\nMonday `2`\n<@U2>, <@U3>\nVote\nTuesday `0`\nVote\nby <@U4>",
        "what a menu hides is not seen"
    );
}

#[test]
fn placeholders_in_other_languages_and_with_files_alone() {
    for words in [
        "This content can't be displayed.",
        "このコンテンツは表示できません。",
        "Dieser Inhalt kann nicht angezeigt werden.",
        "Ce contenu ne peut pas être affiché.",
        "Este contenido no se puede mostrar.",
    ] {
        assert_eq!(
            text(json!({"text": words, "blocks": [section("the lorry is late")]})),
            "the lorry is late",
            "{words}"
        );
        let read = message(json!({"text": words, "files": [{"id": "F1", "name": "a.png"}]}));
        assert_eq!((read.text.as_str(), read.files.len()), ("", 1), "{words}");
        assert_eq!(text(json!({"text": words})), words, "it is all there is");
    }
}

#[test]
fn rich_text_mentions_of_things_and_deep_lists() {
    let of = |element: Value| of_block(sectioned(json!([{"type": "text", "text": "see "}, element])));
    assert_eq!(
        of(
            json!({"type": "work_object_mention", "entity_id": "E1", "app_id": "A1", "text": "Ticket 7", "url": "https://x.example/7"})
        ),
        "see Ticket 7 (https://x.example/7)"
    );
    assert_eq!(
        of(json!({"type": "attachment_mention", "url": "https://x.example/8"})),
        "see https://x.example/8"
    );
    assert_eq!(of(json!({"type": "link", "url": "https://x.example/"})), "see https://x.example/");
    assert_eq!(
        of(json!({"type": "link", "url": "mailto:bo@x.example", "text": "bo@x.example"})),
        "see bo@x.example"
    );
    assert_eq!(
        of(json!({"type": "text", "text": "<@U9> & <b>"})),
        "see <\u{200B}@U9> & <b>",
        "typed, not meant"
    );
    assert_eq!(of(json!({"type": "emoji", "name": "custom", "unicode": ""})), "see :custom:");
    let item =
        |words: &str| json!({"type": "rich_text_section", "elements": [{"type": "text", "text": words}]});
    let quote = rich(
        json!([{"type": "rich_text_quote", "border": 0, "elements": [{"type": "user", "user_id": "U2"}, {"type": "text", "text": " said\nso"}]},
        {"type": "rich_text_list", "style": "bullet", "border": 1, "indent": 2, "elements": [item("in a quote")]},
        {"type": "rich_text_preformatted", "language": "rust", "elements": [{"type": "text", "text": "let x = 1;"}, {"type": "link", "url": "https://x.example"}]}]),
    );
    assert_eq!(of_block(quote), "> <@U2> said\n> so\n    • in a quote\nlet x = 1;https://x.example");
}

#[test]
fn kinds_of_blocks_that_no_reference_lists() {
    let call = json!({"type": "call", "call_id": "R1", "call": {"v1": {"id": "R1", "name": "Weekly call", "display_id": "12-3", "active_participants": [], "join_url": "https://x.example/j"}}});
    let read = said(json!({"blocks": [call]}));
    assert_eq!(read.message.text, "Weekly call");
    assert_eq!(read.unknown_blocks, ["call"]);
    let callout = json!({"type": "callout", "elements": [section("mind the step"), rich(json!([{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U2"}]}]))]});
    assert_eq!(of_block(callout), "mind the step\n<@U2>");
    let nested = json!({"type": "container", "title": plain("Box"), "child_blocks": [{"type": "contact_card", "name": "Bo", "fields": [{"label": "Phone", "text": "12"}]}]});
    let read = said(json!({"blocks": [nested]}));
    assert_eq!(read.message.text, "Box\nBo\nPhone\n12");
    assert_eq!(read.unknown_blocks, ["contact_card"]);
}

#[test]
fn a_page_without_a_title_is_named_by_what_it_says_first() {
    let page = |fields: Value| {
        let mut page = json!({"from_url": "https://www.x.example/1", "id": 1});
        page.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let read = message(json!({"text": "see", "attachments": [page]}));
        assert_eq!(read.text, "see");
        read.files.into_iter().map(|file| (file.name, file.site.unwrap_or_default())).collect::<Vec<_>>()
    };
    let named = |name: &str, site: &str| vec![(name.to_owned(), site.to_owned())];
    assert_eq!(
        page(json!({"text": "A tool for maps.\nReads everything.", "fallback": "A tool for maps."})),
        named("A tool for maps.", "x.example")
    );
    assert_eq!(
        page(
            json!({"service_name": "twitter", "author_name": "Bo (@bo)", "text": "New: <https://y.example|a post>", "footer": "Twitter"})
        ),
        named("Bo (@bo): New: a post (https://y.example)", "twitter")
    );
    assert_eq!(page(json!({"title": "T", "author_name": "Bo", "text": "words"})), named("T", "x.example"));
    assert_eq!(page(json!({"fallback": "800x800px image", "image_url": "https://www.x.example/1"})), []);
    let long = page(json!({"text": "y".repeat(2_000)}));
    assert!(long[0].0.chars().count() <= 300);
}

#[test]
fn clips_say_what_was_spoken() {
    let clip = json!({"mode": "hosted", "subtype": "slack_audio", "name": "audio_message.m4a", "title": "audio_message.m4a", "mimetype": "audio/mp4",
        "transcription": {"status": "complete", "locale": "en-US", "preview": {"content": "The pump fails again.", "has_more": false}}});
    let read = message(json!({"files": [clip]}));
    assert_eq!(read.kind, MessageKind::Talk);
    assert_eq!(read.files[0].excerpt.as_deref(), Some("The pump fails again."));
    let running = json!({"mode": "hosted", "name": "a.m4a", "transcription": {"status": "processing"}});
    assert_eq!(message(json!({"files": [running]})).files[0].excerpt, None);
}

#[test]
fn canvases_lists_and_comments_are_called_as_slack_shows_them() {
    for (file, expected) in [
        (
            json!({"mode": "quip", "filetype": "quip", "name": "Untitled", "title": "Weekly Sync"}),
            "Weekly Sync",
        ),
        (
            json!({"mode": "list", "filetype": "list", "name": "Backlog", "title": "Backlog & more"}),
            "Backlog & more",
        ),
        (
            json!({"mode": "space", "title": "A post", "name": "A_post", "preview": "<document><p>words</p></document>"}),
            "A post",
        ),
        (
            json!({"mode": "external", "external_type": "gdrive", "name": "Plan", "title": "The plan"}),
            "The plan",
        ),
        (json!({"mode": "email", "title": "Fwd", "name": "Fwd", "subject": "", "plain_text": "hi"}), "Fwd"),
    ] {
        assert_eq!(file_names(json!({"text": "x", "files": [file]})), [expected], "{file}");
    }
    let stub = said(
        json!({"attachments": [{"is_share": true, "author_name": "Bo", "files": [{"id": "F3", "file_access": "check_file_info"}]}]}),
    );
    assert_eq!(stub.stubs, ["F3"]);
}

#[test]
fn what_old_exports_say_around_a_file_is_nobodys_words() {
    let upload = |text: &str| {
        let read = message(
            json!({"subtype": "file_share", "text": text, "file": {"id": "F1", "title": "the plan", "name": "a.png"}}),
        );
        (read.text, read.kind, read.files.len())
    };
    let told = |words: &str| (words.to_owned(), MessageKind::Talk, 1);
    let link = "<https://x.example/files/ann/F1/a.png|the plan>";
    assert_eq!(upload(&format!("<@U1|ann> uploaded a file: {link}")), told(""));
    assert_eq!(
        upload(&format!("<@U1|ann> uploaded an image: {link} and commented: see &lt;here&gt; <@U2>")),
        told("see <here> <@U2>")
    );
    assert_eq!(upload(&format!("<@U1|ann> shared a file: {link}")), told(""));
    assert_eq!(upload("<@U2> look: <https://x.example>"), told("<@U2> look: https://x.example"));
    assert_eq!(upload("the plan, as uploaded"), told("the plan, as uploaded"));
    let gone = message(
        json!({"subtype": "file_share", "text": format!("<@U1|ann> uploaded a file: {link}"), "file": {"id": "F1", "mode": "tombstone"}}),
    );
    assert_eq!(
        gone.text, "<@U1> uploaded a file: the plan (https://x.example/files/ann/F1/a.png)",
        "it is all that is left"
    );
}

#[test]
fn what_an_older_version_took_of_a_file_and_its_words_is_told() {
    let file =
        json!({"id": "F1", "name": "10_cities.js", "title": "10 cities", "mode": "snippet", "preview": "[]"});
    let link = "<https://x.example/F1|10 cities>";
    for raw in [
        json!({"subtype": "file_comment", "text": format!("<@U1> commented on <@U2>’s file {link}: nice"), "file": file,
            "comment": {"user": "U1", "comment": "nice"}}),
        json!({"subtype": "file_share", "text": format!("<@U1> uploaded a file: {link} and commented: nice"), "file": file}),
        json!({"text": "nice", "files": [file]}),
    ] {
        let read = said(raw.clone());
        assert_eq!(
            (read.message.text.as_str(), read.message.files[0].name.as_str()),
            ("nice", "10 cities"),
            "{raw}"
        );
        assert!(
            read.unshown.contains("10_cities.js") && read.unshown.contains("nice"),
            "{raw}: {}",
            read.unshown
        );
    }
}
