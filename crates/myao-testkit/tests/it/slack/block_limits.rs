//! The limits of blocks and views, each at its edge and one beyond.

use myao_testkit::slack::block_limits::{Surface, check_blocks, check_view};
use serde_json::{Value, json};

fn plain(chars: usize) -> Value {
    json!({"type": "plain_text", "text": "x".repeat(chars)})
}

fn button(id: &str) -> Value {
    json!({"type": "button", "action_id": id, "text": plain(1)})
}

fn modal(blocks: &Value) -> Value {
    json!({"type": "modal", "title": plain(24), "blocks": blocks})
}

/// The block is refused in a message for one reason, if at all: where it is.
fn refused_at(block: &Value) -> Option<String> {
    let breaches = check_blocks(&json!([block]), Surface::Message);
    assert!(breaches.len() <= 1, "{breaches:?}");
    breaches.into_iter().next().map(|breach| breach.at)
}

/// `make` of a size gives a block that is taken up to `most`, and is refused at `at` beyond.
fn ends_at(most: usize, at: &str, make: impl Fn(usize) -> Value) {
    assert_eq!(refused_at(&make(most)), None, "{at} of {most}");
    assert_eq!(refused_at(&make(most + 1)).as_deref(), Some(at), "{at} beyond {most}");
}

/// The same for the only button of a block.
fn button_ends_at(most: usize, key: &str, make: impl Fn(usize) -> Value) {
    ends_at(most, &format!("/0/elements/0/{key}"), |size| {
        let mut button = button("a");
        button[key] = make(size);
        json!({"type": "actions", "elements": [button]})
    });
}

/// The same for the only choice of a block.
fn choice_ends_at(kind: &str, most: usize) {
    let option = |number| json!({"text": plain(75), "value": format!("{number}")});
    ends_at(most, "/0/elements/0/options", |size| {
        let options: Vec<Value> = (0..size).map(option).collect();
        json!({"type": "actions", "elements": [{"type": kind, "action_id": "a", "options": options}]})
    });
}

#[test]
fn texts_of_blocks_have_their_lengths() {
    let letters = |chars| json!("x".repeat(chars));
    ends_at(3_000, "/0/text/text", |size| json!({"type": "section", "text": plain(size)}));
    ends_at(2_000, "/0/fields/0/text", |size| json!({"type": "section", "fields": [plain(size)]}));
    ends_at(10, "/0/fields", |size| json!({"type": "section", "fields": vec![plain(1); size]}));
    ends_at(150, "/0/text/text", |size| json!({"type": "header", "text": plain(size)}));
    ends_at(10, "/0/elements", |size| json!({"type": "context", "elements": vec![plain(1); size]}));
    ends_at(12_000, "/0/text", |size| json!({"type": "markdown", "text": letters(size)}));
    ends_at(255, "/0/block_id", |size| json!({"type": "divider", "block_id": letters(size)}));
    ends_at(25, "/0/elements", |size| {
        let buttons: Vec<Value> = (0..size).map(|number| button(&number.to_string())).collect();
        json!({"type": "actions", "elements": buttons})
    });
    ends_at(
        2_000,
        "/0/alt_text",
        |size| json!({"type": "image", "image_url": "https://example.com/a.png", "alt_text": letters(size)}),
    );
    // Characters are counted, not bytes.
    assert_eq!(
        refused_at(&json!({"type": "header", "text": {"type": "plain_text", "text": "猫".repeat(150)}})),
        None
    );
}

#[test]
fn buttons_and_choices_have_their_lengths() {
    let letters = |chars| json!("x".repeat(chars));
    ends_at(75, "/0/elements/0/text/text", |size| {
        let button = json!({"type": "button", "action_id": "a", "text": plain(size)});
        json!({"type": "actions", "elements": [button]})
    });
    button_ends_at(2_000, "value", letters);
    button_ends_at(255, "action_id", letters);
    let confirm = |title, text| json!({"title": plain(title), "text": plain(text), "confirm": plain(1), "deny": plain(1)});
    let with_confirm = |confirm| {
        let mut button = button("a");
        button["confirm"] = confirm;
        json!({"type": "actions", "elements": [button]})
    };
    ends_at(100, "/0/elements/0/confirm/title/text", |size| with_confirm(confirm(size, 1)));
    ends_at(300, "/0/elements/0/confirm/text/text", |size| with_confirm(confirm(1, size)));
    choice_ends_at("static_select", 100);
    choice_ends_at("overflow", 5);
    ends_at(75, "/0/elements/0/options/0/text/text", |size| {
        let options = [json!({"text": plain(size), "value": "a"})];
        json!({"type": "actions", "elements": [{"type": "overflow", "action_id": "a", "options": options}]})
    });
}

