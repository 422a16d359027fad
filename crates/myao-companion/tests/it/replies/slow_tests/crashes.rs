//! A process that is gone between any two steps, and the next that takes over: each part is posted once.

use jiff::SignedDuration;
use myao_testkit::ScriptedModel;

use crate::replies::{World, platform::Gate, saying, soon};

/// Where the first process ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// T1 is done, and nothing else.
    BeforeAnything,
    /// The model is asked and has not answered.
    Asked,
    /// The words are written, and no part is given to the platform.
    Written,
    /// This part is given to the platform, which has not taken it.
    Given(u32),
    /// This part is taken, and the answer never came.
    Taken(u32),
}

pub(crate) const ENDS: [End; 7] = [
    End::BeforeAnything,
    End::Asked,
    End::Written,
    End::Given(1),
    End::Taken(1),
    End::Given(2),
    End::Taken(2),
];

/// Runs a process up to its end.
pub(crate) async fn live(world: &World, model: &ScriptedModel, end: End) {
    let answering = world.answering();
    let asked = model.calls();
    match end {
        End::BeforeAnything => return,
        End::Asked | End::Written => model.hold(),
        End::Given(part) => world.chat.hold(Gate::Before(part)),
        End::Taken(part) => world.chat.hold(Gate::After(part)),
    }
    let stop = answering.stop.clone();
    let work = tokio::spawn(answering.settle());
    match end {
        End::BeforeAnything => {}
        End::Asked => soon(model.asked(asked + 1)).await,
        End::Written => {
            soon(model.asked(asked + 1)).await;
            stop.cancel();
            model.release();
            soon(work).await.expect("it ends by itself");
            return;
        }
        End::Given(_) | End::Taken(_) => soon(world.chat.held(1)).await,
    }
    work.abort();
    assert!(soon(work).await.is_err(), "it was at work");
    model.release();
    world.chat.hold(Gate::Open);
}

#[tokio::test]
async fn each_part_is_posted_once_wherever_a_process_ends() {
    for end in ENDS {
        let model = saying("一\n二");
        let world = World::new(&model).await;
        world.mention("C1", "いる？").await;
        live(&world, &model, end).await;
        // Its claim runs out, and what it gave away has arrived or never will.
        world.clock.advance(SignedDuration::from_secs(60));
        world.settle().await;
        assert_eq!(world.chat.texts(), ["一", "二"], "{end:?}");
        let own: Vec<String> = world.own("C1").await.into_iter().map(|message| message.text).collect();
        assert_eq!(own, ["一", "二"], "{end:?}");
        assert_eq!(world.states().await, [("done".to_owned(), String::new())], "{end:?}");
    }
}
