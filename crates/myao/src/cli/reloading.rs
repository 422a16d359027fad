//! Reads the configuration again when SIGHUP says so, and has the run follow what can change meanwhile (ADR 132).

use std::{path::PathBuf, sync::Arc};

use myao_companion::{
    ask::Asker,
    live::{RunSettings, SettingsSender},
    tools::web::WebTools,
};
use myao_config::{Config, KeyChange, Loaded};
use myao_core::ports::Clock;
use myao_store::Store;

use super::{logging::LogLevels, stop_signals::HangUps};
use crate::{
    app::{App, templates_of},
    failure::Failure,
};

/// What a run knows of its configuration, to read it again.
pub(super) struct Reloading {
    /// The file that was named, if one was.
    pub(super) file: Option<PathBuf>,
    /// What was read last and was right.
    pub(super) known: Loaded,
    pub(super) levels: LogLevels,
    pub(super) hang_ups: HangUps,
}

/// What follows the configuration of a run.
pub(super) struct Follower {
    reloading: Reloading,
    /// The configuration by which the run goes.
    config: Config,
    store: Store,
    asker: Asker,
    clock: Arc<dyn Clock>,
    settings: SettingsSender,
}

impl Follower {
    pub(super) fn new(reloading: Reloading, app: &App, asker: Asker, settings: SettingsSender) -> Self {
        let (config, store, clock) = (app.config.clone(), app.store.clone(), Arc::clone(&app.clock));
        Self { reloading, config, store, asker, clock, settings }
    }

    /// Follows each hang-up; never ends.
    pub(super) async fn follow(mut self) {
        loop {
            self.reloading.hang_ups.next().await;
            if let Err(failure) = self.read_again().await {
                let why = failure.line().trim_start_matches("error: ").replace('\n', "; ");
                tracing::error!("the configuration is not taken over, and everything stays as it is: {why}");
            }
        }
    }

    /// Reads the configuration, checks it as a whole, and takes over what can be. Where anything in it is wrong, nothing
    /// changes.
    async fn read_again(&mut self) -> Result<(), Failure> {
        let loaded = Config::load(self.reloading.file.as_deref())?;
        loaded.config.slack_for_run()?;
        let config = self.config.following(loaded.config.clone());
        let templates = templates_of(&config)?;
        let web = WebTools::new(&config.tools, config.locale.language, Arc::clone(&self.clock))
            .map_err(|error| Failure::usage(error.to_string()))?;
        self.store.intake().note_places_named(&config.places.channels()).await?;
        let changes = loaded.changes_since(&self.reloading.known);
        // What is told is told in the more talkative of the two logs.
        if config.logging.level < self.config.logging.level {
            log_changes(&changes);
            self.reloading.levels.follow(&config.logging);
        } else {
            self.reloading.levels.follow(&config.logging);
            log_changes(&changes);
        }
        let has_own_prompts = config.prompt.dir.is_some();
        if has_own_prompts {
            tracing::info!("the prompts in prompt.dir were read again");
        }
        if changes.iter().any(|change| change.is_followed) || has_own_prompts {
            self.asker.set_daily_tokens(config.budget.daily_tokens);
            self.asker.set_place_rules(config.places.clone());
            self.settings.send(RunSettings { config: config.clone(), templates, web });
        }
        self.reloading.known = loaded;
        self.config = config;
        Ok(())
    }
}

fn log_changes(changes: &[KeyChange]) {
    if changes.is_empty() {
        tracing::info!("the configuration was read again; nothing in it has changed");
    }
    for change in changes {
        if change.is_followed {
            tracing::info!("the configuration was read again, and this holds from now on: {change}");
        } else {
            tracing::warn!("the configuration was read again; this needs a restart: {change}");
        }
    }
}
