//! Checks Slack: whether it can be reached, who we are there, and what our tokens may do. Nothing is posted and no
//! socket is opened.

mod token_kind;

use std::sync::Arc;

use myao_companion::live::slack::features_switched_on;
use myao_config::Secret;
use myao_core::ports::Clock;
use myao_slack::{
    api::{ApiError, Client, ClientSettings, Method, SlackToken},
    directory::Directory,
    manifest::{self, Feature, OptionalFeatures, Scope},
};

pub(in crate::cli) use self::token_kind::{PastedToken, SlackTokenKind, WrongToken, recognise_token};
use super::{
    Failure,
    finding::{CheckReport, Finding},
};
use crate::{app::App, cli::failed_lookups};

const BOT: &str = SlackTokenKind::Bot.key();
const APP: &str = SlackTokenKind::App.key();
const SCOPES: &str = "slack (scopes)";
/// What to do about a scope that is missing.
const ADD_SCOPE: &str = "add it on the app's page OAuth & Permissions, or paste what `myao setup slack --print` prints on its \
                         page App Manifest; then install the app again";
/// Slack's errors when the app has to be installed again.
const REINSTALL: [&str; 4] = ["account_inactive", "app_not_installed", "token_expired", "token_revoked"];

/// Tries what a run needs of Slack.
pub(super) async fn try_slack_access(app: &App, report: &mut CheckReport) -> Result<(), Failure> {
    let slack = &app.config.slack;
    let (bot, app_level) = match (&slack.bot_token, &slack.app_token) {
        (Some(bot), Some(app_level)) => (bot, app_level),
        (None, None) => {
            report.add(Finding::fine(
                "slack",
                "not configured: `myao run` needs it, and `myao setup slack` sets it up",
            ));
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
    let both = [(SlackTokenKind::Bot, bot), (SlackTokenKind::App, app_level)];
    let wrong: Vec<Finding> =
        both.into_iter().filter_map(|(kind, token)| finding_of_kind(kind, token)).collect();
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
    let on = features_switched_on(&app.config);
    compare_scopes(&manifest::wanted_scopes(on), client.scopes(), report);
    report.add(compare_team(app, &directory).await?);
    report.add(channels_finding(&directory).await);
    for (channel, reason) in
        failed_lookups::channels_with_failure(app, &app.store.memory().list_open_setbacks().await?).await?
    {
        let text = format!("{channel} sees itself only, since it cannot be looked up: {reason}");
        report.add(Finding::wrong("slack (channels)", text, failed_lookups::ADVICE));
    }
    report.add(Finding::fine("slack (events)", events_in_words(on)));
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
    if let Some(finding) = finding_of_kind(kind, token) {
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
fn finding_of_kind(kind: SlackTokenKind, token: &Secret) -> Option<Finding> {
    let (key, begins) = (kind.key(), kind.begins());
    let token = token.expose();
    if token.starts_with(begins) {
        return None;
    }
    if token.starts_with(WrongToken::ROTATED) {
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

/// What of the manifest nobody can ask Slack for: an older app may lack it.
fn events_in_words(on: OptionalFeatures) -> String {
    let later: Vec<String> = manifest::later_features(on).map(later_in_words).collect();
    let text = "Slack tells nobody which events an app hears: on the app's page App Manifest, compare with `myao setup slack \
                --print`, or paste it there";
    if later.is_empty() {
        return text.to_owned();
    }
    format!("{text}. An older manifest lacks {}", later.join("; "))
}

/// A part of the manifest with the day since which it has it: `event x (since 2026-11-28; without it …)`.
fn later_in_words(feature: &Feature) -> String {
    let events = feature.events.iter().map(|event| format!("the event `{event}`"));
    let fields = feature.fields.iter().map(|field| format!("`{}`", field.path));
    let parts: Vec<String> = events.chain(fields).collect();
    let since = feature.since.unwrap_or_default();
    format!("{} (there since {since}; without it {})", parts.join(" and "), feature.without)
}

fn compare_scopes(wanted: &[Scope], granted: Option<Vec<String>>, report: &mut CheckReport) {
    let Some(granted) = granted else {
        report.add(Finding::fine(SCOPES, "Slack does not tell them for this token"));
        return;
    };
    let (optional, needed): (Vec<Scope>, Vec<Scope>) =
        manifest::missing_scopes(wanted, &granted).into_iter().partition(|scope| scope.is_optional);
    for Scope { name, without, .. } in &needed {
        report.add(Finding::wrong(SCOPES, format!("`{name}` is missing: {without}"), ADD_SCOPE));
    }
    if needed.is_empty() {
        let count = wanted.iter().filter(|scope| !scope.is_optional).count();
        report.add(Finding::fine(SCOPES, format!("all {count} that are needed")));
    }
    for Scope { name, without, .. } in &optional {
        let text = format!("`{name}` is missing, which is optional: {without}");
        report.add(Finding::noted(SCOPES, text, ADD_SCOPE));
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
        ApiError::MissingScope { .. } => ADD_SCOPE,
        ApiError::Refused { .. } if subject == APP => "switch Socket Mode on, on the app's page of that name",
        ApiError::Refused { .. } => "",
        ApiError::Limited { .. } => "try again later",
        ApiError::Unreachable { .. } | ApiError::Uncertain { .. } => {
            "does this machine reach Slack (proxy: HTTPS_PROXY), and is slack.api_base_url right?"
        }
    };
    Finding::wrong(subject, error.to_string(), advice)
}
