//! Whom a name means.

use myao_core::{
    chat::{User, UserId},
    recall::people_with_name,
};

fn person(id: &str, name: &str) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot: false }
}

#[test]
fn an_honorific_means_whoever_bears_the_name_in_front_of_it() {
    let people = [
        person("U1", "田中 太郎"),
        person("U2", "Tanaka Ichiro"),
        person("U3", "お母さん"),
        person("U4", "お母"),
    ];
    for (name, id) in [
        ("田中さん", "U1"),
        ("＠田中さん", "U1"),
        ("太郎くん", "U1"),
        ("田中様", "U1"),
        ("田中", "U1"),
        ("tanaka-san", "U2"),
        ("Ichiro san", "U2"),
        // Who is called so comes first.
        ("お母さん", "U3"),
    ] {
        let meant: Vec<&str> = people_with_name(name, &people).iter().map(|user| user.id.as_str()).collect();
        assert_eq!(meant, [id], "{name}");
    }
    for nobody in ["山田さん", "-san", "様", ""] {
        assert!(people_with_name(nobody, &people).is_empty(), "{nobody}");
    }
}
