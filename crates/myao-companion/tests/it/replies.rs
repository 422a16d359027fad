//! Answering, from the mention to the post, through crashes and a platform that fails (specification §4, design §5).

mod citing;
mod crashes;
mod hidden;
mod images;
mod injection;
mod keeps_changing;
mod mandate;
mod memos;
mod names;
mod opting_out;
mod orders;
mod pages;
mod passing;
mod posting;
mod random;
mod reactions;
mod recall;
mod talk;
mod trials;
mod words;

use crate::{
    platform,
    reply_world::{World, attention, no_web, noting, saying, soon, top, waiting},
};
