//! Where the configuration reads Slack's tokens: the variables that it names, and the lines that name them where there are
//! none.
//!
//! A file that is there is changed line by line, so that comments and everything else stay. What comes out is read back:
//! if it does not say what it should, it is not written.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use myao_config::{Config, Database, FoundVariable, LocaleSource, LocaleSources, find_variable};
use myao_store::{KnownLocale, Store, Target};

use super::{
    super::{Failure, check::slack::SlackTokenKind, words::Words},
    slack_lines::{TokenLine, WantedLine, with_token_lines},
};
use crate::locale::{as_noted, settle_locale};

/// The file that is read and written if none is named.
pub(in crate::cli) const USUAL_FILE: &str = "config.yaml";
/// The variables of Slack's tokens, where the configuration names no others.
pub(in crate::cli) const BOT_VARIABLE: &str = "SLACK_BOT_TOKEN";
pub(in crate::cli) const APP_VARIABLE: &str = "SLACK_APP_TOKEN";
/// What stands for tokens that are not known yet while the configuration is read.
const ANY_BOT_TOKEN: &str = "xoxb-any";
const ANY_APP_TOKEN: &str = "xapp-any";

/// The variables of the two tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct TokenVariables {
    /// The bot's.
    pub(in crate::cli) bot: String,
    /// The app-level one's.
    pub(in crate::cli) app: String,
}

/// The variable of a token in a configuration that we write.
pub(in crate::cli) const fn usual_variable(kind: SlackTokenKind) -> &'static str {
    match kind {
        SlackTokenKind::Bot => BOT_VARIABLE,
        SlackTokenKind::App => APP_VARIABLE,
    }
}

impl Default for TokenVariables {
    fn default() -> Self {
        Self { bot: BOT_VARIABLE.to_owned(), app: APP_VARIABLE.to_owned() }
    }
}

impl TokenVariables {
    /// The variable of a token.
    pub(in crate::cli) fn of(&self, kind: SlackTokenKind) -> &str {
        match kind {
            SlackTokenKind::Bot => &self.bot,
            SlackTokenKind::App => &self.app,
        }
    }

    /// The token that stands for one that is not known.
    fn any_token(&self, name: &str) -> Option<String> {
        let any = if name == self.bot {
            ANY_BOT_TOKEN
        } else if name == self.app {
            ANY_APP_TOKEN
        } else {
            return None;
        };
        Some(any.to_owned())
    }
}

/// A configuration, and how it will name the tokens.
pub(super) struct SlackConfig {
    /// The file.
    pub(super) file: PathBuf,
    /// What holds; the tokens in it may be made up.
    pub(super) config: Config,
    /// The variables from which it will read the tokens.
    pub(super) variables: TokenVariables,
    /// Whether the file is there.
    pub(super) is_there: bool,
    change: FileChange,
}

/// What the file takes to read both tokens from their variables.
enum FileChange {
    Nothing,
    /// It is written anew with this text.
    NewText(String),
    /// It holds tokens in a way that a line-by-line change cannot follow.
    ByHand,
}

