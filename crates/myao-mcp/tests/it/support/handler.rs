//! A server with three tools and a resource that changes.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use myao_mcp::transport::{refuse_unknown_request, token_of};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
        ListToolsResult, PaginatedRequestParams, ResourceUpdatedNotificationParam, ServerCapabilities,
        ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, broadcast};

/// The resource that changes.
pub(crate) const RESOURCE: &str = "test://one";

/// What all servers of a world share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// A permit for each call of `wait` that may end.
    pub(crate) gate: Arc<Semaphore>,
    /// How many calls of `wait` have begun.
    pub(crate) begun: Arc<AtomicUsize>,
    /// How many subscriptions have ended.
    pub(crate) ended: Arc<AtomicUsize>,
    pub(crate) changes: broadcast::Sender<()>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            gate: Arc::new(Semaphore::new(0)),
            begun: Arc::default(),
            ended: Arc::default(),
            changes: broadcast::channel(16).0,
        }
    }
}

/// The server.
pub(crate) struct Echo(Shared);

impl Echo {
    pub(crate) fn new(shared: &Shared) -> Self {
        Self(shared.clone())
    }
}

fn said(text: &str) -> CallToolResponse {
    let result = json!({"content": [{"type": "text", "text": text}], "resultType": "complete"});
    let result: Result<CallToolResult, _> = serde_json::from_value(result);
    CallToolResponse::Complete(result.expect("a result"))
}

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .enable_resources_subscribe()
                .build(),
        )
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool =
            |name: &str| json!({"name": name, "description": "A tool.", "inputSchema": {"type": "object"}});
        let tools: Vec<Value> = ["say", "wait", "who"].map(tool).to_vec();
        Ok(serde_json::from_value(json!({"tools": tools, "resultType": "complete"})).expect("a list"))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*call.name {
            "say" => Ok(said("said")),
            "who" => Ok(said(token_of(&context.extensions).map_or("nobody", |token| &token.name))),
            "wait" => {
                self.0.begun.fetch_add(1, Ordering::SeqCst);
                self.0.gate.acquire().await.expect("a gate").forget();
                Ok(said("waited"))
            }
            name => Err(ErrorData::invalid_params(format!("there is no tool {name:?}"), None)),
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.0.changes.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => break,
                change = changes.recv() => {
                    if change.is_err() || context.sink().notify_resource_updated(RESOURCE).await.is_err() {
                        break;
                    }
                }
            }
        }
        self.0.ended.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    async fn subscribe(
        &self,
        wanted: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let mut changes = self.0.changes.subscribe();
        tokio::spawn(async move {
            while changes.recv().await.is_ok() {
                let told = ResourceUpdatedNotificationParam::new(wanted.uri.clone());
                if context.peer.notify_resource_updated(told).await.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(refuse_unknown_request(&request, &context))
    }
}
