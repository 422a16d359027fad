//! What `myao decisions` tells of a friend in the room, and what it would have been with other settings.

mod other;
mod told;

use crate::{
    binary::Home,
    judged_room::{Room, forward, says, top},
};

/// Where somebody looks at a room's database, with the room's settings and more.
fn desk(room: &Room, more: &str) -> Home {
    let home = Home::new();
    home.write("config.yaml", settings(room, more));
    home
}

/// A configuration of a room.
fn settings(room: &Room, more: &str) -> String {
    format!(
        "memory: {{database_path: '{}'}}\nlocale: {{language: en, timezone: Asia/Tokyo}}\n\
         response: {{jitter_ratio: 0, {more}}}\n",
        room.world.path().display()
    )
}
