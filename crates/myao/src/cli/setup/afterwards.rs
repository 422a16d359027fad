//! What follows when files were written: the check, and how later commands find the file.

use std::path::Path;

use myao_config::Config;

use super::{
    super::{Done, Failure, check, first_words, output},
    config_file::USUAL_FILE,
    questions::Questions,
};
use crate::{app::App, locale::LocaleNews};

/// Checks what the files say now, as `myao check --quick` does.
pub(in crate::cli) async fn check_what_was_written(
    questions: &Questions,
    file: &Path,
) -> Result<Done, Failure> {
    output::print_line("");
    questions.tell("init-checking");
    let loaded = Config::load(Some(file))?;
    let mut app = App::open(loaded.config).await?;
    if let LocaleNews::Changed { .. } = app.locale_news {
        first_words::say_once(&app, &loaded.notes, Some(file));
    }
    let configuration = first_words::configuration_in_words(&app, &loaded.notes, Some(file));
    let done = check::run(&mut app, &check::CheckArgs::quick(), configuration).await;
    app.close().await;
    done
}

/// What later commands need to find the file, as in ` --config other.yaml`; empty where they do by themselves.
pub(in crate::cli) fn config_option(file: &Path) -> String {
    if file == Path::new(USUAL_FILE) {
        return String::new();
    }
    let file = file.display().to_string();
    let is_plain = file.chars().all(|c| c.is_alphanumeric() || "/._-+,:@".contains(c));
    let quoted = if is_plain { file } else { format!("'{}'", file.replace('\'', r"'\''")) };
    format!(" --config {quoted}")
}
