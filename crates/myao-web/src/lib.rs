//! Pages in a browser: what is remembered, from what, who may see it, and why myao spoke (specification §10).
//!
//! Pages are made on the server and can be read without JavaScript (ADR 55). Every page shows what one view sees: the
//! owner's, or that of a place (`?as=CHANNEL`).
//!
//! Read in this order:
//! 1. [`site`]: what pages are made from. `sums`, `sum_calls_by_group`, `forget_counts`: numbers that take long to count.
//!    `replays`: judging the past again.
//! 2. `access`: who may look, and who may change things; `gate`: what every request passes.
//! 3. [`visit`]: one request: by whom, in which language, seen from which place. `params`: its parameters. `messages`:
//!    what people read, by language. `times`, `numbers`: how points in time and numbers are shown.
//! 4. [`layout`]: the frame around every page; `show`: the pieces that pages are made of.
//! 5. `pages`: one module for each page, with the changes that are made there.
//! 6. [`room`]: the local workspace, where the memory can be watched beside the talk. `room_links`: its addresses.
//! 7. [`answer`]: a page, or the reason why there is none. `assets`: style sheets and scripts. [`server`]: HTTP.

mod access;
pub mod answer;
mod assets;
mod call_sums;
mod forget_counts;
mod gate;
pub mod layout;
mod messages;
mod numbers;
mod pages;
mod params;
mod replays;
pub mod room;
mod room_links;
pub mod server;
mod show;
pub mod site;
mod sums;
mod times;
pub mod visit;

pub use access::{PasswordError, Visitor};
pub use pages::{behind_gate, pages_behind_gate, routes_of_pages};
