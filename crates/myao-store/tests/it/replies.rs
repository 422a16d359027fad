//! Replies, from the wish to the post (specification §4, design §5).

mod closed;
mod deliver;
mod inputs;
mod left_alone;
mod origin;
mod record;
mod removal;
mod stops;
mod streams;
pub(crate) mod talk;
mod triggers;
mod votes;
mod write;
mod slow_tests {
    mod crashes;
}

pub(crate) use talk::attention;
