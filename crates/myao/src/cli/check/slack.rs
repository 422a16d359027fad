//! Checks Slack: whether it can be reached, who we are there, and what our tokens may do. Nothing is posted and no
//! socket is opened.

use std::sync::Arc;

use myao_config::Secret;
use myao_core::ports::Clock;
use myao_slack::{
    api::{ApiError, Client, ClientSettings, Method, SlackToken},
    directory::Directory,
    manifest::{self, OptionalFeatures, Scope},
};

use super::{CheckReport, Failure, Finding};
use crate::{app::App, cli::failed_lookups};

const BOT: &str = "slack.bot_token";
const APP: &str = "slack.app_token";
const SCOPES: &str = "slack (scopes)";
/// The beginning of a bot token.
const BOT_BEGINS: &str = "xoxb-";
/// The beginning of an app-level token.
const APP_BEGINS: &str = "xapp-";
/// The beginning of a token that expires after twelve hours.
const ROTATED: &str = "xoxe";
/// Slack's errors when the app has to be installed again.
const REINSTALL: [&str; 4] = ["account_inactive", "app_not_installed", "token_expired", "token_revoked"];

/// Tries what a run needs of Slack.
pub(super) async fn try_slack_access(app: &App, report: &mut CheckReport) -> Result<(), Failure> {
    let slack = &app.config.slack;
    let (bot, app_level) = match (&slack.bot_token, &slack.app_token) {
        (Some(bot), Some(app_level)) => (bot, app_level),
        (None, None) => {
            report.add(Finding::fine("slack", "not configured: `myao run` needs it"));
            return Ok(());
        }
        (None, Some(_)) => {
            report.add(missing_key(BOT, "the app's page OAuth & Permissions"));
            return Ok(());
        }
        (Some(_), None) => {
            report.add(missing_key(APP, "the app's page Basic Information, App-Level Tokens"));
            return Ok(());
        }
    };
    let kinds = [(BOT, bot, BOT_BEGINS), (APP, app_level, APP_BEGINS)];
    let wrong: Vec<Finding> =
        kinds.into_iter().filter_map(|(key, token, begins)| wrong_kind(key, token, begins)).collect();
    if !wrong.is_empty() {
        for finding in wrong {
            report.add(finding);
        }
        return Ok(());
    }
    let http = myao_model::client_with_system_proxies().map_err(|error| Failure::usage(error.to_string()))?;
    let client = |token: &Secret| client_with_token(&app.clock, &slack.api_base_url, token, http.clone());
    if !socket_opens(&client(app_level), report).await {
        return Ok(());
    }
    let client = client(bot);
    let Some(directory) = ask_who_we_are(&client, report).await else { return Ok(()) };
    compare_scopes(&manifest::wanted_scopes(optional_features(app)), client.scopes(), report);
    report.add(compare_team(app, &directory).await?);
    report.add(channels_finding(&directory).await);
    for (channel, reason) in
        failed_lookups::channels_with_failure(app, &app.store.memory().list_open_setbacks().await?).await?
    {
        let text = format!("{channel} sees itself only, since it cannot be looked up: {reason}");
        report.add(Finding::wrong("slack (channels)", text, failed_lookups::ADVICE));
    }
    let text = "Slack tells nobody which events an app hears: compare the app's page App Manifest with \
                slack-manifest.yaml";
    report.add(Finding::fine("slack (events)", text));
    Ok(())
}

fn client_with_token(
    clock: &Arc<dyn Clock>,
    api_base_url: &str,
    token: &Secret,
    http: reqwest::Client,
) -> Client {
    let token = SlackToken::new(token.expose());
    let settings = ClientSettings { base_url: api_base_url.to_owned(), ..ClientSettings::new(token) };
    Client::new(settings, http, Arc::clone(clock))
}

/// One of the two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SlackTokenKind {
    /// The bot's.
    Bot,
    /// The app-level one.
    App,
}

impl SlackTokenKind {
    const fn key(self) -> &'static str {
        match self {
            Self::Bot => BOT,
            Self::App => APP,
        }
    }

    const fn begins(self) -> &'static str {
        match self {
            Self::Bot => BOT_BEGINS,
            Self::App => APP_BEGINS,
        }
    }
}

