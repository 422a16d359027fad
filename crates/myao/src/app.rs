//! The composition root: what the commands run on, put together in one place.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::Context as _;
use myao_companion::{
    ask::{Asker, AskerParts, Models, Recorder, RecordingError},
    companion::Companion,
    keeper::{Keeper, KeeperParts},
    tools::web::WebTools,
};
use myao_config::{AgentConfig, Config, Database, ModelId};
use myao_core::{
    chat::{Channel, ChannelId},
    context::Visibility,
    ports::{Clock, Model, Role},
    prompt::Templates,
};
use myao_model::{
    ApiKey, Builtin, DEFAULT_TIMEOUT, Provider, ProviderSettings, Proxies, http_client_through,
};
use myao_store::{Adopter, Store, Target};
use reqwest::Client;

use crate::{clock::SystemClock, failure::Failure};

/// How alike two names are (Jaro-Winkler, 0 to 1) when the one may be a slip of the other: a letter more,
/// less or elsewhere is above it, another word below.
const ALIKE: f64 = 0.75;
/// Everything a model is asked for.
const ROLES: [Role; 3] = [Role::Response, Role::Judgment, Role::Memory];
/// Channels listed where none is alike: a line or two.
const NAMES_LISTED: usize = 10;

/// Everything a command needs.
pub struct App {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Whether a model that fails is asked again.
    pub is_patient: bool,
    templates: Arc<Templates>,
    asker: OnceLock<Asker>,
}

impl App {
    /// Opens the database of a configuration, on the machine's clock.
    pub async fn open(config: Config) -> Result<Self, Failure> {
        Self::open_at(config, Arc::new(SystemClock)).await
    }

    /// The same on another clock.
    pub async fn open_at(config: Config, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        let templates = templates(&config)?;
        let target = match &config.database {
            Database::Sqlite(path) => Target::Sqlite(path.clone()),
            Database::Postgres(url) => Target::Postgres(url.expose().to_owned()),
        };
        let adopter = Adopter { normalise: myao_slack::text::normalise, now: clock.now() };
        let store = Store::open_or_adopt(&target, adopter).await?;
        let templates = Arc::new(templates);
        Ok(Self { config, store, clock, is_patient: true, templates, asker: OnceLock::new() })
    }

    /// The same database under another configuration.
    pub fn beside(&self, config: Config) -> Result<Self, Failure> {
        let templates = Arc::new(templates(&config)?);
        let (store, clock) = (self.store.clone(), Arc::clone(&self.clock));
        Ok(Self { config, store, clock, is_patient: self.is_patient, templates, asker: OnceLock::new() })
    }

    /// The keeper of its memories.
    pub fn keeper(&self) -> Result<Keeper, Failure> {
        Ok(Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker: self.asker()?,
            clock: Arc::clone(&self.clock),
            templates: Arc::clone(&self.templates),
            settings: self.config.memory.clone(),
            zone: self.config.locale.timezone.clone(),
            input_tokens: usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX),
        }))
    }

    /// Our words.
    pub fn templates(&self) -> &Arc<Templates> {
        &self.templates
    }

    /// What replies are made from.
    pub fn companion(&self) -> Companion<'_> {
        Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: &self.templates,
            config: &self.config,
        }
    }

    /// The way to its models: one for everybody, so that a pause holds for all, and what stops it stops all.
    pub fn asker(&self) -> Result<Asker, Failure> {
        if let Some(asker) = self.asker.get() {
            return Ok(asker.clone());
        }
        let asker = self.new_asker()?;
        Ok(self.asker.get_or_init(|| asker).clone())
    }

    fn new_asker(&self) -> Result<Asker, Failure> {
        let agents = &self.config.agents;
        let asks_providers = ROLES.iter().any(|role| agents.get(*role).model_id != ModelId::Builtin);
        let client = if asks_providers {
            Some(
                http_client_through(Proxies::read(|name| self.config.proxies.get(name)))
                    .map_err(|error| Failure::usage(error.to_string()))?,
            )
        } else {
            None
        };
        let model = |role| model(role, agents.get(role), client.as_ref());
        let models = Models {
            response: model(Role::Response)?,
            judgment: model(Role::Judgment)?,
            memory: model(Role::Memory)?,
        };
        Ok(Asker::new(AskerParts {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            models,
            zone: self.config.locale.timezone.clone(),
            daily_tokens: self.config.budget.daily_tokens,
            is_patient: self.is_patient,
            recording: self.config.recording_path(),
        }))
    }

    /// Whether models that cost something are asked, and nothing says how much they may.
    pub fn has_no_bound(&self) -> bool {
        let agents = &self.config.agents;
        let asks_providers = ROLES.iter().any(|role| agents.get(*role).model_id != ModelId::Builtin);
        asks_providers && self.config.budget.daily_tokens.is_none()
    }

    /// Takes what was removed from the chat out of the recordings of calls to models, whether or not calls are
    /// recorded now.
    pub async fn follow_removals(&self) -> Result<(), RecordingError> {
        let file = self.config.recording_file();
        if file.exists() { Recorder::new(file).follow(&self.store).await } else { Ok(()) }
    }

    /// What its models may read of the web.
    pub fn web(&self) -> Result<WebTools, Failure> {
        WebTools::new(&self.config.tools, self.config.locale.language, Arc::clone(&self.clock))
            .map_err(|error| Failure::usage(error.to_string()))
    }

    /// The channel a person means by its id, `#name` or `name`.
    ///
    /// # Errors
    /// When there is none, or several of the name: a person has to say which, as one may be private.
    pub async fn channel(&self, wanted: &str) -> Result<Channel, Failure> {
        // A Japanese keyboard types the wide one.
        let bare = wanted.strip_prefix(['#', '＃']).unwrap_or(wanted);
        if let Some(channel) = self.store.channel(&ChannelId::new(bare)).await? {
            return Ok(channel);
        }
        let alike = self.store.channels_named(bare).await?;
        match &alike[..] {
            [] => {}
            [channel] => return Ok(channel.clone()),
            _ => return Err(Failure::usage(ambiguous(bare, &alike))),
        }
        let rows = self.store.channels(&Visibility::Owner).await?;
        if rows.is_empty() {
            return Err(Failure::usage("the archive is empty; `myao import slack PATH` fills it"));
        }
        let names: Vec<&str> = rows.iter().map(|row| row.channel.name.as_str()).collect();
        Err(Failure::usage(format!("there is no channel `{wanted}`; {}", suggestion(bare, &names))))
    }
}

