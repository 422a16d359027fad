//! The commands: their arguments, and what runs them. [`main`] is the program.

mod as_of;
mod backup;
mod brief;
mod browser;
mod build;
mod changed;
mod check;
mod completions;
mod corrections;
mod cost;
mod db;
mod decisions;
mod demo;
mod diff;
mod doctor;
mod done;
mod embedding;
mod ends;
mod export;
mod failed_lookups;
mod first_words;
mod forget;
mod health;
mod import;
mod indexing;
mod init;
mod journal;
mod labels;
mod locale;
mod logging;
mod loops;
mod man;
mod manual;
mod mcp;
mod memo;
mod opted_out;
mod output;
mod person;
mod policy;
mod prompt;
mod rebuild;
mod recall;
mod reloading;
mod run;
mod setup;
mod show;
mod status;
mod stop_signals;
mod terms;
mod time_range;
mod token;
mod trial;
mod unfinished_imports;
mod verify;
mod waiting;
mod web;
mod why;
mod words;

use std::{io, path::PathBuf, process::ExitCode};

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use myao_config::{Config, Loaded};

use self::{done::Done, reloading::Reloading};
use crate::{
    app::App,
    failure::{Failure, INCOMPLETE},
    traces::Traces,
};

/// A friend in a chat workspace that remembers, and whose memory people can trust.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Cli {
    /// The configuration [default: ./config.yaml; without one, built-in defaults]
    #[arg(long, global = true, value_name = "PATH")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// Threads on which tasks run, beside the main one. Nearly everything here waits for a database, a model or a chat, and
/// with more threads each answer of theirs wakes another one. What computes for long has threads of its own (ADR 71).
const WORKERS: usize = 1;

const AFTER_HELP: &str = "\
Begin with `myao demo`, then `myao init`. With an export of a workspace of your own:
  myao import slack export.zip
  myao memory build
  myao memory show '#general'
  myao prompt '#general'
  myao web
To join Slack: `myao setup slack`, then `myao run`.

Exit codes: 0 done; 1 done, but something was skipped or failed (it says what); \
2 wrong arguments, configuration or input file; 3 the database cannot be used.";

#[derive(Debug, Subcommand)]
enum Command {
    /// See it work: a sample workspace is imported and remembered before your eyes
    Demo(demo::DemoArgs),
    /// Set it up: asks what it has to know, tries it, and writes config.yaml
    Init(init::InitArgs),
    /// Set up Slack alone: makes the app's manifest, takes its two tokens, tries them
    Setup {
        #[command(subcommand)]
        command: setup::SetupCommand,
    },
    #[command(flatten)]
    Configured(ConfiguredCommand),
    /// Move an installation to another database
    Db {
        #[command(subcommand)]
        command: db::DbCommand,
    },
    /// Ask the run how it is: exit code 0 when it hears Slack and answers. For health checks
    Health(health::HealthArgs),
    /// Gather a report for a bug: versions, counts, states; no secret, no name, nothing that was said
    Doctor(doctor::DoctorArgs),
    /// Print what a shell needs to complete commands, options, channels and people
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write all of them into a folder
    Man(man::ManArgs),
}

/// A command that runs on a configuration and its database. The demo brings its own.
#[derive(Debug, Subcommand)]
enum ConfiguredCommand {
    /// Join Slack: remember what is said there and answer who asks. Ends with Ctrl-C
    Run,
    /// Try everything a run needs, and say what is wrong and what to do about it
    Check(check::CheckArgs),
    /// Take an archive in
    Import {
        #[command(subcommand)]
        source: ImportSource,
    },
    /// Build and look at memories
    Memory {
        #[command(subcommand)]
        command: MemoryCommand,
    },
    /// Keep notes that replies see, and some for yourself
    Memo {
        #[command(subcommand)]
        command: memo::MemoCommand,
    },
    /// Show the exact prompt a reply in a place would be made from
    Prompt(prompt::PromptArgs),
    /// Find what was said, and what is remembered
    Recall(recall::RecallArgs),
    /// Show what somebody missed: what was decided, what changed and what was asked of them
    Brief(brief::BriefArgs),
    /// Show what people promised, what waits for an answer, and which dates are to come
    Loops(loops::LoopsArgs),
    /// Forget for good: a message, a person, a channel, a time, words
    Forget(forget::ForgetArgs),
    /// Show when it spoke up unasked, when it kept quiet, and why; try other settings
    Decisions(decisions::DecisionsArgs),
    /// Show what models were asked and what that cost, by model, role, channel, day or purpose
    Cost(cost::CostArgs),
    /// Show what holds in a place, what it may cost and when it speaks there, and which line of the configuration says so
    Policy(policy::PolicyArgs),
    /// Show what is archived, what is remembered, and what it cost
    #[command(after_help = status::AFTER_HELP)]
    Status(JsonArgs),
    /// Look at all of it in a browser
    Web(web::WebArgs),
    /// Give other agents the memory, on standard input and output (MCP)
    Mcp(mcp::McpArgs),
    /// Make, list and revoke the tokens by which other agents ask
    Token {
        #[command(subcommand)]
        command: token::TokenCommand,
    },
    /// Make a backup beside a run: one file, opened and verified before it gets its name
    Backup(backup::BackupArgs),
    /// Show in which language and time zone memories are written, or change it
    Locale(locale::LocaleArgs),
}

