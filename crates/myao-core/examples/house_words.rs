//! Prints what texts explain of words of the house: each line of the input is a text as a JSON string.
//!
//! `cargo run -p myao-core --example house_words < texts`

#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use std::io::{self, BufRead as _};

use myao_core::recall::house_words_in;

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?).map_err(io::Error::other)?;
        for word in house_words_in(&text) {
            println!("{:?} {} = {}\t{}", word.form, word.word, word.meaning, text.replace('\n', " / "));
        }
    }
    Ok(())
}
