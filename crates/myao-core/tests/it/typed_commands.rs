//! What a typed command asks for, in both languages.

use jiff::SignedDuration;
use myao_core::mandate::{LONGEST_QUIET, QuietSpan, TypedCommand, USUAL_QUIET};

fn recall(words: &str) -> TypedCommand {
    TypedCommand::Recall(words.to_owned())
}

fn quiet_for(minutes: i64) -> TypedCommand {
    TypedCommand::Quiet(QuietSpan::For(SignedDuration::from_mins(minutes)))
}

#[test]
fn a_command_is_told_by_its_first_word_in_either_language() {
    for (typed, meant) in [
        ("", TypedCommand::Help),
        ("  help ", TypedCommand::Help),
        ("HELP", TypedCommand::Help),
        ("ヘルプ", TypedCommand::Help),
        ("recall gasket sizes", recall("gasket sizes")),
        ("検索　新茶 発送", recall("新茶 発送")),
        ("検索「新茶」", recall("「新茶」")),
        ("Search from:noor after:7d", recall("from:noor after:7d")),
        ("why", TypedCommand::Why(String::new())),
        ("なぜ 新茶は8日", TypedCommand::Why("新茶は8日".to_owned())),
        ("memo", TypedCommand::Memo(String::new())),
        ("メモ 発送", TypedCommand::Memo("発送".to_owned())),
        ("forget <https://a.slack.com/archives/C1/p1>", {
            TypedCommand::Forget("<https://a.slack.com/archives/C1/p1>".to_owned())
        }),
        ("状態", TypedCommand::Status),
        ("loops", TypedCommand::Loops(String::new())),
        ("宿題 自分", TypedCommand::Loops("自分".to_owned())),
    ] {
        assert_eq!(TypedCommand::read(typed), meant, "{typed:?}");
    }
}

#[test]
fn a_note_has_a_name_a_colon_and_words() {
    let new = |name: &str, content: &str| TypedCommand::NewMemo {
        name: name.to_owned(),
        content: content.to_owned(),
    };
    for (typed, meant) in [
        ("memo kiln: fire it on Tuesday", new("kiln", "fire it on Tuesday")),
        (
            "note the kiln: at 10:30, see https://example.com",
            new("the kiln", "at 10:30, see https://example.com"),
        ),
        ("メモ 窯：火曜に焼く", new("窯", "火曜に焼く")),
        ("メモ 窯： 火曜: 朝", new("窯", "火曜: 朝")),
        ("memo 10:30", TypedCommand::Memo("10:30".to_owned())),
        ("memo https://example.com", TypedCommand::Memo("https://example.com".to_owned())),
        ("memo kiln:", TypedCommand::Memo("kiln:".to_owned())),
        ("memo : nameless", TypedCommand::Memo(": nameless".to_owned())),
        ("メモ ：名なし", TypedCommand::Memo("：名なし".to_owned())),
    ] {
        assert_eq!(TypedCommand::read(typed), meant, "{typed:?}");
    }
}

#[test]
fn words_that_begin_with_no_command_are_looked_for_whole() {
    for typed in
        ["gasket sizes", "memory of the fair", "メモリが足りない", "whyever not", "静かな部屋", "forgetful"]
    {
        assert_eq!(TypedCommand::read(typed), recall(typed));
    }
}

#[test]
fn quiet_is_a_span_of_time_an_end_or_unclear() {
    for (typed, minutes) in [
        ("quiet 2h", 120),
        ("quiet 90 minutes", 90),
        ("quiet ３０分", 30),
        ("静かに2時間", 120),
        ("静かに ２時間", 120),
        ("mute 1 day", 24 * 60),
    ] {
        assert_eq!(TypedCommand::read(typed), quiet_for(minutes), "{typed:?}");
    }
    assert_eq!(TypedCommand::read("quiet"), TypedCommand::Quiet(QuietSpan::For(USUAL_QUIET)));
    for typed in ["quiet 99999999d", "quiet 365 days"] {
        assert_eq!(
            TypedCommand::read(typed),
            TypedCommand::Quiet(QuietSpan::For(LONGEST_QUIET)),
            "{typed:?}"
        );
    }
    for typed in ["quiet off", "静かに 解除", "hush 0"] {
        assert_eq!(TypedCommand::read(typed), TypedCommand::Quiet(QuietSpan::Off), "{typed:?}");
    }
    for unclear in ["please", "2", "h", "-2h", "2 fortnights", "99999999999999999999h", "0h"] {
        let meant = TypedCommand::Quiet(QuietSpan::Unclear(unclear.to_owned()));
        assert_eq!(TypedCommand::read(&format!("quiet {unclear}")), meant);
    }
}
