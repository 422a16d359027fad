//! A friend in the room: when it speaks up, and when it keeps quiet (specification §4).

mod again;
mod failing;
mod manners;
mod night;
mod random;
mod reasons;
mod waiting;

use crate::judged_room::{Room, forward, says, top, verdict};
