//! Asks at the terminal who is to see each memo that was taken over from myao2.

use dialoguer::{Confirm, Input};
use myao_core::chat::Visibility;
use myao_store::StoredMemo;

use super::{
    adopt::{MemoDecision, table_of_waiting},
    audience::Audience,
};
use crate::{
    app::App,
    cli::{Failure, output},
};

/// The answer to leave a memo as it is.
const LATER: &str = "later";
/// Behind an answer: it is meant for all memos that follow, too.
const ALL: &str = "all";
/// The most characters of a memo's content that are shown beside the question.
const CONTENT_SHOWN: usize = 200;

/// What somebody answered.
struct AudienceAnswer {
    /// `None`: it stays undecided.
    audience: Option<Audience>,
    is_for_all: bool,
}

/// Lists the memos, asks about each, and has the decisions confirmed; none if they are not.
pub(super) async fn ask_about_each(app: &App, waiting: &[StoredMemo]) -> Result<Vec<MemoDecision>, Failure> {
    table_of_waiting(app, waiting, &app.store.archive().names(&Visibility::Owner).await?);
    output::print_line(
        "\nWho is to see each? AudienceAnswer with
  #channel    whoever sees this channel
  everywhere  every place that no outsiders are in
  apart       only you
  later       nobody yet
and with `all` behind it (`everywhere all`) for all that follow.",
    );
    let mut decisions = Vec::new();
    let mut for_all: Option<Option<Audience>> = None;
    for (number, memo) in (1..).zip(waiting) {
        let audience = if let Some(audience) = &for_all {
            audience.clone()
        } else {
            show_numbered(memo, number, waiting.len());
            let answer = ask_until_clear(app).await?;
            for_all = answer.is_for_all.then(|| answer.audience.clone());
            answer.audience
        };
        decisions.extend(audience.map(|audience| MemoDecision { memo: memo.clone(), audience }));
    }
    if decisions.is_empty() {
        return Ok(decisions);
    }
    output::print_line("");
    for decision in &decisions {
        output::print_line(&format!("  {}", decision.as_line()));
    }
    let is_meant =
        Confirm::new().with_prompt("Do this?").default(false).interact().map_err(unreadable_terminal)?;
    Ok(if is_meant { decisions } else { Vec::new() })
}

fn show_numbered(memo: &StoredMemo, number: usize, of: usize) {
    let content = output::shorten_text(&output::one_line(&memo.memo.content), CONTENT_SHOWN);
    output::print_line(&format!(
        "\n{number} of {of}: {} (priority {})\n  {content}",
        memo.memo.name, memo.memo.priority
    ));
}

/// Asks until an answer makes sense.
async fn ask_until_clear(app: &App) -> Result<AudienceAnswer, Failure> {
    loop {
        let question = Input::<String>::new().with_prompt("who sees it").default(LATER.to_owned());
        let said = question.interact_text().map_err(unreadable_terminal)?;
        match read_audience(app, &said).await {
            Ok(answer) => return Ok(answer),
            Err(failure) => output::print_to_stderr(&failure.line()),
        }
    }
}

async fn read_audience(app: &App, said: &str) -> Result<AudienceAnswer, Failure> {
    let said = said.trim();
    let (wanted, is_for_all) = match said.rsplit_once(char::is_whitespace) {
        Some((wanted, ALL)) => (wanted.trim(), true),
        Some(_) | None => (said, false),
    };
    let audience = match wanted {
        LATER => None,
        "everywhere" => Some(Audience::Everybody),
        "apart" => Some(Audience::Owner),
        channel => Some(Audience::Channel(app.channel(channel).await?)),
    };
    Ok(AudienceAnswer { audience, is_for_all })
}

fn unreadable_terminal(error: dialoguer::Error) -> Failure {
    let dialoguer::Error::IO(error) = error;
    Failure::incomplete_because(format!("nothing was decided: the answer could not be read: {error}"))
}
