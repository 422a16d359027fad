//! Questions that share one or two words with what was said: half of them are answered by it, and half are not. They were
//! written before the rule of what is asked of a thing (ADR 149), half of the unanswered ones about what such words ask.

use super::shown;

/// A talk, twelve questions that its messages answer in this order, and twelve that nothing in it answers.
struct Pairs {
    said: [&'static str; 12],
    answered: [&'static str; 12],
    unanswered: [&'static str; 12],
}

const ENGLISH: Pairs = Pairs {
    said: [
        "The oven man comes on Thursday at nine.",
        "I prefer rye flour for the sourdough, wheat makes it too soft.",
        "Invoices go to Marlow, she pays them on the first of the month.",
        "The price of butter went up to 9.40 a kilo.",
        "We decided to close on Mondays from May on.",
        "The spare keys hang behind the freezer.",
        "Our van is in the garage until Friday, the gearbox is gone.",
        "The new till prints receipts only if the paper lies upside down.",
        "Deadline for the market stall is 14 June, the form is on the fridge.",
        "Please structure the delivery list by street and not by name.",
        "I recommend the blue aprons, the white ones stain.",
        "Oslo Street school wants 60 rolls every Tuesday.",
    ],
    answered: [
        "When does somebody look at the oven?",
        "Which flour do we take for the sourdough?",
        "Who deals with the invoices?",
        "How expensive is butter now?",
        "Are we closed on Mondays?",
        "Where can I get a second set of keys?",
        "What's wrong with the van?",
        "Why are the receipts blank?",
        "By when do we have to apply for the market stall?",
        "How do I sort the delivery list?",
        "What aprons shall I order?",
        "How many rolls does the school get?",
    ],
    unanswered: [
        "How should I structure the staff handbook?",
        "What are your holiday preferences?",
        "What's the price of the old shelf?",
        "Which insurance did we decide on?",
        "When is the deadline for the tax return?",
        "Can anyone recommend a dentist?",
        "What form does the health inspector want?",
        "Who delivers the gas bottles?",
        "Which school did you go to?",
        "What colour should the paper bags have?",
        "Is there a garage sale this weekend?",
        "Which street is the notary in?",
    ],
};

const JAPANESE: Pairs = Pairs {
    said: [
        "オーブンの業者さんは木曜の9時に来ます",
        "サワードウはライ麦粉が好みです。小麦だと柔らかすぎて",
        "請求書はマーロウさんに回してください、毎月1日に払ってます",
        "バターの値段が1キロ1,480円に上がりました",
        "5月から月曜は休みにすると決定しました",
        "合鍵は冷凍庫の裏にかけてあります",
        "配達車は金曜まで修理工場です、変速機が壊れたので",
        "新しいレジは用紙を裏返しに入れないとレシートが出ません",
        "朝市の出店の締切は6月14日、用紙は冷蔵庫に貼ってあります",
        "配達リストの構成は名前順じゃなくて通りごとにしてください",
        "エプロンは青がおすすめ。白は染みが目立つ",
        "桜通りの小学校は毎週火曜にロールパン60個です",
    ],
    answered: [
        "オーブンはいつ見てもらえる？",
        "サワードウの粉はどれにする？",
        "請求書は誰の担当？",
        "バター、今いくらしますか？",
        "月曜って開いてる？",
        "合鍵はどこ？",
        "配達車はどうしたの？",
        "レシートが白紙なのはなぜ？",
        "朝市っていつまでに申し込むんだっけ？",
        "配達リストはどう並べる？",
        "エプロンは何色を頼めばいい？",
        "小学校にはロールパンをいくつ届ける？",
    ],
    unanswered: [
        "スタッフ手引きの構成はどうする？",
        "旅行先の好みはありますか？",
        "古い棚の値段はいくら？",
        "保険会社はどこに決定した？",
        "確定申告の締切はいつ？",
        "おすすめの歯医者はありますか？",
        "保健所に出す用紙はどれ？",
        "ガスボンベの配達は誰に頼む？",
        "どこの小学校に通ってた？",
        "修理に出した時計はどこ？",
        "冷蔵庫の保証書はどこ？",
        "この通りに郵便局はある？",
    ],
};

/// The questions whose answer is not shown.
fn lost(pairs: &Pairs) -> Vec<&'static str> {
    let asked = pairs.said.iter().zip(pairs.answered);
    asked.filter(|(said, asked)| !shown(&pairs.said, asked).contains(said)).map(|(_, asked)| asked).collect()
}

/// The questions to which something is shown, although nothing answers them.
fn noisy(pairs: &Pairs) -> Vec<&'static str> {
    pairs.unanswered.into_iter().filter(|asked| !shown(&pairs.said, asked).is_empty()).collect()
}

#[test]
fn answers_are_shown() {
    assert_eq!(lost(&ENGLISH), [""; 0]);
    assert_eq!(lost(&JAPANESE), [""; 0]);
}

#[test]
fn what_shares_a_word_and_answers_nothing_is_seldom_shown() {
    assert_eq!(
        noisy(&ENGLISH),
        [
            "What form does the health inspector want?",
            "Which school did you go to?",
            "What colour should the paper bags have?",
            "Is there a garage sale this weekend?",
            "Which street is the notary in?",
        ]
    );
    assert_eq!(
        noisy(&JAPANESE),
        [
            "どこの小学校に通ってた？",
            "修理に出した時計はどこ？",
            "冷蔵庫の保証書はどこ？",
            "この通りに郵便局はある？",
        ]
    );
}
