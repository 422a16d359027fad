//! Gives a model the tools that it may use before it answers (specification §4).
//!
//! Tools come in [`Kit`]s, each made for one answer: `memo`, `recall` and `web`. A kit says what its tools are, what
//! comes of using them ([`Effect`]), and carries their calls out; [`AnswerTools`] is all of them together. No tool
//! writes anything but memos, and what a tool gives back is data: whatever it says, it gives no orders.
//!
//! Nothing is changed that those who ask did not want (ADR 34): [`AnswerTools::run`] is the one place where tools are
//! used, and asks the answer's [`Mandate`] first. A reaction is no tool: it is an answer, to the message it answers
//! (ADR 25).

mod description;
pub mod memo;
pub mod recall;
pub mod web;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt as _;
use myao_core::{
    context::memo::HIGHEST_PRIORITY,
    mandate::{Intent, Mandate, Origins, Outside},
    ports::{BoxFuture, ToolCall, ToolSpec},
    prompt::Prompt,
    text::{Language, estimate_tokens},
};
use serde_json::Value;

use self::web::WebTools;
use crate::ask::ToolResult;

/// What comes of using a tool. There is no default: every tool has to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It looks at what is kept here, which was let in when it was written.
    Looks,
    /// It brings words from outside: pages, search results, files, what other bots said.
    Brings,
    /// It changes something that outlives the answer.
    Changes {
        /// What for: those who ask have to say so, once words from outside are in view.
        intent: Intent,
        /// Arguments that say how, not what. All others have to stand in people's words then.
        settings: &'static [&'static str],
    },
}

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// What a model is told of it.
    pub spec: ToolSpec,
    /// What comes of using it.
    pub effect: Effect,
}

/// Tools that belong together, for one answer.
pub struct Kit {
    /// The tools.
    pub tools: Vec<Tool>,
    /// Carries out a call of one of them.
    pub run: Box<dyn Fn(ToolCall) -> BoxFuture<'static, ToolResult> + Send + Sync>,
}

/// Which of the words that a model was shown for one answer are the place's own, and which are other places': its tools
/// add to them what they show.
pub type SharedOrigins = Arc<tokio::sync::Mutex<Origins>>;

/// Makes a kit for the answer to a prompt.
pub type MakeKit = Arc<dyn Fn(&Prompt) -> Kit + Send + Sync>;

/// Estimated tokens of tools' descriptions. They are sent with every request.
pub fn estimate_specs(specs: &[ToolSpec]) -> usize {
    let price = |spec: &ToolSpec| {
        let parameters = estimate_tokens(&spec.parameters.to_string());
        estimate_tokens(&spec.name) + estimate_tokens(&spec.description) + parameters
    };
    specs.iter().map(price).sum()
}

/// The tools of a reply, as a model is told of them: memos, which are only read if nobody asked, recall, and the web.
pub fn specs_of_reply(language: Language, web: &WebTools, is_asked: bool) -> Vec<ToolSpec> {
    let highest = is_asked.then_some(HIGHEST_PRIORITY);
    let tools =
        [memo::tools_in_language(language, highest), recall::tools_in_language(language), web.tools()]
            .concat();
    tools.into_iter().map(|tool| tool.spec).collect()
}

/// All tools of one answer.
pub struct AnswerTools {
    kits: Vec<Kit>,
    mandate: Mutex<Mandate>,
}

impl AnswerTools {
    /// No tools yet, for an answer to people who want no more than `mandate`.
    pub fn new(mandate: Mandate) -> Self {
        Self { kits: Vec::new(), mandate: Mutex::new(mandate) }
    }

    /// Adds a kit.
    pub fn add(&mut self, kit: Kit) {
        self.kits.push(kit);
    }

    /// Removes all tools.
    pub fn clear(&mut self) {
        self.kits.clear();
    }

    /// What a model is told of the tools.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.kits.iter().flat_map(|kit| &kit.tools).map(|tool| tool.spec.clone()).collect()
    }

    /// Whether the model was shown anything but people's words, so far.
    pub fn is_mixed(&self) -> bool {
        self.mandate().is_mixed()
    }

    /// Carries out a call, unless it would change what those who ask did not want changed.
    ///
    /// Calls of one turn count in their order: words from outside that one of them brings are in view for those behind
    /// it.
    pub fn run(&self, call: ToolCall) -> BoxFuture<'static, ToolResult> {
        let of =
            |kit: &Kit| kit.tools.iter().find(|tool| tool.spec.name == call.name).map(|tool| tool.effect);
        let Some((kit, effect)) = self.kits.iter().find_map(|kit| Some((kit, of(kit)?))) else {
            return std::future::ready(Err(format!("there is no tool `{}`", call.name))).boxed();
        };
        match effect {
            Effect::Looks => {}
            Effect::Brings => self.mandate().enter(Outside::Tool),
            Effect::Changes { intent, settings } => {
                let words = words_of(&call.arguments, settings);
                if let Err(unwanted) = self.mandate().covers(intent, &words) {
                    tracing::info!(tool = call.name, "a tool is not used: nobody asked for that");
                    return std::future::ready(Err(unwanted.to_string())).boxed();
                }
            }
        }
        (kit.run)(call)
    }

    fn mandate(&self) -> MutexGuard<'_, Mandate> {
        self.mandate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything that the arguments of a call say, without those in `settings`.
fn words_of(arguments: &Value, settings: &[&str]) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => {
            values.iter().map(|value| words_of(value, &[])).collect::<Vec<_>>().join("\n")
        }
        Value::Object(fields) => {
            let said = fields.iter().filter(|(name, _)| !settings.contains(&name.as_str()));
            said.map(|(_, value)| words_of(value, &[])).collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) => String::new(),
    }
}
