//! `myao man`: the manual pages, made from the commands' own help; `reference`: all of it as a page of the documentation.

mod reference;

use std::path::PathBuf;

use clap::{Args, Command};
use myao_core::text::Language;

use super::{done::Done, output};
use crate::failure::Failure;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  myao man | man -l -\n  myao man --to ~/.local/share/man/man1\n  myao man --markdown --lang ja"
)]
pub(super) struct ManArgs {
    /// Write a page for each command into this folder; without it, the page of `myao` itself goes to stdout
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
    /// Print all commands and options as one page of Markdown instead, as the documentation has it
    #[arg(long, conflicts_with = "to")]
    markdown: bool,
    /// The language of that page: `ja` or `en` [default: en]
    #[arg(long, requires = "markdown")]
    lang: Option<Language>,
}

pub(super) fn run(args: &ManArgs, command: Command) -> Result<Done, Failure> {
    if args.markdown {
        output::say_marked(reference::page(command, args.lang.unwrap_or(Language::En)).trim_end());
        return Ok(Done::All);
    }
    let Some(folder) = &args.to else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(anyhow::Error::from)?;
        output::say_marked(String::from_utf8_lossy(&page).trim_end());
        return Ok(Done::All);
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| Failure::usage(format!("{}: {error}", folder.display())))?;
    output::print_line(&format!("the manual pages are in {}", folder.display()));
    Ok(Done::All)
}
