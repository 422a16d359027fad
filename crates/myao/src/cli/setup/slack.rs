//! `myao setup slack`: the app's page, the two tokens, the files, the check.

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use myao_config::Config;
use myao_core::ports::Clock;

use super::{
    super::{Done, Failure, logging, output, words::Words},
    afterwards::{check_what_was_written, config_option},
    app_manifest::{SlackApp, show_where_tokens_are},
    config_file::{SlackConfig, USUAL_FILE},
    questions::Questions,
    secret_file::{replace_file, write_env},
    tokens::{KnownTokens, TokenQuestions},
};
use crate::clock::SystemClock;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct SetupSlackArgs {
    #[command(flatten)]
    shown: ShownOnly,
    /// Ask nothing: read the tokens from standard input, in any order. One that is set already may be left out
    #[arg(long)]
    stdin: bool,
    /// Slack's Web API, where it is another one (`GovSlack`); for a configuration without a section `slack`
    #[arg(long, value_name = "URL")]
    slack_api: Option<String>,
    /// Open no browser
    #[arg(long)]
    no_browser: bool,
    /// Try neither the tokens nor anything else
    #[arg(long)]
    no_check: bool,
}

/// What is printed instead of anything else.
#[derive(Debug, Args)]
struct ShownOnly {
    /// Print the app's manifest for what config.yaml switches on, and do nothing else
    #[arg(long, conflicts_with_all = ["link", "stdin"])]
    print: bool,
    /// Print it as JSON and not as YAML
    #[arg(long, requires = "print")]
    json: bool,
    /// Print the address of the page that makes the app, and do nothing else
    #[arg(long, conflicts_with = "stdin")]
    link: bool,
}

const AFTER_HELP: &str = "\
Makes the manifest of the app for what is switched on in config.yaml, shows the page of Slack on which it becomes an app, \
and asks for the app's two tokens, unseen and in any order: the bot's (xoxb-…, page OAuth & Permissions) and the app-level \
one (xapp-…, page Basic Information, App-Level Tokens, with connections:write). Each is tried at once and stored in .env, \
which only you can read; config.yaml is made, or gets the lines that name them. Then everything is checked.

Repeat it to put other tokens in their place, or after an update: `--print` prints what to paste on the app's page App \
Manifest. Tokens are no options, since other people on a machine see those.

Examples:
  myao setup slack
  myao setup slack --print
  myao setup slack --link | xclip        # or pbcopy, clip.exe
  printf '%s\\n' \"$BOT\" \"$APP\" | myao setup slack --stdin";

pub(super) async fn run(args: SetupSlackArgs, config: Option<PathBuf>) -> Result<Done, Failure> {
    logging::start_logging(&Config::default().logging, None);
    let file = config.unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let config = SlackConfig::read(file, args.slack_api.as_deref()).await?;
    let app = SlackApp::of(&config.config);
    let shown = &args.shown;
    if shown.print && shown.json {
        output::say_json(&app.manifest)?;
        return Ok(Done::All);
    }
    if shown.print {
        output::print_line(app.as_yaml().trim_end());
        return Ok(Done::All);
    }
    if shown.link {
        output::print_line(&app.creation_link());
        return Ok(Done::All);
    }
    let words = Words::of(config.config.locale.language);
    let is_answered = !args.stdin && Questions::has_terminal();
    if !is_answered && (!args.stdin || io::stdin().is_terminal()) {
        return Err(Failure::usage(words.say("setup-no-terminal")));
    }
    let questions = Questions { words, is_answered };
    SetupSteps { args, config, app, questions, clock: Arc::new(SystemClock) }.run().await
}

/// Everything that the steps share.
struct SetupSteps {
    args: SetupSlackArgs,
    config: SlackConfig,
    app: SlackApp,
    questions: Questions,
    clock: Arc<dyn Clock>,
}

