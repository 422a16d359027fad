//! The composition root: builds everything that the commands run on.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::Context as _;
use myao_companion::{
    ask::{Asker, AskerParts, Models, PlaceAnswers, RecordingError},
    companion::Companion,
    forgetting::follow_removals,
    keeper::{Keeper, KeeperParts},
    tools::web::WebTools,
};
use myao_config::{
    AgentConfig, ClientArgs, Config, Database, EmbeddingEndpoint, LocaleSource, LocaleSources, ModelId,
    Remembered,
};
use myao_core::{
    chat::{Channel, ChannelId, Visibility},
    ports::{Clock, Model, Role},
    wording::Templates,
};
use myao_model::{
    ApiKey, Builtin, DEFAULT_TIMEOUT, EmbeddingModel, EmbeddingSettings, ModelHabits, Provider,
    ProviderError, ProviderSettings, Proxies, http_client_through,
};
use myao_store::{Adopter, OptOuts, PlaceKeys, QuestionVector, Store, Target};
use reqwest::Client;

use crate::{
    clock::SystemClock,
    failure::Failure,
    locale::{LocaleNews, as_noted, news_of_locale, settle_locale},
    traces::trace_parent,
};

/// The similarity (Jaro-Winkler, 0 to 1) from which on a name counts as a typing error of another: a letter more, less
/// or elsewhere is above it, another word below.
const ALIKE: f64 = 0.75;
/// All roles of models.
pub(crate) const ROLES: [Role; 3] = [Role::Response, Role::Judgment, Role::Memory];
/// The most channels listed where no name is similar: they fill a line or two.
const NAMES_LISTED: usize = 10;

/// Everything that a command needs.
pub struct App {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether failed model calls are retried.
    pub is_patient: bool,
    /// What is new about the language and the time zone.
    pub locale_news: LocaleNews,
    /// Parsed when they are first needed, which most commands never do; the owner's own are read at once.
    templates: OnceLock<Arc<Templates>>,
    asker: OnceLock<Asker>,
    /// The database in which calls of embedding models are counted, when `store` is only read. Without it, none is
    /// made.
    calls: Option<Store>,
}

impl App {
    /// Opens the database of a configuration, with the machine's clock.
    pub async fn open(config: Config) -> Result<Self, Failure> {
        Self::open_at(config, Arc::new(SystemClock)).await
    }

    /// Opens the database to read it. If the command searches by meaning and a model of embeddings is configured, the
    /// call that embeds the question is counted in the database, like any other call; nothing else is written.
    pub async fn open_to_read(config: Config, searches: bool) -> Result<Self, Failure> {
        let target = database_target(&config);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let store = Store::open_to_read(&target).await?.heeding(opt_outs(&config)).by_server_time();
        store.measure_clock_offset(clock.now()).await?;
        let config = if config.locale_sources == LocaleSources::both(LocaleSource::Given) {
            config
        } else {
            let locale = settle_locale(&config, &store.archive().known_locale().await?);
            config.speaking(locale)
        };
        let templates = own_templates(&config)?;
        let locale_news = LocaleNews::None;
        let mut calls = None;
        if searches && config.embeddings.is_some() {
            match Store::open(&target).await {
                Ok(counted) => calls = Some(counted.heeding(opt_outs(&config))),
                // A call that cannot be counted is not made.
                Err(error) => {
                    tracing::warn!(%error, "a question is looked up by its words alone: a call could not be counted");
                }
            }
        }
        let asker = OnceLock::new();
        Ok(Self { config, store, clock, is_patient: true, locale_news, templates, asker, calls })
    }

    /// Opens the database of a configuration, with another clock.
    pub async fn open_at(config: Config, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        // Templates of one's own that are wrong in any language are told before a database is made.
        drop(own_templates(&config)?);
        let adopter = Adopter { normalise: myao_slack::text::markup_as_notation, now: clock.now() };
        let opt_outs = opt_outs(&config);
        let store = Store::open_or_adopt(&database_target(&config), adopter).await?.heeding(opt_outs);
        let store = store.masking_archive(config.privacy.mask_archive).by_server_time();
        store.measure_clock_offset(clock.now()).await?;
        store.intake().note_opted_out(clock.now()).await?;
        let known = store.archive().known_locale().await?;
        let locale = settle_locale(&config, &known);
        let locale_news = news_of_locale(&locale, &known);
        if known.noted.as_ref() != Some(&as_noted(&locale)) {
            store.archive().note_locale(&as_noted(&locale)).await?;
        }
        let config = config.speaking(locale);
        let templates = own_templates(&config)?;
        let asker = OnceLock::new();
        Ok(Self { config, store, clock, is_patient: true, locale_news, templates, asker, calls: None })
    }