impl SlackConfig {
    /// Reads a configuration and finds out how it can name the tokens. `api_base_url` is for a file without `slack:`.
    ///
    /// # Errors
    /// When the file is faulty, or has a section `slack` although `api_base_url` is given.
    pub(super) async fn read(file: PathBuf, api_base_url: Option<&str>) -> Result<Self, Failure> {
        let text = match fs::read_to_string(&file) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::usage(format!("{}: {error}", file.display()))),
        };
        let before = text.as_deref().unwrap_or_default();
        let variables = variables_in(before);
        let config = match &text {
            Some(text) => load(text, &file, &variables)?,
            None => Config::load_with(None, Path::new(NOWHERE), environment(&file))?.config,
        };
        let config = speak_as_kept(config).await;
        let words = Words::of(config.locale.language);
        if api_base_url.is_some() && before.lines().any(|line| line.starts_with("slack:")) {
            let arguments = [("file", file.display().to_string())];
            return Err(Failure::usage(words.say_with("setup-api-in-file", &arguments)));
        }
        let wanted = wanted_lines(&variables);
        let head = if text.is_none() { head_of_new_file(&config, &words) } else { String::new() };
        let comment = words.say("init-file-slack");
        let after = with_token_lines(&format!("{head}{before}"), &wanted, &comment, api_base_url);
        let mut read = Self { file, config, variables, is_there: text.is_some(), change: FileChange::ByHand };
        read.change = match after {
            Some(after) if !read.names_both_tokens(&after) => FileChange::ByHand,
            Some(after) if after == before => FileChange::Nothing,
            Some(after) => FileChange::NewText(after),
            None => FileChange::ByHand,
        };
        if let Some(address) = api_base_url {
            address.clone_into(&mut read.config.slack.api_base_url);
        }
        Ok(read)
    }

    /// The file's new text; `None` where it reads both tokens from their variables already.
    ///
    /// # Errors
    /// Where a person has to change it.
    pub(super) fn new_text(&self) -> Result<Option<&str>, Failure> {
        match &self.change {
            FileChange::Nothing => Ok(None),
            FileChange::NewText(text) => Ok(Some(text)),
            FileChange::ByHand => {
                let words = Words::of(self.config.locale.language);
                Err(Failure::usage(words.say_with("setup-file-by-hand", &self.arguments())))
            }
        }
    }

    /// Whether a text reads both tokens from their variables.
    fn names_both_tokens(&self, text: &str) -> bool {
        let only_any = |name: &str| self.variables.any_token(name).or_else(|| environment(&self.file)(name));
        let Ok(loaded) = Config::load_from(text, &self.file, only_any) else { return false };
        let slack = loaded.config.slack;
        let is =
            |token: Option<myao_config::Secret>, any: &str| token.is_some_and(|token| token.expose() == any);
        is(slack.bot_token, ANY_BOT_TOKEN) && is(slack.app_token, ANY_APP_TOKEN)
    }

    /// What messages say of it.
    pub(super) fn arguments(&self) -> [(&'static str, String); 3] {
        [
            ("file", self.file.display().to_string()),
            ("bot", self.variables.bot.clone()),
            ("app", self.variables.app.clone()),
        ]
    }
}

/// A folder without a configuration.
const NOWHERE: &str = "/nonexistent";

/// The environment, else `.env` beside a file.
fn environment(file: &Path) -> impl Fn(&str) -> Option<String> {
    let found = |file: &Path, name: &str| find_variable(file, name).ok().flatten();
    let file = file.to_owned();
    move |name| found(&file, name).map(|FoundVariable { value, .. }| value.expose().to_owned())
}

fn load(text: &str, file: &Path, variables: &TokenVariables) -> Result<Config, Failure> {
    let known = environment(file);
    // The tokens there are may be what is to be mended.
    let lookup = |name: &str| variables.any_token(name).or_else(|| known(name));
    Ok(Config::load_from(text, file, lookup)?.config)
}

fn wanted_lines(variables: &TokenVariables) -> [WantedLine<'_>; 2] {
    [
        WantedLine { key: "bot_token", variable: &variables.bot },
        WantedLine { key: "app_token", variable: &variables.app },
    ]
}

/// The variables that a file names for the tokens, also in lines that are switched off.
fn variables_in(text: &str) -> TokenVariables {
    let usual = TokenVariables::default();
    let named = |key| TokenLine::find(text, key).and_then(|line| line.variable);
    TokenVariables {
        bot: named("bot_token").unwrap_or(usual.bot),
        app: named("app_token").unwrap_or(usual.app),
    }
}

/// A configuration in the language and zone that its database keeps, if there is one and the file says nothing else.
async fn speak_as_kept(config: Config) -> Config {
    if config.locale_sources == LocaleSources::both(LocaleSource::Given) {
        return config;
    }
    match known_locale(&config.database).await {
        Some(known) => {
            let locale = settle_locale(&config, &known);
            config.speaking(locale)
        }
        None => config,
    }
}

/// What a database keeps of language and zone, if there is one.
pub(in crate::cli) async fn known_locale(database: &Database) -> Option<KnownLocale> {
    let target = match database {
        Database::Sqlite(path) => Target::Sqlite(path.clone()),
        Database::Postgres(url) => Target::Postgres(url.expose().to_owned()),
    };
    let store = Store::open_to_read(&target).await.ok()?;
    let known = store.archive().known_locale().await;
    store.close().await;
    known.ok()
}

/// A file without `locale` is Japanese, so a new one says what holds.
fn head_of_new_file(config: &Config, words: &Words) -> String {
    let locale = as_noted(&config.locale);
    format!(
        "# {}\n\n# {}\nlocale:\n  language: {}\n  timezone: {}\n",
        words.say("setup-file-head"),
        words.say("init-file-locale"),
        locale.language.as_str(),
        locale.timezone
    )
}
