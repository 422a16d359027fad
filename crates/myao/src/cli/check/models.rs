//! Tries each role's model with small calls, each within the limits of its role: text, data, tools, a memory (`memory`),
//! an image (`sight`), and a prompt of full length.

use jiff::Timestamp;
use myao_companion::ask::{AskError, Asker, CallSubject, ToolResult, Toolbox};
use myao_config::{AgentConfig, ModelId};
use myao_core::{
    ports::{
        BoxFuture, Clock, DataMode, ModelError, Request, ResponseFormat, Role, StopReason, ToolCall,
        ToolSpec, Turn, less_thought,
    },
    prompt::{REPLY_TOKENS, VERDICT_TOKENS},
    text::{Language, estimate_tokens},
};
use myao_model::Proxies;
use serde::Deserialize;
use serde_json::json;

use super::finding::{CheckReport, Finding};
use crate::{
    app::{App, ROLES},
    failure::Failure,
};

/// How many output tokens more than the answer's own text mean that the model thinks.
const THOUGHT: u64 = 60;
/// How many tokens of `prompt.max_tokens` the full prompt leaves for its instructions.
const ASIDE: usize = 200;
/// A word at the beginning of the full prompt that its filler does not hold.
const WORD: &str = "himawari";

/// Tries the model of each role. The full prompt is tried once for roles with the same model and settings.
pub(super) async fn try_each_role(app: &App, quick: bool, report: &mut CheckReport) {
    let asker = match app.asker() {
        Ok(asker) => asker,
        Err(failure) => {
            report.add(Finding::wrong("agents", failure.to_string(), ""));
            return;
        }
    };
    let agents = &app.config.agents;
    for (index, role) in ROLES.into_iter().enumerate() {
        let agent = agents.get(role);
        let subject = format!("agents.{} ({})", role.as_str(), agent.model_id);
        if agent.model_id == ModelId::Builtin {
            report.add(Finding::fine(subject, "needs nothing"));
            continue;
        }
        let is_known = ROLES.iter().take(index).any(|earlier| same_agent(agents.get(*earlier), agent));
        let try_full = !quick && !is_known;
        let proxies = app.proxies();
        ModelTrial::new(app, &asker, role, &proxies)
            .try_everything(
                usize::try_from(app.config.prompt.max_tokens).unwrap_or(usize::MAX),
                try_full,
                report,
            )
            .await;
    }
}

/// Asks the model of a role for a word.
pub(super) async fn try_one_word(app: &App, role: Role) -> Result<Finding, Failure> {
    let asker = app.asker()?;
    let proxies = app.proxies();
    Ok(ModelTrial::new(app, &asker, role, &proxies).try_words().await.0)
}

/// Tries whether the model that answers says a word at all.
pub(super) async fn try_words_of_replies(app: &App, asker: &Asker, report: &mut CheckReport) {
    let role = Role::Response;
    if app.config.agents.get(role).model_id != ModelId::Builtin {
        report.add(ModelTrial::new(app, asker, role, &app.proxies()).try_words().await.0);
    }
}

fn same_agent(one: &AgentConfig, other: &AgentConfig) -> bool {
    one.model_id == other.model_id && one.client_args == other.client_args && one.params == other.params
}

/// A role's model, and what it is tried with.
pub(super) struct ModelTrial<'a> {
    pub(super) app: &'a App,
    pub(super) asker: &'a Asker,
    role: Role,
    agent: &'a AgentConfig,
    pub(super) subject: String,
    pub(super) language: Language,
    proxies: &'a Proxies,
    pub(super) clock: &'a dyn Clock,
}

#[derive(Deserialize)]
struct Ready {
    ready: bool,
}

impl<'a> ModelTrial<'a> {
    fn new(app: &'a App, asker: &'a Asker, role: Role, proxies: &'a Proxies) -> Self {
        let agent = app.config.agents.get(role);
        let subject = format!("agents.{} ({})", role.as_str(), agent.model_id);
        let language = app.config.locale.language;
        Self { app, asker, role, agent, subject, language, proxies, clock: &*app.clock }
    }
}

