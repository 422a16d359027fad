//! Says how many memos of myao2 are in no prompt because nobody has said yet who is to see them.

use crate::{
    app::App,
    cli::{Failure, output},
};

/// What there is to say, and what to do about it; `None` if nothing waits for a decision.
pub(in crate::cli) async fn note_for_person(app: &App) -> Result<Option<(String, &'static str)>, Failure> {
    const ADVICE: &str =
        "`myao memo adopt` asks which of them a channel sees, which everybody, and which only you";
    let memos = app.store.memos().count_undecided().await?;
    Ok((memos > 0).then(|| (text_of_note(memos), ADVICE)))
}

/// That so many memos are in no prompt.
pub(super) fn text_of_note(memos: u64) -> String {
    if memos == 1 {
        return "1 memo from myao2 is in no prompt, though there it was in every one".to_owned();
    }
    format!("{memos} memos from myao2 are in no prompt, though there they were in every one")
}

/// Says it in one line.
pub(in crate::cli) async fn print_note(app: &App, say: fn(&str)) -> Result<(), Failure> {
    if let Some((text, advice)) = note_for_person(app).await? {
        say(&format!("{text}; {advice}"));
    }
    Ok(())
}

/// Says it beside the result of a command.
pub(in crate::cli) fn as_a_note(line: &str) {
    output::print_to_stderr(&format!("note: {line}"));
}
