//! Who may see what (specification §6), every case of it.

use myao_core::chat::{Channel, ChannelId, ChannelKind, Visibility};

const KINDS: [ChannelKind; 5] =
    [ChannelKind::Public, ChannelKind::Private, ChannelKind::Dm, ChannelKind::GroupDm, ChannelKind::Unknown];

fn channel(id: &str, kind: ChannelKind, external: bool) -> Channel {
    Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external }
}

/// Every kind, with and without people from outside.
fn every(id: &str) -> Vec<Channel> {
    KINDS.into_iter().flat_map(|kind| [false, true].map(|external| channel(id, kind, external))).collect()
}

/// The ten kinds of other channel, in the order of [`every`], as a place sees them.
fn row(place: &Channel) -> String {
    let sight = Visibility::of(place);
    every("OTHER").iter().map(|other| if sight.sees(other) { '○' } else { '-' }).collect()
}

/// Columns: public, private, DM, group DM, unknown; of each first without, then with outsiders.
#[test]
fn truth_table() {
    let workspace_only = "○---------";
    let itself_only = "----------";
    let table = [
        (ChannelKind::Public, false, workspace_only),
        (ChannelKind::Public, true, itself_only),
        (ChannelKind::Private, false, workspace_only),
        (ChannelKind::Private, true, itself_only),
        (ChannelKind::Dm, false, workspace_only),
        (ChannelKind::Dm, true, itself_only),
        (ChannelKind::GroupDm, false, workspace_only),
        (ChannelKind::GroupDm, true, itself_only),
        (ChannelKind::Unknown, false, workspace_only),
        (ChannelKind::Unknown, true, itself_only),
    ];
    for (kind, external, expected) in table {
        assert_eq!(row(&channel("HERE", kind, external)), expected, "from {kind:?}, external {external}");
    }
}

#[test]
fn a_place_always_sees_itself() {
    for place in every("HERE") {
        assert!(Visibility::of(&place).sees(&place), "{place:?}");
    }
}

/// Slack Connect, guests.
#[test]
fn a_place_with_outsiders_sees_itself_only_and_is_seen_by_no_other() {
    for outside in every("SHARED").into_iter().filter(|c| c.external) {
        for other in every("OTHER") {
            assert!(!Visibility::of(&outside).sees(&other), "{outside:?} sees {other:?}");
            assert!(!Visibility::of(&other).sees(&outside), "{other:?} sees {outside:?}");
        }
    }
}

#[test]
fn what_is_not_confirmed_counts_as_private() {
    let unknown = channel("NEW", ChannelKind::Unknown, false);
    for place in every("HERE") {
        assert!(!Visibility::of(&place).sees(&unknown), "{place:?}");
    }
    assert!(!Visibility::Open.sees(&unknown));
    assert_eq!(unknown.kind.as_str().parse(), Ok(ChannelKind::Unknown));
}

/// A channel has the kind it has now: what was public is not, once it has turned private.
#[test]
fn a_channel_that_turns_private_is_out_of_sight_at_once() {
    let sight = Visibility::of(&channel("HERE", ChannelKind::Public, false));
    assert!(sight.sees(&channel("PLANS", ChannelKind::Public, false)));
    assert!(!sight.sees(&channel("PLANS", ChannelKind::Private, false)));
}

#[test]
fn everybody_sees_the_open_channels_and_the_owner_sees_all() {
    for other in every("OTHER") {
        let open = other.kind == ChannelKind::Public && !other.external;
        assert_eq!(Visibility::Open.sees(&other), open, "{other:?}");
        assert_eq!(other.is_open(), open, "{other:?}");
        assert!(Visibility::Owner.sees(&other), "{other:?}");
    }
}

#[test]
fn kinds_keep_their_names_in_storage() {
    let names = KINDS.map(ChannelKind::as_str);
    assert_eq!(names, ["public", "private", "dm", "group_dm", "unknown"]);
    for kind in KINDS {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    assert!("im".parse::<ChannelKind>().is_err());
}
