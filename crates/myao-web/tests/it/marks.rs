//! The marks of the chat are drawn wherever words are shown, and nothing else becomes of what people write.

use myao_core::chat::ChannelKind;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config as RunnerConfig, RngAlgorithm, TestRng, TestRunner},
};

use crate::{
    support::{World, between},
    workspace::{channel, said, user, world_now},
};

/// What is said, and what stands on the page.
const DRAWN: [(&str, &str); 25] = [
    (
        "Decided: the *old* mill opens on Thursday 12 March",
        "Decided: the <strong>old</strong> mill opens on Thursday 12 March",
    ),
    ("_new_, and ~gone~.", "<em>new</em>, and <s>gone</s>."),
    ("*all _of_ it*", "<strong>all </strong><strong><em>of</em></strong><strong> it</strong>"),
    ("run `a *b* <i>` now", "run <code>a *b* &lt;i&gt;</code> now"),
    ("**as models write** and ~~that~~", "<strong>as models write</strong> and <s>that</s>"),
    ("3*4*5 and a_b_c and 1~2~3", "3*4*5 and a_b_c and 1~2~3"),
    ("2 * 3 * 4", "2 * 3 * 4"),
    ("*not closed", "*not closed"),
    ("* a star", "* a star"),
    ("*over\ntwo lines*", "*over\ntwo lines*"),
    ("これは*太字*です", "これは*太字*です"),
    ("これは *太字* です", "これは <strong>太字</strong> です"),
    ("「*太字*」、_斜体_。", "「<strong>太字</strong>」、<em>斜体</em>。"),
    ("10~12時、13~15時", "10~12時、13~15時"),
    ("これは`符号`です", "これは<code>符号</code>です"),
    ("> said\nanswered", "<span class=\"quote\">said</span>answered"),
    (
        "• one\n• *two*",
        "<span class=\"entry\">• one</span><span class=\"entry\">• <strong>two</strong></span>",
    ),
    ("1. one\n10. ten", "<span class=\"entry\">1. one</span><span class=\"entry\">10. ten</span>"),
    ("see ```let a = *b*;\nlet c;``` there", "see <code class=\"block\">let a = *b*;\nlet c;</code> there"),
    ("``` not closed", "``` not closed"),
    ("https://example.com/a_b_c*d*", ">https://example.com/a_b_c*d</a>*"),
    ("*https://example.com/x*", "<strong>https://example.com/x</strong></a>"),
    ("*see https://example.com/y it*", "<strong>https://example.com/y</strong></a>"),
    ("xhttps://example.com", "xhttps://example.com"),
    ("<b>*x*</b> & \"_y_\"", "&lt;b&gt;<strong>x</strong>&lt;/b&gt; &amp; &quot;<em>y</em>&quot;"),
];

async fn said_all(texts: &[String]) -> World {
    let world = World::new().await;
    let mut events = vec![channel("C1", "general", ChannelKind::Public, false), user("U1", "Tomasz")];
    for (nth, text) in (0_u32..).zip(texts) {
        events.push(said("C1", "U1", 40.0 - f64::from(nth) / 60.0, text));
    }
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    world
}

/// The words of each message on a page.
fn words_on(page: &str) -> Vec<&str> {
    let says = page.split("<div class=\"say\">").skip(1);
    says.map(|say| between(say, "<p dir=\"auto\">", "</p>").expect("words")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_of_the_chat_are_drawn() {
    let world = said_all(&DRAWN.map(|(text, _)| text.to_owned())).await;
    let mut browser = world.browser();
    let page = browser.see("/channel/C1/chapter/1").await;
    let words = words_on(&page);
    assert_eq!(words.len(), DRAWN.len(), "{page}");
    for ((text, drawn), words) in DRAWN.iter().zip(words) {
        let is_part = drawn.starts_with('>') || drawn.ends_with("</a>");
        assert!(if is_part { words.contains(drawn) } else { words == *drawn }, "{text}: {words}");
    }
    let found = browser.see("/recall?q=mill").await;
    assert!(found.contains("the <strong>old</strong> <mark>mill</mark>"), "{found}");
    let memory = browser.see("/channel/C1").await;
    assert!(memory.contains("the <strong>old</strong> mill"), "memories, too: {memory}");
}

/// Whatever people write: only what is drawn becomes an element, each ends where it should, and no letter is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_marks_become_nothing_else() {
    let pieces = [
        "*",
        "_",
        "~",
        "`",
        "```",
        "**",
        "~~",
        ">",
        "> ",
        "\n",
        " ",
        "a",
        "語",
        "<b>",
        "</p>",
        "&",
        "\"",
        "'",
        "https://x.example/",
        "javascript:alert(1)",
        "• ",
        "1. ",
        "(",
        ")",
        "\u{200b}",
        "\u{2009}",
        "🦇",
    ];
    let config = RunnerConfig::default();
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..40);
    let texts: Vec<String> = (0..45)
        .map(|_| format!("x{}x", strategy.new_tree(&mut runner).expect("a text").current().concat()))
        .collect();
    let world = said_all(&texts).await;
    let page = world.browser().see("/channel/C1/chapter/1").await;
    let words = words_on(&page);
    assert_eq!(words.len(), texts.len(), "{page}");
    for (text, words) in texts.iter().zip(words) {
        let plain = without_drawn_elements(words);
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let unescaped = plain
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&");
        assert_eq!(letters(&unescaped), letters(text), "{text:?}: {words}");
    }
}

/// The text between elements that are drawn, each of which ends within the others.
fn without_drawn_elements(words: &str) -> String {
    let mut text = String::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = words;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = tag.split_once('>').expect("a whole tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{words}");
            continue;
        }
        let name = tag.split(' ').next().expect("a name");
        let is_drawn = match name {
            "strong" | "em" | "s" => tag == name,
            "code" => tag == name || tag == "code class=\"block\"",
            "span" => tag == "span class=\"quote\"" || tag == "span class=\"entry\"",
            "a" => tag.starts_with("a href=\"https://x.example/") && tag.matches('"').count() == 4,
            _ => false,
        };
        assert!(is_drawn, "<{tag}> in {words}");
        open.push(name);
    }
    assert!(open.is_empty(), "{words}");
    text + rest
}
