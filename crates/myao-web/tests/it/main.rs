//! The pages, through their router.

mod access;
mod changes;
mod config;
mod escape;
mod eyes;
mod fuzz;
mod many;
mod pages;
mod room;
mod support;
mod workspace;
