//! `myao init`: asks what has to be known, tries it, and writes `config.yaml` and `.env`.
//!
//! `database`: a server's; `models` and `prices`: who writes; `choices`: the file that follows. Asking, Slack's app and
//! tokens, and writing are those of [`setup`](super::setup). Nothing is written before everything is answered, and nothing
//! is overwritten unasked.

mod choices;
mod database;
mod kept;
mod models;
mod prices;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use jiff::tz::TimeZone;
use myao_config::{
    Config, Database, Loaded, ModelId, find_variable, terminal_language, terminal_zone,
    terminal_zone_left_out,
};
use myao_core::{ports::Clock, text::Language};
use myao_store::NotedLocale;

use self::{
    choices::{Choices, ChosenPersona, ChosenSlack},
    kept::sections_to_keep,
    models::GivenModel,
};
use super::{
    Done, Failure, check,
    locale::zone_by_name,
    logging, output,
    setup::{
        self, Questions, SecretVariable, SlackApp, TokenQuestions, TokenVariables, USUAL_FILE, config_option,
        known_locale,
    },
    words::Words,
};
use crate::{app::App, clock::SystemClock};

/// How many older files may stand beside a new one before the first of them is overwritten.
const MOST_KEPT: u32 = 1000;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct InitArgs {
    /// The language of memories, prompts and of these questions: `ja` or `en` [default: the terminal's]
    #[arg(long)]
    language: Option<Language>,
    /// The time zone, as in Asia/Tokyo [default: this machine's]
    #[arg(long, value_name = "ZONE", value_parser = zone_by_name)]
    timezone: Option<TimeZone>,
    /// What it is called [default: myao]
    #[arg(long)]
    name: Option<String>,
    /// Who it is, in a sentence or two
    #[arg(long, value_name = "TEXT")]
    persona: Option<String>,
    /// It lives in Slack: asks for the tokens, or takes them from `SLACK_APP_TOKEN` and `SLACK_BOT_TOKEN`
    #[arg(long)]
    slack: bool,
    /// It lives on this machine only, with an export
    #[arg(long, conflicts_with = "slack")]
    archive: bool,
    /// Slack's Web API, where it is another one (`GovSlack`)
    #[arg(long, value_name = "URL")]
    slack_api: Option<String>,
    /// Who writes: `builtin`, or PROVIDER/MODEL. A key is taken from the provider's variable, such as `OPENAI_API_KEY`
    #[arg(long, value_name = "MODEL", value_parser = super::trial::model_id)]
    model: Option<ModelId>,
    /// The model's server, where it is not the provider's own
    #[arg(long, value_name = "URL", requires = "model")]
    api_base: Option<String>,
    /// Its database on a PostgreSQL server, as in `postgres://myao@host/myao` [default: a file]. Its password is taken from
    /// `MYAO_DATABASE_PASSWORD`, as it stands in a URL (percent-encoded)
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// The most tokens a day for all models; 0: no limit
    #[arg(long, value_name = "N")]
    daily_tokens: Option<u64>,
    /// A server of this machine to look for models at, beside the usual ports; may be given several times
    #[arg(long, value_name = "URL")]
    local_server: Vec<String>,
    #[command(flatten)]
    manner: InitManner,
}

#[derive(Debug, Args)]
struct InitManner {
    /// Ask nothing: what no option says has its default
    #[arg(long, short)]
    yes: bool,
    /// Write the file anew if it is there; what it held is kept beside it
    #[arg(long)]
    overwrite: bool,
    /// Try neither tokens nor the model, and run no check
    #[arg(long)]
    no_check: bool,
}

const AFTER_HELP: &str = "\
Writes ./config.yaml (or the file of --config): the few lines that differ from the defaults. Tokens and keys are typed \
unseen, tried at once, and stored in .env beside it, which only you can read. They are no options, since other people on \
a machine see those: a script sets SLACK_APP_TOKEN, SLACK_BOT_TOKEN and the provider's variable, which are then left \
where they are. Where there is no terminal, nothing is asked.

Examples:
  myao init
  myao init --yes --language en --timezone Europe/London
  myao init --yes --model ollama/qwen3:8b
  OPENAI_API_KEY=… myao init --yes --slack --model openai/gpt-4o-mini";

