use crate::house::found;

#[test]
fn a_name_is_one_types() {
    let one = ("crates/a/src/a.rs", "pub struct Task;\nimpl X for Task {\n    type Error = Y;\n}\n");
    let other =
        ("crates/b/src/b.rs", "impl X for Other {\n    type Error = Y;\n}\npub(super) enum Task {}\n");
    assert_eq!(
        found(&[one, other]),
        [
            "crates/b/src/b.rs:4: types: `Task` is a type in crates/a/src/a.rs:1 already: say which one this is"
        ]
    );
    let test = ("crates/b/tests/it/b.rs", other.1);
    assert!(found(&[one, test]).is_empty(), "tests have their own");
    let inside = ("crates/b/src/b.rs", "fn f() {\n    struct Task;\n}\n");
    assert_eq!(found(&[one, inside]).len(), 1);
}