impl ModelTrial<'_> {
    async fn try_everything(&self, max_tokens: usize, try_full: bool, report: &mut CheckReport) {
        let (words, thinks, memory) = self.try_words().await;
        let goes_on = words.fine;
        report.add(words);
        if !goes_on {
            return;
        }
        if let Some(finding) = memory {
            report.add(finding);
        }
        if let Some(finding) = self.note_low_limit(thinks) {
            report.add(finding);
        }
        match self.role {
            Role::Judgment => report.add(self.try_data().await),
            Role::Response => report.add(self.try_tools().await),
            Role::Memory => {}
        }
        if self.agent.vision {
            report.add(self.try_picture().await);
        }
        if try_full {
            report.add(self.try_full_prompt(max_tokens).await);
        }
    }

    /// Whether it answers at all, with a word or a memory; whether it thinks before that, by the number of its output
    /// tokens; and why its memory would not be kept.
    async fn try_words(&self) -> (Finding, bool, Option<Finding>) {
        let memory = if self.role == Role::Memory { self.request_for_memory() } else { None };
        let request = memory
            .as_ref()
            .map_or_else(|| self.text_request("Answer with the single word: ready"), Request::clone);
        let answer = self.ask_timed(&request).await;
        let refused = match (&memory, &answer) {
            (Some(request), Ok((answer, _))) => self.why_memory_refused(request, answer),
            _ => None,
        };
        let thinks = answer.as_ref().is_ok_and(|(answer, _)| {
            let words = u64::try_from(estimate_tokens(&answer.text)).unwrap_or(u64::MAX);
            !answer.usage.estimated && answer.usage.output > words.saturating_add(THOUGHT)
        });
        let finding = match answer {
            Ok((answer, took)) if answer.stop == StopReason::Refused => {
                let said = format!("refused to say a word, after {took}");
                self.wrong(said, "use another model, or look at its filters")
            }
            Ok((answer, took)) if answer.text.trim().is_empty() => {
                let said = match answer.stop {
                    StopReason::Length => "used all of its answer up for thoughts",
                    StopReason::End | StopReason::Tools | StopReason::Refused => "answered with nothing",
                };
                self.wrong(format!("{said}, after {took}"), self.thought_advice())
            }
            Ok((_, took)) => Finding::fine(&self.subject, format!("answers, within {took}")),
            Err(error) => self.failed(&error),
        };
        (finding, thinks, refused)
    }

    /// What helps where thoughts leave no room for words, with the switch that the model's server has.
    fn thought_advice(&self) -> String {
        let path = format!("agents.{}", self.role.as_str());
        let switch = match &self.agent.model_id {
            ModelId::Provider { provider, .. } => {
                myao_model::thinking_switch(provider, self.agent.client_args.api_base.is_some())
            }
            ModelId::Builtin => None,
        };
        let switch = switch.map(|switch| format!(", here {path}.params.{switch}")).unwrap_or_default();
        let limit = if self.agent.params.contains_key("max_tokens") && self.role != Role::Memory {
            format!("; and leave out {path}.params.max_tokens, or raise it")
        } else {
            String::new()
        };
        format!("{}{switch}{limit}", less_thought(&path))
    }

    /// Notes a `max_tokens` that thinking may use up before the first word: it was often set for a model that does not
    /// think.
    fn note_low_limit(&self, thinks: bool) -> Option<Finding> {
        let ModelId::Provider { model, .. } = &self.agent.model_id else { return None };
        let applies = self.role != Role::Memory;
        let limit = myao_model::limit_too_low(model, &self.agent.params, thinks).filter(|_| applies)?;
        let path = format!("agents.{}", self.role.as_str());
        Some(Finding::noted(
            &self.subject,
            format!("thinks before it answers, and has {limit} tokens for both"),
            format!(
                "leave out {path}.params.max_tokens, or raise it: an answer may end before its first word"
            ),
        ))
    }

    async fn try_data(&self) -> Finding {
        let schema = json!({
            "type": "object", "properties": {"ready": {"type": "boolean"}},
            "required": ["ready"], "additionalProperties": false
        });
        let mut request = self.text_request("Are you ready? Answer with {\"ready\": true}.");
        request.form = ResponseFormat::Data { name: "check", schema, means: DataMode::Schema };
        match self.asker.ask_for_json::<Ready>(&request, &CallSubject::default()).await {
            Ok(data) => {
                let tries = data.records.len();
                let repaired = if tries > 1 { ", after it was asked again" } else { "" };
                let ready = if data.value.ready { "" } else { " (it says that it is not ready)" };
                Finding::fine(&self.subject, format!("gives structured data{repaired}{ready}"))
            }
            Err(AskError::Model {
                error: ModelError::Invalid(why) | ModelError::Unsupported(why), ..
            }) => {
                let advice = "judgments need structured data: use a model that follows a JSON schema";
                self.wrong(format!("gives no structured data: {why}"), advice)
            }
            Err(error) => self.failed(&error),
        }
    }

    async fn try_tools(&self) -> Finding {
        let parameters = json!({
            "type": "object", "properties": {"city": {"type": "string"}},
            "required": ["city"], "additionalProperties": false
        });
        let spec = ToolSpec {
            name: "weather".to_owned(),
            description: "The weather in a city, now.".to_owned(),
            parameters,
        };
        let request =
            self.text_request("What is the weather in Sapporo? Use the tool, then answer in one sentence.");
        let tools = Toolbox { specs: vec![spec], run: &weather_tool, must_answer: false, show: None };
        match self.asker.converse_with_tools(&request, &CallSubject::default(), &tools).await {
            Ok(done) if done.used.is_empty() => {
                let advice = "it will answer without memos, recall and the web: use a model that knows tools";
                self.wrong("was offered a tool and did not use it", advice)
            }
            Ok(_) => Finding::fine(&self.subject, "uses tools"),
            Err(AskError::Model { error: ModelError::Unsupported(why), .. }) => {
                let advice = "use a model that knows tools, or it can look nothing up";
                self.wrong(format!("knows no tools: {why}"), advice)
            }
            Err(error) => self.failed(&error),
        }
    }

    /// Whether it reads a prompt of full length: local servers often cut a long one silently, so it is asked for a word
    /// at the beginning.
    async fn try_full_prompt(&self, max_tokens: usize) -> Finding {
        let mut filler = String::new();
        for first in (0..).step_by(20) {
            if estimate_tokens(&filler) + ASIDE >= max_tokens {
                break;
            }
            let lamp = |n| format!("{n}. The lamp in corridor {n} was looked at and works.\n");
            filler.extend((first..first + 20).map(lamp));
        }
        let question = "Which word were you told at the very beginning? Answer with that word only.";
        let mut request = self.text_request(&format!("{filler}\n{question}"));
        request.system = format!("The word is {WORD}.");
        request.turns.insert(0, Turn::User(format!("Keep in mind: the word is {WORD}.")));
        request.turns.insert(
            1,
            Turn::Assistant { text: "I will.".to_owned(), calls: Vec::new(), thoughts: Vec::new() },
        );
        let advice =
            "lower prompt.max_tokens, or give the model a larger context (for Ollama params.num_ctx)";
        match self.ask_timed(&request).await {
            Ok((answer, took)) if answer.text.to_lowercase().contains(WORD) => {
                Finding::fine(&self.subject, format!("reads a prompt of {max_tokens} tokens, within {took}"))
            }
            Ok(_) => {
                self.wrong(format!("does not know the beginning of a prompt of {max_tokens} tokens"), advice)
            }
            Err(AskError::Model { error: ModelError::TooLong(why), .. }) => {
                self.wrong(format!("does not take a prompt of {max_tokens} tokens: {why}"), advice)
            }
            Err(error) => self.failed(&error),
        }
    }

    pub(super) fn text_request(&self, text: &str) -> Request {
        Request {
            system: "You are being tried out. Be brief.".to_owned(),
            turns: vec![Turn::User(text.to_owned())],
            target_tokens: self.target_tokens(),
            ..Request::new(self.role, "check", self.language)
        }
    }

    /// The length that the role asks for, in tokens.
    fn target_tokens(&self) -> u32 {
        match self.role {
            Role::Response => REPLY_TOKENS,
            Role::Judgment => VERDICT_TOKENS,
            Role::Memory => self.app.config.memory.short_term_summary_max_tokens,
        }
    }

    async fn ask_timed(&self, request: &Request) -> Result<(myao_core::ports::Response, String), AskError> {
        let began = self.clock.now();
        let answer = self.asker.ask(request, CallSubject::default()).await?;
        Ok((answer.response, self.time_taken(began)))
    }

    /// How long it took since then, in words.
    pub(super) fn time_taken(&self, began: Timestamp) -> String {
        format!("{:.1} s", self.clock.now().duration_since(began).as_secs_f64())
    }

    pub(super) fn wrong(&self, text: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding::wrong(&self.subject, text, advice)
    }

    pub(super) fn failed(&self, error: &AskError) -> Finding {
        let path = format!("agents.{}", self.role.as_str());
        let advice = match error.model_error() {
            Some(ModelError::Unauthorised(_)) => self.key_advice(&path),
            Some(ModelError::NoSuchModel(_)) => {
                format!(
                    "look at {path}.model_id: as the provider writes the model's name, and open to this key"
                )
            }
            Some(ModelError::Unavailable(_)) => self.reach_advice(&path),
            Some(ModelError::Timeout(_)) => {
                format!("raise {path}.client_args.timeout, or use a faster model")
            }
            Some(ModelError::Limited { .. }) => "the key's limit is reached: wait, or raise it".to_owned(),
            Some(ModelError::Spent(_)) => {
                "raise the budget where the key comes from (the provider's account, or the gateway), or wait until \
                 it begins anew"
                    .to_owned()
            }
            Some(ModelError::WrongAddress(_)) => {
                format!("look at {path}.client_args.api_base: docs/models.md shows what it is for each provider")
            }
            Some(ModelError::TooLong(_)) => "lower prompt.max_tokens".to_owned(),
            Some(ModelError::Unsupported(_) | ModelError::Rejected(_)) => {
                format!("look at {path}.params: not every model takes every one")
            }
            Some(ModelError::Invalid(_)) => {
                format!("is there a model's interface at {path}.client_args.api_base, or a proxy's page?")
            }
            None => String::new(),
        };
        self.wrong(error.to_string(), advice)
    }

    /// Advice when the provider cannot be reached.
    fn reach_advice(&self, path: &str) -> String {
        let own = match &self.agent.model_id {
            ModelId::Provider { provider, .. } => myao_model::address_of_server(provider),
            ModelId::Builtin => None,
        };
        let server = self.agent.client_args.api_base.as_deref().or(own);
        match server.and_then(|server| self.proxies.of(server)) {
            Some(proxy) => format!(
                "it is asked through the proxy that {} names: is that up, and does it let this through? NO_PROXY \
                 names what is asked without it. Is the provider up, and is {path}.client_args.api_base right?",
                proxy.variable
            ),
            None => format!(
                "is the provider up, does this machine reach it (it is asked without a proxy), and is \
                 {path}.client_args.api_base right?"
            ),
        }
    }

    fn key_advice(&self, path: &str) -> String {
        let variable = match &self.agent.model_id {
            ModelId::Provider { provider, .. } => myao_model::key_variable(provider),
            ModelId::Builtin => None,
        };
        let usually = variable.map(|name| format!(", usually ${{{name}}}")).unwrap_or_default();
        format!("look at {path}.client_args.api_key{usually}")
    }
}

fn weather_tool<'a>(_call: ToolCall) -> BoxFuture<'a, ToolResult> {
    Box::pin(async { Ok("Snow, -3 degrees.".to_owned()) })
}