    /// Closes the database.
    pub async fn close(&self) {
        self.store.close().await;
        if let Some(calls) = &self.calls {
            calls.close().await;
        }
    }

    /// The same database with another configuration.
    pub fn beside(&self, config: Config) -> Result<Self, Failure> {
        let templates = own_templates(&config)?;
        let store = self.store.clone();
        let clock = Arc::clone(&self.clock);
        let is_patient = self.is_patient;
        let calls = self.calls.clone();
        let locale_news = LocaleNews::None;
        Ok(Self { config, store, clock, is_patient, locale_news, templates, asker: OnceLock::new(), calls })
    }

    /// Makes a keeper of memories.
    pub fn keeper(&self) -> Result<Keeper, Failure> {
        Ok(Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker: self.asker()?,
            clock: Arc::clone(&self.clock),
            templates: Arc::clone(self.templates()),
            settings: self.config.memory.clone(),
            zone: self.config.locale.timezone.clone(),
            input_tokens: usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX),
            thread_memory_days: self.config.response.thread_memory_days,
        })
        .expiring(self.config.privacy.archive_days))
    }

    /// The templates of prompts.
    pub fn templates(&self) -> &Arc<Templates> {
        self.templates.get_or_init(|| Arc::new(embedded_templates(&self.config)))
    }

    /// Composes prompts.
    pub fn companion(&self) -> Companion<'_> {
        // Without an asker, recall goes by words alone. A command that needs a model says itself why there is none.
        let asker = self.config.embeddings.as_ref().and_then(|_| self.asker().ok()).and(self.asker.get());
        Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: self.templates(),
            config: &self.config,
            asker,
        }
    }

    /// What the words of a question mean, if a model of embeddings is configured and answers. Otherwise the question is
    /// looked up by its words alone, since a search needs no model.
    pub async fn meaning_of(&self, words: &str) -> Option<QuestionVector> {
        self.config.embeddings.as_ref()?;
        match self.asker() {
            Ok(asker) => asker.meaning_of(words).await,
            Err(error) => {
                tracing::warn!(%error, "a question is looked up by its words alone");
                None
            }
        }
    }

    /// Where sign-ins to the pages are kept. If `store` is only read, the database is opened again to write sign-ins,
    /// and nothing else.
    pub async fn web_sessions(&self) -> Result<Store, Failure> {
        if self.store.is_writable() || !self.config.web.access.wants_password() {
            return Ok(self.store.clone());
        }
        Ok(Store::open(&database_target(&self.config)).await?)
    }

    /// Where tokens of agents are looked up. If `store` is only read, the database is opened again to note when a token
    /// was last used, and nothing else; where it cannot be written, that is not noted.
    pub async fn agent_token_store(&self) -> Store {
        if self.store.is_writable() {
            return self.store.clone();
        }
        Store::open(&database_target(&self.config)).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "nobody notes when the token is used");
            self.store.clone()
        })
    }

    /// The asker. It is built once, so that a pause of a model holds for all callers, and stopping it stops all.
    pub fn asker(&self) -> Result<Asker, Failure> {
        if let Some(asker) = self.asker.get() {
            return Ok(asker.clone());
        }
        let asker = self.new_asker()?;
        Ok(self.asker.get_or_init(|| asker).clone())
    }

    fn new_asker(&self) -> Result<Asker, Failure> {
        let agents = &self.config.agents;
        let client = if self.asks_providers() || self.config.embeddings.is_some() {
            Some(http_client_through(self.proxies()).map_err(|error| Failure::usage(error.to_string()))?)
        } else {
            None
        };
        let habits = ModelHabits::default();
        let model = |role| model_of_agent(role, agents.get(role), client.as_ref(), &habits);
        let models = Models {
            response: model(Role::Response)?,
            judgment: model(Role::Judgment)?,
            memory: model(Role::Memory)?,
        };
        let embeddings = match (&self.config.embeddings, &client) {
            (Some(endpoint), Some(client)) if self.calls.is_some() || self.store.is_writable() => {
                Some(embedding_model(endpoint, client)?)
            }
            _ => None,
        };
        let parts = AskerParts {
            store: self.calls.as_ref().unwrap_or(&self.store).clone(),
            clock: Arc::clone(&self.clock),
            models,
            zone: self.config.locale.timezone.clone(),
            daily_tokens: self.config.budget.daily_tokens,
            is_patient: self.is_patient,
            recording: self.config.recording_path(),
        };
        let asker = Asker::with_embeddings(parts, embeddings);
        let rules = self.config.places.clone();
        if !rules.are_none() {
            let mut models = BTreeMap::new();
            for id in rules.models() {
                let agent = agent_answering_with(&agents.response, id);
                let model = model_of_agent(Role::Response, &agent, client.as_ref(), &habits)?;
                models.insert(agent.model_id.to_string(), model);
            }
            asker.set_places(PlaceAnswers { rules, models });
        }
        Ok(asker)
    }

    /// Whether the database is on a server.
    pub(crate) fn is_on_server(&self) -> bool {
        matches!(self.config.database, Database::Postgres(_))
    }

    fn asks_providers(&self) -> bool {
        let of_roles = ROLES.map(|role| &self.config.agents.get(role).model_id);
        let of_places = self.config.places.models();
        of_roles.into_iter().chain(&of_places).any(|model| *model != ModelId::Builtin)
    }

    /// Whether models that cost something are used without a daily budget.
    pub fn has_no_bound(&self) -> bool {
        self.asks_providers() && self.config.budget.daily_tokens.is_none()
    }

    /// Removes words that were removed from the chat from the recordings of model calls, and those that are older than
    /// `privacy.recordings_days`, whether or not calls are recorded now.
    pub async fn follow_removals(&self) -> Result<(), RecordingError> {
        follow_removals(&self.config, &self.store, &*self.clock).await
    }

    /// The proxies of the environment, through which models are asked.
    pub fn proxies(&self) -> Proxies {
        Proxies::read(|name| self.config.proxies.get(name))
    }

    /// The web tools.
    pub fn web(&self) -> Result<WebTools, Failure> {
        WebTools::new(&self.config.tools, self.config.locale.language, Arc::clone(&self.clock))
            .map_err(|error| Failure::usage(error.to_string()))
    }

    /// The channel with this id, `#name` or `name`.
    ///
    /// # Errors
    /// When there is none, or several have the name: a person has to say which, since one may be private.
    pub async fn channel(&self, wanted: &str) -> Result<Channel, Failure> {
        // Japanese keyboards type the full-width `＃`.
        let bare = wanted.strip_prefix(['#', '＃']).unwrap_or(wanted);
        if let Some(channel) = self.store.archive().channel(&ChannelId::new(bare)).await? {
            return Ok(channel);
        }
        let alike = self.store.archive().channels_named(bare).await?;
        match &alike[..] {
            [] => {}
            [channel] => return Ok(channel.clone()),
            _ => return Err(Failure::usage(channels_sharing_name(bare, &alike))),
        }
        let rows = self.store.archive().channels(&Visibility::Owner).await?;
        if rows.is_empty() {
            return Err(Failure::usage("the archive is empty; `myao import slack PATH` fills it"));
        }
        let names: Vec<&str> = rows.iter().map(|row| row.channel.name.as_str()).collect();
        Err(Failure::usage(format!("there is no channel `{wanted}`; {}", suggest_name(bare, &names, "#"))))
    }
}

