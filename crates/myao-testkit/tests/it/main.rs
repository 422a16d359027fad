//! The fake world, tested like anything else.

#[cfg(test)]
mod clock;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod llm;
#[cfg(test)]
mod model;
#[cfg(test)]
mod ports;
#[cfg(test)]
mod slack;
#[cfg(test)]
mod slow_tests {
    mod postgres;
}
#[cfg(test)]
mod waiting;
