//! What the app in Slack is asked for, and what its token lacks.

use myao_config::{Config, Feedback};
use myao_slack::manifest::{OptionalFeatures, Scope, missing_scopes, wanted_scopes};

/// What of a configuration takes scopes, events or fields of the app's manifest.
pub fn features_switched_on(config: &Config) -> OptionalFeatures {
    OptionalFeatures {
        reactions: config.response.reactions,
        files: config.agents.response.vision,
        commands: config.slack.commands,
        home: config.slack.home,
        agent_view: config.slack.agent_view,
        votes: config.response.feedback != Feedback::Never,
    }
}

/// Logs in one line what the token lacks for what is switched on, and what does not work because of it; nothing where
/// Slack does not tell its scopes. It goes on all the same.
pub(super) fn log_missing_scopes(config: &Config, granted: Option<Vec<String>>) {
    let Some(granted) = granted else { return };
    let missing = missing_scopes(&wanted_scopes(features_switched_on(config)), &granted);
    if missing.is_empty() {
        return;
    }
    let list: Vec<String> = missing.iter().map(in_words).collect();
    let line = format!(
        "the app in Slack lacks {}. `myao setup slack --print` makes its manifest, docs/slack.md says where to paste it",
        list.join("; ")
    );
    if missing.iter().all(|scope| scope.is_optional) {
        tracing::info!("{line}");
    } else {
        tracing::warn!("{line}");
    }
}

fn in_words(scope: &Scope) -> String {
    let Scope { name, without, is_optional } = scope;
    let mark = if *is_optional { " (optional)" } else { "" };
    format!("the scope `{name}`{mark}: {without}")
}