#[derive(Debug, Subcommand)]
enum ImportSource {
    /// A Slack workspace export: the zip file or the unpacked folder. A newer one brings what is new, edited and deleted
    Slack(import::ImportArgs),
}

#[derive(Debug, Subcommand)]
enum MemoryCommand {
    /// Cut the archive into chapters, write and merge memories. Killed, it goes on where it was
    Build(build::BuildArgs),
    /// Write a channel's memories anew, from a chapter on or from its very start
    Rebuild(rebuild::RebuildArgs),
    /// List the versions of a channel's short-term memory, or everything ever written of a memory
    Log(show::MemoryLogArgs),
    /// Show what is remembered of a channel or of the workspace
    Show(show::ShowArgs),
    /// Show what a memory was made from, or where words in it come from
    Why(why::WhyArgs),
    /// Show what is remembered of somebody, and of what somebody said
    Person(person::PersonArgs),
    /// Show what changed in what is remembered between two days: lines that came, and lines that these replaced
    Changed(changed::ChangedArgs),
    /// Show what changed between two texts of a memory, word by word
    Diff(diff::DiffArgs),
    /// Go back to an earlier text of a memory. Nothing is folded in twice because of it
    Revert(manual::RevertArgs),
    /// Write a long-term memory by hand
    Edit(manual::MemoryEditArgs),
    /// List what people put right in a channel's memories, or take one of it back
    Corrections(corrections::CorrectionsArgs),
    /// List abbreviations, nicknames and names of projects as people explained them, with who said so; end a wrong meaning
    Terms(terms::TermsArgs),
    /// Try which model to take: what it would write for a channel's newest chapters, beside builtin and the one you have.
    /// No memory is changed
    Try(trial::TrialArgs),
    /// Check that every message is covered once and every merge is in place. Exit code 1 when not
    Verify(JsonArgs),
    /// Write all memories and the journal into a folder, as JSON lines and as Markdown
    Export(export::ExportArgs),
}

/// The arguments of a command that only has `--json`.
#[derive(Debug, Args)]
struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the program: parses the arguments, runs the command, and prints errors on stderr.
pub fn main() -> ExitCode {
    match run_to_end() {
        Ok(Done::All) => ExitCode::SUCCESS,
        Ok(Done::Partly) => ExitCode::from(INCOMPLETE),
        Err(failure) => {
            output::print_to_stderr(&failure.line());
            ExitCode::from(failure.code())
        }
    }
}

fn run_to_end() -> Result<Done, Failure> {
    completions::answer_shell(Cli::command);
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build()
        .map_err(Failure::incomplete)?;
    let reads_lines = matches!(cli.command, Command::Configured(ConfiguredCommand::Mcp(_)));
    let done = runtime.block_on(run_command(cli));
    if reads_lines {
        // Where standard input is no pipe, a read of it goes on until somebody types, and would be waited for.
        runtime.shutdown_background();
    }
    let done = done?;
    match output::write_error() {
        Some(error) => Err(Failure::incomplete(anyhow::anyhow!("the result could not be written: {error}"))),
        None => Ok(done),
    }
}

