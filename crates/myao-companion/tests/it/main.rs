//! What acts, tested through what it offers: scenarios in a fake workspace, in which people speak and time is moved by
//! hand.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]

#[cfg(test)]
mod adopted;
#[cfg(test)]
mod after_a_version;
#[cfg(test)]
mod as_of;
#[cfg(test)]
mod ask;
#[cfg(test)]
mod askers_own;
#[cfg(test)]
mod brief;
#[cfg(test)]
mod corrections;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod health;
#[cfg(test)]
mod health_bounds;
#[cfg(test)]
mod house_words;
#[cfg(test)]
mod judged_room;
#[cfg(test)]
mod judging;
#[cfg(test)]
mod keeper;
#[cfg(test)]
mod literal;
#[cfg(test)]
mod live;
#[cfg(test)]
mod memory_verify;
#[cfg(test)]
mod overwrite;
#[cfg(test)]
mod places;
#[cfg(test)]
mod planted_secrets;
#[cfg(test)]
mod platform;
#[cfg(test)]
mod removal;
#[cfg(test)]
mod renamed;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod reply_world;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod scenario;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod twins;
#[cfg(test)]
mod web;
#[cfg(test)]
mod slow_tests {
    mod bounds;
    mod fuzz;
    mod local;
    mod memory_life;
    mod own_words;
    mod postgres;
}
