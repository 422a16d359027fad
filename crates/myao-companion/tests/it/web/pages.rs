//! Pages of the kinds people link to, written as such pages are.

use serde_json::json;

use super::{Bench, site::Reply};

/// What is shown of a page, without its head.
async fn shown(name: &str, whole: bool) -> String {
    let bench = Bench::new().await;
    let path = format!("/articles/{name}.html");
    let file = format!("{}/tests/it/web/pages/{name}.html", env!("CARGO_MANIFEST_DIR"));
    bench.site.put(&path, Reply::html(std::fs::read(file).unwrap()));
    let answer = bench.ask(&bench.site.url(&path), json!({ "whole": whole })).await.unwrap();
    answer.replace(&bench.site.url(""), "SITE").split_once('\n').unwrap().1.to_owned()
}

#[tokio::test]
async fn a_japanese_news_article_without_what_stands_around_it() {
    insta::assert_snapshot!(shown("news", false).await);
}

#[tokio::test]
async fn a_page_of_documentation_with_its_code() {
    insta::assert_snapshot!(shown("docs", false).await);
}

#[tokio::test]
async fn an_issue_with_all_its_remarks() {
    insta::assert_snapshot!(shown("issue", false).await);
}

#[tokio::test]
async fn a_table_of_prices() {
    insta::assert_snapshot!(shown("table", false).await);
}

#[tokio::test]
async fn a_thread_of_a_forum_with_all_its_posts() {
    insta::assert_snapshot!(shown("forum", false).await);
}

#[tokio::test]
async fn all_of_a_page_with_its_menus_when_asked_for() {
    insta::assert_snapshot!(shown("news", true).await);
}

/// The article extractor has a writer of its own: both say the same.
#[tokio::test]
async fn marks_that_change_what_words_mean() {
    for whole in [true, false] {
        let text = shown("marks", whole).await;
        for kept in [
            "now ~~Monday~~ Tuesday",
            "~~500~~ 700 yen",
            "10^6 rings",
            "at 12:30 in",
            "5. Weigh the flour",
            "9. Wash up",
            "1. Knead",
            "2. Rest",
            "3. Three loaves left",
            "2. Two loaves left",
            "“Never again”, said",
            "神田(かんだ)駅",
            "秋葉原(あきはばら)",
            "Where",
            "Kanda\n",
        ] {
            assert!(text.contains(kept), "{kept} is missing, whole: {whole}\n{text}");
        }
    }
}
