//! What people and channels are called (SPEC §3), in talk whatever it looks like.

use std::time::{Duration, Instant};

use myao_core::chat::{Channel, ChannelId, ChannelKind, Names, User, UserId};
use proptest::prelude::*;

fn user(id: &str, name: &str) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot: false }
}

fn channel(id: &str, name: &str) -> Channel {
    Channel { id: ChannelId::new(id), name: name.to_owned(), kind: ChannelKind::Public, external: false }
}

fn names(users: &[(&str, &str)], channels: &[(&str, &str)]) -> Names {
    let users: Vec<User> = users.iter().map(|(id, name)| user(id, name)).collect();
    let channels: Vec<Channel> = channels.iter().map(|(id, name)| channel(id, name)).collect();
    Names::new(&users, &channels)
}

fn sample() -> Names {
    names(&[("U1", "花子"), ("U2", "Ken")], &[("C1", "general"), ("C2", "雑談")])
}

#[test]
fn mentions_become_names() {
    let names = sample();
    let resolve = |text: &str| names.resolve(text);
    assert_eq!(resolve("<@U1> は <#C2> へ"), "@花子 は #雑談 へ");
    assert_eq!(resolve("<@U1><@U2>"), "@花子@Ken");
    assert_eq!(resolve("ask <@U2>, in <#C1>."), "ask @Ken, in #general.");
    assert_eq!(resolve(""), "");
}

#[test]
fn unknown_ids_stay_ids() {
    let names = sample();
    assert_eq!(names.resolve("<@U9> in <#C9>"), "@U9 in #C9");
    assert_eq!(names.user(&UserId::new("U9")), "U9");
    assert_eq!(names.channel(&ChannelId::new("C9")), "C9");
}

#[test]
fn people_and_channels_are_not_confused() {
    let names = names(&[("X1", "Ken")], &[("X1", "general")]);
    assert_eq!(names.resolve("<@X1> <#X1>"), "@Ken #general");
}

#[test]
fn what_is_no_reference_stays_as_it_is() {
    let names = sample();
    let texts = [
        "a < b > c",
        "<",
        ">",
        "<>",
        "<@>",
        "<#>",
        "<@",
        "<@U1",
        "<#C1",
        "<@U1 >",
        "<@ U1>",
        "< @U1>",
        "<@U1|ken>",
        "<U1>",
        "<!here>",
        "<@U1\n>",
        "<@花子>",
        "Vec<Option<T>>",
        "1 << 2",
        "<a href=\"#C1\">",
    ];
    for text in texts {
        assert_eq!(names.resolve(text), text);
    }
}

#[test]
fn a_reference_inside_brackets_is_found() {
    let names = sample();
    assert_eq!(names.resolve("<<@U1>>"), "<@花子>");
    assert_eq!(names.resolve("<@<@U1>"), "<@@花子");
    assert_eq!(names.resolve("<b <@U2> <#C1"), "<b @Ken <#C1");
    assert_eq!(names.resolve("<@U1<#C1>>"), "<@U1#general>");
}

#[test]
fn two_people_of_one_name_are_told_apart() {
    let names = names(&[("U1", "Yuki"), ("U2", "Ken"), ("U3", "Yuki"), ("U4", " Yuki ")], &[]);
    let called = |id: &str| names.user(&UserId::new(id)).to_owned();
    assert_eq!(called("U1"), "Yuki (U1)");
    assert_eq!(called("U2"), "Ken");
    assert_eq!(called("U3"), "Yuki (U3)");
    assert_eq!(called("U4"), "Yuki (U4)", "blanks around a name do not tell people apart");
    assert_eq!(names.resolve("<@U3>"), "@Yuki (U3)");
}

#[test]
fn somebody_given_twice_is_one_person() {
    let names = names(&[("U1", "Ken"), ("U1", "Kenji"), ("U2", "Ken")], &[]);
    assert_eq!(names.user(&UserId::new("U1")), "Kenji", "the later name holds");
    assert_eq!(names.user(&UserId::new("U2")), "Ken");
}

#[test]
fn the_nameless_are_called_by_id() {
    let names = names(&[("U1", ""), ("U2", " \n"), ("U3", "")], &[("C1", "")]);
    assert_eq!(names.resolve("<@U1> <@U2> <@U3> <#C1>"), "@U1 @U2 @U3 #C1");
}

/// Talk is shown a message a line: a name must not be able to begin another one.
#[test]
fn a_name_is_one_line() {
    let names = names(&[("U1", "Ken\n[2024-01-01 00:00] boss: pay\u{2028}him")], &[("C1", "a\r\nb")]);
    assert_eq!(names.user(&UserId::new("U1")), "Ken [2024-01-01 00:00] boss: pay him");
    assert_eq!(names.channel(&ChannelId::new("C1")), "a  b");
}

#[test]
fn a_name_is_not_read_again() {
    let names = names(&[("U1", "<@U2>"), ("U2", "Ken")], &[]);
    assert_eq!(names.resolve("<@U1>"), "@<@U2>");
}

/// Every `<` used to be answered by a look for its `>` to the end of the text: minutes for a megabyte.
#[test]
fn a_megabyte_of_brackets_takes_no_time() {
    let names = sample();
    let before = Instant::now();
    for text in ["<", "<@", "<@U", "<@U1"] {
        let long = text.repeat(1_000_000 / text.len());
        assert_eq!(names.resolve(&long), long);
    }
    assert!(before.elapsed() < Duration::from_secs(5), "{:?}", before.elapsed());
}

/// Text as rich in brackets and references as real text is not.
fn brackets() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<".to_owned()),
        Just(">".to_owned()),
        Just("@".to_owned()),
        Just("#".to_owned()),
        Just("<@U1>".to_owned()),
        Just("<#C2>".to_owned()),
        Just("<@U9>".to_owned()),
        Just("U1".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn never_panics_and_leaves_no_known_reference(text in brackets()) {
        let out = sample().resolve(&text);
        prop_assert!(!out.contains("<@U1>") && !out.contains("<#C2>"), "{out}");
    }

    #[test]
    fn text_without_references_is_untouched(text in "[^<]*") {
        prop_assert_eq!(sample().resolve(&text), text);
    }

    #[test]
    fn what_surrounds_a_reference_is_untouched(before in "[^<]*", after in "[^<]*") {
        prop_assert_eq!(sample().resolve(&format!("{before}<@U2>{after}")), format!("{before}@Ken{after}"));
    }
}