/// What a token is worth that was tried by itself.
pub(in crate::cli) struct TokenTrial {
    /// What was found, in a line.
    pub(in crate::cli) line: String,
    /// What to do about it; empty where it is fine.
    pub(in crate::cli) advice: String,
    pub(in crate::cli) outcome: TokenOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum TokenOutcome {
    Fine,
    /// Slack, or its form, says that it is not the right one.
    Wrong,
    /// Nobody could say.
    Unknown,
}

/// Tries one token at the Web API of this address. Nothing that is returned holds any part of the token.
pub(in crate::cli) async fn try_token(
    kind: SlackTokenKind,
    token: &Secret,
    api_base_url: &str,
    clock: &Arc<dyn Clock>,
) -> Result<TokenTrial, Failure> {
    let key = kind.key();
    if let Some(finding) = wrong_kind(key, token, kind.begins()) {
        return Ok(TokenTrial::of(finding, TokenOutcome::Wrong));
    }
    let http = myao_model::client_with_system_proxies().map_err(|error| Failure::usage(error.to_string()))?;
    let client = client_with_token(clock, api_base_url, token, http);
    let tried = match kind {
        SlackTokenKind::App => client
            .call(Method::AppsConnectionsOpen, &[])
            .await
            .map(|_| Finding::fine(APP, "opens connections")),
        SlackTokenKind::Bot => Directory::open(client).await.map(|directory| bot_finding(&directory)),
    };
    Ok(match tried {
        Ok(finding) => TokenTrial::of(finding, TokenOutcome::Fine),
        Err(error) => {
            let outcome = if error.may_pass() { TokenOutcome::Unknown } else { TokenOutcome::Wrong };
            TokenTrial::of(failed_finding(key, &error), outcome)
        }
    })
}

impl TokenTrial {
    fn of(finding: Finding, outcome: TokenOutcome) -> Self {
        let line = format!("{}: {}", finding.subject, finding.text);
        Self { line, advice: finding.advice, outcome }
    }
}

fn bot_finding(directory: &Directory) -> Finding {
    let own = directory.own();
    Finding::fine(BOT, format!("{} in {} ({})", own.name, own.team_name, own.team))
}

fn missing_key(key: &str, page: &str) -> Finding {
    Finding::wrong(key, "not configured, but the other token is", format!("copy it from {page}"))
}

/// Refuses a token of the wrong kind, without showing any part of it.
fn wrong_kind(key: &'static str, token: &Secret, begins: &str) -> Option<Finding> {
    let token = token.expose();
    if token.starts_with(begins) {
        return None;
    }
    if token.starts_with(ROTATED) {
        let advice = "switch token rotation off and install the app again: such a token ends after 12 hours";
        return Some(Finding::wrong(key, "a token that expires", advice));
    }
    let advice = format!("copy the one that begins with {begins}; no other kind will do");
    Some(Finding::wrong(key, format!("does not begin with {begins}"), advice))
}

/// Whether a socket could be opened. This is the first check because it is not retried, unlike reads. So if Slack
/// cannot be reached, that is seen at once.
async fn socket_opens(client: &Client, report: &mut CheckReport) -> bool {
    match client.call(Method::AppsConnectionsOpen, &[]).await {
        Ok(_) => {
            report.add(Finding::fine(APP, "opens connections"));
            true
        }
        Err(error) => {
            let is_reached = !error.may_pass();
            report.add(failed_finding(APP, &error));
            is_reached
        }
    }
}

async fn ask_who_we_are(client: &Client, report: &mut CheckReport) -> Option<Directory> {
    match Directory::open(client.clone()).await {
        Ok(directory) => {
            report.add(bot_finding(&directory));
            Some(directory)
        }
        Err(error) => {
            report.add(failed_finding(BOT, &error));
            None
        }
    }
}

/// The enabled features that need scopes of their own.
fn optional_features(app: &App) -> OptionalFeatures {
    OptionalFeatures { reactions: app.config.response.reactions, files: app.config.agents.response.vision }
}

fn compare_scopes(wanted: &[Scope], granted: Option<Vec<String>>, report: &mut CheckReport) {
    let Some(granted) = granted else {
        report.add(Finding::fine(SCOPES, "Slack does not tell them for this token"));
        return;
    };
    let missing = manifest::missing_scopes(wanted, &granted);
    for Scope { name, purpose } in &missing {
        let advice = "add it on the app's page OAuth & Permissions, then install the app again";
        report.add(Finding::wrong(SCOPES, format!("`{name}` is missing, to {purpose}"), advice));
    }
    if missing.is_empty() {
        report.add(Finding::fine(SCOPES, format!("all {} that are needed", wanted.len())));
    }
    if !granted.iter().any(|name| name == manifest::TYPING_SCOPE) {
        let text = format!(
            "without `{}` the app is no agent: nobody sees a stop button while an answer is being written",
            manifest::TYPING_SCOPE
        );
        report.add(Finding::fine(SCOPES, text));
    }
}

/// Whether the database belongs to this workspace, which a run requires.
async fn compare_team(app: &App, directory: &Directory) -> Result<Finding, Failure> {
    let own = directory.own();
    let finding = match app.store.archive().team().await? {
        None => Finding::fine("memory.database", format!("will belong to {} after the first run", own.team)),
        Some(team) if team == own.team => Finding::fine("memory.database", format!("belongs to {team}")),
        Some(team) => Finding::wrong(
            "memory.database",
            format!("belongs to the workspace {team}, and the token to {}", own.team),
            "use another database, or the other token",
        ),
    };
    Ok(finding)
}

async fn channels_finding(directory: &Directory) -> Finding {
    const SUBJECT: &str = "slack (channels)";
    match directory.count_joined_channels().await {
        Ok(0) => {
            let name = &directory.own().name;
            Finding::wrong(SUBJECT, "in none", format!("write `/invite @{name}` in those that it shall read"))
        }
        Ok(1) => Finding::fine(SUBJECT, "in 1"),
        Ok(count) => Finding::fine(SUBJECT, format!("in {count}")),
        Err(error) => failed_finding(SUBJECT, &error),
    }
}

fn failed_finding(subject: &str, error: &ApiError) -> Finding {
    let advice = match error {
        ApiError::Denied { error, .. } if REINSTALL.contains(&error.as_str()) => {
            "install the app in the workspace again, and copy the new token"
        }
        ApiError::Denied { .. } => {
            "copy the token again, whole; on GovSlack slack.api_base_url is https://slack-gov.com/api/"
        }
        ApiError::MissingScope { .. } if subject == APP => {
            "make an app-level token with the scope `connections:write`: Basic Information, App-Level Tokens"
        }
        ApiError::MissingScope { .. } => {
            "add it on the app's page OAuth & Permissions, then install the app again"
        }
        ApiError::Refused { .. } if subject == APP => "switch Socket Mode on, on the app's page of that name",
        ApiError::Refused { .. } => "",
        ApiError::Limited { .. } => "try again later",
        ApiError::Unreachable { .. } | ApiError::Uncertain { .. } => {
            "does this machine reach Slack (proxy: HTTPS_PROXY), and is slack.api_base_url right?"
        }
    };
    Finding::wrong(subject, error.to_string(), advice)
}
