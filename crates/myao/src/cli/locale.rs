//! `myao locale`: in which language and time zone memories are written, and the command that changes it.

use clap::Args;
use jiff::tz::TimeZone;
use myao_config::LocaleSource;
use myao_core::text::Language;
use serde_json::json;

use super::{done::Done, output};
use crate::{
    app::App,
    failure::Failure,
    locale::{as_noted, language_in_words, locale_in_words},
};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct LocaleArgs {
    /// Write memories and prompts in this language from now on: `ja` or `en`
    #[arg(long)]
    language: Option<Language>,
    /// Show times in this zone from now on, and cut days by it: a name as in Asia/Tokyo
    #[arg(long, value_name = "ZONE", value_parser = zone_by_name)]
    timezone: Option<TimeZone>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Without options it shows what holds, and why. Where config.yaml has `locale.language` or `locale.timezone`, that holds, \
and is changed there. What was written before stays as it is; `myao memory rebuild --all` writes it anew.";

/// A time zone by its name.
pub(super) fn zone_by_name(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|_e| "expected a zone of the tz database, as in Asia/Tokyo".to_owned())
}

impl LocaleArgs {
    /// Whether it changes nothing.
    pub(super) fn reads(&self) -> bool {
        self.language.is_none() && self.timezone.is_none()
    }
}

pub(super) async fn run(app: &App, args: &LocaleArgs) -> Result<Done, Failure> {
    let mut locale = app.config.locale.clone();
    let sources = app.config.locale_sources;
    if let Some(language) = args.language {
        refuse_configured(sources.language, "locale.language")?;
        locale.language = language;
    }
    if let Some(zone) = &args.timezone {
        refuse_configured(sources.timezone, "locale.timezone")?;
        locale.timezone = zone.clone();
    }
    let noted = as_noted(&locale);
    if !args.reads() {
        app.store.archive().note_locale(&noted).await?;
    }
    let totals = app.store.memory().totals().await?;
    if args.json {
        output::say_json(&json!({
            "language": noted.language.as_str(),
            "timezone": noted.timezone,
            "configured": {
                "language": sources.language == LocaleSource::Given,
                "timezone": sources.timezone == LocaleSource::Given,
            },
        }))?;
        return Ok(Done::All);
    }
    if args.reads() {
        output::print_line(&locale_in_words(&noted));
        output::print_line(&format!(
            "language: {}; time zone: {}",
            where_from(sources.language, "locale.language"),
            where_from(sources.timezone, "locale.timezone")
        ));
        return Ok(Done::All);
    }
    output::print_line(&format!("from now on: {}", locale_in_words(&noted)));
    let written = totals.versions + totals.long_term;
    if noted != as_noted(&app.config.locale) && written > 0 {
        output::print_line(&format!(
            "{} written before stay in {} and in times of {}; `myao memory rebuild --all` writes them anew",
            output::count_with_noun(written, "memory"),
            language_in_words(app.config.locale.language),
            as_noted(&app.config.locale).timezone
        ));
    }
    Ok(Done::All)
}

fn refuse_configured(source: LocaleSource, key: &str) -> Result<(), Failure> {
    match source {
        LocaleSource::Given => Err(Failure::usage(format!("config.yaml says {key}: change it there"))),
        LocaleSource::Default | LocaleSource::Machine => Ok(()),
    }
}

fn where_from(source: LocaleSource, key: &str) -> String {
    match source {
        LocaleSource::Given => format!("as config.yaml says ({key})"),
        LocaleSource::Default | LocaleSource::Machine => {
            "kept in the database (`myao locale --help` says how to change it)".to_owned()
        }
    }
}
