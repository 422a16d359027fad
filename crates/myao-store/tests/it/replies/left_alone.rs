//! People who want nothing said to them unasked, on both databases.

use myao_core::chat::UserId;

use super::talk::{arrive, draft, mention, speak_up, take, top, wanted};
use crate::support::{World, at, on_both, said};

on_both! {
    nothing_is_said_unasked_to_who_does_not_want_it => async |world: &World| {
        let replies = world.store.replies();
        let one = UserId::new("U1");
        arrive(&world.store, vec![said(1, "does anybody know?")]).await;
        let other = UserId::new("U2");
        replies.leave_alone(&other, true, at(90)).await.expect("noted");
        assert!(speak_up(&world.store, 1, at(100), at(100)).await.is_some(), "it is another's wish");
        // What is wanted is given up, and nothing is decided anew.
        replies.leave_alone(&one, true, at(101)).await.expect("noted");
        replies.leave_alone(&one, true, at(102)).await.expect("noted again");
        assert!(wanted(&world.store).await.is_none());
        arrive(&world.store, vec![said(2, "nobody?")]).await;
        assert!(speak_up(&world.store, 2, at(103), at(103)).await.is_none());
        // What they ask is answered.
        arrive(&world.store, vec![mention(3)]).await;
        let asked = wanted(&world.store).await.expect("asked");
        let claim = take(&world.store, &top(), at(104)).await;
        let answer = draft(asked.id, &asked.triggers, &["yes"]);
        assert!(replies.write_parts(&claim, answer, at(105)).await.expect("written"));
        replies.leave_alone(&one, true, at(106)).await.expect("noted");
        assert_eq!(replies.to_act_on(at(107)).await.expect("read").due, [top()], "an answer stays");
        assert!(replies.is_to_be_left_alone(&one).await.expect("read"));
        replies.leave_alone(&one, false, at(108)).await.expect("noted");
        assert!(!replies.is_to_be_left_alone(&one).await.expect("read"));
    };
    what_was_written_unasked_is_not_posted => async |world: &World| {
        arrive(&world.store, vec![said(1, "does anybody know?")]).await;
        let replies = world.store.replies();
        let reply = speak_up(&world.store, 1, at(50), at(50)).await.expect("decided");
        let claim = take(&world.store, &top(), at(60)).await;
        assert!(replies.write_parts(&claim, draft(reply, &[], &["I do"]), at(61)).await.expect("written"));
        replies.leave_alone(&UserId::new("U1"), true, at(62)).await.expect("noted");
        let may_be_sent = world.store.intake().mark_part_sending(&claim, reply, 1, at(63)).await;
        assert!(!may_be_sent.expect("asked"));
        assert!(replies.to_act_on(at(64)).await.expect("read").due.is_empty());
        // From then on it is allowed again.
        replies.leave_alone(&UserId::new("U1"), false, at(65)).await.expect("noted");
        arrive(&world.store, vec![said(2, "nobody?")]).await;
        assert!(speak_up(&world.store, 2, at(70), at(70)).await.is_some());
    };
}
