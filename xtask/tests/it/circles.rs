use crate::house::found;

fn advice(members: &str) -> String {
    format!(
        "circles: these need one another: {members}; `cargo xtask sizes --knots` tells where: move down what both need"
    )
}

#[test]
fn top_modules_that_need_one_another_are_found() {
    let lib = ("crates/a/src/lib.rs", "mod app;\nmod ask;\nmod cli;\n");
    let ask = ("crates/a/src/ask.rs", "pub struct Asker;\n");
    let app = ("crates/a/src/app.rs", "use crate::{\n    ask::{cost, Asker},\n    cli::Failure,\n};\n");
    let comment = ("crates/a/src/cli.rs", "//! Uses [`App`](crate::app::App).\nuse crate::ask;\n");
    assert!(found(&[lib, ask, app, comment]).is_empty());
    let found_once = [format!("crates/a/src/lib.rs:1: {}", advice("app, cli"))];
    let cli = ("crates/a/src/cli.rs", "mod run;\n");
    let below = ("crates/a/src/cli/run.rs", "fn run(app: &crate::app::App) {}\n");
    assert_eq!(found(&[lib, ask, app, cli, below]), found_once);
    let beside = ("crates/a/src/cli.rs", "use super::app::X;\n");
    assert_eq!(found(&[lib, ask, app, beside]), found_once);
    let far = ("crates/a/src/cli/run.rs", "mod inner {\n    use super::super::super::app::X;\n}\n");
    assert_eq!(found(&[lib, ask, app, cli, far]), found_once);
    let own = ("crates/a/src/cli/run.rs", "use super::app::X;\n");
    assert!(found(&[lib, ask, app, cli, own]).is_empty(), "a module of its own folder");
    let elsewhere = ("crates/b/src/cli/run.rs", below.1);
    assert!(found(&[lib, ask, app, elsewhere]).is_empty(), "another crate's");
}

#[test]
fn a_circle_may_have_more_than_two_modules() {
    let files = [
        ("crates/a/src/lib.rs", "mod app;\nmod cli;\nmod run;\n"),
        ("crates/a/src/app.rs", "use crate::cli::Cli;\npub struct App;\n"),
        ("crates/a/src/cli.rs", "use crate::run::Run;\npub struct Cli;\n"),
        ("crates/a/src/run.rs", "mod x;\npub struct Run;\n"),
        ("crates/a/src/run/x.rs", "use crate::app::App;\n"),
    ];
    assert_eq!(found(&files), [format!("crates/a/src/lib.rs:1: {}", advice("app, cli, run"))]);
}

#[test]
fn what_a_module_passes_on_is_needed_from_where_it_is_defined() {
    let files = [
        ("crates/a/src/lib.rs", "mod app;\nmod cli;\nmod run;\npub use app::App;\n"),
        ("crates/a/src/app.rs", "pub struct App;\n"),
        ("crates/a/src/cli.rs", "pub use crate::run::Run;\n"),
        ("crates/a/src/run.rs", "use crate::App;\npub struct Run;\n"),
    ];
    assert!(found(&files).is_empty(), "`run` needs `app`, which needs nothing");
    let circle = ("crates/a/src/app.rs", "pub struct App(crate::cli::Run);\n");
    let files = [files[0], circle, files[2], files[3]];
    assert_eq!(found(&files), [format!("crates/a/src/lib.rs:1: {}", advice("app, run"))]);
}

#[test]
fn up_to_four_files_of_a_folder_may_need_one_another() {
    let ring = |next: [&'static str; 5]| {
        let paths = ["a", "b", "c", "d", "e"];
        let paths = paths.map(|name| &*format!("crates/a/src/cli/{name}.rs").leak());
        let mut files: Vec<(&str, &str)> = paths.into_iter().zip(next).collect();
        files.push(("crates/a/src/cli.rs", "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\n"));
        files
    };
    let [a, b, c, d] =
        ["use super::b::X;\n", "use super::c::X;\n", "use super::d::X;\n", "use super::a::X;\n"];
    assert!(found(&ring([a, b, c, d, ""])).is_empty());
    let found = found(&ring([a, b, c, "use super::e::X;\n", "use super::a::X;\n"]));
    assert_eq!(found, [format!("crates/a/src/cli.rs:1: {}", advice("a, b, c, d, e"))]);
}
