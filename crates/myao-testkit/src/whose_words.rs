//! Talk in which people quote, forward, paste, bridge and report what others say, to measure whether memory keeps whose
//! words they are (`cargo xtask answers attribute`).
//!
//! It consists of scenes. Each statement in it has a word of its own, which stands nowhere else, and an owner: whoever
//! says it, promises it or did it, who is not always whoever posts it. A line that holds such a word has to name the owner,
//! as its speaker or within what it says.
//!
//! Read in this order: `scene` (what a scene is), `english` and `japanese` (the scenes), `cast` (who plays them), `make`.

mod cast;
mod english;
mod japanese;
mod make;
mod scene;

pub use make::{OwnedStatement, TalkOfOthers, make_talk_of_others};
