//! The server of the Model Context Protocol: what it says of itself, and how requests reach tools, resources and prompts.

use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};
use myao_companion::{ask::Asker, by_hand::HandWriter, conversations::Conversations};
use myao_config::Config;
use myao_core::{
    chat::{AgentToken, ChannelId, Mentions, MessageTs, Visibility},
    ports::Clock,
    text::{Language, phrase},
};
use myao_store::{QuestionVector, Store, StoreError};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
        GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use tokio::sync::{Mutex, MutexGuard};

use crate::{
    caller::Caller,
    failure::ToolFailure,
    items::{ItemStyle, ItemWriter},
    prompts, resources,
    subscriptions::{self, Session, SessionSubscriptions},
    tools::{MemoryTool, TOOLS},
};

/// How long clients may keep the list of tools, in milliseconds: it changes with the token and with a new version alone.
const LIST_FRESH_MS: u64 = 3_600_000;

/// How a chat addresses a message: made from the address of the workspace, the channel, the time stamp and the thread.
pub type MessageLink = fn(&str, &ChannelId, MessageTs, Option<MessageTs>) -> Option<String>;

/// What a [`MemoryServer`] is built from.
pub struct MemoryServerParts {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Turns questions into vectors, if a model of embeddings is configured.
    pub asker: Option<Asker>,
    /// How the chat addresses its messages.
    pub link: MessageLink,
}

/// Gives other agents the memory, each through the visibility of its token.
#[derive(Clone)]
pub struct MemoryServer {
    parts: Arc<MemoryServerParts>,
    /// Held while something is stored in a conversation, so that what one process stores keeps its order.
    storing: Arc<Mutex<()>>,
    /// What the client of this session wants to be told of, if it is an older one.
    subscribed: Arc<Mutex<SessionSubscriptions>>,
}

impl MemoryServer {
    /// Puts the parts together.
    pub fn new(parts: MemoryServerParts) -> Self {
        Self { parts: Arc::new(parts), storing: Arc::default(), subscribed: Arc::default() }
    }

    /// The same server for another session, whose subscriptions are its own.
    #[must_use]
    pub fn for_session(&self) -> Self {
        Self { subscribed: Arc::default(), ..self.clone() }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.parts.store
    }

    pub(crate) fn config(&self) -> &Config {
        &self.parts.config
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.parts.clock
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.parts.config.locale.timezone
    }

    pub(crate) fn language(&self) -> Language {
        self.parts.config.locale.language
    }

    /// A text for agents, in the language of the configuration.
    pub(crate) fn phrase(&self, key: &'static str) -> &'static str {
        phrase(self.language(), key)
    }

    pub(crate) fn hand(&self) -> HandWriter<'_> {
        HandWriter {
            store: self.store(),
            clock: self.clock(),
            target_tokens: self.parts.config.memory.long_term_summary_max_tokens,
        }
    }

    pub(crate) fn conversations<'a>(&'a self, agent: &'a AgentToken) -> Conversations<'a> {
        Conversations { store: self.store(), clock: self.clock(), agent }
    }

    pub(crate) async fn one_at_a_time(&self) -> MutexGuard<'_, ()> {
        self.storing.lock().await
    }

    pub(crate) async fn meaning_of(&self, words: &str) -> Option<QuestionVector> {
        match &self.parts.asker {
            Some(asker) => asker.meaning_of(words).await,
            None => None,
        }
    }

    pub(crate) async fn writer(
        &self,
        visibility: &Visibility,
        mentions: &Mentions,
    ) -> Result<ItemWriter, StoreError> {
        let style = ItemStyle { zone: self.zone(), language: self.language(), link: self.parts.link };
        ItemWriter::new(self.store(), visibility, mentions, style).await
    }

    /// Who makes a request, and what they see now.
    pub(crate) async fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ToolFailure> {
        Caller::of_request(self.store(), context).await
    }

    /// The same, where only an error of the protocol can say that there is none.
    async fn caller_or_error(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
        self.caller(context).await.map_err(|failure| as_error(failure, "a request"))
    }
}

/// A failure as an error of the protocol.
pub(crate) fn as_error(failure: ToolFailure, of: &str) -> ErrorData {
    match &failure {
        ToolFailure::Told(_) => ErrorData::invalid_params(failure.into_words(of), None),
        ToolFailure::Store(_) => ErrorData::internal_error(failure.into_words(of), None),
    }
}

impl ServerHandler for MemoryServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .build();
        let about = Implementation::new("myao", env!("CARGO_PKG_VERSION")).with_title("myao");
        ServerConfig::new(capabilities)
            .with_server_info(about)
            .with_instructions(self.phrase("mcp-instructions"))
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let info = self.get_info();
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::new(versions, info.capabilities)
            .with_server_info(info.server_info)
            .with_ttl_ms(LIST_FRESH_MS)
            .with_cache_scope(CacheScope::Public);
        result.instructions = info.instructions;
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        let tools = TOOLS.into_iter().filter(|tool| tool.is_for(&caller)).map(|tool| tool.described(self));
        // Which tools there are depends on the token.
        Ok(ListToolsResult::with_all_items(tools.collect())
            .with_ttl_ms(LIST_FRESH_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = MemoryTool::named(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        };
        let called = async {
            let caller = self.caller(&context).await?;
            tool.call(self, &caller, request.arguments.unwrap_or_default()).await
        };
        let result = match called.await {
            Ok(value) => CallToolResult::structured(value),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.into_words(tool.name()))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        resources::list(self, &caller, request).await.map_err(|failure| as_error(failure, "resources/list"))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates(self).with_ttl_ms(LIST_FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        let read = resources::read(self, &caller, &request.uri).await;
        let read = read.map_err(|failure| as_error(failure, "resources/read"))?;
        let missing =
            || ErrorData::resource_not_found(format!("nothing is found under {}", request.uri), None);
        Ok(read.ok_or_else(missing)?.into())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(subscriptions::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        subscriptions::listen(self, context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let token = self.caller_or_error(&context).await?.token;
        let session = Session { peer: context.peer, token };
        self.subscribed.lock().await.subscribe(self, request.uri, session)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().await.unsubscribe(&request.uri);
        Ok(())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![prompts::brief(self)])
            .with_ttl_ms(LIST_FRESH_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        let written = prompts::get(self, &caller, request).await;
        Ok(written.map_err(|failure| as_error(failure, "prompts/get"))?.into())
    }
}
