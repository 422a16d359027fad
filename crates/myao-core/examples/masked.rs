//! Tells which texts hold something that is masked, for whoever changes the rules:
//! `cargo run --workspace --example masked < TEXTS`, with a JSON text on each line. Whatever it prints that is no secret
//! is a false alarm.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "an example for the terminal")]

use std::io::BufRead as _;

use myao_core::text::{kinds_in_text, with_secrets_masked};

fn main() {
    let mut texts = 0;
    let mut with_secrets = 0;
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line.expect("a line")).expect("a JSON text");
        texts += 1;
        let kinds = kinds_in_text(&text);
        if !kinds.is_empty() {
            with_secrets += 1;
            println!(
                "{kinds:?}\n  {}\n  {}",
                text.replace('\n', "\\n"),
                with_secrets_masked(&text).replace('\n', "\\n")
            );
        }
    }
    println!("{with_secrets} of {texts} texts hold something that is masked");
}
