//! The tools: what agents are told of them, and which function answers which.

mod brief;
mod chat_clients;
mod correct;
mod forget;
mod get;
mod missed;
mod open;
mod people;
mod remember;
mod search;

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub(crate) use self::{
    brief::{BriefAnswer, BriefToolArgs, brief},
    get::whole_item,
};
use crate::{access::MemoryAccess, caller::AgentCaller, failure::ToolFailure};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryTool {
    Search,
    Get,
    Brief,
    People,
    Missed,
    Open,
    Remember,
    Correct,
    Forget,
    ClientSearch,
    ClientFetch,
}

/// All tools, in the order in which they are listed.
pub(crate) const TOOLS: [MemoryTool; 11] = [
    MemoryTool::Search,
    MemoryTool::Get,
    MemoryTool::Brief,
    MemoryTool::People,
    MemoryTool::Missed,
    MemoryTool::Open,
    MemoryTool::Remember,
    MemoryTool::Correct,
    MemoryTool::Forget,
    MemoryTool::ClientSearch,
    MemoryTool::ClientFetch,
];

/// What a tool does to what is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolEffect {
    Reads,
    Adds,
    Replaces,
    Removes,
}

impl MemoryTool {
    /// The tool of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        TOOLS.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Search => "memory_search",
            Self::Get => "memory_get",
            Self::Brief => "memory_brief",
            Self::People => "memory_people",
            Self::Missed => "memory_missed",
            Self::Open => "memory_open",
            Self::Remember => "memory_remember",
            Self::Correct => "memory_correct",
            Self::Forget => "memory_forget",
            Self::ClientSearch => "search",
            Self::ClientFetch => "fetch",
        }
    }

    /// The key of its description's phrase.
    const fn description(self) -> &'static str {
        match self {
            Self::Search => "mcp-search",
            Self::Get => "mcp-get",
            Self::Brief => "mcp-brief",
            Self::People => "mcp-people",
            Self::Missed => "mcp-missed",
            Self::Open => "mcp-open",
            Self::Remember => "mcp-remember",
            Self::Correct => "mcp-correct",
            Self::Forget => "mcp-forget",
            Self::ClientSearch => "mcp-client-search",
            Self::ClientFetch => "mcp-client-fetch",
        }
    }

    /// The key of its title's phrase.
    const fn title(self) -> &'static str {
        match self {
            Self::Search => "mcp-search-title",
            Self::Get => "mcp-get-title",
            Self::Brief => "mcp-brief-title",
            Self::People => "mcp-people-title",
            Self::Missed => "mcp-missed-title",
            Self::Open => "mcp-open-title",
            Self::Remember => "mcp-remember-title",
            Self::Correct => "mcp-correct-title",
            Self::Forget => "mcp-forget-title",
            Self::ClientSearch => "mcp-client-search-title",
            Self::ClientFetch => "mcp-client-fetch-title",
        }
    }

    const fn effect(self) -> ToolEffect {
        match self {
            Self::Search
            | Self::Get
            | Self::Brief
            | Self::People
            | Self::Missed
            | Self::Open
            | Self::ClientSearch
            | Self::ClientFetch => ToolEffect::Reads,
            Self::Remember => ToolEffect::Adds,
            Self::Correct => ToolEffect::Replaces,
            Self::Forget => ToolEffect::Removes,
        }
    }

    /// Whether a caller is offered it: what writes only to whoever may write.
    pub(crate) fn is_for(self, caller: &AgentCaller) -> bool {
        self.effect() == ToolEffect::Reads || caller.token.may_write
    }

    /// What agents are told of it.
    pub(crate) fn described(self, access: &MemoryAccess) -> Tool {
        let effect = self.effect();
        let title = access.phrase(self.title());
        let annotations = ToolAnnotations::from_raw(
            Some(title.to_owned()),
            Some(effect == ToolEffect::Reads),
            Some(matches!(effect, ToolEffect::Replaces | ToolEffect::Removes)),
            Some(effect != ToolEffect::Replaces),
            Some(false),
        );
        let (input, output) = match self {
            Self::Search => schemas::<search::SearchToolArgs, search::SearchAnswer>(),
            Self::Get => schemas::<get::GetToolArgs, get::GetAnswer>(),
            Self::Brief => schemas::<BriefToolArgs, BriefAnswer>(),
            Self::People => schemas::<people::PeopleToolArgs, people::PeopleAnswer>(),
            Self::Missed => schemas::<missed::MissedToolArgs, missed::MissedAnswer>(),
            Self::Open => schemas::<open::OpenToolArgs, open::OpenAnswer>(),
            Self::Remember => schemas::<remember::RememberToolArgs, remember::RememberAnswer>(),
            Self::Correct => schemas::<correct::CorrectToolArgs, correct::CorrectAnswer>(),
            Self::Forget => schemas::<forget::ForgetToolArgs, forget::ForgetAnswer>(),
            Self::ClientSearch => {
                schemas::<chat_clients::ClientSearchToolArgs, chat_clients::ClientSearchAnswer>()
            }
            Self::ClientFetch => schemas::<chat_clients::FetchToolArgs, chat_clients::FetchAnswer>(),
        };
        Tool::new(self.name(), access.phrase(self.description()), input)
            .with_title(title)
            .with_raw_output_schema(output)
            .with_annotations(annotations)
    }

    /// Uses it.
    pub(crate) async fn call(
        self,
        access: &MemoryAccess,
        caller: &AgentCaller,
        arguments: JsonObject,
    ) -> Result<Value, ToolFailure> {
        match self {
            Self::Search => answer(arguments, |args| search::search(access, caller, args)).await,
            Self::Get => answer(arguments, |args| get::get(access, caller, args)).await,
            Self::Brief => answer(arguments, |args| brief(access, caller, args)).await,
            Self::People => answer(arguments, |args| people::people(access, caller, args)).await,
            Self::Missed => answer(arguments, |args| missed::missed(access, caller, args)).await,
            Self::Open => answer(arguments, |args| open::open(access, caller, args)).await,
            Self::Remember => answer(arguments, |args| remember::remember(access, caller, args)).await,
            Self::Correct => answer(arguments, |args| correct::correct(access, caller, args)).await,
            Self::Forget => answer(arguments, |args| forget::forget(access, caller, args)).await,
            Self::ClientSearch => {
                answer(arguments, |args| chat_clients::client_search(access, caller, args)).await
            }
            Self::ClientFetch => {
                answer(arguments, |args| chat_clients::client_fetch(access, caller, args)).await
            }
        }
    }
}

/// Reads the arguments strictly, so that a mistake is told and nothing is dropped in silence; then answers.
async fn answer<A, O, F>(arguments: JsonObject, run: impl FnOnce(A) -> F) -> Result<Value, ToolFailure>
where
    A: DeserializeOwned,
    O: Serialize,
    F: Future<Output = Result<O, ToolFailure>>,
{
    let arguments = A::deserialize(Value::Object(arguments))
        .map_err(|error| ToolFailure::told(format!("the arguments are not as described: {error}")))?;
    let answer = run(arguments).await?;
    serde_json::to_value(answer).map_err(|error| ToolFailure::told(error.to_string()))
}

/// The schemas of arguments and of results. Both come from the types that are read and written, and have an object at
/// their root.
fn schemas<A: JsonSchema, O: JsonSchema>() -> (Arc<JsonObject>, Arc<JsonObject>) {
    (Arc::new(schema_of::<A>()), Arc::new(schema_of::<O>()))
}

fn schema_of<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = schema.as_object().cloned().unwrap_or_default();
    // The name of a type of ours tells nobody anything.
    object.remove("title");
    object
}
