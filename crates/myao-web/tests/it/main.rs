//! The pages, through their router.

#[cfg(test)]
mod access;
#[cfg(test)]
mod as_of;
#[cfg(test)]
mod brief;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod config;
#[cfg(test)]
mod escape;
#[cfg(test)]
mod live;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod marks;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod offers;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod room;
#[cfg(test)]
mod support;
#[cfg(test)]
mod truth;
#[cfg(test)]
mod workspace;
#[cfg(test)]
mod slow_tests {
    mod eyes;
    mod fuzz;
    mod many;
}