pub(super) async fn run(args: InitArgs, config: Option<PathBuf>) -> Result<Done, Failure> {
    logging::start_logging(&Config::default().logging, None);
    let file = config.unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let before = settings_before(&file)?;
    let is_answered = !args.manner.yes && Questions::has_terminal();
    let known = match &args.database_url {
        None => {
            let known = known_locale(before.database.as_ref().unwrap_or(&Config::default().database)).await;
            known.and_then(|known| known.noted)
        }
        // It is not known whether it can be reached.
        Some(_) => None,
    };
    let language = ask_language(&args, known.as_ref(), is_answered)?;
    let questions = Questions { words: Words::of(language), is_answered };
    let kept = allow_overwriting(&questions, &file, args.manner.overwrite)?;
    if is_answered {
        questions.tell_with("init-begins", &[("file", file.display().to_string())]);
    }
    let mut init = Init { file, args, questions, clock: Arc::new(SystemClock), secrets: Vec::new() };
    let choices = init.ask_everything(known.as_ref(), &before).await?;
    init.read_back(&choices)?;
    init.write(&choices, kept.as_deref())?;
    let done = init.check_what_was_written().await;
    init.say_what_comes_next(&choices);
    done
}

/// What an older file says that a new one keeps.
#[derive(Default)]
struct SettingsBefore {
    /// The database.
    database: Option<Database>,
    /// The sections that are not asked about, as they stand.
    sections: String,
}

fn settings_before(file: &Path) -> Result<SettingsBefore, Failure> {
    if !file.exists() {
        return Ok(SettingsBefore::default());
    }
    // What a faulty file would keep is not known: its database, who is never remembered.
    let unreadable = |why: String| {
        Failure::usage(format!(
            "{why}\n{} is written anew only where it can be read, since what init does not ask about is kept: mend it, or \
             move it away",
            file.display()
        ))
    };
    let loaded = Config::load(Some(file)).map_err(|error| unreadable(error.to_string()))?;
    let text = fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let sections = sections_to_keep(&text)
        .ok_or_else(|| unreadable("its sections do not begin at the beginning of a line".to_owned()))?;
    Ok(SettingsBefore { database: Some(loaded.config.database), sections })
}

fn ask_language(
    args: &InitArgs,
    known: Option<&NotedLocale>,
    is_answered: bool,
) -> Result<Language, Failure> {
    let usual = known.map_or_else(terminal_language, |known| known.language);
    if let Some(language) = args.language {
        return Ok(language);
    }
    let questions = Questions { words: Words::of(usual), is_answered };
    let all = [Language::En, Language::Ja];
    let first = all.iter().position(|language| *language == usual).unwrap_or(0);
    let number = questions.choose("Language / 言語", &["English".to_owned(), "日本語".to_owned()], first)?;
    Ok(all.get(number).copied().unwrap_or(usual))
}

/// Where the old file is kept; `None` where there is none.
fn allow_overwriting(questions: &Questions, file: &Path, is_meant: bool) -> Result<Option<PathBuf>, Failure> {
    if !file.exists() {
        return Ok(None);
    }
    let beside = |number: u32| {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(if number == 1 { ".before".to_owned() } else { format!(".before-{number}") });
        file.with_file_name(name)
    };
    let kept = (1..=MOST_KEPT).map(beside).find(|kept| !kept.exists()).unwrap_or_else(|| beside(1));
    let arguments = [("file", file.display().to_string()), ("kept", kept.display().to_string())];
    let prompt = questions.words.say_with("init-overwrite", &arguments);
    if is_meant || questions.confirm(&prompt, false)? {
        return Ok(Some(kept));
    }
    if questions.is_answered {
        return Err(Failure::usage(questions.words.say("init-nothing")));
    }
    Err(Failure::usage(format!("{} is there already; --overwrite writes it anew", file.display())))
}

/// Everything that the steps share.
struct Init {
    file: PathBuf,
    args: InitArgs,
    questions: Questions,
    clock: Arc<dyn Clock>,
    /// What goes to `.env`.
    secrets: Vec<SecretVariable>,
}

impl Init {
    async fn ask_everything(
        &mut self,
        known: Option<&NotedLocale>,
        before: &SettingsBefore,
    ) -> Result<Choices, Failure> {
        let mut choices = Choices {
            language: self.questions.words.language(),
            timezone: self.ask_zone(known)?,
            persona: self.ask_persona()?,
            database_url: None,
            slack: None,
            model: None,
            kept: before.sections.clone(),
        };
        self.choose_database(&mut choices).await?;
        let lives_in_slack = self.lives_in_slack()?;
        if !lives_in_slack && self.args.slack_api.is_some() {
            return Err(self.without_effect("--slack-api", "init-alone-slack"));
        }
        if lives_in_slack {
            choices.slack = Some(self.choose_slack(&choices).await?);
        }
        self.ask_model(&mut choices).await?;
        if choices.model.is_none() {
            let daily_tokens = self.args.daily_tokens.map(|_| "--daily-tokens");
            let api_base = self.args.api_base.as_ref().map(|_| "--api-base");
            if let Some(option) = daily_tokens.or(api_base) {
                return Err(self.without_effect(option, "init-alone-model"));
            }
        }
        Ok(choices)
    }

