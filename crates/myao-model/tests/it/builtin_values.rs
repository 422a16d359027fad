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

/// How often, how many times, how old, how large: a number of anything else tells none of these.
#[test]
fn a_number_of_something_else_tells_no_frequency_age_or_size() {
    let others = [
        (
            "hana",
            "The server enforces a limit of 200 uploads per night.",
            "how often is the server backed up?",
        ),
        ("hana", "The kiln is swept by 2 people.", "how often is the kiln swept?"),
        ("hana", "We swept the kiln on 3 March.", "how frequently is the kiln swept?"),
        ("hana", "I tested Box 3 for thirty minutes.", "how many times did hana test Box 3?"),
        ("hana", "I've sent the school £20 for the vending machine.", "how old is the vending machine?"),
        ("hana", "The kiln was delivered in 2 days.", "how old is the kiln?"),
        ("hana", "The map was down for 105 minutes on 3 March.", "how big is the map?"),
        ("hana", "My new number for this phone is 07700 900142.", "how much is the phone?"),
        ("hana", "The phone fell into 3 ponds.", "how much was the phone?"),
        ("hana", "We paid for the lamp on 3 March at 11:00.", "how much did we pay for the lamp?"),
        ("hana", "Our kiln is on page 3 of the mail list.", "what's the email address of the kiln club?"),
        ("hana", "窯の掃除は2人でやりました。", "窯の掃除はどのくらいの頻度？"),
        ("hana", "倉庫の広さのことで3回電話しました。", "倉庫の広さは？"),
        ("hana", "工房の年齢の話は3月4日にしました。", "工房の皆さんの平均年齢は？"),
        ("hana", "ディスクは小さいのにしたので、月2,800円やすくなりました。", "ディスクの値段は？"),
    ];
    assert_eq!(told_among(&others), []);
}

