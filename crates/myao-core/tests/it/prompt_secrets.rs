//! Secrets are masked, whole and once, and what is none stays (ADR 50).

use std::{borrow::Cow, time::Instant};

use jiff::Timestamp;
use myao_core::{
    ports::{ModelError, Recording, Request, Response, Role, StopReason, Thought, ToolCall, Turn, Usage},
    text::{Language, kinds_in_text, version_of_rules, with_secrets_masked},
};
use proptest::prelude::*;
use regex::bytes::RegexBuilder;

pub(crate) const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(crate) const HEX: &str = "0123456789abcdef";

/// Characters of an alphabet, the same ones each time: no token that anybody was given stands in this file.
pub(crate) fn chars(alphabet: &str, length: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[usize::try_from(state >> 33).expect("small") % letters.len()]
    };
    (0..length).map(next).collect()
}

/// A secret of each sort, with the kind that it is called.
pub(crate) fn secrets() -> Vec<(&'static str, String)> {
    let key = format!("-----BEGIN {0}-----\n{1}\n{1}\n-----END {0}-----", "PRIVATE KEY", chars(LETTERS, 64));
    let jwt = format!("ey{}.ey{}.{}", chars(LETTERS, 34), chars(LETTERS, 40), chars(LETTERS, 43));
    vec![
        ("github-pat", format!("ghp_{}", chars(LETTERS, 36))),
        ("slack-bot-token", format!("xoxb-{}-{}-{}", "123456789012", "1234567890123", chars(LETTERS, 24))),
        ("gitlab-pat", format!("glpat-{}", chars(LETTERS, 20))),
        ("stripe-access-token", format!("sk_live_{}", chars(LETTERS, 24))),
        ("gcp-api-key", format!("AIza{}", chars(LETTERS, 35))),
        ("anthropic-api-key", format!("sk-ant-api03-{}AA", chars(LETTERS, 93))),
        ("private-key", key),
        ("jwt", jwt),
        ("generic-api-key", format!("api_key = {}", chars(HEX, 32))),
        ("password-in-url", format!("postgres://app:{}@db.example.com/main", "hunter2")),
        ("card-number", "4111 1111 1111 1111".to_owned()),
        ("card-number", "３７８２-８２２４６３-１０００５".to_owned()),
        ("my-number", "1234 5678 9018".to_owned()),
        ("my-number", "１２３４５６７８９０１８".to_owned()),
    ]
}

/// A secret as people write it.
fn said(kind: &str, secret: &str) -> [String; 3] {
    let what = if kind == "my-number" { "マイナンバー" } else { "これ" };
    [
        format!("{what}は「{secret}」です。"),
        format!("{what}: {secret}"),
        format!("{what}\n{secret}\nmy number, ok?"),
    ]
}

#[test]
fn each_kind_is_masked_and_named() {
    for (kind, secret) in secrets() {
        for text in said(kind, &secret) {
            let shown = with_secrets_masked(&text).into_owned();
            assert!(shown.contains(&format!("[secret: {kind}]")), "{kind}: {text} → {shown}");
            assert_eq!(kinds_in_text(&text).into_iter().collect::<Vec<_>>(), [kind], "{text}");
            // What lets somebody in is gone; what stands around it stays.
            let telling = secret.rsplit([' ', ':', '=']).next().expect("a piece");
            let telling = if kind == "password-in-url" { "hunter2" } else { telling };
            assert!(!shown.contains(telling), "{shown}");
            assert!(text.chars().take(2).eq(shown.chars().take(2)), "{shown}");
        }
    }
    let address = with_secrets_masked("see https://noor:hunter2@example.com/a?b").into_owned();
    assert_eq!(address, "see https://noor:[secret: password-in-url]@example.com/a?b");
    assert_eq!(with_secrets_masked("番号は4111111111111111、期限は"), "番号は[secret: card-number]、期限は");
}