#[test]
fn a_message_has_fifty_blocks_and_a_view_a_hundred() {
    let blocks = |count| Value::from(vec![json!({"type": "divider"}); count]);
    assert_eq!(check_blocks(&blocks(50), Surface::Message), []);
    assert_eq!(check_blocks(&blocks(51), Surface::Message)[0].at, "");
    assert_eq!(check_view(&modal(&blocks(100))), []);
    assert_eq!(check_view(&modal(&blocks(101)))[0].at, "/blocks");
    let home = |count| json!({"type": "home", "blocks": blocks(count)});
    assert_eq!(check_view(&home(100)), []);
    assert_eq!(check_view(&home(101))[0].at, "/blocks");
}

#[test]
fn ids_are_not_equal() {
    let divider = json!({"type": "divider", "block_id": "b"});
    assert_eq!(check_blocks(&json!([divider, divider]), Surface::Message)[0].at, "/1/block_id");
    let twice = json!({"type": "actions", "elements": [button("a"), button("a")]});
    assert_eq!(refused_at(&twice).as_deref(), Some("/0"));
    let one = |id: &str| json!({"type": "actions", "block_id": id, "elements": [button("a")]});
    assert_eq!(check_blocks(&json!([one("1"), one("2")]), Surface::Message), []);
}

#[test]
fn blocks_stand_where_they_are_taken() {
    let markdown = json!([{"type": "markdown", "text": "x"}]);
    assert_eq!(check_blocks(&markdown, Surface::Message), []);
    assert_eq!(check_blocks(&markdown, Surface::Home)[0].at, "/0");
    let alert = json!([{"type": "alert", "text": plain(1)}]);
    assert_eq!(check_blocks(&alert, Surface::Modal), []);
    assert_eq!(check_blocks(&alert, Surface::Message)[0].at, "/0");
    assert_eq!(refused_at(&json!({"type": "tomorrow"})).as_deref(), Some("/0"));
    assert_eq!(refused_at(&json!({"type": "section"})).as_deref(), Some("/0"));
    assert_eq!(
        refused_at(&json!({"type": "header", "text": {"type": "mrkdwn", "text": "x"}})).as_deref(),
        Some("/0/text")
    );
    let field = json!({"type": "plain_text_input", "action_id": "a"});
    assert_eq!(
        refused_at(&json!({"type": "actions", "elements": [field]})).as_deref(),
        Some("/0/elements/0")
    );
}

#[test]
fn a_view_has_its_own_limits() {
    let field = json!({"type": "input", "label": plain(1), "element": {"type": "plain_text_input", "action_id": "a"}});
    let asks = modal(&json!([field]));
    assert_eq!(check_view(&asks)[0].at, "/submit");
    let with = |key: &str, value: Value| {
        let mut view = modal(&json!([{"type": "divider"}]));
        view[key] = value;
        check_view(&view).into_iter().map(|breach| breach.at).collect::<Vec<_>>()
    };
    for key in ["title", "close", "submit"] {
        assert_eq!(with(key, plain(24)), [""; 0]);
        assert_eq!(with(key, plain(25)), [format!("/{key}/text")]);
    }
    for (key, most) in [("private_metadata", 3_000), ("callback_id", 255), ("external_id", 255)] {
        assert_eq!(with(key, json!("x".repeat(most))), [""; 0]);
        assert_eq!(with(key, json!("x".repeat(most + 1))), [format!("/{key}")]);
    }
    assert_eq!(with("private_metadata", json!("")), [""; 0]);
    assert_eq!(with("hash", json!("1.2")), ["/hash"]);
    let home = json!({"type": "home", "blocks": [], "notify_on_close": true});
    assert_eq!(check_view(&home)[0].at, "/notify_on_close");
    let large: Vec<Value> = vec![json!({"type": "section", "text": plain(3_000)}); 84];
    assert_eq!(check_view(&modal(&large.into()))[0].at, "");
    assert_eq!(check_view(&json!({"type": "dialog", "blocks": []}))[0].at, "/type");
}
