//! Slack's markup becomes the core's notation.

use myao_core::chat::{Channel, ChannelId, ChannelKind, Names, User, UserId, Visibility};
use myao_slack::text::{ZERO_WIDTH_SPACE, markup_as_notation};
use proptest::prelude::*;

#[test]
fn marks_become_what_a_reader_sees() {
    let table = [
        ("hello", "hello"),
        ("<@U1> and <@U2|ben>", "<@U1> and <@U2>"),
        ("<#C1|general> <#C2> <#C3|>", "<#C1> <#C2> <#C3>"),
        ("<!here> <!channel|@channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@infra> <!subteam^S1|infra> <!subteam^S1>", "@infra @infra @S1"),
        ("<!date^1392734382^{date} at {time}|18 Feb 2014>", "18 Feb 2014"),
        ("<!date^1392734382^{date}^https://x.example/|18 Feb &amp; later>", "18 Feb & later"),
        ("<https://x.example/a?b=1&amp;c=2>", "https://x.example/a?b=1&c=2"),
        ("<https://x.example|the &lt;docs&gt;>", "the <docs> (https://x.example)"),
        ("<https://x.example|https://x.example>", "https://x.example"),
        ("<http://x.example/|x.example>", "http://x.example/"),
        ("<https://evil.example/|https://bank.example>", "https://bank.example (https://evil.example/)"),
        (
            "<https://evil.example|evil.example.bank.example>",
            "evil.example.bank.example (https://evil.example)",
        ),
        ("<https://a.example@evil.example|a.example>", "a.example (https://a.example@evil.example)"),
        ("<mailto:a@b.example|a@b.example> <mailto:a@b.example|Aki>", "a@b.example Aki (a@b.example)"),
        ("<tel:+81-3|+81-3>", "+81-3"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt; is how &lt; is written", "&lt; is how < is written"),
        ("&nbsp; & &", "&nbsp; & &"),
        (
            "日本語の<@U1>さん、<https://例え.example|例>を&amp;",
            "日本語の<@U1>さん、例 (https://例え.example)を&",
        ),
    ];
    for (markup, text) in table {
        assert_eq!(markup_as_notation(markup), text, "{markup}");
    }
}

#[test]
fn what_is_no_mark_stays_as_it_stands() {
    let lines = [
        "a <- b",
        "f <$> x <*> y",
        "<",
        "<<",
        "<>",
        "<@>",
        "<#>",
        "<@U1",
        "<!doctype html>",
        "<!date^1^{date}>",
        "<not a link>",
        "<a: >b",
        "<https://x\n>",
    ];
    for line in lines {
        assert_eq!(markup_as_notation(line), line, "{line}");
    }
}

#[test]
fn a_typed_reference_names_nobody() {
    let typed = format!("<{ZERO_WIDTH_SPACE}@U1>");
    assert_eq!(markup_as_notation("&lt;@U1&gt;"), typed);
    assert_eq!(markup_as_notation("&lt;<!here>&gt;"), format!("<{ZERO_WIDTH_SPACE}@here>"));
    assert_eq!(
        markup_as_notation("<https://x.example|&lt;#C1&gt;>"),
        format!("<{ZERO_WIDTH_SPACE}#C1> (https://x.example)")
    );
    assert_eq!(markup_as_notation("<\0@U1\0>"), "<@U1>", "NUL goes first");
    assert_eq!(markup_as_notation("&\0lt;@U1>"), typed);
    assert_eq!(markup_as_notation("&lt;<@U1>&gt;"), "<<@U1>>", "a real one inside typed brackets");
    assert_eq!(markup_as_notation("&lt;@U1<@U2>&gt;"), "<@U1<@U2>>");
    assert_eq!(names().resolve(&markup_as_notation("&lt;@U1&gt; <@U1>")), format!("{typed} @aki"));
}

#[test]
fn a_megabyte_of_brackets_takes_no_time() {
    for unit in ["<", "<@", "<a:", "&", "&lt;@", "<@U1>"] {
        let text = unit.repeat(1_000_000 / unit.len());
        let started = std::time::Instant::now();
        assert!(markup_as_notation(&text).len() >= text.len() / 5);
        assert!(started.elapsed().as_secs() < 60, "{unit}");
    }
}

fn names() -> Names {
    let user = User { id: UserId::new("U1"), name: "aki".into(), is_bot: false };
    let channel = Channel {
        id: ChannelId::new("C1"),
        name: "general".into(),
        kind: ChannelKind::Public,
        external: false,
    };
    Names::new([&user], [&channel], &Visibility::Owner)
}

/// As Slack writes what somebody typed.
fn escaped(typed: &str) -> String {
    typed.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text in which marks and halves of marks are likely.
fn markup() -> impl Strategy<Value = String> {
    let pieces = [
        "<",
        ">",
        "@",
        "#",
        "!",
        "|",
        "&lt;",
        "&gt;",
        "&amp;",
        "&",
        "U1",
        "C1",
        "here",
        "\0",
        "\n",
        "^",
        "https://",
        "mailto:",
        "subteam^S1",
        "date^1^",
        "日本",
        " ",
        "<@U1>",
        "<#C1|x>",
        "\u{200B}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn never_panics_and_never_keeps_nul(text in any::<String>(), odd in markup()) {
        for text in [text, odd] {
            prop_assert!(!markup_as_notation(&text).contains('\0'));
        }
    }

    /// Whatever was typed is shown as typed, and resolving names finds nothing in it.
    #[test]
    fn typed_text_survives(typed in prop_oneof![any::<String>(), markup()]) {
        let text = markup_as_notation(&escaped(&typed));
        let shown = |text: &str| text.replace(['\0', ZERO_WIDTH_SPACE], "");
        prop_assert_eq!(shown(&text), shown(&typed));
        prop_assert_eq!(names().resolve(&text), text);
    }

    /// Text without escapes and marks other than references is in the core's notation already.
    #[test]
    fn idempotent_on_its_own_notation(plain in "[^<&\0]{0,20}", id in "[A-Z0-9]{1,9}", more in "[^<&\0]{0,20}") {
        let text = markup_as_notation(&format!("{plain}<@{id}|somebody>{more}<#{id}>"));
        prop_assert_eq!(&markup_as_notation(&text), &text);
        prop_assert_eq!(text, format!("{plain}<@{id}>{more}<#{id}>"));
    }
}
