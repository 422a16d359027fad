//! The server: its lists are a file, and what it answers to calls is in `tools` and `inputs`.

#![expect(deprecated, reason = "the older era has calls of its own")]

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
        CustomResult, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
        ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
        UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{changes, changes::Changes, inputs, tools};

/// A red point.
pub(crate) const IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

/// What the server offers.
#[derive(Clone, Default)]
pub(crate) struct Fixture {
    pub(crate) changes: Changes,
}

impl Fixture {
    /// The same server, for another session.
    pub(crate) fn for_session(&self) -> Self {
        Self { changes: self.changes.for_session() }
    }
}

/// A value of the protocol, from JSON.
pub(crate) fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// One of the lists that are offered, under its own key.
fn offered<T: DeserializeOwned>(list: &str) -> Result<T, ErrorData> {
    let all: Value = serde_json::from_str(include_str!("offers.json"))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let list_alone =
        json!({list: all.get(list), "resultType": "complete", "ttlMs": 60_000, "cacheScope": "private"});
    made(list_alone)
}

fn resource(uri: &str) -> Option<Value> {
    let text = |text: String| json!({"uri": uri, "mimeType": "text/plain", "text": text});
    match uri {
        "test://static-text" => Some(text("This is the content of the static text resource.".to_owned())),
        "test://static-binary" => Some(json!({"uri": uri, "mimeType": "image/png", "blob": IMAGE})),
        "test://watched-resource" => Some(text("Watched.".to_owned())),
        "test://notes/%E8%A8%98%E9%8C%B2" => Some(text("記録です。".to_owned())),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Some(json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()}))
        }
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("fixture", "1.0.0"))
            .with_instructions("A server for tests: nothing that it says means anything.")
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        offered("tools")
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let all: ListToolsResult = offered("tools").ok()?;
        all.tools.into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match inputs::needed(&call, &context)? {
            Some(response) => Ok(response),
            None => tools::call(self, call, context).await.map(CallToolResponse::Complete),
        }
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        offered("resources")
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        offered("resourceTemplates")
    }

    async fn read_resource(
        &self,
        wanted: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(contents) = resource(&wanted.uri) else {
            return Err(ErrorData::resource_not_found(
                "there is no such resource",
                Some(json!({"uri": wanted.uri})),
            ));
        };
        let read =
            json!({"contents": [contents], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"});
        made::<ReadResourceResult>(read).map(ReadResourceResponse::Complete)
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        offered("prompts")
    }

    async fn get_prompt(
        &self,
        wanted: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        inputs::prompt(&wanted)
    }

    async fn complete(
        &self,
        _wanted: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        made(
            json!({"completion": {"values": ["one", "two"], "total": 2, "hasMore": false}, "resultType": "complete"}),
        )
    }

    async fn set_level(
        &self,
        _level: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(changes::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.changes.stream_to(&context).await;
        Ok(())
    }

    async fn subscribe(
        &self,
        wanted: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.changes.watch(wanted.uri, context.peer);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        wanted: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.changes.unwatch(&wanted.uri);
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(myao_mcp::transport::refuse_unknown_request(&request, &context))
    }
}
