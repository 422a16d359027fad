//! What a run takes over of a configuration that was read again (ADR 132): from then on what is begun is done by it, while
//! what is under way goes on as it began.

use std::sync::Arc;

use myao_config::Config;
use myao_core::wording::Templates;
use tokio::sync::watch;

use crate::tools::web::WebTools;

/// What of a configuration can change while a run goes on.
pub struct RunSettings {
    /// The configuration that the run began with, but for what it takes over.
    pub config: Config,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// The web tools.
    pub web: WebTools,
}

/// Tells the tasks of a run what it takes over. By default nothing ever is.
#[derive(Clone)]
pub struct SettingsFeed(watch::Receiver<Option<Arc<RunSettings>>>);

/// Gives a run what it takes over.
pub struct SettingsSender(watch::Sender<Option<Arc<RunSettings>>>);

impl SettingsSender {
    /// A sender, and what its run listens to.
    pub fn new() -> (Self, SettingsFeed) {
        let (sender, receiver) = watch::channel(None);
        (Self(sender), SettingsFeed(receiver))
    }

    /// Gives new settings, in place of those before.
    pub fn send(&self, settings: RunSettings) {
        self.0.send_replace(Some(Arc::new(settings)));
    }
}

impl Default for SettingsFeed {
    fn default() -> Self {
        SettingsSender::new().1
    }
}

impl SettingsFeed {
    /// Waits for settings that were not seen here. It may be dropped while it waits.
    pub(crate) async fn changed(&mut self) -> Arc<RunSettings> {
        while self.0.changed().await.is_ok() {
            if let Some(settings) = self.0.borrow_and_update().clone() {
                return settings;
            }
        }
        // Nobody will give any.
        std::future::pending().await
    }

    /// The newest settings, if they were not seen here.
    pub(crate) fn take_unseen(&mut self) -> Option<Arc<RunSettings>> {
        if self.0.has_changed().unwrap_or(false) { self.0.borrow_and_update().clone() } else { None }
    }
}
