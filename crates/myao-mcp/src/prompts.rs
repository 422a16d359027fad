//! Prompts that people start from their client: "brief me on #channel since Monday".

use rmcp::model::{GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::ToolFailure,
    resources::brief_as_text,
    tools::{BriefToolArgs, brief as brief_of_place},
};

const BRIEF: &str = "brief";

/// The one prompt there is, as clients are told of it.
pub(crate) fn brief(access: &MemoryAccess) -> Prompt {
    let argument =
        |name: &str, about: &'static str| PromptArgument::new(name).with_description(access.phrase(about));
    let arguments = vec![
        argument("place", "mcp-prompt-place").with_required(true),
        argument("since", "mcp-prompt-since").with_required(false),
    ];
    Prompt::new(BRIEF, Some(access.phrase("mcp-prompt-brief")), Some(arguments))
}

/// The prompt with what is remembered in it.
pub(crate) async fn get(
    access: &MemoryAccess,
    caller: &AgentCaller,
    request: GetPromptRequestParams,
) -> Result<GetPromptResult, ToolFailure> {
    if request.name != BRIEF {
        return Err(ToolFailure::told(format!("there is no prompt `{}`", request.name)));
    }
    let arguments = request.arguments.unwrap_or_default();
    let text = |name: &str| arguments.get(name).and_then(|value| value.as_str()).map(str::to_owned);
    let place = text("place").ok_or_else(|| ToolFailure::told("the prompt needs a `place`"))?;
    let args = BriefToolArgs { since: text("since"), ..BriefToolArgs::of_place(&place) };
    let told = brief_of_place(access, caller, args).await?;
    let words = format!("{}\n\n{}", access.phrase("mcp-prompt-words"), brief_as_text(access, &told));
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, words)])
        .with_description(access.phrase("mcp-prompt-brief")))
}
