//! `myao demo`: imports and remembers a sample workspace.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use include_dir::{Dir, include_dir};
use jiff::{Timestamp, tz::TimeZone};
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::{Config, Database, terminal_language};
use myao_core::prompt::Language;

use super::{Done, Failure, build, import, output, prompt, show, status};
use crate::{app::App, clock::ShiftedClock};

static SAMPLE_JA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/ja");
static SAMPLE_EN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/en");

#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// The sample workspace: `ja`, a tea shop, or `en`, a bat charity [default: the terminal's language]
    #[arg(long)]
    lang: Option<Language>,
    /// Keep the database in this folder, and look at it afterwards with the other commands [default: a
    /// scratch folder that is removed]
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// What differs between the two samples.
struct Sample {
    files: &'static Dir<'static>,
    zone: &'static str,
    /// The time at which the demo runs: some hours after the last message.
    now: &'static str,
    /// The channel that is shown.
    channel: &'static str,
    persona: &'static str,
}

fn sample(language: Language) -> Sample {
    match language {
        Language::Ja => Sample {
            files: &SAMPLE_JA,
            zone: "Asia/Tokyo",
            now: "2026-03-23T08:30:00+09:00",
            channel: "#新茶2026",
            persona: "あなたは茶舗で働くみんなの友達です。知っていることだけを、短く、あたたかく話します。",
        },
        Language::En => Sample {
            files: &SAMPLE_EN,
            zone: "Europe/London",
            now: "2026-03-23T08:30:00+00:00",
            channel: "#spring-count",
            persona: "You are a friend of everybody here. You say what you know, briefly and warmly.",
        },
    }
}

pub(super) async fn run(args: DemoArgs) -> Result<Done, Failure> {
    let lang = args.lang.unwrap_or_else(terminal_language);
    let sample = sample(lang);
    let scratch = tempfile::tempdir().map_err(anyhow::Error::from)?;
    let export = scratch.path().join("export");
    std::fs::create_dir_all(&export).map_err(anyhow::Error::from)?;
    sample.files.extract(&export).map_err(anyhow::Error::from)?;
    let folder = args.keep.clone().unwrap_or_else(|| scratch.path().to_owned());
    let database = folder.join("memory.db");
    let now: Timestamp = sample.now.parse().map_err(anyhow::Error::from)?;
    let app =
        App::open_at(config(&sample, lang, database.clone())?, Arc::new(ShiftedClock::starting_at(now)))
            .await?;
    let done = play(&app, &sample, &export).await;
    app.store.close().await;
    if args.keep.is_some() {
        output::say(&format!("\nThe database stays in {}.", database.display()));
    }
    done
}

fn config(sample: &Sample, language: Language, database: PathBuf) -> Result<Config, Failure> {
    let mut config = Config::default();
    config.database = Database::Sqlite(database);
    config.locale.language = language;
    config.locale.timezone = TimeZone::get(sample.zone).map_err(anyhow::Error::from)?;
    sample.persona.clone_into(&mut config.persona.system_prompt);
    Ok(config)
}

async fn play(app: &App, sample: &Sample, export: &Path) -> Result<Done, Failure> {
    let heading = |text: &str| output::say(&format!("\n───── {text} ─────\n"));
    heading("1. A workspace of three weeks is imported");
    import::tell(&import::import(app, export, false).await?);

    heading("2. Its talk is cut into chapters, and these are remembered");
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
    let built = build::build(app, policy).await?;
    build::tell(&built);
    output::say("");
    status::run(app, false).await?;

    heading(&format!("3. The chapters of {}", sample.channel));
    show::log(app, &show::MemoryLogArgs::of(sample.channel)).await?;

    heading("4. What it remembers for long");
    show::show_long_term(app, sample.channel).await?;
    output::say("");
    show::show_workspace(app, false).await?;

    heading(&format!("5. The prompt a reply in {} would be made from", sample.channel));
    let place = prompt::place(app, sample.channel).await?;
    let prompt = prompt::reply(app, place, true, None).await?;
    prompt::tell(&prompt, &prompt::names(app, &prompt).await?, app.config.prompt.max_tokens);
    heading(
        "What was said in the private channel is in none of this: it is remembered for its own people only.",
    );
    Ok(Done::All)
}
