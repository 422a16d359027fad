//! Tokens of other programs: made, used, revoked.

use myao_core::chat::{AgentId, AgentSees, AgentToken, ChannelId};
use myao_store::AgentTokenError;

use crate::support::{World, at, on_both};

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
        let mut noted = Vec::new();
        for second in [10, 40, 69, 71, 500] {
            local.agent_token_of("one", at(second)).await.expect("read");
            noted.push(local.agent_tokens().await.expect("read")[0].used_at.expect("used"));
        }
        assert_eq!(noted, [at(10), at(10), at(10), at(71), at(500)]);
    };
}