#[test]
fn a_frequency_an_age_and_a_size_are_told_in_their_words() {
    let same = [
        ("hana", "The server is backed up every night.", "how often is the server backed up?"),
        ("hana", "The server is backed up twice a week.", "how often is the server backed up?"),
        ("hana", "The kiln is swept on Mondays.", "how often is the kiln swept?"),
        ("hana", "I tested Box 3 four times.", "how many times did hana test Box 3?"),
        ("hana", "The vending machine is six years old.", "how old is the vending machine?"),
        ("hana", "Our oldest volunteer is 81.", "how old is the oldest volunteer?"),
        ("hana", "The kiln's a 9-year-old one.", "how old is the kiln?"),
        ("hana", "The map is about 3 GB.", "how big is the map?"),
        ("hana", "The shed is huge.", "how big is the shed?"),
        ("hana", "The phone was 120 quid.", "how much was the phone?"),
        ("hana", "Tickets for the play are 12 this year.", "how much are tickets for the play?"),
        ("hana", "The discount is 15 %.", "how much is the discount?"),
        ("hana", "There are 2 litres of milk left.", "how much milk is left?"),
        ("hana", "Write to the kiln club at kiln@example.com.", "what's the email address of the kiln club?"),
        ("hana", "窯の掃除は毎週です。", "窯の掃除はどのくらいの頻度？"),
        ("hana", "窯の掃除は週1回です。", "窯の掃除は週に何回？"),
        ("hana", "倉庫の広さは12坪です。", "倉庫の広さは？"),
        ("hana", "ばんちゃは6歳です。", "ばんちゃの年齢は？"),
        ("hana", "ディスクは月2,800円です。", "ディスクの値段は？"),
    ];
    let told = told_among(&same);
    let unknown: Vec<_> = same.iter().filter(|case| !told.contains(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// "At the library" does not say where the library is, and St Wilfreda's is no street.
#[test]
fn a_place_that_is_asked_for_is_not_where_it_is() {
    let others = [
        ("hana", "Before that I worked at the library.", "where is the library?"),
        ("hana", "She ran the volunteers at a lifeboat station.", "where is the lifeboat station?"),
        ("hana", "I'm by the mill again.", "where is the mill?"),
        ("hana", "The bats are in the barn.", "where is the barn?"),
        ("hana", "I'm in a classroom at Quay Hall and it says 503.", "where is Quay Hall?"),
        ("hana", "I'm at Quay Hall tomorrow anyway! I'll stand next to Ben.", "where is Quay Hall?"),
        ("hana", "You're on the rota already, in the third week.", "where is the rota?"),
        ("hana", "We meet on 20 April: St Wilfreda's hall is cold.", "what's the address of St Wilfreda's?"),
        (
            "hana",
            "St Wilfreda's and 12 others do theirs a week later.",
            "what's the address of St Wilfreda's?",
        ),
        ("hana", "前は図書館で働いていました。", "hanaさんがいた図書館はどこ？"),
        ("hana", "図書館の年度末のほうがこわかったです。", "図書館はどこにあった？"),
        ("hana", "前のサーバーでは毎晩消してたんです。", "サーバーはどこにある？"),
        ("hana", "入口、駐車場、掲示板で4枚だと思います。", "駐車場はどこ？"),
        ("hana", "桜餅は大丈夫です、もう食べてます。", "桜餅はどこ？"),
    ];
    assert_eq!(told_among(&others), []);
}

#[test]
fn a_place_is_told_by_another_place() {
    let same = [
        ("hana", "The library is next to the church.", "where is the library?"),
        ("hana", "The lifeboat station is at the end of the pier.", "where is the lifeboat station?"),
        ("hana", "The barn is behind the mill.", "where is the barn?"),
        ("hana", "The oat biscuits are in the biscuit drawer.", "where are the oat biscuits?"),
        ("hana", "St Wilfreda's is at 12 Mill St.", "what's the address of St Wilfreda's?"),
        ("hana", "図書館は駅の裏にあります。", "図書館はどこにある？"),
        ("hana", "図書館は市役所のとなりです。", "図書館はどこ？"),
        ("hana", "サーバーは地下室に置いています。", "サーバーはどこにある？"),
        ("hana", "桜餅を台所に置きました。", "桜餅はどこ？"),
    ];
    let told = told_among(&same);
    let unknown: Vec<_> = same.iter().filter(|case| !told.contains(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// Who speaks of a thing does not say whose it is, which one, or why.
#[test]
fn what_repeats_the_question_answers_nothing() {
    let others = [
        (
            "hana",
            "I've called the supplier of the lamps, they admit it.",
            "who is the supplier of the lamps?",
        ),
        (
            "hana",
            "I've sent Quay Lane £20 for the copying machine.",
            "who drove to Quay Lane with the copying machine?",
        ),
        ("hana", "The database won't take connections.", "which database do we use?"),
        (
            "hana",
            "I've called the supplier, he will ring back. New lamps arrive in May.",
            "which supplier makes the lamps?",
        ),
        ("hana", "The field is locked on Mondays anyway.", "why is the field locked on Mondays?"),
        ("hana", "I heard it on my spare radio.", "why does hana have a spare radio?"),
        ("hana", "The parish hall holds 40 people.", "how many teachers does the parish hall have?"),
        ("hana", "The orange mug is the colour of a sideboard.", "what colour are the gaskets?"),
        ("hana", "A sheet with a caretaker's name for each school.", "what's the name of the caretaker?"),
        ("hana", "お菓子は1枚22円です。", "豆皿は1枚いくら？"),
        ("hana", "カツ丼", "hanaさんはカツ丼を食べた？"),
        ("hana", "Everything about the play lives here from now on.", "where does hana live?"),
        ("hana", "I've read it. The bats come in groups, never at night.", "where does Priya come from?"),
        ("hana", "The teacher pack goes to print on Friday 27 March.", "who prints the teacher pack?"),
        (
            "hana",
            "Back from the trustees: licence BY 4.0. They were unanimous.",
            "how many trustees are there?",
        ),
        ("hana", "The trustees' meeting is on 18 March at 11:00.", "how many trustees are there?"),
        ("hana", "Box 17 reports nothing.", "how many boxes are there?"),
        ("hana", "Mr Pettifer is honoured by the bats.", "what did Mr Pettifer say about the bats?"),
        ("hana", "印刷所さんも認めてくれて、納品が3/24になります。", "印刷所はどこにあるの？"),
        ("hana", "前は図書館で働いていました。", "hanaさんは図書館で何年働いてたの？"),
        ("hana", "桜餅は大丈夫です、もう食べてます。", "hanaさんは桜餅、どっちの種類を食べたの？"),
        ("hana", "缶を20個買った方がいます。", "缶を20個買った方のお名前は？"),
        ("hana", "The mapping was beautiful.", "who wrote the mapping?"),
        (
            "hana",
            "My phone fell in a pond (school visit, newts), don't tell the children.",
            "which school has the most children?",
        ),
        ("hana", "電話の記録は毎晩消しています。", "岩渕さんとはどのくらいの頻度で電話していますか？"),
    ];
    assert_eq!(told_among(&others), []);
}

#[test]
fn what_says_more_than_the_question_answers() {
    let same = [
        ("hana", "The supplier of the lamps is Priya.", "who is the supplier of the lamps?"),
        ("hana", "I'm the supplier of the lamps.", "who is the supplier of the lamps?"),
        (
            "hana",
            "I drove to Quay Lane with the copying machine.",
            "who drove to Quay Lane with the copying machine?",
        ),
        ("hana", "The database is Postgres.", "which database do we use?"),
        ("hana", "We use a rented database.", "which database do we use?"),
        ("hana", "Noor's desk is the one by the window.", "which desk is Noor's?"),
        (
            "hana",
            "The field is locked on Mondays because of the sheep.",
            "why is the field locked on Mondays?",
        ),
        ("hana", "The parish hall has 40 teachers.", "how many teachers does the parish hall have?"),
        (
            "hana",
            "The field is locked on Mondays. The sheep are there.",
            "why is the field locked on Mondays?",
        ),
        ("hana", "The gaskets are orange.", "what colour are the gaskets?"),
        ("hana", "The caretaker's name is Ben.", "what's the name of the caretaker?"),
        ("hana", "豆皿は1枚22円です。", "豆皿は1枚いくら？"),
        ("hana", "カツ丼を食べました。", "hanaさんはカツ丼を食べた？"),
        ("hana", "I live in Leeds.", "where does hana live?"),
        ("hana", "He has unplugged the lamp.", "who unplugged the lamp?"),
        ("hana", "Marta is responsible for the backups.", "who is responsible for the backups?"),
        ("hana", "Marta is the contact for the caterer.", "who is the contact for the caterer?"),
        ("hana", "so it's Marta who waters the plants", "who waters the plants?"),
        ("hana", "植木の担当は鴨志田です。", "植木の担当は誰？"),
        ("hana", "Found the hex key in the tin.", "where did hana find the hex key?"),
        ("hana", "Priya comes from Leeds, in the north.", "where does Priya come from?"),
        ("hana", "Priya prints the teacher pack.", "who prints the teacher pack?"),
        ("hana", "We have 7 trustees.", "how many trustees are there?"),
        ("hana", "There are 7 of us trustees now.", "how many trustees are there?"),
        ("hana", "40 boxes are built.", "how many boxes are there?"),
        ("hana", "Mr Pettifer said the bats are keys.", "what did Mr Pettifer say about the bats?"),
        ("hana", "印刷所は川の向こうにあります。", "印刷所はどこにあるの？"),
        ("hana", "図書館で6年働いていました。", "hanaさんは図書館で何年働いてたの？"),
        ("hana", "道明寺の種類の桜餅を食べました。", "hanaさんは桜餅、どっちの種類を食べたの？"),
    ];
    let told = told_among(&same);
    let unknown: Vec<_> = same.iter().filter(|case| !told.contains(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// Whoever is asked to have told something need not speak of themselves; whose deeds are asked for does.
#[test]
fn what_somebody_told_is_not_only_of_themselves() {
    let told = [
        ("hana", "The audit starts on 9 June at 10:00.", "when did hana say the audit starts?"),
        ("hana", "The audit is in the old mill.", "where did hana say the audit is?"),
        ("hana", "The gate costs 80 pounds.", "how much did hana say the gate costs?"),
        ("hana", "The stall opens every Friday.", "how often does hana say the stall opens?"),
        ("hana", "One idea for the gate: paint it green.", "what was hana's idea for the gate?"),
        ("hana", "門の案ですが、健太さんに緑に塗ってもらいましょう。", "門についてのhanaさんの案は？"),
    ];
    assert_eq!(told_among(&told), told);
    let others = [
        ("hana", "The audit starts on 9 June at 10:00.", "when does hana start the audit?"),
        ("hana", "The audit is in the old mill.", "where does hana live?"),
        ("hana", "The gate costs 80 pounds.", "how much does hana earn?"),
        ("hana", "Paint the gate green.", "what colour is hana's gate?"),
        ("hana", "健太さんの門は緑です。", "hanaさんの門は何色？"),
    ];
    assert_eq!(told_among(&others), []);
}

/// Who has something is told by somebody and theirs, and by where it is.
#[test]
fn who_has_something_is_told_by_us_and_by_a_place() {
    let told = [
        ("hana", "We have the key of the hall, it is in our office.", "who has the key of the hall?"),
        ("hana", "We've taken the trailer home.", "who has taken the trailer home?"),
        ("hana", "The trailer is behind our bakery.", "who has the trailer?"),
        ("hana", "We printed the tickets yesterday.", "who printed the tickets?"),
        ("hana", "うちで会館の鍵を預かっています。", "会館の鍵は誰が預かっていますか？"),
    ];
    assert_eq!(told_among(&told), told);
    let others = [
        ("hana", "The key of the hall was shiny.", "who has the key of the hall?"),
        ("hana", "We met at noon. The tickets were printed in red.", "who printed the tickets?"),
        ("hana", "The tickets were printed in our office.", "who printed the tickets?"),
        ("hana", "We want the tickets to be larger.", "who printed the tickets?"),
    ];
    assert_eq!(told_among(&others), []);
}
