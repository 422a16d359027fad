//! Why a reply is given, and how far it has come, by the names of the replies' table (design §5).

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
    /// It has no text yet.
    Wanted,
    /// It has its text; not all parts of it are posted.
    Written,
    /// It is posted.
    Done,
    /// It is not given, for a reason of ours.
    Skipped,
    /// It could not be given.
    Failed,
}

stored_names!(ReplyState, "state of a reply", {
    Wanted => "wanted",
    Written => "written",
    Done => "done",
    Skipped => "skipped",
    Failed => "failed",
});
