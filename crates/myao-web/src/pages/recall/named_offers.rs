//! Finds channels and people by what somebody has typed so far of their names.

use myao_core::recall::{SaidWord, TypedWords, plain_name};

/// Signs in front of names.
const NAMING: [char; 4] = ['#', '＃', '@', '＠'];

/// How well a name fits what was typed; the first is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameFit {
    Begins,
    PartBegins,
    Contains,
}

/// What of `named` has a name that fits what was typed, the best first, at most `most`: it begins with that, or has a part
/// that does, or contains it. If nothing does, what has a part that is a slip away.
pub(super) fn best_named<T>(typed: &str, named: Vec<(T, &str)>, most: usize) -> Vec<T> {
    let wanted = spaced_name(typed.trim().trim_start_matches(NAMING));
    if wanted.is_empty() {
        return Vec::new();
    }
    let named: Vec<(T, String)> = named.into_iter().map(|(one, name)| (one, spaced_name(name))).collect();
    let slip = if named.iter().any(|(_, name)| fit_of_name(name, &wanted).is_some()) {
        None
    } else {
        part_meant(&wanted, &named.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>())
    };
    let wanted = slip.unwrap_or(wanted);
    let fitting = named.into_iter().filter_map(|(one, name)| Some((fit_of_name(&name, &wanted)?, name, one)));
    let mut fitting: Vec<(NameFit, String, T)> = fitting.collect();
    fitting.sort_by(|(fit, name, _), (other_fit, other, _)| (fit, name).cmp(&(other_fit, other)));
    fitting.into_iter().take(most).map(|(_, _, one)| one).collect()
}

/// A name as it is compared: folded, with a space for whatever is no letter.
fn spaced_name(name: &str) -> String {
    let folded = plain_name(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn fit_of_name(name: &str, wanted: &str) -> Option<NameFit> {
    if name.starts_with(wanted) {
        Some(NameFit::Begins)
    } else if name.split(' ').any(|part| part.starts_with(wanted)) {
        Some(NameFit::PartBegins)
    } else {
        // A single Latin letter stands in most names.
        let is_telling = wanted.len() > 1 || !wanted.is_ascii();
        (is_telling && name.contains(wanted)).then_some(NameFit::Contains)
    }
}

/// The part of a name that what was typed is a slip of.
fn part_meant(wanted: &str, names: &[&str]) -> Option<String> {
    let typed = TypedWords::new(wanted);
    let [word] = typed.words() else { return None };
    let parts = names.iter().flat_map(|name| name.split(' '));
    let said: Vec<SaidWord> = parts.map(|part| SaidWord { word: part.to_owned(), messages: 1 }).collect();
    word.nearest(&said)
}
