//! What is told in fewer words does not come to say something that nobody said.

use crate::asking::{day, talk, text};

/// The lines that `builtin` makes of a message, without their speaker.
fn told(said: &str) -> Vec<String> {
    let written = text(talk("", day("2026-03-12", &format!("10:00 ann: {said}"))), 600);
    written.lines().skip(1).map(|line| line.strip_prefix("- ann: ").unwrap_or(line).to_owned()).collect()
}

/// Checks what becomes of messages: the words of each have to give these lines, and no others.
fn hold(cases: &[(&str, &[&str])]) {
    let found: Vec<(&str, Vec<String>)> = cases.iter().map(|(said, _)| (*said, told(said))).collect();
    let wanted: Vec<(&str, Vec<String>)> = cases
        .iter()
        .map(|(said, lines)| (*said, lines.iter().map(|line| (*line).to_owned()).collect()))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_question_that_is_cut_stays_a_question() {
    hold(&[
        (
            "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長さと部屋の明るさの組み合わせではないでしょうか？",
            &[
                "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の…？",
            ],
        ),
        (
            "is the thermometer of the new kiln on the second floor that the glazier brought from the old workshop behind the harbour last winter together with the shelves the tables the lamps the brushes and the heavy green press from Bergen still wrong by about forty degrees when the door stays open for more than a minute?",
            &[
                "is the thermometer of the new kiln on the second floor that the glazier brought from the old workshop behind the harbour last winter together with the shelves the tables the lamps the brushes and the…?",
            ],
        ),
    ]);
}

#[test]
fn a_statement_that_is_cut_becomes_no_question() {
    hold(&[
        (
            "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長さと部屋の明るさの組み合わせでした。",
            &[
                "新しい窯の温度計の目盛りが古い窯の温度計の目盛りと食い違っている原因は設置場所の湿度と配線の長…",
            ],
        ),
        ("窯の温度計は直りましたか？", &["窯の温度計は直りましたか？"]),
    ]);
}

#[test]
fn a_long_sentence_is_divided_at_the_comma_of_science_too() {
    hold(&[(
        "新しい窯の温度計は三月の初めに届いた古い説明書の通りに据え付けてありますが，目盛りが古い窯の温度計と四十度も食い違っているので業者に交換を頼みました。",
        &[
            "新しい窯の温度計は三月の初めに届いた古い説明書の通りに据え付けてありますが",
            "目盛りが古い窯の温度計と四十度も食い違っているので業者に交換を頼みました",
        ],
    )]);
}
