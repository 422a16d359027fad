//! Whom a line of a memory names: who said it, and of whom it speaks.
//!
//! Memories hold people's names; ids stand in them only behind a name that several people share. A name counts where
//! it stands as a whole, spelt as the person spells it. A name that several people share tells nothing without the id
//! behind it. Within what is said, a name that is also a common word, or has one character only, names nobody.

use std::collections::BTreeSet;

use crate::{
    chat::{User, name_in_talk},
    text::{WritingSystem, fold_for_comparison, head_of_text, writing_system},
    worth::{is_common_word, speaker_of},
};

/// How many characters of a line are looked at.
const LOOKED_AT: usize = 600;
/// How many words of a line in a row are taken as a name. The speaker's name, before the colon, may have more.
const MOST_WORDS: usize = 3;
/// Signs that may stand between the letters of a name.
const WITHIN: &str = "_-.'’";

/// Where a stretch of letters of one kind begins and ends, in bytes.
type Stretch = (usize, usize);

/// What in a line may be somebody's name or id.
pub fn possible_names(line: &str) -> BTreeSet<&str> {
    let line = head_of_text(line, LOOKED_AT);
    let stretches = stretches_of_line(line);
    let mut names: BTreeSet<&str> = BTreeSet::from([speaker_of(line).0]);
    for (nth, (from, _)) in stretches.iter().enumerate() {
        let mut end = *from;
        for (next, to) in stretches.iter().skip(nth).take(MOST_WORDS) {
            let between = line.get(end..*next).unwrap_or(line);
            if end > *from && !matches!(between, "" | " " | "・") {
                break;
            }
            end = *to;
            let name = line.get(*from..end).unwrap_or_default();
            names.insert(name);
            names.extend(["'s", "’s"].iter().filter_map(|ending| name.strip_suffix(ending)));
        }
    }
    names.remove("");
    names
}

/// Which of `people` a line names. Everybody who shares a name with one of `people` has to be among them too, since a
/// shared name alone names nobody.
pub fn people_in_line<'p>(line: &str, people: &'p [User]) -> Vec<&'p User> {
    let line = head_of_text(line, LOOKED_AT);
    let names = possible_names(line);
    let (speaker, _) = speaker_of(line);
    let is_named = |user: &&User| {
        let name = name_in_talk(&user.name);
        let id = user.id.as_str();
        if name.is_empty() || !is_alone(user, &name, people) {
            return line.contains(&format!("{name} ({id})")) || names.contains(id);
        }
        let tells = name.chars().nth(1).is_some() && !is_common_word(&fold_for_comparison(&name));
        speaker == name || (tells && names.contains(name.as_str())) || names.contains(id)
    };
    people.iter().filter(is_named).collect()
}

fn is_alone(user: &User, name: &str, people: &[User]) -> bool {
    !people.iter().any(|other| !other.id.shares_account(&user.id) && name_in_talk(&other.name) == name)
}

/// The words in scripts that are written with spaces, and the runs of each Japanese script.
fn stretches_of_line(line: &str) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut open: Option<(Option<WritingSystem>, usize)> = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        let kind = match writing_system(c) {
            kind @ (WritingSystem::Hiragana | WritingSystem::Katakana | WritingSystem::Han) => {
                Some(Some(kind))
            }
            WritingSystem::Latin | WritingSystem::Digit => Some(None),
            WritingSystem::Other if WITHIN.contains(c) && matches!(open, Some((None, _))) => Some(None),
            WritingSystem::Other => None,
        };
        if let Some((running, from)) = open
            && kind != Some(running)
        {
            let text = line.get(from..at).unwrap_or_default();
            found.push((from, from + text.trim_end_matches(|c| WITHIN.contains(c)).len()));
            open = None;
        }
        if open.is_none() {
            open = kind.map(|kind| (kind, at));
        }
    }
    found
}
