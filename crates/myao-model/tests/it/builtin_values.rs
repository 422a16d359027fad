//! What a question wants to know has to be told, and of whom or what it asks: a price in money, somebody's own birthday.

use myao_core::{
    ports::{FoundIn, Material, TalkLine},
    text::Language,
};

use crate::asking::{ask, day, line, request};

/// Whether `question` is answered by what `speaker` said, which a search found. Others are known to talk as well.
fn is_told_by(speaker: &str, said: &str, question: &str) -> bool {
    let found = |exchange: usize, name: &str, words: &str| TalkLine {
        mark: Some(format!("r{exchange}")),
        found: Some(FoundIn { exchange, is_hit: true, is_memory: false, is_here: true }),
        channel: Some("random".to_owned()),
        ..line("2026-01-07 10:00", name, words)
    };
    let mut lines =
        vec![found(1, speaker, said), found(2, "priya", "lunch anyone?"), found(3, "みのり", "おつかれさま")];
    lines.extend(day("2026-03-02", &format!("11:00 mio: @myao {question}")));
    let mut request = request(Material::Conversation(lines), 300);
    request.language = Language::En;
    request.own_names = vec!["myao".to_owned()];
    let answer = ask(&request).unwrap().text;
    let is_unknown = answer.contains("I don't know") || answer.contains("わかりません");
    assert!(is_unknown != answer.contains("[r1]"), "{answer}");
    !is_unknown
}

