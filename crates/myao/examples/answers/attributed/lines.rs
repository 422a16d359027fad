//! Draws lines of memories.

use std::error::Error;

use fastrand::Rng;
use jiff::civil::Date;
use myao::app::App;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::{StepKind, lines_of_text},
};
use myao_store::MemoryKey;

/// One line of so many is drawn from long-term memories.
const LONG_TERM_SHARE: usize = 4;

/// A line of a memory.
#[derive(Clone, Debug)]
pub(crate) struct DrawnLine {
    /// The channel whose memory it is.
    pub(crate) channel: ChannelId,
    /// The day that it names.
    pub(crate) day: Option<Date>,
    /// What it says, without bullet and date.
    pub(crate) words: String,
    /// Whether it stands in a long-term memory, and not in a chapter.
    pub(crate) is_long_term: bool,
}

impl DrawnLine {
    /// The day as it is printed.
    pub(crate) fn day_text(&self) -> String {
        self.day.map(|day| day.to_string()).unwrap_or_default()
    }
}

/// So many lines of the chapters that were summarised, and of the channels' long-term memories. The same seed draws the
/// same lines.
pub(crate) async fn draw_lines(app: &App, most: usize, seed: u64) -> Result<Vec<DrawnLine>, Box<dyn Error>> {
    let mut chapters = Vec::new();
    let mut long_term = Vec::new();
    for row in app.store.archive().channels(&Visibility::Owner).await? {
        let channel = row.channel.id;
        let lines = |text: &str, is_long_term: bool| -> Vec<DrawnLine> {
            let line = |line: myao_core::memory::Line| DrawnLine {
                channel: channel.clone(),
                day: line.day,
                words: line.words,
                is_long_term,
            };
            lines_of_text(text).into_iter().map(line).collect()
        };
        for version in app.store.memory().version_log(&Visibility::Owner, &channel).await? {
            if version.kind != StepKind::Verbatim {
                chapters.extend(lines(version.memory.content(), false));
            }
        }
        let key = MemoryKey::long_term(&channel);
        let head =
            app.store.memory().head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type).await?;
        if let Some(head) = head {
            long_term.extend(lines(head.memory.content(), true));
        }
    }
    let mut rng = Rng::with_seed(seed);
    rng.shuffle(&mut chapters);
    rng.shuffle(&mut long_term);
    let of_long_term = long_term.len().min(most / LONG_TERM_SHARE);
    Ok(long_term.into_iter().take(of_long_term).chain(chapters).take(most).collect())
}