impl SetupSteps {
    async fn run(&self) -> Result<Done, Failure> {
        // Before anything is asked.
        self.config.new_text()?;
        let tokens = TokenQuestions {
            questions: &self.questions,
            config: &self.config.file,
            clock: &self.clock,
            api_base_url: &self.config.config.slack.api_base_url,
            variables: self.config.variables.clone(),
            is_tried: !self.args.no_check,
        };
        let known = if self.questions.is_answered {
            self.say_what_will_be_done()?;
            self.ask_for_tokens(&tokens).await?
        } else {
            let text = io::read_to_string(io::stdin())
                .map_err(|error| Failure::usage(format!("the tokens on stdin could not be read: {error}")))?;
            tokens.take_from_text(&text).await?
        };
        let missing: Vec<&str> = known.missing().map(|kind| self.config.variables.of(kind)).collect();
        self.write(&known, missing.is_empty()).await?;
        if !missing.is_empty() {
            self.questions.tell_with(
                "setup-still-missing",
                &[("names", missing.join(", ")), ("config", config_option(&self.config.file))],
            );
            return Ok(Done::Partly);
        }
        let done = if self.args.no_check {
            Ok(Done::All)
        } else {
            check_what_was_written(&self.questions, &self.config.file).await
        };
        self.say_what_comes_next();
        done
    }

    /// Which files will be written, and how.
    fn say_what_will_be_done(&self) -> Result<(), Failure> {
        let change = match (self.config.new_text()?, self.config.is_there) {
            (None, _) => "setup-will-keep-file",
            (Some(_), true) => "setup-will-change-file",
            (Some(_), false) => "setup-will-make-file",
        };
        let file = [("file", self.config.file.display().to_string())];
        let change = self.questions.words.say_with(change, &file);
        let env = self.config.file.with_file_name(".env").display().to_string();
        self.questions.tell_with("setup-begins", &[("env", env), ("change", change)]);
        output::print_line("");
        Ok(())
    }

    async fn ask_for_tokens(&self, tokens: &TokenQuestions<'_>) -> Result<KnownTokens, Failure> {
        let mut known = tokens.find_set_tokens().await?;
        let set = known.kinds.clone();
        if known.missing().next().is_none() {
            let page =
                [("page", self.app.apps_page().to_owned()), ("config", config_option(&self.config.file))];
            self.questions.tell_with("setup-app-is-there", &page);
            if !self.questions.confirm(&self.questions.words.say("setup-replace"), false)? {
                return Ok(known);
            }
            known = KnownTokens::default();
        } else {
            let missing: Vec<_> = known.missing().collect();
            show_where_tokens_are(&self.questions, &self.app, &missing, !self.args.no_browser)?;
        }
        tokens.ask_for_missing(&mut known).await?;
        // One in whose place nothing was pasted goes on to hold.
        known.kinds.extend(set.into_iter().filter(|kind| !known.kinds.contains(kind)).collect::<Vec<_>>());
        Ok(known)
    }

    /// Writes what is new. The configuration names no token before both are there, since no command would start.
    async fn write(&self, known: &KnownTokens, is_complete: bool) -> Result<(), Failure> {
        if !known.new.is_empty() {
            let env = self.config.file.with_file_name(".env");
            write_env(&env, &known.new)?;
            let names: Vec<&str> = known.new.iter().map(|secret| secret.name.as_str()).collect();
            let arguments = [("file", env.display().to_string()), ("names", names.join(", "))];
            self.questions.tell_with("init-wrote-secrets", &arguments);
        }
        // Somebody may have changed the file while Slack's pages were open.
        let config = SlackConfig::read(self.config.file.clone(), self.args.slack_api.as_deref()).await?;
        if let (Some(text), true) = (config.new_text()?, is_complete) {
            replace_file(&self.config.file, text, false)?;
            self.questions.tell_with("init-wrote", &[("file", self.config.file.display().to_string())]);
        }
        Ok(())
    }

    fn say_what_comes_next(&self) {
        output::print_line("");
        self.questions.tell("init-next");
        let arguments =
            [("config", config_option(&self.config.file)), ("name", self.app.bot_name().to_owned())];
        for key in ["init-next-invite", "init-next-run"] {
            output::print_line(&format!("  {}", self.questions.words.say_with(key, &arguments)));
        }
    }
}
