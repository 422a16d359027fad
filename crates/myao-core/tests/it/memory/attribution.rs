//! What a text may let whom say or do: what they said or did, and what others say of them (specification §2.2, Guard).

use myao_core::{
    memory::{Refusal, misattributed_lines},
    ports::{Material, MemoryEntry, Request},
    text::Language,
};

use super::grounding::{judge, request, request_about};

/// A stretch of invented talk, lines that may be told of it, and lines that put something into the wrong mouth.
struct Talk {
    lines: &'static [(&'static str, &'static str)],
    right: &'static [&'static str],
    wrong: &'static [&'static str],
}

const ENGLISH: &[Talk] = &[
    Talk {
        lines: &[
            ("Ann Berg", "I'll repair the harbour pump before Thursday and send the glazier's invoice"),
            ("Bob", "good. I decided to cancel the tent rental for the autumn fair"),
            ("Cleo", "@bob could you bring the folding tables from the cellar on Saturday?"),
            ("Bob", "sure"),
            ("Dirk", "Elin moves to Lyon in September, she found a flat near the old printing works"),
            ("Dirk", "we open the small kiln for visitors every second Sunday"),
        ],
        right: &[
            "Ann Berg: I'll repair the harbour pump before Thursday and send the glazier's invoice",
            "Ann will repair the harbour pump before Thursday and send the glazier's invoice",
            "Bob decided to cancel the tent rental for the autumn fair",
            "Bob agreed to bring the folding tables from the cellar on Saturday",
            "Cleo asked Bob to bring the folding tables from the cellar on Saturday",
            "Elin moves to Lyon in September; she found a flat near the old printing works",
            "Elin: moves to Lyon in September, found a flat near the old printing works",
            "Cleo and Dirk open the small kiln for visitors every second Sunday",
            "The harbour pump will be repaired before Thursday, the glazier's invoice sent (Ann)",
            "Bob knows that Ann repairs the harbour pump before Thursday and sends the glazier's invoice",
            "The tent rental for the autumn fair is cancelled",
        ],
        wrong: &[
            "Bob: I'll repair the harbour pump before Thursday and send the glazier's invoice",
            "Bob will repair the harbour pump before Thursday and send the glazier's invoice",
            "Cleo promised to repair the harbour pump before Thursday and to send the glazier's invoice",
            "Ann decided to cancel the tent rental for the autumn fair",
            "Ann Berg: I decided to cancel the tent rental for the autumn fair",
            "The harbour pump will be repaired before Thursday, the glazier's invoice sent (Cleo)",
            "According to Cleo the harbour pump is repaired before Thursday and the glazier's invoice sent",
            "Cleo: we open the small kiln for visitors every second Sunday",
        ],
    },
    Talk {
        lines: &[
            ("Ann", "@bob I'll hand in the customs papers for the Bergen lamps on Monday"),
            (
                "Bob",
                "> I'll hand in the customs papers for the Bergen lamps on Monday\nthanks, then I book the ferry",
            ),
        ],
        right: &[
            "Ann: I'll hand in the customs papers for the Bergen lamps on Monday",
            "Bob thanked Ann, who hands in the customs papers for the Bergen lamps on Monday",
        ],
        wrong: &["Bob: I'll hand in the customs papers for the Bergen lamps on Monday"],
    },
    Talk {
        lines: &[
            ("Robin (U1)", "I'll water the orchard trees by the river every Tuesday morning"),
            ("Robin (U2)", "I cut the hawthorn hedge behind the greenhouse in April"),
        ],
        right: &[
            "Robin (U1): I'll water the orchard trees by the river every Tuesday morning",
            "Robin cuts the hawthorn hedge behind the greenhouse in April",
        ],
        wrong: &["Robin (U2): I'll water the orchard trees by the river every Tuesday morning"],
    },
];

