//! Indexes what was archived before there was an index. This is done by commands that take their time anyway.

use myao_store::IndexProgress;
use serde_json::{Value, json};

use super::{Failure, output};
use crate::app::App;

/// Indexes what is not indexed yet. If it is stopped, it goes on there the next time.
pub(super) async fn index_missing(app: &App) -> Result<(), Failure> {
    let mut progress = app.store.recall().index_progress().await?;
    if progress.is_complete {
        return Ok(());
    }
    // An empty archive has nothing to show for it.
    let bar = match progress.channels {
        0 => indicatif::ProgressBar::hidden(),
        channels => output::progress_bar(channels, "indexing", "channels"),
    };
    while !progress.is_complete {
        progress = app.store.recall().index_some().await?;
        bar.set_length(progress.channels);
        bar.set_position(progress.channels_done);
    }
    bar.finish_and_clear();
    if progress.channels > 0 {
        output::print_to_stderr(&format!(
            "indexed {}: all that was said can be searched",
            output::count_with_noun(progress.channels, "channel")
        ));
    }
    Ok(())
}

/// Says how far the index has come, while it does not find all.
pub(super) fn print_progress(progress: IndexProgress) {
    if !progress.finds_all && progress.channels > 0 {
        output::print_line(&format!(
            "index: {} of {} can be searched; `myao memory build` and `myao run` index the others",
            progress.channels_done,
            output::count_with_noun(progress.channels, "channel")
        ));
    }
}

pub(super) fn as_json(progress: IndexProgress) -> Value {
    json!({
        "channels": progress.channels, "channels_done": progress.channels_done, "complete": progress.finds_all,
    })
}
