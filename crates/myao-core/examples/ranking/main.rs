//! Chooses the weights of the ranking, and tells how well they find known items.
//!
//! `cargo xtask ranking --data FOLDER`
//! reads the talk and the questions of FOLDER (CONTRIBUTING.md tells what is in it). A question is a reply, and what is
//! searched is what its channel held before; an earlier message of its conversation has to come first. Weights are
//! fitted on all questions that are made of `mrmp_ja`, and on those of the other two whose conversation begins with a
//! message of even hash; the figures are those of the others. What it prints as fitted is what `recall/weights.rs` holds.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

mod archive;
mod fit;
mod search;

use std::{error::Error, path::Path};

use archive::Archive;
use fit::{Figures, Part};
use myao_core::recall::RankWeights;

/// The corpora with questions of their own.
const WITH_QUESTIONS: [&str; 2] = ["haskell_jp", "irc_gold"];
/// The corpus of which questions are made.
const WITHOUT: &str = "mrmp_ja";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [flag, folder] = &arguments[..] else {
        return Err("usage: cargo xtask ranking --data FOLDER".into());
    };
    if flag != "--data" {
        return Err("usage: cargo xtask ranking --data FOLDER".into());
    }
    let folder = Path::new(folder);
    let mut sets = Vec::new();
    for name in WITH_QUESTIONS {
        let archive = Archive::read(&folder.join(name).join("export.zip"))?;
        let asked = archive::questions(&folder.join("recall").join(format!("{name}.jsonl")))?;
        sets.push((name, search::all(&archive, &asked)));
    }
    let archive = Archive::read(&folder.join(WITHOUT).join("export.zip"))?;
    sets.push((WITHOUT, search::all(&archive, &archive.made_questions())));
    let fitted = fit::fitted(&sets);
    for (name, weights) in [("frozen", RankWeights::FROZEN), ("fitted", fitted)] {
        println!("{name}: {weights:?}");
        for (set, items) in &sets {
            for (part, of) in [("fitted on", Part::FittedOn), ("held out", Part::HeldOut)] {
                let figures = Figures::of(items, of, &weights);
                if figures.questions > 0 {
                    println!("  {set}, {part}: {figures}");
                }
            }
        }
    }
    Ok(())
}
