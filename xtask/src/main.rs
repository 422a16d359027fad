//! `cargo xtask tidy`, `sizes`, `features`, `keys`, `answers`, `ranking`, `generate-export` and `secret-rules`:
//! see [`xtask::tidy`], [`xtask::structure`], [`xtask::features`], [`xtask::keys`], [`xtask::measurement`],
//! [`xtask::generated_export`] and [`xtask::secret_rules`].

use std::{io, process::ExitCode};

use xtask::{features, generated_export, keys, measurement, secret_rules, structure, tidy};

const USAGE: &str = "usage: cargo xtask tidy            checks the rules that neither the compiler nor clippy knows
       cargo xtask sizes [OPTIONS]        measures the code: its size, its names, its knots; --help tells more
       cargo xtask features               writes which features one crate by itself shares with the workspace
       cargo xtask keys                   writes the pages of all keys of the configuration from the examples
       cargo xtask ranking --data FOLDER  fits the weights by which what a search finds is ranked, and measures them
       cargo xtask answers plant|ask|attribute [OPTIONS]  measures what memory keeps, whose words it makes of it, and what of it reaches answers; --help tells more
       cargo xtask generate-export FOLDER [--channels N] [--messages N]  writes a Slack export to measure imports with
       cargo xtask secret-rules PATH/gitleaks.toml COMMIT  imports the rules by which secrets are told";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_done = match arguments.split_first() {
        Some((task, [])) if task == "tidy" => tidy::check_repository(&mut io::stdout().lock())? == 0,
        Some((task, options)) if task == "sizes" => structure::run(options, &mut io::stdout().lock())?,
        Some((task, [])) if task == "features" => features::write_manifest().map(|()| true)?,
        Some((task, [])) if task == "keys" => keys::write_pages().map(|()| true)?,
        Some((task, options)) if ["answers", "ranking"].contains(&task.as_str()) => {
            measurement::build_and_run(task, options)?
        }
        Some((task, arguments)) if task == "generate-export" => {
            generated_export::run(arguments, &mut io::stdout().lock()).map(|()| true)?
        }
        Some((task, arguments)) if task == "secret-rules" => secret_rules::import_from_file(arguments)?,
        _ => anyhow::bail!(USAGE),
    };
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
