use crate::house::found;

const EXAMPLE: &str = "# What is remembered.\nmemory:\n  limit: 5    # how much\n# words: many # said\n";
const JAPANESE: &str = "# 覚えること。\nmemory:\n  limit: 5    # どれだけ\n# words: many # 言われた\n";

#[test]
fn both_books_have_the_same_pages_in_one_order() {
    let summary = "- [a](a.md)\n- [b](b.md)\n- [c](glossary.md)\n";
    let files = [
        ("docs/SUMMARY.md", summary),
        ("docs/a.md", ""),
        ("docs/b.md", ""),
        ("docs/glossary.md", ""),
        ("docs/ja/SUMMARY.md", "- [a](a.md)\n- [b](b.md)\n"),
        ("docs/ja/a.md", ""),
        ("docs/ja/b.md", ""),
    ];
    assert_eq!(found(&files), Vec::<String>::new(), "the glossary is English only");
}

#[test]
fn a_page_that_one_book_lacks_is_found() {
    let files = [
        ("docs/SUMMARY.md", "- [a](a.md)\n- [b](b.md)\n- [d](design.md)\n"),
        ("docs/a.md", ""),
        ("docs/b.md", ""),
        ("docs/design.md", ""),
        ("docs/ja/SUMMARY.md", "- [b](b.md)\n- [a](c.md)\n- [d](design.md)\n"),
        ("docs/ja/b.md", ""),
        ("docs/ja/c.md", ""),
        ("docs/ja/design.md", ""),
    ];
    assert_eq!(
        found(&files),
        [
            "docs/a.md:1: books: the Japanese book has no such page: write docs/ja/a.md",
            "docs/ja/SUMMARY.md:1: books: c.md stands where the English book has design.md: keep one order",
            "docs/ja/c.md:1: books: the English book has no such page: write docs/c.md",
            "docs/ja/design.md:1: books: it is listed in xtask/src/tidy/books.rs as English only: remove it there",
        ]
    );
    let unlisted = [
        ("docs/SUMMARY.md", ""),
        ("docs/a.md", ""),
        ("docs/ja/SUMMARY.md", "- [a](a.md)\n"),
        ("docs/ja/a.md", ""),
    ];
    assert_eq!(found(&unlisted), ["docs/a.md:1: books: it does not stand in docs/SUMMARY.md"]);
}

#[test]
fn the_examples_have_the_same_keys_and_their_pages_follow_them() {
    let book = [("docs/SUMMARY.md", "[k](keys.md)"), ("docs/ja/SUMMARY.md", "[k](keys.md)")];
    let found_with = |japanese: &str| {
        let pages = [("docs/keys.md", "old"), ("docs/ja/keys.md", "old")];
        let examples = [("config.yaml.example", EXAMPLE), ("config.yaml.ja.example", japanese)];
        found(&[book.as_slice(), &pages, &examples].concat())
    };
    let pages = [
        "docs/ja/keys.md:1: books: config.yaml.ja.example was changed since: run `cargo xtask keys`",
        "docs/keys.md:1: books: config.yaml.example was changed since: run `cargo xtask keys`",
    ];
    assert_eq!(found_with(JAPANESE), pages);
    let other = found_with(&JAPANESE.replace("limit: 5", "limit: 6"));
    assert_eq!(
        other.get(..2),
        Some(
            [
                "config.yaml.example:1: books: `memory.limit` is not so in config.yaml.ja.example".to_owned(),
                "config.yaml.ja.example:1: books: `memory.limit` is not so in config.yaml.example".to_owned(),
            ]
            .as_slice()
        )
    );
}

#[test]
fn bold_text_that_does_not_end_is_found() {
    let text = "**よい。** はい\n**よい**です\n**だめ。**です\nこれは**「だめ」**\n";
    let files = [
        ("docs/SUMMARY.md", "[a](a.md)"),
        ("docs/a.md", ""),
        ("docs/ja/SUMMARY.md", "[a](a.md)"),
        ("docs/ja/a.md", text),
    ];
    let lines: Vec<String> =
        found(&files).iter().filter_map(|line| line.split(": ").next().map(str::to_owned)).collect();
    assert_eq!(lines, ["docs/ja/a.md:3", "docs/ja/a.md:4"]);
}

#[test]
fn commands_and_options_that_documents_name_exist() {
    let reference = "## `myao run`\n\n## `myao memory`\n\n## `myao memory show`\n\n| option | meaning |\n|---|---|\n\
                     | `CHANNEL` | which |\n| `-y`, `--yes` | sure |\n| `--version N` | which |\n";
    let good = "`myao run`, `myao memory show '#a' --version 2`, `myao COMMAND --help`, `myao … --json` and `myao-core`\n\
                ```sh\nMYAO_TOKEN=x myao --config a.yaml memory show '#a' -y --yes    # not --this\n\
                myao memory show [--version N]\n                 [--yes]\nother --thing\n```\n\
                ```text\nmyao dance\n```\n";
    let bad = "`myao dance`\n\n```sh\nmyao memory show '#a' --all\nmyao run\n         --twice\n```\n`myao run --config x --fast`\n";
    let files = [("docs/options.md", reference), ("docs/a.md", good), ("README.md", bad)];
    assert_eq!(
        found(&files),
        [
            "README.md:1: samples: there is no command `myao dance`",
            "README.md:4: samples: `myao memory show` has no option `--all`",
            "README.md:6: samples: `myao run` has no option `--twice`",
            "README.md:8: samples: `myao run` has no option `--fast`",
        ]
    );
}