const JAPANESE: &[Talk] = &[Talk {
    lines: &[
        ("有坂", "木曜までに港のポンプを修理して、硝子屋の請求書も送っておきます"),
        ("梶 美緒", "秋祭りの天幕の借用契約は取り消すことにしました"),
        ("塚越", "@梶 美緒 土曜に地下の折り畳み机を運んでもらえますか？"),
        ("梶 美緒", "了解です"),
        ("鳴海", "柊さんが九月に里昂へ引っ越すそうです。古い印刷工場の近くに部屋を見つけたとのこと"),
        ("鳴海", "小窯は隔週の日曜に来客へ公開します"),
    ],
    right: &[
        "有坂: 木曜までに港のポンプを修理して、硝子屋の請求書も送っておきます",
        "有坂さんは木曜までに港のポンプを修理し、硝子屋の請求書を送ると約束した",
        "梶さんが秋祭りの天幕の借用契約を取り消すことにした",
        "梶さんは土曜に地下の折り畳み机を運ぶ",
        "塚越さんが土曜に地下の折り畳み机を運ぶよう頼んだ",
        "柊さんは九月に里昂へ引っ越す。古い印刷工場の近くに部屋を見つけた",
        "秋祭りの天幕の借用契約は取り消しになった",
    ],
    wrong: &[
        "塚越: 木曜までに港のポンプを修理して、硝子屋の請求書も送っておきます",
        "塚越さんは木曜までに港のポンプを修理し、硝子屋の請求書を送ると約束した",
        "港のポンプの修理と硝子屋の請求書の送付は鳴海さんがやる",
        "塚越: 秋祭りの天幕の借用契約は取り消すことにしました",
    ],
}];

fn request_of_talk(talk: &Talk, language: Language) -> Request {
    request_about(language, talk.lines.iter().map(|(name, text)| ("2026-03-02 10:00", *name, *text)))
}

fn talks() -> impl Iterator<Item = (&'static Talk, Request)> {
    let english = ENGLISH.iter().map(|talk| (talk, request_of_talk(talk, Language::En)));
    english.chain(JAPANESE.iter().map(|talk| (talk, request_of_talk(talk, Language::Ja))))
}

#[test]
fn what_people_said_and_what_is_said_of_them_stays() {
    let mut refused: Vec<&str> = Vec::new();
    for (talk, request) in talks() {
        let is_refused = |line: &&&str| !misattributed_lines(&format!("- {line}"), &request).is_empty();
        refused.extend(talk.right.iter().filter(is_refused));
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn what_only_others_said_is_refused() {
    let mut accepted: Vec<&str> = Vec::new();
    for (talk, request) in talks() {
        let is_accepted = |line: &&&str| {
            let text = format!("- {}\n- {line}", talk.right.first().unwrap_or(&""));
            judge(&request, &text) != Err(Refusal::Misattributed { lines: 1 })
        };
        accepted.extend(talk.wrong.iter().filter(is_accepted));
    }
    assert!(accepted.is_empty(), "{accepted:#?}");
}

/// A merge is made of lines; in these, too, everybody said something.
#[test]
fn a_merge_leaves_words_with_whoever_said_them() {
    let entry = MemoryEntry {
        label: String::new(),
        period: None,
        text: "2026-03-02\n- Ann: I'll repair the harbour pump before Thursday\n- Bob: who books the Bergen ferry for the lamps? → Cleo: I book the Bergen ferry for the lamps\n- The customs papers for Oslo are handed in on Monday"
            .to_owned(),
    };
    let request = request(
        Language::En,
        entry.text.clone(),
        Material::Memories { existing: String::new(), entries: vec![entry] },
    );
    let wrong = |line: &str| misattributed_lines(line, &request).len();
    assert_eq!(wrong("- 2026-03-02 Ann: I'll repair the harbour pump before Thursday"), 0);
    assert_eq!(wrong("- Cleo books the Bergen ferry for the lamps"), 0);
    // Whose words these are, the line does not tell.
    assert_eq!(wrong("- Bob hands in the customs papers for Oslo on Monday"), 0);
    assert_eq!(wrong("- 2026-03-02 Bob: I'll repair the harbour pump before Thursday"), 1);
    assert_eq!(wrong("- Ann repairs it all.\n- Cleo repairs the harbour pump before Thursday"), 1);
}
