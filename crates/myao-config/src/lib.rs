//! The configuration: one `config.yaml`, with variables from the environment, checked as a whole before
//! anything starts (specification §9).
//!
//! A file is read in four steps: `yaml` turns it into a tree of `node`s that know their lines, `expand` fills in
//! `${VAR}`, the sections (`slack`, `agents`, `persona`, `response`, `memory`, `logging`, `operation`, `web`, `mcp`, `places`)
//! read their keys through `section`, and `report` gives either a whole [`Config`] or every problem at once.
//!
//! A key that is not given has a default, with two exceptions. First, as in myao2, some keys have no default and must
//! be given when their section is present (`persona.name`, `persona.system_prompt`, `agents.*.model_id`,
//! `memory.database_path` or `memory.database_url`); if the whole section is absent, they have defaults, too, and the
//! notes of [`Loaded`] say so. Second, Slack's tokens have no default, and are required only when they are needed
//! ([`Config::slack_for_run`]).
//!
//! This is the only crate that reads the environment.

mod agents;
mod changes;
mod env_file;
mod error;
mod expand;
mod locale;
mod logging;
mod manners;
mod mcp;
mod memory;
mod node;
mod operation;
mod person;
mod persona;
mod places;
mod predecessor;
mod proxies;
mod report;
mod response;
mod secret;
mod section;
mod slack;
mod traces;
mod web;
mod yaml;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use myao_core::{context::Persona, judgment::QuietHours, memory::MemorySettings};

pub use self::{
    agents::{AgentConfig, Agents, ClientArgs, ModelId},
    changes::{FOLLOWED_KEYS, KeyChange, is_followed},
    error::{ConfigError, ConfigFault, Problem},
    locale::{terminal_language, terminal_names_language, terminal_zone, terminal_zone_left_out},
    logging::{LogFormat, Logging},
    mcp::Mcp,
    memory::Database,
    operation::{
        Budget, EmbeddingEndpoint, HealthCheck, NeverRemember, Price, Privacy, PromptSettings, SearchDepth,
        SearchProvider, Telemetry, ToolSettings, WebFetch, WebSearch,
    },
    person::TerminalUser,
    persona::{Locale, LocaleSource, LocaleSources},
    places::{PlaceBudget, PlaceKey, PlaceManners, PlacePolicy, PlaceRule, PlaceRules, Remembered, Ruled},
    proxies::ProxyVariables,
    report::ConfigNotes,
    response::{
        DynamicWait, Feedback, JudgmentSkip, ResponseInterval, ResponseSettings, SkipThreshold, WaitThreshold,
    },
    secret::Secret,
    slack::{CorrectedBy, Slack, SlackTokens},
    traces::{TraceExport, TraceVariables},
    web::{DEFAULT_LISTEN, Web, WebAccess, WebProxies, listen_address},
};
use self::{
    changes::GivenValues,
    node::{Node, Value},
    report::ProblemReport,
    section::Section,
};

/// The file that is read when none is named.
const DEFAULT_FILE: &str = "config.yaml";

/// The whole configuration, checked, with defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `slack.*`
    pub slack: Slack,
    /// `agents.*`
    pub agents: Agents,
    /// `persona.name` and `persona.system_prompt`
    pub persona: Persona,
    /// `persona.quiet_hours`
    pub quiet_hours: Option<QuietHours>,
    /// `response.*`
    pub response: ResponseSettings,
    /// `memory.database_path` or `memory.database_url`
    pub database: Database,
    /// The rest of `memory.*`
    pub memory: MemorySettings,
    /// `locale.*`
    pub locale: Locale,
    /// Where the language and the time zone come from.
    pub locale_sources: LocaleSources,
    /// `prompt.*`
    pub prompt: PromptSettings,
    /// `recall.embeddings`: the server that tells what messages mean; `None`: recall goes by words alone.
    pub embeddings: Option<EmbeddingEndpoint>,
    /// `privacy.*`
    pub privacy: Privacy,
    /// `tools.*`
    pub tools: ToolSettings,
    /// `logging.*`
    pub logging: Logging,
    /// `budget.*`
    pub budget: Budget,
    /// `places.*`
    pub places: PlaceRules,
    /// `health_check.*`
    pub health_check: HealthCheck,
    /// `telemetry.*`
    pub telemetry: Telemetry,
    /// `web.*`
    pub web: Web,
    /// `mcp.*`
    pub mcp: Mcp,
    /// Seconds that a stop waits for posts in flight. Default 20.
    pub shutdown_seconds: u64,
    /// The proxy variables of the environment; models are asked through these proxies.
    pub proxies: ProxyVariables,
    /// OpenTelemetry's variables of the environment ([`Config::trace_export`]).
    pub traces: TraceVariables,
    file: PathBuf,
    has_secret: bool,
    slack_line: Option<u64>,
}

