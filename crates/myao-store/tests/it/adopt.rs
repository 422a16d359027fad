//! Taking over a database of the predecessor (specification §7), on databases that the tests write in its schema, and
//! on a real one where it is at hand.

mod fixture;
mod kept;
mod memories;
mod messages;
pub(crate) mod refused;
mod whole;
pub(crate) mod world;
