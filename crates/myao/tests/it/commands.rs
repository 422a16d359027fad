//! The commands on the samples, from outside: what they print, what they promise a script, how they end.

#![cfg(test)]

mod archive;
mod brief;
mod demo;
mod endings;
mod expired;
mod first_version;
pub(crate) mod indexed;
mod locale;
mod opted_out;
mod policy;
mod prompt;
mod remembered;
mod settings;
mod shells;

use crate::{binary::Home, exports::sample};

/// A home with a sample in its memory.
pub(crate) fn remembered(language: &str) -> Home {
    let home = Home::new();
    home.import(&sample(language));
    home.done(&["memory", "build"]);
    home
}

/// Words that were said in the sample's private channel only.
fn private_words(language: &str) -> &'static [&'static str] {
    match language {
        "ja" => &["森下", "正社員登用", "1,250円", "238,000円", "試算表", "52万円"],
        _ => &["Rosalind", "Piet", "£31,500", "bequest", "unflappable"],
    }
}