async fn run_command(cli: Cli) -> Result<Done, Failure> {
    let command = match cli.command {
        Command::Demo(args) => return Box::pin(demo::run(args)).await,
        Command::Init(args) => return Box::pin(init::run(args, cli.config)).await,
        Command::Setup { command } => return Box::pin(setup::run(command, cli.config)).await,
        Command::Health(args) => return Box::pin(health::run(args, cli.config.as_deref())).await,
        Command::Doctor(doctor::DoctorArgs {}) => return Box::pin(doctor::run(cli.config.as_deref())).await,
        Command::Completions(args) => return completions::run(&args),
        Command::Man(args) => return man::run(&args, Cli::command()),
        Command::Db { command } => return Box::pin(db::run(command)).await,
        Command::Configured(command) => command,
    };
    if let ConfiguredCommand::Mcp(args) = &command {
        args.enter_folder()?;
    }
    let loaded = Config::load(cli.config.as_deref())?;
    let (traces, reloading) = start_logging_for(&command, &loaded, cli.config)?;
    if let ConfiguredCommand::Import { source: ImportSource::Slack(args) } = &command {
        import::require_export(args)?;
    }
    let reads = if let ConfiguredCommand::Mcp(args) = &command {
        args.reads(&loaded.config).await?
    } else {
        command.reads()
    };
    let mut app = if reads {
        App::open_to_read(loaded.config.clone(), command.searches()).await?
    } else {
        App::open(loaded.config.clone()).await?
    };
    first_words::say_once(&app, &loaded.notes, loaded.file.as_deref());
    if let Some(adoption) = app.store.adoption() {
        output::print_to_stderr(&format!("note: {adoption}"));
        if !matches!(command, ConfiguredCommand::Run | ConfiguredCommand::Check(_)) {
            memo::undecided::print_note(&app, memo::undecided::as_a_note).await?;
        }
    }
    if !matches!(command, ConfiguredCommand::Forget(_) | ConfiguredCommand::Run) {
        forget::note_unfinished(&app).await?;
    }
    let begun = Begun { loaded: &loaded, reloading };
    let done = run_configured(&mut app, command, begun).await;
    // Words that this command or another process removed must not stay in a recording.
    if !reads && let Err(error) = app.follow_removals().await {
        output::print_to_stderr(&format!(
            "recordings of calls to models may still hold removed words: {error}"
        ));
    }
    app.close().await;
    if let Some(traces) = traces {
        traces.end(run::time_for_last_spans(&app.config)).await;
    }
    if done.is_ok() {
        app.store.check_unmoved().map_err(Failure::incomplete)?;
    }
    done
}

/// Starts logging. A run also sends traces, if that is wanted, and can read its configuration again.
fn start_logging_for(
    command: &ConfiguredCommand,
    loaded: &Loaded,
    file: Option<PathBuf>,
) -> Result<(Option<Traces>, Option<Reloading>), Failure> {
    if matches!(command, ConfiguredCommand::Run) {
        let (traces, reloading) = run::begin(loaded, file)?;
        return Ok((traces, Some(reloading)));
    }
    logging::start_logging(&loaded.config.logging, None);
    Ok((None, None))
}

/// What a command that runs on a configuration has beside it.
struct Begun<'a> {
    /// The configuration as it was read.
    loaded: &'a Loaded,
    /// Only a run reads it again.
    reloading: Option<Reloading>,
}

async fn run_configured(
    app: &mut App,
    command: ConfiguredCommand,
    begun: Begun<'_>,
) -> Result<Done, Failure> {
    match command {
        ConfiguredCommand::Forget(args) => forget::run(app, &args).await,
        ConfiguredCommand::Import { source: ImportSource::Slack(args) } => import::run(app, &args).await,
        ConfiguredCommand::Memory { command } => run_memory_command(app, command).await,
        ConfiguredCommand::Memo { command } => memo::run(app, command).await,
        ConfiguredCommand::Prompt(args) => prompt::run(app, &args).await,
        ConfiguredCommand::Recall(args) => recall::run(app, &args).await,
        ConfiguredCommand::Run => run::run(app, begun.reloading).await,
        ConfiguredCommand::Check(args) => {
            let Loaded { notes, file, .. } = begun.loaded;
            let configuration = first_words::configuration_in_words(app, notes, file.as_deref());
            check::run(app, &args, configuration).await
        }
        ConfiguredCommand::Backup(args) => backup::run(app, &args).await,
        ConfiguredCommand::Brief(args) => {
            let (_, visibility) = recall::place_and_visibility(app, args.place()).await?;
            let user = recall::meant::find_person(app, args.user()).await?.id;
            brief::run(app, &args, &visibility, &user).await
        }
        ConfiguredCommand::Cost(args) => cost::run(app, &args).await,
        ConfiguredCommand::Decisions(args) => decisions::run(app, &args).await,
        ConfiguredCommand::Loops(args) => {
            let (_, visibility) = recall::place_and_visibility(app, args.place()).await?;
            let of = match args.person() {
                Some(name) => Some(recall::meant::find_person(app, name).await?.id),
                None => None,
            };
            loops::run(app, &args, &visibility, of).await
        }
        ConfiguredCommand::Locale(args) => locale::run(app, &args).await,
        ConfiguredCommand::Mcp(args) => mcp::run(app, &args).await,
        ConfiguredCommand::Policy(args) => policy::run(app, &args, begun.loaded).await,
        ConfiguredCommand::Token { command } => token::run(app, command).await,
        ConfiguredCommand::Status(args) => status::run(app, args.json).await,
        ConfiguredCommand::Web(args) => web::run(app, &args).await,
    }
}

