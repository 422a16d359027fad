//! `cargo xtask sizes`: prints the figures of the working tree or of a commit, and its knots.

use std::io::Write;

use anyhow::bail;

use crate::tree::{self, SourceFile, cargo_metadata};

use super::{folders, measures::measures};

const HELP: &str = "usage: cargo xtask sizes [--knots] [--at COMMIT]

Prints the figures by which the code is compared over time: how large it is, how its functions are named, and how many
modules need one another in a circle.

  --knots       lists each knot with the needs that tie it
  --at COMMIT   measures a commit instead of the working tree";

/// Runs the command with what stands behind its name.
///
/// # Errors
/// When an option is unknown, git does not know the commit, or `out` cannot be written.
pub fn run(arguments: &[String], out: &mut impl Write) -> anyhow::Result<bool> {
    let mut arguments = arguments.iter().map(String::as_str);
    let mut shows_knots = false;
    let mut files = None;
    while let Some(argument) = arguments.next() {
        match (argument, arguments.clone().next()) {
            ("--knots", _) => shows_knots = true,
            ("--at", Some(commit)) => {
                files = Some(tree::read_commit(commit)?);
                arguments.next();
            }
            ("--help" | "-h", _) => {
                writeln!(out, "{HELP}")?;
                return Ok(true);
            }
            _ => bail!("{HELP}"),
        }
    }
    let files = files.map_or_else(|| tree::read_all_files(&cargo_metadata()?), Ok)?;
    write_measures(&files, out)?;
    if shows_knots {
        write_knots(&files, out)?;
    }
    Ok(true)
}

fn write_measures(files: &[SourceFile], out: &mut impl Write) -> anyhow::Result<()> {
    for measure in measures(files) {
        writeln!(out, "{:<52}{}", measure.name, measure.value)?;
    }
    Ok(())
}

fn write_knots(files: &[SourceFile], out: &mut impl Write) -> anyhow::Result<()> {
    for folder in folders(files) {
        for knot in &folder.knots {
            let place = [std::slice::from_ref(&folder.crate_name), folder.path.as_slice()].concat().join("/");
            writeln!(
                out,
                "\n{place}: {} of {}: {}",
                knot.members.len(),
                folder.modules,
                knot.members.join(", ")
            )?;
            for need in &knot.needs {
                writeln!(out, "  {need}")?;
            }
        }
    }
    Ok(())
}
