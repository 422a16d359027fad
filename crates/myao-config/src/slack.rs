//! Reads `slack.*`.

use super::{Config, ConfigError, ConfigFault, Problem, secret::Secret, section::Section};

/// `slack.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slack {
    /// `xoxb-…`; needed by `run` and `check`.
    pub bot_token: Option<Secret>,
    /// `xapp-…`; needed by `run` and `check`.
    pub app_token: Option<Secret>,
    /// The address of the Web API; another one for `GovSlack` and for tests.
    pub api_base_url: String,
    /// Days of history fetched from a channel when it is first seen; 0 fetches none. Default 30.
    pub backfill_days: u32,
    /// Bots that are answered like people, by id. Empty by default, since two bots could talk forever.
    pub answer_bots: Vec<String>,
    /// People who may have any message forgotten that they can see, by id. Empty by default.
    pub owners: Vec<String>,
    /// Who may put a place's memory right. Default `members`.
    pub corrections: CorrectedBy,
    /// How many hours back edits and deletes are looked for that were missed. Default 72.
    pub recheck_hours: u32,
    /// Whether people can ask it by `/myao`, which the app's manifest then has. Default true.
    pub commands: bool,
    /// Whether the app is an agent to Slack, which answers direct messages in threads of their own. Default true.
    pub agent_view: bool,
    /// Whether the app has a Home tab that shows people what is remembered of their places. Default true.
    pub home: bool,
}

/// Who may put right what is remembered of a place, of those who are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectedBy {
    /// Everybody.
    Members,
    /// `slack.owners` alone.
    Owners,
}

/// The tokens that a connection needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackTokens {
    /// The bot's token, for reading and posting.
    pub bot: Secret,
    /// The app-level token, for opening sockets.
    pub app: Secret,
}

const BOT_TOKEN: &str =
    "the bot's token, xoxb-… (needed to connect to Slack; `myao setup slack` asks for it)";
const APP_TOKEN: &str =
    "the app-level token, xapp-… (needed to connect to Slack; `myao setup slack` asks for it)";

pub(super) fn read_slack_section(section: &mut Section<'_>) -> Slack {
    let slack = Slack {
        bot_token: section.secret("bot_token"),
        app_token: section.secret("app_token"),
        api_base_url: section
            .url("api_base_url", ["https", "http"])
            .unwrap_or_else(|| "https://slack.com/api/".to_owned()),
        backfill_days: section.whole("backfill_days", 30, 0..=3650),
        answer_bots: section.texts("answer_bots"),
        owners: section.texts("owners"),
        corrections: section
            .word("corrections", "`members` or `owners`", |text| match text {
                "members" => Some(CorrectedBy::Members),
                "owners" => Some(CorrectedBy::Owners),
                _ => None,
            })
            .unwrap_or(CorrectedBy::Members),
        recheck_hours: section.whole("recheck_hours", 72, 0..=8760),
        commands: section.flag("commands", true),
        agent_view: section.flag("agent_view", true),
        home: section.flag("home", true),
    };
    let begins = |token: &Option<Secret>, with: &str| {
        token.as_ref().is_some_and(|token| token.expose().starts_with(with))
    };
    for owner in slack.owners.iter().filter(|owner| !is_id_of_person(owner)) {
        let told = format!(
            "`{owner}` is no id of a person: expected one as in U0123456789 (in Slack: the person's profile, ⋮, \
             Copy member ID)"
        );
        section.contradiction("owners", &told);
    }
    if begins(&slack.bot_token, "xapp-") {
        section.contradiction("bot_token", "this is an app-level token (xapp-…): expected the bot's, xoxb-…");
    }
    if begins(&slack.app_token, "xoxb-") {
        section
            .contradiction("app_token", "this is a bot's token (xoxb-…): expected the app-level one, xapp-…");
    }
    slack
}

/// Whether it may be Slack's id of a person. A name may be borne by somebody else tomorrow.
fn is_id_of_person(text: &str) -> bool {
    text.starts_with(['U', 'W'])
        && text.len() > 2
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

impl Config {
    /// The tokens for connecting to Slack.
    ///
    /// # Errors
    /// When a token is not configured; if both are missing, both are named.
    pub fn slack_for_run(&self) -> Result<SlackTokens, ConfigError> {
        let Slack { bot_token, app_token, .. } = &self.slack;
        if let (Some(bot), Some(app)) = (bot_token, app_token) {
            return Ok(SlackTokens { bot: bot.clone(), app: app.clone() });
        }
        let keys = [("bot_token", BOT_TOKEN, bot_token), ("app_token", APP_TOKEN, app_token)];
        let missing =
            keys.into_iter().filter(|(_, _, token)| token.is_none()).map(|(key, expected, _)| Problem {
                file: self.file.clone(),
                line: self.slack_line,
                key: Some(format!("slack.{key}")),
                fault: ConfigFault::Missing { expected: expected.to_owned() },
            });
        Err(ConfigError::Faulty(missing.collect()))
    }
}