    /// An option that would be without effect, as was chosen: `why` it is.
    fn without_effect(&self, option: &str, why: &str) -> Failure {
        let words = &self.questions.words;
        let arguments = [("option", option.to_owned()), ("why", words.say(why))];
        Failure::usage(words.say_with("init-alone", &arguments))
    }

    fn ask_zone(&self, known: Option<&NotedLocale>) -> Result<TimeZone, Failure> {
        if let Some(zone) = &self.args.timezone {
            return Ok(zone.clone());
        }
        let machine = terminal_zone();
        if let Some(zone) = terminal_zone_left_out().filter(|_| known.is_none()) {
            let zone = output::with_visible_controls(&zone);
            self.questions.tell_with("init-zone-left-out", &[("zone", zone)]);
        }
        let usual =
            known.map_or_else(|| machine.iana_name().unwrap_or("UTC"), |known| known.timezone.as_str());
        let words = &self.questions.words;
        self.questions.ask(&words.say("init-zone"), usual, &words.say("init-zone-unknown"), |said| {
            zone_by_name(said).ok()
        })
    }

    /// The persona, unless it is the one that holds anyway.
    fn ask_persona(&self) -> Result<Option<ChosenPersona>, Failure> {
        let words = &self.questions.words;
        let locale = myao_config::Locale { language: words.language(), timezone: TimeZone::UTC };
        let usual = Config::default().speaking(locale).persona;
        let some_text = |said: &str| Some(said.to_owned()).filter(|said| !said.is_empty());
        let name = match &self.args.name {
            Some(name) => name.clone(),
            None => self.questions.ask(
                &words.say("init-name"),
                &usual.name,
                &words.say("init-name-empty"),
                some_text,
            )?,
        };
        let system_prompt = match &self.args.persona {
            Some(text) => text.clone(),
            None => self.questions.ask(&words.say("init-persona"), &usual.system_prompt, "", some_text)?,
        };
        let is_usual = name == usual.name && system_prompt == usual.system_prompt;
        Ok((!is_usual).then_some(ChosenPersona { name, system_prompt }))
    }

    /// The database on a server that an option names, if it can be reached.
    async fn choose_database(&mut self, choices: &mut Choices) -> Result<(), Failure> {
        let Some(address) = &self.args.database_url else { return Ok(()) };
        let kept = &choices.kept;
        let url = database::choose_address(&self.questions, &self.file, address, kept, &mut self.secrets)?;
        choices.database_url = Some(url);
        if self.args.manner.no_check {
            return Ok(());
        }
        self.questions.tell("init-database-trying");
        match self.read_back(choices)?.config.database {
            Database::Postgres(url) => database::try_database(url.expose()).await,
            Database::Sqlite(_) => Ok(()),
        }
    }

    fn lives_in_slack(&self) -> Result<bool, Failure> {
        if self.args.slack || self.args.archive {
            return Ok(self.args.slack);
        }
        let words = &self.questions.words;
        let items = [words.say("init-place-archive"), words.say("init-place-slack")];
        Ok(self.questions.choose(&words.say("init-place"), &items, 0)? == 1)
    }

    /// Slack's app and tokens, as `myao setup slack` has them made and asks for them.
    async fn choose_slack(&mut self, choices: &Choices) -> Result<ChosenSlack, Failure> {
        let mut config = self.read_back(choices)?.config;
        if let Some(address) = &self.args.slack_api {
            address.clone_into(&mut config.slack.api_base_url);
        }
        let tokens = TokenQuestions {
            questions: &self.questions,
            config: &self.file,
            clock: &self.clock,
            api_base_url: &config.slack.api_base_url,
            variables: TokenVariables::default(),
            is_tried: !self.args.manner.no_check,
        };
        let mut known = tokens.find_set_tokens().await?;
        if self.questions.is_answered {
            let missing: Vec<_> = known.missing().collect();
            setup::show_where_tokens_are(&self.questions, &SlackApp::of(&config), &missing, true)?;
        }
        tokens.ask_for_missing(&mut known).await?;
        let missing: Vec<_> = known.missing().map(setup::usual_variable).collect();
        for variable in &missing {
            let arguments = [("variable", (*variable).to_owned()), ("file", self.file.display().to_string())];
            self.questions.tell_with("init-token-later", &arguments);
        }
        self.secrets.append(&mut known.new);
        Ok(ChosenSlack { api_base_url: self.args.slack_api.clone(), missing })
    }

