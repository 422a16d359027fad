//! The demo in the browser: imports the sample, has it remembered, starts a run on it and serves its page.

use std::{net::SocketAddr, path::Path, sync::Arc};

use myao_companion::{
    keeper::{RoundPolicy, Start},
    live::{
        LiveParts, RunStatus, SettingsFeed, StopTokens,
        local::{self, LocalWorkspace, MovableClock},
    },
};
use myao_config::{Config, ModelId, has_display, provider_key};
use myao_core::ports::{BUILTIN, Role};
use myao_store::ProcessCard;
use myao_web::room::{FirstSteps, Room};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    super::{
        Done, Failure,
        browser::open_browser,
        build, check, import, output,
        run::{result_of_run, until_stopped},
        stop_signals::StopSignals,
        web::Pages,
    },
    DemoArgs, OwnPast, Sample,
    silent_model::tell_of_silence,
};
use crate::{app::App, clock::random_seed};

/// Any free port of this machine.
const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

pub(super) async fn serve_until_stopped(
    app: &App,
    args: &DemoArgs,
    sample: &Sample,
    export: &Path,
    own: Option<OwnPast>,
    clock: Arc<MovableClock>,
    visited: Option<TcpListener>,
) -> Result<Done, Failure> {
    // These come before minutes of work, because they fail if the port is taken or the model cannot be asked.
    let beside = app.beside(with_model(app.config.clone(), args))?;
    let is_visited = visited.is_some();
    let pages = prepare_pages(&beside, args, visited).await?;
    if args.model.is_some() {
        try_model_once(app, &beside).await?;
    }
    let model = beside.asker()?.model_id(Role::Response).to_owned();
    if own.is_none() {
        import_and_remember(app, export).await?;
    }
    let left_at = LocalWorkspace::left_at(&app.store).await?;
    if let Some(left_at) = left_at {
        clock.move_to(left_at);
    }
    let past = match own {
        Some(own) => Some(own.enter(app, left_at).await?),
        None => None,
    };
    let steps = first_steps(app, args, sample).await?;
    let workspace =
        Arc::new(LocalWorkspace::open(app.store.clone(), clock, &beside.config, random_seed()).await?);
    let shown = sample.channel.trim_start_matches('#');
    let mut first = app.store.archive().channels_named(shown).await?.pop().map(|one| one.id);
    if let Some(past) = past {
        first = past.busiest();
        workspace.live_through(past).await?;
    }
    let stop = StopTokens::default();
    // The handlers are installed before anything runs, so that even an early signal stops the run in order.
    let signals = StopSignals::new()?;
    let parts = live_parts(app, &beside)?;
    let running = tokio::spawn(local::run_local_workspace(parts, Arc::clone(&workspace), stop.clone()));
    let over = CancellationToken::new();
    let watching = tell_of_silence(
        app.store.clone(),
        beside.config.clone(),
        Arc::clone(&app.clock),
        Arc::clone(&workspace),
    );
    let room =
        Room { workspace, first, steps, language: args.lang, model: model.clone(), over: over.clone() };
    let address = pages.address()?;
    let served = tokio::spawn(pages.serve_with(room, over.clone()));
    if !is_visited {
        invite(&format!("{address}talk"), args);
    }
    print_who_answers(&model);
    let watched = tokio::spawn(watching);
    let outcome = until_stopped(app, running, signals, &stop).await;
    watched.abort();
    over.cancel();
    drop(served.await);
    result_of_run(outcome)
}

/// What the run on `app`'s database is made of; `beside` has the demo's model.
fn live_parts(app: &App, beside: &App) -> Result<LiveParts, Failure> {
    Ok(LiveParts {
        config: beside.config.clone(),
        store: app.store.clone(),
        clock: Arc::clone(&app.clock),
        templates: Arc::clone(beside.templates()),
        asker: beside.asker()?,
        keeper: beside.keeper()?,
        web: beside.web()?,
        status: Arc::new(RunStatus::default()),
        card: ProcessCard::default(),
        new_seed: random_seed(),
        settings: SettingsFeed::default(),
    })
}

/// Asks the model that was given for a word. Somebody waits, so it is tried once.
async fn try_model_once(app: &App, beside: &App) -> Result<(), Failure> {
    let mut hasty = app.beside(beside.config.clone())?;
    hasty.is_patient = false;
    check::refuse_silent_model(&hasty).await
}

/// What the strip of first steps offers: of somebody's own export nothing is known that could be asked.
async fn first_steps(app: &App, args: &DemoArgs, sample: &Sample) -> Result<FirstSteps, Failure> {
    let beginning = app.store.local().note_beginning().await?;
    Ok(if args.import.is_none() {
        sample.first_steps(beginning)
    } else {
        FirstSteps { beginning, ..FirstSteps::default() }
    })
}

/// The configuration with another model for everything that is asked from now on.
fn with_model(mut config: Config, args: &DemoArgs) -> Config {
    let Some(model) = &args.model else { return config };
    let agents = &mut config.agents;
    for agent in [&mut agents.response, &mut agents.judgment, &mut agents.memory] {
        agent.model_id = model.clone();
        agent.client_args.api_base.clone_from(&args.api_base);
        if let ModelId::Provider { provider, .. } = model {
            agent.client_args.api_key = provider_key(provider);
        }
    }
    config
}

/// Imports the sample and has `builtin` remember it, which costs nothing and takes a second.
async fn import_and_remember(app: &App, export: &Path) -> Result<(), Failure> {
    output::print_line("A workspace of three weeks is imported and remembered …");
    import::read_export(app, export, false).await?;
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
    build::build_with_progress(app, policy).await.map(drop)
}

/// The pages, on the listener at which somebody waits, else on one of their own.
async fn prepare_pages(app: &App, args: &DemoArgs, visited: Option<TcpListener>) -> Result<Pages, Failure> {
    match visited {
        Some(listener) => Pages::prepare_on(app, listener, false).await,
        None => Pages::prepare(app, listen_address(args), false).await,
    }
}

/// Where the page is to be served.
pub(super) fn listen_address(args: &DemoArgs) -> SocketAddr {
    args.listen.unwrap_or(ANYWHERE)
}

/// Says where the page is. Opens it in a browser if there is a display and no address was asked for.
pub(super) fn invite(address: &str, args: &DemoArgs) {
    output::print_line(&format!("\n  {address}\n"));
    if args.listen.is_none() && has_display() {
        open_browser(address);
    }
}

fn print_who_answers(model: &str) {
    if model == BUILTIN {
        output::print_line(
            "builtin answers: it quotes what was said, and costs nothing. `--model PROVIDER/MODEL` asks a model.",
        );
    } else {
        output::print_line(&format!("{model} answers and remembers from now on, which may cost something."));
    }
    output::print_line("Ctrl-C ends it.");
}
