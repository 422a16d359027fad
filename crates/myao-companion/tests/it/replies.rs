//! Answering, from the mention to the post, through crashes and a platform that fails (specification §4, design §5).

mod citing;
mod composed_again;
mod hidden;
mod images;
mod injection;
mod keeps_changing;
mod mandate;
mod memos;
mod open_loops;
mod opting_out;
mod orders;
mod pages;
mod passing;
mod posting;
mod put_right;
mod put_right_eyes;
mod random;
mod reactions;
mod recall;
mod status;
mod stopping;
mod trials;
mod words;
mod slow_tests {
    pub(crate) mod crashes;
    mod names;
    mod talk;
}

use crate::{
    platform,
    reply_world::{World, attention, no_web, noting, saying, soon, top, waiting},
};
