//! The languages that prompts are written in.

/// A language prompts are written in (`locale.language`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Japanese.
    Ja,
    /// English.
    En,
}

stored_names!(Language, "language of the prompts (there are: ja, en)", {
    Ja => "ja",
    En => "en",
});
