//! Carries out forgettings, and finishes those that were interrupted.

use indicatif::ProgressBar;
use myao_companion::forgetting::{ForgettingError, carry_out, clean_up_after};
use myao_core::{chat::Names, forget::ForgetScope};
use myao_store::{BegunForgetting, ForgetStage, ForgetWork, Forgetting};
use serde_json::json;

use super::{Done, Failure, ForgetArgs, beside, log, output, preview};
use crate::app::App;

/// Says that something is still to be forgotten.
pub(in crate::cli) async fn note_unfinished(app: &App) -> Result<(), Failure> {
    if app.store.forget().has_more().await? {
        output::print_to_stderr(
            "note: something is still to be forgotten: a forgetting was interrupted, or an older copy of the database \
             was put in place; `myao forget --resume` finishes it, and so does the next `myao run`",
        );
    }
    Ok(())
}

/// Finishes forgettings that were begun and interrupted. Prints nothing if there are none.
async fn finish_unfinished(app: &App) -> Result<Vec<Forgetting>, Failure> {
    let unfinished = app.store.forget().list_unfinished().await?;
    if unfinished.is_empty() {
        return Ok(unfinished);
    }
    let bar = output::progress_bar(0, "forgetting", "messages");
    for forgetting in &unfinished {
        carry_out_forgetting(app, ForgetWork::resume(forgetting.id), &bar).await?;
    }
    bar.finish_and_clear();
    Ok(unfinished)
}

/// Finishes forgettings that were begun and interrupted, before a run hears or says anything. If somebody still reads
/// an old snapshot of the database, the run starts all the same, says so, and leaves the cleaning for later.
pub(in crate::cli) async fn finish_before_run(app: &App) -> Result<(), Failure> {
    let forgettings = finish_unfinished(app).await?.len();
    if forgettings == 0 {
        return Ok(());
    }
    match clean_up_after(&app.config, &app.store, &*app.clock).await {
        Ok(cleaned) if cleaned.is_held => tracing::warn!(
            forgettings,
            "forgotten, but somebody still reads an older state of the database, which is kept for them; when they are \
             done, `myao forget --resume` does the rest"
        ),
        Ok(_) => tracing::info!(forgettings, "what was still to be forgotten is forgotten"),
        Err(ForgettingError::Store(error)) => return Err(error.into()),
        Err(error) => tracing::warn!(
            %error,
            "recordings of model calls may still hold forgotten words; `myao forget --resume` tries again"
        ),
    }
    Ok(())
}

/// `myao forget --resume`.
pub(super) async fn resume_forgetting(app: &App, args: &ForgetArgs) -> Result<Done, Failure> {
    let unfinished = finish_unfinished(app).await?;
    if unfinished.is_empty() && !args.json {
        output::print_line("nothing is left to be forgotten");
        return Ok(Done::All);
    }
    let ids: Vec<i64> = unfinished.iter().map(|forgetting| forgetting.id).collect();
    clean_and_report(app, args, &ids).await
}

/// Forgets what a scope covers; with a code, if that takes what was shown with it.
pub(super) async fn forget_if_shown(
    app: &App,
    args: &ForgetArgs,
    scope: &ForgetScope,
) -> Result<Done, Failure> {
    let mut ids: Vec<i64> = finish_unfinished(app).await?.iter().map(|forgetting| forgetting.id).collect();
    let preview = app.store.forget().preview(scope).await?;
    let forget = app.store.forget();
    let begun = match &args.doing.as_shown {
        Some(code) => forget.begin_as_shown(scope, &code.fingerprint, &args.actor(), app.clock.now()).await?,
        // What there is at this moment goes: a run that changes memories meanwhile does not stand in the way.
        None => BegunForgetting::Begun(forget.begin(scope, &args.actor(), app.clock.now()).await?),
    };
    let works = match begun {
        BegunForgetting::Begun(works) => works,
        BegunForgetting::Differs(preview) => {
            preview::print_preview(app, scope, &preview, args.json).await?;
            return Err(Failure::incomplete_because(
                "nothing was forgotten: something else would go by now than was shown; what would go now is listed \
                 above",
            ));
        }
    };
    let bar = output::progress_bar(preview.message_count(), "forgetting", "messages");
    for work in works {
        ids.push(work.id);
        carry_out_forgetting(app, work, &bar).await?;
    }
    bar.finish_and_clear();
    clean_and_report(app, args, &ids).await
}

/// Carries out a forgetting, except for the cleaning.
async fn carry_out_forgetting(app: &App, work: ForgetWork, bar: &ProgressBar) -> Result<(), Failure> {
    let before = bar.position();
    let progress = |forgetting: &Forgetting| {
        bar.set_position(before.saturating_add(forgetting.messages));
        if forgetting.stage == ForgetStage::Sweeping {
            bar.set_message("searching every text");
        }
    };
    Ok(carry_out(&app.store, &*app.clock, work, progress).await?)
}

/// Cleans the database and files, and says what was done and what remains.
async fn clean_and_report(app: &App, args: &ForgetArgs, ids: &[i64]) -> Result<Done, Failure> {
    let cleaned = clean_up_after(&app.config, &app.store, &*app.clock).await.map_err(|error| match error {
        ForgettingError::Store(error) => error.into(),
        ForgettingError::Recording(error) => Failure::incomplete_because(format!(
            "recordings of calls to models may still hold the words ({error}); `myao forget --resume` tries again"
        )),
    })?;
    let mut left = Vec::new();
    if cleaned.is_held {
        left.push(
            "somebody still reads an older state of the database, which is kept for them, words and all; when they are \
             done, `myao forget --resume` does the rest"
                .to_owned(),
        );
    }
    if cleaned.statistics_stay {
        output::print_to_stderr(
            "note: this role may not rewrite the server's statistics (pg_statistic), which may hold samples from before \
             this version; a superuser's `VACUUM FULL pg_statistic` does",
        );
    }
    let copies = beside::copies_beside_database(app)?;
    if args.doing.remove_backups {
        left.extend(beside::remove_copies(&copies));
    } else {
        left.extend(copies.iter().map(beside::describe_copy));
    }
    let mut done = Vec::new();
    for id in ids {
        done.extend(app.store.forget().find(*id).await?);
    }
    let names = log::names_of_channels(app, &done).await?;
    print_outcome(args, &done, &names, &left)?;
    Ok(if left.is_empty() { Done::All } else { Done::Partly })
}

fn print_outcome(
    args: &ForgetArgs,
    done: &[Forgetting],
    names: &Names,
    left: &[String],
) -> Result<(), Failure> {
    if args.json {
        return output::say_json(&json!({ "forgotten": log::json_of(done, names), "left": left }));
    }
    let of = |number: fn(&Forgetting) -> u64| done.iter().map(number).sum::<u64>();
    output::print_line(&format!(
        "forgotten: {} messages, {} texts made from them, {} memos",
        of(|forgetting| forgetting.messages),
        of(|forgetting| forgetting.texts),
        of(|forgetting| forgetting.memos)
    ));
    if of(|forgetting| forgetting.texts) > 0 {
        output::print_line("`myao memory build`, or `myao run`, writes anew what remains of these memories");
    }
    for line in left {
        output::print_to_stderr(line);
    }
    Ok(())
}
