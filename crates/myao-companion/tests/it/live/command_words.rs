//! What each command shows, as a person reads it, in both languages.

use myao_core::text::Language;
use myao_testkit::slack::{ChannelSpec, UserSpec};

use super::Live;

/// Everything that somebody reads who types these commands one after the other.
async fn screens(language: Language, said: &str, typed: &[&str]) -> String {
    let mut live = Live::with(1, |setup| setup, |config| config.locale.language = language).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.slack.invite_bot(&general);
    live.caught_up(&[&general]).await;
    let ts = live.slack.say(&general, &aki, said);
    live.eventually("stored", async || live.message(&general, ts).await.is_some()).await;
    let link = format!("https://fake.slack.com/archives/{general}/p{}", ts.to_string().replace('.', ""));
    let mut read = Vec::new();
    for text in typed {
        let text = text.replace("LINK", &link);
        let shown = live.slack.slash(&general, &aki, "/myao", &text).answered().await.drawn();
        let shown = shown
            .replace(&link, "LINK")
            .replace("2026-01-05 02:00", "TIME")
            .replace("2026-01-05 00:00", "TIME");
        read.push(format!("/myao {}\n{shown}\n", text.replace(&link, "LINK")));
    }
    live.stop().await;
    read.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_english() {
    let typed = [
        "",
        "recall kiln",
        "recall nowhere to be found",
        "recall",
        "recall from:nobody x",
        "recall in:#secret x",
        "recall the",
        "recall from: ben",
        "recall on:soon kiln",
        "recall has:photo",
        "kiln",
        "why",
        "why the kiln is fired on Tuesday",
        "memo",
        "memo kiln",
        "status",
        "quiet",
        "quiet off",
        "quiet soonish",
        "forget",
        "forget LINK",
    ];
    insta::assert_snapshot!(
        screens(Language::En, "the kiln is fired on Tuesday & <!channel> knows", &typed).await
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_japanese() {
    let typed = [
        "",
        "検索 新茶",
        "recall どこにもない言葉",
        "recall の",
        "recall from: 青木",
        "recall on:いつか 窯",
        "recall has:写真",
        "なぜ",
        "なぜ 新茶",
        "メモ",
        "状態",
        "静かに2時間",
        "静かに 解除",
        "忘れて LINK",
    ];
    insta::assert_snapshot!(screens(Language::Ja, "新茶の発送は8日からです", &typed).await);
}
