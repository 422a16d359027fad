//! All commands and options as a page of the documentation (`docs/options.md`, `docs/ja/options.md`). The English words are
//! the commands' own help. The Japanese ones stand in `help/ja.json` under the English ones, so that help that was
//! changed asks for its translation; what has none is shown in English, and a test refuses it.

use std::{collections::BTreeMap, fmt::Write as _, sync::LazyLock};

use clap::{Arg, ArgAction, Command};
use myao_core::text::Language;

/// The Japanese words for the English ones.
static JAPANESE: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../help/ja.json")).unwrap_or_else(|error| {
        tracing::error!(%error, "help/ja.json is no list of words");
        BTreeMap::new()
    })
});
const HEADING: &str = "Every command and option";
const INTRODUCTION: &str = "This page is what `myao man --markdown` prints, written from the program itself. How the commands \
                            are used stands in [Commands](commands.md). `--config PATH` and `--help` may stand behind every command.";

/// The page.
pub(super) fn page(mut command: Command, language: Language) -> String {
    command.build();
    let words = PageWords(language);
    let mut page = format!("# {}\n\n{}\n", words.say(HEADING), words.say(INTRODUCTION));
    words.write_commands(&mut page, &command, "myao");
    page
}

struct PageWords(Language);

impl PageWords {
    /// English words in the page's language.
    fn say(&self, english: &str) -> String {
        let known = match self.0 {
            Language::Ja => JAPANESE.get(english).cloned(),
            Language::En => None,
        };
        known.unwrap_or_else(|| english.to_owned())
    }

    /// Writes the sections of the commands below one, each before those below it.
    fn write_commands(&self, page: &mut String, above: &Command, name_above: &str) {
        for command in above.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = format!("{name_above} {}", command.get_name());
            let about = command.get_long_about().or_else(|| command.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _written = write!(page, "\n## `{name}`\n\n{}\n", self.say(&about));
            if !command.is_subcommand_required_set() {
                let usage = command.clone().render_usage().to_string();
                let usage: Vec<&str> = usage
                    .trim_start_matches("Usage: ")
                    .lines()
                    .map(str::trim)
                    .filter(|line| !line.is_empty())
                    .collect();
                let _written = write!(page, "\n```text\n{}\n```\n", usage.join("\n"));
            }
            self.write_arguments(page, command);
            self.write_commands(page, command, &name);
        }
    }

    fn write_arguments(&self, page: &mut String, command: &Command) {
        let is_own = |arg: &&Arg| {
            let action = arg.get_action();
            let is_usual = matches!(
                action,
                ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
            );
            !is_usual && !arg.is_global_set()
        };
        let rows: Vec<String> = command
            .get_arguments()
            .filter(|arg| !arg.is_hide_set())
            .filter(is_own)
            .map(|arg| self.row(arg))
            .collect();
        if !rows.is_empty() {
            let (name, meaning) = (self.say("argument or option"), self.say("meaning"));
            let _written = write!(page, "\n| {name} | {meaning} |\n|---|---|\n{}\n", rows.join("\n"));
        }
    }

    fn row(&self, arg: &Arg) -> String {
        let help =
            arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut cell = self.say(&help);
        let values: Vec<String> = arg
            .get_possible_values()
            .iter()
            .filter(|_| arg.get_action().takes_values())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({})", value.get_name(), self.say(&help.to_string())),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        if !values.is_empty() {
            let _written = write!(cell, "{}{}", self.say(". One of: "), values.join(", "));
        }
        let default: Vec<String> = arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned())
            .filter(|value| arg.get_action().takes_values() && !value.is_empty())
            .collect();
        if !default.is_empty() {
            let _written = write!(cell, " {}{}]", self.say("[default: "), default.join(", "));
        }
        format!("| {} | {} |", names(arg), cell.replace('|', "\\|"))
    }
}

/// How an argument is written: `-y`, `--yes`; `--limit N`; `CHANNEL`.
fn names(arg: &Arg) -> String {
    let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let value = value.map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    let written = match (arg.get_long(), value) {
        (Some(long), Some(value)) => format!("--{long} {value}"),
        (Some(long), None) => format!("--{long}"),
        (None, value) => value.unwrap_or_else(|| arg.get_id().as_str().to_uppercase()),
    };
    let short = arg.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    format!("{short}`{}`", written.replace('|', "\\|"))
}