/// A configuration and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// The file; `None` when there is none and the defaults are used.
    pub file: Option<PathBuf>,
    /// Notes for the user: which defaults are used for what was not configured, and which values were replaced by the
    /// nearest ones of ours. Without a file everything is a default: then only a time zone of the environment's is noted
    /// that cannot be taken.
    pub notes: ConfigNotes,
    given: GivenValues,
}

impl Default for Config {
    /// The configuration without a file: the builtin model, `./data/memory.db`, Japanese, UTC.
    fn default() -> Self {
        let config = Self::read(None, &mut ProblemReport::new(Path::new(DEFAULT_FILE)));
        Self { locale_sources: LocaleSources::both(LocaleSource::Given), ..config }
    }
}

impl Config {
    /// Reads `path`, or, without one, `./config.yaml`; if that does not exist, takes the defaults, with the language of
    /// the environment and the machine's time zone.
    /// Variables that the environment does not have are read from `.env` beside the file.
    ///
    /// # Errors
    /// When a named file does not exist, a file can't be read, or anything in it is wrong: all problems at once.
    pub fn load(path: Option<&Path>) -> Result<Loaded, ConfigError> {
        Self::load_with(path, Path::new("."), environment_variable)
    }

    /// Like [`Config::load`], with a given working directory and environment.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn load_with(
        path: Option<&Path>,
        directory: &Path,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Loaded, ConfigError> {
        let file = path.map_or_else(|| directory.join(DEFAULT_FILE), Path::to_owned);
        let Some(text) = read_text(&file)? else {
            return if path.is_some() {
                Err(ConfigError::NotFound(file))
            } else {
                Ok(Loaded::defaults(&env))
            };
        };
        let beside = env_file::read_beside(&file, &env)?;
        Self::load_from(&text, &file, |name| env(name).or_else(|| beside.get(name).cloned()))
    }

    /// Reads `text` as the contents of `file`, which is only named in messages.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn load_from(
        text: &str,
        file: &Path,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Loaded, ConfigError> {
        let fail = |line, fault| ConfigError::one(Problem { file: file.to_owned(), line, key: None, fault });
        let mut root = yaml::parse_document(text).map_err(|(line, fault)| fail(line, fault))?;
        if root.value == Value::Null {
            return Err(fail(None, ConfigFault::Empty));
        }
        let mut report = ProblemReport::new(file);
        expand::resolve_all_below(&mut root, "", &env, &mut report);
        let config = Self {
            proxies: ProxyVariables::read(&env),
            traces: TraceVariables::read(&env),
            ..Self::read(Some(&root), &mut report)
        };
        let notes = report.finish()?;
        Ok(Loaded { config, file: Some(file.to_owned()), notes, given: GivenValues::of_file(&root) })
    }

    /// The same with another language and time zone. A persona that nobody configured speaks that language.
    #[must_use]
    pub fn speaking(mut self, locale: Locale) -> Self {
        let before = persona::persona_by_default(self.locale.language);
        let after = persona::persona_by_default(locale.language);
        if self.persona.name == before.name {
            self.persona.name = after.name;
        }
        if self.persona.system_prompt == before.system_prompt {
            self.persona.system_prompt = after.system_prompt;
        }
        self.locale = locale;
        self
    }

    /// The file in which calls to models are recorded (`logging.debug_llm_file`, else `llm-messages.jsonl` next
    /// to the database); `None` unless `logging.debug_llm_messages` is on.
    pub fn recording_path(&self) -> Option<PathBuf> {
        self.logging.debug_llm_messages.then(|| self.recording_file())
    }

    /// The file for recordings, whether calls are recorded now or not: it may exist from earlier times.
    pub fn recording_file(&self) -> PathBuf {
        let beside = || match &self.database {
            Database::Sqlite(path) => path.with_file_name("llm-messages.jsonl"),
            Database::Postgres(_) => PathBuf::from("llm-messages.jsonl"),
        };
        self.logging.debug_llm_file.clone().unwrap_or_else(beside)
    }

    /// The existing files that hold secrets: `.env`, and the configuration if it holds a key, a token or a password
    /// itself.
    pub fn files_with_secrets(&self) -> Vec<PathBuf> {
        let own = self.has_secret.then(|| self.file.clone());
        let beside = Some(self.file.with_file_name(".env")).filter(|_| self.file.exists());
        own.into_iter().chain(beside).filter(|file| file.is_file()).collect()
    }

    /// All known keys and sections, in the order in which they are read; items of a list are written `[]`, as in
    /// `response.judgment_skip.thresholds[].min_confidence`.
    pub fn known_keys() -> Vec<String> {
        let mut report = ProblemReport::new(Path::new(DEFAULT_FILE));
        Self::read(None, &mut report);
        report.into_known()
    }