/// Our words in a configuration's language, with the owner's.
fn templates(config: &Config) -> Result<Templates, Failure> {
    let overrides = overrides(config.prompt.dir.as_deref())?;
    let templates = Templates::new(config.locale.language, &overrides)
        .map_err(|error| Failure::usage(error.to_string()))?;
    Ok(ROLES.into_iter().fold(templates, |templates, role| {
        templates.with_instructions(role, &config.agents.get(role).system_prompt)
    }))
}

/// Which channels share a name, with what tells them apart.
fn ambiguous(name: &str, channels: &[Channel]) -> String {
    let more = if channels.len() > NAMES_LISTED { ", …" } else { "" };
    let one = |channel: &Channel| format!("{} ({})", channel.id, channel.kind.as_str());
    let listed: Vec<String> = channels.iter().take(NAMES_LISTED).map(one).collect();
    format!(
        "there are {} channels `#{name}`; name one by its id: {}{more}",
        channels.len(),
        listed.join(", ")
    )
}

/// The name most like `wanted`, or else what there is to choose from.
fn suggestion(wanted: &str, names: &[&str]) -> String {
    let alike = names.iter().map(|name| (strsim::jaro_winkler(name, wanted), name));
    match alike.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((score, name)) if score >= ALIKE => format!("did you mean `#{name}`?"),
        _ => {
            let more = if names.len() > NAMES_LISTED { ", …" } else { "" };
            let listed: Vec<String> =
                names.iter().take(NAMES_LISTED).map(|name| format!("#{name}")).collect();
            format!("there are {}{more}", listed.join(", "))
        }
    }
}

fn model(role: Role, agent: &AgentConfig, client: Option<&Client>) -> Result<Arc<dyn Model>, Failure> {
    let (ModelId::Provider { provider, model }, Some(client)) = (&agent.model_id, client) else {
        return Ok(Arc::new(Builtin));
    };
    let args = &agent.client_args;
    let settings = ProviderSettings {
        api_key: args.api_key.as_ref().map(|key| ApiKey::new(key.expose())),
        api_base: args.api_base.clone(),
        api_version: args.api_version.clone(),
        timeout: args.timeout.map_or(DEFAULT_TIMEOUT, Duration::from_secs_f64),
        params: agent.params.clone(),
        ..ProviderSettings::new(provider, model)
    };
    let provider = Provider::new(settings, client.clone())
        .map_err(|error| Failure::usage(format!("agents.{}: {error}", role.as_str())))?;
    Ok(Arc::new(provider))
}

/// The template files a person put into `prompt.dir`.
fn overrides(dir: Option<&Path>) -> Result<BTreeMap<String, String>, Failure> {
    let mut files = BTreeMap::new();
    let Some(dir) = dir else { return Ok(files) };
    let entries = fs::read_dir(dir).with_context(|| format!("prompt.dir {}", dir.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("prompt.dir {}", dir.display()))?.path();
        let Some(name) =
            path.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.'))
        else {
            continue;
        };
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        files.insert(name.to_owned(), text);
    }
    Ok(files)
}
