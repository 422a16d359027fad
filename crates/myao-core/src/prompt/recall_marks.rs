//! The marks of one answer: for what its prompt shows, and for what the model looks up besides.

use super::{
    recall_lines::{LINE_BREAK, write_hit_line},
    recalled::{ShownRecall, says_already},
};
use crate::{
    recall::{Highlighter, RecalledItem, RecalledWords},
    text::estimate_tokens,
    wording::TalkFormat,
};

/// What a model was shown that a search found, each under a mark of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallMarks(Vec<ShownRecall>);

impl RecallMarks {
    /// The marks of what a prompt shows.
    pub fn of(shown: &[ShownRecall]) -> Self {
        Self(shown.to_vec())
    }

    /// What stands under a mark, such as `r3`.
    pub fn get(&self, mark: &str) -> Option<&RecalledItem> {
        self.0.iter().find(|shown| shown.mark == mark).map(|shown| &shown.item)
    }

    /// The lines of `items`, best first, as a prompt writes them, each with its item; as many as fit into `tokens`.
    /// What was shown before keeps its mark, what is new gets the next mark.
    pub fn show(
        &mut self,
        items: &[RecalledItem],
        highlighter: &Highlighter,
        format: &TalkFormat<'_>,
        tokens: usize,
    ) -> Vec<(String, ShownRecall)> {
        let mut room = tokens;
        let mut lines: Vec<String> = Vec::new();
        let mut shown: Vec<ShownRecall> = Vec::new();
        for item in items {
            if says_already(&shown.iter().map(|shown| &shown.item).collect::<Vec<_>>(), item) {
                continue;
            }
            let known =
                self.0.iter().find(|known| is_same(&known.item, item)).map(|known| known.mark.clone());
            let is_new = known.is_none();
            let mark = known.unwrap_or_else(|| format!("r{}", self.0.len() + 1));
            let line = write_hit_line(&mark, item, format, highlighter);
            let price = estimate_tokens(&line) + LINE_BREAK;
            if price > room {
                continue;
            }
            room -= price;
            lines.push(line);
            let recall = ShownRecall { mark, item: item.clone(), is_hit: true, exchange: shown.len() + 1 };
            self.0.extend(is_new.then(|| recall.clone()));
            shown.push(recall);
        }
        lines.into_iter().zip(shown).collect()
    }
}

/// Whether two of them are the same message, or the same line of a channel's memory.
fn is_same(one: &RecalledItem, other: &RecalledItem) -> bool {
    let is_same_text = match (&one.text, &other.text) {
        (RecalledWords::Message(one), RecalledWords::Message(other)) => one.ts == other.ts,
        (RecalledWords::Line { text: one, .. }, RecalledWords::Line { text: other, .. }) => one == other,
        (RecalledWords::Message(_), RecalledWords::Line { .. })
        | (RecalledWords::Line { .. }, RecalledWords::Message(_)) => false,
    };
    one.channel == other.channel && is_same_text
}
