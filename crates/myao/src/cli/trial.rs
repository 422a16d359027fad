//! `myao memory try`: shows what builtin, the configured and another model would write for a channel's newest chapters,
//! side by side, with figures and a verdict.

mod report;

use std::pin::pin;

use clap::Args;
use myao_companion::{
    ask::{AskError, Asker},
    trial::{Trial, TrialChapter, TrialError, TrialText},
};
use myao_config::{AgentConfig, ClientArgs, Config, ModelId};
use myao_core::ports::Role;

use self::report::{TrialReport, TriedModel};
use super::{Done, Failure, output, stop_signals::StopSignals};
use crate::{app::App, app::ROLES};

/// The most chapters that models are tried on; nobody reads more.
const MOST_CHAPTERS: i64 = 200;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct TrialArgs {
    /// The model to try: `builtin`, or `provider/model` as in config.yaml
    #[arg(long, value_name = "MODEL", value_parser = model_id)]
    model: ModelId,
    /// The channel whose newest chapters it is tried on: `#name`, `name` or its id
    #[arg(long)]
    channel: String,
    /// Try it on so many of the newest chapters that are too long to be kept word for word
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=MOST_CHAPTERS))]
    last: u16,
    /// Ask this server, without a key, instead of the one that config.yaml names
    #[arg(long, value_name = "URL")]
    api_base: Option<String>,
    /// What a million tokens that the tried model reads cost, to tell the price of 1,000 messages
    #[arg(long, value_name = "PRICE", default_value_t = 0.0, value_parser = parse_price)]
    price_in: f64,
    /// What a million tokens that it writes cost
    #[arg(long, value_name = "PRICE", default_value_t = 0.0, value_parser = parse_price)]
    price_out: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
No memory, journal entry or flag is written. Calls to a provider cost something, so they are recorded as any other \
(`myao cost --by purpose`: trial) and keep to `budget.daily_tokens`.

The key is that of `agents.memory.client_args`, or of another role, where that role's model is of the same provider; \
with --api-base none is sent.

Examples:
  myao memory try --model builtin --channel '#general'
  myao memory try --model openai/gpt-4o-mini --channel '#general' --last 10
  myao memory try --model openai/own --api-base http://gpu:8000/v1 --channel web";

/// Parses `builtin`, or a provider and its model.
pub(super) fn model_id(text: &str) -> Result<ModelId, String> {
    let wanted = || "expected `builtin` or provider/model, as in openai/gpt-4o".to_owned();
    let model = ModelId::parse(text).ok_or_else(wanted)?;
    match model.instead() {
        Some(instead) => Err(instead),
        None => Ok(model),
    }
}

fn parse_price(text: &str) -> Result<f64, String> {
    let price = text.parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    price.ok_or_else(|| "expected a price, as in 0.15".to_owned())
}

pub(super) async fn run(app: &App, args: &TrialArgs) -> Result<Done, Failure> {
    let channel = app.channel(&args.channel).await?;
    let zone = &app.config.locale.timezone;
    let settings = &app.config.memory;
    let trial = Trial {
        store: &app.store,
        clock: &*app.clock,
        templates: app.templates(),
        settings,
        zone,
        input_tokens: usize::try_from(app.config.prompt.max_tokens).unwrap_or(usize::MAX),
    };
    let (chapters, verbatim) =
        trial.chapters(&channel, usize::from(args.last)).await.map_err(failure_of_trial)?;
    if chapters.is_empty() {
        return Err(Failure::usage(format!(
            "#{} has no chapter that a model has to write ({verbatim} are kept word for word); `myao memory build` \
             cuts chapters",
            channel.name
        )));
    }
    // All askers are made before any is used, so that a mistake in the configuration costs nothing.
    let configs = configs_to_compare(&app.config, args);
    let askers: Vec<Asker> =
        configs.into_iter().map(|config| app.beside(config)?.asker()).collect::<Result<_, Failure>>()?;
    let mut models = Vec::new();
    for asker in askers {
        let name = asker.model_id(Role::Memory).to_owned();
        let texts = write_all(&trial, &name, &asker, &chapters).await?;
        models.push(TriedModel { name, texts });
    }
    let report = TrialReport {
        channel: &channel,
        verbatim,
        chapters: &chapters,
        models,
        prices: (args.price_in, args.price_out),
        names: app.store.archive().names(&myao_core::chat::Visibility::Owner).await?,
    };
    if args.json {
        output::say_json(&report.as_json())?;
    } else {
        report.tell();
    }
    Ok(Done::All)
}

/// The configurations with each model that is compared: builtin first, the tried one last, and each model once.
fn configs_to_compare(config: &Config, args: &TrialArgs) -> Vec<Config> {
    let builtin = AgentConfig {
        model_id: ModelId::Builtin,
        client_args: ClientArgs::default(),
        params: serde_json::Map::new(),
        ..config.agents.memory.clone()
    };
    let mut agents = vec![builtin.clone(), config.agents.memory.clone()];
    if args.model != ModelId::Builtin {
        agents.push(tried_agent(config, args, builtin));
    }
    if args.model == config.agents.memory.model_id || config.agents.memory.model_id == ModelId::Builtin {
        agents.remove(1);
    }
    let with = |agent: AgentConfig| {
        let mut config = config.clone();
        config.agents.memory = agent;
        config
    };
    agents.into_iter().map(with).collect()
}

/// How the tried model is reached: like a role whose model is of the same provider. So no key is sent to another
/// provider.
fn tried_agent(config: &Config, args: &TrialArgs, base: AgentConfig) -> AgentConfig {
    let model_id = args.model.clone();
    if args.api_base.is_some() {
        let client_args = ClientArgs {
            api_key: None,
            api_base: args.api_base.clone(),
            timeout: config.agents.memory.client_args.timeout,
            api_version: None,
        };
        return AgentConfig { model_id, client_args, ..base };
    }
    let provider = |id: &ModelId| match id {
        ModelId::Builtin => None,
        ModelId::Provider { provider, .. } => Some(provider.clone()),
    };
    let mut roles = ROLES.iter().rev().map(|role| config.agents.get(*role));
    match roles.find(|agent| provider(&agent.model_id) == provider(&model_id)) {
        Some(like) => AgentConfig {
            model_id,
            client_args: like.client_args.clone(),
            params: like.params.clone(),
            ..base
        },
        None => AgentConfig { model_id, ..base },
    }
}

async fn write_all(
    trial: &Trial<'_>,
    model: &str,
    asker: &Asker,
    chapters: &[TrialChapter],
) -> Result<Vec<TrialText>, Failure> {
    let bar = output::progress_bar(chapters.len().try_into().unwrap_or(u64::MAX), "trying", "chapters");
    bar.set_message(output::with_visible_controls(&format!("{model} writes")));
    let mut signals = StopSignals::new()?;
    let mut texts = Vec::with_capacity(chapters.len());
    for chapter in chapters {
        let mut writing = pin!(trial.write(asker, chapter));
        let written = tokio::select! {
            written = &mut writing => written,
            () = signals.next() => {
                // The call under way is cancelled and settled.
                asker.stop();
                writing.await
            }
        };
        texts.push(written.map_err(failure_of_trial)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(texts)
}

fn failure_of_trial(error: TrialError) -> Failure {
    match error {
        TrialError::Store(error) | TrialError::Ask(AskError::Store(error)) => error.into(),
        TrialError::Summary(error) => Failure::usage(error.to_string()),
        TrialError::Ask(error) => Failure::incomplete(error),
    }
}
