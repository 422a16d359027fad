//! The server of the Model Context Protocol: what it says of itself, and how requests reach tools, resources and prompts.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
        CustomResult, DiscoverResult, GetPromptRequestParams, GetPromptResponse, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
        ServerConfig, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use tokio::sync::Mutex;

use crate::{
    access::{MemoryAccess, MemoryServerParts},
    caller::AgentCaller,
    failure::{ToolFailure, as_error},
    prompts, resources,
    subscriptions::{self, Session, SessionSubscriptions},
    tools::{MemoryTool, TOOLS},
    transport::refuse_unknown_request,
};

/// How long clients may keep the list of tools, in milliseconds: it changes with the token and with a new version alone.
const LIST_FRESH_MS: u64 = 3_600_000;

/// Gives other agents the memory, each through the visibility of its token.
#[derive(Clone)]
pub struct MemoryServer {
    access: MemoryAccess,
    /// What the client of this session wants to be told of, if it is an older one.
    subscribed: Arc<Mutex<SessionSubscriptions>>,
}

impl MemoryServer {
    /// Puts the parts together.
    pub fn new(parts: MemoryServerParts) -> Self {
        Self { access: MemoryAccess::new(parts), subscribed: Arc::default() }
    }

    /// The same server for another session, whose subscriptions are its own.
    #[must_use]
    pub fn for_session(&self) -> Self {
        Self { subscribed: Arc::default(), ..self.clone() }
    }

    /// Who makes a request, and what they see now.
    pub(crate) async fn caller(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<AgentCaller, ToolFailure> {
        AgentCaller::of_request(self.access.store(), context).await
    }

    /// The same, where only an error of the protocol can say that there is none.
    async fn caller_or_error(&self, context: &RequestContext<RoleServer>) -> Result<AgentCaller, ErrorData> {
        self.caller(context).await.map_err(|failure| as_error(failure, "a request"))
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
            .with_instructions(self.access.phrase("mcp-instructions"))
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
        let tools =
            TOOLS.into_iter().filter(|tool| tool.is_for(&caller)).map(|tool| tool.described(&self.access));
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
            tool.call(&self.access, &caller, request.arguments.unwrap_or_default()).await
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
        resources::list(&self.access, &caller, request)
            .await
            .map_err(|failure| as_error(failure, "resources/list"))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates(&self.access).with_ttl_ms(LIST_FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        let read = resources::read(&self.access, &caller, &request.uri).await;
        let read = read.map_err(|failure| as_error(failure, "resources/read"))?;
        let missing =
            || ErrorData::resource_not_found(format!("nothing is found under {}", request.uri), None);
        Ok(read.ok_or_else(missing)?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(refuse_unknown_request(&request, &context))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(subscriptions::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        subscriptions::listen(&self.access, context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let token = self.caller_or_error(&context).await?.token;
        let session = Session { peer: context.peer, token };
        self.subscribed.lock().await.subscribe(&self.access, request.uri, session)
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
        Ok(ListPromptsResult::with_all_items(vec![prompts::brief(&self.access)])
            .with_ttl_ms(LIST_FRESH_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = self.caller_or_error(&context).await?;
        let written = prompts::get(&self.access, &caller, request).await;
        Ok(written.map_err(|failure| as_error(failure, "prompts/get"))?.into())
    }
}