    fn read(node: Option<&Node>, report: &mut ProblemReport) -> Self {
        let file = report.file().to_owned();
        let mut root = Section::root(node, report);
        let (slack, slack_line) =
            root.section("slack", |section| (slack::read_slack_section(section), section.line()));
        let (locale, locale_sources) = root.section("locale", |section| {
            (persona::read_locale(section), persona::sources_of_locale(section))
        });
        let (persona, quiet_hours) =
            root.section("persona", |section| persona::read_persona_section(section, locale.language));
        let (database, memory) = root.section("memory", memory::read_memory_section);
        let config = Self {
            slack,
            agents: root.section("agents", agents::read_agents_section),
            persona,
            quiet_hours,
            response: root.section("response", response::read_response_section),
            database,
            memory,
            locale,
            locale_sources,
            prompt: root.section("prompt", operation::read_prompt),
            embeddings: root.section("recall", operation::read_recall),
            privacy: root.section("privacy", operation::read_privacy),
            tools: root.section("tools", operation::read_tools),
            logging: root.section("logging", logging::read_logging_section),
            budget: root.section("budget", operation::read_budget),
            health_check: root.section("health_check", operation::read_health_check),
            telemetry: root.section("telemetry", operation::read_telemetry),
            web: root.section("web", web::read_web_section),
            mcp: Mcp::default(),
            places: PlaceRules::default(),
            shutdown_seconds: operation::read_shutdown(&mut root),
            proxies: ProxyVariables::default(),
            traces: TraceVariables::default(),
            file,
            has_secret: false,
            slack_line,
        };
        let mcp = root.section("mcp", |section| mcp::read_mcp_section(section, &config.web));
        let places = places::read_places(&mut root, &config.budget);
        root.close();
        Self { mcp, places, has_secret: report.has_secret(), ..config }
    }
}

impl Loaded {
    /// The line of the file, counted from 1, in which a key has its value; `None` if its default holds.
    pub fn line_of(&self, key: &str) -> Option<u64> {
        self.given.line_of(key)
    }

    fn defaults(env: &dyn Fn(&str) -> Option<String>) -> Self {
        let config = Config::default().speaking(locale::locale_of_machine(env));
        let locale_sources = LocaleSources::both(LocaleSource::Machine);
        let remark = |zone: String| {
            format!(
                "TZ={zone:?} has no name in the tz database, so UTC holds; locale.timezone sets a zone by its name"
            )
        };
        let remarks = locale::zone_left_out(env).map(remark).into_iter().collect();
        let notes = ConfigNotes { remarks, ..ConfigNotes::default() };
        let traces = TraceVariables::read(env);
        let config = Config { locale_sources, traces, ..config };
        Self { config, file: None, notes, given: GivenValues::default() }
    }
}

/// The text of `file`; `None` when there is no such file.
fn read_text(file: &Path) -> Result<Option<String>, ConfigError> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ConfigError::unreadable(file, error)),
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let breaks = valid.filter(|byte| **byte == b'\n').count();
        let line = u64::try_from(breaks).ok().map(|breaks| breaks + 1);
        ConfigError::one(Problem { file: file.to_owned(), line, key: None, fault: ConfigFault::NotUtf8 })
    })
}

/// Whether there is a display on which a browser could open a page.
pub fn has_display() -> bool {
    let is_set = |name| environment_variable(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// A variable that has a value, and where it has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundVariable {
    /// The value.
    pub value: Secret,
    /// Whether the environment has it; else it is in `.env`.
    pub in_environment: bool,
}

/// The value of a variable as the configuration `config` would read it: from the environment, else from `.env` beside it.
///
/// # Errors
/// When `.env` cannot be read.
pub fn find_variable(config: &Path, name: &str) -> Result<Option<FoundVariable>, ConfigError> {
    let found = |value: String, in_environment| {
        Some(value)
            .filter(|value| !value.is_empty())
            .map(|value| FoundVariable { value: Secret::new(value), in_environment })
    };
    if let Some(found) = environment_variable(name).and_then(|value| found(value, true)) {
        return Ok(Some(found));
    }
    let beside = env_file::read_beside(config, &environment_variable)?;
    Ok(beside.get(name).cloned().and_then(|value| found(value, false)))
}

/// The key of a provider, from the variable that the provider's own tools read: `OPENAI_API_KEY` for `openai`.
pub fn provider_key(provider: &str) -> Option<Secret> {
    let name = provider.to_ascii_uppercase().replace('-', "_");
    environment_variable(&format!("{name}_API_KEY")).filter(|key| !key.is_empty()).map(Secret::new)
}

/// The secret that an agent shows on standard input, from `MYAO_TOKEN` of the environment that its program made.
pub fn agent_secret() -> Option<Secret> {
    environment_variable("MYAO_TOKEN").filter(|secret| !secret.trim().is_empty()).map(Secret::new)
}

#[expect(clippy::disallowed_methods, reason = "this is the crate that reads the environment")]
fn environment_variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