/// The people and channels of whom nothing is remembered.
fn opt_outs(config: &Config) -> OptOuts {
    let out = &config.privacy.never_remember;
    let rules = &config.places;
    let channels = [out.channels.clone(), rules.channels_remembered_as(Remembered::Nothing)].concat();
    OptOuts::new(&out.users, &channels).with_places(PlaceKeys {
        named: rules.channels(),
        kept: rules.channels_remembered_as(Remembered::Chapters),
        forgotten: rules.forgotten_kinds(),
    })
}

/// The database of a configuration.
pub(crate) fn database_target(config: &Config) -> Target {
    match &config.database {
        Database::Sqlite(path) => Target::Sqlite(path.clone()),
        Database::Postgres(url) => Target::Postgres(url.expose().to_owned()),
    }
}

/// The prompts in a configuration's language, with the owner's own files and instructions, so that what is wrong in a
/// file of the owner's is told whatever the command does; empty where the owner has no files.
fn own_templates(config: &Config) -> Result<OnceLock<Arc<Templates>>, Failure> {
    let Some(dir) = config.prompt.dir.as_deref() else { return Ok(OnceLock::new()) };
    let templates = Templates::new(config.locale.language, &template_overrides(dir)?)
        .map_err(|error| Failure::usage(error.to_string()))?;
    Ok(OnceLock::from(Arc::new(with_instructions(templates, config))))
}

