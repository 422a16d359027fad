//! `cargo xtask tidy`: see [`xtask::tidy`].

use std::{io, process::ExitCode};

use xtask::tidy;

const USAGE: &str = "usage: cargo xtask tidy    checks the rules that neither the compiler nor clippy knows";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => {
            let found = tidy::run(&mut io::stdout().lock())?;
            Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        _ => anyhow::bail!(USAGE),
    }
}
