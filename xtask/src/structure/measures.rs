//! Figures by which the code is compared with itself over time.

use std::collections::BTreeSet;

use crate::tree::SourceFile;

use super::{
    ModulePath,
    code::Function,
    knots::{CrateFolder, folders},
    module_of,
    uses::crates,
};

/// A figure with its unit.
pub(super) struct Measure {
    pub(super) name: &'static str,
    pub(super) value: String,
}

/// All figures of these files.
pub(super) fn measures(files: &[SourceFile]) -> Vec<Measure> {
    let production: Vec<&SourceFile> =
        files.iter().filter(|file| file.is("rs") && module_of(&file.path).is_some()).collect();
    let lines: usize = production.iter().map(|file| file.text.lines().count()).sum();
    let crates = crates(files);
    let mut functions = 0;
    let mut one_word = 0;
    let mut packed = 0;
    let mut tuple_lets = 0;
    for (module, code) in crates.values().flat_map(|code| &code.modules) {
        functions += code.functions.len();
        one_word += code.functions.iter().filter(|function| is_one_word(function, module)).count();
        packed += code.functions.iter().filter(|function| function.is_packed).count();
        tuple_lets += code.tuple_lets;
    }
    let mut measures = vec![
        Measure { name: "files of production code", value: production.len().to_string() },
        Measure { name: "lines of production code", value: lines.to_string() },
        Measure { name: "functions", value: functions.to_string() },
        Measure { name: "functions with a one-word name, percent", value: ratio(one_word, functions, 100) },
        Measure {
            name: "functions with a tuple as a parameter, per 1,000",
            value: ratio(packed, functions, 1000),
        },
        Measure { name: "`let (a, b) = (x, y);`, per 1,000 lines", value: ratio(tuple_lets, lines, 1000) },
        Measure { name: "words of ARCHITECTURE.md", value: words(files, "ARCHITECTURE.md").to_string() },
        Measure { name: "words of CHANGELOG.md", value: words(files, "CHANGELOG.md").to_string() },
    ];
    measures.extend(knots(&folders(files)));
    measures
}

/// The largest knots of the crates' top modules and inside their folders.
fn knots(folders: &[CrateFolder]) -> Vec<Measure> {
    let largest = |folder: &CrateFolder| folder.knots.first().map_or(0, |knot| knot.members.len());
    let told =
        |folder: &CrateFolder| format!("{} of {} in {}", largest(folder), folder.modules, folder.crate_name);
    let (tops, inner): (Vec<&CrateFolder>, Vec<&CrateFolder>) =
        folders.iter().partition(|folder| folder.path.is_empty());
    let of_tops: Vec<String> =
        tops.iter().filter(|folder| largest(folder) > 0).map(|folder| told(folder)).collect();
    let inside = inner.iter().max_by_key(|folder| largest(folder));
    let inside =
        inside.map_or_else(String::new, |folder| format!("{}/{}", told(folder), folder.path.join("/")));
    vec![
        Measure {
            name: "knots of top modules",
            value: if of_tops.is_empty() { "0".to_owned() } else { of_tops.join(", ") },
        },
        Measure { name: "largest knot inside a folder", value: inside },
    ]
}

/// Whether at most one word of a function's name is left without those that repeat its type, its file or a folder.
fn is_one_word(function: &Function, module: &ModulePath) -> bool {
    let mut known: BTreeSet<String> = module.iter().flat_map(|name| name.split('_')).map(singular).collect();
    known.extend(words_of_type(&function.owner).iter().map(|word| singular(word)));
    function.name.split('_').filter(|word| !known.contains(&singular(word))).count() <= 1
}

fn words_of_type(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        if letter.is_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        words.iter_mut().last().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
    }
    words
}

fn singular(word: &str) -> String {
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

fn words(files: &[SourceFile], path: &str) -> usize {
    files.iter().find(|file| file.path == path).map_or(0, |file| file.text.split_whitespace().count())
}

/// `part` of each `base` of a whole, to a tenth.
fn ratio(part: usize, whole: usize, base: usize) -> String {
    let tenths = part * base * 10 / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