/// The prompts of a configuration: the owner's files, if there are any, and else those of the program.
pub(crate) fn templates_of(config: &Config) -> Result<Arc<Templates>, Failure> {
    Ok(own_templates(config)?.into_inner().unwrap_or_else(|| Arc::new(embedded_templates(config))))
}

/// The prompts in a configuration's language, with the owner's instructions.
#[expect(clippy::expect_used, reason = "they are part of the program, and its tests read all of them")]
fn embedded_templates(config: &Config) -> Templates {
    let templates = Templates::new(config.locale.language, &BTreeMap::new()).expect("our own templates");
    with_instructions(templates, config)
}

fn with_instructions(templates: Templates, config: &Config) -> Templates {
    ROLES.into_iter().fold(templates, |templates, role| {
        templates.with_instructions(role, &config.agents.get(role).system_prompt)
    })
}

/// Lists channels that share a name, with their ids and kinds.
fn channels_sharing_name(name: &str, channels: &[Channel]) -> String {
    let more = if channels.len() > NAMES_LISTED { ", …" } else { "" };
    let one = |channel: &Channel| format!("{} ({})", channel.id, channel.kind.as_str());
    let listed: Vec<String> = channels.iter().take(NAMES_LISTED).map(one).collect();
    format!(
        "there are {} channels `#{name}`; name one by its id: {}{more}",
        channels.len(),
        listed.join(", ")
    )
}

/// The name most similar to `wanted`, or else some of the names there are; before each stands `mark`.
pub(crate) fn suggest_name(wanted: &str, names: &[&str], mark: &str) -> String {
    let alike = names.iter().map(|name| (strsim::jaro_winkler(name, wanted), name));
    match alike.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((score, name)) if score >= ALIKE => format!("did you mean `{mark}{name}`?"),
        _ => {
            let more = if names.len() > NAMES_LISTED { ", …" } else { "" };
            let listed: Vec<String> =
                names.iter().take(NAMES_LISTED).map(|name| format!("{mark}{name}")).collect();
            format!("there are {}{more}", listed.join(", "))
        }
    }
}

/// The agent that answers where a rule for places names another model. It is reached as the other one is if it is the same
/// provider's, and else by what the provider has by default, its key taken from the environment.
fn agent_answering_with(response: &AgentConfig, model_id: ModelId) -> AgentConfig {
    let is_same = match (&response.model_id, &model_id) {
        (ModelId::Provider { provider, .. }, ModelId::Provider { provider: other, .. }) => provider == other,
        (ModelId::Builtin, _) | (_, ModelId::Builtin) => false,
    };
    if is_same {
        return AgentConfig { model_id, ..response.clone() };
    }
    let (params, client_args) = (serde_json::Map::new(), ClientArgs::default());
    AgentConfig { model_id, params, client_args, ..response.clone() }
}

fn model_of_agent(
    role: Role,
    agent: &AgentConfig,
    client: Option<&Client>,
    habits: &ModelHabits,
) -> Result<Arc<dyn Model>, Failure> {
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
    let provider = Provider::new(settings, client.clone()).map_err(|error| {
        // Where there is no configuration, as in the demo, the key is read from the environment alone.
        let advice = if let ProviderError::KeyMissing { variable, .. } = &error {
            format!(" (`myao init` asks for it and stores it in .env; `myao demo` reads {variable} itself)")
        } else {
            String::new()
        };
        Failure::usage(format!("agents.{}: {error}{advice}", role.as_str()))
    })?;
    Ok(Arc::new(provider.sharing(habits).traced_by(trace_parent)))
}

fn embedding_model(endpoint: &EmbeddingEndpoint, client: &Client) -> Result<EmbeddingModel, Failure> {
    let settings = EmbeddingSettings {
        api_base: endpoint.api_base.clone(),
        model: endpoint.model_id.clone(),
        api_key: endpoint.api_key.as_ref().map(|key| ApiKey::new(key.expose())),
        timeout: DEFAULT_TIMEOUT,
    };
    EmbeddingModel::new(settings, client.clone())
        .map(|model| model.traced_by(trace_parent))
        .map_err(|error| Failure::usage(format!("recall.embeddings: {error}")))
}

/// The owner's template files in `prompt.dir`.
fn template_overrides(dir: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut files = BTreeMap::new();
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
