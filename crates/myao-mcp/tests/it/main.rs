//! Tests of the crate's public surface: a server of no importance behind what has to stand before any, through the router
//! and over pipes; and the memory itself, as agents find it.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod load;
#[cfg(test)]
mod missed;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod slow_tests;
#[cfg(test)]
mod stdio;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod subscriptions;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod turns;
