//! `myao demo`: a sample workspace, to be tried in the browser or shown in the terminal.
//!
//! `first_visit`: its language, where nothing else says it; `sample`: the two sample workspaces; `own_past`: an export of one's own; `kept`: whether a database may be used;
//! `page`: the workspace in the browser; `silent_model`: whether its model can be asked; `terminal`: all the steps, printed in the terminal.

mod first_visit;
mod kept;
mod own_past;
mod page;
mod sample;
mod silent_model;
mod terminal;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use myao_companion::{keeper::Lease, live::local::MovableClock};
use myao_config::{Config, ModelId, has_display, terminal_language, terminal_names_language, terminal_zone};
use myao_core::{ports::Clock, text::Language};
use tokio::net::TcpListener;

use self::{kept::DemoPast, own_past::OwnPast, sample::Sample};
use super::{Done, Failure, output, web::bind_address};
use crate::{
    app::App,
    clock::{ShiftedClock, SystemClock},
};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct DemoArgs {
    /// The sample workspace: `ja`, a tea shop, or `en`, a bat charity [default: that of --keep, else the
    /// terminal's language; where it has none, that of the browser which comes first]
    #[arg(long)]
    lang: Option<Language>,
    /// Walk through your own history instead, from its first day on: a Slack export, zip file or unpacked folder
    #[arg(long, value_name = "EXPORT", conflicts_with = "terminal")]
    import: Option<PathBuf>,
    /// Print the whole way in the terminal instead: import, chapters, memories, prompt
    #[arg(long, conflicts_with_all = ["listen", "model", "api_base"])]
    terminal: bool,
    /// Serve the page at this address of this machine and open no browser [without ADDRESS: any free port]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    listen: Option<SocketAddr>,
    /// Who answers and remembers from now on: `builtin`, or `provider/model` [default: builtin]
    #[arg(long, value_name = "MODEL", value_parser = super::trial::model_id)]
    model: Option<ModelId>,
    /// The model's server, where it is not the provider's own
    #[arg(long, value_name = "URL", requires = "model")]
    api_base: Option<String>,
    /// Keep the database in this folder: the demo goes on there the next time, and the other commands can look at it. A
    /// folder is for one sample or one export [default: a scratch folder that is removed]
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
A workspace of three weeks is imported and remembered; then it opens in the browser, and you are in it. Write as any of \
its people, ask `@myao …`, edit and delete, open a private channel and ask about it elsewhere, and let an hour, a day or \
a week pass: beside the talk you see what it remembers, what a reply was shown, and what it cost. Nothing leaves this \
machine, and nothing of yours is touched. Ctrl-C ends it.

Without --model, builtin answers. It needs no key and costs nothing: it quotes what was said and writes no sentence of \
its own. Memories of what was said before are builtin's in any case. A provider's key is read from the environment: \
OPENAI_API_KEY for openai/…, ANTHROPIC_API_KEY for anthropic/…, and so on; ollama/… needs none.

With --import, what an export holds appears as you let time pass, and its memory grows beside it. Nothing is posted \
anywhere: it is a copy. --keep goes on where you left; give --import again then.

Where there is no display, the demo is printed; `--listen` serves the page all the same, to be reached through a tunnel: \
ssh -L 8020:127.0.0.1:8020 HOST.

Examples:
  myao demo
  myao demo --lang ja --keep ~/myao-demo
  myao demo --import ~/export.zip --keep ~/walk
  myao demo --model ollama/qwen3:8b
  myao demo --listen 127.0.0.1:8020";

const NO_DISPLAY: &str = "\
There is no display here, so this was printed. `myao demo --listen` serves the workspace itself as a page on this machine.";

pub(super) async fn run(args: DemoArgs) -> Result<Done, Failure> {
    let asks_for_page = args.listen.is_some() || args.model.is_some() || args.import.is_some();
    let is_page = !args.terminal && (asks_for_page || has_display());
    if let Some(address) = args.listen.filter(|address| !address.ip().is_loopback()) {
        return Err(Failure::usage(format!(
            "--listen {address}: the demo has no password, so it is served on this machine only, as 127.0.0.1:8020"
        )));
    }
    let chosen = choose_language(&args, is_page).await?;
    let sample = Sample::of(chosen.language);
    let scratch = tempfile::tempdir().map_err(anyhow::Error::from)?;
    let export = scratch.path().join("export");
    sample.extract(&export)?;
    let folder = args.keep.clone().unwrap_or_else(|| scratch.path().to_owned());
    let database = folder.join("memory.db");
    let done = if is_page {
        Box::pin(serve_sample_page(&args, &sample, &database, &export, chosen.visited)).await
    } else {
        print_sample(&sample, &database, &export).await
    };
    if args.keep.is_some() && done.is_ok() {
        output::print_line(&format!("\nThe database stays in {}.", database.display()));
    }
    if !is_page && !args.terminal {
        output::print_line(&format!("\n{NO_DISPLAY}"));
    }
    done
}

/// The language of a demo.
struct ChosenLanguage {
    language: Language,
    /// Where somebody came whose browser said the language, and waits.
    visited: Option<TcpListener>,
}

/// As `--lang` says, else as the kept demo has it, else the terminal's, else that of whoever comes first.
async fn choose_language(args: &DemoArgs, is_page: bool) -> Result<ChosenLanguage, Failure> {
    let kept = match &args.keep {
        Some(folder) => kept::language_of_sample(&folder.join("memory.db")).await,
        None => None,
    };
    let language = args.lang.or(kept);
    if language.is_some() || !is_page || args.import.is_some() || terminal_names_language() {
        let language = language.unwrap_or_else(terminal_language);
        return Ok(ChosenLanguage { language, visited: None });
    }
    let listener = bind_address(page::listen_address(args)).await?;
    let address = listener.local_addr().map_err(Failure::incomplete)?;
    page::invite(&format!("http://{address}/talk"), args);
    output::print_line("Open it: the sample is in the language of your browser (or --lang ja, --lang en).");
    let language = first_visit::language_of_first_visit(&listener).await?;
    Ok(ChosenLanguage { language, visited: Some(listener) })
}

async fn print_sample(sample: &Sample, database: &Path, export: &Path) -> Result<Done, Failure> {
    let clock = ShiftedClock::starting_at(sample.now()?);
    let (app, lease) =
        open_alone(sample.config(database)?, Arc::new(clock), &DemoPast::Sample(sample)).await?;
    let done = terminal::play_in_terminal(&app, sample, export).await;
    close_after_demo(&app, lease, done).await
}

async fn serve_sample_page(
    args: &DemoArgs,
    sample: &Sample,
    database: &Path,
    export: &Path,
    visited: Option<TcpListener>,
) -> Result<Done, Failure> {
    let mut config = sample.config(database)?;
    let own = args.import.as_deref().map(|export| OwnPast::read(export, SystemClock.now())).transpose()?;
    let (past, begins) = match &own {
        Some(own) => {
            config.locale.timezone = terminal_zone();
            (DemoPast::Own(own), own.begins())
        }
        None => (DemoPast::Sample(sample), sample.now()?),
    };
    let clock = Arc::new(MovableClock::new(Arc::new(ShiftedClock::starting_at(begins))));
    let (app, lease) = open_alone(config, Arc::clone(&clock) as _, &past).await?;
    let done = page::serve_until_stopped(&app, args, sample, export, own, clock, visited).await;
    close_after_demo(&app, lease, done).await
}

/// Opens the database of a demo, which is then the only one that uses it.
async fn open_alone(
    config: Config,
    clock: Arc<dyn Clock>,
    past: &DemoPast<'_>,
) -> Result<(App, Option<Lease>), Failure> {
    kept::refuse_other_past(&config.database, past).await?;
    let app = App::open_at(config, clock).await?;
    match kept::claim_and_note(&app, past).await {
        Ok(lease) => Ok((app, lease)),
        Err(failure) => {
            app.close().await;
            Err(failure)
        }
    }
}

async fn close_after_demo(
    app: &App,
    lease: Option<Lease>,
    done: Result<Done, Failure>,
) -> Result<Done, Failure> {
    if let Some(lease) = lease {
        lease.release().await?;
    }
    app.close().await;
    done
}
