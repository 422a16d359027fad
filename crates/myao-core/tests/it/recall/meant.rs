//! Whom a name means.

use myao_core::{
    chat::{User, UserId},
    recall::{FormerName, NamedPeople},
};

fn person(id: &str, name: &str) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot: false }
}

fn was_called(id: &str, name: &str) -> FormerName {
    FormerName { user: UserId::new(id), name: name.to_owned() }
}

fn ids<'u>(users: &[&'u User]) -> Vec<&'u str> {
    users.iter().map(|user| user.id.as_str()).collect()
}

#[test]
fn an_honorific_means_whoever_bears_the_name_in_front_of_it() {
    let people = vec![
        person("U1", "田中 太郎"),
        person("U2", "Tanaka Ichiro"),
        person("U3", "お母さん"),
        person("U4", "お母"),
    ];
    let people = NamedPeople { people, former: Vec::new() };
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
        assert_eq!(ids(&people.with_name(name)), [id], "{name}");
    }
    for nobody in ["山田さん", "-san", "様", ""] {
        assert!(people.with_name(nobody).is_empty(), "{nobody}");
    }
}

#[test]
fn a_former_name_means_who_bore_it_unless_somebody_bears_it_now() {
    let people = NamedPeople {
        people: vec![
            person("U1", "鈴木花子"),
            person("U2", "Noor Smith"),
            person("U3", "Haddad"),
            person("U4", "Yamadaya"),
            person("U5", "Kim"),
            person("U6", "Lee"),
        ],
        former: vec![
            was_called("U1", "山田花子"),
            was_called("U1", "Yamada"),
            was_called("U2", "Noor Haddad"),
            was_called("U5", "Lee"),
            was_called("U6", "Kim"),
            was_called("U2", "Park"),
            was_called("U4", "Park"),
        ],
    };
    for (name, meant) in [
        ("山田花子", vec!["U1"]),
        ("山田さん", vec!["U1"]),
        ("鈴木さん", vec!["U1"]),
        // Whole, before a part of what somebody is called now.
        ("ＹＡＭＡＤＡ", vec!["U1"]),
        ("yamaday", vec!["U4"]),
        ("Noor Haddad", vec!["U2"]),
        // Somebody is called so now.
        ("haddad", vec!["U3"]),
        ("Kim", vec!["U5"]),
        ("Lee", vec!["U6"]),
        // Two were called so: as with two who are.
        ("Park", vec!["U2", "U4"]),
        ("Jung", vec![]),
    ] {
        assert_eq!(ids(&people.with_name(name)), meant, "{name}");
    }
    assert!(people.with_whole_name("noor haddad").is_empty(), "a former name is not enough");
    assert_eq!(ids(&people.with_whole_name("haddad")), ["U3"]);
    assert_eq!(ids(&people.with_whole_name("U3")), ["U3"]);
    assert!(people.with_whole_name("山田").is_empty(), "a part of a name is not enough");
}

/// Whoever has a name among those that are joined in theirs comes before whoever was called so.
#[test]
fn who_is_called_so_in_one_word_comes_first() {
    let people = NamedPeople {
        people: vec![person("U1", "鈴木"), person("U2", "山田太郎"), person("U3", "佐藤")],
        former: vec![was_called("U1", "山田"), was_called("U3", "太郎丸")],
    };
    assert_eq!(ids(&people.with_name("山田")), ["U2"]);
    assert_eq!(ids(&people.with_name("太郎丸さん")), ["U3"]);
}

#[test]
fn another_way_to_write_a_name_is_not_told_as_a_former_one() {
    let people = NamedPeople {
        people: vec![person("U1", "Yamada")],
        former: vec![was_called("U1", "ＹＡＭＡＤＡ"), was_called("U1", "Sato"), was_called("U1", "SATO")],
    };
    assert_eq!(people.former_names_of(&people.people[0]), ["Sato"]);
}

#[test]
fn all_former_names_are_those_of_each_person() {
    let people = NamedPeople {
        people: vec![person("U1", "Yamada"), person("U2", "Noor"), person("U3", "Kim")],
        former: vec![
            was_called("U1", "ＹＡＭＡＤＡ"),
            was_called("U1", "Sato"),
            was_called("U2", "Sato"),
            was_called("U1", "SATO"),
            was_called("U1", "Ito"),
        ],
    };
    let former = people.former_names();
    for user in &people.people {
        assert_eq!(former.get(&user.id).cloned().unwrap_or_default(), people.former_names_of(user));
    }
    assert_eq!(former[&UserId::new("U1")], ["Sato", "Ito"]);
}
