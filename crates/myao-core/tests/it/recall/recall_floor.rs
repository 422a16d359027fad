//! What of a talk a prompt may show to a question (ADR 143 and 149).

mod pairs;

use myao_core::{
    chat::MessageTs,
    recall::{
        FoldedText, IndexSize, Matches, Postings, RecallCandidate, RecallFloorCandidate, RecallQuestion,
        is_above_recall_floor, terms_in_order,
    },
};

const DAY: i64 = 86_400;

/// Which of these messages a prompt shows to somebody who asks this: what bears on it and is above the floor. They stand
/// in no thread, a day after one another, in a talk of about a thousand messages.
fn shown<'a>(said: &[&'a str], asked: &str) -> Vec<&'a str> {
    shown_about(&[], said, asked)
}

/// The same if these are names of people.
fn shown_about<'a>(people: &[String], said: &[&'a str], asked: &str) -> Vec<&'a str> {
    let question = RecallQuestion::about(asked, people);
    let held = |text: &str| terms_in_order(&FoldedText::new(text));
    let rows = |term: &str| -> Vec<i64> {
        let rows = said.iter().zip(0_i64..).filter(|(text, _)| held(text).iter().any(|one| one.text == term));
        rows.map(|(_, address)| address).collect()
    };
    let terms = question.terms().iter().enumerate();
    let found: Vec<Postings> =
        terms.map(|(term, one)| Postings { term, addresses: rows(&one.text) }).collect();
    let size = IndexSize { rows: 1_000, holding: vec![0; question.terms().len()] };
    let matches = Matches::new(&question, asked, &size, found);
    let candidates: Vec<RecallCandidate> = said
        .iter()
        .zip(0_i64..)
        .map(|(text, address)| RecallCandidate {
            address,
            text: (*text).to_owned(),
            at: MessageTs::MIN.plus_seconds(address * DAY),
            unit: None,
            is_root: false,
            around: None,
        })
        .collect();
    let mut ranked = matches.rank(&candidates, &[], MessageTs::MIN.plus_seconds(100 * DAY));
    ranked.retain(|one| !one.is_incidental);
    let floor: Vec<RecallFloorCandidate<'_>> = ranked
        .iter()
        .map(|one| RecallFloorCandidate { evidence: Some(&one.evidence), is_statement: true })
        .collect();
    let above = is_above_recall_floor(&floor);
    let mut shown: Vec<usize> =
        ranked.iter().zip(above).filter(|(_, above)| *above).map(|(one, _)| one.candidate).collect();
    shown.sort_unstable();
    shown.into_iter().filter_map(|at| said.get(at).copied()).collect()
}

/// What is asked of a thing stands in texts about other things as well.
#[test]
fn what_is_asked_of_a_thing_finds_nothing_of_other_things() {
    for (said, asked) in [
        ("The price of the tent went up.", "What is the price of the shelf?"),
        ("The price of the tent went up.", "What's the shelf price?"),
        ("I prefer rye bread.", "What are your writing preferences?"),
        ("We decided to close on Mondays.", "Which insurance did we decide on?"),
        ("Please structure the list by street.", "How should I structure the handbook?"),
        ("I recommend the blue aprons.", "Can anyone recommend me a good dentist?"),
        ("テントの値段が上がりました", "棚の値段はいくら？"),
        ("ライ麦パンが好みです", "旅行先の好みはありますか？"),
        ("月曜は休みにすると決定しました", "保険会社はどこに決定した？"),
        ("リストの構成は通りごとにしてください", "手引きの構成はどうする？"),
        ("エプロンは青がおすすめ", "おすすめの歯医者は？"),
    ] {
        assert_eq!(shown(&[said], asked), [""; 0], "{asked}");
    }
}

/// Where a question does not say of what it asks, the word for it is all that it is about.
#[test]
fn what_is_asked_of_nothing_in_particular_is_found() {
    for (said, asked) in [
        ("The deadline is 14 June.", "When is the deadline?"),
        ("The deadline is 14 June.", "Was the deadline extended?"),
        ("The deadline is 14 June.", "Did somebody extend the deadline?"),
        ("I prefer rye bread.", "What are my preferences?"),
        ("The budget is 900 pounds.", "What is the total budget for May?"),
        ("締切は6月14日です", "締切はいつ？"),
        ("締切は6月14日です", "締切は延びた？"),
        ("予算は9万円です", "来月の予算は？"),
        ("予算は9万円です", "全体の予算は？"),
    ] {
        assert_eq!(shown(&[said], asked), [said], "{asked}");
    }
}

/// The thing itself is found, whatever is asked of it.
#[test]
fn the_thing_of_which_something_is_asked_is_found() {
    for (said, asked) in [
        ("Butter went up to 9.40 a kilo.", "What is the price of the butter?"),
        ("The handbook has three chapters and an index.", "How should I structure the handbook?"),
        ("バターは1キロ1,480円に上がりました", "バターの値段はいくら？"),
        ("手引きは3章と索引です", "手引きの構成はどうする？"),
    ] {
        assert_eq!(shown(&[said], asked), [said], "{asked}");
    }
}

/// People are found by what they said themselves (ADR 54): of theirs, it is found by what is asked.
#[test]
fn what_is_asked_of_a_person_is_found() {
    for (name, said, asked) in [
        ("Noor", "I prefer rye bread.", "What are Noor's preferences?"),
        ("野口", "ライ麦パンが好みです", "野口の好みは？"),
    ] {
        assert_eq!(shown_about(&[name.to_owned()], &[said], asked), [said], "{asked}");
        assert_eq!(shown(&[said], asked), [""; 0], "{asked}");
    }
}
