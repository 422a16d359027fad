//! Builds and writes the lines of a memory: `- 2026-03-02 #channel hana: what she said`.
//!
//! Date and channel may be missing. Several dates before one text mean that it was said on each of them. A bullet
//! consists of its date, channel and words only: written and read again it is the same bullet.

use myao_core::{
    memory::{Days, after_head},
    text::{clip_to_tokens, estimate_tokens, is_japanese, one_line},
    worth::{self, ARROW, BY_PROGRAM, is_program},
};

use super::shorten::shorten_to_room;

/// Most tokens of a bullet with its line break. It is the same for every memory, so that a bullet can move from one
/// memory to another unchanged.
pub(super) const LONGEST: usize = 62;
/// Most tokens of a channel's name; a longer one is cut, so that there is always room for words.
const LONGEST_LABEL: usize = 14;
/// Points for a bullet without a speaker: another model or a person chose to write it.
const NOTE: i64 = 10;
/// Points for an exchange, which says more than its parts.
const EXCHANGE: i64 = 12;
const OPEN_JAPANESE: &str = "（未回答）";
const OPEN_ENGLISH: &str = " (unanswered)";

/// A line of a memory. Ordered by date, then channel, then words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bullet {
    pub(super) days: Option<Days>,
    /// The channel as `#channel`; may be empty.
    pub(super) label: String,
    /// The words on one line, after the speaker's name and a colon if they are somebody's.
    pub(super) body: String,
}

impl Bullet {
    /// A bullet of these words, cut to what a bullet holds. `None` when nothing readable is left.
    pub(super) fn new(days: Option<Days>, label: &str, words: &str) -> Option<Self> {
        let body = tidy_words(&shorten_to_room(&tidy_words(words), space_for_words(days, label)));
        // Words that were said again are the same with and without emphasis.
        let calm = body.trim_end_matches(['!', '！']);
        let body = if calm.ends_with(char::is_alphanumeric) { calm.to_owned() } else { body };
        (!body.is_empty()).then(|| Self { days, label: tidy_label(label), body })
    }

    /// The speaker's name; empty if there is none.
    pub(super) fn speaker(&self) -> &str {
        self.parts().0
    }

    /// The words without their speaker.
    pub(super) fn text(&self) -> &str {
        self.parts().1
    }

    fn parts(&self) -> (&str, &str) {
        worth::speaker_of(&self.body)
    }

    /// Its points, by its words alone.
    pub(super) fn score(&self) -> i64 {
        let is_bot = is_program(self.speaker());
        let is_exchange = self.text().split_once(ARROW).is_some_and(|(asked, _)| worth::is_question(asked));
        let points = |yes: bool, points: i64| if yes { points } else { 0 };
        worth::points_of_text(self.text())
            + points(is_exchange, EXCHANGE)
            + points(self.speaker().is_empty(), NOTE)
            - points(is_bot, BY_PROGRAM)
    }

    /// Points off if a program said it, unless its name already shows that.
    pub(super) fn announced_by_program(&self, by_program: bool) -> i64 {
        if by_program && !is_program(self.speaker()) { BY_PROGRAM } else { 0 }
    }

    /// Its points in a long-term memory.
    pub(super) fn lasting(&self) -> i64 {
        worth::points_of_line(&self.body)
    }

    /// The most tokens that its line takes in a memory.
    pub(super) fn cost(&self) -> usize {
        let days = self.days.map(|days| days.to_string()).unwrap_or_default();
        most_line_tokens(&line_with_label(&days, &self.label, &self.body))
    }
}

/// The most tokens that a line takes in a memory, its line break and rounding included.
pub(super) fn most_line_tokens(line: &str) -> usize {
    estimate_tokens(&format!("{line}\n")) + 1
}

/// The text of a memory: one line for each bullet, in the given order. Words that were said again on another day become a
/// further date of their first line.
pub(super) fn text_of_bullets(bullets: &[Bullet]) -> String {
    let mut lines: Vec<(String, &Bullet)> = Vec::new();
    for bullet in bullets {
        let said = lines.iter_mut().find(|(_, first)| {
            first.body == bullet.body
                && first.label == bullet.label
                && first.days.is_some()
                && bullet.days.is_some()
        });
        match (said, bullet.days) {
            (Some((dates, _)), Some(days)) => *dates = format!("{dates}, {days}"),
            _ => lines.push((bullet.days.map(|days| days.to_string()).unwrap_or_default(), bullet)),
        }
    }
    let written = lines.iter().map(|(dates, bullet)| line_with_label(dates, &bullet.label, &bullet.body));
    written.collect::<Vec<_>>().join("\n")
}

/// The tokens left for the words of a bullet with this date and channel.
pub(super) fn space_for_words(days: Option<Days>, label: &str) -> usize {
    let days = days.map(|days| days.to_string()).unwrap_or_default();
    LONGEST.saturating_sub(most_line_tokens(&format!("{} ", line_with_label(&days, &tidy_label(label), ""))))
}

fn line_with_label(dates: &str, label: &str, body: &str) -> String {
    let parts = ["-", dates, label, body].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// The mark of an open question, in the question's language.
pub(super) fn open_mark(words: &str) -> &'static str {
    if is_japanese(words).unwrap_or(false) { OPEN_JAPANESE } else { OPEN_ENGLISH }
}

/// The words without the mark of an open question: the question may have been answered since the memory was written.
fn without_open_mark(words: &str) -> &str {
    let mut bare = words.trim_end();
    while let Some(rest) = bare.strip_suffix(OPEN_JAPANESE).or_else(|| bare.strip_suffix(OPEN_ENGLISH.trim()))
    {
        bare = rest.trim_end();
    }
    bare
}

/// The words on one line, without emphasis marks and without what would be read as another bullet, date or mark.
pub(super) fn tidy_words(words: &str) -> String {
    after_head(without_open_mark(&one_line(&words.replace("**", "")))).to_owned()
}

fn tidy_label(label: &str) -> String {
    let name: String = label.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let bare = name.trim_start_matches('#');
    if bare.is_empty() { String::new() } else { clip_to_tokens(&format!("#{bare}"), LONGEST_LABEL) }
}
