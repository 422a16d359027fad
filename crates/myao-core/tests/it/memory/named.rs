//! Whom a line of a memory names.

use myao_core::{
    chat::{User, UserId},
    memory::people_in_line,
};

fn people() -> Vec<User> {
    let called = [
        ("U1", "Noor K"),
        ("U2", "hana"),
        ("U3", "澄子"),
        ("U4", "Bea"),
        ("U5", "Bea"),
        ("U6", "will"),
        ("U7", "igrep_x"),
        ("U8", "山田 太郎"),
        ("U9", ""),
    ];
    let user = |(id, name): (&str, &str)| User { id: UserId::new(id), name: name.to_owned(), is_bot: false };
    called.into_iter().map(user).collect()
}

fn named(line: &str) -> Vec<String> {
    let people = people();
    people_in_line(line, &people).into_iter().map(|user| user.id.to_string()).collect()
}

#[test]
fn who_speaks_and_of_whom_is_spoken() {
    for (line, expected) in [
        ("Noor K: the hall is booked", vec!["U1"]),
        ("hana: ask Noor K about it, he knows", vec!["U1", "U2"]),
        ("It was hana's idea.", vec!["U2"]),
        ("hana’s list is with Noor K.", vec!["U1", "U2"]),
        ("澄子: 発送は八日", vec!["U3"]),
        ("発送は澄子さんが担当", vec!["U3"]),
        ("山田 太郎が司会", vec!["U8"]),
        ("hana: 誰が? → igrep_x: 私が", vec!["U2", "U7"]),
        ("U9: said by somebody without a name", vec!["U9"]),
        // "will" is mostly another word; whoever speaks is somebody.
        ("hana: it will rain", vec!["U2"]),
        ("will: it rains", vec!["U6"]),
        // Of two people of one name the id tells which.
        ("Bea: which one?", vec![]),
        ("Bea (U5): that one", vec!["U5"]),
        // No part of a name, and not in other letters.
        ("Noor said so", vec![]),
        ("Hanako and HANA", vec![]),
        ("澄子林さん", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(named(line), expected, "{line}");
    }
}

#[test]
fn a_long_line_is_looked_at_up_to_its_limit() {
    let long = format!("{} hana", "word ".repeat(5000));
    assert_eq!(named(&long), Vec::<String>::new());
    assert_eq!(named(&format!("hana: {long}")), ["U2"]);
}