    /// Asks for a model until one answers, or until it is to be taken as it is.
    async fn ask_model(&mut self, choices: &mut Choices) -> Result<(), Failure> {
        let mut is_given = self.args.model.is_some();
        let mut refused = Vec::new();
        loop {
            let secrets_before = self.secrets.len();
            let given = GivenModel {
                model: self.args.model.as_ref().filter(|_| is_given),
                api_base: self.args.api_base.as_deref(),
                servers: &self.args.local_server,
                refused: &refused,
            };
            let picked = models::choose_model(&self.questions, &self.file, &given, &mut self.secrets).await?;
            let Some(mut model) = picked else { return Ok(()) };
            model.daily_tokens = models::ask_budget(&self.questions, &model, self.args.daily_tokens)?;
            choices.model = Some(model);
            if self.args.manner.no_check || self.model_answers(choices).await? {
                return Ok(());
            }
            let named = choices.model.as_ref().map(|model| model.id.to_string()).unwrap_or_default();
            if !self.questions.is_answered {
                return Err(Failure::usage(format!("{named} does not answer; nothing was written")));
            }
            if !self.questions.confirm(&self.questions.words.say("init-model-another"), true)? {
                self.questions.tell_with("init-model-untried", &[("model", named)]);
                return Ok(());
            }
            // A key that did not do is asked for anew.
            self.secrets.truncate(secrets_before);
            refused.extend(choices.model.take().and_then(|model| model.key_variable));
            is_given = false;
        }
    }

    /// Asks the model for a word, by the way that all calls go, beside a database that is gone afterwards: nothing is
    /// written before everything is answered.
    async fn model_answers(&self, choices: &Choices) -> Result<bool, Failure> {
        let named = choices.model.as_ref().map(|model| model.id.to_string()).unwrap_or_default();
        self.questions.tell_with("init-model-trying", &[("model", named)]);
        let mut config = self.read_back(choices)?.config;
        let scratch = tempfile::tempdir().map_err(|error| Failure::usage(error.to_string()))?;
        config.database = Database::Sqlite(scratch.path().join("memory.db"));
        let mut app = App::open(config).await?;
        let answer = check::try_answering_model(&mut app).await;
        app.close().await;
        let answer = answer?;
        let mark = if answer.is_fine { "ok   " } else { "WRONG" };
        for (line, mark) in answer.lines.iter().zip([mark, "     "]) {
            output::print_line(&format!("{mark} {line}"));
        }
        Ok(answer.is_fine)
    }

    /// The configuration that the file would be, so that a wrong one is not written.
    fn read_back(&self, choices: &Choices) -> Result<Loaded, Failure> {
        let text = choices.as_yaml(&self.questions.words);
        Ok(Config::load_from(&text, &self.file, |name| self.variable(name))?)
    }

    fn variable(&self, name: &str) -> Option<String> {
        let new = self.secrets.iter().find(|secret| secret.name == name).map(|secret| &secret.value);
        let found = || find_variable(&self.file, name).ok().flatten().map(|found| found.value);
        new.cloned().or_else(found).map(|value| value.expose().to_owned())
    }

    fn write(&self, choices: &Choices, kept: Option<&Path>) -> Result<(), Failure> {
        let questions = &self.questions;
        if let Some(kept) = kept {
            fs::copy(&self.file, kept).map_err(|error| {
                Failure::usage(format!("{}: {error}; nothing was written", kept.display()))
            })?;
            questions.tell_with("init-kept", &[("file", kept.display().to_string())]);
        }
        if !self.secrets.is_empty() {
            let env = self.file.with_file_name(".env");
            setup::write_env(&env, &self.secrets)?;
            let names: Vec<&str> = self.secrets.iter().map(|secret| secret.name.as_str()).collect();
            let arguments = [("file", env.display().to_string()), ("names", names.join(", "))];
            questions.tell_with("init-wrote-secrets", &arguments);
        }
        setup::replace_file(&self.file, &choices.as_yaml(&questions.words), false)?;
        questions.tell_with("init-wrote", &[("file", self.file.display().to_string())]);
        Ok(())
    }

    async fn check_what_was_written(&self) -> Result<Done, Failure> {
        if self.args.manner.no_check {
            return Ok(Done::All);
        }
        setup::check_what_was_written(&self.questions, &self.file).await
    }

    fn say_what_comes_next(&self, choices: &Choices) {
        let questions = &self.questions;
        output::print_line("");
        questions.tell("init-next");
        let config = config_option(&self.file);
        let tell = |key: &str, arguments: &[(&'static str, String)]| {
            let config = [("config", config.clone())];
            let arguments: Vec<_> = arguments.iter().cloned().chain(config).collect();
            output::print_line(&format!("  {}", questions.words.say_with(key, &arguments)));
        };
        let Some(slack) = &choices.slack else {
            for key in ["init-next-import", "init-next-build", "init-next-show", "init-next-web"] {
                tell(key, &[]);
            }
            return;
        };
        if !slack.missing.is_empty() {
            tell("init-next-setup", &[("names", slack.missing.join(", "))]);
        }
        let name = choices.persona.as_ref().map_or("myao", |persona| &persona.name).to_owned();
        tell("init-next-invite", &[("name", name)]);
        tell("init-next-run", &[]);
        tell("init-next-web", &[]);
    }
}
