//! The words of the replies' record (DESIGN D).

/// Why we reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Somebody called us by name.
    Mention,
    /// Somebody wrote to us directly.
    Dm,
    /// Nobody asked: it was judged right to speak up.
    Judgment,
}

stored_names!(Cause, "cause of a reply", {
    Mention => "mention",
    Dm => "dm",
    Judgment => "judgment",
});

/// How far a reply has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyState {
    /// Waits for its words.
    Wanted,
    /// Has its words; not all of them are posted.
    Written,
    /// Is posted.
    Done,
    /// Is not given, for a reason of ours.
    Skipped,
    /// Could not be given.
    Failed,
}

stored_names!(ReplyState, "state of a reply", {
    Wanted => "wanted",
    Written => "written",
    Done => "done",
    Skipped => "skipped",
    Failed => "failed",
});