#[test]
fn what_is_none_stays() {
    let hash = chars(HEX, 40);
    for text in [
        "the key hangs in the kitchen, the token is a coin, and the password is in the safe",
        "4111 1111 1111 1112 is no card, 0000 0000 0000 0000 neither",
        // Times, ids and telephone numbers.
        "https://example.slack.com/archives/C1/p1772442000359059",
        "https://example.com/status/4111111111111111",
        "1772442000359, 1772442000.359059, 090-1234-5678, 0312345678",
        // A number with the check digit of a My Number, of which nobody says that it is one.
        "order 1234 5678 9018",
        "マイナンバー 1234 5678 9019",
        &format!("fixed in commit {hash}"),
        "postgres://localhost:5432/main and http://[::1]:8080/@noor",
        "<@U1> <#C1> [secret: github-pat] [secret: password-in-url]",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "token = os.environ.get('MYAO_TOKEN'), password: ${PASSWORD}",
        "送料は無料です。合計 1,234,567,890,123 円",
    ] {
        assert!(
            matches!(with_secrets_masked(text), Cow::Borrowed(same) if same == text),
            "{text} → {}",
            with_secrets_masked(text)
        );
        assert!(kinds_in_text(text).is_empty(), "{text}");
    }
}

#[test]
fn what_nobody_sees_hides_no_secret() {
    let token = format!("ghp_{}", chars(LETTERS, 36));
    let split: String = token.chars().flat_map(|c| [c, '\u{200b}']).collect();
    assert_eq!(with_secrets_masked(&format!("mine: {split}")), "mine: [secret: github-pat]");
    assert_eq!(kinds_in_text(&split).len(), 1);
    assert_eq!(with_secrets_masked("hidden\u{200b} but harmless"), "hidden\u{200b} but harmless");
}

#[test]
fn several_in_one_text_are_all_masked() {
    let all: Vec<String> = secrets().into_iter().map(|(_, secret)| secret).collect();
    let text = format!("{} マイナンバー", all.join(" / "));
    let shown = with_secrets_masked(&text).into_owned();
    for (kind, secret) in secrets() {
        assert!(!shown.contains(&secret), "{kind}");
        assert!(shown.contains(&format!("[secret: {kind}]")), "{kind}: {shown}");
    }
    assert_eq!(with_secrets_masked(&shown), shown);
}

/// A recording holds no secret, wherever in a dialogue one stands, and is found again by its request.
#[test]
fn a_recording_holds_no_secret() {
    let token = format!("ghp_{}", chars(LETTERS, 36));
    let call = ToolCall {
        id: "1".to_owned(),
        name: "recall".to_owned(),
        arguments: serde_json::json!({
            "query": [token.clone()],
            token.clone(): { "why": token.clone(), "card": 4_111_111_111_111_111_u64 },
        }),
    };
    let thought = Thought::new(serde_json::json!({ "thinking": token.clone() }));
    let request = Request {
        system: format!("they posted {token}"),
        turns: vec![
            Turn::User(token.clone()),
            Turn::Assistant {
                text: token.clone(),
                calls: vec![call.clone()],
                thoughts: vec![thought.clone()],
            },
            Turn::Tool { call: "1".to_owned(), text: token.clone() },
        ],
        target_tokens: 100,
        ..Request::new(Role::Response, "reply", Language::En)
    };
    let response = Response {
        text: token.clone(),
        calls: vec![call],
        thoughts: vec![thought],
        stop: StopReason::Tools,
        usage: Usage::default(),
    };
    for result in [Ok(response), Err(ModelError::Rejected(format!("your message \"{token}\" is refused")))] {
        let recording = Recording::of(Timestamp::UNIX_EPOCH, "some/model", &request, &result);
        let written = serde_json::to_string(&recording).expect("JSON");
        assert!(!written.contains(&token) && written.contains("[secret: github-pat]"), "{written}");
        assert!(!written.contains("4111111111111111"), "{written}");
        assert!(recording.is_of(&request) && recording.wiped_at.is_none());
    }
}

