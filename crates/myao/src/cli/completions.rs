//! `myao completions`: what a shell needs to complete commands, options, channels and people (ADR 108).
//!
//! The script that a shell loads asks the program itself, so it never goes out of date, and channels and people come from
//! the database as it is then.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use clap::{Args, Command, ValueEnum};
use clap_complete::{
    CompletionCandidate,
    engine::ArgValueCompleter,
    env::{CompleteEnv, Shells},
};
use myao_config::{Config, Database};
use myao_core::chat::Visibility;
use myao_store::{Store, StoreError, Target};

use super::{done::Done, output};
use crate::failure::Failure;

/// The variable by which a shell's script asks.
const VARIABLE: &str = "MYAO_COMPLETE";
/// The name of the program.
const PROGRAM: &str = "myao";
/// The arguments that name a channel.
const CHANNELS: [&str; 2] = ["channel", "place"];
/// The arguments that name a person.
const PEOPLE: [&str; 1] = ["user"];
/// The arguments that name a token.
const TOKENS: [&str; 1] = ["token"];
/// The most candidates that a shell is given: more than anybody looks through.
const MOST_CANDIDATES: usize = 500;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    Power,
    Elvish,
}

const AFTER_HELP: &str = "\
Prints a script that the shell reads when it starts:
  bash        echo 'source <(myao completions bash)' >> ~/.bashrc
  zsh         echo 'source <(myao completions zsh)' >> ~/.zshrc
  fish        myao completions fish > ~/.config/fish/completions/myao.fish
  powershell  myao completions powershell >> $PROFILE
  elvish      echo 'eval (myao completions elvish | slurp)' >> ~/.elvish/rc.elv
Channels and people are those of the database of ./config.yaml, or of the --config that stands in the line.";

impl Shell {
    const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Power => "powershell",
            Self::Elvish => "elvish",
        }
    }
}

/// Prints the script of a shell.
pub(super) fn run(args: &CompletionsArgs) -> Result<Done, Failure> {
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(args.shell.name()) else {
        return Err(Failure::usage(format!("no completions for {}", args.shell.name())));
    };
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)
        .map_err(anyhow::Error::from)?;
    output::say_marked(String::from_utf8_lossy(&script).trim_end());
    Ok(Done::All)
}

/// Answers a shell that asks for candidates, and ends the process; does nothing otherwise.
pub(super) fn answer_shell(command: impl Fn() -> Command) {
    CompleteEnv::with_factory(|| with_candidates(command())).var(VARIABLE).bin(PROGRAM).complete();
}

/// The command, with candidates for the arguments that name channels, people and tokens.
fn with_candidates(command: Command) -> Command {
    command.mut_subcommands(with_candidates).mut_args(|arg| {
        let name = arg.get_id().as_str();
        if CHANNELS.contains(&name) {
            return arg.add(ArgValueCompleter::new(channels_beginning_with));
        }
        if PEOPLE.contains(&name) {
            return arg.add(ArgValueCompleter::new(people_beginning_with));
        }
        if TOKENS.contains(&name) {
            return arg.add(ArgValueCompleter::new(tokens_beginning_with));
        }
        arg
    })
}

/// A name as a shell may complete it.
struct Named {
    id: String,
    name: String,
}

fn channels_beginning_with(begun: &OsStr) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    // A `#` stands in quotes, since it would begin a comment.
    let mark = if begun.starts_with('#') { "#" } else { "" };
    let channels = read_database(async |store| {
        let rows = store.archive().channels(&Visibility::Owner).await?;
        Ok(rows
            .into_iter()
            .map(|row| Named { id: row.channel.id.as_str().to_owned(), name: row.channel.name })
            .collect())
    });
    candidates(channels, &begun, mark)
}

fn people_beginning_with(begun: &OsStr) -> Vec<CompletionCandidate> {
    let people = read_database(async |store| {
        let people = store.local().all_people().await?;
        Ok(people
            .into_iter()
            .map(|person| Named { id: person.id.as_str().to_owned(), name: person.name })
            .collect())
    });
    candidates(people, &begun.to_string_lossy(), "")
}

fn tokens_beginning_with(begun: &OsStr) -> Vec<CompletionCandidate> {
    let tokens = read_database(async |store| {
        let stand = store.local().agent_tokens().await?.into_iter().filter(|one| one.revoked_at.is_none());
        Ok(stand.map(|one| Named { id: one.token.agent.as_str().to_owned(), name: one.token.name }).collect())
    });
    candidates(tokens, &begun.to_string_lossy(), "")
}

/// Those that begin like this: by their names, or by their ids where a shell would take a name apart.
fn candidates(named: Vec<Named>, begun: &str, mark: &str) -> Vec<CompletionCandidate> {
    let is_plain = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let one = |named: Named| {
        if is_plain(&named.name) {
            let word = format!("{mark}{}", named.name);
            return word.starts_with(begun).then(|| CompletionCandidate::new(word));
        }
        let fits = named.id.starts_with(begun) || (!begun.is_empty() && named.name.starts_with(begun));
        let help = output::with_visible_controls(&output::one_line(&named.name));
        fits.then(|| CompletionCandidate::new(named.id).help(Some(help.into())))
    };
    named.into_iter().filter_map(one).take(MOST_CANDIDATES).collect()
}

/// What is read from the database; nothing if it cannot be read, since a shell shows no errors while somebody types.
fn read_database<F>(read: impl FnOnce(Store) -> F) -> Vec<Named>
where
    F: Future<Output = Result<Vec<Named>, StoreError>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return Vec::new() };
    let file = file_in_line(std::env::args_os());
    let Ok(loaded) = Config::load(file.as_deref()) else { return Vec::new() };
    let target = match &loaded.config.database {
        Database::Sqlite(path) => Target::Sqlite(path.clone()),
        Database::Postgres(url) => Target::Postgres(url.expose().to_owned()),
    };
    runtime.block_on(async {
        let Ok(store) = Store::open_to_read(&target).await else { return Vec::new() };
        let named = read(store.clone()).await.unwrap_or_default();
        store.close().await;
        named
    })
}

/// The file that `--config` names in the line that is typed.
fn file_in_line(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.skip_while(|word| word != "--").skip(1);
    while let Some(word) = words.next() {
        if word == "--config" {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.to_string_lossy().strip_prefix("--config=") {
            return Some(PathBuf::from(path));
        }
    }
    None
}
