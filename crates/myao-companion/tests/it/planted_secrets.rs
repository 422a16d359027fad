//! Secrets that are said, and must stand nowhere afterwards (ADR 50).

/// What must stand nowhere, with the kind by which it is named.
pub(crate) fn secrets() -> [(&'static str, String); 5] {
    let letters = "q7Zr2Vx9Kd4Lm8Np1Ts6Wb3Yc5Hf0Jg".repeat(2);
    let token = |begin: &str, length: usize| format!("{begin}{}", letters.get(..length).expect("ASCII"));
    [
        ("github-pat", token("ghp_", 36)),
        ("slack-bot-token", token("xoxb-123456789012-1234567890123-", 24)),
        ("password-in-url", "hunter2hunter2".to_owned()),
        ("card-number", "4111 1111 1111 1111".to_owned()),
        ("my-number", "1234 5678 9018".to_owned()),
    ]
}

/// Each of them, as somebody says it.
pub(crate) fn talk() -> Vec<String> {
    let said = |(kind, secret): (&str, String)| match kind {
        "password-in-url" => format!("鏡は postgres://app:{secret}@db.example.com/main に決めました"),
        "my-number" => format!("私のマイナンバーは{secret}です"),
        _ => format!("鍵は「{secret}」に決めました"),
    };
    secrets().map(said).into()
}

pub(crate) fn assert_has_none(what: &str, text: &str) {
    for (kind, secret) in secrets() {
        assert!(!text.contains(&secret), "{what} tells the {kind}: {text}");
    }
}
