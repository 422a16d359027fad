//! What people and channels are called (specification §3), in talk whatever it looks like.

use std::time::{Duration, Instant};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Names, User, UserId, Visibility},
    text::Language,
};
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
    Names::new(&users, &channels, &Visibility::Owner)
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
fn a_name_is_what_is_seen_of_it() {
    let hidden = [channel("C1", "general"), Channel { kind: ChannelKind::Private, ..channel("G1", "okura") }];
    let people = [user("U1", "花\u{200b}子\u{e0041}"), user("U2", "花子"), user("U3", "\u{3164}\u{200b}")];
    let names = Names::new(&people, &hidden, &Visibility::Open).in_language(Language::En);
    assert_eq!(
        names.resolve("<@U1> <@U2> <@U3>"),
        "@花子 (U1) @花子 (U2) @U3",
        "two who read the same are told apart"
    );
    assert_eq!(
        names.show("- in #ok\u{200b}ura and #o\u{ad}kura"),
        "- in a private channel and a private channel"
    );
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
    for text in ["#", "#dev-", "#d", "x"] {
        let long = text.repeat(1_000_000 / text.len());
        assert_eq!(seen_from(&town()[0]).show(&long), long);
    }
    assert!(before.elapsed() < Duration::from_mins(1), "{:?}", before.elapsed());
}

/// A public channel, a private one, and one with people from outside; a direct message is called like its people.
fn town() -> Vec<Channel> {
    let of = |id: &str, name: &str, kind, external| Channel { kind, external, ..channel(id, name) };
    vec![
        of("C1", "general", ChannelKind::Public, false),
        of("G1", "dev", ChannelKind::Private, false),
        of("G2", "密談", ChannelKind::Private, false),
        of("X1", "partners", ChannelKind::Public, true),
        of("D1", "Ken", ChannelKind::Dm, false),
    ]
}

fn seen_from(channel: &Channel) -> Names {
    Names::new(&[user("U1", "Ken")], &town(), &Visibility::of(channel)).in_language(Language::Ja)
}

#[test]
fn a_channel_that_is_not_seen_has_no_name() {
    let all = "<#C1> <#G1> <#X1> <#D1> <#C9> <@U1>";
    let hidden = "プライベートチャンネル";
    let rows = [
        (0, format!("#general {hidden} {hidden} {hidden} {hidden} @Ken")),
        (1, format!("#general #dev {hidden} {hidden} {hidden} @Ken")),
        (3, format!("{hidden} {hidden} #partners {hidden} {hidden} @Ken")),
        (4, format!("#general {hidden} {hidden} #Ken {hidden} @Ken")),
    ];
    for (place, expected) in rows {
        assert_eq!(seen_from(&town()[place]).resolve(all), expected);
    }
    let open = Names::new([], &town(), &Visibility::Open);
    assert_eq!(open.resolve("see <#G1>, <#C1>"), "see a private channel, #general");
    assert_eq!(open.channel(&ChannelId::new("G1")), "G1");
    let owner = Names::new([], &town(), &Visibility::Owner).in_language(Language::Ja);
    assert_eq!(owner.resolve("<#G1> <#C9>"), "#dev #C9");
}

#[test]
fn memories_are_written_with_references_and_shown_with_names() {
    let names = Names::new(&[user("U1", "<@U2>"), user("U2", "Ken")], &town(), &Visibility::Owner);
    let written = names.for_memories().resolve("<@U1> と <#G1> と <#C1>");
    assert_eq!(written, "@<@U2> と <#G1> と <#C1>");
    let shown = seen_from(&town()[0]).show(&written);
    assert_eq!(shown, "@<@U2> と プライベートチャンネル と #general", "nobody is named by their name");
}

/// What a model wrote while it saw the name, and what earlier versions wrote.
#[test]
fn a_hidden_name_behind_a_hash_is_shown_as_hidden() {
    let names = seen_from(&town()[0]);
    let hidden = "プライベートチャンネル";
    let rows = [
        ("#dev", hidden.to_owned()),
        ("(#dev)、#密談で話す。#partners.", format!("({hidden})、{hidden}で話す。{hidden}.")),
        // Another word, the open channel, a person.
        ("#developers #dev-ops #general dev #Ken ##", "#developers #dev-ops #general dev #Ken ##".to_owned()),
    ];
    for (text, expected) in rows {
        assert_eq!(names.show(text), expected);
    }
    assert_eq!(Names::new([], &town(), &Visibility::Owner).show("#dev"), "#dev");
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
    fn no_hidden_name_is_shown(text in brackets(), more in "[#devgnral .-]*") {
        let shown = seen_from(&town()[0]).show(&format!("{text} <#G1> #dev {more} #密談"));
        prop_assert!(!shown.contains("<#G1>") && !shown.contains("#dev ") && !shown.contains("#密談"), "{shown}");
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