/// A rule that cannot be read would find nothing, and say nothing of it.
#[test]
fn every_rule_can_be_read() {
    assert!(
        version_of_rules().contains("gitleaks ") && version_of_rules().contains("others "),
        "{}",
        version_of_rules()
    );
    let files = ["gitleaks", "others"].map(|name| {
        let path = format!("{}/../../rules/secrets/{name}.json", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("read")
    });
    let mut rules = 0;
    for file in files {
        let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let all = list(&file["rules"]);
        for rule in &all {
            let lists = [list(&rule["allow"]), list(&file["allow"])].concat();
            let regexes =
                lists.iter().flat_map(|list| list["regexes"].as_array().cloned().unwrap_or_default());
            for regex in regexes.chain([rule["regex"].clone()]) {
                let built = RegexBuilder::new(regex.as_str().expect("a text")).unicode(false).build();
                assert!(built.is_ok(), "{}: {:?}", rule["id"], built.err());
            }
            if let Some(behind) = rule["behind"].as_str() {
                let built = regex::Regex::new(behind);
                assert!(behind.ends_with('$') && built.is_ok(), "{}: {:?}", rule["id"], built.err());
            }
            assert!(
                !list(&rule["keywords"]).is_empty() || rule["check"].is_string(),
                "{} looks everywhere",
                rule["id"]
            );
        }
        rules += all.len();
    }
    assert!(rules > 200, "{rules}");
}

/// What a text holds at all decides what is looked for in it, however long it is and wherever that stands.
#[test]
fn secrets_are_found_wherever_they_stand_in_a_long_text() {
    let long = "all of it fell on the roof, and nobody said a word about that.\n".repeat(30);
    for (kind, secret) in secrets() {
        // A My Number is one only where something near says so.
        let secret = format!("マイナンバー {secret}");
        for text in
            [format!("{secret}\n{long}"), format!("{long}{secret}\n{long}"), format!("{long}{secret}")]
        {
            assert!(kinds_in_text(&text).contains(kind), "{kind}");
            let clean = with_secrets_masked(&text);
            assert!(clean.contains(&format!("[secret: {kind}]")) && clean.contains(&long), "{kind}");
        }
    }
}

/// A long paste costs time in proportion to its length.
#[test]
fn a_long_text_takes_no_longer_than_its_length_says() {
    let began = Instant::now();
    for piece in
        ["curl -u key token secret ey.ey ", "-----BEGIN PRIVATE KEY-----", "a://b:", "4111-", "password=a "]
    {
        let text = piece.repeat(400_000 / piece.len());
        assert!(with_secrets_masked(&with_secrets_masked(&text)).len() <= text.len() * 30);
    }
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

fn pieces() -> impl Strategy<Value = String> {
    let known: Vec<String> = secrets().into_iter().map(|(_, secret)| secret).collect();
    let around = prop::sample::select(vec![
        " ",
        "\n",
        "マイナンバー",
        "[secret: ",
        "jwt",
        "]",
        "password=",
        "curl -u ",
        "://",
        ":",
        "@",
        "\"",
        "key: ",
        "\u{200b}",
        "-----BEGIN PRIVATE KEY-----",
        "4111",
        "・",
    ]);
    let half = prop::sample::select(known.clone())
        .prop_flat_map(|secret| (Just(secret.clone()), 0..=secret.chars().count()))
        .prop_map(|(secret, length)| secret.chars().take(length).collect::<String>());
    let piece = prop_oneof![prop::sample::select(known), half, around.prop_map(str::to_owned), "\\PC{0,12}"];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Nothing of a masked text is a secret.
    #[test]
    fn a_masked_text_is_not_masked_again(text in pieces()) {
        let shown = with_secrets_masked(&text).into_owned();
        prop_assert_eq!(with_secrets_masked(&shown), shown.as_str());
        prop_assert!(kinds_in_text(&shown).is_empty());
        prop_assert_eq!(kinds_in_text(&text).is_empty(), shown == text);
    }
}
