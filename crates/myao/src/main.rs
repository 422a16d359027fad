//! The program `myao`.

use std::process::ExitCode;

fn main() -> ExitCode {
    myao::cli::main()
}
