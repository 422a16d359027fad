//! `cargo xtask tidy` and `cargo xtask keep`: see [`xtask::tidy`] and [`xtask::keep`].

use std::{io, process::ExitCode};

use xtask::{keep, tidy};

const USAGE: &str = "usage: cargo xtask tidy            checks the rules that neither the compiler nor clippy knows
       cargo xtask keep [OPTIONS]  measures what memory keeps of facts planted into talk; --help tells its options";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_done = match arguments.split_first() {
        Some((task, [])) if task == "tidy" => tidy::run(&mut io::stdout().lock())? == 0,
        Some((task, options)) if task == "keep" => keep::run(options)?,
        _ => anyhow::bail!(USAGE),
    };
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
