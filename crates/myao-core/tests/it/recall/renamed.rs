//! What was said of somebody under a former name.

use myao_core::{
    chat::UserId,
    recall::{NamePair, RenamedPerson, question_in_other_words},
};

fn pairs(former: &str, name: &str) -> Vec<(String, String)> {
    let person = RenamedPerson::new(UserId::new("U1"), name.to_owned(), vec![former.to_owned()]);
    person.pairs.into_iter().map(|NamePair { former, name }| (former, name)).collect()
}

fn asked(question: &str, former: &str, name: &str) -> Vec<String> {
    let pairs = pairs(former, name);
    question_in_other_words(question, pairs.iter().map(|(former, name)| (former.as_str(), name.as_str())))
}

#[test]
fn names_differ_as_wholes_and_in_the_parts_that_changed() {
    for (former, name, part) in [
        ("Noor Haddad", "Noor Smith", Some(("Haddad", "Smith"))),
        // What was added or dropped, and what stands elsewhere, stands for nothing.
        ("Noor Haddad-Lee", "Noor Lee", None),
        ("Taro Yamada", "Yamada Taro", None),
        // Nor does what is no name.
        ("Noor Sales", "Noor Support", None),
        ("山田花子 営業部", "山田花子 人事部", None),
        ("山田花子", "鈴木花子", Some(("山田", "鈴木"))),
        ("佐藤太郎", "佐藤二郎", Some(("太郎", "二郎"))),
        ("山田 花子", "鈴木 花子", Some(("山田", "鈴木"))),
        ("Yamada", "Suzuki", None),
        ("林", "森", None),
    ] {
        let mut expected = vec![(former.to_owned(), name.to_owned())];
        expected.extend(part.map(|(former, name)| (former.to_owned(), name.to_owned())));
        assert_eq!(pairs(former, name), expected, "{former} {name}");
    }
    for (former, name) in [
        ("Yamada", "YAMADA"),
        ("ヤマダ", "やまだ"),
        ("@ann", "ann"),
        ("Noor (Sales)", "Noor (Support)"),
        ("Noor (on holiday)", "Noor"),
        ("山田花子_営業部", "山田花子_人事部"),
        ("【営業】山田", "山田（休暇中）"),
        ("Noor | Sales", "Noor / Support"),
    ] {
        assert!(pairs(former, name).is_empty(), "{former} is {name}");
    }
}

#[test]
fn a_question_is_asked_with_the_other_name_in_either_direction() {
    for (question, former, name, other) in [
        ("Where is Yamada's drill?", "yamada", "suzuki", "Where is suzuki's drill?"),
        ("Where is Suzuki's drill?", "yamada", "suzuki", "Where is yamada's drill?"),
        ("what did Haddad say?", "Noor Haddad", "Noor Smith", "what did Smith say?"),
        ("what did Noor Smith say?", "Noor Haddad", "Noor Smith", "what did Noor Haddad say?"),
        ("山田さんのドリルはどこ？", "山田花子", "鈴木花子", "鈴木さんのドリルはどこ？"),
        ("山田様の席は？", "山田", "鈴木", "鈴木様の席は？"),
        ("やまださんのはしごはどこ？", "ヤマダ", "スズキ", "スズキさんのはしごはどこ？"),
    ] {
        assert_eq!(asked(question, former, name), [other], "{question}");
    }
    // Another word, and a question with both.
    for question in ["Where is the yamadaya?", "Is Yamada called Suzuki now?", "小山田さんの席は？"]
    {
        assert!(asked(question, "yamada", "suzuki").is_empty(), "{question}");
        assert!(asked(question, "山田", "鈴木").is_empty(), "{question}");
    }
}
