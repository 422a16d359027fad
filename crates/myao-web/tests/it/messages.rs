//! The catalogues under `messages/`: what they hold is the same in every language, and is what the pages ask for.

mod catalogues;
mod uses;

use std::collections::BTreeSet;

use self::{
    catalogues::{Catalogues, languages},
    uses::{Uses, uses_of},
};

#[test]
fn every_language_has_the_same_files() {
    let languages = languages();
    let first = languages.first_key_value().expect("there is a language").1;
    for (tag, catalogues) in &languages {
        assert_eq!(catalogues.files, first.files, "the files of {tag} differ");
    }
}

#[test]
fn every_file_is_understood_and_no_key_stands_twice() {
    for (tag, catalogues) in languages() {
        assert_eq!(catalogues.faults, Vec::<String>::new(), "{tag}");
    }
}

/// A number that only chooses between singular and plural is needed in some languages alone.
#[test]
fn messages_of_one_key_show_the_same_arguments_and_stand_in_the_same_file() {
    let languages = languages();
    let (first_tag, first) = languages.first_key_value().expect("there is a language");
    for (tag, catalogues) in &languages {
        let faults = differences(first, catalogues);
        assert_eq!(faults, Vec::<String>::new(), "{tag} differs from {first_tag}");
    }
}

#[test]
fn every_message_is_used_and_every_key_exists() {
    let languages = languages();
    let keys: BTreeSet<&str> = languages.values().flat_map(Catalogues::keys).collect();
    let topics: BTreeSet<&str> =
        languages.values().flat_map(|language| language.files.iter().map(String::as_str)).collect();
    let Uses { calls, literals } = uses_of("src");
    let unused: Vec<&&str> = keys.iter().filter(|key| !literals.contains(**key)).collect();
    assert_eq!(unused, Vec::<&&str>::new(), "no code asks for these messages");
    let asked = calls.iter().map(|call| call.key.as_str());
    // A key may also stand in a table. It is known by the topic that it begins with.
    let in_tables = literals.iter().map(String::as_str).filter(|text| looks_like_a_key(text, &topics));
    let unknown: BTreeSet<&str> = asked.chain(in_tables).filter(|key| !keys.contains(key)).collect();
    assert_eq!(unknown, BTreeSet::new(), "no catalogue has these messages");
}

#[test]
fn calls_give_the_arguments_that_their_message_uses() {
    let languages = languages();
    let mut faults = Vec::new();
    for call in uses_of("src").calls {
        let messages = languages.values().filter_map(|language| language.messages.get(&call.key));
        let used: BTreeSet<String> = messages.flat_map(|message| message.used.iter().cloned()).collect();
        if call.arguments.is_some_and(|given| given != used) {
            faults.push(format!("{} is not given {used:?}", call.key));
        }
    }
    assert_eq!(faults, Vec::<String>::new());
}

fn looks_like_a_key(text: &str, topics: &BTreeSet<&str>) -> bool {
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_plain && topics.iter().any(|topic| text.strip_prefix(topic).is_some_and(|rest| rest.starts_with('-')))
}

/// How two languages differ in their keys, or in what a message shows.
fn differences(first: &Catalogues, second: &Catalogues) -> Vec<String> {
    let keys: BTreeSet<&str> = first.keys().chain(second.keys()).collect();
    let mut faults = Vec::new();
    for key in keys {
        match (first.messages.get(key), second.messages.get(key)) {
            (Some(one), Some(other)) if one.file != other.file => faults.push(format!("{key}: other file")),
            (Some(one), Some(other)) if one.shown != other.shown => {
                faults.push(format!("{key}: {:?} and {:?}", one.shown, other.shown));
            }
            (Some(_), Some(_)) => {}
            _ => faults.push(format!("{key}: missing")),
        }
    }
    faults
}

#[test]
fn differences_between_languages_are_told() {
    let english = Catalogues::of_text("page", "page-a = { $name } of { $all }\npage-b = b\npage-c = c\n");
    let other = Catalogues::of_text("page", "page-a = { $name }\npage-b = b\npage-d = d\n");
    assert_eq!(
        differences(&english, &other),
        ["page-a: {\"all\", \"name\"} and {\"name\"}", "page-c: missing", "page-d: missing"]
    );
    let plural = "page-a = { $number ->\n    [one] { $shown } line\n   *[other] { $shown } lines\n}\n";
    let (plural, same) =
        (Catalogues::of_text("page", plural), Catalogues::of_text("page", "page-a = { $shown }行\n"));
    assert_eq!(differences(&plural, &same), Vec::<String>::new(), "only one of them chooses by a number");
}

#[test]
fn keys_are_found_in_calls_and_in_tables() {
    let code = r#"fn f() { let a = say("page-a"); html! { p { (visit.say_with("page-b", &[("one", 1.into())])) } } T = "page-c"; }"#;
    let uses = Uses::of_code(code);
    let keys: Vec<&str> = uses.calls.iter().map(|call| call.key.as_str()).collect();
    assert_eq!(keys, ["page-a", "page-b"]);
    assert_eq!(uses.calls[1].arguments, Some(BTreeSet::from(["one".to_owned()])));
    assert!(uses.literals.contains("page-c"));
    assert!(looks_like_a_key("page-c", &BTreeSet::from(["page"])));
    assert!(!looks_like_a_key("pages", &BTreeSet::from(["page"])));
}
