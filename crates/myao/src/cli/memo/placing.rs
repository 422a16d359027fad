//! `myao memo move`: gives a memo another audience.

use clap::Args;
use myao_config::TerminalUser;
use myao_store::{MemoError, MemoPlacement, StoredMemo};

use super::{
    WhichArgs,
    audience::{Audience, AudienceArgs},
    find_by_name,
};
use crate::{
    app::App,
    cli::{Failure, output},
};

#[derive(Debug, Args)]
pub(in crate::cli) struct MoveArgs {
    /// The memo's name
    name: String,
    #[command(flatten)]
    audience: AudienceArgs,
    #[command(flatten)]
    which: WhichArgs,
}

pub(super) async fn run(app: &App, args: &MoveArgs) -> Result<(), Failure> {
    let Some(audience) = args.audience.read(app).await? else {
        return Err(Failure::usage("who is to see it? Say --to '#channel', --everywhere or --apart"));
    };
    let memo = find_by_name(app, &args.name, &args.which).await?;
    if memo.audience == audience.stored() {
        output::print_line(&format!("{} is there already", memo.memo.name));
        return Ok(());
    }
    let placed = place_for_audience(app, &memo, &audience).await?;
    output::print_line(&format!("{} → {}", placed.memo.name, audience.where_seen()));
    Ok(())
}

/// Gives a memo an audience.
pub(super) async fn place_for_audience(
    app: &App,
    memo: &StoredMemo,
    audience: &Audience,
) -> Result<StoredMemo, MemoError> {
    let by = TerminalUser::at_the_terminal().name;
    let placement = MemoPlacement { memo: memo.id.clone(), audience: audience.stored(), by };
    app.store.memos().change_audience(&placement, app.clock.now()).await
}
