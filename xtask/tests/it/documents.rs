use crate::house::found;

const SOURCE: (&str, &str) =
    ("crates/myao-core/src/chat.rs", "pub struct MessageTs(i64);\npub fn cut() {} // unlike OldName\n");

#[test]
fn names_in_the_glossary_exist() {
    let text = "`MessageTs` is made by `myao_core::chat::MessageTs`, `core::cut()` cuts.\n\
                `README`, `two words`, `cargo xtask`, `message_threshold` and `#general` are no Rust names.\n";
    let module = ("crates/myao-core/src/lib.rs", "pub mod chat;\nuse myao_core as _;\n");
    assert_eq!(found(&[SOURCE, module, ("docs/glossary.md", text)]), Vec::<String>::new());
}

#[test]
fn names_that_the_code_does_not_have_are_found() {
    let text = "fine\n`OldName` and `core::paste`\n```\n`Fenced` code is not read\n```\n";
    assert_eq!(
        found(&[SOURCE, ("ARCHITECTURE.md", text)]),
        [
            "ARCHITECTURE.md:2: names: `OldName`: there is no `OldName` in the source: use the name the code has",
            "ARCHITECTURE.md:2: references: `core::paste`: there is no `paste` in the source",
        ]
    );
    assert!(found(&[SOURCE, ("docs/adr/0001-x.md", text)]).is_empty(), "ADRs tell of the past");
}

#[test]
fn links_lead_somewhere() {
    let readme = "## Here\n[a](docs/a.md) [b](./docs/a.md#a-part-2) ![c](docs/pictures/c.png) [d](docs) [e](#here)\n\
                  [f](https://example.com/nothing) [g](mailto:a@example.com)\n";
    let inner = "# A `part`, 2\n[up](../README.md) [beside](a.md \"a title\")";
    let files = [("README.md", readme), ("docs/a.md", inner), ("docs/pictures/c.png", "")];
    assert_eq!(found(&files), Vec::<String>::new());
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let files = [
        ("README.md", "x\n[a](docs/b.md)"),
        ("docs/a.md", "[b](../../README.md) [c](pictures/c.png) [d](#gone)"),
    ];
    assert_eq!(
        found(&files),
        [
            "README.md:2: links: `docs/b.md` leads nowhere: there is no docs/b.md",
            "docs/a.md:1: links: `#gone` leads nowhere: there is no heading #gone",
            "docs/a.md:1: links: `../../README.md` leads nowhere: there is no ../README.md",
            "docs/a.md:1: links: `pictures/c.png` leads nowhere: there is no docs/pictures/c.png",
        ]
    );
}
