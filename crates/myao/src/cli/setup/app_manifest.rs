//! The app in Slack: its manifest, as the configuration wants it, in words of its language.

use myao_companion::live::slack::features_switched_on;
use myao_config::{Config, has_display};
use myao_slack::{
    interaction::{FORGET_SHORTCUT, REMEMBER_SHORTCUT, WHY_SHORTCUT},
    manifest::{
        ManifestComments, ManifestWords, ShortcutWords, apps_page, creation_link, manifest_as_yaml,
        manifest_of,
    },
};
use serde_json::Value;

use super::{
    super::{Failure, browser::open_browser, check::slack::SlackTokenKind, output, words::Words},
    questions::Questions,
};

/// The app that a configuration wants.
pub(in crate::cli) struct SlackApp {
    /// The manifest.
    pub(in crate::cli) manifest: Value,
    comments: ManifestComments,
    apps_page: &'static str,
}

impl SlackApp {
    /// The app for what is switched on, called like the persona.
    pub(in crate::cli) fn of(config: &Config) -> Self {
        let words = Words::of(config.locale.language);
        let comment = |path, key| (path, words.say(key));
        let comments = ManifestComments {
            head: words.say("manifest-head"),
            of_fields: vec![
                comment("features.app_home.messages_tab_enabled", "manifest-messages-tab"),
                comment("features.slash_commands", "manifest-commands"),
                comment("features.agent_view", "manifest-agent-view"),
                comment("settings.token_rotation_enabled", "manifest-rotation"),
            ],
        };
        let shortcut = |shortcut, name, does| ShortcutWords {
            shortcut,
            name: words.say(name),
            description: words.say(does),
        };
        let manifest_words = ManifestWords {
            name: config.persona.name.clone(),
            description: words.say("manifest-description"),
            agent_description: words.say("manifest-agent-description"),
            command_description: words.say("manifest-command-description"),
            command_hint: words.say("manifest-command-hint"),
            shortcuts: vec![
                shortcut(WHY_SHORTCUT, "manifest-why-this", "manifest-why-this-does"),
                shortcut(REMEMBER_SHORTCUT, "manifest-remember-this", "manifest-remember-this-does"),
                shortcut(FORGET_SHORTCUT, "manifest-forget-this", "manifest-forget-this-does"),
            ],
            comments: comments.clone(),
        };
        Self {
            manifest: manifest_of(features_switched_on(config), &manifest_words),
            comments,
            apps_page: apps_page(&config.slack.api_base_url),
        }
    }

    /// The manifest as people read it.
    pub(in crate::cli) fn as_yaml(&self) -> String {
        manifest_as_yaml(&self.manifest, &self.comments)
    }

    /// The page that makes the app.
    pub(in crate::cli) fn creation_link(&self) -> String {
        creation_link(self.apps_page, &self.manifest)
    }

    /// The name by which the bot is mentioned.
    pub(in crate::cli) fn bot_name(&self) -> &str {
        self.manifest.pointer("/features/bot_user/display_name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The page of all apps that one may change.
    pub(in crate::cli) const fn apps_page(&self) -> &'static str {
        self.apps_page
    }
}

/// Says where the missing tokens come from. Where both are, shows the page that makes the app, and opens it if that is wanted
/// and can be; where one is set already, the app is there.
pub(in crate::cli) fn show_where_tokens_are(
    questions: &Questions,
    app: &SlackApp,
    missing: &[SlackTokenKind],
    may_open: bool,
) -> Result<(), Failure> {
    let page = [("page", app.apps_page.to_owned())];
    match missing {
        [] => return Ok(()),
        [SlackTokenKind::Bot] => questions.tell_with("setup-other-bot", &page),
        [SlackTokenKind::App] => questions.tell_with("setup-other-app", &page),
        _ => return show_creation_page(questions, app, may_open),
    }
    Ok(())
}

fn show_creation_page(questions: &Questions, app: &SlackApp, may_open: bool) -> Result<(), Failure> {
    let link = app.creation_link();
    questions.tell("setup-page");
    // On a line of its own, from the first column on: where a terminal wraps it, it is copied as a whole.
    output::print_line(&format!("\n{link}\n"));
    if may_open && has_display() && questions.confirm(&questions.words.say("setup-open"), true)? {
        open_browser(&link);
    } else {
        questions.tell("setup-copy");
    }
    questions.tell("setup-steps");
    Ok(())
}
