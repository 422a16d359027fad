//! A friend in the room: when it speaks up, and when it keeps quiet (specification §4).

mod failing;
mod manners;
mod night;
mod reasons;
mod waiting;
mod slow_tests {
    mod again;
    mod random;
}

use crate::judged_room::{Room, forward, says, top, verdict};
