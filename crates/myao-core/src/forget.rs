//! What somebody wants forgotten for good (specification §6), and which messages that is.

use std::ops::Range;

use crate::{
    chat::{ChannelId, Message, MessageTs, UserId},
    recall::FoldedText,
};

/// Which messages are to be forgotten: those that meet all of these conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetScope {
    /// Said in this channel; `None` for any.
    pub channel: Option<ChannelId>,
    /// Said by this person; `None` for anybody.
    pub user: Option<UserId>,
    /// Said at this instant or later.
    pub from: MessageTs,
    /// Said at this instant or earlier.
    pub to: MessageTs,
    /// Whether `to` is merely when it was asked for: everything so far is meant, and no end was set.
    pub until_now: bool,
    /// With these words in their text or files; `None` for any words.
    pub words: Option<SoughtWords>,
}

impl ForgetScope {
    /// One message.
    pub fn message(channel: ChannelId, ts: MessageTs) -> Self {
        Self { channel: Some(channel), user: None, from: ts, to: ts, until_now: false, words: None }
    }

    /// Whether everything of a person is to be forgotten, wherever it was said. Then their name is forgotten as well.
    pub fn is_whole_person(&self) -> bool {
        self.user.is_some() && self.channel.is_none() && self.is_whole()
    }

    /// Whether everything said in a channel is to be forgotten. Then its notes are forgotten as well.
    pub fn is_whole_channel(&self) -> bool {
        self.channel.is_some() && self.user.is_none() && self.is_whole()
    }

    /// Whether neither words nor a time limit it.
    fn is_whole(&self) -> bool {
        self.words.is_none() && self.from == MessageTs::MIN && self.until_now
    }

    /// Whether a message, deleted or not, meets the conditions.
    pub fn holds(&self, message: &Message) -> bool {
        let says = |words: &SoughtWords| {
            words.stand_in(&message.text) || message.files.iter().any(|file| words.stand_in(&file.words()))
        };
        (self.from..=self.to).contains(&message.ts)
            && self.channel.as_ref().is_none_or(|channel| *channel == message.channel)
            && self.user.as_ref().is_none_or(|user| *user == message.user)
            && self.words.as_ref().is_none_or(says)
    }
}

/// Words that are looked for as they are, in one piece. Width, case, the kind of kana and the length of blanks make no
/// difference.
#[derive(Clone, PartialEq, Eq)]
pub struct SoughtWords {
    folded: String,
    /// Whether a Latin letter or digit at either end must not touch another one in the text, so that a name is not
    /// found in the middle of a word. Unspaced writing has no such ends.
    is_word: bool,
}

impl std::fmt::Debug for SoughtWords {
    /// Hides the words, so that what is to be forgotten reaches no log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SoughtWords(…)")
    }
}

impl SoughtWords {
    /// Looks for these words anywhere, in the middle of a word too; `None` if they are blank.
    pub fn anywhere(words: &str) -> Option<Self> {
        let folded = fold_text(words);
        (!folded.is_empty()).then_some(Self { folded, is_word: false })
    }

    /// Looks for a name where it is no part of a longer word; `None` if it is blank.
    pub fn name(name: &str) -> Option<Self> {
        Self::anywhere(name).map(|words| Self { is_word: true, ..words })
    }

    /// Whether they stand in a text.
    pub fn stand_in(&self, text: &str) -> bool {
        let text = fold_text(text);
        text.match_indices(&self.folded).any(|(at, found)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
            !self.is_word
                || !(makes_word_longer(before, found.chars().next())
                    || makes_word_longer(after, found.chars().next_back()))
        })
    }

    /// The byte ranges at which they stand in a text, in order, so that a person can be shown them.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let folded = FoldedText::new(text);
        // The characters as they are compared, each with its place in the folded text: blanks in a row are one.
        let mut seen: Vec<(char, usize)> = Vec::new();
        for (at, c) in folded.chars().iter().enumerate() {
            match (c.is_whitespace(), seen.last()) {
                (true, None | Some((' ', _))) => {}
                (true, Some(_)) => seen.push((' ', at)),
                (false, _) => seen.push((*c, at)),
            }
        }
        let sought: Vec<char> = self.folded.chars().collect();
        let mut places = Vec::new();
        let mut at = 0_usize;
        while let Some(window) = seen.get(at..at.saturating_add(sought.len())) {
            let is_found =
                window.iter().map(|(c, _)| c).eq(&sought) && !self.is_cut_out(&seen, at, sought.len());
            if let (true, [(_, first), ..], [.., (_, last)]) = (is_found, window, window) {
                let (start, end) = folded.original(*first, last + 1);
                places.push(start..end);
                at += sought.len();
            } else {
                at += 1;
            }
        }
        places
    }

    /// Whether what was found at a place does not count, being part of a longer word.
    fn is_cut_out(&self, seen: &[(char, usize)], at: usize, length: usize) -> bool {
        let letter = |at: Option<usize>| at.and_then(|at| seen.get(at)).map(|(c, _)| *c);
        let first = letter(Some(at));
        let last = letter((at + length).checked_sub(1));
        self.is_word
            && (makes_word_longer(letter(at.checked_sub(1)), first)
                || makes_word_longer(letter(Some(at + length)), last))
    }
}

/// Whether a character beside the end of a word makes it longer.
fn makes_word_longer(beside: Option<char>, end: Option<char>) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    is_part(beside) && is_part(end)
}

fn fold_text(text: &str) -> String {
    let folded: String = FoldedText::new(text).chars().iter().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}
