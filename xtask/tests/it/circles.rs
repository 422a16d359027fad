use crate::house::found;

const ADVICE: &str = "circles: `app` and `cli` need one another: move what both need, or explain it in \
                      xtask/src/tidy/circles.rs and an ADR";

#[test]
fn folders_that_need_one_another_are_found() {
    let app = ("crates/a/src/app.rs", "use crate::{\n    ask::{cost, Asker},\n    cli::Failure,\n};\n");
    assert!(
        found(&[app, ("crates/a/src/cli.rs", "//! Uses [`App`](crate::app::App).\nuse crate::ask;\n")])
            .is_empty()
    );
    let cli = ("crates/a/src/cli/run.rs", "fn run(app: &crate::app::App) {}\n");
    assert_eq!(found(&[app, cli]), [format!("crates/a/src/app.rs:1: {ADVICE}")]);
    let beside = ("crates/a/src/cli.rs", "use super::app::X;\n");
    assert_eq!(found(&[app, beside]), [format!("crates/a/src/app.rs:1: {ADVICE}")]);
    let own = ("crates/a/src/cli/run.rs", "use super::app::X;\n");
    assert!(found(&[app, own]).is_empty(), "a module of its own folder");
    let elsewhere = ("crates/b/src/cli/run.rs", cli.1);
    assert!(found(&[app, elsewhere]).is_empty(), "another crate's");
}

#[test]
fn a_circle_may_have_more_than_two_folders() {
    let files = [
        ("crates/a/src/app.rs", "use crate::cli::X;\n"),
        ("crates/a/src/cli.rs", "use crate::run::X;\n"),
        ("crates/a/src/run/x.rs", "use crate::app::X;\n"),
    ];
    assert_eq!(found(&files).len(), 2, "each arrow of it that goes on in the alphabet");
}