fn told_among(
    cases: &[(&'static str, &'static str, &'static str)],
) -> Vec<(&'static str, &'static str, &'static str)> {
    cases.iter().copied().filter(|(speaker, said, question)| is_told_by(speaker, said, question)).collect()
}

#[test]
fn a_number_of_something_else_is_no_measure() {
    let others = [
        (
            "hana",
            "I've sent the school £20 for the vending machine and a card.",
            "how heavy is the vending machine?",
        ),
        ("hana", "I have found the 2.5 mm hex key.", "how much does a hex key cost?"),
        ("hana", "It is 15:31, there is peppermint tea and crumble.", "how much did the crumble cost?"),
        (
            "hana",
            "The trustees' meeting is on Wednesday 18 March at 11:00.",
            "how long was the trustees' meeting?",
        ),
        ("hana", "The kiln is in room 3.", "what's the price of the kiln?"),
        ("hana", "We fired 40 bowls in the kiln.", "what temperature does the kiln reach?"),
        (
            "hana",
            "She ran the volunteers at a lifeboat station.",
            "what's the address of the lifeboat station?",
        ),
        ("hana", "The minibus is in the yard again.", "what colour is the minibus?"),
        ("hana", "The parcel for Leeds left at 14:00.", "what does the parcel for Leeds weigh?"),
        ("hana", "I've sent Quay Street £20 for the vending machine.", "what's the fare to Quay Street?"),
        ("hana", "The hex key is in the gluten-free shortbread tin.", "how much does the hex key cost?"),
        ("hana", "印刷所に入稿します。300枚と予備20枚、納品は3/17です。", "印刷所の電話番号は？"),
        ("hana", "カツ丼", "カツ丼の値段は？"),
        ("hana", "急須は3つあります。", "急須の値段は？"),
        ("hana", "包丁は倉庫の3番の棚です。", "包丁の重さは？"),
        ("hana", "工房は新しくなりました。", "工房の住所は？"),
        ("hana", "軽トラは車検に出しました。", "軽トラの色は？"),
    ];
    assert_eq!(told_among(&others), []);
}

#[test]
fn a_measure_is_told_in_its_units_or_words() {
    let same = [
        ("hana", "A box is 640 g packed.", "how heavy is a box?"),
        ("hana", "A box weighs two kilos.", "what does a box weigh?"),
        ("hana", "The hex key was £4.15.", "how much did the hex key cost?"),
        ("hana", "The hex key was 4 quid.", "what was the price of the hex key?"),
        ("hana", "The hex key is free.", "how much does the hex key cost?"),
        ("hana", "The trustees' meeting took half an hour.", "how long was the trustees' meeting?"),
        ("hana", "The trustees' meeting went from 14:02 to 15:47.", "how long was the trustees' meeting?"),
        ("hana", "The trustees' meeting lasted 105 minutes.", "how long was the trustees' meeting?"),
        ("hana", "The kiln reaches 1,200 °C.", "what temperature does the kiln reach?"),
        ("hana", "The kiln reaches 1200 degrees.", "how hot is the kiln?"),
        ("hana", "The lifeboat station is at 12 Quay Street.", "what's the address of the lifeboat station?"),
        ("hana", "The minibus is dark green.", "what colour is the minibus?"),
        ("hana", "The plumber's phone number is 07700 900142.", "what's the phone number of the plumber?"),
        ("hana", "The price list hangs by the till.", "where is the price list?"),
        ("hana", "The price list hangs by the till.", "what about the price list?"),
        ("hana", "カツ丼は780円です。", "カツ丼の値段は？"),
        ("hana", "カツ丼は無料だそうです。", "カツ丼の値段は？"),
        ("hana", "急須の値段は店長が決めます。", "急須の値段の決め方は？"),
        ("hana", "包丁は180gです。", "包丁の重さは？"),
        ("hana", "工房の住所は緑町2丁目です。", "工房の住所は？"),
        ("hana", "軽トラは白です。", "軽トラの色は？"),
        ("新井", "新しい番号は 090-0000-1234 です。", "新井さんの新しい電話番号は？"),
        ("hana", "工房の電話番号は0120-111-222です。", "工房の電話番号は？"),
    ];
    let told = told_among(&same);
    let unknown: Vec<_> = same.iter().filter(|case| !told.contains(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// Who says something says it of themselves only if they speak of themselves.
#[test]
fn what_somebody_says_of_others_is_not_theirs() {
    let others = [
        ("priya", "happy birthday!! on 3 May we all get cake", "when is Priya's birthday?"),
        ("priya", "Happy birthday Tomasz, 18 March is a good day.", "when is Priya's birthday?"),
        ("priya", "Noted, the phone number 07700 900142 is on the sheet.", "what's Priya's phone number?"),
        ("みのり", "小野寺さん、くるみアレルギーでしたよね", "みのりさんのアレルギーは何？"),
        ("みのり", "久保田さん、5月3日のお誕生日おめでとうございます!", "みのりさんの誕生日はいつ？"),
        ("hana", "お電話番号は090-0000-1234のように伺ってください。", "岩渕さんの電話番号は？"),
        ("hana", "名前は言いませんが、猫を飼っている方がいます。", "早瀬さんの猫の名前は？"),
    ];
    assert_eq!(told_among(&others), []);
}

#[test]
fn what_somebody_says_of_themselves_or_is_told_of_them_is_theirs() {
    let own = [
        ("priya", "my birthday is on 3 May", "when is Priya's birthday?"),
        ("priya", "I have my birthday on 3 May.", "when is Priya's birthday?"),
        ("hana", "Priya's birthday is on 3 May.", "when is Priya's birthday?"),
        ("hana", "Priya has her birthday on 3 May.", "when is the birthday of Priya?"),
        ("みのり", "くるみアレルギーなので、くるみだけだめです。", "みのりさんのアレルギーは何？"),
        ("みのり", "久保田さん、私の誕生日は5月3日です。", "みのりさんの誕生日はいつ？"),
        ("みのり", "みなさん、誕生日は5月3日です。", "みのりさんの誕生日はいつ？"),
        ("hana", "みのりさんの誕生日は5月3日です。", "みのりさんの誕生日はいつ？"),
        ("hana", "岩渕さんの電話番号は090-0000-1234です。", "岩渕さんの電話番号は？"),
    ];
    let told = told_among(&own);
    let unknown: Vec<_> = own.iter().filter(|case| !told.contains(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// A place is told by more than a word before a time.
#[test]
fn a_time_is_no_place() {
    let time = (
        "hana",
        "The first trustees' meeting was on Wednesday at 11:00.",
        "where was the first trustees' meeting?",
    );
    let place = (
        "hana",
        "The first trustees' meeting was at the town hall.",
        "where was the first trustees' meeting?",
    );
    assert_eq!(told_among(&[time, place]), [place]);
}
