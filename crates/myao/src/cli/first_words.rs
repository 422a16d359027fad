//! What is said once before a command's own output: in which language memories are written, and which defaults hold.

use std::path::Path;

use myao_config::{ConfigNotes, LocaleSource};

use super::output;
use crate::{
    app::App,
    locale::{LocaleNews, as_noted, locale_in_words},
};

/// Says in one line on stderr what is new about the language and the zone. At the first run, that line also says which
/// defaults hold.
pub(super) fn say_once(app: &App, notes: &ConfigNotes, file: Option<&Path>) {
    let now = locale_in_words(&as_noted(&app.config.locale));
    let line = match (&app.locale_news, file) {
        (LocaleNews::None, _) => return,
        (LocaleNews::Settled, None) => format!(
            "no ./config.yaml yet: {now}, the builtin model, the database ./data/memory.db. `myao init` asks for all \
             of it; `myao locale` changes language and zone"
        ),
        (LocaleNews::Settled, Some(file)) => {
            let Some(notes) = notes.in_one_line() else { return };
            format!("{}: {notes}. Memories are written in {now}", file.display())
        }
        (LocaleNews::Changed { before }, _) => format!(
            "memories are written in {now} from now on, as the configuration says; until now in {}. What is written \
             stays; `myao memory rebuild --all` writes it anew",
            locale_in_words(before)
        ),
    };
    output::print_to_stderr(&format!("note: {line}"));
}

/// The same as a result of `check`: which defaults hold, and in which language and zone memories are written.
pub(super) fn configuration_in_words(app: &App, notes: &ConfigNotes, file: Option<&Path>) -> String {
    let locale = locale_in_words(&as_noted(&app.config.locale));
    let sources = app.config.locale_sources;
    let configured = [sources.language, sources.timezone].contains(&LocaleSource::Given);
    let kept = if configured { "" } else { ", as the database keeps it" };
    let rest = match file {
        None => Some("no ./config.yaml, so the defaults hold; `myao init` writes one".to_owned()),
        Some(_) => notes.in_one_line(),
    };
    let rest = rest.map(|rest| format!("; {rest}")).unwrap_or_default();
    format!("{locale}{kept}{rest}")
}
