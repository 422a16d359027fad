//! Tokens of other programs: made, used, revoked.

use jiff::Timestamp;
use myao_core::chat::{AgentId, AgentSees, AgentToken, ChannelId, ChannelKind};
use myao_store::{AgentTokenError, Store};
use myao_testkit::waiting::yield_until;

use crate::support::{World, at, channel, on_both};

fn token(name: &str, sees: AgentSees) -> AgentToken {
    let mut bytes = [0; 10];
    for (byte, letter) in bytes.iter_mut().zip(name.bytes()) {
        *byte = letter;
    }
    AgentToken { agent: AgentId::draw(bytes), name: name.to_owned(), sees, may_write: name.contains('w') }
}

on_both! {
    a_token_is_found_by_the_hash_of_its_secret_until_it_is_revoked => async |world: &World| {
        let local = world.store.local();
        let channels = AgentSees::Channels(["C1", "C2"].map(ChannelId::new).into());
        let tokens = [("owner", AgentSees::Owner), ("open", AgentSees::Open), ("some", channels)];
        for (name, sees) in &tokens {
            local.add_agent_token(&token(name, sees.clone()), &format!("hash of {name}"), at(0)).await.expect("made");
        }
        for (name, sees) in tokens {
            let found = local.agent_token_of(&format!("hash of {name}"), at(1)).await.expect("read");
            assert_eq!(found, Some(token(name, sees)));
        }
        assert_eq!(local.agent_token_of("hash of nobody", at(1)).await.expect("read"), None);
        assert!(local.revoke_agent_token("open", at(2)).await.expect("revoked"));
        assert!(!local.revoke_agent_token("open", at(3)).await.expect("asked"));
        assert!(!local.revoke_agent_token("nobody", at(3)).await.expect("asked"));
        assert_eq!(local.agent_token_of("hash of open", at(4)).await.expect("read"), None);
        let listed = local.agent_tokens().await.expect("read");
        let names: Vec<&str> = listed.iter().map(|stored| stored.token.name.as_str()).collect();
        assert_eq!(names, ["open", "owner", "some"]);
        assert_eq!(listed.iter().map(|stored| stored.revoked_at).collect::<Vec<_>>(), [Some(at(2)), None, None]);
    };
    a_name_belongs_to_one_token_that_stands => async |world: &World| {
        let local = world.store.local();
        local.add_agent_token(&token("helper", AgentSees::Open), "one", at(0)).await.expect("made");
        let other = AgentToken { agent: AgentId::draw([9; 10]), ..token("helper", AgentSees::Owner) };
        let taken = local.add_agent_token(&other, "two", at(1)).await;
        assert!(matches!(taken, Err(AgentTokenError::NameTaken(name)) if name == "helper"));
        assert!(local.revoke_agent_token("helper", at(2)).await.expect("revoked"));
        local.add_agent_token(&other, "two", at(3)).await.expect("made");
        assert_eq!(local.agent_token_of("two", at(4)).await.expect("read"), Some(other));
        assert_eq!(local.agent_token_of("one", at(4)).await.expect("read"), None);
    };
    the_last_use_is_noted_once_a_minute => async |world: &World| {
        let local = world.store.local();
        local.add_agent_token(&token("helper", AgentSees::Open), "one", at(0)).await.expect("made");
        let uses = [(10, 10), (40, 10), (69, 10), (71, 71), (500, 500)];
        for (second, noted) in uses {
            local.agent_token_of("one", at(second)).await.expect("read").expect("stands");
            yield_until("the use is noted", async || last_use(world).await == Some(at(noted))).await;
        }
    };
    a_store_that_is_only_read_knows_tokens_and_notes_nothing => async |world: &World| {
        let made = token("helper", AgentSees::Open);
        world.store.local().add_agent_token(&made, "one", at(0)).await.expect("made");
        let reading = Store::open_to_read(&world.target).await.expect("opened");
        let found = reading.local().agent_token_of("one", at(10)).await.expect("read");
        reading.close().await;
        assert_eq!(found, Some(made));
        assert_eq!(last_use(world).await, None);
    };
    a_token_follows_a_channel_to_its_new_id => async |world: &World| {
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let sees = |ids: [&str; 2]| AgentSees::Channels(ids.map(ChannelId::new).into());
        let local = world.store.local();
        local.add_agent_token(&token("helper", sees(["C1", "C12"])), "one", at(0)).await.expect("made");
        let intake = world.store.intake();
        let renamed = intake.rename_channel_everywhere(&ChannelId::new("C1"), &ChannelId::new("C9"), at(1)).await;
        assert!(renamed.expect("renamed"));
        let found = local.agent_token_of("one", at(2)).await.expect("read").expect("stands");
        assert_eq!(found.sees, sees(["C9", "C12"]));
    };
}

async fn last_use(world: &World) -> Option<Timestamp> {
    world.store.local().agent_tokens().await.expect("read")[0].used_at
}
