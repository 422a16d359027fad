//! Pages in a browser: what is remembered, from what, who may see it, and why myao spoke (SPEC §10).
//!
//! Pages are made on the server and read without JavaScript (ADR 55). Every page shows what one view sees: the owner's, or
//! that of a place (`?as=CHANNEL`).
//!
//! Read in this order:
//! 1. [`site`]: what pages are made from. `sums`, `call_sums`, `forget_counts`: numbers that take long to count. `replays`: the past judged again.
//! 2. `access`: who may look, and change things; `gate`: what every request passes.
//! 3. [`visit`]: one request: who, in which language, through whose eyes. `params`: what it brings. `times`, `numbers`: when, how many.
//! 4. [`layout`]: what stands around every page; `show`: what pages are put together from.
//! 5. `pages`: one module for each page, with what is changed there.
//! 6. [`room`]: the local workspace, with its memory growing beside the talk. `room_links`: its addresses.
//! 7. [`answer`]: a page, or why there is none. `assets`: style sheets and scripts. [`server`]: HTTP.

mod access;
pub mod answer;
mod assets;
mod call_sums;
mod forget_counts;
mod gate;
pub mod layout;
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
pub use pages::{behind_gate, pages, router};
