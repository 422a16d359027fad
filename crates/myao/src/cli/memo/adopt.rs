//! `myao memo adopt`: says who sees the memos that were taken over from myao2 (ADR 77). Without an audience it lists
//! them, or in a terminal asks for each.

use std::io::{self, IsTerminal as _};

use clap::Args;
use myao_core::chat::{Names, Visibility};
use myao_store::{MemoAudience, MemoError, StoredMemo};
use serde_json::{Value, json};

use super::{
    ask,
    audience::{Audience, AudienceArgs},
    placing::place_for_audience,
    printing::{memo_as_json, print_as_table},
    undecided,
};
use crate::{
    app::App,
    cli::{Done, Failure, output},
};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct AdoptArgs {
    /// Which memos, by name
    #[arg(requires = "audience")]
    names: Vec<String>,
    #[command(flatten)]
    audience: AudienceArgs,
    /// All that nobody has decided about yet
    #[arg(long, requires = "audience", conflicts_with = "names")]
    all: bool,
    /// Say only what would be done
    #[arg(long, requires = "audience")]
    dry_run: bool,
    /// Print JSON, and ask nothing
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Without options it lists the memos that wait for a decision, and in a terminal asks for each. Nothing is lost by deciding: \
the same command, or `myao memo move`, decides anew, and `myao memo log` has all of it.

Examples:
  myao memo adopt                                  # list, and ask
  myao memo adopt --to '#general' 朝会 'count week'
  myao memo adopt --everywhere --all
  myao memo adopt --apart 'key of the safe'";

const NOTHING_WAITS: &str = "no memo from myao2 waits for a decision";

/// A memo, and who is to see it.
#[derive(Clone, Debug)]
pub(super) struct MemoDecision {
    pub(super) memo: StoredMemo,
    pub(super) audience: Audience,
}

impl AdoptArgs {
    /// Whether it changes no memo.
    pub(super) fn reads(&self) -> bool {
        self.dry_run || !(self.audience.is_given() || self.asks())
    }

    /// Whether somebody is there to be asked.
    fn asks(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }
}

pub(super) async fn run(app: &App, args: &AdoptArgs) -> Result<Done, Failure> {
    let memos = app.store.memos().taken_over().await?;
    let waiting: Vec<StoredMemo> =
        memos.iter().filter(|memo| memo.audience == MemoAudience::Undecided).cloned().collect();
    let decisions = match args.audience.read(app).await? {
        Some(audience) => decisions_of_arguments(args, &memos, &waiting, &audience)?,
        None if waiting.is_empty() || !args.asks() => {
            list_waiting(app, &memos, &waiting, args.json).await?;
            return Ok(Done::All);
        }
        None => ask::ask_about_each(app, &waiting).await?,
    };
    if args.dry_run {
        return print_intended(&decisions, args.json);
    }
    if decisions.is_empty() && !args.json {
        output::print_line(if waiting.is_empty() { NOTHING_WAITS } else { "nothing was decided" });
        return Ok(Done::All);
    }
    carry_out(app, &decisions, args.json).await
}

/// The memos that the arguments name, all for one audience.
fn decisions_of_arguments(
    args: &AdoptArgs,
    memos: &[StoredMemo],
    waiting: &[StoredMemo],
    audience: &Audience,
) -> Result<Vec<MemoDecision>, Failure> {
    let decide = |memo: &StoredMemo| MemoDecision { memo: memo.clone(), audience: audience.clone() };
    if args.all {
        return Ok(waiting.iter().map(decide).collect());
    }
    if args.names.is_empty() {
        return Err(Failure::usage(
            "which memos? Name them, or say --all; `myao memo adopt --json` lists them",
        ));
    }
    let find = |name: &String| {
        let of_name = |memo: &&StoredMemo| memo.memo.name == name.trim();
        let found = waiting.iter().find(of_name).or_else(|| memos.iter().find(of_name));
        found.map(decide).ok_or_else(|| {
            Failure::usage(format!(
                "there is no memo `{name}` from myao2; `myao memo adopt --json` lists them, and `myao memo move` moves \
                 others"
            ))
        })
    };
    args.names.iter().map(find).collect()
}

async fn list_waiting(
    app: &App,
    memos: &[StoredMemo],
    waiting: &[StoredMemo],
    as_json: bool,
) -> Result<(), Failure> {
    let names = app.store.archive().names(&Visibility::Owner).await?;
    if as_json {
        let memos: Vec<Value> = memos.iter().map(|memo| memo_as_json(memo, &names)).collect();
        return output::say_json(&json!({"undecided": waiting.len(), "memos": memos}));
    }
    if waiting.is_empty() {
        output::print_line(NOTHING_WAITS);
        return Ok(());
    }
    table_of_waiting(app, waiting, &names);
    output::print_line(
        "\nSay who is to see them; the same command decides anew:
  myao memo adopt --to '#channel' NAME…          where this channel may be seen
  myao memo adopt --everywhere NAME… (or --all)  in every place that no outsiders are in
  myao memo adopt --apart NAME… (or --all)       only by you",
    );
    Ok(())
}

/// Prints the memos that wait for a decision.
pub(super) fn table_of_waiting(app: &App, waiting: &[StoredMemo], names: &Names) {
    let memos = u64::try_from(waiting.len()).unwrap_or(u64::MAX);
    output::print_line(&format!("{}:\n", undecided::text_of_note(memos)));
    print_as_table(app, waiting, names);
}

fn print_intended(decisions: &[MemoDecision], as_json: bool) -> Result<Done, Failure> {
    if as_json {
        let planned: Vec<Value> = decisions.iter().map(MemoDecision::as_json).collect();
        output::say_json(&json!({ "would_place": planned }))?;
        return Ok(Done::All);
    }
    if decisions.is_empty() {
        output::print_line(NOTHING_WAITS);
    }
    for decision in decisions {
        output::print_line(&format!("would be {}", decision.as_line()));
    }
    Ok(Done::All)
}

/// Places each memo. One that cannot be placed hinders no other.
async fn carry_out(app: &App, decisions: &[MemoDecision], as_json: bool) -> Result<Done, Failure> {
    let mut placed = Vec::new();
    let mut failed = Vec::new();
    for decision in decisions {
        match place_for_audience(app, &decision.memo, &decision.audience).await {
            Ok(_) => placed.push(decision),
            Err(MemoError::Store(error)) => return Err(error.into()),
            Err(error) => failed.push((decision, error.to_string())),
        }
    }
    if as_json {
        let done: Vec<Value> = placed.iter().map(|decision| decision.as_json()).collect();
        let failed = failed
            .iter()
            .map(|(decision, why)| output::merge_objects(decision.as_json(), json!({"why": why})));
        let undecided = app.store.memos().count_undecided().await?;
        let failed = failed.collect::<Vec<_>>();
        output::say_json(&json!({"placed": done, "failed": failed, "undecided": undecided}))?;
    } else {
        for decision in &placed {
            output::print_line(&decision.as_line());
        }
        for (decision, why) in &failed {
            output::print_to_stderr(&format!("not {}: {why}", decision.as_line()));
        }
    }
    Ok(if failed.is_empty() { Done::All } else { Done::Partly })
}

impl MemoDecision {
    /// The memo and its audience, on one line.
    pub(super) fn as_line(&self) -> String {
        format!("{} → {}", self.memo.memo.name, self.audience.where_seen())
    }

    fn as_json(&self) -> Value {
        let audience = self.audience.stored();
        json!({"id": self.memo.id.as_str(), "name": self.memo.memo.name, "audience": audience.as_str(),
            "channel_id": audience.channel()})
    }
}
