//! What was chosen, and the `config.yaml` that follows from it.

use std::fmt::Write as _;

use jiff::tz::TimeZone;
use myao_config::ModelId;
use myao_core::text::Language;

use super::{
    super::{
        setup::{APP_VARIABLE, BOT_VARIABLE},
        words::Words,
    },
    prices,
};

/// Everything that the file says.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    pub(super) language: Language,
    pub(super) timezone: TimeZone,
    /// `None`: the persona that holds by default.
    pub(super) persona: Option<ChosenPersona>,
    /// The address of a database on a server; `None`: a file.
    pub(super) database_url: Option<String>,
    /// `None`: only an archive.
    pub(super) slack: Option<ChosenSlack>,
    /// `None`: `builtin`.
    pub(super) model: Option<ChosenModel>,
    /// Sections of an older file that go on to hold.
    pub(super) kept: String,
}

#[derive(Clone, Debug)]
pub(super) struct ChosenPersona {
    pub(super) name: String,
    pub(super) system_prompt: String,
}

/// The connection to Slack. The tokens are no part of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct ChosenSlack {
    /// The Web API, where it is not the usual one.
    pub(super) api_base_url: Option<String>,
    /// The variables that have no value yet.
    pub(super) missing: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) struct ChosenModel {
    pub(super) id: ModelId,
    pub(super) api_base: Option<String>,
    /// Whether its server is on this machine.
    pub(super) is_local: bool,
    /// The variable of its key, where it has one.
    pub(super) key_variable: Option<String>,
    /// The most tokens a day; `None`: no limit.
    pub(super) daily_tokens: Option<u64>,
}

impl Choices {
    /// The text of `config.yaml`, with comments in the chosen language.
    pub(super) fn as_yaml(&self, words: &Words) -> String {
        let mut file = format!("# {}\n", words.say("init-file-head"));
        self.write_locale(&mut file, words);
        if let Some(persona) = &self.persona {
            comment(&mut file, words, "init-file-persona");
            writeln!(
                file,
                "persona:\n  name: {}\n  system_prompt: {}",
                quoted(&persona.name),
                quoted(&persona.system_prompt)
            )
            .ok();
        }
        if let Some(url) = &self.database_url {
            comment(&mut file, words, "init-file-database");
            // The password's variable is filled in.
            writeln!(file, "memory:\n  database_url: {}", serde_json::Value::from(url.as_str())).ok();
        }
        if let Some(slack) = &self.slack {
            slack.write(&mut file, words);
        }
        if let Some(model) = &self.model {
            model.write(&mut file, words);
        }
        if !self.kept.is_empty() {
            comment(&mut file, words, "init-file-kept");
            file.push_str(&self.kept);
        }
        file
    }

    fn write_locale(&self, file: &mut String, words: &Words) {
        comment(file, words, "init-file-locale");
        let zone = self.timezone.iana_name().unwrap_or("UTC");
        writeln!(file, "locale:\n  language: {}\n  timezone: {zone}", self.language.as_str()).ok();
    }
}

impl ChosenSlack {
    fn write(&self, file: &mut String, words: &Words) {
        comment(file, words, "init-file-slack");
        file.push_str("slack:\n");
        for (key, variable) in [("bot_token", BOT_VARIABLE), ("app_token", APP_VARIABLE)] {
            // A key whose variable is not set yet would keep every command from starting.
            let off = if self.missing.contains(&variable) { "# " } else { "  " };
            writeln!(file, "{off}{key}: ${{{variable}}}").ok();
        }
        if let Some(address) = &self.api_base_url {
            writeln!(file, "  api_base_url: {}", quoted(address)).ok();
        }
    }
}

impl ChosenModel {
    fn write(&self, file: &mut String, words: &Words) {
        let mut args = Vec::new();
        if let Some(variable) = &self.key_variable {
            args.push(format!("api_key: \"${{{variable}}}\""));
        }
        if let Some(base) = &self.api_base {
            args.push(format!("api_base: {}", quoted(base)));
        }
        comment(file, words, "init-file-agents");
        file.push_str("agents:\n");
        for role in ["response", "judgment", "memory"] {
            writeln!(file, "  {role}:\n    model_id: {}", quoted(&self.id.to_string())).ok();
            if !args.is_empty() {
                writeln!(file, "    client_args: {{{}}}", args.join(", ")).ok();
            }
        }
        let price = prices::price_of(&self.id).filter(|_| !self.is_local);
        if self.daily_tokens.is_none() && price.is_none() {
            return;
        }
        comment(file, words, "init-file-budget");
        file.push_str("budget:\n");
        if let Some(tokens) = self.daily_tokens {
            writeln!(file, "  daily_tokens: {tokens}").ok();
        }
        let Some(price) = price else { return };
        let said = words.say_with("init-file-prices", &[("as-of", prices::AS_OF.to_owned())]);
        writeln!(
            file,
            "  # {said}\n  prices: [{{model: {}, input: {}, cached: {}, output: {}}}]",
            self.id, price.input, price.cached, price.output
        )
        .ok();
    }
}

fn comment(file: &mut String, words: &Words, key: &str) {
    writeln!(file, "\n# {}", words.say(key)).ok();
}

/// A text as a YAML scalar in double quotes, in which no variable is filled in.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text.replace("${", "$${")).to_string()
}
