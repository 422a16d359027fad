//! What lets somebody in reaches no model and no memory (ADR 50).

use myao_core::memory::MemorySettings;

use crate::{
    planted_secrets::{assert_has_none, talk},
    scenario::{BUILD, Scenario, copying_model, hours, literal_mode_settings},
};

/// A model that copies all it is shown: what reaches it would stand in memory. It complains of a request with a secret.
#[tokio::test]
async fn no_model_is_shown_a_secret_and_no_memory_holds_one() {
    for settings in [literal_mode_settings(), MemorySettings::default()] {
        let scenario = Scenario::new(settings, copying_model()).await;
        scenario.channel("C1").await;
        for text in talk() {
            scenario.say("C1", &text).await;
        }
        scenario.pass(hours(24));
        scenario.round(BUILD).await;
        let mut memories = scenario.versions("C1").await;
        memories.extend(scenario.long_term("C1").await);
        assert!(memories.len() > 1, "{memories:?}");
        assert!(
            memories.iter().any(|memory| memory.content().contains("[secret: github-pat]")),
            "{memories:?}"
        );
        assert_has_none("a memory", &format!("{memories:?}"));
    }
}
