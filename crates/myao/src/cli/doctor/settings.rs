//! The settings that are numbers, switches or words of ours. Of everything else only whether it is set.

use myao_config::{AgentConfig, Config, LogFormat, ModelId};

use super::Report;
use crate::app::ROLES;

/// The providers by their names. Any other text in a model's name may be a path or an address of somebody.
const PROVIDERS: [&str; 12] = [
    "openai",
    "anthropic",
    "gemini",
    "azure",
    "ollama",
    "openrouter",
    "vertex",
    "bedrock",
    "mistral",
    "deepseek",
    "groq",
    "xai",
];

fn set(is_set: bool) -> &'static str {
    if is_set { "set" } else { "not set" }
}

fn on(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

/// Writes the settings.
pub(super) fn write_settings(report: &mut Report, config: &Config) {
    report.line("locale.language", config.locale.language.as_str());
    report.line("locale.timezone", config.locale.timezone.iana_name().unwrap_or("of its own"));
    for role in ROLES {
        report.line(&format!("agents.{}", role.as_str()), agent_in_words(config.agents.get(role)));
    }
    report.line("recall.embeddings", set(config.embeddings.is_some()));
    let slack = &config.slack;
    report.line(
        "slack tokens",
        format_args!("bot {}, app {}", set(slack.bot_token.is_some()), set(slack.app_token.is_some())),
    );
    report.line(
        "slack",
        format_args!(
            "backfill_days {}, recheck_hours {}, commands {}, home {}, agent_view {}, {} owners",
            slack.backfill_days,
            slack.recheck_hours,
            on(slack.commands),
            on(slack.home),
            on(slack.agent_view),
            slack.owners.len()
        ),
    );
    let response = &config.response;
    report.line(
        "response",
        format_args!(
            "min_wait_seconds {}, max_message_age_seconds {}, message_limit {}, reactions {}, stream {}, feedback {}",
            response.min_wait_seconds,
            response.max_message_age_seconds,
            response.message_limit,
            on(response.reactions),
            on(response.stream),
            response.feedback.as_str()
        ),
    );
    let memory = &config.memory;
    report.line(
        "memory",
        format_args!(
            "history {}, message_threshold {}, conversation_idle_seconds {}, long-term {} tokens, short-term {} tokens",
            on(memory.history.enabled),
            memory.history.message_threshold,
            memory.history.conversation_idle_seconds,
            memory.long_term_summary_max_tokens,
            memory.short_term_summary_max_tokens
        ),
    );
    let prompt = &config.prompt;
    report.line(
        "prompt",
        format_args!(
            "max_tokens {}, recall_tokens {}, own files {}",
            prompt.max_tokens,
            prompt.recall_tokens,
            set(prompt.dir.is_some())
        ),
    );
    write_rest(report, config);
}

fn write_rest(report: &mut Report, config: &Config) {
    let privacy = &config.privacy;
    report.line(
        "privacy",
        format_args!(
            "archive_days {}, recordings_days {}, mask_archive {}, never_remember {} people and {} channels",
            set(privacy.archive_days.is_some()),
            set(privacy.recordings_days.is_some()),
            on(privacy.mask_archive),
            privacy.never_remember.users.len(),
            privacy.never_remember.channels.len()
        ),
    );
    report.line("budget.daily_tokens", set(config.budget.daily_tokens.is_some()));
    report.line("budget.prices", config.budget.prices.len());
    report.line(
        "tools",
        format_args!(
            "web_fetch {}, web_search {}",
            on(config.tools.web_fetch.enabled),
            on(config.tools.web_search.is_on())
        ),
    );
    report.line("quiet hours", set(config.quiet_hours.is_some()));
    report.line(
        "pages",
        format_args!(
            "{}, password {}",
            on(config.web.listen.is_some()),
            set(config.web.access.wants_password())
        ),
    );
    report.line("mcp", on(config.mcp.enabled));
    report.line("telemetry.metrics", on(config.telemetry.metrics));
    let format = match config.logging.format {
        LogFormat::Full => "full",
        LogFormat::Compact => "compact",
        LogFormat::Json => "json",
    };
    report.line(
        "logging",
        format_args!("{format}, recordings of models {}", on(config.logging.debug_llm_messages)),
    );
    report.line("shutdown_seconds", config.shutdown_seconds);
}

fn agent_in_words(agent: &AgentConfig) -> String {
    let model = match &agent.model_id {
        ModelId::Builtin => "builtin".to_owned(),
        ModelId::Provider { provider, .. } => {
            let known = PROVIDERS.iter().find(|known| *known == provider);
            format!("a model of {}", known.unwrap_or(&"another provider"))
        }
    };
    let args = &agent.client_args;
    format!(
        "{model}, key {}, address of its own {}, instructions {}, images {}",
        set(args.api_key.is_some()),
        set(args.api_base.is_some()),
        set(!agent.system_prompt.is_empty()),
        on(agent.vision)
    )
}
