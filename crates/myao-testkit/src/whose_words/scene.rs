//! What a scene consists of.

/// Some messages that follow each other, and whose statements stand in them.
///
/// A role is one letter: `a`, `b` and `c` are different people; `k` and `l` are two people of the same name, and `m` and
/// `n` two with the same first name; `r` is a program that posts for people of another network, `x` and `y`; `u` is one of
/// these who gets a name of their own here; `z` is somebody who is not in the workspace. `{a}` stands for the name of a role, `<@a>` for a mention, and
/// `{1}` to `{4}` for words that stand nowhere else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// What it is about, for people who read the figures.
    pub(super) kind: &'static str,
    /// The messages.
    pub(super) lines: &'static [SceneLine],
    /// The owner of each word: `("1", "a")`.
    pub(super) owners: &'static [(&'static str, &'static str)],
}

/// A message of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneLine {
    /// Who posts it.
    pub(super) by: &'static str,
    /// Seconds since the message before it.
    pub(super) after: i64,
    /// Whether it is a reply in the thread of the scene's first message.
    pub(super) in_thread: bool,
    /// What it says.
    pub(super) said: &'static str,
}

/// A message at top level.
pub(super) const fn said(by: &'static str, after: i64, said: &'static str) -> SceneLine {
    SceneLine { by, after, in_thread: false, said }
}

/// A reply in the thread of the scene's first message.
pub(super) const fn replied(by: &'static str, after: i64, said: &'static str) -> SceneLine {
    SceneLine { by, after, in_thread: true, said }
}
