use crate::house::found;

const SPECIFICATION: (&str, &str) =
    ("docs/specification.md", "# Book\n## §2 Memory\nSee §2.1.\n### §2.1 Chapters\n");
const DESIGN: (&str, &str) = ("docs/design.md", "## §5 Replies\nAs specification §2.1 wants, and §5 says.\n");
const DECISION: (&str, &str) = ("docs/adr/0007-drafts.md", "# 7. Drafts\n");

#[test]
fn what_is_cited_is_there() {
    let source = "//! Cuts (specification §2,\n//! §2.1 and ADR 7). See `docs/specification.md` §2 and\n//! `cut::a_day_is_one_chapter`, `a/cut.rs`.\n\
                  fn a_day_is_one_chapter() {} // design §5\n";
    let guide = "As [design §5](docs/design.md) and `crates/{a,b}/src` say. `cargo xtask`, `a_key`, `x::Y`, fuzz/corpus\n";
    let files = [
        SPECIFICATION,
        DESIGN,
        DECISION,
        ("crates/a/src/a/cut.rs", source),
        ("crates/b/src/lib.rs", ""),
        ("README.md", guide),
    ];
    assert_eq!(found(&files), Vec::<String>::new());
}

#[test]
fn sections_and_decisions_that_are_not_there_are_found() {
    let source = "// Nothing.\nfn f() {}\n/// Two (specification §2.2,\n/// design §6; ADR 7, 8 and ADR 9).\n/// By §2 and SPEC.\n";
    assert_eq!(
        found(&[SPECIFICATION, DESIGN, DECISION, ("crates/a/src/lib.rs", source)]),
        [
            "crates/a/src/lib.rs:3: references: `§2.2`: docs/specification.md has no such section",
            "crates/a/src/lib.rs:4: references: ADR 8 does not exist",
            "crates/a/src/lib.rs:4: references: ADR 9 does not exist",
            "crates/a/src/lib.rs:4: references: `§6`: docs/design.md has no such section",
            "crates/a/src/lib.rs:5: references: `SPEC` is not in the repository: cite the specification, the design or an ADR",
            "crates/a/src/lib.rs:5: references: `§2`: say of which book, as in `specification §2.1`",
        ]
    );
}

#[test]
fn paths_and_names_that_are_not_there_are_found() {
    let guide = "See `crates/a/src/b.rs`, docs/gone.md and `old.rs`,\n`cut::no_test_of_this_name`, `lib.rs` and `some_name_of_four_words`.\n";
    let source = ("crates/a/src/lib.rs", "mod cut; // this tells of some_name_of_four_words\n");
    assert_eq!(
        found(&[source, ("docs/guide.md", guide)]),
        [
            "docs/guide.md:1: references: `crates/a/src/b.rs` is no file or folder here",
            "docs/guide.md:1: references: `docs/gone.md` is no file or folder here",
            "docs/guide.md:1: references: `old.rs` is no file or folder here",
            "docs/guide.md:2: references: `cut::no_test_of_this_name`: there is no `no_test_of_this_name` in the source",
            "docs/guide.md:2: references: `some_name_of_four_words`: there is no `some_name_of_four_words` in the source",
        ]
    );
    assert!(
        found(&[source, ("docs/adr/0001-x.md", "`old.rs` was there")]).is_empty(),
        "ADRs tell of the past"
    );
}

#[test]
fn migrations_keep_what_they_cited_when_they_were_applied() {
    let files = |text| {
        let twin = ("migrations/sqlite/0001_a.sql", text);
        [SPECIFICATION, DESIGN, twin, ("migrations/postgres/0001_a.sql", "")]
    };
    assert_eq!(found(&files("-- A row (specification §2.1, design §5).\n")), Vec::<String>::new());
    assert_eq!(
        found(&files("-- A row (specification §9, DESIGN X).\n")),
        [
            "migrations/sqlite/0001_a.sql:1: references: `DESIGN X`: there is no such part",
            "migrations/sqlite/0001_a.sql:1: references: `§9`: docs/specification.md has no such section",
        ]
    );
}
