//! Checks that the top modules of a crate stand on floors, so that each can be read before those that need it, and that
//! few files of a folder need one another.

use crate::structure::folders;

use super::{SourceFile, Violation};

const RULE: &str = "circles";
const THIS_FILE: &str = "xtask/src/tidy/circles.rs";
/// How many files of one folder may need one another.
const MOST_ENTWINED: usize = 4;

/// Folders in which more do, with their number: it may fall and not rise.
const ENTWINED: [(&str, usize); 10] = [
    ("myao/cli", 14),
    ("myao/cli/import", 5),
    ("myao-companion/keeper", 7),
    ("myao-companion/live", 11),
    ("myao-model/builtin", 13),
    ("myao-model/builtin/reply", 6),
    ("myao-slack/export", 10),
    ("myao-slack/socket", 5),
    ("myao-testkit/llm", 5),
    ("myao-testkit/slack", 7),
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let crates = files.iter().filter(|file| file.path.starts_with("crates/")).cloned().collect::<Vec<_>>();
    let mut violations = Vec::new();
    for folder in folders(&crates) {
        let place = [std::slice::from_ref(&folder.crate_name), folder.path.as_slice()].concat().join("/");
        let listed = ENTWINED.iter().find(|(entwined, _)| *entwined == place).map(|(_, most)| *most);
        let most = if folder.path.is_empty() { 1 } else { listed.unwrap_or(MOST_ENTWINED) };
        let file = place.replacen('/', "/src/", 1);
        let file = if folder.path.is_empty() {
            format!("crates/{file}/src/lib.rs")
        } else {
            format!("crates/{file}.rs")
        };
        let largest = folder.knots.first().map_or(1, |knot| knot.members.len());
        for knot in folder.knots.iter().filter(|knot| knot.members.len() > most) {
            let advice = format!(
                "these need one another: {}; `cargo xtask sizes --knots` tells where: move down what both need",
                knot.members.join(", ")
            );
            violations.push(Violation::new(&file, 1, RULE, advice));
        }
        if listed.is_some_and(|listed| largest < listed) {
            let advice = format!("`{place}` has {largest} files that need one another, fewer than it lists");
            violations.push(Violation::new(THIS_FILE, 1, RULE, advice));
        }
    }
    violations
}
