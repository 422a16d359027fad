//! Whether somebody asks for a memo, by their words.

use myao_core::mandate::Intent::{Change, Forget, Remember};

#[test]
fn a_wish_is_heard_in_both_languages() {
    for (intent, texts) in [
        (
            Remember,
            &[
                "<@U1> Remember that the count starts on 20 April",
                "please don't forget: no nuts",
                "could you write this down?",
                "Can you remember that?",
                "note: keys are at Bob's",
                "猫はミケだよ、覚えておいて",
                "おぼえといて！",
                "合言葉は山。メモして",
                "覚えておいてくれない？",
                "メモしてもらえませんか",
                "忘れないでね、月曜だよ",
                "覚えていてね",
                "＞引用\n覚えて",
            ][..],
        ),
        (Change, &["会議のメモを火曜に直して", "rename it", "予定を変更して", "Update the memo"]),
        (
            Forget,
            &[
                "forget the cat",
                "please delete that memo",
                "猫のことは忘れて",
                "忘れていいよ",
                "メモを消して",
                "削除してくれませんか",
            ],
        ),
    ] {
        for text in texts {
            assert!(intent.is_told_in(text), "{intent:?}: {text}");
        }
    }
}

#[test]
fn what_is_told_asked_forbidden_or_quoted_is_no_wish() {
    for (intent, texts) in [
        (
            Remember,
            &[
                "おはよう",
                "what does this page say?",
                "do you remember Bob?",
                "I remember that",
                "don't remember this",
                "never note that",
                "remembering",
                "佐藤さんの猫、覚えてる？",
                "覚えていますか",
                "覚えておかなくていいよ",
                "メモしないで",
                "> 覚えておいて\nこれどう思う？",
                "```\nremember this\n```\nwhat is that?",
                "",
            ][..],
        ),
        (Change, &["変えないで", "読んで"]),
        (
            Forget,
            &[
                "don't forget the cat",
                "never delete it",
                "I forget his name",
                "猫を忘れないで",
                "忘れてはいけない",
                "忘れてた",
                "鍵を忘れてしまった",
                "削除しないで",
                "覚えて",
            ],
        ),
    ] {
        for text in texts {
            assert!(!intent.is_told_in(text), "{intent:?}: {text}");
        }
    }
}