impl ConfiguredCommand {
    /// Whether it only reads the database, and so writes and makes nothing.
    fn reads(&self) -> bool {
        match self {
            Self::Run | Self::Check(_) | Self::Import { .. } => false,
            Self::Memory { command } => match command {
                MemoryCommand::Log(_)
                | MemoryCommand::Show(_)
                | MemoryCommand::Why(_)
                | MemoryCommand::Person(_)
                | MemoryCommand::Changed(_)
                | MemoryCommand::Diff(_)
                | MemoryCommand::Verify(_)
                | MemoryCommand::Export(_) => true,
                MemoryCommand::Terms(args) => args.reads(),
                MemoryCommand::Build(_)
                | MemoryCommand::Try(_)
                | MemoryCommand::Rebuild(_)
                | MemoryCommand::Revert(_)
                | MemoryCommand::Edit(_)
                | MemoryCommand::Corrections(_) => false,
            },
            Self::Memo { command } => command.reads(),
            Self::Token { command } => command.reads(),
            Self::Forget(args) => args.reads(),
            Self::Decisions(args) => args.reads(),
            Self::Locale(args) => args.reads(),
            Self::Prompt(_)
            | Self::Recall(_)
            | Self::Brief(_)
            | Self::Loops(_)
            | Self::Backup(_)
            | Self::Cost(_)
            | Self::Policy(_)
            | Self::Status(_)
            | Self::Web(_)
            | Self::Mcp(_) => true,
        }
    }

    /// Whether it may ask a model what a question means.
    fn searches(&self) -> bool {
        matches!(self, Self::Prompt(_) | Self::Recall(_) | Self::Web(_) | Self::Mcp(_))
    }
}

/// Reads all of stdin as text.
fn read_stdin() -> Result<String, Failure> {
    io::read_to_string(io::stdin())
        .map_err(|error| Failure::usage(format!("the text on stdin could not be read: {error}")))
}

async fn run_memory_command(app: &App, command: MemoryCommand) -> Result<Done, Failure> {
    match command {
        MemoryCommand::Build(args) => build::run(app, &args).await,
        MemoryCommand::Rebuild(args) => rebuild::run(app, &args).await,
        MemoryCommand::Log(args) => show::print_log(app, &args).await,
        MemoryCommand::Show(args) => show::print_memory(app, &args).await,
        MemoryCommand::Why(args) => why::run(app, &args).await,
        MemoryCommand::Person(args) => person::run(app, &args).await,
        MemoryCommand::Changed(args) => {
            let (_, visibility) = recall::place_and_visibility(app, args.place()).await?;
            changed::run(app, &args, &visibility).await
        }
        MemoryCommand::Diff(args) => diff::run(app, &args).await,
        MemoryCommand::Revert(args) => manual::revert_memory(app, &args).await,
        MemoryCommand::Edit(args) => manual::edit_memory(app, &args).await,
        MemoryCommand::Corrections(args) => corrections::run(app, &args).await,
        MemoryCommand::Terms(args) => {
            let (_, visibility) = recall::place_and_visibility(app, args.place()).await?;
            terms::run(app, &args, &visibility).await
        }
        MemoryCommand::Try(args) => trial::run(app, &args).await,
        MemoryCommand::Verify(args) => verify::run(app, args.json).await,
        MemoryCommand::Export(args) => export::run(app, &args).await,
    }
}
